//! The genres of the program, and an author's own.

use std::ffi::OsStr;
use std::fs;
use std::io::ErrorKind;

use qingyu_story::Language;
use qingyu_story::genre::{Genre, Genres};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::error::Error;
use crate::settings::effective::EffectiveSettings;
use crate::settings::layers::Settings;
use crate::studio::Studio;

/// A genre, and where it is from.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct GenreRow {
    /// Whether it is a file of the author.
    pub own: bool,
    /// The genre.
    pub genre: Genre,
}

impl Studio {
    /// Returns the genres of books in `language`, of all languages without one: those of the program, then the author's own
    /// (`genres/NAME.toml` in the home). An own file of the same name replaces a genre of the program.
    ///
    /// Returns [`Error::BadSettings`] if an own file cannot be read or does not parse.
    pub fn genres(&self, language: Option<Language>) -> Result<Vec<GenreRow>, Error> {
        let effective = self.settings().effective(None)?;
        let known = known(self.settings(), &effective)?;
        let is_own = |genre: &Genre| known.own().iter().any(|own| own.id == genre.id);
        let wanted = known.all().into_iter().filter(|genre| language.is_none_or(|language| genre.language == language));
        Ok(wanted.map(|genre| GenreRow { own: is_own(genre), genre: genre.clone() }).collect())
    }
}

/// Returns the genres that books may name: those of the program, and the author's own by name.
///
/// Returns [`Error::BadSettings`] if an own file cannot be read or does not parse.
pub(crate) fn known(settings: &Settings, effective: &EffectiveSettings) -> Result<Genres, Error> {
    let folder = settings.home().join("genres");
    let failed = |message: String| effective.bad("genres", format!("{}: {message}", folder.display()));
    let entries = match fs::read_dir(&folder) {
        Ok(entries) => entries,
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(Genres::builtin()),
        Err(error) => return Err(failed(error.to_string())),
    };
    let mut paths = Vec::new();
    for entry in entries {
        let path = entry.map_err(|error| failed(error.to_string()))?.path();
        if path.extension() == Some(OsStr::new("toml")) {
            paths.push(path);
        }
    }
    paths.sort();
    let mut genres = Vec::new();
    for path in paths {
        let id = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        let file = fs::read_to_string(&path).map_err(|error| failed(format!("{id}.toml: {error}")))?;
        // A shell makes the file before `genres NAME --file` writes into it.
        if !file.trim().is_empty() {
            genres.push(Genre::parse(&id, &file).map_err(|error| failed(error.to_string()))?);
        }
    }
    Ok(Genres::with(genres))
}
