//! What is found in a project, and answered from it.

use super::operations;
use crate::access::Right;
use crate::{Answered, AskRequest, Embedded, GraphRequest, GraphView, SearchRequest, Searched};

operations! {
    /// Finds passages and pieces, with the reason for each hit. Putting them in order by a model needs the right to write,
    /// since it costs.
    Read Post "/projects/{project}/search"
    SearchProject as "search_project" {
        /// The project.
        project: String,
        /// What is searched for.
        request: SearchRequest,
    } -> Searched
        = |studio, it| {
            if it.request.rerank {
                studio.scope().demand(Right::Write)?;
            }
            studio.search(&it.project, &it.request).await
        };

    /// Answers a question from a project, with its sources.
    Write Post "/projects/{project}/ask"
    AskProject as "ask_project" {
        /// The project.
        project: String,
        /// What is asked.
        request: AskRequest,
    } -> Answered
        = |studio, it| studio.ask(&it.project, &it.request).await;

    /// A story's graph, or what a pattern finds in it.
    Read Get "/projects/{project}/graph"
    ReadGraph as "read_graph" {
        /// The project.
        project: String,
        /// What is drawn.
        #[serde(flatten)]
        request: GraphRequest,
    } -> GraphView
        = |studio, it| studio.story_graph(&it.project, &it.request).await;

    /// How many passages of a project have a vector of the embedder in the settings.
    Read Get "/projects/{project}/index"
    ReadIndex as "read_index" {
        /// The project.
        project: String,
    } -> Embedded
        = |studio, it| studio.embedded(&it.project).await;

    /// Makes the vectors that are missing, or the whole index anew.
    Write Post "/projects/{project}/index"
    BuildIndex as "build_index" {
        /// The project.
        project: String,
        /// Whether the whole index is made anew.
        #[serde(default)]
        rebuild: bool,
    } -> Embedded
        = |studio, it| match it.rebuild {
            true => studio.rebuild_index(&it.project, |_| ()).await,
            false => studio.embed(&it.project, |_| ()).await,
        };
}
