//! The request handlers.

use std::collections::BTreeMap;
use std::sync::Arc;

use qingyu_studio::workers::off_workers;
use qingyu_tools::toolbox::ToolFilter;
use qingyu_tools::workspace::LoadedStory;
use qingyu_tools::{ToolError, Workspace};
use rmcp::model::{
    CallToolRequestParams, CallToolResponse, CancelTaskParams, ErrorData, GetPromptRequestParams, GetPromptResponse,
    GetPromptResult, GetTaskParams, GetTaskResult, Implementation, JsonObject, ListPromptsResult,
    ListResourceTemplatesResult, ListResourcesResult, ListToolsResult, PaginatedRequestParams,
    ReadResourceRequestParams, ReadResourceResponse, ReadResourceResult, ServerCapabilities, ServerConfig, Tool,
    UpdateTaskParams,
};
use rmcp::service::RequestContext;
use rmcp::{RoleServer, ServerHandler};
use serde_json::{Value, json};

use super::resources::{self, ResourceAddress};
use super::runs::waiting::may_change;
use super::runs::{McpRuns, failed};
use super::{McpService, texts, to_wire};

/// Number of resources per page.
const PAGE: usize = 200;

type HandlerResult<T> = Result<T, ErrorData>;

impl ServerHandler for McpService {
    fn get_info(&self) -> ServerConfig {
        let language = self.caller.language;
        let capabilities = ServerCapabilities::builder().enable_tools().enable_resources().enable_prompts();
        let capabilities = match &self.runs {
            Some(_) => capabilities.enable_tasks().build(),
            None => capabilities.build(),
        };
        let ourselves =
            Implementation::new("qingyu", env!("CARGO_PKG_VERSION")).with_title(texts::text(language, "title"));
        let of_runs = self.runs.as_ref().map_or("", |_| texts::text(language, "instructions.runs"));
        ServerConfig::new(capabilities)
            .with_server_info(ourselves)
            .with_instructions(format!("{}{of_runs}", texts::text(language, "instructions")))
    }

    async fn list_tools(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> HandlerResult<ListToolsResult> {
        Ok(ListToolsResult::with_all_items(self.tools()))
    }

    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        context: RequestContext<RoleServer>,
    ) -> HandlerResult<CallToolResponse> {
        off_workers(self.call(request, &context)).await
    }

    async fn list_resources(
        &self,
        request: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> HandlerResult<ListResourcesResult> {
        let cursor = request.and_then(|request| request.cursor);
        let start: usize = match cursor.as_deref().map(str::parse) {
            None => 0,
            Some(Ok(start)) => start,
            Some(Err(_)) => return Err(ErrorData::invalid_params("the cursor is none of ours", None)),
        };
        let all = match self.load(self.project.as_deref()).await {
            Ok((workspace, loaded)) => resources::list(workspace.project(), &loaded.story, self.caller.language),
            Err(_) if self.project.is_some() => return Ok(ListResourcesResult::default()),
            // With several projects and no default, the stories; the templates explain how to name their pieces.
            Err(_) => {
                let projects = self.engine.workspaces().list().await.unwrap_or_default();
                resources::of_projects(&projects, self.caller.language)
            }
        };
        let more = (start.saturating_add(PAGE) < all.len()).then(|| (start + PAGE).to_string());
        let page = all.into_iter().skip(start).take(PAGE).collect();
        Ok(ListResourcesResult { next_cursor: more, ..ListResourcesResult::with_all_items(page) })
    }

    async fn list_resource_templates(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> HandlerResult<ListResourceTemplatesResult> {
        Ok(ListResourceTemplatesResult::with_all_items(resources::templates(self.caller.language)))
    }

    async fn read_resource(
        &self,
        request: ReadResourceRequestParams,
        _: RequestContext<RoleServer>,
    ) -> HandlerResult<ReadResourceResponse> {
        let missing = |error: resources::ResourceError| {
            let data = Some(json!({"code": "not_found", "uri": request.uri}));
            match error {
                resources::ResourceError::NotFound => ErrorData::resource_not_found(error.to_string(), data),
                resources::ResourceError::TooLarge { .. } => {
                    ErrorData::invalid_params(error.to_string(), Some(json!({"code": "too_large"})))
                }
            }
        };
        let address =
            ResourceAddress::parse(&request.uri).ok_or_else(|| missing(resources::ResourceError::NotFound))?;
        let (workspace, loaded) = self.load(Some(&address.project)).await?;
        let checks = workspace.checks().await.map_err(|error| to_wire::no_project(&error))?;
        // Checking a long book is CPU-bound and needs a blocking thread.
        let reading = tokio::task::spawn_blocking(move || resources::read(&address, &loaded, &checks));
        let contents = reading.await.map_err(|error| ErrorData::internal_error(error.to_string(), None))?;
        Ok(ReadResourceResult::new(vec![contents.map_err(missing)?]).into())
    }

    async fn list_prompts(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> HandlerResult<ListPromptsResult> {
        let language = self.caller.language;
        let prompts = self.prompts.list();
        Ok(ListPromptsResult::with_all_items(prompts.iter().map(|prompt| to_wire::prompt(prompt, language)).collect()))
    }

    async fn get_prompt(
        &self,
        request: GetPromptRequestParams,
        _: RequestContext<RoleServer>,
    ) -> HandlerResult<GetPromptResponse> {
        let language = self.caller.language;
        let wrong = |message: String| ErrorData::invalid_params(message, Some(json!({"code": "invalid_arguments"})));
        let known = self.prompts.list().into_iter().find(|prompt| prompt.name == request.name);
        let prompt = known.ok_or_else(|| wrong(format!("there is no prompt '{}'", request.name)))?;
        let mut arguments = words(request.arguments.unwrap_or_default()).map_err(wrong)?;
        let project = arguments.remove("project").or_else(|| self.project.clone());
        for argument in prompt.arguments.iter().filter(|argument| argument.is_needed) {
            if arguments.get(&argument.name).is_none_or(|value| value.trim().is_empty()) {
                return Err(wrong(format!("the argument '{}' is needed", argument.name)));
            }
        }
        arguments.retain(|name, _| prompt.arguments.iter().any(|argument| argument.name == *name));
        let (_, loaded) = self.load(project.as_deref()).await?;
        let text = self.prompts.fill(&prompt.name, &arguments, &loaded.story, language);
        let text = text.ok_or_else(|| wrong(format!("there is no prompt '{}'", prompt.name)))?.map_err(wrong)?;
        let result = GetPromptResult::new(vec![to_wire::message(text)]);
        Ok(result.with_description(prompt.description.of(language)).into())
    }

    async fn get_task(
        &self,
        request: GetTaskParams,
        context: RequestContext<RoleServer>,
    ) -> HandlerResult<GetTaskResult> {
        let task = self.runs()?.task(&request.task_id).await?;
        let can = context.client_capabilities().unwrap_or_default();
        Ok(GetTaskResult::new(task.detailed(&can, self.caller.language)))
    }

    async fn update_task(&self, request: UpdateTaskParams, _: RequestContext<RoleServer>) -> HandlerResult<()> {
        may_change(&self.caller)?;
        let runs = self.runs()?;
        // Answers to unknown or closed questions are ignored.
        let task = runs.task(&request.task_id).await?;
        match task.answer(&request.input_responses) {
            Some(answer) => {
                runs.studio.answer(task.outcome(), answer).await.map(|_| ()).map_err(|error| refused(&error))
            }
            None => Ok(()),
        }
    }

    async fn cancel_task(&self, request: CancelTaskParams, _: RequestContext<RoleServer>) -> HandlerResult<()> {
        may_change(&self.caller)?;
        let runs = self.runs()?;
        let task = runs.task(&request.task_id).await?;
        runs.studio.cancel(&task.outcome().run).await.map(|_| ()).map_err(|error| refused(&error))
    }
}

impl McpService {
    fn tools(&self) -> Vec<Tool> {
        let caller = &self.caller;
        let allowed = ToolFilter { allowance: Some(caller.allowance), ..ToolFilter::default() };
        let tools = self.engine.toolbox().list(allowed).filter(|metadata| caller.may_use(&metadata.name));
        tools.map(|metadata| to_wire::tool(metadata, caller)).collect()
    }

    fn runs(&self) -> HandlerResult<&McpRuns> {
        self.runs.as_ref().ok_or_else(|| ErrorData::invalid_params("there are no tasks here", None))
    }

    async fn load(&self, project: Option<&str>) -> HandlerResult<(Arc<dyn Workspace>, LoadedStory)> {
        let failed = |error| to_wire::no_project(&error);
        let workspace: Arc<dyn Workspace> = self.engine.workspaces().open(project).await.map_err(failed)?;
        let loaded = workspace.load().await.map_err(failed)?;
        Ok((workspace, loaded))
    }
}

fn refused(error: &qingyu_studio::Error) -> ErrorData {
    let error = failed(error);
    ErrorData::invalid_params(error.to_string(), Some(error.to_json()))
}

/// Returns the arguments of a prompt, which must be strings.
fn words(arguments: JsonObject) -> Result<BTreeMap<String, String>, String> {
    let word = |(name, value): (String, Value)| match value {
        Value::String(word) => Ok((name, word)),
        Value::Number(_) | Value::Bool(_) => Ok((name, value.to_string())),
        Value::Null => Ok((name, String::new())),
        _ => Err(ToolError::invalid(&format!("/{name}"), "a word").to_string()),
    };
    arguments.into_iter().map(word).collect()
}
