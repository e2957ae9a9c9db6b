//! Reported speech without quotation marks: who tells a statement.

use std::collections::BTreeMap;
use std::ops::Range;

use regex::Regex;
use serde::Deserialize;

use super::slots::expand_slots;
use crate::Language;

/// The forms of reported speech in a language.
pub(super) struct Reports {
    forms: Vec<ReportForm>,
}

/// A form of reported speech.
struct ReportForm {
    pattern: Regex,
    /// Whether the report follows the statement: `Tom was dead, Mara said`.
    is_behind: bool,
    #[cfg(test)]
    examples: ReportExamples,
}

/// The id of a form, with example sentences that report a statement, and others that narrate one.
#[cfg(test)]
struct ReportExamples {
    id: String,
    reads: Vec<String>,
    passes: Vec<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct ReportSource {
    id: String,
    #[serde(default)]
    behind: bool,
    pattern: String,
    #[serde(default)]
    #[cfg_attr(not(test), expect(dead_code, reason = "only tests read the examples"))]
    reads: Vec<String>,
    #[serde(default)]
    #[cfg_attr(not(test), expect(dead_code, reason = "only tests read the examples"))]
    passes: Vec<String>,
}

impl Reports {
    pub(super) fn new(language: Language, sources: Vec<ReportSource>, slots: &BTreeMap<String, String>) -> Self {
        let form = |source: ReportSource| {
            let case = if language == Language::En { "(?i)" } else { "" };
            let pattern = format!("{case}{}", expand_slots(&source.pattern, slots));
            let pattern = Regex::new(&pattern)
                .unwrap_or_else(|error| panic!("the report {} is part of the program: {error}", source.id));
            ReportForm {
                pattern,
                is_behind: source.behind,
                #[cfg(test)]
                examples: ReportExamples { id: source.id, reads: source.reads, passes: source.passes },
            }
        };
        Self { forms: sources.into_iter().map(form).collect() }
    }

    /// Returns who tells the statement at `span`, as the range of the placeholder in `text`, `None` for somebody unnamed;
    /// the whole is `None` for a statement that nobody reports. `sentence` is where the sentence of the statement begins.
    pub(super) fn teller(&self, text: &str, sentence: usize, span: &Range<usize>) -> Option<Option<Range<usize>>> {
        self.forms.iter().find_map(|form| {
            let (part, offset) = match form.is_behind {
                true => (&text[span.end..], span.end),
                false => (&text[sentence..span.start], sentence),
            };
            let captures = form.pattern.captures(part)?;
            Some(captures.name("by").map(|by| by.start() + offset..by.end() + offset))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::super::forms::Forms;
    use super::super::forms::tests::names;
    use super::super::{KnownCast, read};
    use super::*;
    use crate::Mode;

    #[test]
    fn every_form_of_report_reads_its_examples_and_passes_over_the_others() {
        let cast = KnownCast { names: std::sync::Arc::new(names()), ladders: &[], lead: None };
        let mut wrong = Vec::new();
        for language in [Language::Zh, Language::En] {
            for form in &Forms::of(language).cues.reports.forms {
                let ReportExamples { id, reads, passes } = &form.examples;
                for example in reads {
                    let (text, by) = example.split_once("=>").expect("an example says who tells it");
                    let by = Some(by.trim()).filter(|by| !by.is_empty());
                    let found = read(&cast, text.trim(), |_| true).facts;
                    if found.is_empty() || found.iter().any(|fact| (fact.mode, fact.by.as_deref()) != (Mode::Said, by))
                    {
                        wrong.push(format!("{id}: {text}: {found:?}"));
                    }
                }
                for text in passes {
                    let found = read(&cast, text, |_| true).facts;
                    if !found.iter().any(|fact| fact.mode == Mode::Narrated) {
                        wrong.push(format!("{id} must pass over {text}: {found:?}"));
                    }
                }
            }
        }
        assert!(wrong.is_empty(), "{wrong:#?}");
    }
}
