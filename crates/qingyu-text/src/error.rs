//! The error type, with variants by possible reaction of the caller.

/// An error of text analysis.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Error {
    /// A user-supplied list does not parse: fix the file.
    #[error("{what} cannot be read: {message}")]
    BadData {
        /// The name of the list, such as `sensitive`.
        what: &'static str,
        /// The location and the reason.
        message: String,
    },
    /// A listed word contains no searchable letter: remove the word.
    #[error("{word:?} has no letter to search for")]
    NoLetter {
        /// The word.
        word: String,
    },
    /// No rules exist for the platform: choose a known platform, or supply a file.
    #[error("there are no rules for the platform {given}")]
    UnknownPlatform {
        /// The requested name.
        given: String,
        /// The known platforms.
        known: Vec<String>,
    },
}

/// Parses a user-supplied value from TOML.
pub(crate) fn read<T: serde::de::DeserializeOwned>(what: &'static str, text: &str) -> Result<T, Error> {
    toml::from_str(text).map_err(|error| Error::BadData { what, message: error.to_string().trim_end().to_owned() })
}

/// Parses a built-in value; tests parse every built-in file.
pub(crate) fn builtin<T: serde::de::DeserializeOwned>(text: &str) -> T {
    toml::from_str(text).expect("the built-in lists are well formed: tested")
}
