//! Questions about made-up books, half of them without an answer.

use qingyu_agents::context::{AnswerContext, ShownPassage};
use qingyu_agents::output::SourcedAnswer;
use qingyu_story::Language;
use serde::Deserialize;

use crate::assistant::answer;

#[derive(Debug, Deserialize)]
struct Books {
    book: Vec<Book>,
}

#[derive(Debug, Deserialize)]
struct Book {
    text: String,
    questions: Vec<MatchingCase>,
}

/// A question and what the sentence says that answers it; `near` if it does so in other words.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct MatchingCase {
    ask: String,
    says: Option<String>,
    near: Option<String>,
}

fn books() -> Vec<Book> {
    toml::from_str::<Books>(include_str!("questions.toml")).unwrap().book
}

fn answered(book: &Book, question: &str) -> SourcedAnswer {
    let paragraphs = book.text.lines().filter(|line| !line.trim().is_empty());
    let shown = |(number, text): (usize, &str)| ShownPassage { number, text: text.into(), ..ShownPassage::default() };
    let passages = (1..).zip(paragraphs).map(shown).collect();
    answer(&AnswerContext {
        question: question.into(),
        language: Language::of(question),
        passages,
        ..AnswerContext::default()
    })
}

fn quotes(answer: &SourcedAnswer) -> Vec<&str> {
    answer.citations.iter().map(|cited| cited.quote.as_str()).collect()
}

#[test]
fn nothing_is_claimed_that_no_sentence_says() {
    let (mut wrong, mut missed) = (Vec::new(), Vec::new());
    for book in books() {
        for MatchingCase { ask, says, near } in &book.questions {
            let found = answered(&book, ask);
            let expected = says.as_ref().or(near.as_ref());
            let is_right = |quote: &&str| expected.is_some_and(|expected| quote.contains(expected.as_str()));
            if found.holds && !quotes(&found).iter().all(is_right) {
                wrong.push((ask.clone(), found.answer.clone()));
            }
            if says.is_some() && !found.holds {
                missed.push(ask.clone());
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
    assert!(missed.is_empty(), "{missed:#?}");
}

#[test]
fn an_answer_in_other_words_is_among_the_nearest_sentences() {
    for book in books() {
        for asked in &book.questions {
            let Some(near) = &asked.near else { continue };
            let found = answered(&book, &asked.ask);
            assert!(quotes(&found).iter().any(|quote| quote.contains(near)), "{}: {}", asked.ask, found.answer);
        }
    }
}

#[test]
fn half_of_the_questions_have_no_answer() {
    let all: Vec<MatchingCase> = books().into_iter().flat_map(|book| book.questions).collect();
    let without = all.iter().filter(|asked| asked.says.is_none() && asked.near.is_none()).count();
    assert!(all.len() >= 36 && without * 2 >= all.len() - 2, "{without} of {}", all.len());
}

#[test]
fn a_quoted_sentence_begins_with_no_closing_mark() {
    for book in books() {
        for asked in &book.questions {
            for quote in quotes(&answered(&book, &asked.ask)) {
                assert!(!quote.starts_with(['」', '”', '』', '’']), "{quote}");
            }
        }
    }
}
