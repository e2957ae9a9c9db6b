//! Editing of material in the user's editor.

use std::path::Path;
use std::process::Command;

use qingyu_studio::RunAnswer;

use crate::error::Error;

/// Runs `VISUAL`, else `EDITOR`, else the platform's default editor.
pub(crate) fn run_editor(path: &Path) -> Result<(), Error> {
    let told = ["VISUAL", "EDITOR"].into_iter().filter_map(|name| std::env::var(name).ok());
    let editor = told
        .into_iter()
        .find(|editor| !editor.trim().is_empty())
        .unwrap_or_else(|| if cfg!(windows) { "notepad" } else { "vi" }.to_owned());
    let failed = |message: String| Error::Editor { editor: editor.clone(), message };
    let mut words = editor.split_whitespace();
    let program = words.next().unwrap_or_default();
    match Command::new(program).args(words).arg(path).status() {
        Ok(status) if status.success() => Ok(()),
        Ok(status) => Err(failed(status.to_string())),
        Err(error) => Err(failed(error.to_string())),
    }
}

/// Parses edited material as an answer, as `resume` does.
pub(crate) fn edited(text: &str) -> Result<RunAnswer, qingyu_studio::Error> {
    serde_json::from_str(text).map(|material| RunAnswer::Edit { material }).map_err(|error| {
        qingyu_studio::Error::BadMaterial {
            path: format!("{}:{}", error.line(), error.column()),
            message: error.to_string(),
        }
    })
}
