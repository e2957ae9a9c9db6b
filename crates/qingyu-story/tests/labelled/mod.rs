//! Sentences, and what they plainly say of a small cast. Every line is a chapter of its own: a text, `=>`, and the
//! statements in it, with `&` between; `(said 林深)` after one that somebody only says.

pub(crate) mod pairs;

use qingyu_story::settlement::extract;
use qingyu_story::{Document, Mode, Story};
use serde_json::json;

pub(crate) use pairs::{MeasuredPairs, measure_pairs};

/// Chinese sentences.
pub(crate) const ZH: &str = include_str!("zh.txt");
/// English sentences.
pub(crate) const EN: &str = include_str!("en.txt");
/// Ordinary sentences, written before the forms.
pub(crate) const PLAIN: [&str; 2] = [include_str!("plain.zh.txt"), include_str!("plain.en.txt")];
/// Ordinary sentences, written after the forms and kept apart from them.
pub(crate) const HELD_OUT: [&str; 2] = [include_str!("held_out.zh.txt"), include_str!("held_out.en.txt")];

/// Ordinary sentences of several rounds, each written without a look at the forms and then made into forms.
pub(crate) const VARIED: [&str; 2] = [include_str!("varied.zh.txt"), include_str!("varied.en.txt")];

/// How well the rules read a corpus.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Measured {
    /// How many texts there are.
    pub(crate) sentences: usize,
    /// Which share of what was found is there.
    pub(crate) precision: f64,
    /// Which share of what is there was found.
    pub(crate) recall: f64,
    /// What was found and is there.
    pub(crate) right: Vec<String>,
    /// What was found and is not there.
    pub(crate) wrong: Vec<String>,
    /// What is there and was not found.
    pub(crate) missed: Vec<String>,
}

/// Lets the rules read a corpus.
pub(crate) fn measure(corpus: &str) -> Measured {
    let lines = corpus.lines().filter(|line| !line.trim().is_empty() && !line.starts_with('#'));
    let (mut sentences, mut right, mut wrong, mut missed) = (0, Vec::new(), Vec::new(), Vec::new());
    for line in lines {
        let (text, labels) = line.split_once("=>").expect("a line has a text and labels");
        let mut expected: Vec<String> =
            labels.split('&').map(|label| label.trim().to_owned()).filter(|label| !label.is_empty()).collect();
        sentences += 1;
        for found in read(&text.trim().replace("\\n", "\n")) {
            match expected.iter().position(|label| *label == found) {
                Some(at) => {
                    expected.remove(at);
                    right.push(found);
                }
                None => wrong.push(format!("{found}: {}", text.trim())),
            }
        }
        missed.extend(expected.into_iter().map(|label| format!("{label}: {}", text.trim())));
    }
    let share = |part: usize, rest: usize| part as f64 / (part + rest).max(1) as f64;
    let (precision, recall) = (share(right.len(), wrong.len()), share(right.len(), missed.len()));
    Measured { sentences, precision, recall, right, wrong, missed }
}

/// What the rules find in a text, a line each.
fn read(text: &str) -> Vec<String> {
    let mut story = cast();
    story.documents.push(Document {
        id: "d-1".into(),
        title: "正文".into(),
        order: 1,
        text: text.into(),
        ..Document::default()
    });
    let found = extract(&story, "d-1").expect("the document is there").facts;
    let line = |fact: qingyu_story::settlement::extraction::ToldFact| {
        let value = match (&fact.object, &fact.value) {
            (Some(object), value) if value.is_null() => object.clone(),
            (object, value) => {
                let value = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
                let unit = if fact.predicate == "age" { "" } else { &fact.unit };
                format!("{value}{unit}{}", object.as_deref().unwrap_or_default())
            }
        };
        let from = if fact.from.is_empty() { String::new() } else { format!(" @{}", fact.from) };
        let said = match (fact.mode, fact.by) {
            (Mode::Narrated, _) => String::new(),
            (mode, by) => {
                format!(" ({} {})", if mode == Mode::Dreamt { "dreamt" } else { "said" }, by.unwrap_or_default())
            }
        };
        format!("{} {} {value}{from}{said}", fact.subject, fact.predicate)
    };
    found.into_iter().map(line).collect()
}

/// Whom and what the sentences are about.
pub(crate) fn cast() -> Story {
    serde_json::from_value(json!({
        "characters": [
            { "id": "c-1", "name": "林深", "alias": ["阿深"] }, { "id": "c-2", "name": "周建国", "alias": ["老周"] },
            { "id": "c-3", "name": "沈墨" }, { "id": "c-4", "name": "Mara", "alias": ["Mara Hale"] },
            { "id": "c-5", "name": "Tom Vane", "alias": ["Tom"] }, { "id": "c-6", "name": "Ada" },
            { "id": "c-7", "name": "苏敏" }, { "id": "c-8", "name": "顾长风" },
            { "id": "c-9", "name": "Edith Carr", "alias": ["Edith"] }, { "id": "c-10", "name": "Will" },
        ],
        "worldview": {
            "locations": [
                { "id": "l-1", "name": "旧港" }, { "id": "l-2", "name": "城墙" }, { "id": "l-3", "name": "harbour" },
                { "id": "l-4", "name": "wall" }, { "id": "l-5", "name": "Saltmarsh" },
            ],
            "items": [
                { "id": "i-1", "name": "铜钥匙" }, { "id": "i-2", "name": "短剑" }, { "id": "i-3", "name": "copper key" },
                { "id": "i-4", "name": "sword" }, { "id": "i-5", "name": "letters" },
            ],
            "organisations": [{ "id": "g-1", "name": "守军" }, { "id": "g-2", "name": "garrison" }],
        },
    }))
    .expect("the cast is a story")
}
