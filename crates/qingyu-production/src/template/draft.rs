//! Template files as parsed.

use std::collections::BTreeMap;

use qingyu_story::production::Golden;
use serde::Deserialize;

use super::parts::{
    BilingualLength, BilingualText, Template, TemplateChannel, TemplateCriterion, TemplateField, TemplatePhase,
    phase_of,
};
use super::shape;
use crate::Error;

/// A template file. The default of an absent member is inherited from the extended template.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct TemplateDraft {
    extends: Option<String>,
    title: BilingualText,
    description: BilingualText,
    phases: Option<Vec<TemplatePhase>>,
    #[serde(default)]
    fields: Vec<FieldDraft>,
    criteria: Option<Vec<TemplateCriterion>>,
    channels: Option<Vec<TemplateChannel>>,
    title_from: Option<String>,
    reading_order: Option<Vec<String>>,
}

/// A field. A duplicate path overrides only the members present.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
struct FieldDraft {
    path: String,
    title: Option<BilingualText>,
    guidance: Option<BilingualText>,
    schema: Option<toml::Value>,
    depends_on: Option<Vec<String>>,
    each: Option<String>,
    golden: Option<Golden>,
    is_content: Option<bool>,
    audience: Option<BilingualText>,
    length: Option<BilingualLength>,
}

pub(super) fn bad(name: &str, message: impl Into<String>) -> Error {
    Error::BadTemplate { name: name.to_owned(), message: message.into() }
}

pub(super) fn read(name: &str, text: &str) -> Result<TemplateDraft, Error> {
    toml::from_str(text).map_err(|error| bad(name, error.to_string().trim_end()))
}

/// Returns the template of a file, with inherited parts. `way` is the chain of extending files.
pub(super) fn finish(
    name: &str,
    drafts: &BTreeMap<&str, TemplateDraft>,
    known: &[Template],
    way: &mut Vec<String>,
) -> Result<Template, Error> {
    let Some(draft) = drafts.get(name) else {
        let found = known.iter().find(|template| template.name == name).cloned();
        let by = way.last().map_or(name, String::as_str);
        return found.ok_or_else(|| bad(by, format!("extends: there is no template '{name}'; name one that there is")));
    };
    // A file may override a known template and extend the overridden template.
    let base = match draft.extends.as_deref() {
        None => Template::default(),
        Some(base) if base == name => known
            .iter()
            .find(|template| template.name == name)
            .cloned()
            .ok_or_else(|| bad(name, format!("extends: '{name}' extends itself; name another template, or none")))?,
        Some(base) => {
            way.push(name.to_owned());
            if way.iter().any(|waiting| waiting == base) {
                let around = way.join(" → ");
                return Err(bad(name, format!("extends: {around} → {base} goes round; one of them must not extend")));
            }
            let template = finish(base, drafts, known, way)?;
            way.pop();
            template
        }
    };
    merge(name, draft.clone(), base)
}

fn merge(name: &str, draft: TemplateDraft, base: Template) -> Result<Template, Error> {
    let phases = draft.phases.unwrap_or(base.phases);
    let mut fields = base.fields;
    // An inherited field without its phase is removed.
    fields.retain(|field| phases.iter().any(|phase| phase.name == phase_of(&field.path)));
    let mut seen = Vec::new();
    for given in draft.fields {
        let path = given.path.clone();
        if seen.contains(&path) {
            return Err(bad(name, format!("fields: '{path}' stands there twice; leave one out")));
        }
        match fields.iter_mut().find(|field| field.path == path) {
            Some(field) => given.apply(name, field)?,
            None => {
                let mut field = TemplateField { path: path.clone(), ..TemplateField::default() };
                given.apply(name, &mut field)?;
                fields.push(field);
            }
        }
        seen.push(path);
    }
    let place = |field: &TemplateField| phases.iter().position(|phase| phase.name == phase_of(&field.path));
    fields.sort_by_key(place);
    Ok(Template {
        name: name.to_owned(),
        title: draft.title,
        description: draft.description,
        fields,
        criteria: draft.criteria.unwrap_or(base.criteria),
        channels: draft.channels.unwrap_or(base.channels),
        title_from: draft.title_from.unwrap_or(base.title_from),
        reading_order: draft.reading_order.unwrap_or(base.reading_order),
        phases,
    })
}

impl FieldDraft {
    fn apply(self, name: &str, field: &mut TemplateField) -> Result<(), Error> {
        let place = |message: String| bad(name, format!("fields, '{}', schema: {message}", self.path));
        if let Some(schema) = &self.schema {
            field.schema = shape::schema(schema).map_err(place)?;
        }
        field.title = self.title.unwrap_or_else(|| std::mem::take(&mut field.title));
        field.guidance = self.guidance.unwrap_or_else(|| std::mem::take(&mut field.guidance));
        field.depends_on = self.depends_on.unwrap_or_else(|| std::mem::take(&mut field.depends_on));
        field.each = self.each.or(field.each.take());
        field.golden = self.golden.or(field.golden);
        field.is_content = self.is_content.unwrap_or(field.is_content);
        field.audience = self.audience.or(field.audience.take());
        field.length = self.length.or(field.length);
        Ok(())
    }
}
