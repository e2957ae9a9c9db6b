//! What can go wrong, sorted by what the caller can do.

/// What went wrong.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Error {
    /// A list of the user's is not in its form: the user mends the file.
    #[error("{what} cannot be read: {message}")]
    BadData {
        /// Which list, such as `sensitive`.
        what: &'static str,
        /// Where and why.
        message: String,
    },
    /// A word of a list has no letter that could be sought: the user takes it out.
    #[error("{word:?} has no letter to be sought")]
    NoLetter {
        /// The word.
        word: String,
    },
    /// There are no rules for that platform: the user picks one that is known, or brings a file.
    #[error("there are no rules for the platform {given}")]
    UnknownPlatform {
        /// What was asked for.
        given: String,
        /// The platforms there are rules for.
        known: Vec<String>,
    },
}

/// Reads a value of the user's from TOML.
pub(crate) fn read<T: serde::de::DeserializeOwned>(what: &'static str, text: &str) -> Result<T, Error> {
    toml::from_str(text).map_err(|error| Error::BadData { what, message: error.to_string().trim_end().to_owned() })
}

/// Reads a value that is part of the program; the tests read every one.
pub(crate) fn builtin<T: serde::de::DeserializeOwned>(text: &str) -> T {
    toml::from_str(text).expect("the built-in lists are well formed: tested")
}
