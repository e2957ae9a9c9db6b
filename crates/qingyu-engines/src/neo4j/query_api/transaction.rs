//! An explicit transaction.

use std::collections::BTreeSet;

use qingyu_knowledge::engine::Error;
use reqwest::Method;
use reqwest::header::HeaderMap;
use serde_json::{Value, json};
use tokio::runtime::Handle;

use super::QueryApi;

/// The header by which a load balancer finds the member of the cluster that has the transaction.
const AFFINITY: &str = "neo4j-cluster-affinity";

/// An open transaction. It is rolled back when it is dropped, so that a cancelled caller leaves no locks until the
/// server's own timeout.
#[derive(Debug)]
pub(in crate::neo4j) struct Transaction {
    api: QueryApi,
    /// `/db/DATABASE/query/v2/tx/ID`.
    path: String,
    headers: HeaderMap,
    /// The bookmarks that it was opened with.
    bookmarks: BTreeSet<String>,
    is_open: bool,
}

impl Transaction {
    /// Returns the transaction that a response with these `headers` has opened.
    pub(super) fn new(api: QueryApi, path: String, headers: &HeaderMap, bookmarks: BTreeSet<String>) -> Self {
        let affinity = headers.get(AFFINITY).map(|member| (reqwest::header::HeaderName::from_static(AFFINITY), member));
        let headers = affinity.into_iter().map(|(name, member)| (name, member.clone())).collect();
        Self { api, path, headers, bookmarks, is_open: true }
    }

    /// Runs a statement, whose result is not read.
    pub(in crate::neo4j) async fn run(&self, statement: &str, parameters: &Value) -> Result<(), Error> {
        let body = json!({"statement": statement, "parameters": parameters});
        let response = self.api.http.send(Method::POST, &self.path, self.headers.clone(), Some(&body)).await?;
        self.api.read(&response).map(drop)
    }

    /// Commits. After [`Error::Unreachable`] the caller does not know whether the server has committed.
    pub(in crate::neo4j) async fn commit(mut self) -> Result<(), Error> {
        let path = format!("{}/commit", self.path);
        let response = self.api.http.send(Method::POST, &path, self.headers.clone(), None).await?;
        let reply = self.api.read(&response)?;
        self.is_open = false;
        self.api.advance(&self.bookmarks, &reply);
        Ok(())
    }

    /// Rolls back. The result is not looked at: the server rolls back by itself after a failed statement, and when the
    /// transaction expires.
    pub(in crate::neo4j) async fn roll_back(mut self) {
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
