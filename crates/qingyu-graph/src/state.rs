//! Typed state: channels, updates, and the deltas that the journal keeps.

use std::fmt::Debug;
use std::sync::Arc;

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::Error;

/// Channel names and their values as JSON.
pub type Values = serde_json::Map<String, Value>;

/// The state of a graph: a struct whose fields are channels. Derive it.
///
/// Fields must be `Serialize`, `DeserializeOwned`, `Clone` and `Debug`; fields with a reducer function also `Default`.
/// They are kept as JSON, which has no infinite numbers: a channel with one cannot be read back.
pub trait State: Clone + Default + Send + Sync + 'static {
    /// What one node writes: a slot per channel.
    type Update: Update<State = Self>;

    /// The channels in declaration order.
    const CHANNELS: &'static [Channel];

    /// Folds the updates of one superstep, in the order given, and notes in `delta` what changed.
    ///
    /// On an error the state may be half changed and must be thrown away.
    fn fold(&mut self, updates: Vec<(Arc<str>, Self::Update)>, delta: Option<&mut Delta>) -> Result<(), Error>;

    /// The tracked channels as JSON.
    fn encode(&self) -> Result<Values, Error>;

    /// The state from its channels; a channel that is missing has its default.
    fn decode(values: Values) -> Result<Self, Error>;
}

/// A partial update of a state. Generated together with [`State`].
pub trait Update: Debug + Clone + Default + Serialize + DeserializeOwned + Send + Sync + 'static {
    /// The state that it updates.
    type State: State<Update = Self>;
}

/// One channel, as the graph's fingerprint sees it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Channel {
    /// The field's name.
    pub name: &'static str,
    /// The field's type as written.
    pub value: &'static str,
    /// `last`, `append`, `merge` or `reduce=path`.
    pub reducer: &'static str,
    /// Whether it is stored.
    pub tracked: bool,
}

/// A write to one channel, of a value or of its JSON.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Write<T> {
    /// Replaces the value, bypassing the reducer.
    Set(T),
    /// Is folded into the value by the reducer.
    Add(T),
}

/// What one superstep changed, in a form that can be replayed without the reducers.
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

    /// Brings `values` one superstep forward.
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
    struct Numbers {
        score: f64,
        #[channel(append)]
        scores: Vec<f64>,
    }

    proptest! {
        // A run that was resumed must not differ from one that was not, not even in the last bit.
        #[test]
        fn numbers_come_back_exactly(score in -1e18..1e18_f64, scores in prop::collection::vec(any::<f64>(), 0..4)) {
            let scores = scores.into_iter().filter(|score| score.is_finite()).collect();
            let numbers = Numbers { score, scores };
            let text = serde_json::to_string(&numbers.encode().unwrap()).unwrap();
            prop_assert_eq!(Numbers::decode(serde_json::from_str(&text).unwrap()).unwrap(), numbers);
        }
    }

    #[test]
    fn a_missing_channel_has_its_default_and_a_wrong_one_is_refused() {
        assert_eq!(Numbers::decode(Values::new()).unwrap(), Numbers::default());
        let mut wrong = Values::new();
        wrong.insert("score".to_owned(), "high".into());
        assert!(matches!(Numbers::decode(wrong), Err(Error::Corrupt { .. })));
    }

    #[test]
    fn a_change_that_does_not_fit_is_refused() {
        let mut values = Numbers::default().encode().unwrap();
        let delta = Delta(vec![("score".to_owned(), Write::Add(serde_json::json!([1.0])))]);
        assert!(matches!(delta.replay(&mut values), Err(Error::Corrupt { .. })));
    }
}
