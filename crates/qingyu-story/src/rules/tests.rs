//! Every rule against its own examples.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use serde_json::json;

use super::{FindingDraft, Rule, RuleFamily, all, begins, rule};
use crate::check::{Config, check, findings};
use crate::edit::{Replacement, apply, from_instruction, replace};
use crate::piece::PieceKind;
use crate::{Action, Agent, CorrectionInstruction, Language, PlotKind, RelationKind, Severity, Story};

fn finds(rule: &Rule, story: &Story, config: &Config) -> Vec<String> {
    let found = check(story, config);
    found.into_iter().filter(|issue| issue.code.as_deref() == Some(rule.code)).map(|issue| issue.id).collect()
}

#[test]
fn every_rule_fires_on_its_example_and_spares_the_near_miss() {
    for rule in all() {
        let (fires, spares) = (rule.fires(), rule.spares());
        assert!(!finds(rule, &fires.story(), &fires.config()).is_empty(), "{} must fire", rule.code);
        assert_eq!(finds(rule, &spares.story(), &spares.config()), [""; 0], "{} must not fire", rule.code);
    }
}

#[test]
fn every_text_is_filled_in_both_languages() {
    for rule in all() {
        for language in [Language::Zh, Language::En] {
            let story = Story { language, ..rule.fires().story() };
            let found = findings(&story, &rule.fires().config());
            for finding in found.into_iter().filter(|f| f.issue.code.as_deref() == Some(rule.code)) {
                let issue = &finding.issue;
                let fixes = finding.instructions.iter().map(|instruction| &instruction.specific_instruction);
                for text in [&issue.title, &issue.root_cause, &issue.impact].into_iter().chain(fixes) {
                    assert!(!text.is_empty() && !text.contains(['{', '}']), "{}: {text}", rule.code);
                }
                assert!(!issue.evidence.is_empty(), "{} quotes nothing", rule.code);
                assert!(!issue.affected_entities.is_empty(), "{} touches nothing", rule.code);
                assert!(issue.evidence.iter().all(|evidence| !evidence.anchor.is_empty()), "{}", rule.code);
            }
        }
    }
}

/// Fields and lists of the story format, which have no other name.
const FIELDS: [&str; 3] = ["after", "planted", "timeline_events"];

/// The Latin words of a text, but for codes of rules.
fn latin(text: &str) -> impl Iterator<Item = &str> {
    let words = text.split(|c: char| !c.is_ascii_alphanumeric() && c != '_');
    let is_code = |word: &str| RULE_FAMILIES.iter().any(|family| word.starts_with(family));
    let is_word = |word: &str| word.chars().filter(char::is_ascii_alphabetic).count() > 1;
    words.filter(move |word| is_word(word) && !is_code(word))
}

/// The beginnings of codes.
const RULE_FAMILIES: [&str; 2] = ["QS", "QY"];

/// A text for a Chinese reader has no English words but those of the story.
#[test]
fn chinese_findings_have_no_english_words() {
    for rule in all() {
        let story = Story { language: Language::Zh, ..rule.fires().story() };
        let mut told = story.clone();
        told.facts.iter_mut().for_each(|fact| fact.predicate.clear());
        told.character_relations.iter_mut().for_each(|relation| relation.kind = RelationKind::Knows);
        told.plot_nodes.iter_mut().for_each(|node| node.kind = PlotKind::Setup);
        let told = serde_json::to_value(&told).unwrap();
        let mut texts = Vec::new();
        strings(&told, &mut texts);
        let own: BTreeSet<&str> = texts.into_iter().flat_map(latin).collect();
        let found = findings(&story, &rule.fires().config());
        for finding in found.iter().filter(|one| one.issue.code.as_deref() == Some(rule.code)) {
            let issue = &finding.issue;
            let fixes = finding.instructions.iter().map(|instruction| &instruction.specific_instruction);
            for text in [&issue.title, &issue.root_cause, &issue.impact].into_iter().chain(fixes) {
                let mut foreign = latin(text).filter(|word| !own.contains(word) && !FIELDS.contains(word));
                assert_eq!(foreign.next(), None, "{}: {text}", rule.code);
            }
        }
    }
}

/// Collects the strings of a value, without the names of fields.
fn strings<'v>(value: &'v serde_json::Value, texts: &mut Vec<&'v str>) {
    match value {
        serde_json::Value::String(text) => texts.push(text),
        serde_json::Value::Array(values) => values.iter().for_each(|value| strings(value, texts)),
        serde_json::Value::Object(fields) => fields.values().for_each(|value| strings(value, texts)),
        _ => {}
    }
}

/// Verbs after a `1` that stands for a name.
const VERBS: [&str; 9] = ["is", "was", "has", "reaches", "does", "lasts", "breaks", "knows", "pays"];

#[test]
fn english_texts_agree_with_a_count_of_one() {
    for rule in all() {
        let text = rule.text(Language::En);
        let names = |template: &str| {
            let parts = template.split('{').skip(1);
            parts.filter_map(|part| part.split(['}', '|']).next()).map(str::to_owned).collect::<Vec<_>>()
        };
        for template in [&text.title, &text.cause, &text.impact].into_iter().chain(text.fix.values()) {
            let values = names(template).into_iter().map(|name| (&*name.leak(), "1".to_owned())).collect();
            let filled = super::texts::fill(template, &values);
            let words: Vec<&str> = filled.split_whitespace().collect();
            for pair in words.windows(2).filter(|pair| pair[0] == "1") {
                let is_plural = pair[1].ends_with('s') && pair[1].chars().all(|letter| letter.is_ascii_lowercase());
                assert!(!is_plural || VERBS.contains(&pair[1]), "{}: {filled}", rule.code);
            }
        }
    }
}

#[test]
fn the_name_of_a_rule_has_dots_for_values() {
    assert_eq!(rule("QS023").unwrap().text(Language::En).name(), "… sentences of '…' do not end");
}

#[test]
fn only_rules_of_style_have_a_habit_in_plain_words() {
    let is_plain = |habit: &str| !habit.contains(['{', '}', '…']) && !habit.contains("QS");
    for rule in all() {
        let habits = [Language::Zh, Language::En].map(|language| rule.habit(language));
        assert_eq!(habits[0].is_some(), habits[1].is_some(), "{}", rule.code);
        let is_taste = rule.family == RuleFamily::Prose && rule.severity == Severity::Low;
        assert!(habits.into_iter().flatten().all(|habit| is_taste && is_plain(habit)), "{}", rule.code);
    }
    assert_eq!(rule("QS023").and_then(|rule| rule.habit(Language::Zh)), Some("很长的句子"));
    assert_eq!(rule("QY316").and_then(|rule| rule.habit(Language::Zh)), None);
}

#[test]
fn the_languages_have_the_same_fixes_and_every_fix_is_used() {
    for rule in all() {
        let keys = |language| rule.text(language).fix.keys().cloned().collect::<BTreeSet<_>>();
        assert_eq!(keys(Language::Zh), keys(Language::En), "{}", rule.code);
    }
}

/// Fixes whose value only the author or a model can supply; so are all fixes of texts that replace nothing.
const LEFT_OPEN: [&str; 13] = [
    "QY110", "QY202", "QY306", "QY307", "QY314", "QY910", "QY911", "QY913", "QY920", "QY921", "QY922", "QY923", "QY926",
];

/// Rules about what is no piece.
const NO_FIX: [&str; 2] = ["QY001", "QY003"];

/// Makes what `instruction` replaces in the text of a document; whether it replaces anything.
fn mend_text(story: &mut Story, instruction: &CorrectionInstruction) -> bool {
    let Some(replacements) = instruction.parameters.get("replace_text") else { return false };
    let replacements: Vec<Replacement> = serde_json::from_value(replacements.clone()).unwrap();
    let document = story.documents.iter_mut().find(|document| instruction.parameters["id"] == document.id.as_str());
    let document = document.unwrap();
    document.text = replace(&document.text, &replacements).unwrap();
    true
}

#[test]
fn carrying_out_the_fixes_mends_the_example() {
    for rule in all() {
        let (mut story, config) = (rule.fires().story(), rule.fires().config());
        let own = findings(&story, &config).into_iter().filter(|f| f.issue.code.as_deref() == Some(rule.code));
        let instructions: Vec<_> = own.flat_map(|finding| finding.instructions).collect();
        assert!(!instructions.is_empty() || NO_FIX.contains(&rule.code), "{} offers no fix", rule.code);
        let mut left_open = LEFT_OPEN.contains(&rule.code) || NO_FIX.contains(&rule.code);
        for instruction in &instructions {
            if instruction.parameters["kind"] == "document" {
                left_open |= !mend_text(&mut story, instruction);
                continue;
            }
            let edit =
                from_instruction(instruction).unwrap_or_else(|error| panic!("{}: {error}: {instruction:?}", rule.code));
            apply(&mut story, edit).unwrap_or_else(|error| panic!("{}: {error}: {instruction:?}", rule.code));
        }
        if !left_open {
            assert_eq!(finds(rule, &story, &config), [""; 0], "{} after its fix", rule.code);
        }
    }
}

#[test]
fn no_rule_takes_people_out_of_an_event_that_a_text_tells() {
    for rule in all() {
        let (mut story, config) = (rule.fires().story(), rule.fires().config());
        story.outline_nodes.push(crate::OutlineNode {
            id: "o-99".into(),
            name: "写成的一章".into(),
            order: 99,
            ..crate::OutlineNode::default()
        });
        story.documents.push(crate::Document {
            id: "d-99".into(),
            title: "写成的一章".into(),
            order: 99,
            outline_node: Some("o-99".into()),
            text: "雨停了。".into(),
            ..crate::Document::default()
        });
        story.timeline_events.iter_mut().for_each(|event| event.outline_node = Some("o-99".into()));
        // QY316 makes an event as the text tells it.
        let own =
            findings(&story, &config).into_iter().filter(|finding| finding.issue.code.as_deref() == Some(rule.code));
        for instruction in own.flat_map(|finding| finding.instructions).filter(|_| rule.code != "QY316") {
            let is_event = instruction.parameters["kind"] == "event";
            let takes_out = instruction.parameters.get("remove_participants").is_some();
            assert!(!is_event || !takes_out, "{}: {instruction:?}", rule.code);
        }
    }
}

#[test]
fn codes_are_unique_and_in_order() {
    let codes: Vec<&str> = all().iter().map(|rule| rule.code).collect();
    assert!(codes.is_sorted_by(|a, b| a < b), "{codes:?}");
    assert!(rule("qy101").is_some() && rule("QY000").is_none());
}

#[test]
fn every_file_of_a_rule_is_a_rule() {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("src/rules");
    let names = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap());
    let codes = names.filter_map(|name| Some(name.strip_suffix(".rs")?.split_once('_')?.0.to_uppercase()));
    let of_rules: BTreeSet<String> = codes.filter(|code| begins(code, "Q")).collect();
    let known: BTreeSet<String> = all().iter().map(|rule| rule.code.to_owned()).collect();
    assert_eq!(of_rules, known);
}

#[test]
fn the_order_of_the_lists_does_not_matter() {
    for rule in all() {
        let story = rule.fires().story();
        let mut turned = story.clone();
        turned.characters.reverse();
        turned.character_relations.reverse();
        turned.outline_nodes.reverse();
        turned.timeline_events.reverse();
        turned.plot_nodes.reverse();
        turned.documents.reverse();
        turned.facts.reverse();
        turned.promises.reverse();
        if let Some(world) = &mut turned.worldview {
            world.rules.reverse();
            world.items.reverse();
            world.locations.reverse();
        }
        let config = rule.fires().config();
        assert_eq!(findings(&story, &config), findings(&turned, &config), "{}", rule.code);
    }
}

#[test]
fn a_finding_about_a_piece_is_in_the_work_of_who_makes_such_pieces() {
    let works = [
        ("character", Agent::Character),
        ("relation", Agent::Character),
        ("outline", Agent::Outline),
        ("timeline", Agent::Plot),
        ("plot", Agent::Plot),
        ("worldview", Agent::Worldview),
        ("style", Agent::Style),
    ];
    for kind in PieceKind::ALL {
        let draft = FindingDraft::about(["林青"]).in_work_of(kind);
        let said = draft.finish(&all()[0], Severity::Low, Language::Zh, "").issue.sub_category;
        let work = works.iter().find(|(work, _)| *work == said);
        assert_eq!(work.map(|(_, agent)| *agent), Some(kind.agent()), "{kind:?}: {said}");
    }
}

/// Everything that a rule says of its example, as far as it depends on the rule.
fn told(rule: &Rule, language: Language) -> String {
    let story = Story { language, ..rule.fires().story() };
    let mut told = format!("{} in {:?}\n", rule.code, rule.scope());
    for finding in findings(&story, &rule.fires().config()) {
        let issue = &finding.issue;
        if issue.code.as_deref() != Some(rule.code) {
            continue;
        }
        let head = [("is", &issue.title), ("for", &issue.root_cause), ("so", &issue.impact)];
        for (word, text) in head {
            writeln!(told, "  {word}: {text}").unwrap();
        }
        writeln!(told, "  id: {} {:?} {}", issue.id, issue.severity, issue.affected_entities.join(", ")).unwrap();
        for evidence in &issue.evidence {
            writeln!(told, "  at: {} {}", evidence.anchor, evidence.quote).unwrap();
        }
        for fix in &finding.instructions {
            writeln!(told, "  fix: {:?} {} {}", fix.action, fix.specific_instruction, fix.parameters).unwrap();
        }
    }
    told
}

#[test]
fn what_every_rule_says_of_its_example() {
    for language in [Language::Zh, Language::En] {
        let all: Vec<String> = all().iter().map(|rule| told(rule, language)).collect();
        insta::assert_snapshot!(format!("every_rule_{}", language.code()), all.join("\n"));
    }
}

#[test]
fn a_rule_is_of_the_family_that_its_number_says() {
    let families = [
        ("QS011", RuleFamily::Prose),
        ("QY001", RuleFamily::Checker),
        ("QY101", RuleFamily::Names),
        ("QY202", RuleFamily::Presence),
        ("QY301", RuleFamily::Time),
        ("QY401", RuleFamily::Items),
        ("QY501", RuleFamily::Knowledge),
        ("QY601", RuleFamily::Relations),
        ("QY701", RuleFamily::Promises),
        ("QY801", RuleFamily::World),
        ("QY901", RuleFamily::Structure),
    ];
    for (code, family) in families {
        assert_eq!(RuleFamily::of(code), family, "{code}");
    }
}

#[test]
fn places_that_chapters_brought_are_no_list_for_the_plan() {
    let story = |made: serde_json::Value| -> Story {
        serde_json::from_value(json!({
            "worldview": {"locations": [{"id": "l-1", "name": "Ruswarp"}]},
            "outline_nodes": [{"id": "o-1", "name": "1", "location": "The jet workshop"}],
            "documents": [{"id": "d-1", "title": "1", "order": 1, "text": "He went to Ruswarp.", "settled": {"made": made}}],
        }))
        .unwrap()
    };
    let found = |made| finds(rule("QY106").unwrap(), &story(made), &Config::default()).len();
    assert_eq!(found(json!([{"kind": "location", "id": "l-1", "digest": "x", "quote": "He went to Ruswarp."}])), 0);
    assert_eq!(found(json!([])), 1);
}

#[test]
fn a_code_begins_as_is_said_in_any_letters() {
    assert!(["Q", "qy1", " QY101 "].iter().all(|given| begins("QY101", given)));
    assert!(["", "  ", "QY102", "QS", "Y101"].iter().all(|given| !begins("QY101", given)));
}

#[test]
fn a_family_name_with_a_title_is_an_alias_and_no_further_person() {
    for (language, card, name) in [(Language::Zh, "沈砚秋", "沈先生"), (Language::En, "Ada Prewitt", "Mrs. Prewitt")]
    {
        let characters = json!([{"id": "c-1", "name": card}, {"id": "c-2", "name": "Tom Vane"}]);
        let nodes = json!([{"id": "o-1", "name": "x", "participants": [name]}]);
        let relations = json!([{"id": "r-1", "from": "c-2", "to": name, "type": "friend"}]);
        for (code, story) in [
            ("QY101", json!({"language": language, "characters": characters, "outline_nodes": nodes})),
            ("QY107", json!({"language": language, "characters": characters, "character_relations": relations})),
        ] {
            let story: Story = serde_json::from_value(story).unwrap();
            let found = findings(&story, &Config::default());
            let found = found.iter().find(|one| one.issue.code.as_deref() == Some(code)).unwrap();
            let fix = &found.instructions[0];
            let alias = json!({"kind": "character", "id": "c-1", "add_alias": [name]});
            assert_eq!((fix.action, &fix.parameters), (Action::Update, &alias), "{code}");
            assert!(fix.specific_instruction.contains(card), "{}", fix.specific_instruction);
        }
    }
}
