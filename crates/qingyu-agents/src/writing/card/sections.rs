//! The sections of a card, each within its own limit of tokens.

use qingyu_llm::estimate;

use super::cut::clip;
use crate::labels::Labels;

/// The sections of a card: headings with lines.
#[derive(Debug)]
pub(super) struct CardSections {
    /// Text before and after a heading.
    pub(super) frame: (&'static str, &'static str),
    pub(super) all: Vec<String>,
}

impl CardSections {
    pub(super) fn of(words: &Labels) -> Self {
        Self { frame: words.frame, all: Vec::new() }
    }

    /// Appends the first lines that fit; the very first line may be cut.
    pub(super) fn add(&mut self, heading: &str, lines: Vec<String>, tokens: u64) {
        let lines = fitting(lines, tokens);
        if lines.is_empty() {
            return;
        }
        let lines: Vec<String> = lines.into_iter().map(|line| format!("- {line}")).collect();
        let (open, close) = self.frame;
        self.all.push(format!("{open}{heading}{close}\n{}", lines.join("\n")));
    }

    /// Appends the last lines that fit.
    pub(super) fn add_last(&mut self, heading: &str, mut lines: Vec<String>, tokens: u64) {
        lines.reverse();
        let mut lines = fitting(lines, tokens);
        lines.reverse();
        self.add(heading, lines, u64::MAX);
    }

    pub(super) fn list(self) -> Vec<String> {
        self.all
    }

    /// Returns the sections that fit, in order.
    pub(super) fn within(mut self, budget: u64) -> String {
        let mut used = 0;
        self.all.retain(|section| {
            let cost = estimate::tokens(section);
            let fits = used + cost <= budget;
            used += if fits { cost } else { 0 };
            fits
        });
        self.text()
    }

    pub(super) fn text(&self) -> String {
        self.all.join("\n")
    }
}

/// Returns the lines that fit, in order; the first line may be cut.
pub(crate) fn fitting(lines: Vec<String>, tokens: u64) -> Vec<String> {
    let mut used = 0;
    let mut kept = Vec::new();
    for line in lines.into_iter().filter(|line| !line.trim().is_empty()) {
        let cost = estimate::tokens(&line) + 2;
        if cost <= tokens.saturating_sub(used) {
            used += cost;
            kept.push(line);
        } else if kept.is_empty() {
            kept.push(clip(&line, tokens.saturating_sub(2)));
            used = tokens;
        }
    }
    kept
}
