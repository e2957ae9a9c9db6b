//! The files that describe the format of a story, and the examples in them.

use std::fmt::Write as _;
use std::path::PathBuf;

use qingyu_story::predicate::{self, ValueKind};
use qingyu_story::{Config, Language, Story, check, rules, schema};
use serde_json::Value;

/// With this variable set, the files are written instead of compared.
const UPDATE: &str = "QINGYU_UPDATE_FILES";

fn path(name: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../..").join(name)
}

fn keep(name: &str, wanted: &str) {
    if std::env::var_os(UPDATE).is_some() {
        std::fs::create_dir_all(path(name).parent().expect("a file has a folder"))
            .expect("the repository can be written");
        std::fs::write(path(name), wanted).expect("the repository can be written");
    }
    let kept = std::fs::read_to_string(path(name)).unwrap_or_default();
    assert!(kept == wanted, "{name} is out of date; run this test with {UPDATE}=1");
}

fn page() -> String {
    std::fs::read_to_string(path("docs/story-format.md")).expect("the page is in the repository")
}

/// The JSON blocks of the page.
fn examples() -> Vec<Value> {
    let page = page();
    let blocks = page.split("```json\n").skip(1).filter_map(|block| block.split("```").next());
    blocks.map(|block| serde_json::from_str(block).unwrap_or_else(|error| panic!("{error}: {block}"))).collect()
}

#[test]
fn the_schema_in_the_repository_is_that_of_the_types() {
    let text = serde_json::to_string_pretty(&schema::story()).unwrap();
    keep("schemas/story.schema.json", &format!("{text}\n"));
}

#[test]
fn the_lists_on_the_page_are_those_of_the_program() {
    let mut page = page();
    for (name, list) in [("predicates", predicates()), ("rules", rule_list())] {
        let (begin, end) = (format!("<!-- {name}: generated -->\n"), format!("<!-- end of {name} -->"));
        let from = page.find(&begin).expect("the page has the marks") + begin.len();
        let until = page.find(&end).expect("the page has the marks");
        page.replace_range(from..until, &format!("\n{list}\n"));
    }
    keep("docs/story-format.md", &page);
}

#[test]
fn the_examples_on_the_page_are_stories_and_say_what_they_find() {
    let schema = jsonschema::validator_for(&schema::story()).unwrap();
    let found: Vec<Vec<String>> = examples()
        .into_iter()
        .map(|example| {
            let errors: Vec<String> = schema.iter_errors(&example).map(|error| error.to_string()).collect();
            assert_eq!(errors, [""; 0]);
            let story: Story = serde_json::from_value(example).unwrap();
            let issues = check(&story, &Config::default());
            issues.into_iter().filter_map(|issue| issue.code).collect()
        })
        .collect();
    assert_eq!(found, [vec!["QY408", "QY501"], vec!["QY402", "QY802"]]);
}

#[test]
fn all_that_a_story_can_hold_is_in_the_schema() {
    let schema = jsonschema::validator_for(&schema::story()).unwrap();
    for rule in rules::all() {
        for example in [rule.fires(), rule.spares()] {
            let given: Value = serde_json::from_str(&example.story).unwrap();
            let written = serde_json::to_value(example.story()).unwrap();
            for story in [given, written] {
                let errors: Vec<String> = schema.iter_errors(&story).map(|error| error.to_string()).collect();
                assert_eq!(errors, [""; 0], "{}", rule.code);
            }
        }
    }
}

fn predicates() -> String {
    let mut list = String::from("| name | other names | value | marks |\n|---|---|---|---|\n");
    for word in predicate::all() {
        let marks = [
            (word.single, "single"),
            (word.immutable, "immutable"),
            (word.steady, "steady"),
            (word.exclusive, "exclusive"),
            (word.symmetric, "symmetric"),
        ];
        let marks = marks.into_iter().filter(|(is, _)| *is).map(|(_, mark)| mark.to_owned());
        let inverse = word.inverse.iter().map(|other| format!("inverse of `{other}`"));
        let marks: Vec<String> = marks.chain(inverse).collect();
        let value = match word.value {
            ValueKind::Fact => "the id of a fact, in `object`".to_owned(),
            ValueKind::Entity => "`object`".to_owned(),
            kind => format!("{kind:?}").to_lowercase(),
        };
        let names = word.aliases.join(", ");
        writeln!(list, "| `{}` | {names} | {value} | {} |", word.name, marks.join(", ")).expect("a string takes all");
    }
    list
}

fn rule_list() -> String {
    let mut list = String::new();
    for rule in rules::all() {
        writeln!(list, "- **{}**: {}", rule.code, rule.page(Language::En).trim()).expect("a string takes all");
    }
    list
}
