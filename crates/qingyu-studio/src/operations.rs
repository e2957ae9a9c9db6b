//! All operations of the studio as plain values: a type per operation, with its name, required right, HTTP route and
//! response type.
//!
//! The HTTP routes, the OpenAPI document, the client of a remote server and the gRPC calls by name all derive from
//! [`all`].

mod access;
mod checkpoints;
mod knowledge;
mod memories;
mod mirrors;
mod money;
mod once;
mod operation;
mod production;
mod projects;
mod prompts;
mod runs;
mod settings;
mod story;
mod texts;
mod tools;

pub use access::*;
pub use checkpoints::*;
pub use knowledge::*;
pub use memories::*;
pub use mirrors::*;
pub use money::*;
pub use once::IdempotentOutcome;
pub use operation::{Method, OperationDescription, StudioOperation, path_fields};
pub use production::*;
pub use projects::*;
pub use prompts::*;
pub use runs::*;
pub use settings::*;
pub use story::*;
pub use texts::*;
pub use tools::*;

/// Returns all operations, in the order of the API.
pub fn all() -> Vec<OperationDescription> {
    [
        projects::ALL,
        runs::ALL,
        checkpoints::ALL,
        story::ALL,
        knowledge::ALL,
        texts::ALL,
        mirrors::ALL,
        production::ALL,
        memories::ALL,
        money::ALL,
        settings::ALL,
        prompts::ALL,
        tools::ALL,
        access::ALL,
    ]
    .into_iter()
    .flat_map(|all| all.iter().map(|described| described()))
    .collect()
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;
    use crate::access::scope::Right;
    use crate::operations::operation::{Method, StudioOperation};
    use schemars::SchemaGenerator;
    use serde_json::Value;

    #[test]
    fn names_and_places_are_given_once() {
        let all = all();
        let names: HashSet<_> = all.iter().map(|described| described.name).collect();
        let places: HashSet<_> = all.iter().map(|described| (described.method, described.path)).collect();
        assert_eq!((names.len(), places.len()), (all.len(), all.len()));
    }

    #[test]
    fn what_stands_in_a_path_is_a_field() {
        for described in all() {
            let mut generator = SchemaGenerator::default();
            let schema = (described.input)(&mut generator);
            for field in described.path_fields() {
                let property = schema.pointer(&format!("/properties/{field}"));
                assert!(property.is_some(), "{} has no {field}", described.name);
            }
        }
    }

    #[test]
    fn a_field_that_an_operation_does_not_have_is_refused() {
        for described in all() {
            let mut generator = SchemaGenerator::default();
            let schema = (described.input)(&mut generator);
            let closed = ["additionalProperties", "unevaluatedProperties"];
            let is_closed = closed.iter().any(|key| schema.get(*key) == Some(&Value::Bool(false)));
            assert!(is_closed, "{} takes any field", described.name);
        }
        fn refused<O: StudioOperation>(asked: Value, path: &str, field: &str) {
            let told = asked.to_string();
            let error = serde_path_to_error::deserialize::<_, O>(asked).err();
            let error = error.unwrap_or_else(|| panic!("{told} was taken"));
            let (found, message) = (error.path().to_string(), error.inner().to_string());
            assert_eq!(found, path, "{message}");
            assert!(message.starts_with(&format!("unknown field `{field}`")), "{message}");
        }
        let start = |start: Value| serde_json::json!({ "start": start });
        for request in [
            serde_json::json!({"kind": "create", "requirement": "灯", "titel": "灯塔"}),
            serde_json::json!({"kind": "write", "project": "p", "task": {"kind": "draft"}, "titel": 3}),
            serde_json::json!({"kind": "write", "project": "p", "task": {"kind": "draft", "titel": [1]}}),
            serde_json::json!({"kind": "task", "project": "p", "task": {"description": "灯"}, "titel": 1}),
            serde_json::json!({"kind": "produce", "premise": "灯", "titel": 1}),
            serde_json::json!({"kind": "tell", "project": "p", "order": {"do": "say", "text": "灯", "titel": 1}}),
            serde_json::json!({"kind": "resume", "run": "r", "titel": 1}),
            serde_json::json!({"kind": "resume", "run": "r", "answer": {"answer": "reject", "feedback": "", "titel": 1}}),
        ] {
            refused::<StartRun>(start(request), "start", "titel");
        }
        refused::<SearchProject>(
            serde_json::json!({"project": "p", "request": {"text": "灯", "limits": 3}}),
            "request.limits",
            "limits",
        );
        refused::<ReadGraph>(serde_json::json!({"project": "p", "asof": "第一章"}), ".", "asof");
        refused::<ExportBook>(serde_json::json!({"project": "p", "form": "epub"}), ".", "form");
        refused::<AskFacts>(serde_json::json!({"project": "p", "question": {"who": "灯"}}), "question.who", "who");
        let fits = serde_json::json!({"project": "p", "as_of": "第一章", "most": 3});
        assert!(serde_json::from_value::<ReadGraph>(fits).is_ok());
    }

    #[test]
    fn what_only_looks_is_asked_by_get_or_changes_nothing() {
        for described in all() {
            assert!(described.path.starts_with('/'), "{}", described.name);
            assert!(described.about.trim().ends_with('.'), "{} says nothing", described.name);
            let looks = matches!(described.method, Method::Get);
            assert!(!looks || described.right == Right::Read || described.right == Right::Admin, "{}", described.name);
        }
    }
}
