//! Everything that can be asked of a studio, as plain values: one type for each question, with its name, its right, its place
//! in the HTTP API and the type of its answer.
//!
//! Doors do not list what there is a second time: the HTTP routes, the OpenAPI document, the client of a remote server
//! and the gRPC call by name all come from [`all`].

mod access;
mod knowledge;
mod memories;
mod money;
mod production;
mod projects;
mod prompts;
mod runs;
mod settings;
mod story;
mod texts;
mod tools;

use std::fmt;

use futures::future::BoxFuture;
use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::access::Right;
use crate::{Error, Studio};

pub use access::*;
pub use knowledge::*;
pub use memories::*;
pub use money::*;
pub use production::*;
pub use projects::*;
pub use prompts::*;
pub use runs::*;
pub use settings::*;
pub use story::*;
pub use texts::*;
pub use tools::*;

/// How an operation is asked for over HTTP.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "UPPERCASE")]
pub enum Method {
    /// Changes nothing; what is asked stands in the query.
    Get,
    /// Does something; what is asked stands in the body, as with those below.
    Post,
    /// Puts something in the place of what was there.
    Put,
    /// Changes parts of something.
    Patch,
    /// Takes something away; what is asked stands in the query.
    Delete,
}

impl Method {
    /// As it stands in a request.
    pub fn name(self) -> &'static str {
        match self {
            Self::Get => "GET",
            Self::Post => "POST",
            Self::Put => "PUT",
            Self::Patch => "PATCH",
            Self::Delete => "DELETE",
        }
    }

    /// Whether what is asked stands in the body.
    pub fn has_body(self) -> bool {
        matches!(self, Self::Post | Self::Put | Self::Patch)
    }
}

/// Something that can be asked of a studio.
pub trait Operation: Serialize + DeserializeOwned + JsonSchema + Send + Sync + 'static {
    /// Its name, such as `list_projects`.
    const NAME: &'static str;
    /// What it does, in a sentence.
    const ABOUT: &'static str;
    /// The right that is needed.
    const RIGHT: Right;
    /// How it is asked for over HTTP.
    const METHOD: Method;
    /// Where, below `/api/v1`; fields of the operation in braces.
    const PATH: &'static str;
    /// The answer.
    type Output: Serialize + DeserializeOwned + JsonSchema + Send + 'static;

    /// Does it.
    fn carry_out(self, studio: &Studio) -> impl Future<Output = Result<Self::Output, Error>> + Send;
}

/// An operation without its types, for doors.
#[derive(Clone, Copy)]
pub struct Described {
    /// Its name.
    pub name: &'static str,
    /// What it does.
    pub about: &'static str,
    /// The right that is needed.
    pub right: Right,
    /// How it is asked for over HTTP.
    pub method: Method,
    /// Where, below `/api/v1`.
    pub path: &'static str,
    /// The schema of what is asked, its definitions in the generator.
    pub input: fn(&mut SchemaGenerator) -> Schema,
    /// The schema of the answer.
    pub output: fn(&mut SchemaGenerator) -> Schema,
    call: fn(Studio, Value) -> BoxFuture<'static, Result<Value, Error>>,
}

impl fmt::Debug for Described {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Described").field("name", &self.name).finish_non_exhaustive()
    }
}

impl Described {
    pub(crate) fn of<O: Operation>() -> Self {
        Self {
            name: O::NAME,
            about: O::ABOUT,
            right: O::RIGHT,
            method: O::METHOD,
            path: O::PATH,
            input: |generator| O::json_schema(generator),
            output: |generator| generator.subschema_for::<O::Output>(),
            call: |studio, asked| Box::pin(async move { carry_out::<O>(&studio, asked).await }),
        }
    }

    /// Does it, with what is asked as JSON. Fails with [`Error::Forbidden`] if who asks has not the right, and with
    /// [`Error::BadRequest`] if it does not fit.
    pub async fn call(&self, studio: Studio, asked: Value) -> Result<Value, Error> {
        (self.call)(studio, asked).await
    }

    /// The names of the fields that stand in the path.
    pub fn path_fields(&self) -> impl Iterator<Item = &'static str> + use<> {
        path_fields(self.path)
    }
}

/// The fields in braces in a path.
pub fn path_fields(path: &'static str) -> impl Iterator<Item = &'static str> {
    path.split('{').skip(1).filter_map(|part| part.split('}').next())
}

async fn carry_out<O: Operation>(studio: &Studio, asked: Value) -> Result<Value, Error> {
    studio.scope().demand(O::RIGHT)?;
    let asked: O = serde_path_to_error::deserialize(asked)
        .map_err(|error| Error::BadRequest { path: error.path().to_string(), message: error.inner().to_string() })?;
    let answer = asked.carry_out(studio).await.map_err(|error| studio.told(error))?;
    serde_json::to_value(answer).map_err(|error| Error::Internal { message: error.to_string() })
}

/// Every operation, in the order of the API.
pub fn all() -> Vec<Described> {
    [
        projects::ALL,
        runs::ALL,
        story::ALL,
        knowledge::ALL,
        texts::ALL,
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

/// Declares operations: each a type of its own with its fields, and the list of them.
macro_rules! operations {
    ($(
        $(#[doc = $about:literal])+
        $right:ident $method:ident $path:literal
        $name:ident as $called:literal { $($(#[$attribute:meta])* $field:ident: $type:ty),* $(,)? } -> $output:ty
        = |$studio:ident, $it:ident| $work:expr;
    )+) => {
        $(
            $(#[doc = $about])+
            #[derive(Debug, Clone, serde::Serialize, serde::Deserialize, schemars::JsonSchema)]
            #[serde(deny_unknown_fields)]
            pub struct $name {
                $($(#[$attribute])* pub $field: $type,)*
            }

            impl super::Operation for $name {
                const NAME: &'static str = $called;
                const ABOUT: &'static str = concat!($($about),+);
                const RIGHT: crate::access::Right = crate::access::Right::$right;
                const METHOD: super::Method = super::Method::$method;
                const PATH: &'static str = $path;
                type Output = $output;

                async fn carry_out(self, $studio: &crate::Studio) -> Result<$output, crate::Error> {
                    let $it = self;
                    $work
                }
            }
        )+

        pub(super) const ALL: &[fn() -> super::Described] = &[$(super::Described::of::<$name>),+];
    };
}
pub(crate) use operations;

impl Studio {
    /// Does what is asked, if who asks may.
    pub async fn call<O: Operation>(&self, operation: O) -> Result<O::Output, Error> {
        self.scope().demand(O::RIGHT)?;
        operation.carry_out(self).await.map_err(|error| self.told(error))
    }

    /// The failure as whoever asks is told it.
    fn told(&self, error: Error) -> Error {
        if self.scope().key().is_none() { error } else { error.for_others() }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

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
        fn refused<O: Operation>(asked: Value, path: &str, field: &str) {
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
