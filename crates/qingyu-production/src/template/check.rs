//! Validation of templates.

use std::collections::BTreeSet;

use qingyu_story::Language;

use super::draft::bad;
use super::parts::{BilingualText, Template, phase_of};
use crate::input::{FieldInput, PREVIOUS};
use crate::{Error, FieldBoard, export};

/// Validates a template; returns the place of the error, with advice.
pub(super) fn check(template: &Template) -> Result<(), Error> {
    let refuse = |message: String| Err(bad(&template.name, message));
    for (place, text) in texts(template) {
        if let Some(language) = [("zh", &text.zh), ("en", &text.en)].iter().find(|(_, text)| text.trim().is_empty()) {
            return refuse(format!("{place}.{}: the text is empty; write one in each language", language.0));
        }
    }
    if template.phases.is_empty() {
        return refuse("phases: there are none; list them, or write extends = \"default\"".to_owned());
    }
    let names = |kind: &'static str, names: Vec<&str>| {
        let mut seen = BTreeSet::new();
        let twice = names.into_iter().find(|name| name.trim().is_empty() || !seen.insert(*name));
        twice.map(|name| format!("{kind}: '{name}' is empty or stands there twice; give each its own name"))
    };
    let twice = names("phases", template.phases.iter().map(|phase| phase.name.as_str()).collect())
        .or_else(|| names("criteria", template.criteria.iter().map(|criterion| criterion.name.as_str()).collect()))
        .or_else(|| names("channels", template.channels.iter().map(|channel| channel.name.as_str()).collect()));
    if let Some(message) = twice {
        return refuse(message);
    }
    if let Some(criterion) =
        template.criteria.iter().find(|criterion| criterion.weight.is_nan() || criterion.weight <= 0.0)
    {
        return refuse(format!(
            "criteria, '{}': its weight is {}; it must be above 0",
            criterion.name, criterion.weight
        ));
    }
    for field in &template.fields {
        let phase = phase_of(&field.path);
        let is_known = template.phases.iter().any(|known| known.name == phase);
        if !is_known || field.path.len() <= phase.len() + 1 || field.path.contains(['#', '@']) {
            let known = template.phases.iter().map(|phase| phase.name.as_str()).collect::<Vec<_>>().join(", ");
            return refuse(format!(
                "fields, '{}': a path is a phase, '/', and a name; the phases are {known}",
                field.path
            ));
        }
        if field.schema.is_null() {
            return refuse(format!("fields, '{}': its schema is missing; \"text\" will do for prose", field.path));
        }
    }
    let fields = template.begin(Language::Zh).1;
    let known = fields.iter().map(|field| field.path.as_str()).collect::<Vec<_>>().join(", ");
    if let Some(field) =
        fields.iter().find(|field| !field.is_pattern() && field.depends_on.iter().any(|it| it == PREVIOUS))
    {
        return refuse(format!("fields, '{}': only a field with 'each' has a {PREVIOUS} one", field.path));
    }
    FieldBoard::new(&fields).check().map_err(|error| match error {
        Error::UnknownDependency { .. } => bad(&template.name, format!("fields: {error}; the fields are {known}")),
        other => bad(&template.name, format!("fields: {other}; take one of them out")),
    })?;
    for field in &template.fields {
        let is_upside_down = |length: [usize; 2]| length[0] > length[1];
        if field.length.is_some_and(|length| is_upside_down(length.zh) || is_upside_down(length.en)) {
            return refuse(format!("fields, '{}', length: the shortest is above the longest", field.path));
        }
    }
    let named = template.reading_order.iter().map(|path| ("reading_order", path.as_str()));
    let title = Some(template.title_from.as_str()).filter(|path| !path.is_empty()).map(|path| ("title_from", path));
    for (member, path) in named.chain(title) {
        if !fields.iter().any(|field| field.path == FieldInput::parse(path).path) {
            return refuse(format!("{member}: there is no field '{path}'; the fields are {known}"));
        }
    }
    for channel in &template.channels {
        for (language, text) in [("zh", &channel.template.zh), ("en", &channel.template.en)] {
            export::check_template(text, &fields).map_err(|message| {
                bad(&template.name, format!("channels, '{}', template.{language}: {message}", channel.name))
            })?;
        }
    }
    Ok(())
}

/// Returns every display text, with its place.
fn texts(template: &Template) -> Vec<(String, &BilingualText)> {
    let mut texts = vec![("title".to_owned(), &template.title), ("description".to_owned(), &template.description)];
    texts.extend(template.phases.iter().map(|phase| (format!("phases, '{}', title", phase.name), &phase.title)));
    for field in &template.fields {
        texts.push((format!("fields, '{}', title", field.path), &field.title));
        texts.push((format!("fields, '{}', guidance", field.path), &field.guidance));
        texts.extend(field.audience.iter().map(|text| (format!("fields, '{}', audience", field.path), text)));
    }
    for criterion in &template.criteria {
        texts.push((format!("criteria, '{}', title", criterion.name), &criterion.title));
        texts.push((format!("criteria, '{}', question", criterion.name), &criterion.question));
    }
    for channel in &template.channels {
        texts.push((format!("channels, '{}', title", channel.name), &channel.title));
        texts.push((format!("channels, '{}', template", channel.name), &channel.template));
    }
    texts
}
