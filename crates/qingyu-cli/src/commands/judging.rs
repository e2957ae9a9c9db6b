//! A model's judgement added to the computed results of `analyze` and `review`.

use qingyu_studio::agents::service::Given;
use qingyu_studio::agents::{Task, TaskOptions, Writes};
use qingyu_studio::operations::StartRequest;
use qingyu_studio::{Outcome, TaskRequest};
use serde::Serialize;
use serde_json::{Value, json};
use toml::Table;

use super::create::assign_all;
use super::tasks::book_texts;
use crate::args::JudgeArgs;
use crate::desk::Desk;
use crate::error::{Error, Exit};
use crate::render::judgement;
use crate::render::page::TextPage;
use crate::screen::Screen;
use crate::watch;

/// A request for a judgement.
pub(super) struct JudgementRequest {
    /// The judging agent.
    pub(super) agent: &'static str,
    /// The text key of the task description, shown in the list of runs.
    pub(super) described: &'static str,
    pub(super) project: String,
    /// The chapter to judge.
    pub(super) chapter: Option<String>,
    pub(super) context: Given,
}

/// The finished run of a judgement.
pub(super) struct JudgementRun {
    outcome: Outcome,
    pub(super) exit: Exit,
}

/// A JSON document of the computed results and the judgement.
#[derive(Serialize)]
struct JudgedDocument<'d, T> {
    #[serde(flatten)]
    computed: &'d T,
    judgement: Value,
}

/// Starts the judgement of a chapter by an agent, and follows the run to its end.
pub(super) async fn judged(
    desk: &Desk,
    screen: &Screen,
    wanted: JudgementRequest,
    judging: &JudgeArgs,
) -> Result<JudgementRun, Error> {
    let JudgementRequest { agent, described, project, chapter, context } = wanted;
    let mut overrides = Table::new();
    assign_all(&mut overrides, &judging.set)?;
    let described = book_texts(desk, &project).await?.get(described);
    let task = Task { agent: Some(agent.into()), chapter, context, ..Task::new("", described) };
    let options = TaskOptions { writes: Writes::Never, ..TaskOptions::default() };
    let request = TaskRequest { project, task, options, model: judging.model.clone(), overrides };
    let handle = desk.start(StartRequest::Task(Box::new(request))).await?;
    let (outcome, _, exit) = watch::outcome(screen, desk, handle, &judging.watch).await?;
    Ok(JudgementRun { outcome, exit })
}

impl JudgementRun {
    /// Prints the computed results and then the judgement; prints nothing if events were printed.
    pub(super) fn show<T: Serialize>(
        &self,
        screen: &Screen,
        computed: &T,
        draw: impl FnOnce(&mut TextPage<'_>),
        draw_judgement: impl FnOnce(&mut TextPage<'_>, &Value),
        judging: &JudgeArgs,
    ) -> Result<(), Error> {
        if !screen.json() {
            watch::failures(screen, &self.outcome);
        }
        if judging.watch.events {
            return Ok(());
        }
        let data = self.data();
        let document = JudgedDocument { computed, judgement: self.document(&data) };
        screen.show(&document, |page| {
            draw(page);
            judgement::heading(page);
            match &data {
                Value::Null => judgement::none(page),
                data => draw_judgement(page, data),
            }
            judgement::ending(page, &self.outcome);
        })
    }

    /// Returns the agent's data; null if the run ended early.
    fn data(&self) -> Value {
        let made = self.outcome.task_made();
        let result = made.and_then(|made| made.results.values().find_map(|ended| ended.result.as_ref()));
        result.map(|result| result.metadata.data.clone()).unwrap_or_default()
    }

    fn document(&self, data: &Value) -> Value {
        let outcome = &self.outcome;
        json!({
            "run": outcome.run,
            "status": outcome.status,
            "judgement": data.get("judgement"),
            "doubts": data.get("doubts"),
            "confidence": outcome.task_made().map(|made| made.confidence),
            "warnings": outcome.warnings,
            "errors": outcome.errors,
            "usage": outcome.usage,
            "resume": outcome.resume_command(),
        })
    }
}
