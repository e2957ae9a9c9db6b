use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use clap::CommandFactory;
use qingyu_studio::story::language::is_han;

use super::*;
use crate::args::Cli;

const ZH: &str = include_str!("../../locales/zh.ftl");
const EN: &str = include_str!("../../locales/en.ftl");
const HELP: &str = include_str!("../../locales/help.zh.ftl");

/// Each key with the variables its text uses.
fn keys(source: &str) -> BTreeMap<String, BTreeSet<String>> {
    let mut keys: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    let mut current = String::new();
    for line in source.lines().filter(|line| !line.starts_with('#')) {
        if let Some((key, _)) = line.split_once(" = ").filter(|_| !line.starts_with(' ')) {
            current = key.to_owned();
            assert!(keys.insert(current.clone(), BTreeSet::new()).is_none(), "{current} stands there twice");
        }
        let names = line.split("$").skip(1).map(|rest| rest.split(|c: char| !c.is_alphanumeric() && c != '_').next());
        let names: Vec<String> = names.flatten().map(str::to_owned).collect();
        if !names.is_empty() {
            keys.get_mut(&current).expect("a variable stands in a text").extend(names);
        }
    }
    keys
}

fn sources(folder: &Path) -> Vec<(PathBuf, String)> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            found.extend(sources(&path));
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            let text = std::fs::read_to_string(&path).unwrap();
            found.push((path, text));
        }
    }
    found
}

/// The source code without its tests.
fn production_code() -> Vec<(PathBuf, String)> {
    let mut all = sources(&Path::new(env!("CARGO_MANIFEST_DIR")).join("src"));
    all.retain(|(path, _)| !path.ends_with("tests.rs"));
    for (_, text) in &mut all {
        let end = text.find("#[cfg(test)]").unwrap_or(text.len());
        text.truncate(end);
    }
    all
}

#[test]
fn both_languages_have_the_same_keys_and_variables() {
    let (zh, en) = (keys(ZH), keys(EN));
    let missing: Vec<_> = en.keys().filter(|key| !zh.contains_key(*key)).collect();
    let extra: Vec<_> = zh.keys().filter(|key| !en.contains_key(*key)).collect();
    assert!(missing.is_empty() && extra.is_empty(), "zh lacks {missing:?}, en lacks {extra:?}");
    for (key, variables) in &en {
        assert_eq!(variables, &zh[key], "{key}");
    }
}

#[test]
fn every_literal_key_in_the_code_has_a_text() {
    let known = keys(EN);
    for (path, text) in production_code() {
        for call in ["texts().get(\"", "texts.get(\"", ".fill(\"", ".label(\"", ".remark(\"", "PLAIN, \"", "FAINT, \""]
        {
            for literal in text.split(call).skip(1).filter_map(|rest| rest.split('"').next()) {
                let is_key = !literal.contains(['{', ' ']) && !literal.is_empty() && !literal.starts_with("help-");
                assert!(!is_key || known.contains_key(literal), "{path:?}: {literal}");
            }
        }
    }
}

#[test]
fn every_text_is_said() {
    // Families whose keys are made of a code in the data.
    let of_data = [
        "agent-",
        "capability-",
        "requirement-",
        "complexity-",
        "work-",
        "correction-",
        "strategy-",
        "guide-step-",
        "made-by-",
        "schema-",
        "severity-",
        "category-",
        "source-",
        "action-",
        "role-",
        "relation-",
        "predicate-",
        "message-",
        "place-",
        "unit-",
        "mode-",
        "plot-kind-",
        "view-",
        "language-",
        "status-",
        "layer-",
        "setting-form-",
        "piece-",
        "purpose-",
        "review-reason-",
        "check-",
        "found-",
        "advice-",
        "error-",
        "hint-",
        "unread-",
        "usage-",
        "column-",
        "dimension-",
        "brief-part-",
        "feeling-",
        "ease-",
        "shown-",
        "level-",
        "verdict-",
        "autonomy-",
        "field-status-",
        "slash-",
        "word-category-",
        "disguise-",
        "made-",
        "graph-about-",
        "because-",
        "left-",
        "permission-",
        "user-role-",
        "member-role-",
        "series-kind-",
        "key-right-",
        "key-state-",
        "memory-kind-",
        "memory-standing-",
        "memory-what-",
        "taken-by-",
        "extra-",
        "apart-",
        "chapter-state-",
        "checkpoint-source-",
        "prompt-role-",
        "coverage-",
        "branch-fate-",
        "run-kind-",
        "spending-by-",
        "reading-",
        "engine-part-",
        "panel-rows-",
        "untried-",
        "wish-state-",
        "opening-kind-",
        "ending-kind-",
        "turn-kind-",
        "chapter-function-",
        "structure-figure-",
        "structure-by-",
    ];
    let code: String = production_code().into_iter().map(|(_, text)| text).collect();
    let is_said =
        |key: &str| code.contains(&format!("\"{key}\"")) || of_data.iter().any(|family| key.starts_with(family));
    let unused: Vec<_> = keys(EN).into_keys().filter(|key| !is_said(key)).collect();
    assert!(unused.is_empty(), "nobody says {unused:?}");
}

#[test]
fn no_code_speaks_chinese() {
    for (path, text) in production_code() {
        let found = text.lines().find(|line| line.chars().any(is_han) && !line.trim_start().starts_with("///"));
        assert_eq!(found, None, "{path:?}");
    }
}

#[test]
fn every_command_argument_and_value_has_a_chinese_text() {
    let help = keys(HELP);
    let mut needed: BTreeSet<String> = help.keys().filter(|key| key.starts_with("help-")).cloned().collect();
    let mut command = Cli::command();
    command.build();
    collect("", &command, &mut needed);
    let missing: Vec<_> = needed.iter().filter(|key| !help.contains_key(*key)).collect();
    let extra: Vec<_> = help.keys().filter(|key| !needed.contains(*key)).collect();
    assert!(missing.is_empty() && extra.is_empty(), "missing {missing:?}, of nothing {extra:?}");
}

fn collect(parent: &str, command: &clap::Command, needed: &mut BTreeSet<String>) {
    needed.insert(crate::help::command_key(parent, command.get_name()));
    for argument in command.get_arguments() {
        let key = crate::help::argument_key(argument, command.get_name());
        if argument.get_action().takes_values() {
            let shown = argument.get_possible_values().into_iter().filter(|value| !value.is_hide_set());
            needed.extend(shown.map(|value| format!("{key}-{}", value.get_name())));
        }
        needed.insert(key);
    }
    for inner in command.get_subcommands().filter(|_| command.get_name() != crate::help::HELP) {
        collect(command.get_name(), inner, needed);
    }
}

#[test]
fn every_failure_of_the_studio_has_a_text() {
    let known = keys(EN);
    let source = include_str!("../../../qingyu-studio/src/error/codes.rs");
    let tables = source.split("\nrows! {\n").nth(1).and_then(|rows| rows.split("#[cfg(test)]").next()).unwrap();
    let codes: Vec<&str> = tables.lines().filter_map(|row| row.split('"').nth(1)).collect();
    assert!(codes.len() > 20, "the codes are found: {codes:?}");
    for code in codes {
        assert!(known.contains_key(&format!("error-{}", code.replace('_', "-"))), "{code}");
    }
}

#[test]
fn a_text_is_filled() {
    let texts = LocalizedTexts::new(Language::En);
    assert_eq!(texts.fill("report-issues", &[("total", 1.into())]).split(' ').next(), Some("1"));
    assert_eq!(texts.get("label"), texts.fill("label", &[]));
    assert_eq!(LocalizedTexts::new(Language::Zh).word("agent", "outline_agent"), "大纲");
    assert_eq!(texts.word("agent", "someone_else"), "someone_else");
}

/// Verbs after a `1` that stands for a name.
const VERBS: [&str; 18] = [
    "appears",
    "comes",
    "contains",
    "continues",
    "depends",
    "does",
    "ends",
    "has",
    "is",
    "matches",
    "needs",
    "refers",
    "shows",
    "stands",
    "takes",
    "tells",
    "was",
    "works",
];

/// The text of a key, in all of its variants that are not plurals, with 1 for every variable.
fn filled_with_one(texts: &LocalizedTexts, key: &str, source: &str) -> Vec<String> {
    let names: BTreeSet<&str> = source.split('$').skip(1).filter_map(|rest| rest.split([' ', '}']).next()).collect();
    let variants = source.split('[').skip(1).filter_map(|rest| rest.split_once(']')).map(|(variant, _)| variant);
    let variants: BTreeSet<&str> = variants.filter(|variant| !["one", "other"].contains(variant)).collect();
    let selectors: Vec<&str> = names.iter().copied().filter(|name| source.contains(&format!("${name} ->"))).collect();
    let chosen = selectors.iter().flat_map(|name| variants.iter().map(move |variant| Some((*name, *variant))));
    let fill = |chosen: Option<(&str, &str)>| {
        let value = |name: &str| chosen.filter(|(chosen, _)| *chosen == name).map_or("1", |(_, variant)| variant);
        let arguments: Vec<_> = names.iter().map(|name| (*name, FluentValue::from(value(name).to_owned()))).collect();
        texts.fill(key, &arguments)
    };
    std::iter::once(None).chain(chosen).map(fill).collect()
}

#[test]
fn english_texts_agree_with_a_count_of_one() {
    let texts = LocalizedTexts::new(Language::En);
    for key in keys(EN).keys() {
        let begin = EN.find(&format!("\n{key} = ")).expect("a key begins a line") + 1;
        let next = EN[begin..].match_indices('\n').find(|(at, _)| !EN[begin + at + 1..].starts_with([' ', '}']));
        let source = next.map_or(&EN[begin..], |(at, _)| &EN[begin..begin + at]);
        for text in filled_with_one(&texts, key, source) {
            let words: Vec<&str> = text.split_whitespace().collect();
            for (at, _) in words.iter().enumerate().filter(|(_, word)| **word == "1" || **word == "(1") {
                let after =
                    |count: usize| words.get(at + count).map_or("", |word| word.trim_end_matches([',', '.', ')']));
                let noun = if after(1) == "more" { after(2) } else { after(1) };
                let is_plural =
                    noun.len() > 1 && noun.ends_with('s') && noun.chars().all(|letter| letter.is_ascii_lowercase());
                assert!(!is_plural || VERBS.contains(&noun), "{key}: {text}");
            }
        }
    }
}

#[test]
fn the_gaps_of_the_offline_model_are_named_as_it_writes_them() {
    let tables = [
        (Language::Zh, "〔待写〕", include_str!("../../../qingyu-offline/src/tables/zh/phrases.toml")),
        (Language::En, "[to be written]", include_str!("../../../qingyu-offline/src/tables/en/phrases.toml")),
    ];
    for (language, gap, table) in tables {
        assert!(table.contains(gap) && LocalizedTexts::new(language).get("offline-what").contains(gap), "{gap}");
    }
}

#[test]
fn every_predicate_of_the_vocabulary_has_a_word() {
    let known = keys(ZH);
    let vocabulary = include_str!("../../../qingyu-story/src/predicate/predicates.toml");
    let names = vocabulary.lines().filter_map(|line| line.strip_prefix("name = \"")?.strip_suffix('"'));
    let missing: Vec<_> =
        names.filter(|name| !known.contains_key(&format!("predicate-{}", name.replace('_', "-")))).collect();
    assert!(missing.is_empty(), "{missing:?}");
}
