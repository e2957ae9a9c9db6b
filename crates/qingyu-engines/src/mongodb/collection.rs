//! The commands of a collection.

use super::bson::{Bson, BsonDocument, document};
use super::client::{CommandEffect, CommandReply, CommandRequest, MongoClient};
use super::error::MongoError;

/// A collection of documents. Cheap to clone.
#[derive(Clone)]
pub(super) struct Collection {
    client: MongoClient,
    database: String,
    name: &'static str,
}

impl Collection {
    pub(super) fn new(client: MongoClient, database: &str, name: &'static str) -> Self {
        Self { client, database: database.to_owned(), name }
    }

    /// Creates an index on `keys` if missing.
    pub(super) async fn create_index(&self, keys: BsonDocument) -> Result<(), MongoError> {
        let parts = keys.iter().map(|(name, _)| (name, keys.integer(name).unwrap_or_default()));
        let name = parts.map(|(name, order)| format!("{name}_{order}")).collect::<Vec<_>>().join("_");
        let index = document! {"key": keys, "name": name};
        let command = document! {"createIndexes": self.name, "indexes": vec![Bson::from(index)]};
        self.write(command, CommandEffect::IdempotentWrite).await.map(drop)
    }

    /// Inserts a document. Returns [a duplicate key](Error::is_duplicate_key) error if the `_id` exists.
    pub(super) async fn insert(&self, document: BsonDocument) -> Result<(), MongoError> {
        let command = document! {"insert": self.name, "documents": vec![Bson::from(document)]};
        self.write(command, CommandEffect::Write).await.map(drop)
    }

    /// Returns the documents matching `filter`, in the order of `sort`; at most `limit`, or all for 0.
    pub(super) async fn find(
        &self,
        filter: BsonDocument,
        sort: BsonDocument,
        limit: i64,
    ) -> Result<Vec<BsonDocument>, MongoError> {
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
        self.run(command, CommandEffect::Read).await.map(|reply| reply.documents)
    }

    /// Replaces the first document matching `filter`. Returns whether there was a match.
    pub(super) async fn replace(&self, filter: BsonDocument, document: BsonDocument) -> Result<bool, MongoError> {
        let update = document! {"q": filter, "u": document, "multi": false, "upsert": false};
        let command = document! {"update": self.name, "updates": vec![Bson::from(update)]};
        Ok(count(&self.write(command, CommandEffect::Write).await?) > 0)
    }

    /// Deletes the documents matching `filter`. Returns the number deleted.
    pub(super) async fn delete(&self, filter: BsonDocument) -> Result<usize, MongoError> {
        let delete = document! {"q": filter, "limit": 0};
        let command = document! {"delete": self.name, "deletes": vec![Bson::from(delete)]};
        Ok(count(&self.write(command, CommandEffect::Write).await?))
    }

    async fn write(&self, mut command: BsonDocument, kind: CommandEffect) -> Result<CommandReply, MongoError> {
        let concern = &self.client.settings().write_concern;
        if !concern.is_empty() {
            command.insert("writeConcern", concern.clone());
        }
        self.run(command, kind).await
    }

    async fn run(&self, command: BsonDocument, kind: CommandEffect) -> Result<CommandReply, MongoError> {
        self.client.run(&CommandRequest { database: &self.database, command, kind }).await
    }
}

/// Returns the number of documents matched by a write.
fn count(reply: &CommandReply) -> usize {
    reply.body.integer("n").and_then(|count| usize::try_from(count).ok()).unwrap_or_default()
}
