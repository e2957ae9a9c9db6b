//! Collects the findings in a chapter.

use std::collections::BTreeMap;
use std::ops::Range;

use qingyu_story::{Language, Severity};

use super::finding::Finding;
use super::platform::PlatformRules;
use crate::messages::message;

/// A collector of findings.
pub(super) struct FindingCollector<'n> {
    pub(super) platform: &'n PlatformRules,
    pub(super) language: Language,
    pub(super) text: &'n str,
    pub(super) findings: Vec<Finding>,
}

impl FindingCollector<'_> {
    /// Appends a finding at `span`, unless disabled by the platform; `values` fill the message, as do the default
    /// values `text`, the words at `span`, and `platform`.
    pub(super) fn add(&mut self, code: &str, usual: Severity, span: Option<Range<usize>>, values: &[(&str, String)]) {
        let Some(severity) = self.platform.severities.get(code).map_or(Some(usual), |setting| setting.severity())
        else {
            return;
        };
        let text = span.clone().and_then(|span| self.text.get(span)).unwrap_or_default();
        let platform = self.platform.title(self.language);
        let mut filled: BTreeMap<String, String> = [("text", shortened(text)), ("platform", platform.to_owned())]
            .map(|(name, value)| (name.to_owned(), value))
            .into();
        filled.extend(values.iter().map(|(name, value)| ((*name).to_owned(), value.clone())));
        let (title, advice) = message(code, self.language, &filled);
        self.findings.push(Finding {
            code: code.to_owned(),
            severity,
            span,
            text: text.to_owned(),
            title,
            advice,
            values: filled,
        });
    }
}

/// Returns the beginning of a text too long for a message.
fn shortened(text: &str) -> String {
    const SHOWN: usize = 40;
    match text.char_indices().nth(SHOWN) {
        Some((at, _)) => format!("{}…", &text[..at]),
        None => text.to_owned(),
    }
}
