//! Connections to the configured servers.

use std::sync::Arc;
use std::time::Duration;

use qingyu_db::{Postgres, PostgresSettings};
use qingyu_engines::milvus::{MilvusSettings, MilvusVectors};
use qingyu_engines::mongodb::MongoLongTerm;
use qingyu_engines::neo4j::{Neo4jGraph, Neo4jSettings};
use qingyu_engines::postgres::{PostgresLongTerm, PostgresSearch, PostgresVectors};
use qingyu_engines::qdrant::{QdrantSettings, QdrantVectors};
use qingyu_engines::redis::RedisShortTerm;
use qingyu_knowledge::engine::{GraphEngine, SearchEngine, VectorEngine};
use qingyu_memory::{LongTermMemory, ShortTermMemory, SystemClock};
use tokio::sync::OnceCell;

use crate::engines::address::{database, with_password, without_user};
use crate::engines::slot::Opener;
use crate::settings::engines::{
    EngineSettings, GraphServer, KeywordServer, LongTermServer, ShortTermServer, VectorServer,
};
use crate::settings::environment::Environment;

/// The user of a Neo4j server whose address names none.
const NEO4J_USER: &str = "neo4j";
/// The database of a MongoDB server whose address names none.
const MONGODB_DATABASE: &str = "qingyu";

/// The settings of all servers with their passwords.
#[derive(Clone)]
pub(crate) struct Connections {
    settings: Arc<EngineSettings>,
    environment: Environment,
    /// One pool of connections for all parts on PostgreSQL.
    postgres: Arc<OnceCell<Postgres>>,
}

impl Connections {
    /// Returns the connections; nothing is sent yet.
    pub(crate) fn new(settings: &EngineSettings, environment: &Environment) -> Self {
        let settings = Arc::new(settings.clone());
        Self { settings, environment: environment.clone(), postgres: Arc::default() }
    }

    pub(crate) fn keywords(&self, server: KeywordServer) -> Opener<dyn SearchEngine> {
        match server {
            KeywordServer::Postgres => self.opener(|own| async move {
                let engine = PostgresSearch::open(own.postgres().await?).await.map_err(reason)?;
                Ok::<Arc<dyn SearchEngine>, String>(Arc::new(engine))
            }),
        }
    }

    pub(crate) fn vectors(&self, server: VectorServer) -> Opener<dyn VectorEngine> {
        match server {
            VectorServer::Postgres => self.opener(|own| async move {
                let engine = PostgresVectors::open(own.postgres().await?).await.map_err(reason)?;
                Ok::<Arc<dyn VectorEngine>, String>(Arc::new(engine))
            }),
            VectorServer::Qdrant => self.opener(|own| async move {
                let server = &own.settings.qdrant;
                let key = own.secret(server.key_env.as_deref())?;
                let engine = QdrantVectors::new(&QdrantSettings { key, ..QdrantSettings::new(&server.url) });
                Ok::<Arc<dyn VectorEngine>, String>(Arc::new(engine.map_err(reason)?))
            }),
            VectorServer::Milvus => self.opener(|own| async move {
                let server = &own.settings.milvus;
                let token = own.secret(server.key_env.as_deref())?;
                let engine = MilvusVectors::new(&MilvusSettings { token, ..MilvusSettings::new(&server.url) });
                Ok::<Arc<dyn VectorEngine>, String>(Arc::new(engine.map_err(reason)?))
            }),
        }
    }

    pub(crate) fn graph(&self, server: GraphServer) -> Opener<dyn GraphEngine> {
        match server {
            GraphServer::Neo4j => self.opener(|own| async move {
                let server = &own.settings.neo4j;
                let password = own.secret(server.key_env.as_deref())?.unwrap_or_default();
                let database = database(&server.url).map(str::to_owned);
                let (address, user) = without_user(&server.url);
                let address = match &database {
                    Some(name) => address.trim_end_matches('/').trim_end_matches(name.as_str()).to_owned(),
                    None => address,
                };
                let user = user.unwrap_or_else(|| NEO4J_USER.to_owned());
                let settings = Neo4jSettings { address, user, password, database };
                Ok::<Arc<dyn GraphEngine>, String>(Arc::new(Neo4jGraph::open(&settings).await.map_err(reason)?))
            }),
        }
    }

    pub(crate) fn long_term(&self, server: LongTermServer) -> Opener<dyn LongTermMemory> {
        match server {
            LongTermServer::Postgres => self.opener(|own| async move {
                let engine = PostgresLongTerm::open(own.postgres().await?, Arc::new(SystemClock)).await;
                Ok::<Arc<dyn LongTermMemory>, String>(Arc::new(engine.map_err(reason)?))
            }),
            LongTermServer::Mongodb => self.opener(|own| async move {
                let server = &own.settings.mongodb;
                let password = own.secret(server.key_env.as_deref())?;
                let url = with_password(&server.url, password.as_deref());
                let database = database(&server.url).unwrap_or(MONGODB_DATABASE);
                let engine = MongoLongTerm::open(&url, database, Arc::new(SystemClock)).await;
                Ok::<Arc<dyn LongTermMemory>, String>(Arc::new(engine.map_err(reason)?))
            }),
        }
    }

    pub(crate) fn short_term(&self, server: ShortTermServer) -> Opener<dyn ShortTermMemory> {
        match server {
            ShortTermServer::Redis => self.opener(|own| async move {
                let server = &own.settings.redis;
                let password = own.secret(server.key_env.as_deref())?;
                let url = with_password(&server.url, password.as_deref());
                let engine = RedisShortTerm::open(&url, Arc::new(SystemClock)).await.map_err(reason)?;
                Ok::<Arc<dyn ShortTermMemory>, String>(Arc::new(engine.with_prefix(&server.prefix)))
            }),
        }
    }

    fn opener<T, F>(&self, open: impl Fn(Self) -> F + Send + Sync + 'static) -> Opener<T>
    where
        T: ?Sized + Send + Sync + 'static,
        F: Future<Output = Result<Arc<T>, String>> + Send + 'static,
    {
        let own = self.clone();
        Arc::new(move || Box::pin(open(own.clone())))
    }

    /// Connects to PostgreSQL once; a failure is not kept.
    async fn postgres(&self) -> Result<Postgres, String> {
        let server = &self.settings.postgres;
        let password = self.secret(server.key_env.as_deref())?;
        let settings = PostgresSettings {
            schema: server.schema.clone(),
            connect_timeout: Duration::from_secs(server.timeout),
            ..PostgresSettings::new(with_password(&server.url, password.as_deref()))
        };
        let opened = self.postgres.get_or_try_init(|| Postgres::open(settings)).await;
        opened.cloned().map_err(reason)
    }

    /// Returns the value of a variable; fails if the variable is named and not set.
    fn secret(&self, variable: Option<&str>) -> Result<Option<String>, String> {
        let Some(name) = variable else { return Ok(None) };
        let value = self.environment.get(name).ok_or_else(|| format!("the environment variable {name} is not set"))?;
        Ok(Some(value.to_owned()))
    }
}

#[expect(clippy::needless_pass_by_value, reason = "it is passed to map_err")]
fn reason(error: impl ToString) -> String {
    error.to_string()
}
