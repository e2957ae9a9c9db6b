//! Messages: starting work, answering questions, and immediate replies.

use a2a::{
    A2AError, Message, Part, Role, SendMessageConfiguration, SendMessageRequest, SendMessageResponse, StreamResponse,
};
use futures::StreamExt;
use jiff::Timestamp;
use qingyu_studio::{AskRequest, Error, ReviewOptions, Right, RunHandle, TellRequest};
use serde_json::json;

use super::{A2aAgent, TaskUpdateStream, kept, length};
use crate::error::{invalid, of_studio};
use crate::notes::{ClientMessage, TaskNote};
use crate::question;
use crate::texts::{filled, text};
use crate::wish::{MessageContent, StudioWork};

/// The result of a message.
enum MessageOutcome {
    /// A run is working; new updates follow the event `after`.
    Run { run: String, after: u64 },
    /// An immediate reply.
    Message(Box<Message>),
}

impl A2aAgent {
    pub(crate) async fn send_message(&self, request: SendMessageRequest) -> Result<SendMessageResponse, A2AError> {
        let wanted = request.configuration.as_ref();
        let history = length(wanted.and_then(|wanted| wanted.history_length))?;
        let is_awaited = wanted.and_then(|wanted| wanted.return_immediately) != Some(true);
        match self.begin(request).await? {
            MessageOutcome::Message(message) => Ok(SendMessageResponse::Message(*message)),
            MessageOutcome::Run { run, after } => {
                if is_awaited {
                    self.end_of(&run, after).await?;
                }
                let stand = self.stand(&run, None).await?;
                Ok(SendMessageResponse::Task(self.whole(&stand, history).await))
            }
        }
    }

    pub(crate) async fn send_streaming_message(
        &self,
        request: SendMessageRequest,
    ) -> Result<TaskUpdateStream, A2AError> {
        let history = length(request.configuration.as_ref().and_then(|wanted| wanted.history_length))?;
        match self.begin(request).await? {
            MessageOutcome::Message(message) => {
                Ok(futures::stream::once(async move { Ok(StreamResponse::Message(*message)) }).boxed())
            }
            MessageOutcome::Run { run, after } => {
                let mut stand = self.stand(&run, None).await?;
                // The task as of the resume; later events follow as updates.
                stand.log.retain(|event| event.seq <= after);
                let mut task = stand.task(history, None);
                task.status.state = a2a::TaskState::Submitted;
                task.status.message = None;
                let first = futures::stream::once(async move { Ok(StreamResponse::Task(task)) });
                Ok(first.chain(self.follow(&stand, after)).boxed())
            }
        }
    }

    async fn begin(&self, request: SendMessageRequest) -> Result<MessageOutcome, A2AError> {
        self.demand(Right::Write)?;
        let SendMessageRequest { message, configuration, tenant, .. } = request;
        #[cfg(feature = "conformance")]
        let message = crate::conformance::staged(message);
        let wish = MessageContent::read(&message)?;
        if let Some(configuration) = &configuration {
            refuse_modes(configuration)?;
        }
        let webhook = configuration.and_then(|wanted| wanted.task_push_notification_config);
        if let Some(webhook) = &webhook {
            self.check_webhook(webhook).await?;
        }
        let begun = match message.task_id.clone().filter(|task| !task.is_empty()) {
            Some(task) => self.answer(&task, tenant.as_deref(), wish, message).await?,
            None => self.start(tenant.as_deref(), wish, message).await?,
        };
        if let MessageOutcome::Run { run, after } = &begun {
            if let Some(webhook) = webhook {
                self.keep_webhook(run, webhook, *after).await?;
            }
            self.notify(run).await?;
        }
        Ok(begun)
    }

    /// Answers the question of a waiting task.
    async fn answer(
        &self,
        task: &str,
        tenant: Option<&str>,
        wish: MessageContent,
        message: Message,
    ) -> Result<MessageOutcome, A2AError> {
        let stand = self.stand(task, tenant).await?;
        if message.context_id.as_deref().is_some_and(|context| !context.is_empty() && context != stand.context()) {
            return Err(invalid(format!("task {task} belongs to another context")));
        }
        let state = stand.state();
        let Some(question) = stand.outcome.question.as_ref().filter(|_| state == a2a::TaskState::InputRequired) else {
            let why = if state.is_terminal() { "has ended" } else { "works and takes no message now" };
            return Err(A2AError::unsupported_operation(format!("task {task} {why}")));
        };
        let answer = question::answer(question, wish)?;
        let run = self.studio.answer(&stand.outcome, answer).await.map_err(|error| of_studio(&error))?;
        self.remember(&run, stand.context(), message).await?;
        Ok(MessageOutcome::Run { run: task.to_owned(), after: stand.last() })
    }

    /// Starts a task from a message without a task, unless answered at once.
    async fn start(
        &self,
        tenant: Option<&str>,
        wish: MessageContent,
        message: Message,
    ) -> Result<MessageOutcome, A2AError> {
        let context = message.context_id.clone().filter(|context| !context.is_empty());
        let project = self.project_of(tenant, context.as_deref(), wish.project.as_deref()).await?;
        let bad = |error: Error| of_studio(&error);
        let run = match wish.work(project)? {
            StudioWork::Review { project, chapter, title, text, how } => {
                let parts = self.reviewed(project, chapter.as_deref(), &title, &text, &how).await.map_err(bad)?;
                return Ok(MessageOutcome::Message(Box::new(reply(parts, context))));
            }
            StudioWork::Ask { project, question } => {
                let parts = self.answered(&project, &question).await.map_err(bad)?;
                return Ok(MessageOutcome::Message(Box::new(reply(parts, Some(context.unwrap_or(project))))));
            }
            StudioWork::Create(request) => self.studio.create(request).await,
            StudioWork::Write(request) => self.studio.write(request).await,
            StudioWork::Task(request) => self.studio.task(*request).await,
            StudioWork::Produce(request) => self.studio.produce(request).await,
            StudioWork::Tell { project, order, model, overrides } => {
                self.studio.tell(TellRequest { project, order, model, overrides }).await
            }
        };
        let run = run.map_err(bad)?;
        let context = context.unwrap_or_else(|| run.project().to_owned());
        self.remember(&run, &context, message).await?;
        Ok(MessageOutcome::Run { run: run.run().to_owned(), after: 0 })
    }

    /// Returns the selected project: from the tenant, the data or the context, which must agree.
    async fn project_of(
        &self,
        tenant: Option<&str>,
        context: Option<&str>,
        named: Option<&str>,
    ) -> Result<Option<String>, A2AError> {
        let mut meant: Option<String> = None;
        for given in [tenant, named].into_iter().flatten().filter(|given| !given.is_empty()) {
            let project = self.studio.project(given).await.map_err(|error| of_studio(&error))?.project;
            if meant.replace(project.clone()).is_some_and(|other| other != project) {
                return Err(invalid("the tenant is one project, the data name another"));
            }
        }
        if let (None, Some(context)) = (&meant, context) {
            let known = self
                .door
                .notes()
                .project_of(self.studio.scope().user(), context)
                .await
                .map_err(|error| kept(&error))?;
            let given = known.as_deref().unwrap_or(context);
            // A context unknown as a project is the client's own name.
            let project = self.studio.project(given).await.ok().map(|project| project.project);
            meant = project.filter(|project| project == given);
        }
        Ok(meant)
    }

    async fn remember(&self, run: &RunHandle, context: &str, message: Message) -> Result<(), A2AError> {
        let mut message = message;
        (message.task_id, message.context_id) = (Some(run.run().to_owned()), Some(context.to_owned()));
        let said = ClientMessage { at: Timestamp::now(), message };
        let project = run.project().to_owned();
        let change = |note: &mut TaskNote| {
            (note.project, note.context, note.canceled) = (project, context.to_owned(), None);
            note.said.push(said);
        };
        self.change(run.run(), Box::new(change)).await.map(drop)
    }

    async fn reviewed(
        &self,
        project: Option<String>,
        chapter: Option<&str>,
        title: &str,
        words: &str,
        how: &ReviewOptions,
    ) -> Result<Vec<Part>, Error> {
        let (reviews, analysed) = match project {
            Some(project) if words.trim().is_empty() || chapter.is_some() => {
                let reviews = self.studio.review(&project, chapter, how).await?;
                (reviews, self.studio.analyze(&project, chapter).await?)
            }
            _ if words.trim().is_empty() => return Err(Error::NoText { given: title.to_owned() }),
            _ => (self.studio.review_text(title, words, how)?, self.studio.analyze_text(title, words)?),
        };
        let length: usize = reviews.reviews.iter().map(|reviewed| reviewed.review.length).sum();
        let verdict = serde_json::to_value(reviews.verdict).unwrap_or_default();
        let slots = [("verdict", verdict.as_str().unwrap_or_default()), ("length", &length.to_string())];
        let said = filled(how.language, "review.verdict", &slots);
        Ok(vec![Part::text(said), Part::data(json!({"review": reviews, "analysis": analysed}))])
    }

    async fn answered(&self, project: &str, question: &AskRequest) -> Result<Vec<Part>, Error> {
        let answered = self.studio.ask(project, question).await?;
        let language = qingyu_studio::story::Language::of(&question.question);
        let words = if answered.answer.is_empty() { text(language, "answer.none") } else { &answered.answer };
        Ok(vec![Part::text(words), Part::data(json!({"answered": answered}))])
    }
}

fn reply(parts: Vec<Part>, context: Option<String>) -> Message {
    Message { context_id: Some(context.unwrap_or_else(a2a::new_context_id)), ..Message::new(Role::Agent, parts) }
}

/// Rejects clients accepting neither text nor JSON.
fn refuse_modes(configuration: &SendMessageConfiguration) -> Result<(), A2AError> {
    let given = configuration.accepted_output_modes.as_deref().unwrap_or_default();
    let takes = |mode: &String| matches!(mode.as_str(), "text/plain" | "text" | "text/*" | "application/json" | "*/*");
    if given.is_empty() || given.iter().any(takes) { Ok(()) } else { Err(A2AError::content_type_not_supported()) }
}
