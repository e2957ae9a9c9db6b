//! Research by rules: queries from the question's own words, quotations of sentences with most words in common.
//!
//! The rules do not understand the meaning of a page. Every claim is a quotation, and labelled so.

use std::collections::BTreeSet;

use qingyu_agents::production::research::{
    Claimed, Note, NotedSource, Notes, PageContext, Queries, QueryContext, Synthesis, SynthesisContext,
};
use qingyu_story::Language;

use crate::assistant::{content, sentences};
use qingyu_knowledge::analysis::terms;

/// Maximum number of sentences from a page.
const SENTENCES: usize = 5;
/// Maximum length of a quotation, in characters; longer sentences are skipped.
const LONGEST: usize = 280;
/// Minimum share of the question's words in a sentence.
const ENOUGH: f64 = 0.2;
/// Maximum number of quotations in a summary.
const SUMMARY: usize = 8;

/// Returns the lines and sentences of the question verbatim, followed by the premise.
pub(crate) fn plan(planning: &QueryContext) -> Queries {
    // Other data of the project are reports, unsuitable as search terms.
    let lines = sentences(&planning.question);
    let mut queries: Vec<String> = Vec::new();
    for line in lines.filter(|line| !line.is_empty()) {
        let line: String = line.chars().take(80).collect();
        if !queries.contains(&line) && queries.len() < planning.limit {
            queries.push(line);
        }
    }
    Queries::of(queries)
}

/// Returns the sentences of a page with most words of the question, in the order of the page.
pub(crate) fn note(reading: &PageContext) -> Notes {
    let asked = content(&reading.question);
    let share = |sentence: &str| {
        let own: BTreeSet<String> = terms(sentence).into_iter().collect();
        asked.intersection(&own).count() as f64 / asked.len().max(1) as f64
    };
    let mut found: Vec<(f64, usize, &str)> = Vec::new();
    for (at, sentence) in sentences(&reading.text).enumerate() {
        let share = share(sentence);
        let is_new = !found.iter().any(|(_, _, known)| *known == sentence);
        // Sentences marked as words to a model are no material.
        if share >= ENOUGH && is_new && !sentence.contains('〔') && sentence.chars().count() <= LONGEST {
            found.push((share, at, sentence));
        }
    }
    found.sort_by(|a, b| b.0.total_cmp(&a.0));
    found.truncate(SENTENCES.min(reading.limit));
    found.sort_by_key(|(_, at, _)| *at);
    let notes = found.into_iter().map(|(_, _, sentence)| Note { claim: sentence.into(), quote: sentence.into() });
    Notes { notes: notes.collect() }
}

/// Returns the notes in order, each a quotation with its source.
pub(crate) fn write(writing: &SynthesisContext) -> Synthesis {
    let zh = writing.language == Language::Zh;
    let quoted = |quote: &str| if zh { format!("“{quote}”") } else { format!("\"{quote}\"") };
    let findings: Vec<Claimed> = writing
        .sources
        .iter()
        .flat_map(|NotedSource { number, notes, .. }| notes.iter().map(move |note| (*number, note)))
        .map(|(number, note)| Claimed { claim: quoted(&note.quote), sources: vec![number], question: None })
        .collect();
    let (lead, gap) = match zh {
        true => (
            "以下由离线规则按问题的用词从网页里摘出，没有综合，也没有判断对错：",
            "离线规则不懂意思：来源之间是否矛盾、是否可信，〔待写〕。",
        ),
        false => (
            "Taken from the pages by offline rules, by the words of the question; nothing is weighed or judged:",
            "The offline rules do not understand meaning: whether the sources agree and can be trusted is 〔待写〕 (to be written).",
        ),
    };
    let lines = findings.iter().take(SUMMARY).map(|found| format!("- {} [{}]", found.claim, found.sources[0]));
    let summary = std::iter::once(lead.to_owned()).chain(lines).collect::<Vec<_>>().join("\n");
    Synthesis { summary, findings, gaps: vec![gap.into()] }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_question_is_searched_for() {
        let planning = QueryContext {
            question: "怎样给软件定价？\n用户怎么说".into(),
            premise: "短课程".into(),
            limit: 2,
            ..QueryContext::default()
        };
        assert_eq!(plan(&planning).queries, ["怎样给软件定价？", "用户怎么说"]);
    }

    #[test]
    fn sentences_with_the_words_are_quoted_exactly() {
        let cases = [
            ("软件怎样定价", "今天下雨。软件定价多分三档。软件要测试。", vec!["软件定价多分三档。", "软件要测试。"]),
            (
                "How are prices of software set?",
                "It rained. Software prices have tiers.",
                vec!["Software prices have tiers."],
            ),
            ("软件怎样定价", "今天下雨。", vec![]),
        ];
        for (question, text, expected) in cases {
            let reading =
                PageContext { question: question.into(), text: text.into(), limit: 6, ..PageContext::default() };
            let notes = note(&reading).notes;
            let quotes: Vec<&str> = notes.iter().map(|note| note.quote.as_str()).collect();
            assert_eq!(quotes, expected);
            assert!(quotes.iter().all(|quote| text.contains(quote)));
        }
    }

    #[test]
    fn a_report_is_quotations_and_says_so() {
        let note = Note { claim: "甲".into(), quote: "软件定价多分三档。".into() };
        let source = NotedSource { number: 3, notes: vec![note], ..NotedSource::default() };
        let made = write(&SynthesisContext { sources: vec![source], ..SynthesisContext::default() });
        assert!(
            made.summary.contains("离线规则") && made.summary.contains("“软件定价多分三档。” [3]"),
            "{}",
            made.summary
        );
        assert_eq!(made.findings[0].sources, [3]);
    }
}
