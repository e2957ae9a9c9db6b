//! The reducers called by derived code.

use std::sync::Arc;

use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::error::Error;
use crate::state::{Delta, Values, Write, to_value};

/// Extends the pending write of a list or map; two calls make one longer write.
pub fn add<T>(slot: &mut Option<Write<T>>, value: T)
where
    T: Extend<T::Item> + IntoIterator,
{
    match slot {
        Some(Write::Set(old) | Write::Add(old)) => old.extend(value),
        None => *slot = Some(Write::Add(value)),
    }
}

/// Folds a plain channel: at most one write per superstep.
pub fn last<'a, T: Serialize>(
    field: &mut T,
    key: &'static str,
    writes: impl Iterator<Item = (&'a Arc<str>, Option<Write<T>>)>,
    delta: Option<&mut Delta>,
) -> Result<(), Error> {
    let mut writes = ChannelWrites::collect(writes);
    if writes.0.len() > 1 {
        return Err(writes.conflict(key));
    }
    let Some((writer, Write::Set(value) | Write::Add(value))) = writes.0.pop() else { return Ok(()) };
    *field = value;
    delta.map_or(Ok(()), |delta| delta.push(key, writer, &Write::Set(&*field)))
}

/// Folds a list or a map: every write extends the value.
pub fn extend<'a, T>(
    field: &mut T,
    key: &'static str,
    writes: impl Iterator<Item = (&'a Arc<str>, Option<Write<T>>)>,
    mut delta: Option<&mut Delta>,
) -> Result<(), Error>
where
    T: Extend<T::Item> + IntoIterator + Serialize,
{
    for (writer, write) in ChannelWrites::checked(key, writes)?.0 {
        if let Some(delta) = delta.as_deref_mut() {
            delta.push(key, writer, &write.as_ref())?;
        }
        match write {
            Write::Set(value) => *field = value,
            Write::Add(value) => field.extend(value),
        }
    }
    Ok(())
}

/// Folds a channel with a reducer function; the journal stores the result, so that replay does not call the function.
pub fn reduce<'a, T: Default + Serialize>(
    field: &mut T,
    key: &'static str,
    reducer: impl Fn(T, T) -> T,
    writes: impl Iterator<Item = (&'a Arc<str>, Option<Write<T>>)>,
    delta: Option<&mut Delta>,
) -> Result<(), Error> {
    let writes = ChannelWrites::checked(key, writes)?;
    if writes.0.is_empty() {
        return Ok(());
    }
    let writers = writes.writers().join(", ");
    for (_, write) in writes.0 {
        *field = match write {
            Write::Set(value) => value,
            Write::Add(value) => reducer(std::mem::take(field), value),
        };
    }
    delta.map_or(Ok(()), |delta| delta.push(key, &writers, &Write::Set(&*field)))
}

/// Serializes one channel and inserts the value into `values`.
pub fn encode<T: Serialize>(values: &mut Values, key: &'static str, field: &T) -> Result<(), Error> {
    values.insert(key.to_owned(), to_value(|| format!("`{key}`"), field)?);
    Ok(())
}

/// Removes one channel from `values` and deserializes the value, if present.
pub fn decode<T: DeserializeOwned>(values: &mut Values, key: &'static str, field: &mut T) -> Result<(), Error> {
    if let Some(value) = values.remove(key) {
        *field = serde_json::from_value(value).map_err(|error| Error::Corrupt {
            reason: format!("the stored value of `{key}` cannot be read: {error}"),
        })?;
    }
    Ok(())
}

/// The writes to one channel in one superstep, with the writers.
struct ChannelWrites<'a, T>(Vec<(&'a Arc<str>, Write<T>)>);

impl<'a, T> ChannelWrites<'a, T> {
    fn collect(writes: impl Iterator<Item = (&'a Arc<str>, Option<Write<T>>)>) -> Self {
        Self(writes.filter_map(|(writer, write)| Some((writer, write?))).collect())
    }

    /// Validates the writes: an overwrite beside any other write is an error, since one of the two would be lost.
    fn checked(
        key: &'static str,
        writes: impl Iterator<Item = (&'a Arc<str>, Option<Write<T>>)>,
    ) -> Result<Self, Error> {
        let writes = Self::collect(writes);
        if writes.0.len() > 1 && writes.0.iter().any(|(_, write)| matches!(write, Write::Set(_))) {
            return Err(writes.conflict(key));
        }
        Ok(writes)
    }

    fn conflict(&self, key: &'static str) -> Error {
        Error::InvalidUpdate { key: key.to_owned(), writers: self.writers() }
    }

    fn writers(&self) -> Vec<String> {
        self.0.iter().map(|(writer, _)| writer.to_string()).collect()
    }
}

impl<T> Write<T> {
    fn as_ref(&self) -> Write<&T> {
        match self {
            Self::Set(value) => Write::Set(value),
            Self::Add(value) => Write::Add(value),
        }
    }
}
