//! Search, answers and checks of a project.

use qingyu_studio::SearchRequest as Searching;
use qingyu_studio::operations::{AskProject, CheckStory, SearchProject};
use tonic::{Request, Response, Status};

use crate::proto::knowledge_service_server::KnowledgeService;
use crate::proto::*;
use crate::{status, to_wire};

/// The service of a project's knowledge.
#[derive(Debug, Clone)]
pub(crate) struct KnowledgeRpc;

#[tonic::async_trait]
impl KnowledgeService for KnowledgeRpc {
    async fn ask(&self, request: Request<AskRequest>) -> Result<Response<AskResponse>, Status> {
        let studio = status::studio(&request)?;
        let AskRequest { project, question, before, budget, series } = request.into_inner();
        let asked = AskProject {
            project,
            request: qingyu_studio::AskRequest { question, before: before.map(Into::into), budget, series },
        };
        let answered = studio.call(asked).await.map_err(|error| status::of(&error))?;
        Ok(Response::new(to_wire::answered(&answered)))
    }

    async fn search(&self, request: Request<SearchRequest>) -> Result<Response<SearchResponse>, Status> {
        let studio = status::studio(&request)?;
        let SearchRequest { project, text, kinds, condition, before, at, limit, rerank, series } = request.into_inner();
        let usual = Searching::new(&text);
        let limit = limit.map_or(usual.limit, |limit| limit as usize);
        let (before, at) = (before.map(Into::into), at.map(Into::into));
        let request = Searching { kinds, condition, before, at, limit, rerank, series, ..usual };
        let asked = SearchProject { project, request };
        let searched = studio.call(asked).await.map_err(|error| status::of(&error))?;
        Ok(Response::new(to_wire::searched(searched)))
    }

    async fn check(&self, request: Request<CheckRequest>) -> Result<Response<CheckResponse>, Status> {
        let studio = status::studio(&request)?;
        let CheckRequest { project, only } = request.into_inner();
        let checkup = studio.call(CheckStory { project, only }).await.map_err(|error| status::of(&error))?;
        Ok(Response::new(to_wire::checkup(&checkup)))
    }
}
