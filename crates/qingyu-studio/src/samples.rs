//! The sample books: short novels that were recorded while they were made, and are played again from the recording. Nobody is
//! asked, and nothing is paid.

use qingyu_story::Language;

use crate::view::ProjectRow;
use crate::{Error, Studio};

const ZH: &str = include_str!("../../../samples/zh/book.jsonl");
const EN: &str = include_str!("../../../samples/en/book.jsonl");

/// Whether a book with this premise is one of the samples.
pub(crate) fn is_sample(premise: &str) -> bool {
    let written = serde_json::Value::from(premise).to_string();
    !premise.is_empty()
        && [ZH, EN].iter().any(|recording| recording.lines().take(3).any(|line| line.contains(&written)))
}

impl Studio {
    /// Puts the sample book of a language on the shelf, with the runs that made it.
    pub async fn begin_sample(&self, language: Language) -> Result<ProjectRow, Error> {
        let (name, recording) = match language {
            Language::Zh => ("samples/zh/book.jsonl", ZH),
            Language::En => ("samples/en/book.jsonl", EN),
        };
        let project = self.play_and_keep(name, recording).await?;
        self.project(&project).await
    }
}
