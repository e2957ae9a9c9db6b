//! The client of a server: sends it what a studio is asked, and follows the runs that work there.
//!
//! - [`Client`]: one server, and the key that is sent to it
//! - `connection`: requests, and what their responses mean
//! - `run`: the event stream of a run, resumed where it was cut off
//! - [`ProblemDocument`]: how a server reports a failure
//!
//! The feature `testing` opens the reader of event streams to tests that feed it with anything.
//!
//! ```no_run
//! # async fn example() -> Result<(), Box<dyn std::error::Error>> {
//! use qingyu_client::Client;
//! use qingyu_studio::ProjectStatus;
//! use qingyu_studio::operations::ListProjects;
//!
//! let client = Client::new("https://books.example.org", Some("qy_..."))?;
//! let projects = client.call(ListProjects { status: ProjectStatus::Active }).await?;
//! # Ok(())
//! # }
//! ```

mod connection;
mod problem;
mod run;

use percent_encoding::{NON_ALPHANUMERIC, utf8_percent_encode};
use qingyu_studio::operations::{CancelRun, ListRuns, Operation, ReadEvents, ReadRun, Start, StartRun, path_fields};
use qingyu_studio::{Error, RunHandle};
use reqwest::Method;
use serde_json::{Map, Value};
use tokio::sync::{mpsc, oneshot};
use tokio_util::sync::CancellationToken;

pub use problem::ProblemDocument;

use self::connection::Connection;
use self::run::Follower;

/// What a key may be sent over.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Transport {
    /// TLS; to this machine itself also without it.
    Encrypted,
    /// Plain HTTP as well: whoever listens on the way reads the key.
    Plain,
}

/// A server, and the key that is shown to it.
#[derive(Debug, Clone)]
pub struct Client {
    connection: Connection,
}

impl Client {
    /// The way to the server at `url`, such as `https://books.example.org`. Nothing is sent yet.
    ///
    /// Fails with the code `bad_server` if that is no address of a server, or `key` cannot be a key, and with `plain_http` if the key
    /// would be sent in the open to another machine.
    pub fn new(url: &str, key: Option<&str>) -> Result<Self, Error> {
        Self::with_transport(url, key, Transport::Encrypted)
    }

    /// The same, with what the key may be sent over.
    pub fn with_transport(url: &str, key: Option<&str>, transport: Transport) -> Result<Self, Error> {
        Ok(Self { connection: Connection::new(url, key, transport)? })
    }

    /// Asks the server. What it refuses is [`Error::Remote`] with the code and data that its studio gave; that it cannot be
    /// reached has the code `server_unreachable`.
    pub async fn call<O: Operation>(&self, operation: O) -> Result<O::Output, Error> {
        let (path, rest) = addressed(O::PATH, asked(&operation)?);
        let method = Method::from_bytes(O::METHOD.name().as_bytes()).expect("our methods are methods");
        let request = match O::METHOD.has_body() {
            true => self.connection.request(method, &path, &[]).json(&rest),
            false => self.connection.request(method, &path, &query(rest)),
        };
        let answer = self.connection.ask(request).await?;
        serde_path_to_error::deserialize(answer)
            .map_err(|error| self.connection.damaged(&format!("{}: {}", O::NAME, error)))
    }

    /// Sets a run to work there and follows it. The handle's events come again where they were cut off if the server goes
    /// away for a while; its token stops the run.
    pub async fn start(&self, start: Start) -> Result<RunHandle, Error> {
        let after = self.already_told(&start).await?;
        let started = self.call(StartRun { start }).await?;
        let (tell, events) = mpsc::unbounded_channel();
        let (done, outcome) = oneshot::channel();
        let cancellation = CancellationToken::new();
        let follower = Follower {
            client: self.clone(),
            run: started.run.clone(),
            project: started.project.clone(),
            events: tell,
            after,
        };
        let token = cancellation.clone();
        tokio::spawn(async move {
            // Nobody need wait for it.
            let _ = done.send(follower.finish(&token).await);
        });
        Ok(RunHandle::new(started.run, started.project, events, outcome, cancellation))
    }

    /// The number of the last event of the run that goes on, so that what it told before is not told again.
    async fn already_told(&self, start: &Start) -> Result<u64, Error> {
        let run = match start {
            Start::Resume(request) => match self.call(ReadRun { run: request.run.clone() }).await {
                Ok(outcome) => Some(outcome.run),
                // A project may be named instead of its newest run; what is neither is refused where it is resumed.
                Err(_) => self.newest_run(&request.run).await,
            },
            Start::Tell(request) => self.newest_run(&request.project).await,
            _ => None,
        };
        let Some(run) = run else { return Ok(0) };
        let mut after = 0;
        while let Some(last) = self.call(ReadEvents { run: run.clone(), after }).await?.last() {
            after = last.seq;
        }
        Ok(after)
    }

    async fn newest_run(&self, project: &str) -> Option<String> {
        let newest = ListRuns { project: Some(project.to_owned()), open: false, after: None, limit: Some(1) };
        self.call(newest).await.ok()?.pop().map(|row| row.run)
    }

    async fn stop(&self, run: &str) -> Result<(), Error> {
        self.call(CancelRun { run: run.to_owned() }).await.map(|_| ())
    }
}

fn asked(operation: &impl Operation) -> Result<Map<String, Value>, Error> {
    match serde_json::to_value(operation) {
        Ok(Value::Object(fields)) => Ok(fields),
        Ok(_) => Err(Error::Internal { message: "an operation is an object".into() }),
        Err(error) => Err(Error::Internal { message: error.to_string() }),
    }
}

/// The path with its fields filled in, and the fields that do not stand in it.
fn addressed(path: &'static str, mut fields: Map<String, Value>) -> (String, Map<String, Value>) {
    let mut filled = path.to_owned();
    for name in path_fields(path) {
        let value = fields.remove(name).map(|value| word(&value)).unwrap_or_default();
        let escaped = utf8_percent_encode(&value, NON_ALPHANUMERIC).to_string();
        filled = filled.replace(&format!("{{{name}}}"), &escaped);
    }
    (filled, fields)
}

/// What is asked as the pairs of a query: a list names each of its words by itself, and what is left out is not named.
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

/// Returns the events in the stream of a run that arrives in `pieces`: number, kind and data of each.
#[cfg(any(test, feature = "testing"))]
pub fn run_events(pieces: &[&[u8]]) -> Vec<(Option<u64>, String, String)> {
    run::events(pieces)
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
