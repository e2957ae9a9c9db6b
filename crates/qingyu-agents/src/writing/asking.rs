//! What the nodes share: calls for a chapter, and what is told of it.

use std::sync::Arc;

use qingyu_graph::{Context, NodeError};
use qingyu_story::settlement::digest;
use qingyu_story::{Language, Story};
use qingyu_tools::workspace::{self, Provenance, Save};
use serde::Serialize;

use super::WritingRoom;
use super::notice::Notice;
use super::reading::Spent;
use super::state::{Trouble, TroubleCode, WritingState, WritingStateUpdate};
use crate::Error;
use crate::call::{self, Call, CallRecord, Seat, emit};
use crate::progress::{ChapterStep, Progress};
use crate::prompts::Name;

/// A node at work on a chapter: what it reads, and what it has written so far.
pub(super) struct Work<'a> {
    pub(super) room: &'a WritingRoom,
    pub(super) state: &'a WritingState,
    pub(super) context: &'a Context,
    pub(super) update: WritingStateUpdate,
    /// Whether the chapter is only read, as one of several side by side.
    pub(super) reads: bool,
    /// What the calls cost.
    pub(super) spent: Spent,
}

/// What is asked about a chapter, by whom, with which prompts.
pub(super) struct Asked {
    pub(super) agent: &'static str,
    pub(super) purpose: &'static str,
    /// Tells apart the calls of one node.
    pub(super) part: String,
    pub(super) names: [Name; 2],
    pub(super) temperature: f32,
}

impl<'a> Work<'a> {
    pub(super) fn new(room: &'a WritingRoom, state: &'a WritingState, context: &'a Context) -> Self {
        let update = WritingState::update().current_step(context.node().to_owned());
        Self { room, state, context, update, reads: false, spent: Spent::default() }
    }

    /// The work on a chapter that is read beside others: of the state it writes only what adds up.
    pub(super) fn reading(room: &'a WritingRoom, state: &'a WritingState, context: &'a Context) -> Self {
        Self { room, state, context, update: WritingState::update(), reads: true, spent: Spent::default() }
    }

    pub(super) fn language(&self) -> Language {
        self.state.language
    }

    pub(super) fn chapter(&self) -> &'a super::book::ChapterInHand {
        self.state.chapter.as_ref().expect("this node runs only with a chapter in hand")
    }

    /// The call for a prompt.
    pub(super) fn call(&self, asked: Asked, prompt: &impl Serialize) -> Result<Call<'a>, Error> {
        let Asked { agent, purpose, mut part, names, temperature } = asked;
        if self.reads {
            // Chapters that are read side by side make their calls in one superstep.
            part = self.state.number().to_string();
        }
        let asked = call::Asked {
            agent,
            purpose: purpose.into(),
            part,
            chapter: Some(self.state.number()),
            names,
            temperature: Some(temperature),
            essential: false,
        };
        let (workshop, language) = (&self.room.workshop, self.state.language);
        Seat { workshop, context: self.context, language, golden: &self.state.golden_context }
            .call(asked, prompt, prompt)
    }

    /// Changes the update.
    pub(super) fn write(&mut self, change: impl FnOnce(WritingStateUpdate) -> WritingStateUpdate) {
        self.update = change(std::mem::take(&mut self.update));
    }

    /// Counts a call.
    pub(super) fn count(&mut self, record: &CallRecord) {
        self.spent.add(record);
        self.write(|update| update.call(record));
    }

    /// Says that something goes on in a simpler way.
    pub(super) fn warn(&mut self, notice: &Notice<'_>) {
        self.warn_of(notice.text(self.language()));
    }

    /// Warns in words.
    pub(super) fn warn_of(&mut self, message: String) {
        emit(self.context, &Progress::Warning { message: message.clone() });
        self.write(|update| update.warnings(vec![message]));
    }

    /// Adds a line of reasoning.
    pub(super) fn reason(&mut self, notice: &Notice<'_>) {
        let message = notice.text(self.language());
        self.write(|update| update.reasoning(vec![message]));
    }

    /// Tells what happened to the chapter.
    pub(super) fn tell(&self, step: ChapterStep) {
        let chapter = self.chapter();
        tell(self.context, chapter.number, &chapter.title, step);
    }
}

/// Tells what happened to a chapter.
pub(super) fn tell(context: &Context, chapter: u32, title: &str, step: ChapterStep) {
    emit(context, &Progress::Chapter { chapter, title: title.to_owned(), step });
}

/// The trouble that a failed call means, if something can be done about it beside waiting; otherwise the failure itself.
pub(super) fn trouble_of(error: NodeError, node: &str) -> Result<Trouble, NodeError> {
    let code = match &error {
        NodeError::Failed { source, .. } => match source.downcast_ref::<Error>() {
            Some(Error::Model { source: qingyu_llm::Error::PromptTooLong { .. }, .. }) => Some(TroubleCode::TooLong),
            Some(Error::Model { source: qingyu_llm::Error::Unsupported { .. }, .. }) => Some(TroubleCode::CannotWrite),
            Some(Error::Model { source: qingyu_llm::Error::Filtered { .. }, .. }) => Some(TroubleCode::Refused),
            _ => None,
        },
        _ => None,
    };
    match (code, error) {
        (Some(code), NodeError::Failed { source, .. }) => {
            Ok(Trouble { node: node.to_owned(), code, message: source.to_string() })
        }
        (_, error) => Err(error),
    }
}

/// What a text is known by, as the input of a stored step.
pub(super) fn known_by(text: &str) -> String {
    digest(text)
}

/// How often a change is tried when somebody else saves at the same time.
const ATTEMPTS: u32 = 8;

/// A change of the project that is to be saved.
pub(super) struct Change<T> {
    pub(super) after: Story,
    /// The key under which it is saved once.
    pub(super) key: String,
    pub(super) provenance: Provenance,
    /// What else came of it.
    pub(super) made: T,
}

/// Saves what `change` makes of the story, on top of whatever the project is by then; returns the version that holds it and what
/// else came of it, or none if there is nothing to change.
pub(super) async fn save<T>(
    room: &WritingRoom,
    mut change: impl FnMut(&Story) -> Result<Option<Change<T>>, Error>,
) -> Result<Option<(u64, T)>, Error> {
    let mut attempt = 1;
    loop {
        let (before, expected) = load(room).await?;
        let Some(Change { after, key, provenance, made }) = change(&before)? else { return Ok(None) };
        match room.workspace.save(Save { before, after, expected, key, provenance }).await {
            Ok(version) => return Ok(Some((version, made))),
            Err(workspace::Error::Conflict { .. }) if attempt < ATTEMPTS => attempt += 1,
            Err(error) => return Err(error.into()),
        }
    }
}

/// The story as it stands.
pub(super) async fn load(room: &WritingRoom) -> Result<(Arc<Story>, u64), Error> {
    let loaded = room.workspace.load().await?;
    Ok((loaded.story, loaded.version))
}
