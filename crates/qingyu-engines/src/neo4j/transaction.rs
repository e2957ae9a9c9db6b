//! An explicit transaction.

use std::collections::BTreeSet;

use percent_encoding::{NON_ALPHANUMERIC, utf8_percent_encode};
use qingyu_knowledge::engine::Error;
use reqwest::Method;
use reqwest::header::{HeaderMap, HeaderName};
use serde_json::{Value, json};
use tokio::runtime::Handle;

use super::query_api::QueryApi;

/// The header used by a load balancer to find the cluster member with the transaction.
const AFFINITY: &str = "neo4j-cluster-affinity";

/// An open transaction. Rolled back on drop, so that a cancelled caller leaves no locks until the server's own timeout.
#[derive(Debug)]
pub(super) struct Transaction {
    api: QueryApi,
    /// `/db/DATABASE/query/v2/tx/ID`.
    path: String,
    headers: HeaderMap,
    /// The bookmarks sent with the begin request.
    bookmarks: BTreeSet<String>,
    is_open: bool,
}

impl Transaction {
    /// Begins a transaction with its first statement, ignoring the result. An empty begin is allowed, but broken in
    /// servers before 2025.04.
    pub(super) async fn begin(api: &QueryApi, statement: &str, parameters: &Value) -> Result<Self, Error> {
        let mut body = json!({"statement": statement, "parameters": parameters});
        let bookmarks = api.add_bookmarks(&mut body);
        let path = format!("{}/tx", api.path);
        let response = api.http.send(Method::POST, &path, HeaderMap::new(), Some(&body)).await?;
        let reply = api.read(&response)?;
        let id = reply["transaction"]["id"].as_str().ok_or_else(|| api.unexpected("a transaction without an id"))?;
        let path = format!("{path}/{}", utf8_percent_encode(id, NON_ALPHANUMERIC));
        let affinity = response.headers.get(AFFINITY);
        let affinity = affinity.map(|member| (HeaderName::from_static(AFFINITY), member.clone()));
        Ok(Self { api: api.clone(), path, headers: affinity.into_iter().collect(), bookmarks, is_open: true })
    }

    /// Runs a statement, ignoring the result.
    pub(super) async fn run(&self, statement: &str, parameters: &Value) -> Result<(), Error> {
        let body = json!({"statement": statement, "parameters": parameters});
        let response = self.api.http.send(Method::POST, &self.path, self.headers.clone(), Some(&body)).await?;
        self.api.read(&response).map(drop)
    }

    /// Commits. After [`Error::Unreachable`] the caller cannot know whether the server has committed.
    pub(super) async fn commit(mut self) -> Result<(), Error> {
        let path = format!("{}/commit", self.path);
        let response = self.api.http.send(Method::POST, &path, self.headers.clone(), None).await?;
        let reply = self.api.read(&response)?;
        self.is_open = false;
        self.api.advance(&self.bookmarks, &reply);
        Ok(())
    }

    /// Rolls back. The result is ignored: the server rolls back automatically after a failed statement, and when the
    /// transaction expires.
    pub(super) async fn roll_back(mut self) {
        self.is_open = false;
        let _result = self.api.http.send(Method::DELETE, &self.path, self.headers.clone(), None).await;
    }
}

impl Drop for Transaction {
    fn drop(&mut self) {
        if !self.is_open {
            return;
        }
        if let Ok(runtime) = Handle::try_current() {
            let (http, path) = (self.api.http.clone(), std::mem::take(&mut self.path));
            let headers = std::mem::take(&mut self.headers);
            runtime.spawn(async move { http.send(Method::DELETE, &path, headers, None).await.map(drop) });
        }
    }
}
