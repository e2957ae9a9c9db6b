//! Answers by quotation: results of the graph, or sentences which state the answer by their form.
//!
//! The rules do not understand the meaning of sentences. If no sentence [answers](crate::matching) the question, the
//! answer says so and quotes the nearest sentences, with most words in common.

use std::collections::BTreeSet;

use qingyu_agents::context::{AnswerContext, ShownPassage};
use qingyu_agents::output::{PassageOrder, QuestionReading, Quoted, SourcedAnswer};
use qingyu_knowledge::analysis::terms;
use qingyu_story::{Language, Prose, says_something};

use crate::matching::ClauseQuestion;

/// Minimum share of the question's words in a near sentence.
const NEAR: f64 = 0.3;
/// Maximum number of quoted sentences.
const SENTENCES: usize = 3;
/// Maximum number of answers from the graph.
const ANSWERS: usize = 10;
/// Characters which mark a pair of a question as grammar.
const GRAMMAR: &str = "谁什么哪里儿怎样为何时多少几吗呢吧啊的是了过在有和与被把从到对就都也还请问曾";
/// English function words of questions.
const SMALL: [&str; 40] = [
    "who", "what", "where", "when", "why", "how", "which", "whom", "whose", "did", "doe", "do", "is", "are", "was",
    "were", "the", "a", "an", "of", "to", "in", "on", "at", "by", "for", "with", "and", "or", "has", "have", "had",
    "ever", "many", "much", "be", "been", "it", "that", "this",
];

/// Returns an empty reading: the rules have parsed the question before the call of the model.
pub(crate) fn understand() -> QuestionReading {
    QuestionReading::default()
}

/// Returns the passages in their given order, by shared words.
pub(crate) fn rerank(answering: &AnswerContext) -> PassageOrder {
    PassageOrder { order: answering.passages.iter().map(|passage| passage.number).collect() }
}

/// Returns an answer in the words of the passages.
pub(crate) fn answer(answering: &AnswerContext) -> SourcedAnswer {
    let zh = answering.language == Language::Zh;
    if answering.is_about_product {
        return by_handbook(answering);
    }
    let tied: Vec<&ShownPassage> = answering.passages.iter().filter(|passage| !passage.ties.is_empty()).collect();
    if !tied.is_empty() {
        return by_graph(answering, &tied, zh);
    }
    let asked = ClauseQuestion::asked_by(&answering.question);
    let all = || answering.passages.iter().flat_map(informative_sentences);
    let mut seen = BTreeSet::new();
    let answers = all().filter(|(_, sentence)| asked.as_ref().is_some_and(|asked| asked.is_made_by(sentence)));
    let quotes: Vec<(usize, &str)> = answers.filter(|(_, sentence)| seen.insert(*sentence)).take(SENTENCES).collect();
    if quotes.is_empty() {
        return nothing(answering, zh, &nearest(&answering.question, all()));
    }
    let lead = if zh { "材料里这样写：" } else { "The material says:" };
    SourcedAnswer { answer: quoting(lead, &quotes, zh), holds: true, citations: cited(&quotes) }
}

/// Returns the best passage of the handbook whole, under its heading.
fn by_handbook(answering: &AnswerContext) -> SourcedAnswer {
    let Some(best) = answering.passages.first() else { return SourcedAnswer::default() };
    let ShownPassage { number, heading, text, .. } = best;
    let citations = vec![Quoted { number: *number, quote: text.clone() }];
    SourcedAnswer { answer: format!("{heading}[{number}]\n\n{text}"), holds: true, citations }
}

/// Returns an iterator over the informative sentences of a passage, with its number.
fn informative_sentences(passage: &ShownPassage) -> impl Iterator<Item = (usize, &str)> {
    let said = sentences(&passage.text).filter(|sentence| says_something(sentence));
    said.map(|sentence| (passage.number, sentence))
}

/// Returns the sentences with most words of a question, the nearest first.
fn nearest<'p>(question: &str, sentences: impl Iterator<Item = (usize, &'p str)>) -> Vec<(usize, &'p str)> {
    let asked = content(question);
    let mut seen = BTreeSet::new();
    let mut found: Vec<(f64, usize, &str)> = Vec::new();
    for (number, sentence) in sentences.filter(|(_, sentence)| seen.insert(*sentence)) {
        let own: BTreeSet<String> = terms(sentence).into_iter().collect();
        let share = asked.intersection(&own).count() as f64 / asked.len().max(1) as f64;
        if share >= NEAR {
            found.push((share, number, sentence));
        }
    }
    found.sort_by(|a, b| b.0.total_cmp(&a.0));
    found.into_iter().take(SENTENCES).map(|(_, number, sentence)| (number, sentence)).collect()
}

/// Returns a lead line followed by the sentences with their passages.
fn quoting(lead: &str, quotes: &[(usize, &str)], zh: bool) -> String {
    let lines = quotes.iter().map(|(number, sentence)| {
        if zh { format!("“{sentence}”[{number}]") } else { format!("\"{sentence}\" [{number}]") }
    });
    std::iter::once(lead.to_owned()).chain(lines).collect::<Vec<_>>().join("\n")
}

fn cited(quotes: &[(usize, &str)]) -> Vec<Quoted> {
    quotes.iter().map(|(number, quote)| Quoted { number: *number, quote: (*quote).to_owned() }).collect()
}

/// Returns the answers of the graph, each with its evidence.
fn by_graph(answering: &AnswerContext, tied: &[&ShownPassage], zh: bool) -> SourcedAnswer {
    // For a superlative the first with the quality; for other questions all.
    let told: Vec<&&ShownPassage> = match &answering.rank {
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
    let unranked = answering.rank.as_ref().filter(|_| told.iter().all(|passage| passage.because.is_empty()));
    if let Some(rank) = unranked {
        let quality = &rank.quality;
        lines.push(if zh {
            format!("没有一处资料提到“{quality}”，以上只是符合其余条件的。")
        } else {
            format!("Nothing in the material says how {quality} anybody is; this only fits the rest of the question.")
        });
    }
    let citations = told.iter().map(|passage| Quoted { number: passage.number, quote: passage.ties[0].clone() });
    SourcedAnswer { answer: lines.join("\n"), holds: unranked.is_none(), citations: citations.collect() }
}

/// Returns a negative answer with the nearest sentences.
fn nothing(answering: &AnswerContext, zh: bool, nearest: &[(usize, &str)]) -> SourcedAnswer {
    if let Some(pattern) = answering.pattern_without_answer() {
        let answer = match zh {
            true => format!("故事图谱里没有符合的。查的是：{pattern}"),
            false => format!("Nothing in the story graph fits. It was asked: {pattern}"),
        };
        return SourcedAnswer { answer, holds: false, citations: Vec::new() };
    }
    let lead = match (nearest.is_empty(), zh) {
        (true, true) => "离线规则没有找到答案，材料里也没有与这个问题相近的句子。",
        (false, true) => {
            "离线规则没有找到答案：没有哪一句照字面回答了所问。规则不懂意思，接上语言模型会看得更深。最接近的句子是："
        }
        (true, false) => "The offline rules found no answer, and no sentence near the question.",
        (false, false) => {
            "The offline rules found no answer: no sentence says in so many words what is asked. They do not understand meaning; a language model sees further. The nearest sentences are:"
        }
    };
    SourcedAnswer { answer: quoting(lead, nearest, zh), holds: false, citations: cited(nearest) }
}

/// Returns the terms of a question without grammar.
pub(crate) fn content(question: &str) -> BTreeSet<String> {
    let is_grammar = |term: &str| SMALL.contains(&term) || term.chars().any(|c| GRAMMAR.contains(c));
    let all: BTreeSet<String> = terms(question).into_iter().collect();
    let own: BTreeSet<String> = all.iter().filter(|term| !is_grammar(term)).cloned().collect();
    if own.is_empty() { all } else { own }
}

/// Returns an iterator over the sentences of a text, with their closing punctuation.
pub(crate) fn sentences(text: &str) -> impl Iterator<Item = &str> {
    Prose::of(text).sentences.into_iter().filter_map(|sentence| text.get(sentence.range))
}

#[cfg(test)]
mod tests {
    use qingyu_knowledge::question::Rank;

    use super::*;

    fn asked(question: &str, passages: &[&str]) -> SourcedAnswer {
        let shown = |(number, text): (usize, &&str)| ShownPassage {
            number,
            heading: format!("第{number}章"),
            text: (*text).into(),
            ..ShownPassage::default()
        };
        let language = if question.is_ascii() { Language::En } else { Language::Zh };
        let passages = (1..).zip(passages).map(shown).collect();
        answer(&AnswerContext { question: question.into(), language, passages, ..AnswerContext::default() })
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
        assert!(!found.holds && !found.answer.contains("材料里这样写"), "{}", found.answer);
        let near = asked("林深捡到芯片以后做了什么？", &["他走了。林深在旧港捡到一块芯片。"]);
        assert_eq!((near.holds, near.citations.len()), (false, 1), "{}", near.answer);
        assert!(near.answer.ends_with("“林深在旧港捡到一块芯片。”[1]"), "{}", near.answer);
        assert!(!asked("林深多大了？", &[]).holds);
    }

    #[test]
    fn a_graph_without_an_answer_is_said() {
        let asked = AnswerContext { pattern: Some("(x)-[:friend_of]-(a)".into()), ..AnswerContext::default() };
        assert!(!answer(&asked).holds && answer(&asked).answer.contains("friend_of"));
    }

    #[test]
    fn what_the_graph_says_comes_first() {
        let tied = |number: usize, because: &[&str]| ShownPassage {
            number,
            heading: format!("人物{number}"),
            ties: vec!["a —friend_of— b".into()],
            because: because.iter().map(|word| (*word).into()).collect(),
            ..ShownPassage::default()
        };
        let mut answering =
            AnswerContext { passages: vec![tied(1, &["谨慎"]), tied(2, &[])], ..AnswerContext::default() };
        assert_eq!(answer(&answering).citations.len(), 2);
        answering.rank = Some(Rank { quality: "谨慎".into(), most: true });
        let found = answer(&answering);
        assert_eq!(found.citations.len(), 1);
        assert!(found.holds && found.answer.contains("谨慎"), "{}", found.answer);
        let unfounded = answer(&AnswerContext { passages: vec![tied(2, &[])], ..answering });
        assert!(!unfounded.holds, "nothing says that anybody is so: {}", unfounded.answer);
    }
}
