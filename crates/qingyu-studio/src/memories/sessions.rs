//! Memories of sessions: what was said and answered, for an hour, told in the next turn of the same session.
//!
//! A session is a name chosen by the caller. Its turns are told only in the project where they were said; the newest
//! that fit the budget of the working memory are told.

use std::sync::Arc;

use jiff::Timestamp;
use qingyu_llm::tokens::DefaultCounter;
use qingyu_llm::{ChatMessage, MessageRole};
use qingyu_memory::Talk;
use qingyu_memory::short_term::{DEFAULT_LIFETIME, TalkEntry};
use qingyu_memory::working::WorkingMemory;
use qingyu_production::SaidLine;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::error::Error;
use crate::studio::Studio;

/// The token budget of the turns told to a model.
const BUDGET: u64 = 1_500;
/// The maximum length of either side of a turn, in characters; longer texts are cut.
const SIDE: usize = 600;

/// A turn of a session.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct SessionTurn {
    /// The project.
    pub project: String,
    /// The user's words.
    pub said: String,
    /// The answer; empty if it tells what is hidden from readers.
    pub answered: String,
    /// The time of the answer.
    pub at: Timestamp,
}

/// A remembered turn of a session.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct SessionTurnRow {
    /// The turn.
    #[serde(flatten)]
    pub turn: SessionTurn,
    /// The time from which the turn is forgotten.
    pub expires: Timestamp,
}

impl Studio {
    /// Returns the studio in a session: questions, tasks and productions remember their turns for an hour, and are told
    /// the earlier turns.
    ///
    /// Returns [`Error::BadMemory`] if the name is empty, longer than 256 bytes or has control characters.
    pub fn in_session(&self, session: &str) -> Result<Self, Error> {
        let talk = self.talk(session)?;
        Ok(self.with_session(talk))
    }

    /// Returns the remembered turns of a session in the projects that the caller sees, oldest first.
    pub(crate) async fn session_turns(&self, session: &str) -> Result<Vec<SessionTurnRow>, Error> {
        self.turns_of(&self.talk(session)?).await
    }

    /// Forgets a session and returns the number of its turns.
    ///
    /// Returns [`Error::Forbidden`] if the caller sees only some projects.
    pub(crate) async fn forget_session(&self, session: &str) -> Result<usize, Error> {
        self.scope().demand_all()?;
        let forgotten = self.session_memory().forget_talk(&self.talk(session)?).await;
        forgotten.map_err(|error| self.place("").memory(error))
    }

    fn talk(&self, session: &str) -> Result<Talk, Error> {
        Talk::new(self.scope().user_id().clone(), session.trim()).map_err(|error| self.place("").memory(error))
    }

    async fn turns_of(&self, talk: &Talk) -> Result<Vec<SessionTurnRow>, Error> {
        let entries = self.session_memory().list(talk).await.map_err(|error| self.place("").memory(error))?;
        let row = |entry: TalkEntry| {
            let turn: SessionTurn = serde_json::from_value(entry.value).ok()?;
            self.scope().sees(&turn.project).then_some(SessionTurnRow { turn, expires: entry.expires })
        };
        Ok(entries.into_iter().filter_map(row).collect())
    }

    /// Returns the earlier turns of the studio's session in a project as lines for a model; empty without a session.
    pub(crate) async fn said_in_session(&self, project: &str) -> Result<Vec<SaidLine>, Error> {
        let Some(talk) = self.session() else { return Ok(Vec::new()) };
        let turns = self.turns_of(talk).await?;
        let mut messages = Vec::new();
        for SessionTurnRow { turn, .. } in turns.into_iter().filter(|row| row.turn.project == project) {
            messages.push(ChatMessage::user(turn.said));
            if !turn.answered.is_empty() {
                messages.push(ChatMessage::assistant(turn.answered));
            }
        }
        let fitted = WorkingMemory::new(Arc::new(DefaultCounter), BUDGET).cut(messages);
        let fitted = fitted.map_err(|error| self.place("").memory(error))?;
        let line = |message: ChatMessage| SaidLine { by_author: message.role == MessageRole::User, text: message.text };
        Ok(fitted.into_iter().map(line).collect())
    }

    /// Remembers a turn of the studio's session. A failure is logged only: the answer was given already.
    pub(crate) async fn remember_turn(&self, project: &str, said: &str, answered: &str) {
        if !answered.trim().is_empty() {
            self.remember_said(project, said, answered).await;
        }
    }

    /// Remembers a question whose answer tells what is hidden from readers, without the answer.
    pub(crate) async fn remember_question(&self, project: &str, said: &str) {
        self.remember_said(project, said, "").await;
    }

    async fn remember_said(&self, project: &str, said: &str, answered: &str) {
        let Some(talk) = self.session() else { return };
        let (said, answered) = (cut(said), cut(answered));
        if said.is_empty() {
            return;
        }
        let turn = SessionTurn { project: project.into(), said, answered, at: Timestamp::now() };
        // Keys sort by time.
        let key = format!("{:016}", turn.at.as_microsecond());
        let value = serde_json::to_value(turn).expect("a turn is plain data");
        if let Err(error) = self.session_memory().put(talk, &key, value, DEFAULT_LIFETIME).await {
            tracing::warn!(%error, session = talk.session(), "turn of a session not remembered");
        }
    }
}

fn cut(text: &str) -> String {
    let text = text.trim();
    let mut cut: String = text.chars().take(SIDE).collect();
    if cut.len() < text.len() {
        cut.push('…');
    }
    cut
}
