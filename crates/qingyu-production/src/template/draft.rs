//! A file as it is written.

use std::collections::BTreeMap;

use qingyu_story::production::Golden;
use serde::Deserialize;

use super::{Template, TemplateChannel, TemplateCriterion, TemplateField, TemplatePhase, Text, phase_of, shape};
use crate::Error;

/// A template file. What is absent is as in the template that it extends.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Draft {
    extends: Option<String>,
    title: Text,
    description: Text,
    phases: Option<Vec<TemplatePhase>>,
    #[serde(default)]
    fields: Vec<FieldDraft>,
    criteria: Option<Vec<TemplateCriterion>>,
    channels: Option<Vec<TemplateChannel>>,
}

/// A field. One with a path that is there already changes only what it says.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
struct FieldDraft {
    path: String,
    title: Option<Text>,
    guidance: Option<Text>,
    schema: Option<toml::Value>,
    depends_on: Option<Vec<String>>,
    each: Option<String>,
    golden: Option<Golden>,
    is_content: Option<bool>,
}

pub(super) fn bad(name: &str, message: impl Into<String>) -> Error {
    Error::BadTemplate { name: name.to_owned(), message: message.into() }
}

pub(super) fn read(name: &str, text: &str) -> Result<Draft, Error> {
    toml::from_str(text).map_err(|error| bad(name, error.to_string().trim_end()))
}

/// The template of a file, with what it takes over. `way` holds the files that wait for it.
pub(super) fn finish(
    name: &str,
    drafts: &BTreeMap<&str, Draft>,
    known: &[Template],
    way: &mut Vec<String>,
) -> Result<Template, Error> {
    let Some(draft) = drafts.get(name) else {
        let found = known.iter().find(|template| template.name == name).cloned();
        let by = way.last().map_or(name, String::as_str);
        return found.ok_or_else(|| bad(by, format!("extends: there is no template '{name}'; name one that there is")));
    };
    // A file that takes the place of a known template may build on what it replaces.
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

fn merge(name: &str, draft: Draft, base: Template) -> Result<Template, Error> {
    let phases = draft.phases.unwrap_or(base.phases);
    let mut fields = base.fields;
    // Without its phase, a field that was taken over has no place.
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
        Ok(())
    }
}
