//! Fixtures of the protocol's conformance suite, under the names required by the suite.
//!
//! Constant responses are data, in `fixtures/fixtures.json`; the code implements the rest. The fixtures are served through
//! [`http`](qingyu_server::mcp::http) like the real tools, so that the suite also tests the production transport.

#![expect(deprecated, reason = "the suite tries sampling, roots and logging, which older clients still have")]

mod data;
mod rounds;
mod tasks;
mod tools;

use std::sync::Arc;

use rmcp::model::{
    CallToolRequestParams, CallToolResponse, CancelTaskParams, CompleteRequestParams, CompleteResult, CompletionInfo,
    ErrorData, GetPromptRequestParams, GetPromptResponse, GetTaskParams, GetTaskResult, ListPromptsResult,
    ListResourceTemplatesResult, ListResourcesResult, ListToolsResult, PaginatedRequestParams,
    ReadResourceRequestParams, ReadResourceResponse, ReadResourceResult, ResourceContents, ResourceTemplate,
    ServerCapabilities, ServerConfig, SetLevelRequestParams, SubscribeRequestParams, SubscriptionFilter, Tool,
    UnsubscribeRequestParams, UpdateTaskParams,
};
use rmcp::service::{RequestContext, SubscriptionContext};
use rmcp::task_manager::TaskManager;
use rmcp::{RoleServer, ServerHandler};
use serde_json::json;
use tokio::sync::broadcast;

use data::DATA;
use rounds::{QuestionRounds, Round};

type FixtureResult<T> = Result<T, ErrorData>;

/// The fixtures of the suite. Cheap to clone; all clones share tasks and subscribers.
#[derive(Clone)]
pub(crate) struct Fixtures {
    tasks: TaskManager,
    rounds: Arc<QuestionRounds>,
    changes: broadcast::Sender<FixtureChange>,
}

/// A change announced to subscribers.
#[derive(Debug, Clone, Copy)]
enum FixtureChange {
    Tools,
    Prompts,
}

impl Default for Fixtures {
    fn default() -> Self {
        Self { tasks: TaskManager::new(), rounds: Arc::default(), changes: broadcast::Sender::new(16) }
    }
}

impl ServerHandler for Fixtures {
    fn get_info(&self) -> ServerConfig {
        let capabilities = ServerCapabilities::builder()
            .enable_completions()
            .enable_logging()
            .enable_prompts()
            .enable_prompts_list_changed()
            .enable_resources()
            .enable_resources_subscribe()
            .enable_tools()
            .enable_tool_list_changed()
            .enable_tasks()
            .build();
        ServerConfig::new(capabilities)
    }

    fn get_tool(&self, name: &str) -> Option<Tool> {
        DATA.tools.iter().find(|tool| tool.name == name).cloned()
    }

    async fn list_tools(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> FixtureResult<ListToolsResult> {
        Ok(ListToolsResult::with_all_items(DATA.tools.clone()))
    }

    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        context: RequestContext<RoleServer>,
    ) -> FixtureResult<CallToolResponse> {
        self.call(request, &context).await
    }

    async fn list_prompts(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> FixtureResult<ListPromptsResult> {
        Ok(ListPromptsResult::with_all_items(DATA.prompts.iter().map(|(name, prompt)| prompt.listed(name)).collect()))
    }

    async fn get_prompt(
        &self,
        request: GetPromptRequestParams,
        context: RequestContext<RoleServer>,
    ) -> FixtureResult<GetPromptResponse> {
        let GetPromptRequestParams { name, arguments, input_responses, request_state, .. } = request;
        let unknown = || ErrorData::invalid_params("there is no such prompt", None);
        let prompt = DATA.prompts.get(&name).ok_or_else(unknown)?;
        let mut words = arguments.unwrap_or_default();
        if DATA.rounds.contains_key(&name) {
            let answers = input_responses.unwrap_or_default();
            match self.rounds.next(&name, request_state.as_deref(), &answers, &context)? {
                Round::Ask(question) => return Ok(question.into()),
                Round::Done(given) => words.extend(given),
            }
        }
        Ok(prompt.filled(&words)?.into())
    }

    async fn list_resources(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> FixtureResult<ListResourcesResult> {
        Ok(ListResourcesResult::with_all_items(DATA.resources.iter().map(|(uri, file)| file.listed(uri)).collect()))
    }

    async fn list_resource_templates(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> FixtureResult<ListResourceTemplatesResult> {
        let template = ResourceTemplate::new("test://template/{id}/data", "template")
            .with_description("Data of an id.")
            .with_mime_type("application/json");
        Ok(ListResourceTemplatesResult::with_all_items(vec![template]))
    }

    async fn read_resource(
        &self,
        request: ReadResourceRequestParams,
        _: RequestContext<RoleServer>,
    ) -> FixtureResult<ReadResourceResponse> {
        let uri = request.uri;
        let id = uri.strip_prefix("test://template/").and_then(|rest| rest.strip_suffix("/data"));
        let contents = match (DATA.resources.get(&uri), id) {
            (Some(file), _) => file.contents.clone(),
            (None, Some(id)) => {
                let data = json!({"id": id, "templateTest": true, "data": format!("Data for ID: {id}")});
                ResourceContents::text(data.to_string(), uri).with_mime_type("application/json")
            }
            (None, None) => {
                return Err(ErrorData::resource_not_found("Resource not found", Some(json!({ "uri": uri }))));
            }
        };
        Ok(ReadResourceResult::new(vec![contents]).into())
    }

    async fn complete(
        &self,
        request: CompleteRequestParams,
        _: RequestContext<RoleServer>,
    ) -> FixtureResult<CompleteResult> {
        let begun = request.argument.value;
        let words = ["paris", "park", "party"].into_iter().filter(|word| word.starts_with(&begun));
        let values = CompletionInfo::with_all_values(words.map(str::to_owned).collect());
        Ok(CompleteResult::new(values.map_err(|error| ErrorData::internal_error(error, None))?))
    }

    async fn set_level(&self, _: SetLevelRequestParams, _: RequestContext<RoleServer>) -> FixtureResult<()> {
        Ok(())
    }

    async fn subscribe(&self, _: SubscribeRequestParams, _: RequestContext<RoleServer>) -> FixtureResult<()> {
        Ok(())
    }

    async fn unsubscribe(&self, _: UnsubscribeRequestParams, _: RequestContext<RoleServer>) -> FixtureResult<()> {
        Ok(())
    }

    fn accepted_subscription_filter(&self, requested: &SubscriptionFilter) -> Option<SubscriptionFilter> {
        Some(requested.clone())
    }

    async fn listen(&self, subscription: SubscriptionContext) -> FixtureResult<()> {
        let mut changes = self.changes.subscribe();
        loop {
            let change = tokio::select! {
                change = changes.recv() => change,
                () = subscription.cancelled() => return Ok(()),
            };
            let told = match change {
                Ok(FixtureChange::Tools) => subscription.sink().notify_tool_list_changed().await,
                Ok(FixtureChange::Prompts) => subscription.sink().notify_prompt_list_changed().await,
                Err(broadcast::error::RecvError::Lagged(_)) => continue,
                Err(broadcast::error::RecvError::Closed) => return Ok(()),
            };
            if let Err(error) = told {
                tracing::debug!(%error, "failed to notify a log listener");
            }
        }
    }

    async fn get_task(&self, request: GetTaskParams, _: RequestContext<RoleServer>) -> FixtureResult<GetTaskResult> {
        self.tasks.get_task(&request.task_id).map(GetTaskResult::new)
    }

    async fn update_task(&self, request: UpdateTaskParams, _: RequestContext<RoleServer>) -> FixtureResult<()> {
        self.tasks.update_task(&request.task_id, request.input_responses)
    }

    async fn cancel_task(&self, request: CancelTaskParams, _: RequestContext<RoleServer>) -> FixtureResult<()> {
        self.tasks.cancel_task(&request.task_id)
    }
}
