//! A tool of another server.

use std::sync::Arc;
use std::time::Duration;

use futures::future::BoxFuture;
use qingyu_story::Language;
use serde_json::{Value, json};

use super::connection::{LOOK, McpConnection};
use super::material;
use crate::texts::{Text, filled};
use crate::tool::Category;
use crate::{Metadata, Tool, ToolContext, ToolError};

/// A tool of another server. Calls are forwarded; the output is untrusted data.
#[derive(Debug)]
pub(crate) struct ForeignTool {
    connection: Arc<McpConnection>,
    metadata: Metadata,
    /// The server's name of the tool.
    name: String,
}

/// Maximum characters of a foreign tool's description.
const ABOUT: usize = 1_000;
/// Extra timeout of the engine over the connection, whose error message is better.
const MARGIN: Duration = Duration::from_secs(2);

/// Returns the local name of the tool.
pub(crate) fn name(server: &str, tool: &str) -> String {
    let fits = |c: char| if c.is_ascii_alphanumeric() || c == '_' || c == '-' { c } else { '_' };
    format!("{server}__{}", tool.chars().map(fits).collect::<String>())
}

impl ForeignTool {
    pub(crate) fn new(connection: &Arc<McpConnection>, listed: &rmcp::model::Tool) -> Self {
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
            // Includes a possible start and a health check.
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

    fn call<'a>(&'a self, arguments: Value, _context: &'a ToolContext) -> BoxFuture<'a, Result<Value, ToolError>> {
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
