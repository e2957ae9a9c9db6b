//! Conversion of errors from parsing manuscripts.

use qingyu_formats::Error as Formats;
use serde_json::{Value, json};

use crate::error::Error;

impl Error {
    /// Converts an error from parsing a manuscript; the reason tells the user's possible reaction.
    pub(crate) fn of_manuscript(error: &Formats) -> Self {
        let (reason, details) = match error {
            Formats::UnknownFormat => ("unknown_format", json!({})),
            Formats::ProjectIndex => ("project_index", json!({})),
            Formats::NotText { encoding, bad, characters, candidates } => {
                let details =
                    json!({"encoding": encoding, "bad": bad, "characters": characters, "candidates": candidates});
                ("not_text", details)
            }
            Formats::BadPattern { pattern, message } => {
                ("bad_pattern", json!({"pattern": pattern, "message": message}))
            }
            Formats::NoHeading { pattern } => ("no_heading", json!({"pattern": pattern})),
            Formats::UnknownEncoding { given } => ("unknown_encoding", json!({"encoding": given})),
            Formats::Damaged { place, message } => ("damaged", json!({"place": place, "message": message})),
            Formats::Refused { place, message } => ("refused", json!({"place": place, "message": message})),
            Formats::TooLarge { place, limit, unit } => {
                ("too_large", json!({"place": place, "limit": limit, "unit": unit}))
            }
            Formats::Protected { place } => ("protected", json!({"place": place})),
            Formats::Empty => ("empty", json!({})),
            other => return Self::Internal { message: other.to_string() },
        };
        let Value::Object(fields) = details else { unreachable!("every arm is an object") };
        let details = fields.into_iter().collect();
        Self::BadManuscript { reason: reason.into(), details, message: error.to_string() }
    }
}
