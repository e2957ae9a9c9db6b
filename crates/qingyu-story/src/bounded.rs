//! Deserializes numbers, lists and texts of requests, settings and cards with a maximum given at the field.
//!
//! ```
//! #[derive(Debug, serde::Deserialize)]
//! struct BoundedRequest {
//!     #[serde(deserialize_with = "qingyu_story::bounded::at_most::<20, _, _>")]
//!     runs: u32,
//! }
//! let error = serde_json::from_str::<BoundedRequest>(r#"{"runs": 100000}"#).unwrap_err();
//! assert!(error.to_string().starts_with("100000 is too much: at most 20"));
//! ```

use std::num::NonZeroU32;

use serde::de::Error as _;
use serde::{Deserialize, Deserializer};

/// A value with a size comparable to a maximum.
pub trait Measured {
    /// Returns the size, as written in an error message, if the size exceeds `most` or is not a number.
    fn excess(&self, most: u64) -> Option<String>;
}

macro_rules! whole_numbers {
    ($($number:ty),+) => {$(
        impl Measured for $number {
            fn excess(&self, most: u64) -> Option<String> {
                (i128::try_from(*self).unwrap_or(i128::MAX) > i128::from(most)).then(|| self.to_string())
            }
        }
    )+};
}

whole_numbers!(u8, u16, u32, u64, usize, i32, i64);

impl Measured for NonZeroU32 {
    fn excess(&self, most: u64) -> Option<String> {
        self.get().excess(most)
    }
}

/// Finite, non-negative and at most the maximum.
impl Measured for f64 {
    fn excess(&self, most: u64) -> Option<String> {
        (!(0.0..=most as Self).contains(self)).then(|| self.to_string())
    }
}

/// At most the maximum number of entries.
impl<T> Measured for Vec<T> {
    fn excess(&self, most: u64) -> Option<String> {
        (self.len() as u64 > most).then(|| format!("a list of {}", self.len()))
    }
}

/// At most the maximum number of characters.
impl Measured for String {
    fn excess(&self, most: u64) -> Option<String> {
        let length = self.chars().count();
        (length as u64 > most).then(|| format!("a text of {length} characters"))
    }
}

impl<T: Measured> Measured for Option<T> {
    fn excess(&self, most: u64) -> Option<String> {
        self.as_ref().and_then(|value| value.excess(most))
    }
}

/// Deserializes a number of at most `MOST`, a list of at most `MOST` entries, or a text of at most `MOST` characters. Returns
/// an error naming the maximum otherwise.
pub fn at_most<'de, const MOST: u64, T: Measured + Deserialize<'de>, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<T, D::Error> {
    let value = T::deserialize(deserializer)?;
    match value.excess(MOST) {
        Some(size) => Err(D::Error::custom(format!("{size} is too much: at most {MOST} is allowed here"))),
        None => Ok(value),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Debug, Default, Deserialize)]
    #[serde(default)]
    struct BoundedRequest {
        #[serde(deserialize_with = "at_most::<3, _, _>")]
        number: Option<u32>,
        #[serde(deserialize_with = "at_most::<3, _, _>")]
        names: Vec<String>,
        #[serde(deserialize_with = "at_most::<1, _, _>")]
        share: f64,
        #[serde(deserialize_with = "at_most::<2, _, _>")]
        word: String,
    }

    #[test]
    fn what_is_too_much_is_refused_with_the_maximum() {
        for (json, message) in [
            (r#"{"number": 3, "names": ["a", "b", "c"], "share": 1.0}"#, None),
            (r#"{"number": null}"#, None),
            (r#"{"number": 4}"#, Some("4 is too much: at most 3")),
            (r#"{"names": ["a", "b", "c", "d"]}"#, Some("a list of 4 is too much: at most 3")),
            (r#"{"share": 1.5}"#, Some("1.5 is too much: at most 1")),
            (r#"{"share": -0.5}"#, Some("-0.5 is too much: at most 1")),
            (r#"{"word": "灵根"}"#, None),
            (r#"{"word": "双灵根"}"#, Some("a text of 3 characters is too much: at most 2")),
        ] {
            let read = serde_json::from_str::<BoundedRequest>(json).map_err(|error| error.to_string());
            match (read, message) {
                (Ok(BoundedRequest { number, names, share, word }), None) => {
                    assert!(number.unwrap_or(0) <= 3 && names.len() <= 3 && share <= 1.0);
                    assert!(word.chars().count() <= 2);
                }
                (Err(found), Some(message)) => assert!(found.starts_with(message), "{found}"),
                (found, _) => panic!("{json}: {found:?}"),
            }
        }
    }
}
