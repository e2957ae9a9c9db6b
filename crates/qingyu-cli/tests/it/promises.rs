//! What docs/promises.md and docs/failures.md say is tested has a test: each that is named there exists, and nothing is left out.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

const ROOT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");

/// A test as the pages name it: `qingyu-graph::it kills::some_name`, or `qingyu-llm::lib wire::sse::tests::some_name`.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
struct Named {
    folder: String,
    binary: String,
    /// Its modules, then its own name.
    path: Vec<String>,
}

impl Named {
    fn read(code: &str) -> Option<Self> {
        let (target, path) = code.split_once(' ')?;
        let (folder, binary) = target.split_once("::")?;
        let is_known = folder.starts_with("qingyu-") && ["it", "lib"].contains(&binary);
        let path = path.split("::").map(str::to_owned).collect();
        is_known.then(|| Self { folder: folder.to_owned(), binary: binary.to_owned(), path })
    }

    /// The file of its innermost module that has one.
    fn file(&self) -> Option<PathBuf> {
        let (root, top) = match self.binary.as_str() {
            "it" => ("tests/it", "main.rs"),
            _ => ("src", "lib.rs"),
        };
        let folder = Path::new(ROOT).join("crates").join(&self.folder).join(root);
        let (_, modules) = self.path.split_last()?;
        let of_modules = (1..=modules.len()).rev().map(|count| folder.join(modules[..count].join("/") + ".rs"));
        of_modules.chain([folder.join(top)]).find(|file| file.is_file())
    }

    /// Whether its file has it, as a test that is not left out.
    fn exists(&self) -> bool {
        let source = self.file().and_then(|file| fs::read_to_string(file).ok());
        source.zip(self.path.last()).is_some_and(|(source, name)| is_test(&source, name))
    }
}

/// Whether `source` has a test of that name that is run with all others.
fn is_test(source: &str, name: &str) -> bool {
    let lines: Vec<&str> = source.lines().map(str::trim).collect();
    let begins = [format!("fn {name}("), format!("async fn {name}(")];
    let Some(place) = lines.iter().position(|line| begins.iter().any(|begin| line.starts_with(begin))) else {
        return false;
    };
    let before = lines[..place].iter().rev();
    let attributes: Vec<_> = before.take_while(|line| line.starts_with("#[") || line.starts_with("//")).collect();
    let has = |begin: &str| attributes.iter().any(|line| line.starts_with(begin));
    (has("#[test]") || has("#[tokio::test")) && !has("#[ignore")
}

struct Section {
    title: String,
    text: String,
}

impl Section {
    /// What stands between back quotes.
    fn codes(&self) -> impl Iterator<Item = &str> {
        self.text.split('`').skip(1).step_by(2)
    }

    fn tests(&self) -> Vec<Named> {
        self.codes().filter_map(Named::read).collect()
    }
}

/// The parts of a page that begin with a heading of the second level.
fn sections(page: &str) -> Vec<Section> {
    let text = fs::read_to_string(Path::new(ROOT).join("docs").join(page)).unwrap();
    let parts = text.split("\n## ").skip(1).map(|part| part.split_once('\n').unwrap());
    parts.map(|(title, text)| Section { title: title.to_owned(), text: text.to_owned() }).collect()
}

#[test]
fn every_promise_and_every_failure_is_on_its_page_with_its_tests() {
    let promises = (1..=15).map(|number| format!("P{number}. "));
    let failures = (1..=31).map(|number| format!("{number}. "));
    let mut wrong = Vec::new();
    for (page, expected) in
        [("promises.md", promises.collect::<Vec<_>>()), ("failures.md", failures.collect::<Vec<_>>())]
    {
        let is_numbered = |section: &Section| {
            let number = section.title.trim_start_matches('P').split(". ").next().unwrap();
            number.parse::<u32>().is_ok()
        };
        let numbered: Vec<_> = sections(page).into_iter().filter(is_numbered).collect();
        let begins: Vec<_> =
            numbered.iter().map(|section| section.title.split_inclusive(". ").next().unwrap().to_owned()).collect();
        assert_eq!(begins, expected, "{page}");
        for section in numbered {
            let has_reason = section.text.contains("No test:") || section.text.contains("Not tested:");
            if section.tests().is_empty() && !has_reason {
                wrong.push(format!("{page}, {}: neither a test nor why there is none", section.title));
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn every_test_that_is_named_exists() {
    let named: BTreeSet<Named> =
        ["promises.md", "failures.md"].into_iter().flat_map(sections).flat_map(|section| section.tests()).collect();
    assert!(named.len() > 100, "only {} tests are named", named.len());
    let missing: Vec<_> = named
        .iter()
        .filter(|named| !named.exists())
        .map(|named| format!("{}::{} {}", named.folder, named.binary, named.path.join("::")))
        .collect();
    assert!(missing.is_empty(), "{missing:#?}");
}

#[test]
fn nothing_else_is_named_in_a_way_that_only_looks_like_a_test() {
    let sections: Vec<_> = ["promises.md", "failures.md"].into_iter().flat_map(sections).collect();
    let makefile = fs::read_to_string(Path::new(ROOT).join("Makefile")).unwrap();
    for section in &sections {
        for code in section.codes() {
            let looks_like_one = code.contains("::it ") || code.contains("::lib ");
            assert_eq!(looks_like_one, Named::read(code).is_some(), "{}: {code}", section.title);
            if let Some(target) = code.strip_prefix("make ") {
                assert!(makefile.contains(&format!("\n{target}:")), "{}: there is no {code}", section.title);
            }
        }
    }
}

#[test]
fn a_test_is_told_from_what_is_none() {
    let source = "#[test]\nfn one() {}\n\n#[tokio::test(flavor = \"x\")]\n#[ignore = \"slow\"]\nasync fn two() {}\n\nfn three() {}\n
        proptest! {\n    /// Why.\n    #[test]\n    fn four(x in 0..3) {}\n}";
    let expected = [("one", true), ("two", false), ("three", false), ("four", true), ("five", false), ("on", false)];
    for (name, is_one) in expected {
        assert_eq!(is_test(source, name), is_one, "{name}");
    }
    let named = Named::read("qingyu-graph::it random::past::c44_the_same_in_sqlite").unwrap();
    assert!(named.file().unwrap().ends_with("crates/qingyu-graph/tests/it/random/past.rs"));
    assert!(Named::read("qingyu resume").is_none() && Named::read("serde::it x").is_none());
}
