//! The gRPC binding.

use std::sync::Arc;

use a2a::{A2AError, ListTasksRequest};
use a2a_pb::pbconv;
use a2a_pb::proto::{self, a2a_service_server::A2aService};
use futures::StreamExt;
use futures::stream::BoxStream;
use qingyu_studio::Studio;
use tonic::{Request, Response, Status};

use crate::agent::{A2aAgent, TaskUpdateStream};
use crate::door::A2aState;
use crate::error::{UNAUTHENTICATED, grpc_status};
use crate::parameters::check_version;

/// The eleven operations as a gRPC service. The caller's studio is in the extensions of each request.
#[derive(Debug, Clone)]
pub struct A2aGrpcService {
    pub(crate) door: Arc<A2aState>,
}

type GrpcUpdateStream = BoxStream<'static, Result<proto::StreamResponse, Status>>;

impl A2aGrpcService {
    fn agent<T>(&self, request: &Request<T>) -> Result<A2aAgent, A2AError> {
        let studio = request.extensions().get::<Studio>().cloned();
        let studio = studio.ok_or_else(|| A2AError::new(UNAUTHENTICATED, "this needs a key"))?;
        let version = request.metadata().get("a2a-version").and_then(|version| version.to_str().ok());
        check_version(version)?;
        Ok(A2aAgent { studio, door: Arc::clone(&self.door) })
    }
}

fn sent(updates: TaskUpdateStream) -> GrpcUpdateStream {
    let update = |update: Result<_, A2AError>| match update {
        Ok(update) => Ok(pbconv::to_proto_stream_response(&update)),
        Err(error) => Err(grpc_status(&error)),
    };
    updates.map(update).boxed()
}

/// Returns a request for a list, with its page size as given: the library takes the default for one below 1.
fn listed(request: &proto::ListTasksRequest) -> ListTasksRequest {
    ListTasksRequest { page_size: request.page_size, ..pbconv::from_proto_list_tasks_request(request) }
}

/// Parses the request, calls the agent and serializes the response.
macro_rules! operation {
    ($self:ident, $request:ident, $read:path, $call:ident, $write:path) => {{
        let answered = async { $self.agent(&$request)?.$call($read($request.get_ref())).await };
        let answer = answered.await.map_err(|error| grpc_status(&error))?;
        Ok(Response::new($write(answer)))
    }};
}

#[tonic::async_trait]
impl A2aService for A2aGrpcService {
    type SendStreamingMessageStream = GrpcUpdateStream;
    type SubscribeToTaskStream = GrpcUpdateStream;

    async fn send_message(
        &self,
        request: Request<proto::SendMessageRequest>,
    ) -> Result<Response<proto::SendMessageResponse>, Status> {
        let write = |answer| pbconv::to_proto_send_message_response(&answer);
        operation!(self, request, pbconv::from_proto_send_message_request, send_message, write)
    }

    async fn send_streaming_message(
        &self,
        request: Request<proto::SendMessageRequest>,
    ) -> Result<Response<GrpcUpdateStream>, Status> {
        operation!(self, request, pbconv::from_proto_send_message_request, send_streaming_message, sent)
    }

    async fn get_task(&self, request: Request<proto::GetTaskRequest>) -> Result<Response<proto::Task>, Status> {
        let write = |answer| pbconv::to_proto_task(&answer);
        operation!(self, request, pbconv::from_proto_get_task_request, get_task, write)
    }

    async fn list_tasks(
        &self,
        request: Request<proto::ListTasksRequest>,
    ) -> Result<Response<proto::ListTasksResponse>, Status> {
        let write = |answer| pbconv::to_proto_list_tasks_response(&answer);
        operation!(self, request, listed, list_tasks, write)
    }

    async fn cancel_task(&self, request: Request<proto::CancelTaskRequest>) -> Result<Response<proto::Task>, Status> {
        let write = |answer| pbconv::to_proto_task(&answer);
        operation!(self, request, pbconv::from_proto_cancel_task_request, cancel_task, write)
    }

    async fn subscribe_to_task(
        &self,
        request: Request<proto::SubscribeToTaskRequest>,
    ) -> Result<Response<GrpcUpdateStream>, Status> {
        operation!(self, request, pbconv::from_proto_subscribe_to_task_request, subscribe_to_task, sent)
    }

    async fn create_task_push_notification_config(
        &self,
        request: Request<proto::TaskPushNotificationConfig>,
    ) -> Result<Response<proto::TaskPushNotificationConfig>, Status> {
        let read = pbconv::from_proto_create_task_push_notification_config_request;
        let write = |answer| pbconv::to_proto_task_push_notification_config(&answer);
        operation!(self, request, read, create_push_config, write)
    }

    async fn get_task_push_notification_config(
        &self,
        request: Request<proto::GetTaskPushNotificationConfigRequest>,
    ) -> Result<Response<proto::TaskPushNotificationConfig>, Status> {
        let read = pbconv::from_proto_get_task_push_notification_config_request;
        let write = |answer| pbconv::to_proto_task_push_notification_config(&answer);
        operation!(self, request, read, get_push_config, write)
    }

    async fn list_task_push_notification_configs(
        &self,
        request: Request<proto::ListTaskPushNotificationConfigsRequest>,
    ) -> Result<Response<proto::ListTaskPushNotificationConfigsResponse>, Status> {
        let read = pbconv::from_proto_list_task_push_notification_configs_request;
        let write = |answer| pbconv::to_proto_list_task_push_notification_configs_response(&answer);
        operation!(self, request, read, list_push_configs, write)
    }

    async fn get_extended_agent_card(
        &self,
        request: Request<proto::GetExtendedAgentCardRequest>,
    ) -> Result<Response<proto::AgentCard>, Status> {
        let base = self.door.options.public_url.clone().unwrap_or_else(|| "http://localhost".into());
        let answered = async { self.agent(&request)?.extended_card(&base).await };
        let card = answered.await.map_err(|error| grpc_status(&error))?;
        Ok(Response::new(pbconv::to_proto_agent_card(&card)))
    }

    async fn delete_task_push_notification_config(
        &self,
        request: Request<proto::DeleteTaskPushNotificationConfigRequest>,
    ) -> Result<Response<()>, Status> {
        let read = pbconv::from_proto_delete_task_push_notification_config_request;
        operation!(self, request, read, delete_push_config, std::convert::identity)
    }
}
