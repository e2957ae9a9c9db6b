//! Orders of tools to a production, each carried out by its run.

use std::collections::BTreeSet;
use std::sync::{Mutex, MutexGuard, PoisonError};

use futures::FutureExt;
use futures::future::BoxFuture;
use qingyu_agents::production as agents;
use qingyu_agents::progress::{FieldStep, Progress};
use qingyu_production::Board;
use qingyu_store::RunStatus as Kept;
use qingyu_story::production::Field;
use qingyu_tools::ToolError;
use qingyu_tools::content::{Made, Order, Producer};

use crate::{Error, EventKind, RunStatus, Studio, TellRequest};

/// Gives the orders of tools to the productions of a studio.
#[derive(Debug)]
pub(crate) struct Orders {
    studio: Studio,
    /// The projects for which an order is carried out.
    taken: Mutex<BTreeSet<String>>,
}

/// A project's turn; it ends when this is dropped.
struct Turn<'a> {
    orders: &'a Orders,
    project: String,
}

impl Drop for Turn<'_> {
    fn drop(&mut self) {
        self.orders.taken().remove(&self.project);
    }
}

impl Orders {
    pub(crate) fn new(studio: Studio) -> Self {
        Self { studio, taken: Mutex::default() }
    }

    fn taken(&self) -> MutexGuard<'_, BTreeSet<String>> {
        self.taken.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Two orders at once would find no run at work and begin two.
    fn turn(&self, project: &str) -> Result<Turn<'_>, ToolError> {
        match self.taken().insert(project.to_owned()) {
            true => Ok(Turn { orders: self, project: project.to_owned() }),
            false => Err(busy("another order is being carried out on the project")),
        }
    }

    async fn carry_out(&self, project: &str, order: Order) -> Result<Made, ToolError> {
        let _turn = self.turn(project)?;
        let order = match order {
            Order::Make { path, new, instruction } => {
                if let Some(field) = new {
                    self.create(project, *field).await.map_err(failed)?;
                }
                agents::Order::Make { fields: vec![path], instruction, is_change: false }
            }
            Order::Research { question, max_sources } => agents::Order::Research { question, max_sources },
            Order::Simulate { personas, contents, interactions } => {
                agents::Order::Simulate { contents, interactions, personas }
            }
            Order::Evaluate { contents, criteria } => agents::Order::Evaluate { contents, runs: None, criteria },
        };
        self.tell(project, order).await
    }

    /// Puts a new field behind those of its phase; one that is there already stays. No field is created for a run that
    /// could not be told.
    async fn create(&self, project: &str, field: Field) -> Result<(), Error> {
        if let Some(run) = self.studio.production_run(project).await?.filter(|run| run.status != Kept::Done) {
            if self.studio.is_worked_on(&run.id).await? {
                return Err(Error::ThreadBusy { run: run.id });
            }
            if !self.studio.is_asking(&run).await? {
                return Err(Error::RunUnfinished { run: run.id });
            }
        }
        let put = |story: &mut qingyu_story::Story| {
            if Board::new(&story.fields).get(&field.path).is_none() {
                let of_phase = story.fields.iter().rposition(|known| known.phase == field.phase);
                story.fields.insert(of_phase.map_or(story.fields.len(), |place| place + 1), field);
            }
            Ok(())
        };
        self.studio.change_fields(project, put).await
    }

    async fn tell(&self, project: &str, order: agents::Order) -> Result<Made, ToolError> {
        let order = Some(order);
        let request = TellRequest { project: project.to_owned(), order, model: None, overrides: toml::Table::new() };
        let mut handle = self.studio.tell(request).await.map_err(failed)?;
        let run = handle.run().to_owned();
        let (mut made, mut why, mut warnings) = (None, None, Vec::new());
        while let Some(event) = handle.next().await {
            match event.kind {
                EventKind::Progress(Progress::Field { path, step: FieldStep::Made { .. }, .. }) => made = Some(path),
                EventKind::Progress(Progress::Field { step: FieldStep::Failed { message }, .. }) => why = Some(message),
                EventKind::Progress(Progress::Warning { message }) => warnings.push(message),
                _ => {}
            }
        }
        let outcome = handle.finish().await;
        if let Some(field) = made {
            return Ok(Made { field, run, warnings });
        }
        let failure = outcome.errors.last().map(|failure| failure.message.clone());
        let told = outcome.content_made().map(|made| made.turn.text.clone());
        let is_over = matches!(outcome.status, RunStatus::Waiting | RunStatus::Done);
        let message = why.or(if is_over { told } else { failure }).unwrap_or_else(|| "nothing was made".into());
        let message = format!("{message} (run {run})");
        Err(ToolError::Failed { code: "not_made".into(), message, retryable: false })
    }
}

impl Producer for Orders {
    fn order<'a>(&'a self, project: &'a str, order: Order) -> BoxFuture<'a, Result<Made, ToolError>> {
        self.carry_out(project, order).boxed()
    }
}

/// Another run works. The engine does not try again: a run takes longer than a call may wait.
fn busy(why: &str) -> ToolError {
    let message = format!("busy: {why}; ask again when it has ended");
    ToolError::Failed { code: "busy".into(), message, retryable: false }
}

fn failed(error: Error) -> ToolError {
    match error {
        Error::ThreadBusy { run } => busy(&format!("run {run} works on the project")),
        Error::UnknownProject { .. } => ToolError::NoProject { message: error.to_string() },
        error => ToolError::Failed { code: error.code().into(), message: error.to_string(), retryable: false },
    }
}
