//! `interrupt_before` and `interrupt_after` of a request: the breakpoints of its run.

use axum::http::StatusCode;
use qingyu_studio::{Error, Noun, Studio};
use serde_json::{Map, Value, json};

use super::assistants;
use super::error::LangGraphError;
use super::fields::Fields;
use crate::chat::ChatKind;

/// The nodes before and after which a run stops. A list that is not given leaves the stops to the settings; an empty
/// list means none.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Stops {
    before: Option<Vec<String>>,
    after: Option<Vec<String>>,
}

impl Stops {
    /// Reads both fields: a list of nodes, or `*` for all nodes.
    ///
    /// Fails with 422 if a value is neither, or if the graph of `kind` has no node of a name; the error lists its nodes.
    pub(super) fn read(fields: &mut Fields, kind: ChatKind) -> Result<Self, LangGraphError> {
        let mut list = |name: &str| nodes(&fields.path(name), fields.take(name), kind);
        Ok(Self { before: list("interrupt_before")?, after: list("interrupt_after")? })
    }

    /// Adds the given lists to the settings of a request that starts a run.
    ///
    /// Fails with 422 if the request's own settings name the same breakpoints.
    pub(super) fn add_to(&self, request: &mut Map<String, Value>) -> Result<(), LangGraphError> {
        for (name, nodes) in [("before", &self.before), ("after", &self.after)] {
            let Some(nodes) = nodes else { continue };
            let overrides = section(request, "overrides", "input.overrides")?;
            let breakpoints = section(overrides, "breakpoints", "input.overrides.breakpoints")?;
            if breakpoints.insert(name.to_owned(), json!(nodes)).is_some() {
                let message = format!("`interrupt_{name}` is given too: leave one of them out");
                return Err(LangGraphError::invalid(&format!("input.overrides.breakpoints.{name}"), &message));
            }
        }
        Ok(())
    }

    /// Returns the settings of a resumed run: a list that is not given is that of the project's settings, not that of the
    /// request that started the run, since each request of a client says anew where its run stops.
    pub(super) async fn of_resumed(
        &self,
        studio: &Studio,
        project: &str,
        kind: ChatKind,
    ) -> Result<Value, LangGraphError> {
        let rows = studio.config(Some(project)).await?;
        let set = |name: &str| {
            let key = format!("breakpoints.{name}");
            rows.iter().find(|row| row.key == key).map_or(&Value::Null, |row| &row.value)
        };
        let before = resumed(self.before.as_ref(), set("before"), kind)?;
        let after = resumed(self.after.as_ref(), set("after"), kind)?;
        Ok(json!({"breakpoints": {"before": before, "after": after}}))
    }
}

/// Returns the given nodes, or the nodes of the settings that the graph has: settings may name nodes of other graphs,
/// which a request may not.
fn resumed(given: Option<&Vec<String>>, set: &Value, kind: ChatKind) -> Result<Vec<String>, LangGraphError> {
    if let Some(given) = given {
        return Ok(given.clone());
    }
    let set: Vec<&str> = set.as_array().into_iter().flatten().filter_map(Value::as_str).collect();
    if set.is_empty() {
        return Ok(Vec::new());
    }
    Ok(known(kind)?.into_iter().filter(|node| set.contains(&node.as_str())).collect())
}

/// Returns an object of `within`, made if missing.
fn section<'m>(
    within: &'m mut Map<String, Value>,
    name: &str,
    path: &str,
) -> Result<&'m mut Map<String, Value>, LangGraphError> {
    let section = within.entry(name).or_insert_with(|| json!({}));
    section.as_object_mut().ok_or_else(|| LangGraphError::invalid(path, "it is no object"))
}

/// Returns the nodes of the graph executed by runs of a kind.
fn known(kind: ChatKind) -> Result<Vec<String>, LangGraphError> {
    let drawing = Studio::graph(assistants::graph_of(kind))?;
    Ok(drawing.nodes.into_iter().map(|node| node.name).collect())
}

/// Reads the nodes of a field.
fn nodes(field: &str, given: Value, kind: ChatKind) -> Result<Option<Vec<String>>, LangGraphError> {
    if given.is_null() {
        return Ok(None);
    }
    if given == "*" {
        return known(kind).map(Some);
    }
    let Ok(given) = serde_json::from_value::<Vec<String>>(given) else {
        return Err(LangGraphError::invalid(field, "it is neither a list of nodes nor `*`"));
    };
    if given.is_empty() {
        return Ok(Some(given));
    }
    let known = known(kind)?;
    let unknown = given.iter().find(|node| !known.contains(node));
    let Some(unknown) = unknown.map(|node| node.chars().take(80).collect()) else { return Ok(Some(given)) };
    let error = Error::Unknown { what: Noun::Node, given: unknown, known };
    let message = format!("`{field}`: {error}");
    Err(LangGraphError::new(StatusCode::UNPROCESSABLE_ENTITY, error.code(), message))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(values: &Value) -> Result<Stops, LangGraphError> {
        let values = values.as_object().unwrap().clone();
        Stops::read(&mut Fields::from(values), ChatKind::Create)
    }

    #[test]
    fn nodes_are_named_one_by_one_or_all_at_once() {
        let stops = read(&json!({"interrupt_before": ["review_agent"], "interrupt_after": "*"})).unwrap();
        assert_eq!(stops.before.as_deref(), Some(&["review_agent".to_owned()][..]));
        assert!(stops.after.as_ref().is_some_and(|nodes| nodes.contains(&"planner_agent".to_owned())), "{stops:?}");
        assert_eq!(read(&json!({"interrupt_before": null})).unwrap(), Stops::default());
        assert_eq!(read(&json!({"interrupt_after": []})).unwrap().after, Some(Vec::new()));
        for (given, part) in [
            (json!({"interrupt_before": ["dragon"]}), "no node dragon; there are "),
            (json!({"interrupt_after": ["review_agent", "generation"]}), "`interrupt_after`"),
            (json!({"interrupt_before": "review_agent"}), "nor `*`"),
            (json!({"interrupt_before": 7}), "`interrupt_before`"),
        ] {
            let detail = read(&given).unwrap_err().detail;
            assert!(detail.contains(part), "{given}: {detail}");
        }
    }

    #[test]
    fn a_resumed_run_stops_where_its_request_or_the_settings_say() {
        let set = json!(["generation", "review_agent"]);
        let nodes = |given: Option<&Vec<String>>| resumed(given, &set, ChatKind::Create).unwrap();
        assert_eq!(nodes(None), ["review_agent"], "the other node is one of another graph");
        assert_eq!(nodes(Some(&Vec::new())), [""; 0]);
        assert_eq!(nodes(Some(&vec!["plot_agent".to_owned()])), ["plot_agent"]);
        assert_eq!(resumed(None, &Value::Null, ChatKind::Create).unwrap(), [""; 0]);
    }

    #[test]
    fn stops_are_settings_of_the_run() {
        let stops = read(&json!({"interrupt_before": ["review_agent"], "interrupt_after": []})).unwrap();
        let mut request = Map::from_iter([("overrides".to_owned(), json!({"pipeline": {"preferences": false}}))]);
        stops.add_to(&mut request).unwrap();
        let expected =
            json!({"pipeline": {"preferences": false}, "breakpoints": {"before": ["review_agent"], "after": []}});
        assert_eq!(request["overrides"], expected);
        let detail = stops.add_to(&mut request).unwrap_err().detail;
        assert!(detail.contains("`input.overrides.breakpoints.before`"), "{detail}");
        let mut untouched = Map::new();
        Stops::default().add_to(&mut untouched).unwrap();
        assert!(untouched.is_empty());
        assert!(stops.add_to(&mut Map::from_iter([("overrides".to_owned(), json!(7))])).is_err());
    }
}
