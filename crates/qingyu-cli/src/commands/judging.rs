//! A model's judgement on top of what was computed, for `analyze` and `review`.

use qingyu_studio::agents::service::Given;
use qingyu_studio::agents::{Task, TaskOptions, Writes};
use qingyu_studio::operations::Start;
use qingyu_studio::{Outcome, TaskRequest};
use serde::Serialize;
use serde_json::{Value, json};
use toml::Table;

use super::create::assign_all;
use crate::args::Judging;
use crate::desk::Desk;
use crate::error::{Error, Exit};
use crate::render::judgement;
use crate::render::page::Page;
use crate::screen::Screen;
use crate::watch;

/// What is to be judged.
pub(super) struct Wanted {
    /// The agent that judges.
    pub(super) agent: &'static str,
    /// The key of the words that the run is found by.
    pub(super) described: &'static str,
    pub(super) project: String,
    /// The document.
    pub(super) chapter: Option<String>,
    pub(super) context: Given,
}

/// What the run of a judgement came to.
pub(super) struct Judged {
    outcome: Outcome,
    pub(super) exit: Exit,
}

/// What was computed, and beside it the judgement.
#[derive(Serialize)]
struct Document<'d, T> {
    #[serde(flatten)]
    computed: &'d T,
    judgement: Value,
}

/// Has an agent judge a chapter, and follows its run to the end.
pub(super) async fn judged(desk: &Desk, screen: &Screen, wanted: Wanted, judging: &Judging) -> Result<Judged, Error> {
    let Wanted { agent, described, project, chapter, context } = wanted;
    let mut overrides = Table::new();
    assign_all(&mut overrides, &judging.set)?;
    let task = Task { agent: Some(agent.into()), chapter, context, ..Task::new("", screen.texts().get(described)) };
    let options = TaskOptions { writes: Writes::Never, ..TaskOptions::default() };
    let request = TaskRequest { project, task, options, model: judging.model.clone(), overrides };
    let handle = desk.start(Start::Task(Box::new(request))).await?;
    let (outcome, _, exit) = watch::outcome(screen, desk, handle, &judging.watch).await?;
    Ok(Judged { outcome, exit })
}

impl Judged {
    /// Tells what was computed and then what was judged; where events are told, those are all.
    pub(super) fn show<T: Serialize>(
        &self,
        screen: &Screen,
        computed: &T,
        draw: impl FnOnce(&mut Page<'_>),
        draw_judgement: impl FnOnce(&mut Page<'_>, &Value),
        judging: &Judging,
    ) -> Result<(), Error> {
        if !screen.json() {
            watch::failures(screen, &self.outcome);
        }
        if judging.watch.events {
            return Ok(());
        }
        let data = self.data();
        let document = Document { computed, judgement: self.document(&data) };
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

    /// What the agent found out; null if it did not come so far.
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
