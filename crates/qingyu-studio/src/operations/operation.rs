//! The type of an operation, and its call.

use std::fmt;

use futures::future::BoxFuture;
use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::access::scope::Right;
use crate::error::Error;
use crate::studio::Studio;

/// The HTTP method of an operation.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "UPPERCASE")]
pub enum Method {
    /// Read; the request is in the query string.
    Get,
    /// Perform an action; the request is in the body, as for all methods below except delete.
    Post,
    /// Replace a resource.
    Put,
    /// Update parts of a resource.
    Patch,
    /// Delete a resource; the request is in the query string.
    Delete,
}

impl Method {
    /// Returns the name used in HTTP requests.
    pub fn name(self) -> &'static str {
        match self {
            Self::Get => "GET",
            Self::Post => "POST",
            Self::Put => "PUT",
            Self::Patch => "PATCH",
            Self::Delete => "DELETE",
        }
    }

    /// Returns whether the request is in the body.
    pub fn has_body(self) -> bool {
        matches!(self, Self::Post | Self::Put | Self::Patch)
    }
}

/// An operation of the studio.
pub trait StudioOperation: Serialize + DeserializeOwned + JsonSchema + Send + Sync + 'static {
    /// The name, such as `list_projects`.
    const NAME: &'static str;
    /// The description, in a sentence.
    const ABOUT: &'static str;
    /// The required right.
    const RIGHT: Right;
    /// The HTTP method.
    const METHOD: Method;
    /// The path below `/api/v1`, with fields of the operation in braces.
    const PATH: &'static str;
    /// The response type.
    type Output: Serialize + DeserializeOwned + JsonSchema + Send + 'static;

    /// Executes the operation.
    fn carry_out(self, studio: &Studio) -> impl Future<Output = Result<Self::Output, Error>> + Send;
}

/// An operation without its types, for front ends.
#[derive(Clone, Copy)]
pub struct OperationDescription {
    /// The name.
    pub name: &'static str,
    /// The description.
    pub about: &'static str,
    /// The required right.
    pub right: Right,
    /// The HTTP method.
    pub method: Method,
    /// The path below `/api/v1`.
    pub path: &'static str,
    /// Returns the request's schema, with definitions in the generator.
    pub input: fn(&mut SchemaGenerator) -> Schema,
    /// Returns the response's schema.
    pub output: fn(&mut SchemaGenerator) -> Schema,
    call: fn(Studio, Value) -> BoxFuture<'static, Result<Value, Error>>,
}

impl fmt::Debug for OperationDescription {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Described").field("name", &self.name).finish_non_exhaustive()
    }
}

impl OperationDescription {
    pub(crate) fn of<O: StudioOperation>() -> Self {
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

    /// Executes the operation with a JSON request. Returns [`Error::Forbidden`] if the caller lacks the right, and
    /// [`Error::BadRequest`] if the request does not parse.
    pub async fn call(&self, studio: Studio, asked: Value) -> Result<Value, Error> {
        (self.call)(studio, asked).await
    }

    /// Returns the names of the fields in the path.
    pub fn path_fields(&self) -> impl Iterator<Item = &'static str> + use<> {
        path_fields(self.path)
    }
}

/// Returns the names of the fields in braces.
pub fn path_fields(path: &'static str) -> impl Iterator<Item = &'static str> {
    path.split('{').skip(1).filter_map(|part| part.split('}').next())
}

async fn carry_out<O: StudioOperation>(studio: &Studio, asked: Value) -> Result<Value, Error> {
    studio.scope().demand(O::RIGHT)?;
    let asked: O = serde_path_to_error::deserialize(asked)
        .map_err(|error| Error::BadRequest { path: error.path().to_string(), message: error.inner().to_string() })?;
    let answer = asked.carry_out(studio).await.map_err(|error| studio.told(error))?;
    serde_json::to_value(answer).map_err(|error| Error::Internal { message: error.to_string() })
}

/// Declares operations: a type with fields for each, and the list of operations.
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

            impl crate::operations::operation::StudioOperation for $name {
                const NAME: &'static str = $called;
                const ABOUT: &'static str = concat!($($about),+);
                const RIGHT: crate::access::scope::Right = crate::access::scope::Right::$right;
                const METHOD: crate::operations::operation::Method = crate::operations::operation::Method::$method;
                const PATH: &'static str = $path;
                type Output = $output;

                async fn carry_out(self, $studio: &crate::studio::Studio) -> Result<$output, crate::error::Error> {
                    let $it = self;
                    $work
                }
            }
        )+

        pub(crate) const ALL: &[fn() -> crate::operations::operation::OperationDescription] =
            &[$(crate::operations::operation::OperationDescription::of::<$name>),+];
    };
}

impl Studio {
    /// Executes an operation after authorizing the caller.
    pub async fn call<O: StudioOperation>(&self, operation: O) -> Result<O::Output, Error> {
        self.scope().demand(O::RIGHT)?;
        operation.carry_out(self).await.map_err(|error| self.told(error))
    }

    /// Returns the error for the caller; removes details of the machine for callers with a key.
    fn told(&self, error: Error) -> Error {
        if self.scope().key().is_none() { error } else { error.for_others() }
    }
}

pub(crate) use operations;
