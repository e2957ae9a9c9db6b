//! The documentation, read as a stranger reads it: every command in it is typed, what it shows is compared with what comes,
//! every link leads somewhere, and every command of the program is told of.
//!
//! What a fenced block is stands in the words after its fence:
//!
//! | fence | what the test does with it |
//! |---|---|
//! | `sh` | types its commands, in order, in the folder of the document; each must end with 0 |
//! | `console` | the same for lines that begin with `$ `, and compares what is shown; `…` stands for anything |
//! | `… exit=4` | the last command ends with 4 |
//! | `… not-run=REASON` | types nothing, but knows every command, option, target and example (`reading::NOT_RUN`) |
//! | `toml settings` | must be settings that the program takes |
//! | `rust is=FILE`, `rust from=FILE` | is the whole file, or lines of it |

mod blocks;
pub(crate) mod commands;
mod links;
mod reading;

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use blocks::parted;
use commands::{Program, qingyu_calls};
use reading::wrong_in;

/// The documents that are long to read; each is read by a test of its own, the others by one.
const LONG: [&str; 6] = [
    "README.md",
    "README.zh.md",
    "docs/api.md",
    "docs/guide-author.md",
    "docs/guide-author.zh.md",
    "docs/guide-developer.md",
];

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().unwrap()
}

fn text_of(document: &str) -> String {
    std::fs::read_to_string(root().join(document)).unwrap_or_else(|error| panic!("{document}: {error}"))
}

/// The documents whose commands are typed, from the root of the repository.
fn documents() -> BTreeSet<String> {
    let pages = std::fs::read_dir(root().join("docs")).unwrap();
    let names = pages.map(|page| format!("docs/{}", page.unwrap().file_name().to_string_lossy()));
    let pages = names.filter(|name| name.ends_with(".md"));
    pages.chain(["README.md", "README.zh.md"].map(str::to_owned)).collect()
}

#[track_caller]
fn read_through(document: &str) {
    let wrong = wrong_in(document);
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn the_readme_holds() {
    read_through("README.md");
}

#[test]
fn the_chinese_readme_holds() {
    read_through("README.zh.md");
}

#[test]
fn the_authors_guide_holds() {
    read_through("docs/guide-author.md");
}

#[test]
fn the_chinese_authors_guide_holds() {
    read_through("docs/guide-author.zh.md");
}

#[test]
fn the_developers_guide_holds() {
    read_through("docs/guide-developer.md");
}

#[test]
fn the_page_about_the_api_holds() {
    read_through("docs/api.md");
}

#[test]
fn every_other_page_holds() {
    let others = documents().into_iter().filter(|document| !LONG.contains(&document.as_str()));
    let wrong: Vec<_> = others.flat_map(|document| wrong_in(&document)).collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn every_link_leads_somewhere() {
    let wrong = links::wrong(&root());
    assert!(wrong.is_empty(), "links that lead nowhere:\n{}", wrong.join("\n"));
}

/// Pages that send a reader to files of the repository.
const MAPS: [&str; 6] =
    ["ARCHITECTURE.md", "CONTRIBUTING.md", "DESIGN.md", "README.md", "docs/benchmarks.md", "docs/guide-engine.md"];

#[test]
fn every_file_that_a_map_names_exists() {
    let mut absent = Vec::new();
    for page in MAPS {
        let text = text_of(page);
        for (line, content) in parted(&text).1 {
            let quoted = content.split('`').skip(1).step_by(2);
            let named = quoted.filter(|name| name.starts_with("crates/") && !name.contains(['*', ' ']));
            absent
                .extend(named.filter(|name| !root().join(name).exists()).map(|name| format!("{page}:{line}: {name}")));
        }
    }
    assert!(absent.is_empty(), "{absent:#?}");
}

#[test]
fn every_page_stands_in_the_index() {
    let index = text_of("docs/README.md");
    let absent = |name: &&String| {
        let name = name.trim_start_matches("docs/");
        name != "README.md" && !name.starts_with("README") && !index.contains(&format!("({name})"))
    };
    let forgotten: Vec<_> = documents().into_iter().filter(|name| absent(&name)).collect();
    assert!(forgotten.is_empty(), "docs/README.md does not name {forgotten:?}");
}

#[test]
fn every_command_of_the_program_is_told_of() {
    let told: BTreeSet<String> = ["docs/guide-author.md", "docs/guide-developer.md", "docs/api.md"]
        .iter()
        .flat_map(|document| calls_in(document))
        .collect();
    let untold: Vec<_> = Program::asked().leaves().filter(|command| !told.contains(*command)).cloned().collect();
    assert!(untold.is_empty(), "no guide shows qingyu {}", untold.join(", qingyu "));
}

#[test]
fn both_guides_of_authors_show_the_same_commands() {
    assert_eq!(calls_in("docs/guide-author.md"), calls_in("docs/guide-author.zh.md"));
}

/// The commands of the program that a document shows, such as `produce new`.
fn calls_in(document: &str) -> BTreeSet<String> {
    let program = Program::asked();
    let text = text_of(document);
    let shown = blocks::shown(&text);
    shown.iter().flat_map(|shown| qingyu_calls(&shown.text)).filter_map(|call| program.path(&call)).collect()
}
