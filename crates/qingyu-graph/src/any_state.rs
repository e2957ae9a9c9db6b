//! States and updates of any type. Only the handles of the crate's users know the type, so that the engine is compiled
//! once and not for every state.

use std::any::Any;
use std::fmt;
use std::sync::Arc;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::error::Error;
use crate::state::{Delta, State, StateChannel, Update, Values};

/// A state of any type, shared by the tasks of a superstep.
#[derive(Clone)]
pub(crate) struct AnyState(Arc<dyn ErasedState>);

/// An update of a state of any type; empty by default.
#[derive(Debug, Default)]
pub(crate) struct AnyUpdate(Option<Box<dyn ErasedUpdate>>);

/// The parts of a state type that need no state.
#[derive(Clone, Copy)]
pub(crate) struct StateType {
    pub(crate) channels: &'static [StateChannel],
    /// Returns the default state.
    pub(crate) empty: fn() -> AnyState,
    /// Deserializes a state from its channels.
    pub(crate) decode: fn(Values) -> Result<AnyState, Error>,
    /// Deserializes the field `update` of a JSON object.
    pub(crate) decode_update: fn(&str) -> serde_json::Result<AnyUpdate>,
}

/// The functions of [`State`] that need no type.
trait ErasedState: Any + Send + Sync {
    fn fold(self: Arc<Self>, updates: Vec<(Arc<str>, AnyUpdate)>, delta: Option<&mut Delta>)
    -> Result<AnyState, Error>;
    fn encode(&self) -> Result<Values, Error>;
}

/// The functions of [`Update`] that need no type.
trait ErasedUpdate: Any + fmt::Debug + Send + Sync {
    fn clone_boxed(&self) -> Box<dyn ErasedUpdate>;
    fn to_value(&self) -> serde_json::Result<Value>;
    fn to_body(&self) -> serde_json::Result<String>;
}

/// An update as a field of the stored writes of a task.
#[derive(Serialize, Deserialize)]
struct UpdateBody<U> {
    update: U,
}

impl StateType {
    pub(crate) fn of<S: State>() -> Self {
        Self {
            channels: S::CHANNELS,
            empty: || AnyState::new(S::default()),
            decode: |values| S::decode(values).map(AnyState::new),
            decode_update: |json| {
                let body: UpdateBody<S::Update> = serde_json::from_str(json)?;
                Ok(AnyUpdate::new(body.update))
            },
        }
    }
}

impl AnyState {
    pub(crate) fn new<S: State>(state: S) -> Self {
        Self(Arc::new(state))
    }

    /// Returns the state as the type that it was made from; panics for another type, which no graph has.
    pub(crate) fn shared<S: State>(self) -> Arc<S> {
        let state: Arc<dyn Any + Send + Sync> = self.0;
        state.downcast().expect(ONE_TYPE)
    }

    /// Same as [`Self::shared`], but not shared; clones the state if it is in use elsewhere.
    pub(crate) fn owned<S: State>(self) -> S {
        Arc::unwrap_or_clone(self.shared())
    }

    /// Same as [`Self::shared`], borrowed.
    pub(crate) fn borrowed<S: State>(&self) -> &S {
        let state: &dyn Any = &*self.0;
        state.downcast_ref().expect(ONE_TYPE)
    }

    /// Returns the state with the updates of one superstep folded in, in the given order; appends the changes to
    /// `delta`. Clones the state only if it is in use elsewhere.
    pub(crate) fn fold(self, updates: Vec<(Arc<str>, AnyUpdate)>, delta: Option<&mut Delta>) -> Result<Self, Error> {
        self.0.fold(updates, delta)
    }

    /// Serializes the tracked channels to JSON.
    pub(crate) fn encode(&self) -> Result<Values, Error> {
        self.0.encode()
    }
}

impl fmt::Debug for AnyState {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("AnyState").finish_non_exhaustive()
    }
}

impl AnyUpdate {
    pub(crate) fn new(update: impl Update) -> Self {
        Self(Some(Box::new(update)))
    }

    /// Serializes the writes to JSON, by channel.
    pub(crate) fn to_value(&self) -> serde_json::Result<Value> {
        self.0.as_ref().map_or_else(|| Ok(Values::new().into()), |update| update.to_value())
    }

    /// Serializes the update as the only field, `update`, of a JSON object.
    pub(crate) fn to_body(&self) -> serde_json::Result<String> {
        self.0.as_ref().map_or_else(|| Ok(r#"{"update":{}}"#.to_owned()), |update| update.to_body())
    }

    /// Returns the update of a state type; `None` if it is empty.
    fn typed<U: Update>(self) -> Option<U> {
        let update: Box<dyn Any> = self.0?;
        Some(*update.downcast().expect(ONE_TYPE))
    }
}

impl Clone for AnyUpdate {
    fn clone(&self) -> Self {
        Self(self.0.as_ref().map(|update| update.clone_boxed()))
    }
}

/// Why a downcast cannot fail: all states and updates of a graph come through handles of its state type.
const ONE_TYPE: &str = "a graph has one state type";

impl<S: State> ErasedState for S {
    fn fold(
        mut self: Arc<Self>,
        updates: Vec<(Arc<str>, AnyUpdate)>,
        delta: Option<&mut Delta>,
    ) -> Result<AnyState, Error> {
        let updates = updates.into_iter().filter_map(|(node, update)| Some((node, update.typed()?))).collect();
        State::fold(Arc::make_mut(&mut self), updates, delta)?;
        Ok(AnyState(self))
    }

    fn encode(&self) -> Result<Values, Error> {
        State::encode(self)
    }
}

impl<U: Update> ErasedUpdate for U {
    fn clone_boxed(&self) -> Box<dyn ErasedUpdate> {
        Box::new(self.clone())
    }

    fn to_value(&self) -> serde_json::Result<Value> {
        serde_json::to_value(self)
    }

    fn to_body(&self) -> serde_json::Result<String> {
        serde_json::to_string(&UpdateBody { update: self })
    }
}
