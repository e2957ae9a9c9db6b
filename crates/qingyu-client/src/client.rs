//! A server: its operations as requests.

use percent_encoding::{NON_ALPHANUMERIC, utf8_percent_encode};
use qingyu_studio::Error;
use qingyu_studio::operations::{CancelRun, StudioOperation, path_fields};
use reqwest::Method;
use serde_json::{Map, Value};

use crate::connection::{ServerConnection, Transport};

/// A server, and the key for authentication.
#[derive(Debug, Clone)]
pub struct Client {
    pub(super) connection: ServerConnection,
}

impl Client {
    /// Creates a client of the server at `url`, such as `https://books.example.org`. Nothing is sent yet.
    ///
    /// Fails with the code `bad_server` if `url` is not a server's address or `key` is malformed, and with `plain_http`
    /// if the key would be sent unencrypted to another machine.
    pub fn new(url: &str, key: Option<&str>) -> Result<Self, Error> {
        Self::with_transport(url, key, Transport::Encrypted)
    }

    /// Creates a client like [`new`](Self::new), with the given transport.
    pub fn with_transport(url: &str, key: Option<&str>, transport: Transport) -> Result<Self, Error> {
        Ok(Self { connection: ServerConnection::new(url, key, transport)? })
    }

    /// Returns the client in a session: the server adds the earlier turns of the session to prompts.
    ///
    /// Fails with the code `bad_memory` if the name has control characters.
    pub fn in_session(&self, session: &str) -> Result<Self, Error> {
        Ok(Self { connection: self.connection.in_session(session)? })
    }

    /// Calls an operation on the server. Rejections return [`Error::Remote`] with the code and data of the server's
    /// studio; an unreachable server returns the code `server_unreachable`.
    pub async fn call<O: StudioOperation>(&self, operation: O) -> Result<O::Output, Error> {
        let (path, rest) = addressed(O::PATH, to_fields(&operation)?);
        let method = Method::from_bytes(O::METHOD.name().as_bytes()).expect("our methods are methods");
        let request = match O::METHOD.has_body() {
            true => self.connection.request(method, &path, &[]).json(&rest),
            false => self.connection.request(method, &path, &query(rest)),
        };
        let answer = self.connection.ask(request).await?;
        serde_path_to_error::deserialize(answer)
            .map_err(|error| self.connection.damaged(&format!("{}: {}", O::NAME, error)))
    }

    /// Cancels a run.
    pub(super) async fn stop(&self, run: &str) -> Result<(), Error> {
        self.call(CancelRun { run: run.to_owned() }).await.map(|_| ())
    }
}

fn to_fields(operation: &impl StudioOperation) -> Result<Map<String, Value>, Error> {
    match serde_json::to_value(operation) {
        Ok(Value::Object(fields)) => Ok(fields),
        Ok(_) => Err(Error::Internal { message: "an operation is an object".into() }),
        Err(error) => Err(Error::Internal { message: error.to_string() }),
    }
}

/// Fills in the path parameters and returns the path with the remaining fields.
fn addressed(path: &'static str, mut fields: Map<String, Value>) -> (String, Map<String, Value>) {
    let mut filled = path.to_owned();
    for name in path_fields(path) {
        let value = fields.remove(name).map(|value| word(&value)).unwrap_or_default();
        let escaped = utf8_percent_encode(&value, NON_ALPHANUMERIC).to_string();
        filled = filled.replace(&format!("{{{name}}}"), &escaped);
    }
    (filled, fields)
}

/// Serializes fields as query pairs: a list repeats its name for each item, and null fields are omitted.
fn query(fields: Map<String, Value>) -> Vec<(String, String)> {
    let mut pairs = Vec::new();
    for (name, value) in fields {
        match value {
            Value::Null => {}
            Value::Array(values) => pairs.extend(values.iter().map(|value| (name.clone(), word(value)))),
            value => pairs.push((name, word(&value))),
        }
    }
    pairs
}

fn word(value: &Value) -> String {
    match value {
        Value::String(word) => word.clone(),
        other => other.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn fields_stand_in_the_path_or_in_the_query() {
        let Value::Object(fields) = json!({"project": "灯/塔", "only": ["QY1", "QY 2"], "change": 7, "to": null})
        else {
            unreachable!()
        };
        let (path, rest) = addressed("/projects/{project}/check", fields);
        assert_eq!(path, "/projects/%E7%81%AF%2F%E5%A1%94/check");
        let pairs = query(rest);
        let mut pairs: Vec<_> = pairs.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect();
        pairs.sort_unstable();
        assert_eq!(pairs, [("change", "7"), ("only", "QY 2"), ("only", "QY1")]);
    }
}
