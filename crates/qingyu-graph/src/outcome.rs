//! The outcome of a run.

use crate::any_state::AnyState;
use crate::event::Question;
use crate::state::State;

/// The outcome of a run without an error.
#[derive(Debug, Clone, PartialEq)]
pub enum Outcome<S> {
    /// Nothing is left to run.
    Done(S),
    /// All tasks that can run have run and questions are open, or the run has reached a breakpoint and no question is
    /// open.
    Waiting {
        /// The state, with the writes of finished tasks of the superstep.
        state: S,
        /// The open questions.
        questions: Vec<Question>,
    },
    /// The run was cancelled or drained; resuming continues from here.
    Cancelled {
        /// The state of the last checkpoint.
        state: S,
    },
}

impl Outcome<AnyState> {
    /// Returns the outcome with the state of the graph's type.
    pub(crate) fn typed<S: State>(self) -> Outcome<S> {
        match self {
            Self::Done(state) => Outcome::Done(state.owned()),
            Self::Waiting { state, questions } => Outcome::Waiting { state: state.owned(), questions },
            Self::Cancelled { state } => Outcome::Cancelled { state: state.owned() },
        }
    }
}

impl<S> Outcome<S> {
    /// Returns the state, whatever the outcome.
    pub fn into_state(self) -> S {
        match self {
            Self::Done(state) | Self::Waiting { state, .. } | Self::Cancelled { state } => state,
        }
    }

    /// Returns the output view of the state, whatever the outcome, without channels private to the nodes.
    pub fn into_output<O: From<S>>(self) -> O {
        self.into_state().into()
    }
}
