//! Searches with the servers of a team; the embedded index answers for a server that cannot.

use std::collections::{BTreeMap, BTreeSet};

use qingyu_knowledge::engine::{GraphEngine, PatternAnswer, SearchEngine, VectorEngine, VectorQuery};
use qingyu_knowledge::graph::NodeId;
use qingyu_knowledge::pattern::{Name, PatternResult, Query as Pattern, QueryLimits};
use qingyu_knowledge::{Filter, Hit, Neighbour, Query, StoryGraph};
use qingyu_tools::workspace::{FoundPassages, PassageQuery};
use serde_json::json;
use tokio::time::timeout;

use crate::engines::report::{EngineState, EngineUses};
use crate::engines::slot::EngineSlot;
use crate::error::Error;
use crate::search::copies::EngineSetback;
use crate::search::index::bad_pattern;
use crate::studio::Studio;

impl Studio {
    /// Returns passages for a tool with the configured servers for words and vectors, as [`search`](Self::search) uses
    /// them; `None` without such servers. If the embedder fails, the words alone decide.
    pub(crate) async fn passages_on_servers(
        &self,
        project: &str,
        asked: &PassageQuery,
    ) -> Result<Option<FoundPassages>, Error> {
        if self.engines().keywords.is_none() && self.engines().vectors.is_none() {
            return Ok(None);
        }
        let vector = match self.vectors(project).await?.of(&asked.text).await {
            Ok(vector) => vector,
            Err(error) => {
                tracing::warn!(project, %error, "passages searched without vectors: the embedder failed");
                None
            }
        };
        let kinds = asked.kinds.iter().map(|kind| kind.name().into()).collect();
        let filter = Filter::In { field: "doc_type".into(), values: kinds };
        let query = Query {
            filter: (!asked.kinds.is_empty()).then_some(filter),
            before: asked.before,
            limit: asked.limit,
            vector,
            ..Query::new(&asked.text)
        };
        let mut uses = EngineUses::default();
        let hits = self.search_engines(project, query, &mut uses).await?;
        let engines = uses.into_reports().iter().map(|report| json!(report)).collect();
        Ok(Some(FoundPassages { hits, engines }))
    }

    /// Returns the hits of a query, with the configured servers for words and vectors. Reports each server in `uses`.
    pub(super) async fn search_engines(
        &self,
        project: &str,
        query: Query,
        uses: &mut EngineUses,
    ) -> Result<Vec<Hit>, Error> {
        let mut query = query;
        if let Some(slot) = &self.engines().vectors {
            match self.near_on(slot, project, &query).await {
                Ok(near) => {
                    query.near = near;
                    uses.add(slot.report(EngineState::Used, None));
                }
                Err(setback) => uses.add(setback.report(slot)?),
            }
        }
        if let Some(slot) = &self.engines().keywords {
            // Without the vectors of their own server, only the embedded index has vectors.
            let has_vectors = query.near.is_some() || self.engines().vectors.is_none() || query.vector.is_none();
            let found = match has_vectors {
                true => self.hits_on(slot, project, &query).await,
                false => Err(EngineSetback::Unsupported("the server for vectors was not used".into())),
            };
            match found {
                Ok(hits) => {
                    uses.add(slot.report(EngineState::Used, None));
                    return Ok(hits);
                }
                Err(setback) => uses.add(setback.report(slot)?),
            }
        }
        self.search_table().search(project, query).await.map_err(|error| self.place("").store(error))
    }

    /// Returns the nearest chunks on a server; `None` for a query without a vector.
    async fn near_on(
        &self,
        slot: &EngineSlot<dyn VectorEngine>,
        project: &str,
        query: &Query,
    ) -> Result<Option<Vec<Neighbour>>, EngineSetback> {
        let Some(vector) = &query.vector else { return Ok(None) };
        let copied = timeout(slot.timeout, self.copy_vectors(slot, project, &vector.model, |_| ())).await;
        let Ok(copied) = copied else {
            return Err(EngineSetback::Behind(self.vector_progress(slot, project, &vector.model).await));
        };
        copied?;
        let scope = self.engine_scope(project);
        let near = VectorQuery {
            model: vector.model.clone(),
            vector: vector.values.clone(),
            filter: query.condition(),
            limit: query.depth(),
        };
        let (scope, near) = (&scope, &near);
        Ok(Some(slot.call(|engine| async move { engine.near(scope, near).await }).await?))
    }

    /// Returns the hits of a server for words, which compares vectors as well unless the query brings them.
    async fn hits_on(
        &self,
        slot: &EngineSlot<dyn SearchEngine>,
        project: &str,
        query: &Query,
    ) -> Result<Vec<Hit>, EngineSetback> {
        let model = query.vector.as_ref().map_or("", |vector| vector.model.as_str());
        let copied = timeout(slot.timeout, self.copy_keywords(slot, project, model)).await;
        copied.unwrap_or(Err(EngineSetback::Behind(None)))?;
        let scope = self.engine_scope(project);
        let scope = &scope;
        Ok(slot.call(|engine| async move { engine.search(scope, query).await }).await?)
    }

    /// Runs a graph query with its text, for errors: on the configured server, whose nodes get their evidence from the story's graph, or on the
    /// graph itself.
    pub(super) async fn run_pattern(
        &self,
        project: &str,
        graph: &StoryGraph,
        (text, pattern): (&str, &Pattern),
        limits: QueryLimits,
        uses: &mut EngineUses,
    ) -> Result<PatternResult, Error> {
        let bad = |error| bad_pattern(text, &error);
        if let Some(slot) = &self.engines().graph {
            match self.answer_on(slot, project, graph, pattern).await {
                Ok(answer) => {
                    uses.add(slot.report(EngineState::Used, None));
                    if answer.rows.is_empty() {
                        return Ok(PatternResult::empty(answer.columns));
                    }
                    return pattern.run_among(graph, limits, &nodes_of(&answer, graph)).map_err(bad);
                }
                Err(setback) => uses.add(setback.report(slot)?),
            }
        }
        pattern.run(graph, limits).map_err(bad)
    }

    async fn answer_on(
        &self,
        slot: &EngineSlot<dyn GraphEngine>,
        project: &str,
        graph: &StoryGraph,
        pattern: &Pattern,
    ) -> Result<PatternAnswer, EngineSetback> {
        let copied = timeout(slot.timeout, self.copy_graph(slot, project)).await;
        copied.unwrap_or(Err(EngineSetback::Behind(None)))?;
        let scope = self.engine_scope(project);
        let scope = &scope;
        Ok(slot.call(|engine| async move { engine.ask(scope, graph, pattern).await }).await?)
    }
}

/// Returns the nodes of each column of an answer.
fn nodes_of(answer: &PatternAnswer, graph: &StoryGraph) -> BTreeMap<Name, BTreeSet<NodeId>> {
    let keys = graph.keys();
    let by_key: BTreeMap<&str, NodeId> =
        graph.nodes().map(|(id, _)| id).zip(&keys).map(|(id, key)| (key.as_str(), id)).collect();
    let column = |place: usize| {
        let keys = answer.rows.iter().filter_map(move |row| row.get(place));
        keys.filter_map(|key| by_key.get(key.as_str()).copied()).collect()
    };
    answer.columns.iter().cloned().enumerate().map(|(place, name)| (name, column(place))).collect()
}
