//! The sessions of a cassette, recorded and replayed.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

use qingyu_llm::cassette::{Cassette, CassetteSession, Recording};
use qingyu_story::Story;
use serde_json::Value;

use crate::error::Error;
use crate::runs::cassettes::{ANSWER, CassetteEnd, CassetteHeader, END};
use crate::runs::replay::report::ReplayedRun;

/// A recorded session with its parsed header.
pub(crate) struct RecordedSession {
    pub(super) recording: Arc<Recording>,
    pub(super) answers: Vec<Value>,
    pub(super) recipe: CassetteHeader,
    pub(super) recorded: String,
    pub(super) project: String,
    pub(super) prompts: BTreeMap<String, String>,
    pub(super) end: Option<CassetteEnd>,
}

/// The result of a replayed session.
pub(crate) struct PlayedSession {
    pub(super) row: ReplayedRun,
    pub(super) story: Story,
    pub(super) document: Value,
}

/// Parses the sessions of a cassette.
pub(crate) fn acts<E: ToString>(cassette: Result<Cassette, E>, path: &Path) -> Result<Vec<RecordedSession>, Error> {
    let bad = |message: String| Error::BadCassette { path: path.to_path_buf(), message };
    let cassette = cassette.map_err(|error| bad(error.to_string()))?;
    let acts: Vec<RecordedSession> =
        cassette.sessions.into_iter().map(recorded).collect::<Result<_, _>>().map_err(bad)?;
    if acts.is_empty() {
        return Err(bad("there is nothing on it".into()));
    }
    Ok(acts)
}

/// Parses a session, or returns what is wrong with it.
fn recorded(session: CassetteSession) -> Result<RecordedSession, String> {
    let Some(header) = session.header.clone() else {
        return Err("it does not say how its run began; it was recorded by an earlier release".into());
    };
    if header.partial {
        return Err(format!("the beginning of run {} was not recorded", header.run));
    }
    let recipe: CassetteHeader = serde_json::from_value(header.request).map_err(|error| error.to_string())?;
    let end = session.mark(END).map(|mark| serde_json::from_value(mark.body.clone()));
    let end = end.transpose().map_err(|error: serde_json::Error| error.to_string())?;
    Ok(RecordedSession {
        recipe,
        recorded: header.run,
        project: header.project,
        prompts: header.prompts,
        end,
        answers: session.marks.iter().filter(|mark| mark.kind == ANSWER).map(|mark| mark.body.clone()).collect(),
        recording: Arc::new(session.recording),
    })
}
