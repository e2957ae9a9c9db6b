//! The settings of engines on a team's servers.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Servers for search, the graph and memories, instead of the embedded engines. The embedded engines stay complete and
/// replace a server that is down.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub(crate) struct EngineSettings {
    /// One server for keywords, vectors and long-term memory, unless they name another.
    pub(crate) all: Option<AllServer>,
    /// The server for keyword search; also compares vectors, unless `vectors` names another server.
    pub(crate) keywords: Option<KeywordServer>,
    /// The server for nearest vectors.
    pub(crate) vectors: Option<VectorServer>,
    /// The server for graph queries.
    pub(crate) graph: Option<GraphServer>,
    /// The server for memories of users.
    pub(crate) long_term: Option<LongTermServer>,
    /// The server for memories of sessions.
    pub(crate) short_term: Option<ShortTermServer>,
    /// The PostgreSQL server.
    pub(crate) postgres: PostgresServer,
    /// The Redis server.
    pub(crate) redis: RedisServer,
    /// The Qdrant server.
    pub(crate) qdrant: EngineServer,
    /// The Milvus server.
    pub(crate) milvus: EngineServer,
    /// The Neo4j server, addressed by its HTTP port.
    pub(crate) neo4j: EngineServer,
    /// The MongoDB server.
    pub(crate) mongodb: EngineServer,
}

/// A server for everything it can do.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub(crate) enum AllServer {
    /// PostgreSQL
    Postgres,
}

/// A server for keyword search.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub(crate) enum KeywordServer {
    /// PostgreSQL
    Postgres,
}

/// A server for nearest vectors.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub(crate) enum VectorServer {
    /// PostgreSQL
    Postgres,
    /// Qdrant
    Qdrant,
    /// Milvus
    Milvus,
}

/// A server for graph queries.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub(crate) enum GraphServer {
    /// Neo4j
    Neo4j,
}

/// A server for memories of users.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub(crate) enum LongTermServer {
    /// PostgreSQL
    Postgres,
    /// MongoDB
    Mongodb,
}

/// A server for memories of sessions.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub(crate) enum ShortTermServer {
    /// Redis
    Redis,
}

/// The connection of an engine.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub(crate) struct EngineServer {
    /// The address, with the user but without a password.
    pub(crate) url: String,
    /// The environment variable with the password or key.
    pub(crate) key_env: Option<String>,
    /// The timeout of a request, in seconds; afterwards the embedded engine answers.
    pub(crate) timeout: u64,
}

/// The connection to PostgreSQL.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub(crate) struct PostgresServer {
    /// The address with the database, with the user but without a password.
    pub(crate) url: String,
    /// The environment variable with the password.
    pub(crate) key_env: Option<String>,
    /// The timeout of a request, in seconds; afterwards the embedded engine answers.
    pub(crate) timeout: u64,
    /// The schema of the engines' tables; another schema than `storage.schema`.
    pub(crate) schema: String,
}

/// The connection to Redis.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub(crate) struct RedisServer {
    /// The address, with the user but without a password.
    pub(crate) url: String,
    /// The environment variable with the password.
    pub(crate) key_env: Option<String>,
    /// The timeout of a request, in seconds; afterwards the embedded engine answers.
    pub(crate) timeout: u64,
    /// The prefix of all keys, different for each studio on the server.
    pub(crate) prefix: String,
}

impl EngineSettings {
    /// Returns the server for keyword search, if any.
    pub(crate) fn keywords(&self) -> Option<KeywordServer> {
        self.keywords.or(self.all.map(|AllServer::Postgres| KeywordServer::Postgres))
    }

    /// Returns the server for nearest vectors, if any; `None` if the server for keywords compares vectors itself.
    pub(crate) fn vectors(&self) -> Option<VectorServer> {
        let is_own = self.vectors == Some(VectorServer::Postgres) && self.keywords().is_some();
        self.vectors.filter(|_| !is_own)
    }

    /// Returns the server for memories of users, if any.
    pub(crate) fn long_term(&self) -> Option<LongTermServer> {
        self.long_term.or(self.all.map(|AllServer::Postgres| LongTermServer::Postgres))
    }

    /// Validates the connections; returns the invalid setting and the problem.
    pub(crate) fn check(&self) -> Result<(), (String, String)> {
        let Self { postgres, redis, qdrant, milvus, neo4j, mongodb, .. } = self;
        let others = [("qdrant", qdrant), ("milvus", milvus), ("neo4j", neo4j), ("mongodb", mongodb)];
        let others = others.map(|(name, server)| (name, &server.url, server.timeout));
        let own = [("postgres", &postgres.url, postgres.timeout), ("redis", &redis.url, redis.timeout)];
        for (name, url, timeout) in own.into_iter().chain(others) {
            if has_password(url) {
                let problem = "a password stands in the environment variable named by key_env, never in settings";
                return Err((format!("engines.{name}.url"), problem.into()));
            }
            if timeout == 0 && !url.is_empty() {
                return Err((format!("engines.{name}.timeout"), "must be at least 1".into()));
            }
        }
        Ok(())
    }
}

/// Returns whether the user part of an address contains a password.
fn has_password(url: &str) -> bool {
    let Some((_, rest)) = url.split_once("://") else { return false };
    let authority = rest.split(['/', '?']).next().unwrap_or_default();
    authority.rsplit_once('@').is_some_and(|(user, _)| user.contains(':'))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn settings(text: &str) -> EngineSettings {
        toml::from_str(text).unwrap()
    }

    #[test]
    fn one_server_for_all_is_overridden_by_part() {
        let all = settings("all = 'postgres'");
        assert_eq!(
            (all.keywords(), all.vectors()),
            (Some(KeywordServer::Postgres), None),
            "it compares vectors itself"
        );
        assert_eq!(all.long_term(), Some(LongTermServer::Postgres));
        let mixed = settings("all = 'postgres'\nvectors = 'qdrant'\nlong_term = 'mongodb'");
        assert_eq!((mixed.vectors(), mixed.long_term()), (Some(VectorServer::Qdrant), Some(LongTermServer::Mongodb)));
        assert_eq!(settings("vectors = 'postgres'").vectors(), Some(VectorServer::Postgres));
        assert!(settings("").keywords().is_none() && settings("").long_term().is_none());
    }

    #[test]
    fn passwords_and_endless_waits_are_refused() {
        let refused = settings("postgres = {url = 'postgresql://a:b@host/db', timeout = 5}").check().unwrap_err();
        assert_eq!(refused.0, "engines.postgres.url");
        let refused = settings("redis = {url = 'redis://host', timeout = 0}").check().unwrap_err();
        assert_eq!(refused.0, "engines.redis.timeout");
        assert!(settings("neo4j = {url = 'http://neo4j@host:7474', timeout = 1}").check().is_ok());
    }
}
