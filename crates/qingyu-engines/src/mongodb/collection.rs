//! The commands that a collection needs.

use super::bson::{Bson, Document, document};
use super::client::{Client, Kind, Reply, Request};
use super::error::Error;

/// A collection of documents. Cheap to clone.
#[derive(Clone)]
pub(super) struct Collection {
    client: Client,
    database: String,
    name: &'static str,
}

impl Collection {
    pub(super) fn new(client: Client, database: &str, name: &'static str) -> Self {
        Self { client, database: database.to_owned(), name }
    }

    /// Creates an index on `keys` if it is not there.
    pub(super) async fn create_index(&self, keys: Document) -> Result<(), Error> {
        let parts = keys.iter().map(|(name, _)| (name, keys.integer(name).unwrap_or_default()));
        let name = parts.map(|(name, order)| format!("{name}_{order}")).collect::<Vec<_>>().join("_");
        let index = document! {"key": keys, "name": name};
        let command = document! {"createIndexes": self.name, "indexes": vec![Bson::from(index)]};
        self.write(command, Kind::IdempotentWrite).await.map(drop)
    }

    /// Inserts a document. Fails with [a duplicate key](Error::is_duplicate_key) if its `_id` is there.
    pub(super) async fn insert(&self, document: Document) -> Result<(), Error> {
        let command = document! {"insert": self.name, "documents": vec![Bson::from(document)]};
        self.write(command, Kind::Write).await.map(drop)
    }

    /// Returns the documents that pass `filter`, in the order of `sort`; at most `limit`, or all for 0.
    pub(super) async fn find(&self, filter: Document, sort: Document, limit: i64) -> Result<Vec<Document>, Error> {
        let mut command = document! {"find": self.name, "filter": filter};
        if !sort.is_empty() {
            command.insert("sort", sort);
        }
        if limit > 0 {
            command.extend(document! {"limit": limit, "singleBatch": true});
        }
        let concern = &self.client.settings().read_concern;
        if !concern.is_empty() {
            command.insert("readConcern", concern.clone());
        }
        self.run(command, Kind::Read).await.map(|reply| reply.documents)
    }

    /// Replaces the first document that passes `filter`. Returns whether there was one.
    pub(super) async fn replace(&self, filter: Document, document: Document) -> Result<bool, Error> {
        let update = document! {"q": filter, "u": document, "multi": false, "upsert": false};
        let command = document! {"update": self.name, "updates": vec![Bson::from(update)]};
        Ok(count(&self.write(command, Kind::Write).await?) > 0)
    }

    /// Deletes the documents that pass `filter`. Returns how many there were.
    pub(super) async fn delete(&self, filter: Document) -> Result<usize, Error> {
        let delete = document! {"q": filter, "limit": 0};
        let command = document! {"delete": self.name, "deletes": vec![Bson::from(delete)]};
        Ok(count(&self.write(command, Kind::Write).await?))
    }

    async fn write(&self, mut command: Document, kind: Kind) -> Result<Reply, Error> {
        let concern = &self.client.settings().write_concern;
        if !concern.is_empty() {
            command.insert("writeConcern", concern.clone());
        }
        self.run(command, kind).await
    }

    async fn run(&self, command: Document, kind: Kind) -> Result<Reply, Error> {
        self.client.run(&Request { database: &self.database, command, kind }).await
    }
}

/// Returns how many documents a write found.
fn count(reply: &Reply) -> usize {
    reply.body.integer("n").and_then(|count| usize::try_from(count).ok()).unwrap_or_default()
}
