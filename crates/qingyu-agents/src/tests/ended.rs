//! How a run ended, and what it told.

use std::fmt::Debug;

use qingyu_graph::{Error, EventKind, GraphRun, Outcome, State};
use serde_json::Value;

use crate::progress::Progress;

/// The outcome of a run, with its progress.
pub(crate) struct Ended<S> {
    pub(crate) outcome: Result<Outcome<S>, Error>,
    pub(crate) progress: Vec<Progress>,
}

impl<S: State + Debug> Ended<S> {
    pub(crate) async fn of(mut run: GraphRun<S>) -> Self {
        let mut progress = Vec::new();
        while let Some(event) = run.next().await {
            if let EventKind::Custom(value) = event.kind {
                progress.push(serde_json::from_value(value).unwrap());
            }
        }
        Self { outcome: run.finish().await, progress }
    }

    pub(crate) fn done(self) -> S {
        match self.outcome.unwrap() {
            Outcome::Done(state) => state,
            other => panic!("not done: {other:?}"),
        }
    }

    /// Returns the state of a run that waits for a person, and the first question.
    pub(crate) fn waiting(self) -> (S, Value) {
        match self.outcome.unwrap() {
            Outcome::Waiting { state, mut questions } => (state, questions.remove(0).payload),
            other => panic!("not waiting: {other:?}"),
        }
    }
}
