//! A finding, and the severities of findings.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::earlier::EarlierBooks;
use crate::genre::Genres;
use crate::report::{CorrectionInstruction, Issue, Severity};

/// Which rules run, and how bad their findings are.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct Config {
    /// What holds instead of a rule's own severity, by code (`QY103`) or the beginning of codes (`QY1`, `QY`); the
    /// longest match decides. In settings `off`, `low`, `medium`, `high` or `critical`.
    #[serde(with = "grades")]
    #[schemars(with = "BTreeMap<String, String>")]
    pub severities: BTreeMap<String, Option<Severity>>,
    /// The genres that a book may name; no setting, but the author's files.
    #[serde(skip)]
    pub genres: Genres,
    /// The earlier books of the series, and canon; no setting, but the author's other projects.
    #[serde(skip)]
    pub earlier: EarlierBooks,
}

impl Config {
    /// Returns the configuration under which the rule `code` alone runs, with findings of this severity.
    pub fn only(code: &str, severity: Severity) -> Self {
        let severities = [("Q".to_owned(), None), (code.to_owned(), Some(severity))];
        Self { severities: severities.into(), ..Self::default() }
    }

    /// Returns the severity of the rule's findings, or `None` if the rule is disabled.
    pub fn severity(&self, code: &str, default: Severity) -> Option<Severity> {
        let matching = self.severities.iter().filter(|(prefix, _)| code.starts_with(prefix.as_str()));
        matching.max_by_key(|(prefix, _)| prefix.len()).map_or(Some(default), |(_, severity)| *severity)
    }
}

/// A finding of a rule: the issue for the report, and what would mend it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Finding {
    /// What was found.
    pub issue: Issue,
    /// What to do about it; each can be read by [`edit::from_instruction`](crate::edit). Empty if only
    /// the author can tell.
    pub instructions: Vec<CorrectionInstruction>,
}

mod grades {
    use super::{BTreeMap, Severity};
    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    #[derive(Serialize, Deserialize)]
    #[serde(untagged)]
    enum Grade {
        At(Severity),
        Off(Off),
    }

    #[derive(Serialize, Deserialize)]
    #[serde(rename_all = "lowercase")]
    enum Off {
        Off,
    }

    pub(super) fn serialize<S: Serializer>(
        severities: &BTreeMap<String, Option<Severity>>,
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        let grade = |severity: &Option<Severity>| severity.map_or(Grade::Off(Off::Off), Grade::At);
        serializer.collect_map(severities.iter().map(|(code, severity)| (code, grade(severity))))
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<BTreeMap<String, Option<Severity>>, D::Error> {
        let grades = BTreeMap::<String, Grade>::deserialize(deserializer)?;
        let severity = |grade| match grade {
            Grade::At(severity) => Some(severity),
            Grade::Off(Off::Off) => None,
        };
        Ok(grades.into_iter().map(|(code, grade)| (code, severity(grade))).collect())
    }
}
