//! Search in a project, and answers from a project.

use crate::access::scope::Right;
use crate::operations::operation::operations;
use crate::search::answer::{AskRequest, ProjectAnswer};
use crate::search::embedding::EmbeddingProgress;
use crate::search::graph::{GraphRequest, GraphView};
use crate::search::passages::{SearchRequest, SearchResults};

operations! {
    /// Searches passages and pieces, with the reason for each hit. Reranking by a model requires the right to write,
    /// since it costs money.
    Read Post "/projects/{project}/search"
    SearchProject as "search_project" {
        /// The project.
        project: String,
        /// The search request.
        request: SearchRequest,
    } -> SearchResults
        = |studio, it| {
            if it.request.rerank {
                studio.scope().demand(Right::Write)?;
            }
            studio.search(&it.project, &it.request).await
        };

    /// Answers a question about a project, with sources.
    Write Post "/projects/{project}/ask"
    AskProject as "ask_project" {
        /// The project.
        project: String,
        /// The question.
        request: AskRequest,
    } -> ProjectAnswer
        = |studio, it| studio.ask(&it.project, &it.request).await;

    /// Returns a story's graph, or the matches of a pattern.
    Read Get "/projects/{project}/graph"
    ReadGraph as "read_graph" {
        /// The project.
        project: String,
        /// The graph request.
        #[serde(flatten)]
        request: GraphRequest,
    } -> GraphView
        = |studio, it| studio.story_graph(&it.project, &it.request).await;

    /// Returns the number of a project's passages with a vector of the configured embedder.
    Read Get "/projects/{project}/index"
    ReadIndex as "read_index" {
        /// The project.
        project: String,
    } -> EmbeddingProgress
        = |studio, it| studio.embedded(&it.project).await;

    /// Computes the missing vectors, or rebuilds the whole index.
    Write Post "/projects/{project}/index"
    BuildIndex as "build_index" {
        /// The project.
        project: String,
        /// Whether to rebuild the whole index.
        #[serde(default)]
        rebuild: bool,
    } -> EmbeddingProgress
        = |studio, it| match it.rebuild {
            true => studio.rebuild_index(&it.project, |_| ()).await,
            false => studio.embed(&it.project, |_| ()).await,
        };
}
