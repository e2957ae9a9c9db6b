//! A build without the feature `engines`: every configured server is down.

use std::sync::Arc;

use qingyu_knowledge::engine::{GraphEngine, SearchEngine, VectorEngine};
use qingyu_memory::{LongTermMemory, ShortTermMemory};

use crate::engines::slot::Opener;
use crate::settings::engines::{
    EngineSettings, GraphServer, KeywordServer, LongTermServer, ShortTermServer, VectorServer,
};
use crate::settings::environment::Environment;

/// The connections of a build without servers.
pub(crate) struct MissingConnections;

pub(crate) use self::MissingConnections as Connections;

impl MissingConnections {
    pub(crate) fn new(_: &EngineSettings, _: &Environment) -> Self {
        Self
    }

    pub(crate) fn keywords(&self, _: KeywordServer) -> Opener<dyn SearchEngine> {
        missing()
    }

    pub(crate) fn vectors(&self, _: VectorServer) -> Opener<dyn VectorEngine> {
        missing()
    }

    pub(crate) fn graph(&self, _: GraphServer) -> Opener<dyn GraphEngine> {
        missing()
    }

    pub(crate) fn long_term(&self, _: LongTermServer) -> Opener<dyn LongTermMemory> {
        missing()
    }

    pub(crate) fn short_term(&self, _: ShortTermServer) -> Opener<dyn ShortTermMemory> {
        missing()
    }
}

fn missing<T: ?Sized + Send + Sync + 'static>() -> Opener<T> {
    Arc::new(|| Box::pin(async { Err("this build has no servers: build it with the feature `engines`".to_owned()) }))
}
