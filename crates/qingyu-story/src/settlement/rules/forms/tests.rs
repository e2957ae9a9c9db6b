use super::{Examples, Forms, StatementForm};
use crate::settlement::extraction::ToldFact;
use crate::settlement::rules::{KnownCast, read};
use crate::{Language, Mode, Names, Story};

/// Whom and what the examples name.
pub(in crate::settlement::rules) fn names() -> Names {
    let cast = serde_json::from_value::<Story>(serde_json::json!({
        "characters": [
            { "name": "林深", "alias": ["阿深"] }, { "name": "周建国", "alias": ["老周"] }, { "name": "沈墨" },
            { "name": "苏敏" }, { "name": "顾长风" }, { "name": "Mara", "alias": ["Mara Hale"] },
            { "name": "Tom Vane", "alias": ["Tom"] }, { "name": "Ada" }, { "name": "Edith Carr", "alias": ["Edith"] },
            { "name": "Will" },
        ],
        "worldview": {
            "locations": [
                { "name": "旧港" }, { "name": "城墙" }, { "name": "harbour" }, { "name": "wall" }, { "name": "Saltmarsh" },
            ],
            "items": [
                { "name": "铜钥匙" }, { "name": "短剑" }, { "name": "copper key" }, { "name": "sword" }, { "name": "letters" },
            ],
            "organisations": [{ "name": "守军" }, { "name": "garrison" }],
        },
    }));
    Names::of_entities(&cast.expect("the cast is a story"))
}

/// Returns the statements of a text, each with its subject, predicate, object or value, and mode.
pub(in crate::settlement::rules) fn told(text: &str) -> Vec<String> {
    let cast = KnownCast { names: std::sync::Arc::new(names()), ladders: &[], lead: None };
    let facts = read(&cast, text, |_| true).facts;
    let line = |fact: &ToldFact| {
        let value = fact.object.clone().unwrap_or_else(|| fact.value.to_string());
        format!("{} {} {value} {:?}", fact.subject, fact.predicate, fact.mode)
    };
    facts.iter().map(line).collect()
}

fn shown(fact: &ToldFact) -> String {
    let value = match &fact.value {
        value if value.is_null() => String::new(),
        value => value.as_str().map_or_else(|| value.to_string(), str::to_owned),
    };
    let unit = if fact.predicate == "age" { "" } else { &fact.unit };
    let mode = if fact.mode == Mode::Narrated { "" } else { " (not told as so)" };
    format!("{} {} {value}{unit}{}{mode}", fact.subject, fact.predicate, fact.object.as_deref().unwrap_or_default())
}

#[test]
fn every_form_reads_its_examples_and_passes_over_the_others() {
    let cast = KnownCast { names: std::sync::Arc::new(names()), ladders: &[], lead: None };
    let names = &cast.names;
    let mut wrong = Vec::new();
    for language in [Language::Zh, Language::En] {
        for form in &Forms::of(language).forms {
            let Examples { id, reads, passes } = &form.examples;
            for example in reads {
                let (text, labels) = example.split_once("=>").expect("an example says what is read");
                let found: Vec<String> = read(&cast, text.trim(), |_| true).facts.iter().map(shown).collect();
                let expected: Vec<&str> = labels.split('&').map(str::trim).filter(|label| !label.is_empty()).collect();
                if expected.iter().any(|label| !found.iter().any(|found| found == label)) {
                    wrong.push(format!("{id}: {text}: {found:?}"));
                }
            }
            for text in passes {
                if let Some(found) = alone(form, names, language, text) {
                    wrong.push(format!("{id} must pass over {text}: {found}"));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

/// What the form by itself reads in a text.
fn alone(form: &StatementForm, names: &Names, language: Language, text: &str) -> Option<String> {
    let prose = crate::Prose::of(text);
    let mentions = crate::settlement::rules::mentions(names, text);
    let mut found = Vec::new();
    for stretch in crate::settlement::rules::stretches::stretches(text, &prose, &mentions, |_| true).0 {
        let cues = &Forms::of(language).cues;
        if !cues.asks(&stretch.line.text) {
            form.read(&stretch.line, cues, &mut found);
        }
    }
    found.retain(|one| one.mode == Mode::Narrated);
    found.first().map(|one| format!("{one:?}"))
}
