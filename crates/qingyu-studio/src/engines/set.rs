//! All configured engines.

use std::sync::Arc;
use std::time::Duration;

use qingyu_knowledge::engine::{GraphEngine, SearchEngine, VectorEngine};
use qingyu_memory::{LongTermMemory, ShortTermMemory};

use crate::engines::address::{database, host};
use crate::engines::open::Connections;
use crate::engines::report::EnginePart;
use crate::engines::slot::{EngineSlot, Opener};
use crate::settings::engines::{
    EngineSettings, GraphServer, KeywordServer, LongTermServer, ShortTermServer, VectorServer,
};
use crate::settings::environment::Environment;

/// The configured engines; `None` for parts with the embedded engine alone.
#[derive(Debug, Default)]
pub(crate) struct Engines {
    pub(crate) keywords: Option<Arc<EngineSlot<dyn SearchEngine>>>,
    pub(crate) vectors: Option<Arc<EngineSlot<dyn VectorEngine>>>,
    pub(crate) graph: Option<Arc<EngineSlot<dyn GraphEngine>>>,
    pub(crate) long_term: Option<Arc<EngineSlot<dyn LongTermMemory>>>,
    pub(crate) short_term: Option<Arc<EngineSlot<dyn ShortTermMemory>>>,
}

impl Engines {
    /// Returns the engines of the settings; nothing is sent yet.
    pub(crate) fn new(settings: &EngineSettings, environment: &Environment) -> Self {
        let connections = Connections::new(settings, environment);
        let EngineSettings { postgres, redis, qdrant, milvus, neo4j, mongodb, .. } = settings;
        let of_postgres = || {
            let (host, database) = (host(&postgres.url), database(&postgres.url).unwrap_or_default());
            (format!("PostgreSQL {host}/{database}/{}", postgres.schema), postgres.timeout)
        };
        let named = |name: &str, url: &str, timeout: u64| (format!("{name} {}", host(url)), timeout);
        Self {
            keywords: settings.keywords().map(|server| {
                let KeywordServer::Postgres = server;
                slot(EnginePart::Keywords, of_postgres(), connections.keywords(server))
            }),
            vectors: settings.vectors().map(|server| {
                let of_server = match server {
                    VectorServer::Postgres => of_postgres(),
                    VectorServer::Qdrant => named("Qdrant", &qdrant.url, qdrant.timeout),
                    VectorServer::Milvus => named("Milvus", &milvus.url, milvus.timeout),
                };
                slot(EnginePart::Vectors, of_server, connections.vectors(server))
            }),
            graph: settings.graph.map(|server| {
                let GraphServer::Neo4j = server;
                slot(EnginePart::Graph, named("Neo4j", &neo4j.url, neo4j.timeout), connections.graph(server))
            }),
            long_term: settings.long_term().map(|server| {
                let of_server = match server {
                    LongTermServer::Postgres => of_postgres(),
                    LongTermServer::Mongodb => named("MongoDB", &mongodb.url, mongodb.timeout),
                };
                slot(EnginePart::LongTerm, of_server, connections.long_term(server))
            }),
            short_term: settings.short_term.map(|server| {
                let ShortTermServer::Redis = server;
                let of_server = named("Redis", &redis.url, redis.timeout);
                slot(EnginePart::ShortTerm, of_server, connections.short_term(server))
            }),
        }
    }
}

fn slot<T: ?Sized + Send + Sync>(
    part: EnginePart,
    (server, timeout): (String, u64),
    open: Opener<T>,
) -> Arc<EngineSlot<T>> {
    Arc::new(EngineSlot::new(part, server, Duration::from_secs(timeout), open))
}
