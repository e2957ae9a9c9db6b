//! The author's own lists, from a folder: `NAME.toml` adds to the built-in list of that name, `NAME.only.toml` stands
//! instead of it; `platforms/NAME.toml` is a platform.

use std::path::{Path, PathBuf};

use qingyu_story::Language;
use qingyu_text::compliance::{Contacts, Inspector, Platform};
use qingyu_text::figures::{HardWords, Lexicon, Lists, Meter, PaceWords, SpeechWords};
use qingyu_text::{Error, OriginalityRules, Scanner, Variants, WordLists};

use super::Examiner;

/// The examiner with the lists of `folder`, which need not exist; else what is wrong with which file.
pub(super) fn examiner(folder: &Path) -> Result<Examiner, String> {
    let folder = Folder(folder);
    let feelings = |language: Language| {
        let name = format!("emotion.{}", language.code());
        folder.list(&name, Lexicon::builtin(language), Lexicon::parse, Lexicon::extended)
    };
    let lists = Lists {
        feelings_zh: feelings(Language::Zh)?,
        feelings_en: feelings(Language::En)?,
        pace: folder.list("pace", PaceWords::builtin(), PaceWords::parse, PaceWords::extended)?,
        speech: folder.list("speech", SpeechWords::builtin(), SpeechWords::parse, SpeechWords::extended)?,
        hard: folder.list("readability", HardWords::builtin(), HardWords::parse, HardWords::extended)?,
        ..Lists::builtin()
    };
    let words = folder.list("sensitive", WordLists::builtin(), WordLists::parse, WordLists::extended)?;
    let variants = folder.list("variants", Variants::builtin(), Variants::parse, Variants::extended)?;
    let scanner = Scanner::new(&words, Some(&variants)).map_err(|error| error.to_string())?;
    let contacts = folder.list("contacts", Contacts::builtin(), Contacts::parse, |_, own| own)?;
    let inspector =
        folder.platforms()?.into_iter().fold(Inspector::new(Platform::builtin(), contacts), Inspector::with);
    let rules = OriginalityRules::builtin();
    let originality = folder.list("originality", rules, OriginalityRules::parse, OriginalityRules::extended)?;
    Ok(Examiner::of(Meter::new(&lists), scanner, inspector, originality))
}

struct Folder<'f>(&'f Path);

impl Folder<'_> {
    /// The list of that name: built in, or the author's, or both.
    fn list<T>(
        &self,
        name: &str,
        builtin: T,
        parse: fn(&str) -> Result<T, Error>,
        extended: fn(T, T) -> T,
    ) -> Result<T, String> {
        let own = |suffix: &str| {
            let path = self.0.join(format!("{name}{suffix}.toml"));
            Ok::<_, String>(match read(&path)? {
                Some(text) => Some(parse(&text).map_err(|error| format!("{}: {error}", path.display()))?),
                None => None,
            })
        };
        let list = own(".only")?.unwrap_or(builtin);
        Ok(match own("")? {
            Some(own) => extended(list, own),
            None => list,
        })
    }

    /// The author's platforms, by the names of their files where they have none themselves.
    fn platforms(&self) -> Result<Vec<Platform>, String> {
        let folder = self.0.join("platforms");
        let Ok(entries) = std::fs::read_dir(&folder) else { return Ok(Vec::new()) };
        let mut paths: Vec<PathBuf> = entries.filter_map(|entry| Some(entry.ok()?.path())).collect();
        paths.retain(|path| path.extension().is_some_and(|extension| extension == "toml"));
        paths.sort();
        let platform = |path: PathBuf| {
            let text = read(&path)?.unwrap_or_default();
            let mut platform = Platform::parse(&text).map_err(|error| format!("{}: {error}", path.display()))?;
            if platform.name.trim().is_empty() {
                platform.name = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
            }
            Ok(platform)
        };
        paths.into_iter().map(platform).collect()
    }
}

/// The text of a file; none if there is no such file.
fn read(path: &Path) -> Result<Option<String>, String> {
    match std::fs::read_to_string(path) {
        Ok(text) => Ok(Some(text)),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(format!("{}: {error}", path.display())),
    }
}
