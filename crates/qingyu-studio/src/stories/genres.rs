//! The genres of the program, and an author's own.

use std::ffi::OsStr;
use std::fs;
use std::io::ErrorKind;
use std::path::Path;

use qingyu_story::edit::{self, Edit};
use qingyu_story::genre::{Genre, Genres};
use qingyu_story::{Ladder, Language, Piece};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::error::{Error, Noun, StorageFailure};
use crate::settings::effective::EffectiveSettings;
use crate::settings::layers::Settings;
use crate::storage::written::write_whole;
use crate::studio::Studio;

/// A genre, and where it is from.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct GenreRow {
    /// Whether it is a file of the author.
    pub own: bool,
    /// The genre.
    pub genre: Genre,
}

/// The ladders of a book.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct LadderList {
    /// The number of the change; `None` if nothing changed.
    pub change: Option<u64>,
    /// The ladders.
    pub ladders: Vec<Ladder>,
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

    /// Saves a genre as an own file, `genres/ID.toml` in the home.
    ///
    /// Returns [`Error::BadRequest`] for a name that no genre can have and for a genre that would not parse, and
    /// [`StorageFailure::TargetExists`] if there is a file of this ID, or a genre with this ID or the same name, unless it is
    /// to be replaced.
    pub(crate) fn save_genre(&self, id: &str, content: &Genre, replace: bool) -> Result<GenreRow, Error> {
        let id = checked_id(id)?;
        let refused = |message: String| Error::BadRequest { path: "content".into(), message };
        let genre = Genre::parse(&id, &content.file()).map_err(|error| refused(error.message))?;
        let path = self.settings().home().join("genres").join(format!("{id}.toml"));
        if !replace && (is_written(&path) || self.has_genre(&[&id, &genre.name])?) {
            return Err(Error::Storage(StorageFailure::TargetExists { path }));
        }
        write_whole(&path, &genre.file()).map_err(|error| self.place("").file(&path, &error))?;
        Ok(GenreRow { own: true, genre })
    }

    /// Returns whether a genre of the program or of the author has one of these as its ID or name.
    fn has_genre(&self, names: &[&str]) -> Result<bool, Error> {
        let effective = self.settings().effective(None)?;
        let known = known(self.settings(), &effective)?;
        Ok(names.iter().any(|name| known.find(name).is_some()))
    }

    /// Adds the ladders of the genre named `given` that the project does not have, all of them or none, and returns the
    /// ladders of the project.
    ///
    /// Returns [`Error::Unknown`] for an unknown genre, and [`Error::Conflict`] after a concurrent change of the project.
    pub async fn take_ladders(&self, project: &str, given: &str) -> Result<LadderList, Error> {
        let effective = self.settings().effective(None)?;
        let genres = known(self.settings(), &effective)?;
        let genre = genres.find(given).ok_or_else(|| Error::unknown(Noun::Genre, given))?;
        let (id, kept) = self.kept_story(project).await?;
        let mut story = kept.story.clone();
        for ladder in &genre.ladders {
            if story.ladders().iter().any(|known| known.is_called(&ladder.name)) {
                continue;
            }
            let create = Edit::Create { piece: Piece::Ladder(ladder.clone()) };
            let refused = |error: edit::Error| Error::BadRequest { path: "genre".into(), message: error.to_string() };
            edit::apply(&mut story, create).map_err(refused)?;
        }
        let version = self.put(&id, "ladders", &kept, &story).await?;
        let change = (version > kept.version).then_some(version);
        Ok(LadderList { change, ladders: story.ladders().to_vec() })
    }
}

/// Returns whether there is something at the path but an empty file, which a shell makes before `genres NAME --file` writes
/// into it. A file that cannot be read counts as well.
fn is_written(path: &Path) -> bool {
    match fs::metadata(path) {
        Ok(file) => !file.is_file() || file.len() > 0,
        Err(error) => error.kind() != ErrorKind::NotFound,
    }
}

/// Returns the ID of a genre in lower case, as a book's world names it.
///
/// Returns [`Error::BadRequest`] unless it has 1 to 40 letters, digits and hyphens and begins with a letter or digit: it is the
/// name of a file.
pub(crate) fn checked_id(given: &str) -> Result<String, Error> {
    const LONGEST: usize = 40;
    let id = given.trim().to_lowercase();
    let is_sound = id.chars().all(|letter| letter.is_alphanumeric() || letter == '-');
    if !is_sound || id.is_empty() || id.starts_with('-') || id.chars().count() > LONGEST {
        let message = format!("the name of a genre has 1 to {LONGEST} letters, digits and hyphens");
        return Err(Error::BadRequest { path: "genre".into(), message });
    }
    Ok(id)
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
