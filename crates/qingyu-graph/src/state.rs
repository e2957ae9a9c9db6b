//! Typed state: channels, updates, and the deltas stored in the journal.

use std::fmt::Debug;
use std::sync::Arc;

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::error::Error;

/// Channel names and their values as JSON.
pub type Values = serde_json::Map<String, Value>;

/// The state of a graph: a struct whose fields are channels. Derive the trait.
///
/// Fields must be `Serialize`, `DeserializeOwned`, `Clone` and `Debug`; fields with a reducer function also `Default`.
/// The state is stored as JSON, which has no infinite numbers: a channel with one cannot be deserialized.
pub trait State: Clone + Default + Send + Sync + 'static {
    /// The update written by one node, with a slot per channel.
    type Update: Update<State = Self>;

    /// The channels in declaration order.
    const CHANNELS: &'static [StateChannel];

    /// Folds the updates of one superstep, in the given order, and appends the changes to `delta`.
    ///
    /// On an error the state may be partially changed and must be discarded.
    fn fold(&mut self, updates: Vec<(Arc<str>, Self::Update)>, delta: Option<&mut Delta>) -> Result<(), Error>;

    /// Serializes the tracked channels to JSON.
    fn encode(&self) -> Result<Values, Error>;

    /// Deserializes the state from its channels; a missing channel has the default.
    fn decode(values: Values) -> Result<Self, Error>;
}

/// A partial update of a state. Generated together with [`State`].
pub trait Update: Debug + Clone + Default + Serialize + DeserializeOwned + Send + Sync + 'static {
    /// The state that the update applies to.
    type State: State<Update = Self>;
}

/// A channel as seen by the graph's fingerprint.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct StateChannel {
    /// The field's name.
    pub name: &'static str,
    /// The field's type as written.
    pub value: &'static str,
    /// The reducer: `last`, `append`, `merge` or `reduce=path`.
    pub reducer: &'static str,
    /// Whether the channel is stored.
    pub tracked: bool,
}

/// A write to one channel, of a value or of the value's JSON.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Write<T> {
    /// Replaces the value and overrides the reducer.
    Set(T),
    /// Is folded into the value by the reducer.
    Add(T),
}

/// The changes of one superstep, in a form that can be replayed without the reducers.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Delta(Vec<(String, Write<Value>)>);

impl Delta {
    pub(crate) fn push<T: Serialize>(&mut self, key: &str, writer: &str, write: &Write<&T>) -> Result<(), Error> {
        let what = || format!("`{key}`, written by {writer}");
        let encoded = match write {
            Write::Set(value) => to_value(what, value).map(Write::Set)?,
            Write::Add(value) => to_value(what, value).map(Write::Add)?,
        };
        self.0.push((key.to_owned(), encoded));
        Ok(())
    }

    /// Applies the changes of one superstep to `values`.
    pub(crate) fn replay(self, values: &mut Values) -> Result<(), Error> {
        for (key, write) in self.0 {
            match (write, values.get_mut(&key)) {
                (Write::Add(Value::Array(added)), Some(Value::Array(old))) => old.extend(added),
                (Write::Add(Value::Object(added)), Some(Value::Object(old))) => old.extend(added),
                (Write::Add(Value::Array(_) | Value::Object(_)), Some(_)) => {
                    return Err(Error::Corrupt {
                        reason: format!("the stored change of `{key}` does not fit its value"),
                    });
                }
                (Write::Set(value) | Write::Add(value), _) => {
                    values.insert(key, value);
                }
            }
        }
        Ok(())
    }
}

pub(crate) fn to_value<T: Serialize>(what: impl Fn() -> String, value: &T) -> Result<Value, Error> {
    serde_json::to_value(value).map_err(|error| Error::Encode { what: what(), reason: error.to_string() })
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[derive(Debug, Clone, Default, PartialEq, crate::State)]
    struct FloatState {
        score: f64,
        #[channel(append)]
        scores: Vec<f64>,
    }

    proptest! {
        // A resumed run must not differ from an uninterrupted run, not even in the last bit.
        #[test]
        fn numbers_come_back_exactly(score in -1e18..1e18_f64, scores in prop::collection::vec(any::<f64>(), 0..4)) {
            let scores = scores.into_iter().filter(|score| score.is_finite()).collect();
            let numbers = FloatState { score, scores };
            let text = serde_json::to_string(&numbers.encode().unwrap()).unwrap();
            prop_assert_eq!(FloatState::decode(serde_json::from_str(&text).unwrap()).unwrap(), numbers);
        }
    }

    #[test]
    fn a_missing_channel_has_its_default_and_a_wrong_one_is_refused() {
        assert_eq!(FloatState::decode(Values::new()).unwrap(), FloatState::default());
        let mut wrong = Values::new();
        wrong.insert("score".to_owned(), "high".into());
        assert!(matches!(FloatState::decode(wrong), Err(Error::Corrupt { .. })));
    }

    #[test]
    fn a_change_that_does_not_fit_is_refused() {
        let mut values = FloatState::default().encode().unwrap();
        let delta = Delta(vec![("score".to_owned(), Write::Add(serde_json::json!([1.0])))]);
        assert!(matches!(delta.replay(&mut values), Err(Error::Corrupt { .. })));
    }
}
