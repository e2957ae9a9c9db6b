//! What the nodes share: looking at the project, changing it, calls, and what is told.

use std::sync::Arc;

use qingyu_graph::{Command, Context, NodeError};
use qingyu_production::{Board, GoldenContext, progress};
use qingyu_story::production::{Maker, Phase};
use qingyu_story::{Language, Story};
use qingyu_tools::workspace::{self, Provenance, Save};
use serde::Serialize;
use serde::de::DeserializeOwned;

use super::notice::Notice;
use super::order::Turn;
use super::state::autonomy_settings;
use super::{ContentProductionState, ContentProductionStateUpdate, LISTEN, PRODUCER, ProductionRoom, SPEAKER};
use crate::Error;
use crate::call::{Asked, CallRecord, Called, Seat, emit};
use crate::progress::{FieldStep, Progress};
use crate::prompts::Name;

/// How often a save is tried when somebody else saves at the same time.
const ATTEMPTS: u32 = 8;

/// A node at work: what it reads, and what it has written so far.
pub(super) struct Desk<'a> {
    pub(super) room: &'a ProductionRoom,
    pub(super) state: &'a ContentProductionState,
    pub(super) context: &'a Context,
    pub(super) update: ContentProductionStateUpdate,
    records: Vec<CallRecord>,
    warnings: Vec<String>,
    reasoning: Vec<String>,
}

/// What came of a change.
pub(super) type Kept<T> = Result<T, qingyu_production::Error>;

impl<'a> Desk<'a> {
    pub(super) fn new(room: &'a ProductionRoom, state: &'a ContentProductionState, context: &'a Context) -> Self {
        let update = ContentProductionState::update();
        Self { room, state, context, update, records: Vec::new(), warnings: Vec::new(), reasoning: Vec::new() }
    }

    pub(super) fn language(&self) -> Language {
        self.state.language
    }

    /// Where the calls of this node are made. What every model is told is as it was when the node was entered first.
    pub(super) fn seat(&self) -> Seat<'a> {
        Seat {
            workshop: &self.room.workshop,
            context: self.context,
            language: self.state.language,
            golden: &self.state.golden_context,
        }
    }

    /// A call for `act`.
    pub(super) fn asked(&self, act: &'static str, part: String, names: [Name; 2], temperature: f32) -> Asked<'a> {
        let agent = if matches!(act, "interview" | "chat") { SPEAKER } else { PRODUCER };
        Asked::of(agent, format!("production.{act}"), part, names, temperature)
    }

    /// What is said to the user, or why nothing is.
    pub(super) async fn speak(
        &mut self,
        act: &'static str,
        name: Name,
        temperature: f32,
        context: &impl Serialize,
    ) -> Result<Result<String, String>, NodeError> {
        let asked = self.asked(act, String::new(), [Name::PRODUCTION_SYSTEM, name], temperature);
        let called = self.seat().call(asked, context, context)?.write().await?;
        Ok(self.counted(called).map(|written| written.text))
    }

    /// What the node sees of the project. It is kept, so that a node that runs again asks models for the same.
    pub(super) async fn see<T>(&self, look: impl FnOnce(&Story) -> T) -> Result<T, NodeError>
    where
        T: Serialize + DeserializeOwned,
    {
        self.context.step("seen", &(), || async { Ok::<_, Error>(look(&self.load().await?.0)) }).await
    }

    /// The project as it stands.
    pub(super) async fn load(&self) -> Result<(Arc<Story>, u64), Error> {
        let loaded = self.room.workspace.load().await?;
        Ok((loaded.story, loaded.version))
    }

    /// Changes the project, on top of whatever it is by now. A change that cannot be made is given back, and changes nothing.
    ///
    /// `made` names the model's part in it, if a model has one.
    pub(super) async fn save<T>(
        &mut self,
        made: Option<&CallRecord>,
        change: impl Fn(&mut Story) -> Kept<T>,
    ) -> Result<Kept<T>, NodeError> {
        let mut attempt = 1;
        loop {
            let (before, expected) = self.load().await?;
            let mut after = Story::clone(&before);
            let value = match change(&mut after) {
                Ok(value) => value,
                Err(error) => return Ok(Err(error)),
            };
            self.look_at(&after);
            if after == *before {
                return Ok(Ok(value));
            }
            let key = format!("{}/{}/{}", self.state.run_id, self.context.node(), self.context.superstep());
            let save = Save { before, after, expected, key, provenance: self.provenance(made) };
            match self.room.workspace.save(save).await {
                Ok(_) => return Ok(Ok(value)),
                Err(workspace::Error::Conflict { .. }) if attempt < ATTEMPTS => attempt += 1,
                Err(error) => return Err(Error::from(error).into()),
            }
        }
    }

    /// Notes in the state what it says of the project.
    pub(super) fn look_at(&mut self, story: &Story) {
        let golden = GoldenContext::of(story);
        let production = story.production.clone().unwrap_or_default();
        self.write(|update| {
            update
                .golden_context(golden)
                .autonomy_settings(autonomy_settings(&production))
                .current_phase(production.current_phase)
        });
    }

    /// Whether the project is in another phase than the run was when the node was entered: then this node has gone on
    /// already, and broke off before it could say so.
    pub(super) fn has_gone_on(&self, story: &Story) -> bool {
        let now = story.production.as_ref().map_or("", |production| &production.current_phase);
        !self.state.current_phase.is_empty() && self.state.current_phase != now
    }

    fn provenance(&self, made: Option<&CallRecord>) -> Provenance {
        Provenance {
            agent: PRODUCER.into(),
            tool: self.context.node().to_owned(),
            run: Some(self.state.run_id.clone()).filter(|run| !run.is_empty()),
            prompt_hash: made.map(|record| record.prompt_hash.clone()),
            model: made.map(|record| record.model.clone()),
            note: String::new(),
        }
    }

    /// Who makes a value with the help of that call.
    pub(super) fn maker(&self, record: Option<&CallRecord>) -> Maker {
        Maker {
            agent: PRODUCER.into(),
            model: record.map(|record| record.model.clone()),
            prompt_hash: record.map(|record| record.prompt_hash.clone()),
        }
    }

    /// Changes the update.
    pub(super) fn write(&mut self, change: impl FnOnce(ContentProductionStateUpdate) -> ContentProductionStateUpdate) {
        self.update = change(std::mem::take(&mut self.update));
    }

    /// Counts a call, and gives its value, or why there is none.
    pub(super) fn counted<T>(&mut self, called: Called<T>) -> Result<T, String> {
        let error = called.error();
        self.records.push(called.record);
        called.value.ok_or(error)
    }

    /// Counts calls.
    pub(super) fn count(&mut self, records: impl IntoIterator<Item = CallRecord>) {
        self.records.extend(records);
    }

    /// Says that something goes on in a simpler way.
    pub(super) fn warn(&mut self, notice: &Notice<'_>) {
        let message = notice.text(self.language());
        emit(self.context, &Progress::Warning { message: message.clone() });
        self.warnings.push(message);
    }

    /// Keeps warnings that have been told already.
    pub(super) fn note_warnings(&mut self, warnings: Vec<String>) {
        self.warnings.extend(warnings);
    }

    /// Adds a line of reasoning.
    pub(super) fn reason(&mut self, notice: &Notice<'_>) {
        self.reasoning.push(notice.text(self.language()));
    }

    /// Tells what happened to a field.
    pub(super) fn tell(&self, path: &str, title: &str, step: FieldStep) {
        emit(self.context, &Progress::Field { path: path.to_owned(), title: title.to_owned(), step });
    }

    /// Tells that a phase is entered.
    pub(super) fn enter(&self, phase: &Phase) {
        let (phase, title) = (phase.name.clone(), phase.title.clone());
        emit(self.context, &Progress::Phase { phase, title });
    }

    /// Goes on at `node`.
    pub(super) fn goto(self, node: &str) -> Command<ContentProductionState> {
        let Self { update, records, warnings, reasoning, .. } = self;
        let update = update.counted(&records).warnings(warnings).reasoning(reasoning);
        Command::update(update).goto([node])
    }

    /// Waits for the user, who is told this.
    pub(super) fn listen(mut self, turn: Turn) -> Command<ContentProductionState> {
        self.write(|update| update.turn(turn).order(None).waiting_for_human(true));
        self.goto(LISTEN)
    }
}

/// The phase that is worked on, with the paths of its fields that have a value of their own.
pub(super) fn current(story: &Story) -> Option<(Phase, Vec<String>)> {
    let phase = progress::current(story.production.as_ref()?)?.clone();
    let fields = story.fields.iter().filter(|field| field.phase == phase.name && !field.is_pattern());
    let paths = fields.map(|field| field.path.clone()).collect();
    Some((phase, paths))
}

/// The paths of fields that are meant: items in the place of a field that stands for a list.
pub(super) fn meant(story: &Story, given: &[String]) -> Kept<Vec<String>> {
    let board = Board::new(&story.fields);
    let mut paths = Vec::new();
    for given in given {
        let field = board.find(given)?;
        if field.is_pattern() {
            paths.extend(board.items(&field.path).map(|item| item.path.clone()));
        } else {
            paths.push(field.path.clone());
        }
    }
    paths.dedup();
    Ok(paths)
}
