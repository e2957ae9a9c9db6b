//! The words of the sources: type names are unique within a crate, and comments keep to plain English.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

/// Type names that a crate has more than once. A new entry needs a reason; the list only gets shorter.
///
/// Names of `qingyu-story` and `qingyu-agents` below are part of prompts, and the structs of tools are named by the tool's
/// module.
const DOUBLES: &[(&str, &[&str])] = &[
    ("qingyu-agents", &["Done", "Doubt", "Fix", "Fixes", "Judgement", "Verdict"]),
    ("qingyu-db", &["PostgresIndex"]),
    ("qingyu-knowledge", &["Error", "Query", "Value"]),
    ("qingyu-server", &["Error"]),
    ("qingyu-story", &["Config", "Item", "Question"]),
    ("qingyu-tools", &["Arguments", "Do", "Error", "Kind", "Operation"]),
];

/// Phrases of the project's early dialect, with the word to use instead.
const FORBIDDEN: &[(&str, &str)] = &[
    ("whoever", "the caller, the reader, …"),
    ("goes on with", "resumes, continues"),
    ("gone on with", "resumed"),
    ("stands in for", "replaces, represents"),
    (" all the same,", "anyway"),
    ("is let in", "is authenticated, is accepted"),
];

fn sources(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_string_lossy();
        if path.is_dir() && name != "tests" && name != "testing" {
            sources(&path, found);
        } else if name.ends_with(".rs") && !name.ends_with("tests.rs") && name != "testing.rs" {
            found.push(path);
        }
    }
}

/// Returns the sources of each crate, by its name.
fn crates() -> BTreeMap<String, Vec<PathBuf>> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
    let folders =
        fs::read_dir(root).unwrap().map(|entry| entry.unwrap().path()).filter(|path| path.join("src").is_dir());
    folders
        .map(|folder| {
            let mut found = Vec::new();
            sources(&folder.join("src"), &mut found);
            (folder.file_name().unwrap().to_string_lossy().into_owned(), found)
        })
        .collect()
}

/// Returns the name of the type that a line declares at the top level of a file.
fn declared(line: &str) -> Option<&str> {
    let line = match line.strip_prefix("pub") {
        Some(rest) => rest.strip_prefix('(').and_then(|rest| rest.split_once(')')).map_or(rest, |(_, rest)| rest),
        None => line,
    };
    let line = line.strip_prefix(' ').unwrap_or(line);
    let kinds = ["struct ", "enum ", "trait ", "union "];
    let rest = kinds.iter().find_map(|kind| line.strip_prefix(kind))?;
    rest.split(|c: char| !c.is_alphanumeric() && c != '_').next()
}

#[test]
fn a_crate_uses_a_type_name_once() {
    let mut unexpected = Vec::new();
    for (name, files) in crates() {
        let known = DOUBLES.iter().find(|(of, _)| *of == name).map_or(&[][..], |(_, known)| known);
        let mut types: BTreeMap<String, Vec<&PathBuf>> = BTreeMap::new();
        for file in &files {
            for declared in fs::read_to_string(file).unwrap().lines().filter_map(declared) {
                types.entry(declared.to_owned()).or_default().push(file);
            }
        }
        types.retain(|_, places| places.len() > 1);
        unexpected
            .extend(types.iter().filter(|(double, _)| !known.contains(&double.as_str())).map(|it| format!("{it:?}")));
        unexpected
            .extend(known.iter().filter(|known| !types.contains_key(**known)).map(|it| format!("{name} {it}: once")));
    }
    assert!(unexpected.is_empty(), "{unexpected:#?}");
}

#[test]
fn comments_keep_to_plain_words() {
    let mut found = Vec::new();
    for file in crates().into_values().flatten() {
        let text = fs::read_to_string(&file).unwrap();
        for (number, line) in (1..).zip(text.lines()).filter(|(_, line)| line.trim_start().starts_with("//")) {
            let line = line.to_lowercase();
            let dialect = FORBIDDEN.iter().filter(|(phrase, _)| line.contains(phrase));
            found.extend(dialect.map(|(phrase, plain)| format!("{}:{number}: {phrase} -> {plain}", file.display())));
        }
    }
    assert!(found.is_empty(), "{found:#?}");
}
