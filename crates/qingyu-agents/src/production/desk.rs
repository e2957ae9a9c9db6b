//! Functions shared by the nodes: reading and changing the project, model calls, progress.

use std::sync::Arc;

use qingyu_graph::{Command, Context, NodeError};
use qingyu_production::{FieldBoard, GoldenContext, progress};
use qingyu_story::production::{Maker, Phase};
use qingyu_story::{Language, Provenance, Story};
use qingyu_tools::workspace::{self, WorkspaceSave};
use serde::Serialize;
use serde::de::DeserializeOwned;

use super::notice::ProductionNotice;
use super::order::Turn;
use super::state::autonomy_settings;
use crate::Error;
use crate::call::{CallContext, CallRecord, CallResult, CallSpec, emit};
use crate::production::names::{LISTEN, PRODUCER, SPEAKER};
use crate::production::resources::ProductionResources;
use crate::production::state::{ContentProductionState, ContentProductionStateUpdate};
use crate::progress::{FieldStep, Progress};
use crate::prompts::PromptName;

/// Maximum attempts of a save on concurrent changes.
const ATTEMPTS: u32 = 8;

/// A node during its run: inputs, and the update so far.
pub(super) struct ProductionNode<'a> {
    pub(super) room: &'a ProductionResources,
    pub(super) state: &'a ContentProductionState,
    pub(super) context: &'a Context,
    pub(super) update: ContentProductionStateUpdate,
    records: Vec<CallRecord>,
    warnings: Vec<String>,
    reasoning: Vec<String>,
}

/// The result of a change.
pub(super) type ProductionResult<T> = Result<T, qingyu_production::Error>;

impl<'a> ProductionNode<'a> {
    pub(super) fn new(room: &'a ProductionResources, state: &'a ContentProductionState, context: &'a Context) -> Self {
        let update = ContentProductionState::update();
        Self { room, state, context, update, records: Vec::new(), warnings: Vec::new(), reasoning: Vec::new() }
    }

    pub(super) fn language(&self) -> Language {
        self.state.language
    }

    /// Returns the call context of this node. Project facts are as of the node's first start.
    pub(super) fn seat(&self) -> CallContext<'a> {
        CallContext {
            workshop: &self.room.workshop,
            context: self.context,
            language: self.state.language,
            golden: &self.state.golden_context,
        }
    }

    /// Returns the spec of a call for `act`.
    pub(super) fn asked(
        &self,
        act: &'static str,
        part: String,
        names: [PromptName; 2],
        temperature: f32,
    ) -> CallSpec<'a> {
        let agent = if matches!(act, "interview" | "chat") { SPEAKER } else { PRODUCER };
        CallSpec::of(agent, format!("production.{act}"), part, names, temperature)
    }

    /// Asks the model for words to the user; the error is the reason for a missing answer.
    pub(super) async fn speak(
        &mut self,
        act: &'static str,
        name: PromptName,
        temperature: f32,
        context: &impl Serialize,
    ) -> Result<Result<String, String>, NodeError> {
        let asked = self.asked(act, String::new(), [PromptName::PRODUCTION_SYSTEM, name], temperature);
        let called = self.seat().call(asked, context, context)?.write().await?;
        Ok(self.counted(called).map(|written| written.text))
    }

    /// Reads from the project with `look`, as a stored step, so a retried node calls models with the same input.
    pub(super) async fn see<T>(&self, look: impl FnOnce(&Story) -> T) -> Result<T, NodeError>
    where
        T: Serialize + DeserializeOwned,
    {
        self.context.step("seen", &(), || async { Ok::<_, Error>(look(&self.load().await?.0)) }).await
    }

    /// Returns the current project and its version.
    pub(super) async fn load(&self) -> Result<(Arc<Story>, u64), Error> {
        let loaded = self.room.workspace.load().await?;
        Ok((loaded.story, loaded.version))
    }

    /// Changes the newest version of the project, with retries on concurrent changes. A failed change is returned as an
    /// error, and the project stays unchanged.
    ///
    /// `made` is the model call behind the change, if any.
    pub(super) async fn save<T>(
        &mut self,
        made: Option<&CallRecord>,
        change: impl Fn(&mut Story) -> ProductionResult<T>,
    ) -> Result<ProductionResult<T>, NodeError> {
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
            let save = WorkspaceSave { before, after, expected, key, provenance: self.provenance(made) };
            match self.room.workspace.save(save).await {
                Ok(_) => return Ok(Ok(value)),
                Err(workspace::Error::Conflict { .. }) if attempt < ATTEMPTS => attempt += 1,
                Err(error) => return Err(Error::from(error).into()),
            }
        }
    }

    /// Copies the project's phase, facts and autonomy settings into the state.
    pub(super) fn look_at(&mut self, story: &Story) {
        let GoldenContext { preferences, said, .. } = self.state.golden_context.clone();
        let golden = GoldenContext { preferences, said, ..GoldenContext::of(story) };
        let production = story.production.clone().unwrap_or_default();
        self.write(|update| {
            update
                .golden_context(golden)
                .autonomy_settings(autonomy_settings(&production))
                .current_phase(production.current_phase)
        });
    }

    /// Returns whether the project is in another phase than at the node's first start: an interrupted run of this node
    /// has already advanced it.
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
            tokens: made.map(CallRecord::tokens).unwrap_or_default(),
            note: String::new(),
        }
    }

    /// Returns the maker of a value made with the call `record`.
    pub(super) fn maker(&self, record: Option<&CallRecord>) -> Maker {
        Maker {
            agent: PRODUCER.into(),
            model: record.map(|record| record.model.clone()),
            prompt_hash: record.map(|record| record.prompt_hash.clone()),
        }
    }

    /// Applies `change` to the update.
    pub(super) fn write(&mut self, change: impl FnOnce(ContentProductionStateUpdate) -> ContentProductionStateUpdate) {
        self.update = change(std::mem::take(&mut self.update));
    }

    /// Counts a call, and returns its value or the reason for a missing value.
    pub(super) fn counted<T>(&mut self, called: CallResult<T>) -> Result<T, String> {
        let error = called.error();
        self.records.push(called.record);
        called.value.ok_or(error)
    }

    /// Counts calls.
    pub(super) fn count(&mut self, records: impl IntoIterator<Item = CallRecord>) {
        self.records.extend(records);
    }

    /// Emits and stores a warning about a fallback.
    pub(super) fn warn(&mut self, notice: &ProductionNotice<'_>) {
        let message = notice.text(self.language());
        emit(self.context, &Progress::Warning { message: message.clone() });
        self.warnings.push(message);
    }

    /// Stores warnings already emitted.
    pub(super) fn note_warnings(&mut self, warnings: Vec<String>) {
        self.warnings.extend(warnings);
    }

    /// Tells subscribers how the user's words were understood, and notes it as a line of reasoning.
    pub(super) fn say_back(&mut self, notice: &ProductionNotice<'_>) {
        emit(self.context, &Progress::Understood { text: notice.text(self.language()) });
        self.reason(notice);
    }

    /// Appends a line of reasoning.
    pub(super) fn reason(&mut self, notice: &ProductionNotice<'_>) {
        self.reasoning.push(notice.text(self.language()));
    }

    /// Emits the progress of a field.
    pub(super) fn tell(&self, path: &str, title: &str, step: FieldStep) {
        emit(self.context, &Progress::Field { path: path.to_owned(), title: title.to_owned(), step });
    }

    /// Emits the start of a phase.
    pub(super) fn enter(&self, phase: &Phase) {
        let (phase, title) = (phase.name.clone(), phase.title.clone());
        emit(self.context, &Progress::Phase { phase, title });
    }

    /// Returns the command to continue at `node`.
    pub(super) fn goto(self, node: &str) -> Command<ContentProductionState> {
        let Self { update, records, warnings, reasoning, .. } = self;
        let update = update.counted(&records).warnings(warnings).reasoning(reasoning);
        Command::update(update).goto([node])
    }

    /// Returns the command to wait for the user, with `turn` as message.
    pub(super) fn listen(mut self, turn: Turn) -> Command<ContentProductionState> {
        self.write(|update| update.turn(turn).order(None).waiting_for_human(true));
        self.goto(LISTEN)
    }
}

/// Returns the current phase, with the paths of its fields; list patterns are left out.
pub(super) fn current(story: &Story) -> Option<(Phase, Vec<String>)> {
    let phase = progress::current(story.production.as_ref()?)?.clone();
    let fields = story.fields.iter().filter(|field| field.phase == phase.name && !field.is_pattern());
    let paths = fields.map(|field| field.path.clone()).collect();
    Some((phase, paths))
}

/// Resolves the given paths; a list field is replaced by its items.
pub(super) fn meant(story: &Story, given: &[String]) -> ProductionResult<Vec<String>> {
    let board = FieldBoard::new(&story.fields);
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
