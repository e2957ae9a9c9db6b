//! Reading settings files.

use std::path::Path;

use toml::Table;

use crate::error::Error;
use crate::settings::layer::SettingLayer;

/// The user's file in the data folder.
pub(crate) const USER_FILE: &str = "config.toml";

/// Parses a settings file; a missing file is empty.
pub(crate) fn read(path: &Path, layer: SettingLayer) -> Result<Table, Error> {
    parsed(path, layer, &text_of(path, layer)?)
}

/// Reads the text of a settings file; a missing file is empty.
pub(crate) fn text_of(path: &Path, layer: SettingLayer) -> Result<String, Error> {
    match std::fs::read_to_string(path) {
        Err(error) if matches!(error.kind(), std::io::ErrorKind::NotFound | std::io::ErrorKind::NotADirectory) => {
            Ok(String::new())
        }
        text => text.map_err(|error| bad_file(path, layer, error.to_string())),
    }
}

/// Parses the text of a settings file.
pub(crate) fn parsed(path: &Path, layer: SettingLayer, text: &str) -> Result<Table, Error> {
    // Only the message: the full error quotes the line, which may contain a secret.
    text.parse().map_err(|error: toml::de::Error| bad_file(path, layer, position(text, &error)))
}

fn bad_file(path: &Path, layer: SettingLayer, message: String) -> Error {
    Error::BadSettings { layer, source_name: Some(path.display().to_string()), key: String::new(), message }
}

/// Returns the error message with its line number.
fn position(text: &str, error: &toml::de::Error) -> String {
    let message = error.message();
    match error.span().and_then(|span| text.get(..span.start)) {
        Some(before) => format!("line {}: {message}", before.matches('\n').count() + 1),
        None => message.into(),
    }
}
