//! The author's lists in a folder: `NAME.toml` extends the built-in list of the same name, `NAME.only.toml` overrides
//! it; `platforms/NAME.toml` defines a platform.

use std::path::{Path, PathBuf};

use qingyu_story::Language;
use qingyu_text::compliance::{Contacts, Inspector, PlatformRules};
use qingyu_text::figures::{EmotionLexicon, HardWords, Lists, Meter, PaceWords, SpeechWords};
use qingyu_text::{Error, OriginalityRules, Scanner, Variants, WordLists};

use crate::texts::examiner::Examiner;

/// Returns an examiner with the lists of `folder`, which may be missing; the error names the invalid file.
pub(crate) fn examiner(folder: &Path) -> Result<Examiner, String> {
    let folder = ListFolder(folder);
    let feelings = |language: Language| {
        let name = format!("emotion.{}", language.code());
        folder.list(&name, EmotionLexicon::builtin(language), EmotionLexicon::parse, EmotionLexicon::extended)
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
        folder.platforms()?.into_iter().fold(Inspector::new(PlatformRules::builtin(), contacts), Inspector::with);
    let rules = OriginalityRules::builtin();
    let originality = folder.list("originality", rules, OriginalityRules::parse, OriginalityRules::extended)?;
    Ok(Examiner::of(Meter::new(&lists), scanner, inspector, originality))
}

struct ListFolder<'f>(&'f Path);

impl ListFolder<'_> {
    /// Returns a list: the built-in list, the author's, or both merged.
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

    /// Returns the author's platforms; the file name is the default name.
    fn platforms(&self) -> Result<Vec<PlatformRules>, String> {
        let folder = self.0.join("platforms");
        let Ok(entries) = std::fs::read_dir(&folder) else { return Ok(Vec::new()) };
        let mut paths: Vec<PathBuf> = entries.filter_map(|entry| Some(entry.ok()?.path())).collect();
        paths.retain(|path| path.extension().is_some_and(|extension| extension == "toml"));
        paths.sort();
        let platform = |path: PathBuf| {
            let text = read(&path)?.unwrap_or_default();
            let mut platform = PlatformRules::parse(&text).map_err(|error| format!("{}: {error}", path.display()))?;
            if platform.name.trim().is_empty() {
                platform.name = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
            }
            Ok(platform)
        };
        paths.into_iter().map(platform).collect()
    }
}

/// Reads a file; returns `None` if the file is missing.
fn read(path: &Path) -> Result<Option<String>, String> {
    match std::fs::read_to_string(path) {
        Ok(text) => Ok(Some(text)),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(format!("{}: {error}", path.display())),
    }
}
