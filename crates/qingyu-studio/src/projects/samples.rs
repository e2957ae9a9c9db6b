//! The sample books: short recorded novels, replayed offline at no cost.

use qingyu_story::Language;

use crate::error::Error;
use crate::projects::row::ProjectRow;
use crate::studio::Studio;

const ZH: &str = include_str!("../../../../samples/zh/book.jsonl");
const EN: &str = include_str!("../../../../samples/en/book.jsonl");

/// Returns whether the premise belongs to a sample book.
pub(crate) fn is_sample(premise: &str) -> bool {
    let written = serde_json::Value::from(premise).to_string();
    !premise.is_empty()
        && [ZH, EN].iter().any(|recording| recording.lines().take(3).any(|line| line.contains(&written)))
}

impl Studio {
    /// Creates the sample book of a language, with all its runs.
    pub(crate) async fn begin_sample(&self, language: Language) -> Result<ProjectRow, Error> {
        let (name, recording) = match language {
            Language::Zh => ("samples/zh/book.jsonl", ZH),
            Language::En => ("samples/en/book.jsonl", EN),
        };
        let project = self.play_and_keep(name, recording).await?;
        self.project(&project).await
    }
}
