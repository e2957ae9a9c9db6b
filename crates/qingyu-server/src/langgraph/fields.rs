//! Bodies and queries of requests, read field by field: a field that is unknown or cannot be followed is refused by its
//! name, unless it is empty.

use axum::body::Bytes;
use axum::extract::{FromRequest, FromRequestParts, Request};
use axum::http::StatusCode;
use axum::http::request::Parts;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};

use super::error::LangGraphError;
use crate::chat::is_empty;
use crate::http::is_json;

/// Maximum size of metadata, in bytes of JSON.
const LARGEST_METADATA: usize = 16 << 10;

/// The fields of a body, or of an object in a body. Reading removes a field; [`finish`](Self::finish) refuses the rest.
#[derive(Debug, Default)]
pub(super) struct Fields {
    /// The path of the object and a dot; empty for the body.
    within: String,
    values: Map<String, Value>,
}

impl Fields {
    /// Removes a field; `null` if missing.
    pub(super) fn take(&mut self, name: &str) -> Value {
        self.values.remove(name).unwrap_or_default()
    }

    /// Removes and parses a field; `None` if missing or `null`.
    pub(super) fn read<T: DeserializeOwned>(&mut self, name: &str) -> Result<Option<T>, LangGraphError> {
        let value = self.take(name);
        if value.is_null() {
            return Ok(None);
        }
        let parsed = serde_json::from_value(value);
        parsed.map(Some).map_err(|error| LangGraphError::invalid(&self.path(name), &error.to_string()))
    }

    /// Removes an object, with its own fields; empty if missing or `null`.
    pub(super) fn object(&mut self, name: &str) -> Result<Self, LangGraphError> {
        let values = self.read(name)?.unwrap_or_default();
        Ok(self.below(name, values))
    }

    /// Returns the fields of an object that was taken out of a field.
    pub(super) fn below(&self, name: &str, values: Map<String, Value>) -> Self {
        Self { within: format!("{}.", self.path(name)), values }
    }

    /// Removes metadata, an object of limited size; `None` if missing or `null`.
    pub(super) fn metadata(&mut self, name: &str) -> Result<Option<Map<String, Value>>, LangGraphError> {
        let metadata: Option<Map<String, Value>> = self.read(name)?;
        if let Some(metadata) = &metadata {
            let bytes = serde_json::to_string(metadata).map_or(usize::MAX, |text| text.len());
            if bytes > LARGEST_METADATA {
                let message = format!("{bytes} bytes are more than the {LARGEST_METADATA} that are kept");
                return Err(LangGraphError::invalid(&self.path(name), &message));
            }
        }
        Ok(metadata)
    }

    /// Removes a number up to `most`.
    pub(super) fn number(&mut self, name: &str, most: usize) -> Result<Option<usize>, LangGraphError> {
        let number: Option<usize> = self.read(name)?;
        within(&self.path(name), number, most)
    }

    /// Removes a field that cannot be followed; fails unless it is empty. `advice` says what to do instead.
    pub(super) fn refuse(&mut self, name: &str, advice: &str) -> Result<(), LangGraphError> {
        let value = self.take(name);
        if is_empty(&value) { Ok(()) } else { Err(LangGraphError::unsupported(&self.path(name), advice)) }
    }

    /// Removes the fields naming a subgraph; fails unless they are empty.
    pub(super) fn refuse_subgraphs(&mut self) -> Result<(), LangGraphError> {
        let advice = "there are no subgraphs: leave it out";
        self.refuse("checkpoint_ns", advice)?;
        self.refuse("checkpoint_map", advice)
    }

    /// Removes a word; fails unless it is one of `known`.
    pub(super) fn word(&mut self, name: &str, known: &[&'static str]) -> Result<Option<&'static str>, LangGraphError> {
        let Some(given) = self.read::<String>(name)?.filter(|given| !given.is_empty()) else { return Ok(None) };
        one_of(&self.path(name), &given, known).map(Some)
    }

    /// Fails if a field is left that is not empty.
    pub(super) fn finish(self) -> Result<(), LangGraphError> {
        match self.values.iter().find(|(_, value)| !is_empty(value)) {
            Some((name, _)) => Err(LangGraphError::unsupported(&self.path(name), "it is not known here: leave it out")),
            None => Ok(()),
        }
    }

    /// Returns the path of a field, for errors.
    pub(super) fn path(&self, name: &str) -> String {
        format!("{}{name}", self.within)
    }
}

impl From<Map<String, Value>> for Fields {
    fn from(values: Map<String, Value>) -> Self {
        Self { within: String::new(), values }
    }
}

impl<S: Send + Sync> FromRequest<S> for Fields {
    type Rejection = LangGraphError;

    /// A request without a body has no fields.
    async fn from_request(request: Request, state: &S) -> Result<Self, LangGraphError> {
        let is_json = is_json(request.headers());
        let body = Bytes::from_request(request, state).await;
        let body =
            body.map_err(|rejection| LangGraphError::new(rejection.status(), "too_large", rejection.body_text()))?;
        if body.is_empty() {
            return Ok(Self::default());
        }
        if !is_json {
            let message = "the body must be JSON, and say so in `Content-Type: application/json`";
            return Err(LangGraphError::new(StatusCode::UNSUPPORTED_MEDIA_TYPE, "bad_media_type", message));
        }
        match serde_json::from_slice(&body) {
            Ok(Value::Object(values)) => Ok(Self::from(values)),
            Ok(_) => Err(LangGraphError::unprocessable("the body must be an object")),
            Err(error) => Err(LangGraphError::new(StatusCode::BAD_REQUEST, "bad_json", error.to_string())),
        }
    }
}

/// The parameters of a query, in order.
#[derive(Debug, Default)]
pub(super) struct Parameters(Vec<(String, String)>);

impl Parameters {
    /// Removes all values of a parameter: repeated, separated by commas, or both; without empty values.
    pub(super) fn list(&mut self, name: &str) -> Vec<String> {
        let all = std::mem::take(&mut self.0).into_iter();
        let (found, rest): (Vec<_>, Vec<_>) = all.partition(|(given, _)| given == name);
        self.0 = rest;
        let values = found.iter().flat_map(|(_, values)| values.split(','));
        values.map(str::trim).filter(|value| !value.is_empty()).map(str::to_owned).collect()
    }

    /// Removes a parameter with one value; `None` if missing or empty.
    pub(super) fn one(&mut self, name: &str) -> Result<Option<String>, LangGraphError> {
        let mut values = self.list(name);
        if values.len() > 1 {
            return Err(LangGraphError::invalid(name, "it is given more than once"));
        }
        Ok(values.pop())
    }

    /// Removes a number up to `most`.
    pub(super) fn number(&mut self, name: &str, most: usize) -> Result<Option<usize>, LangGraphError> {
        let Some(given) = self.one(name)? else { return Ok(None) };
        let number = given.parse::<usize>().map_err(|_| LangGraphError::invalid(name, "it is no number"))?;
        within(name, Some(number), most)
    }

    /// Removes yes or no, as the Python and the JavaScript client write it.
    pub(super) fn flag(&mut self, name: &str) -> Result<bool, LangGraphError> {
        match self.one(name)?.as_deref() {
            None | Some("0" | "false" | "False") => Ok(false),
            Some("1" | "true" | "True") => Ok(true),
            Some(_) => Err(LangGraphError::invalid(name, "it is neither `true` nor `false`")),
        }
    }

    /// Removes a word; fails unless it is one of `known`.
    pub(super) fn word(&mut self, name: &str, known: &[&'static str]) -> Result<Option<&'static str>, LangGraphError> {
        let Some(given) = self.one(name)? else { return Ok(None) };
        one_of(name, &given, known).map(Some)
    }

    /// Fails if a parameter is left that is not empty.
    pub(super) fn finish(self) -> Result<(), LangGraphError> {
        match self.0.iter().find(|(_, value)| !value.is_empty()) {
            Some((name, _)) => Err(LangGraphError::unsupported(name, "it is not known here: leave it out")),
            None => Ok(()),
        }
    }
}

impl<S: Sync> FromRequestParts<S> for Parameters {
    type Rejection = LangGraphError;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, LangGraphError> {
        let query = parts.uri.query().unwrap_or_default();
        let pairs = url::form_urlencoded::parse(query.as_bytes());
        Ok(Self(pairs.map(|(name, value)| (name.into_owned(), value.into_owned())).collect()))
    }
}

/// Fails if a name in `select` is not one of `known`.
pub(super) fn check_select(select: &[String], known: &[&'static str]) -> Result<(), LangGraphError> {
    selected(Value::Object(Map::new()), select, known).map(drop)
}

/// Returns the parts of an answer named by `select`, such as `status` or `values.characters`; the whole answer if `select`
/// is empty. Fails if a name is not one of `known`.
pub(super) fn selected(answer: Value, select: &[String], known: &[&'static str]) -> Result<Value, LangGraphError> {
    if select.is_empty() {
        return Ok(answer);
    }
    let mut parts = Map::new();
    for path in select {
        let (name, inner) = path.split_once('.').map_or((path.as_str(), None), |(name, inner)| (name, Some(inner)));
        one_of("select", name, known)?;
        let Some(value) = answer.get(name) else { continue };
        match inner {
            None => drop(parts.insert(name.to_owned(), value.clone())),
            Some(inner) => {
                let part = parts.entry(name).or_insert_with(|| Value::Object(Map::new()));
                if let (Some(part), Some(value)) = (part.as_object_mut(), value.get(inner)) {
                    part.insert(inner.to_owned(), value.clone());
                }
            }
        }
    }
    Ok(parts.into())
}

/// Returns whether `value` contains all of `wanted`: objects by their fields, lists by their elements.
pub(super) fn contains(value: &Value, wanted: &Value) -> bool {
    match (value, wanted) {
        (Value::Object(value), Value::Object(wanted)) => {
            wanted.iter().all(|(name, wanted)| value.get(name).is_some_and(|value| contains(value, wanted)))
        }
        (Value::Array(value), Value::Array(wanted)) => {
            wanted.iter().all(|wanted| value.iter().any(|value| contains(value, wanted)))
        }
        (value, wanted) => value == wanted,
    }
}

fn within(name: &str, number: Option<usize>, most: usize) -> Result<Option<usize>, LangGraphError> {
    match number {
        Some(number) if number > most => Err(LangGraphError::invalid(name, &format!("it is more than {most}"))),
        number => Ok(number),
    }
}

fn one_of(name: &str, given: &str, known: &[&'static str]) -> Result<&'static str, LangGraphError> {
    let found = known.iter().copied().find(|known| *known == given);
    let given = given.chars().take(60).collect::<String>();
    found.ok_or_else(|| LangGraphError::invalid(name, &format!("`{given}` is none of {}", known.join(", "))))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn fields(values: Value) -> Fields {
        Fields::from(serde_json::from_value::<Map<String, Value>>(values).unwrap())
    }

    #[test]
    fn what_is_left_and_says_something_is_refused_by_its_path() {
        let mut given = fields(json!({"known": 1, "empty": {}, "none": null, "config": {"configurable": {"x": 1}}}));
        assert_eq!(given.number("known", 10).unwrap(), Some(1));
        let mut config = given.object("config").unwrap();
        let configurable = config.object("configurable").unwrap();
        config.finish().unwrap();
        given.finish().unwrap();
        assert!(configurable.finish().unwrap_err().detail.contains("config.configurable.x"));
        assert!(fields(json!({"limit": 11})).number("limit", 10).unwrap_err().detail.contains("limit"));
        assert!(fields(json!({"webhook": "x"})).refuse("webhook", "").is_err());
        assert!(fields(json!({"interrupt_before": []})).refuse("interrupt_before", "").is_ok());
        assert!(fields(json!({"metadata": {"a": "x".repeat(LARGEST_METADATA)}})).metadata("metadata").is_err());
    }

    #[test]
    fn lists_in_queries_are_repeated_or_separated_or_empty() {
        for (query, expected) in [
            ("", vec![]),
            ("mode=", vec![]),
            ("mode=a", vec!["a"]),
            ("mode=a&mode=b", vec!["a", "b"]),
            ("mode=a,b&x=&mode=c", vec!["a", "b", "c"]),
        ] {
            let pairs = url::form_urlencoded::parse(query.as_bytes()).into_owned().collect();
            let mut parameters = Parameters(pairs);
            assert_eq!(parameters.list("mode"), expected, "{query}");
            parameters.finish().unwrap();
        }
        assert!(Parameters(vec![("x".into(), "1".into())]).finish().is_err());
        assert!(!Parameters(vec![("x".into(), "False".into())]).flag("x").unwrap());
        assert!(Parameters(vec![("x".into(), "maybe".into())]).flag("x").is_err());
    }

    #[test]
    fn parts_of_answers_are_selected_and_found() {
        let answer = json!({"status": "idle", "values": {"a": 1, "b": 2}, "next": []});
        let select = ["status", "values.a"].map(str::to_owned);
        let part = selected(answer.clone(), &select, &["status", "values"]).unwrap();
        assert_eq!(part, json!({"status": "idle", "values": {"a": 1}}));
        assert_eq!(selected(answer.clone(), &[], &[]).unwrap(), answer);
        assert!(selected(answer.clone(), &["nothing".to_owned()], &["status"]).is_err());
        assert!(contains(&answer, &json!({"values": {"b": 2}})) && contains(&json!([1, {"a": 2}]), &json!([{"a": 2}])));
        assert!(!contains(&answer, &json!({"status": "busy"})) && !contains(&json!(1), &json!("1")));
    }
}
