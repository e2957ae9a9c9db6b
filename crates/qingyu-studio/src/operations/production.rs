//! Productions: content in phases and fields.

use qingyu_agents::production::Order;
use qingyu_production::change::Changed;
use qingyu_story::Language;
use qingyu_story::bounded::at_most;
use qingyu_story::production::Voice;

use crate::operations::operation::operations;
use crate::productions::fields::FieldView;
use crate::productions::schedule::ScheduleStatus;
use crate::productions::templates::TemplateRow;
use crate::productions::view::ProductionView;

operations! {
    /// Returns the templates for new productions.
    Read Get "/templates"
    ListTemplates as "list_templates" {
        /// The language of names and descriptions.
        #[serde(default)]
        language: Language,
    } -> Vec<TemplateRow>
        = |studio, it| studio.template_rows(it.language);

    /// Returns the state of a production: its phases and fields.
    Read Get "/projects/{project}/production"
    ReadProduction as "read_production" {
        /// The project.
        project: String,
    } -> ProductionView
        = |studio, it| studio.production(&it.project).await;

    /// Returns a field with its value.
    Read Get "/projects/{project}/field"
    ReadField as "read_field" {
        /// The project.
        project: String,
        /// The path of the field, such as `intent/report`.
        path: String,
    } -> FieldView
        = |studio, it| studio.field(&it.project, &it.path).await;

    /// Sets the value of a field; dependent fields become stale.
    Write Put "/projects/{project}/field"
    PutField as "put_field" {
        /// The project.
        project: String,
        /// The path of the field, such as `intent/report`.
        path: String,
        /// The value: plain text, or JSON for a structured field.
        typed: String,
        /// The expected current version; not checked by default.
        #[serde(default)]
        expected: Option<u32>,
    } -> Changed
        = |studio, it| studio.put_field(&it.project, &it.path, &it.typed, it.expected).await;

    /// Returns the voice of a production: samples, forbidden words, glossary.
    Read Get "/projects/{project}/voice"
    ReadVoice as "read_voice" {
        /// The project.
        project: String,
    } -> Voice
        = |studio, it| studio.voice(&it.project).await;

    /// Sets the voice of a production; texts are written and checked against it.
    Write Put "/projects/{project}/voice"
    PutVoice as "put_voice" {
        /// The project.
        project: String,
        /// The voice; by default the voice of `client`, and no voice without both.
        #[serde(default)]
        voice: Option<Voice>,
        /// The name of a client with a file `voices/NAME.toml` in the data folder.
        #[serde(default)]
        client: Option<String>,
    } -> Voice
        = |studio, it| studio.put_voice(&it.project, it.voice, it.client.as_deref()).await;

    /// Returns the schedule of a production: when a server gives it an order by itself, and what came of the last time.
    Read Get "/projects/{project}/schedule"
    ReadSchedule as "read_schedule" {
        /// The project.
        project: String,
    } -> ScheduleStatus
        = |studio, it| studio.schedule(&it.project).await;

    /// Sets the schedule of a production; without an interval, there is no schedule any more. Requires a key of the owner for
    /// all projects, whose limits count for the runs.
    Approve Put "/projects/{project}/schedule"
    PutSchedule as "put_schedule" {
        /// The project.
        project: String,
        /// The time between two turns: a number with `m`, `h`, `d` or `w`, such as `1w`.
        #[serde(default)]
        every: Option<String>,
        /// The order that the production gets each time; its next phase by default.
        #[serde(default)]
        order: Option<Order>,
    } -> ScheduleStatus
        = |studio, it| studio.set_schedule(&it.project, it.every.as_deref(), it.order).await;

    /// Confirms the current values of fields.
    Write Post "/projects/{project}/fields/confirm"
    ConfirmFields as "confirm_fields" {
        /// The project.
        project: String,
        /// The paths of the fields.
        #[serde(deserialize_with = "at_most::<1000, _, _>")]
        #[schemars(length(max = 1000))]
        paths: Vec<String>,
    } -> ()
        = |studio, it| studio.confirm_fields(&it.project, &it.paths).await;
}
