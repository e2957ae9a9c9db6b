//! Tests that the documentation names.

use std::path::{Path, PathBuf};
use std::{fmt, fs};

pub(crate) const ROOT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");

/// A test as the pages name it: `qingyu-graph::it kills::some_name`, `qingyu-llm::lib wire::sse::tests::some_name`, or for
/// a test in the browser `web::e2e story.spec: its title`.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct NamedTest {
    pub(crate) folder: String,
    binary: String,
    /// Its modules, then its own name.
    path: Vec<String>,
}

impl NamedTest {
    pub(crate) fn read(code: &str) -> Option<Self> {
        let (target, path) = code.split_once(' ')?;
        let (folder, binary) = target.split_once("::")?;
        if (folder, binary) == ("web", "e2e") {
            let (file, title) = path.split_once(": ")?;
            let path = [file, title].map(str::to_owned).into();
            return Some(Self { folder: folder.to_owned(), binary: binary.to_owned(), path });
        }
        let is_known = folder.starts_with("qingyu-") && ["it", "lib"].contains(&binary);
        let path = path.split("::").map(str::to_owned).collect();
        is_known.then(|| Self { folder: folder.to_owned(), binary: binary.to_owned(), path })
    }

    /// The file of its innermost module that has one.
    fn file(&self) -> Option<PathBuf> {
        let (root, top) = match self.binary.as_str() {
            "e2e" => return Some(Path::new(ROOT).join("web/e2e").join(format!("{}.ts", self.path.first()?))),
            "it" => ("tests/it", "main.rs"),
            _ => ("src", "lib.rs"),
        };
        let folder = Path::new(ROOT).join("crates").join(&self.folder).join(root);
        let (_, modules) = self.path.split_last()?;
        let of_modules = (1..=modules.len()).rev().map(|count| folder.join(modules[..count].join("/") + ".rs"));
        of_modules.chain([folder.join(top)]).find(|file| file.is_file())
    }

    /// Whether its file has it, as a test that is not left out.
    pub(crate) fn exists(&self) -> bool {
        let source = self.file().and_then(|file| fs::read_to_string(file).ok());
        source.zip(self.path.last()).is_some_and(|(source, name)| match self.binary.as_str() {
            "e2e" => source.lines().any(|line| line.starts_with(&format!("test(\"{name}\", "))),
            _ => is_test(&source, name),
        })
    }
}

impl fmt::Display for NamedTest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let joint = if self.binary == "e2e" { ": " } else { "::" };
        write!(f, "{}::{} {}", self.folder, self.binary, self.path.join(joint))
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

#[test]
fn a_test_is_told_from_what_is_none() {
    let source = "#[test]\nfn one() {}\n\n#[tokio::test(flavor = \"x\")]\n#[ignore = \"slow\"]\nasync fn two() {}\n\nfn three() {}\n
        proptest! {\n    /// Why.\n    #[test]\n    fn four(x in 0..3) {}\n}";
    let expected = [("one", true), ("two", false), ("three", false), ("four", true), ("five", false), ("on", false)];
    for (name, is_one) in expected {
        assert_eq!(is_test(source, name), is_one, "{name}");
    }
    let named = NamedTest::read("qingyu-graph::it random::past::c44_the_same_in_sqlite").unwrap();
    assert!(named.file().unwrap().ends_with("crates/qingyu-graph/tests/it/random/past.rs"));
    for (title, exists) in [("on a phone a chapter is chosen, read and edited", true), ("on a phone", false)] {
        let named = format!("web::e2e shell.spec: {title}");
        let read = NamedTest::read(&named).unwrap();
        assert_eq!((read.exists(), read.to_string()), (exists, named));
    }
    assert!(NamedTest::read("qingyu resume").is_none() && NamedTest::read("serde::it x").is_none());
}
