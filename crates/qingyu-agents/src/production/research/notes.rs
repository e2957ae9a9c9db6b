//! What one page says about the question, in notes whose quotes stand in it.

use qingyu_graph::NodeError;
use tokio::sync::Semaphore;

use super::answer::{Note, Notes};
use super::context::PageReading;
use super::pages::Page;
use super::{Researching, call, marks};
use crate::call::{CallRecord, Seat};
use crate::prompts::Name;

/// Most notes of one page.
const MOST: usize = 6;
/// Most characters of a claim, and of a quote.
const LONGEST: usize = 300;

/// The notes of a page; none if the model finds nothing in it, or nothing that stands there.
///
/// `seat` must hold nothing of the project: what stands beside the page could be told by it.
pub(super) async fn take(
    seat: &Seat<'_>,
    at: usize,
    page: &Page,
    asked: &Researching,
    permits: &Semaphore,
) -> Result<(Vec<Note>, CallRecord), NodeError> {
    let _permit = permits.acquire().await.expect("nobody closes the semaphore");
    let reading = PageReading {
        question: asked.question.clone(),
        language: asked.language,
        title: page.title.clone(),
        text: page.text.clone(),
        limit: MOST,
    };
    let call = seat.call(call("note", at.to_string(), Name::RESEARCH_NOTE), &reading, &reading)?;
    let check = |notes: &Notes| problems(&notes.notes, &page.text);
    let called = call.ask(Some(&check)).await?;
    // After the last attempt, those that are right are kept.
    let notes = called.value.or_else(|| serde_json::from_str(&called.record.raw).ok()).unwrap_or_default();
    Ok((usable(notes.notes, &page.text), called.record))
}

fn problems(notes: &[Note], text: &str) -> Vec<String> {
    let text = folded(text);
    let wrong = notes.iter().filter(|note| !stands(&note.quote, &text));
    wrong.map(|note| format!("notes: the page does not say \"{}\"; copy its words", note.quote)).collect()
}

/// The notes that say something and whose quotes stand in `text`.
fn usable(notes: Vec<Note>, text: &str) -> Vec<Note> {
    let text = folded(text);
    let cut = |words: &str| folded(words).chars().take(LONGEST).collect::<String>();
    let notes = notes.into_iter().filter(|note| stands(&note.quote, &text));
    // A mark in a note would be read as one of the report.
    let notes = notes.map(|note| Note { claim: cut(&marks::split(&note.claim).0), quote: cut(&note.quote) });
    notes.filter(|note| note.claim.chars().any(char::is_alphanumeric)).take(MOST).collect()
}

fn stands(quote: &str, folded_text: &str) -> bool {
    let quote = folded(quote);
    quote.chars().any(char::is_alphanumeric) && folded_text.contains(&quote)
}

/// The words with single blanks.
fn folded(words: &str) -> String {
    words.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_stands_there_is_noted() {
        let text = "三档定价\n最常见。 One  in\tsix.";
        let note = |claim: &str, quote: &str| Note { claim: claim.into(), quote: quote.into() };
        let cases = [
            ("blanks do not count", note("甲", "三档定价 最常见"), true),
            ("blanks do not count", note("甲", " One in\n six. "), true),
            ("other words", note("甲", "四档定价"), false),
            ("nothing", note("甲", ""), false),
            ("a point stands everywhere", note("甲", "。"), false),
            ("no claim", note(" [1] ", "三档定价"), false),
        ];
        for (why, note, expected) in cases {
            assert_eq!(usable(vec![note], text).len(), usize::from(expected), "{why}");
        }
        assert_eq!(problems(&[note("甲", "四档")], text).len(), 1);
        assert_eq!(usable(vec![note("甲[7]", "三档定价")], text)[0].claim, "甲");
    }
}
