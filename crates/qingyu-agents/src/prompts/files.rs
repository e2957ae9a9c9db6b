//! The prompt files: built-in files, and overrides in a folder.

use std::collections::BTreeMap;
use std::path::Path;

use super::declared::FOLDERS;
use crate::error::Error;

macro_rules! prompts {
    ($($name:literal),+ $(,)?) => {
        &[$(
            (concat!($name, ".zh.md"), include_str!(concat!("../../prompts/", $name, ".zh.md"))),
            (concat!($name, ".en.md"), include_str!(concat!("../../prompts/", $name, ".en.md"))),
        )+]
    };
}

/// Files of the pipeline, with their texts.
pub(super) const BUILTIN: &[(&str, &str)] = prompts![
    "directions/system",
    "directions/propose",
    "planner/system",
    "planner/generate",
    "worldview/system",
    "worldview/generate",
    "worldview/correct",
    "worldview/regenerate",
    "outline/system",
    "outline/generate",
    "outline/correct",
    "outline/regenerate",
    "outline/levels",
    "outline/book",
    "outline/arcs",
    "outline/chapters",
    "outline/later",
    "character/system",
    "character/generate",
    "character/correct",
    "character/regenerate",
    "plot/system",
    "plot/generate",
    "plot/correct",
    "plot/regenerate",
    "style/system",
    "style/generate",
    "style/correct",
    "style/regenerate",
    "review/system",
    "review/generate",
    "assistant/system",
    "assistant/understand",
    "assistant/answer",
    "assistant/rerank",
    "chapter/system",
    "chapter/understand",
    "chapter/generate",
    "chapter/continue",
    "chapter/rewrite",
    "chapter/seams",
    "chapter/fix",
    "critic/system",
    "critic/review",
    "settle/system",
    "settle/extract",
    "meta/correction",
    "production/system",
    "production/interview",
    "production/route",
    "production/make",
    "production/chat",
    "research/system",
    "research/plan",
    "research/note",
    "research/write",
    "consumer/system",
    "consumer/read",
    "consumer/personas",
    "judge/system",
    "judge/score",
    "shared/rules",
    "golden/context",
    "shared/given",
    "shared/context",
    "shared/preferences",
];

/// Returns all built-in files, including the files of the service's agents.
pub(super) fn builtin() -> BTreeMap<String, String> {
    let own = FOLDERS.into_iter().flat_map(|folder| folder.files);
    BUILTIN.iter().chain(own).map(|(file, text)| ((*file).to_owned(), (*text).to_owned())).collect()
}

/// Maximum size of an override in bytes.
const MAX_BYTES: u64 = 64 * 1024;

/// Reads the Markdown files one folder below `folder`, by relative name.
pub(super) fn read(folder: &Path) -> Result<BTreeMap<String, String>, Error> {
    let mut found = BTreeMap::new();
    if !folder.exists() {
        return Ok(found);
    }
    for agent in entries(folder)?.into_iter().filter(|path| path.is_dir()) {
        for path in entries(&agent)? {
            if path.extension().is_none_or(|extension| extension != "md") {
                continue;
            }
            let failed = |source| Error::PromptFile { path: path.clone(), source };
            if path.metadata().map_err(failed)?.len() > MAX_BYTES {
                return Err(Error::PromptTooLong { path, limit: MAX_BYTES });
            }
            let name = path.strip_prefix(folder).unwrap_or(&path).components();
            let name = name.map(|part| part.as_os_str().to_string_lossy()).collect::<Vec<_>>().join("/");
            found.insert(name, std::fs::read_to_string(&path).map_err(failed)?);
        }
    }
    Ok(found)
}

fn entries(folder: &Path) -> Result<Vec<std::path::PathBuf>, Error> {
    let failed = |source| Error::PromptFile { path: folder.to_owned(), source };
    let mut paths = std::fs::read_dir(folder)
        .and_then(|entries| entries.map(|entry| entry.map(|entry| entry.path())).collect::<Result<Vec<_>, _>>())
        .map_err(failed)?;
    paths.sort();
    Ok(paths)
}
