//! Content in phases and fields.

use qingyu_production::change::Changed;
use qingyu_story::Language;
use qingyu_story::bounded::at_most;

use super::operations;
use crate::{FieldView, ProductionView, TemplateRow};

operations! {
    /// The templates that a production can begin with.
    Read Get "/templates"
    ListTemplates as "list_templates" {
        /// The language of their words.
        #[serde(default)]
        language: Language,
    } -> Vec<TemplateRow>
        = |studio, it| studio.template_rows(it.language);

    /// A production as it stands: its phases and fields.
    Read Get "/projects/{project}/production"
    ReadProduction as "read_production" {
        /// The project.
        project: String,
    } -> ProductionView
        = |studio, it| studio.production(&it.project).await;

    /// A field with its value.
    Read Get "/projects/{project}/field"
    ReadField as "read_field" {
        /// The project.
        project: String,
        /// The field, such as `intent/report`.
        path: String,
    } -> FieldView
        = |studio, it| studio.field(&it.project, &it.path).await;

    /// Puts a value into a field; what was made from it becomes stale.
    Write Put "/projects/{project}/field"
    PutField as "put_field" {
        /// The project.
        project: String,
        /// The field, such as `intent/report`.
        path: String,
        /// The value as it was typed: text, or JSON for a structured field.
        typed: String,
        /// The version that it was made for; the newest without it.
        #[serde(default)]
        expected: Option<u32>,
    } -> Changed
        = |studio, it| studio.put_field(&it.project, &it.path, &it.typed, it.expected).await;

    /// Says that fields are good as they are.
    Write Post "/projects/{project}/fields/confirm"
    ConfirmFields as "confirm_fields" {
        /// The project.
        project: String,
        /// The fields.
        #[serde(deserialize_with = "at_most::<1000, _, _>")]
        #[schemars(length(max = 1000))]
        paths: Vec<String>,
    } -> ()
        = |studio, it| studio.confirm_fields(&it.project, &it.paths).await;
}
