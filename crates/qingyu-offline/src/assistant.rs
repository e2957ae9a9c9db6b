//! Answers by quoting: what the graph says, or the sentences that have most of the question's words.
//!
//! The rules do not understand what a sentence means. They say so, and that nothing was found unless one sentence has most
//! of what the question asks for.

use std::collections::BTreeSet;

use qingyu_agents::context::{Answering, Shown};
use qingyu_agents::output::{PassageOrder, QuestionReading, Quoted, SourcedAnswer};
use qingyu_knowledge::analysis::terms;
use qingyu_story::Language;

/// The share of the question's words that a sentence must have.
const ENOUGH: f64 = 0.6;
/// The most sentences that are quoted.
const SENTENCES: usize = 3;
/// The most answers of the graph that are told.
const ANSWERS: usize = 10;
/// Characters that make a pair of a question a part of its grammar.
const GRAMMAR: &str = "谁什么哪里儿怎样为何时多少几吗呢吧啊的是了过在有和与被把从到对就都也还请问曾";
/// English words of that kind.
const SMALL: [&str; 40] = [
    "who", "what", "where", "when", "why", "how", "which", "whom", "whose", "did", "doe", "do", "is", "are", "was",
    "were", "the", "a", "an", "of", "to", "in", "on", "at", "by", "for", "with", "and", "or", "has", "have", "had",
    "ever", "many", "much", "be", "been", "it", "that", "this",
];

/// The rules have read the question before anybody asks a model; they read no more in it.
pub(crate) fn understand() -> QuestionReading {
    QuestionReading::default()
}

/// The order in which the passages came, which is that of their words.
pub(crate) fn rerank(answering: &Answering) -> PassageOrder {
    PassageOrder { order: answering.passages.iter().map(|passage| passage.number).collect() }
}

/// What the passages say, in their own words.
pub(crate) fn answer(answering: &Answering) -> SourcedAnswer {
    let zh = answering.language == Language::Zh;
    let tied: Vec<&Shown> = answering.passages.iter().filter(|passage| !passage.ties.is_empty()).collect();
    if !tied.is_empty() {
        return by_graph(answering, &tied, zh);
    }
    let asked = content(&answering.question);
    let mut found: Vec<(f64, usize, &str)> = Vec::new();
    for passage in &answering.passages {
        for sentence in sentences(&passage.text) {
            let own: BTreeSet<String> = terms(sentence).into_iter().collect();
            let share = asked.intersection(&own).count() as f64 / asked.len().max(1) as f64;
            found.push((share, passage.number, sentence));
        }
    }
    found.retain(|(share, _, _)| *share >= ENOUGH);
    found.sort_by(|a, b| b.0.total_cmp(&a.0));
    found.dedup_by(|a, b| a.2 == b.2);
    if found.is_empty() {
        return nothing(answering, zh);
    }
    let quotes: Vec<(usize, &str)> =
        found.into_iter().take(SENTENCES).map(|(_, number, sentence)| (number, sentence)).collect();
    let lead = if zh { "材料里这样写：" } else { "The material says:" };
    let lines = quotes.iter().map(|(number, sentence)| {
        if zh { format!("“{sentence}”[{number}]") } else { format!("\"{sentence}\" [{number}]") }
    });
    SourcedAnswer {
        answer: std::iter::once(lead.to_owned()).chain(lines).collect::<Vec<_>>().join("\n"),
        holds: true,
        citations: quotes
            .iter()
            .map(|(number, quote)| Quoted { number: *number, quote: (*quote).to_owned() })
            .collect(),
    }
}

/// What the graph answers, each with what ties it.
fn by_graph(answering: &Answering, tied: &[&Shown], zh: bool) -> SourcedAnswer {
    // Of a superlative the first that has the quality at all; of other questions all.
    let told: Vec<&&Shown> = match &answering.rank {
        Some(_) => tied.iter().take(1).collect(),
        None => tied.iter().take(ANSWERS).collect(),
    };
    let mut lines: Vec<String> = Vec::new();
    for passage in &told {
        let because = passage.because.join(if zh { "、" } else { ", " });
        let reason = match (because.is_empty(), zh) {
            (true, _) => String::new(),
            (false, true) => format!("（资料写着：{because}）"),
            (false, false) => format!(" (the material says: {because})"),
        };
        lines.push(format!("{}[{}]{reason}", passage.heading, passage.number));
        lines.extend(passage.ties.iter().map(|tie| format!("  {tie}")));
    }
    if let Some(rank) = &answering.rank
        && told.iter().all(|passage| passage.because.is_empty())
    {
        let quality = &rank.quality;
        lines.push(if zh {
            format!("没有一处资料提到“{quality}”，以上只是符合其余条件的。")
        } else {
            format!("Nothing in the material says how {quality} anybody is; this only fits the rest of the question.")
        });
    }
    let citations = told.iter().map(|passage| Quoted { number: passage.number, quote: passage.ties[0].clone() });
    SourcedAnswer { answer: lines.join("\n"), holds: true, citations: citations.collect() }
}

fn nothing(answering: &Answering, zh: bool) -> SourcedAnswer {
    if let Some(pattern) = answering.pattern_without_answer() {
        let answer = match zh {
            true => format!("故事图谱里没有符合的。查的是：{pattern}"),
            false => format!("Nothing in the story graph fits. It was asked: {pattern}"),
        };
        return SourcedAnswer { answer, holds: false, citations: Vec::new() };
    }
    let nearest = answering.passages.first().map(|passage| format!("{}[{}]", passage.heading, passage.number));
    let answer = match (nearest, zh) {
        (Some(nearest), true) => format!(
            "按字面没有找到答案：没有哪一句同时说到所问的几点。最接近的是{nearest}。离线规则不懂意思，接上语言模型会看得更深。"
        ),
        (None, true) => "材料里没有与这个问题有关的内容。".to_owned(),
        (Some(nearest), false) => format!(
            "No sentence says all of what is asked. The nearest is {nearest}. The offline rules do not understand meaning; a language model sees further."
        ),
        (None, false) => "The material has nothing about this question.".to_owned(),
    };
    SourcedAnswer { answer, holds: false, citations: Vec::new() }
}

/// The terms of a question without those of its grammar.
pub(crate) fn content(question: &str) -> BTreeSet<String> {
    let is_grammar = |term: &str| SMALL.contains(&term) || term.chars().any(|c| GRAMMAR.contains(c));
    let all: BTreeSet<String> = terms(question).into_iter().collect();
    let own: BTreeSet<String> = all.iter().filter(|term| !is_grammar(term)).cloned().collect();
    if own.is_empty() { all } else { own }
}

/// The sentences of a text, trimmed.
pub(crate) fn sentences(text: &str) -> impl Iterator<Item = &str> {
    let ends = |c: char| matches!(c, '。' | '！' | '？' | '!' | '?' | '\n' | '；');
    let pieces = text.split_inclusive(ends).flat_map(|piece| piece.split_inclusive(". "));
    pieces.map(str::trim).filter(|sentence| sentence.chars().any(char::is_alphanumeric))
}

#[cfg(test)]
mod tests {
    use qingyu_knowledge::question::Rank;

    use super::*;

    fn asked(question: &str, passages: &[&str]) -> SourcedAnswer {
        let shown = |(number, text): (usize, &&str)| Shown {
            number,
            heading: format!("第{number}章"),
            text: (*text).into(),
            ..Shown::default()
        };
        let language = if question.is_ascii() { Language::En } else { Language::Zh };
        let passages = (1..).zip(passages).map(shown).collect();
        answer(&Answering { question: question.into(), language, passages, ..Answering::default() })
    }

    #[test]
    fn a_sentence_that_has_the_words_is_quoted() {
        let found = asked("谁在旧港捡到了芯片？", &["苏曼没有来。", "雨下了一夜。林深在旧港捡到一块芯片。"]);
        assert!(found.holds);
        assert_eq!(found.citations, [Quoted { number: 2, quote: "林深在旧港捡到一块芯片。".into() }]);
        let found = asked("Who found the chip in the harbour?", &["Ann found the chip in the old harbour. It rained."]);
        assert_eq!(found.citations[0].quote, "Ann found the chip in the old harbour.");
    }

    #[test]
    fn a_name_alone_is_no_answer() {
        let found = asked("林深最喜欢吃什么？", &["林深在旧港捡到一块芯片。"]);
        assert!(!found.holds && found.citations.is_empty() && found.answer.contains("第1章[1]"), "{}", found.answer);
        assert!(!asked("林深多大了？", &[]).holds);
    }

    #[test]
    fn a_graph_without_an_answer_is_said() {
        let asked = Answering { pattern: Some("(x)-[:friend_of]-(a)".into()), ..Answering::default() };
        assert!(!answer(&asked).holds && answer(&asked).answer.contains("friend_of"));
    }

    #[test]
    fn what_the_graph_says_comes_first() {
        let tied = |number: usize, because: &[&str]| Shown {
            number,
            heading: format!("人物{number}"),
            ties: vec!["a —friend_of— b".into()],
            because: because.iter().map(|word| (*word).into()).collect(),
            ..Shown::default()
        };
        let mut answering = Answering { passages: vec![tied(1, &["谨慎"]), tied(2, &[])], ..Answering::default() };
        assert_eq!(answer(&answering).citations.len(), 2);
        answering.rank = Some(Rank { quality: "谨慎".into(), most: true });
        let found = answer(&answering);
        assert_eq!(found.citations.len(), 1);
        assert!(found.answer.contains("谨慎"), "{}", found.answer);
    }
}
