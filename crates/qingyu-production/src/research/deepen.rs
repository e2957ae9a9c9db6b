//! A later research of one question, added to the section of the question in an earlier report.

use super::{Finding, Report};
use crate::citation::renumber;

impl Report {
    /// Returns the number of the question that words are about: a question named by its number (`question 2`, `第 2 问`), or
    /// the question with most of its terms in the words, if that is more than half of them.
    pub fn question_in(&self, words: &str) -> Option<u32> {
        /// The share of the terms of a question from which words are about it.
        const ENOUGH: f64 = 0.6;
        let lower = words.to_lowercase();
        let is_named = |number: u32| {
            let names = ["question {}", "第 {} 问", "第{}问", "第 {} 个问题", "第{}个问题", "问题 {}", "问题{}"];
            names.iter().any(|name| {
                let name = name.replace("{}", &number.to_string());
                let behind = lower.find(&name).map(|at| &lower[at + name.len()..]);
                behind.is_some_and(|behind| !behind.starts_with(|c: char| c.is_ascii_digit()))
            })
        };
        let numbered: Vec<u32> = (1..).zip(&self.questions).map(|(number, _)| number).collect();
        if let Some(number) = numbered.iter().copied().find(|number| is_named(*number)) {
            return Some(number);
        }
        self.nearest_question(words, ENOUGH)
    }

    /// Adds a later research of the question with the number: its findings and its summary to the section of the
    /// question, its sources behind those that are there, each address once. The summary of the report stays as it is.
    pub fn deepen(&mut self, question: u32, later: Report) {
        // Without a source, the summary says only that nothing was found.
        let is_answer = !later.sources.is_empty();
        let mut numbers: Vec<(u32, u32)> = Vec::new();
        for source in later.sources {
            let known = self.sources.iter().find(|known| known.url == source.url).map(|known| known.number);
            let number = known.unwrap_or_else(|| self.sources.iter().map(|known| known.number).max().unwrap_or(0) + 1);
            numbers.push((source.number, number));
            if known.is_none() {
                self.sources.push(super::Source { number, ..source });
            }
        }
        let number_of = |number: u32| numbers.iter().find(|(old, _)| *old == number).map(|(_, number)| *number);
        for finding in later.findings {
            let sources: Vec<u32> = finding.sources.iter().filter_map(|number| number_of(*number)).collect();
            match self.findings.iter_mut().find(|known| known.claim == finding.claim) {
                Some(known) => {
                    known.sources.extend(sources);
                    known.sources.sort_unstable();
                    known.sources.dedup();
                    known.is_supported |= finding.is_supported;
                }
                None => {
                    let last = self.findings.iter().rposition(|known| known.question == question);
                    let place = last.map_or(self.findings.len(), |place| place + 1);
                    self.findings.insert(place, Finding { sources, question, ..finding });
                }
            }
        }
        let answer = renumber(later.summary.trim(), number_of);
        let place = (question as usize).checked_sub(1).and_then(|at| self.questions.get_mut(at));
        if let Some(section) = place.filter(|_| is_answer && !answer.is_empty()) {
            section.answer = format!("{}\n\n{answer}", section.answer.trim_end()).trim_start().to_owned();
        }
        let is_page = |url: &str, sources: &[super::Source]| sources.iter().any(|source| source.url == url);
        self.dropped.retain(|dropped| !is_page(&dropped.url, &self.sources));
        let dropped = later.dropped.into_iter().filter(|dropped| !is_page(&dropped.url, &self.sources));
        self.dropped.extend(dropped.collect::<Vec<_>>());
        self.refused.extend(later.refused);
        extend_unique(&mut self.gaps, later.gaps.into_iter().filter(|gap| !gap.is_empty()));
        extend_unique(&mut self.queries, later.queries);
    }
}

/// Appends the entries that a list does not have.
fn extend_unique(known: &mut Vec<String>, later: impl IntoIterator<Item = String>) {
    for entry in later {
        if !known.contains(&entry) {
            known.push(entry);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::{ResearchQuestion, Source};
    use super::*;

    fn report(urls: &[&str], findings: &[(&str, &[u32], u32)], questions: &[&str]) -> Report {
        let source = |(number, url): (u32, &&str)| Source { number, url: (*url).to_owned(), ..Source::default() };
        let finding = |(claim, sources, question): &(&str, &[u32], u32)| Finding {
            claim: (*claim).to_owned(),
            sources: sources.to_vec(),
            is_supported: true,
            question: *question,
        };
        let question = |question: &&str| ResearchQuestion { question: (*question).to_owned(), ..Default::default() };
        Report {
            sources: (1..).zip(urls).map(source).collect(),
            findings: findings.iter().map(finding).collect(),
            questions: questions.iter().map(question).collect(),
            ..Report::default()
        }
    }

    #[test]
    fn the_question_that_words_are_about_is_found() {
        let asked = report(&[], &[], &["When do librarians have time?", "图书馆每年花多少钱做培训"]);
        for (words, expected) in [
            ("dig deeper into question 1", Some(1)),
            ("再查查第2个问题", Some(2)),
            ("How much time do librarians have in the evening, and when?", Some(1)),
            ("小图书馆每年花多少钱做培训？", Some(2)),
            ("question 12", None),
            ("怎样给软件定价", None),
        ] {
            assert_eq!(asked.question_in(words), expected, "{words}");
        }
    }

    #[test]
    fn a_later_research_deepens_one_section() {
        let mut first = report(&["a", "b"], &[("x", &[1], 1), ("y", &[2], 2)], &["one", "two"]);
        first.summary = "S [1].".into();
        let mut later = report(&["b", "c"], &[("y", &[2], 1), ("z", &[1, 2], 0)], &["part"]);
        later.summary = "L [2][1].".into();
        first.deepen(1, later);
        let urls: Vec<(u32, &str)> = first.sources.iter().map(|source| (source.number, source.url.as_str())).collect();
        assert_eq!(urls, [(1, "a"), (2, "b"), (3, "c")]);
        let findings: Vec<(&str, &[u32], u32)> = first
            .findings
            .iter()
            .map(|finding| (finding.claim.as_str(), finding.sources.as_slice(), finding.question))
            .collect();
        assert_eq!(findings, [("x", &[1][..], 1), ("z", &[2, 3][..], 1), ("y", &[2, 3][..], 2)]);
        assert_eq!(first.summary, "S [1].", "what is said of the whole stays");
        let answers: Vec<&str> = first.questions.iter().map(|question| question.answer.as_str()).collect();
        assert_eq!(answers, ["L [3][2].", ""], "the sections are those of the first report");
        let mut again = report(&["d"], &[], &[]);
        again.summary = "M [1].".into();
        first.deepen(1, again);
        first.deepen(1, Report { summary: "Nothing was found.".into(), ..Report::default() });
        assert_eq!(first.questions[0].answer, "L [3][2].\n\nM [4].");
    }

    #[test]
    fn gaps_and_queries_of_a_later_research_are_listed_once() {
        let texts = |all: &[&str]| all.iter().map(|text| (*text).to_owned()).collect::<Vec<_>>();
        let of = |gaps: &[&str], queries: &[&str]| Report {
            gaps: texts(gaps),
            queries: texts(queries),
            ..report(&[], &[], &["one"])
        };
        let mut first = of(&["a", "b"], &["x", "y"]);
        first.deepen(1, of(&["a", "", "c", "b"], &["x", "z", "y", "z"]));
        assert_eq!(first.gaps, ["a", "b", "c"]);
        assert_eq!(first.queries, ["x", "y", "z"]);
    }
}
