//! Listing and reading of projects.

use qingyu_studio::ProjectStatus;
use qingyu_studio::operations::{FindProject, ListProjects, ShowProject};
use tonic::{Request, Response, Status};

use crate::proto::project_service_server::ProjectService;
use crate::proto::*;
use crate::{status, to_wire, value};

/// The service of projects.
#[derive(Debug, Clone)]
pub(crate) struct ProjectsRpc;

#[tonic::async_trait]
impl ProjectService for ProjectsRpc {
    async fn list_projects(
        &self,
        request: Request<ListProjectsRequest>,
    ) -> Result<Response<ListProjectsResponse>, Status> {
        let studio = status::studio(&request)?;
        let rows =
            studio.call(ListProjects { status: ProjectStatus::Active }).await.map_err(|error| status::of(&error))?;
        Ok(Response::new(ListProjectsResponse { projects: rows.into_iter().map(to_wire::project).collect() }))
    }

    async fn get_project(&self, request: Request<GetProjectRequest>) -> Result<Response<GetProjectResponse>, Status> {
        let studio = status::studio(&request)?;
        let asked = FindProject { project: request.into_inner().project };
        let row = studio.call(asked).await.map_err(|error| status::of(&error))?;
        Ok(Response::new(GetProjectResponse { project: Some(to_wire::project(row)) }))
    }

    async fn show_project(
        &self,
        request: Request<ShowProjectRequest>,
    ) -> Result<Response<ShowProjectResponse>, Status> {
        let studio = status::studio(&request)?;
        let asked = ShowProject { project: request.into_inner().project };
        let view = studio.call(asked).await.map_err(|error| status::of(&error))?;
        Ok(Response::new(ShowProjectResponse { view: Some(value::document(&view)) }))
    }
}
