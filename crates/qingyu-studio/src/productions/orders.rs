//! Orders of tools to a production, each executed by the production's run.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use futures::FutureExt;
use futures::future::BoxFuture;
use qingyu_agents::production as agents;
use qingyu_agents::progress::{FieldStep, Progress};
use qingyu_production::FieldBoard;
use qingyu_store::RunStatus as Kept;
use qingyu_story::production::Field;
use qingyu_tools::ToolError;
use qingyu_tools::content::{ContentOrder, ProducedContent, Producer};
use tokio::sync::OwnedMutexGuard;

use crate::error::{Error, Noun};
use crate::productions::start::TellRequest;
use crate::runs::event::StudioEventKind;
use crate::runs::status::RunStatus;
use crate::studio::Studio;

/// An executor of tools' orders to the productions of a studio.
#[derive(Debug)]
pub(crate) struct ProductionOrders {
    studio: Studio,
    /// A queue for each project with orders.
    queues: Mutex<BTreeMap<String, Arc<Turns>>>,
}

/// Time between two attempts while a run works on the project.
const OFTEN: Duration = Duration::from_millis(500);

/// The turns of a project's orders, one at a time.
type Turns = tokio::sync::Mutex<()>;

impl ProductionOrders {
    pub(crate) fn new(studio: Studio) -> Self {
        Self { studio, queues: Mutex::default() }
    }

    /// Waits for the orders before this one: two concurrent orders would find no active run and start two runs.
    async fn turn(&self, project: &str) -> OwnedMutexGuard<()> {
        let queue = {
            let mut queues = self.queues.lock().unwrap_or_else(PoisonError::into_inner);
            // Removes queues without waiting orders.
            queues.retain(|_, queue| Arc::strong_count(queue) > 1);
            Arc::clone(queues.entry(project.to_owned()).or_default())
        };
        queue.lock_owned().await
    }

    /// Waits until no run works on the project.
    async fn until_idle(&self, project: &str) -> Result<(), Error> {
        while let Some(run) = self.studio.production_run(project).await?.filter(|run| run.status != Kept::Done) {
            if !self.studio.is_worked_on(&run.id).await? {
                break;
            }
            tokio::time::sleep(OFTEN).await;
        }
        Ok(())
    }

    async fn carry_out(&self, project: &str, order: ContentOrder) -> Result<ProducedContent, ToolError> {
        let _turn = self.turn(project).await;
        self.until_idle(project).await.map_err(failed)?;
        let order = match order {
            ContentOrder::Make { path, new, instruction } => {
                if let Some(field) = new {
                    self.create(project, *field).await.map_err(failed)?;
                }
                agents::Order::Make { fields: vec![path], instruction, is_change: false }
            }
            ContentOrder::Research { question, max_sources } => agents::Order::Research { question, max_sources },
            ContentOrder::Simulate { personas, contents, text, interactions } => {
                agents::Order::Simulate { contents, text, interactions, personas }
            }
            ContentOrder::Evaluate { contents, text, criteria } => {
                agents::Order::Evaluate { contents, text, runs: None, criteria }
            }
        };
        self.tell(project, order).await
    }

    /// Inserts a new field after the fields of its phase; an existing field stays. Fails before inserting if the run
    /// cannot take orders.
    async fn create(&self, project: &str, field: Field) -> Result<(), Error> {
        if let Some(run) = self.studio.production_run(project).await?.filter(|run| run.status != Kept::Done) {
            self.studio.refuse_unless_approver(&run)?;
            if self.studio.is_worked_on(&run.id).await? {
                return Err(Error::ThreadBusy { run: run.id });
            }
            if !self.studio.is_asking(&run).await? {
                return Err(Error::RunUnfinished { run: run.id });
            }
        }
        let put = |story: &mut qingyu_story::Story| {
            if FieldBoard::new(&story.fields).get(&field.path).is_none() {
                let of_phase = story.fields.iter().rposition(|known| known.phase == field.phase);
                story.fields.insert(of_phase.map_or(story.fields.len(), |place| place + 1), field);
            }
            Ok(())
        };
        self.studio.change_fields(project, put).await
    }

    async fn tell(&self, project: &str, order: agents::Order) -> Result<ProducedContent, ToolError> {
        let order = Some(order);
        let request = TellRequest { project: project.to_owned(), order, model: None, overrides: toml::Table::new() };
        let mut handle = self.studio.tell(request).await.map_err(failed)?;
        let run = handle.run().to_owned();
        let (mut made, mut why, mut warnings) = (None, None, Vec::new());
        while let Some(event) = handle.next().await {
            match event.kind {
                StudioEventKind::Progress(Progress::Field { path, step: FieldStep::Made { .. }, .. }) => {
                    made = Some(path);
                }
                StudioEventKind::Progress(Progress::Field { step: FieldStep::Failed { message }, .. }) => {
                    why = Some(message);
                }
                StudioEventKind::Progress(Progress::Warning { message }) => warnings.push(message),
                _ => {}
            }
        }
        let outcome = handle.finish().await;
        if let Some(field) = made {
            return Ok(ProducedContent { field, run, warnings });
        }
        let failure = outcome.errors.last().map(|failure| failure.message.clone());
        let told = outcome.content_made().map(|made| made.turn.text.clone());
        let is_over = matches!(outcome.status, RunStatus::Waiting | RunStatus::Done);
        let message = why.or(if is_over { told } else { failure }).unwrap_or_else(|| "nothing was made".into());
        let message = format!("{message} (run {run})");
        Err(ToolError::Failed { code: "not_made".into(), message, retryable: false })
    }
}

impl Producer for ProductionOrders {
    fn order<'a>(&'a self, project: &'a str, order: ContentOrder) -> BoxFuture<'a, Result<ProducedContent, ToolError>> {
        self.carry_out(project, order).boxed()
    }
}

/// Returns the error for a project with another active run. Not retried by the tool engine: a run exceeds the timeout
/// of a call.
fn busy(why: &str) -> ToolError {
    let message = format!("busy: {why}; ask again when it has ended");
    ToolError::Failed { code: "busy".into(), message, retryable: false }
}

fn failed(error: Error) -> ToolError {
    match error {
        Error::ThreadBusy { run } => busy(&format!("run {run} works on the project")),
        Error::Unknown { what: Noun::Project, .. } => ToolError::NoProject { message: error.to_string() },
        error => ToolError::Failed { code: error.code().into(), message: error.to_string(), retryable: false },
    }
}
