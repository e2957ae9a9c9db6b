//! A text as a frame: headings, each with a note about its intended content. Never pretended prose.

use qingyu_agents::production::context::FieldContext;
use serde_json::Value;

use super::brief::ProductionBrief;
use super::shape::{fit, last_name};
use super::tables;

/// Returns the frame of a text.
pub(super) fn text(making: &FieldContext) -> String {
    let tables = tables::of(making.language);
    let brief = ProductionBrief::read(making.language, tables, &making.premise, &making.conversation);
    let mut parts = vec![format!("> {}", tables.note)];
    let member = |name: &str| making.entry.as_ref().and_then(|entry| entry.get(name)).and_then(Value::as_str);
    let list = |name: &str| making.entry.as_ref().and_then(|entry| entry.get(name)).and_then(Value::as_array);
    if let Some(goal) = member("goal").or_else(|| member("question")) {
        parts.push(format!("{}{goal}", tables.goal));
    }
    let points = list("points").or_else(|| list("evidence"));
    if let Some(points) = points {
        for point in points.iter().filter_map(Value::as_str) {
            parts.push(format!("## {point}\n\n{}", tables.unknown(point)));
        }
    } else if let Some(headings) = tables.headings.get(last_name(&making.path)) {
        for heading in headings {
            let (title, what) = heading.split_once('|').unwrap_or((heading, heading));
            let (title, what) = (brief.fill(tables, title), brief.fill(tables, what));
            parts.push(format!("## {title}\n\n{what}"));
        }
    } else {
        parts.push(tables.unknown(if making.guidance.is_empty() { &making.title } else { &making.guidance }));
    }
    if let Some(exercise) = member("exercise") {
        parts.push(format!("## {}\n\n{exercise}", tables.exercise));
    }
    fit(&parts.join("\n\n"), &making.schema)
}
