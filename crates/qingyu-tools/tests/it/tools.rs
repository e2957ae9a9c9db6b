//! Every action of every tool, in both languages: what it answers, and what becomes of the story.

mod cast;
mod checking;
mod knowledge;
mod plan;
mod texts;
mod world;

use qingyu_story::Language;
use serde_json::Value;

use crate::desk::DeskTool;

/// What is expected at a place of an answer.
enum ExpectedResult {
    /// This value.
    Just(Value),
    /// A list or object of that length.
    Long(usize),
    /// A text with these words in it.
    Says(&'static str),
}

#[track_caller]
fn verify(answer: &Value, expected: &[(&str, ExpectedResult)], what: &str) {
    for (pointer, is) in expected {
        let found = answer.pointer(pointer).unwrap_or(&Value::Null);
        let fits = match is {
            ExpectedResult::Just(value) => found == value,
            ExpectedResult::Long(length) => {
                found.as_array().map_or_else(|| found.as_object().map(serde_json::Map::len), |l| Some(l.len()))
                    == Some(*length)
            }
            ExpectedResult::Says(words) => found.as_str().is_some_and(|text| text.contains(words)),
        };
        let is = match is {
            ExpectedResult::Just(value) => value.to_string(),
            ExpectedResult::Long(length) => format!("{length} entries"),
            ExpectedResult::Says(words) => format!("…{words}…"),
        };
        assert!(fits, "{what}: at {pointer} there is {found}, not {is}\n{answer:#}");
    }
}

/// One call on a fresh book: the tool, its arguments, and what is expected of the outcome. Names stand for both
/// languages.
type ToolCase = (&'static str, Value, Vec<(&'static str, ExpectedResult)>);

async fn run(cases: impl Fn(Language) -> Vec<ToolCase>) {
    for language in [Language::Zh, Language::En] {
        for (tool, arguments, expected) in cases(language) {
            let outcome = DeskTool::with_book(language).call(tool, arguments.clone()).await;
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
