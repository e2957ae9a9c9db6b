//! Every action of every tool, in both languages: what it answers, and what becomes of the story.

mod cast;
mod checking;
mod knowledge;
mod plan;
mod texts;
mod world;

use qingyu_story::Language;
use serde_json::Value;

use crate::desk::Desk;

/// What is expected at a place of an answer.
enum Is {
    /// This value.
    Just(Value),
    /// A list or object of that length.
    Long(usize),
    /// A text with these words in it.
    Says(&'static str),
}

#[track_caller]
fn verify(answer: &Value, expected: &[(&str, Is)], what: &str) {
    for (pointer, is) in expected {
        let found = answer.pointer(pointer).unwrap_or(&Value::Null);
        let fits = match is {
            Is::Just(value) => found == value,
            Is::Long(length) => {
                found.as_array().map_or_else(|| found.as_object().map(serde_json::Map::len), |l| Some(l.len()))
                    == Some(*length)
            }
            Is::Says(words) => found.as_str().is_some_and(|text| text.contains(words)),
        };
        let is = match is {
            Is::Just(value) => value.to_string(),
            Is::Long(length) => format!("{length} entries"),
            Is::Says(words) => format!("…{words}…"),
        };
        assert!(fits, "{what}: at {pointer} there is {found}, not {is}\n{answer:#}");
    }
}

/// One call on a fresh book: the tool, its arguments, and what is expected of the outcome. Names stand for both
/// languages.
type Case = (&'static str, Value, Vec<(&'static str, Is)>);

async fn run(cases: impl Fn(Language) -> Vec<Case>) {
    for language in [Language::Zh, Language::En] {
        for (tool, arguments, expected) in cases(language) {
            let outcome = Desk::with_book(language).call(tool, arguments.clone()).await;
            verify(&outcome, &expected, &format!("{} {tool} {arguments}", language.code()));
        }
    }
}

fn either(language: Language, zh: &'static str, en: &'static str) -> &'static str {
    match language {
        Language::Zh => zh,
        Language::En => en,
    }
}
