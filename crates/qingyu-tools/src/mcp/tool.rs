//! A tool of another server.

use std::sync::Arc;
use std::time::Duration;

use futures::future::BoxFuture;
use qingyu_story::Language;
use serde_json::{Value, json};

use super::connection::{Connection, LOOK};
use super::material;
use crate::texts::{Text, filled};
use crate::tool::Category;
use crate::{Context, Metadata, Tool, ToolError};

/// A tool of another server. Its calls go there; what comes back is material.
#[derive(Debug)]
pub(crate) struct ForeignTool {
    connection: Arc<Connection>,
    metadata: Metadata,
    /// What the server calls it.
    name: String,
}

/// The most characters of what a foreign tool says of itself.
const ABOUT: usize = 1_000;
/// How much longer the engine waits than the connection, which has the better message.
const MARGIN: Duration = Duration::from_secs(2);

/// Our name of the tool.
pub(crate) fn name(server: &str, tool: &str) -> String {
    let fits = |c: char| if c.is_ascii_alphanumeric() || c == '_' || c == '-' { c } else { '_' };
    format!("{server}__{}", tool.chars().map(fits).collect::<String>())
}

impl ForeignTool {
    pub(crate) fn new(connection: &Arc<Connection>, listed: &rmcp::model::Tool) -> Self {
        let server = connection.server();
        let about = material::line(listed.description.as_deref().unwrap_or_default(), ABOUT);
        let words = [("server", server), ("about", about.as_str())];
        let description =
            Text { zh: filled(Language::Zh, "mcp.about", &words), en: filled(Language::En, "mcp.about", &words) };
        let mut schema = Value::Object(listed.input_schema.as_ref().clone());
        if schema.get("type").is_none() {
            schema["type"] = "object".into();
        }
        let settings = connection.settings();
        let metadata = Metadata {
            permission: settings.permission,
            // It may have to be started first, and to be looked at afterwards.
            timeout: settings.patience() * 2 + LOOK + MARGIN,
            foreign: Some(server.to_owned()),
            ..Metadata::with_schema(&name(server, &listed.name), Category::External, description, schema)
        };
        Self { connection: Arc::clone(connection), metadata, name: listed.name.clone().into_owned() }
    }
}

impl Tool for ForeignTool {
    fn metadata(&self) -> &Metadata {
        &self.metadata
    }

    fn call<'a>(&'a self, arguments: Value, _context: &'a Context) -> BoxFuture<'a, Result<Value, ToolError>> {
        Box::pin(async move {
            let answer = self.connection.call(&self.name, arguments).await?;
            let words = material::words(&answer);
            let server = self.connection.server();
            if answer.is_error == Some(true) {
                let message = format!("the tool of '{server}' failed; it says: {}", material::line(&words, ABOUT));
                return Err(ToolError::Failed { code: "foreign_failure".into(), message, retryable: false });
            }
            let (text, left_out) = material::capped(&words, material::MOST);
            let mut answer = json!({ "text": text });
            if left_out > 0 {
                answer["bytes_left_out"] = left_out.into();
            }
            Ok(answer)
        })
    }
}
