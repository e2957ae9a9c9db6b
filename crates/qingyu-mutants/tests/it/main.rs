//! A crate of three functions, of which each change comes to another end.
#![expect(clippy::unwrap_used, reason = "a test may panic")]

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

const LIBRARY: &str = r#"
/// Tested on one side of its border only.
pub fn grown(age: u32) -> bool {
    age >= 18
}

/// Tested by nobody.
pub fn lonely(age: u32) -> bool {
    age < 3
}

/// There are things that cannot be subtracted, or made of nothing.
pub fn greeting(name: &str) -> Greeting {
    Greeting(String::from("hello ") + name)
}

pub struct Greeting(pub String);

/// Ends only because it counts up.
pub fn halvings(mut number: u32) -> u32 {
    let mut count = 0;
    while number != 1 {
        number = number / 2;
        count += 1;
    }
    count
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn of_age() {
        assert!(grown(30));
    }

    #[test]
    fn hello() {
        assert_eq!(greeting("Mei").0, "hello Mei");
    }

    #[test]
    fn halved() {
        assert_eq!(halvings(8), 3);
    }

    #[test]
    fn broken() {
        panic!("by itself");
    }
}
"#;

fn made(root: &Path) {
    let package = root.join("crates/small");
    fs::create_dir_all(package.join("src")).unwrap();
    fs::write(root.join("Cargo.toml"), "[workspace]\nresolver = \"3\"\nmembers = [\"crates/*\"]\n").unwrap();
    fs::write(root.join("Cargo.lock"), "version = 4\n\n[[package]]\nname = \"small\"\nversion = \"0.1.0\"\n").unwrap();
    fs::write(package.join("Cargo.toml"), "[package]\nname = \"small\"\nversion = \"0.1.0\"\nedition = \"2024\"\n")
        .unwrap();
    fs::write(package.join("src/lib.rs"), LIBRARY).unwrap();
    assert!(Command::new("git").args(["init", "-q"]).current_dir(root).status().unwrap().success());
}

fn mutants(root: &Path, package: &str, arguments: &[&str]) -> Output {
    let mut mutants = Command::new(env!("CARGO_BIN_EXE_qingyu-mutants"));
    mutants.args(["--package", package]).args(arguments).current_dir(root).env("CARGO_TARGET_DIR", root.join("target"));
    mutants.output().unwrap()
}

/// What came of a change, without the line it is on.
fn without_line(kept: &str) -> String {
    let (before, name) = kept.split_once(".rs:").unwrap();
    format!("{before}.rs: {}", name.split_once(": ").unwrap().1)
}

#[test]
fn each_change_comes_to_its_end() {
    let root = tempfile::tempdir().unwrap();
    made(root.path());
    let notes = root.path().join("crates/small/notes.txt");
    fs::write(&notes, "for a while").unwrap();
    let tried = mutants(root.path(), "small", &["--workers", "2", "--patience", "2"]);
    let said = String::from_utf8(tried.stderr).unwrap();
    let kept = fs::read_to_string(root.path().join(".local/mutants/small/outcomes.tsv"))
        .unwrap_or_else(|error| panic!("{error}: {said}"));
    let outcome = |name: &str| {
        let lines: Vec<&str> =
            kept.lines().filter(|line| line.contains(name)).map(|line| line.split('\t').next().unwrap()).collect();
        assert_eq!(lines.len(), 1, "{name} in {kept}");
        lines[0]
    };
    assert_eq!(outcome("replace grown -> bool with true"), "survived");
    assert_eq!(outcome("replace grown -> bool with false"), "noticed");
    assert_eq!(outcome("replace >= with < in grown"), "noticed");
    assert_eq!(outcome("replace < with > in lonely"), "not reached");
    assert_eq!(outcome("replace greeting -> Greeting with Default::default()"), "does not compile");
    assert_eq!(outcome("replace + with - in greeting"), "does not compile");
    assert_eq!(outcome("replace / with * in halvings"), "noticed", "it overflows");
    assert_eq!(outcome("replace / with % in halvings"), "endless");
    assert_eq!(outcome("replace halvings -> u32 with 0"), "noticed");
    assert_eq!(tried.status.code(), Some(1), "some survive");
    assert!(said.contains("survived:   crates/small/src/lib.rs:3: replace grown -> bool with true"), "{said}");
    assert!(said.contains("left out, since it fails or takes too long by itself: tests::broken"), "{said}");
    let whole = String::from_utf8(tried.stdout).unwrap();
    assert!(whole.contains(&format!("small: {} changes in ", kept.lines().count())), "{whole}");

    let copied = root.path().join(".local/mutants/small/tree/crates/small/notes.txt");
    assert!(copied.exists());
    fs::remove_file(&notes).unwrap();
    let library = root.path().join("crates/small/src/lib.rs");
    let mut parts = Vec::new();
    for (shard, above) in [("0/2", ""), ("1/2", "//! Lines move.\n")] {
        fs::write(&library, format!("{above}{LIBRARY}")).unwrap();
        let part = mutants(root.path(), "small", &["--shard", shard, "--patience", "2", "crates/small/src/lib.rs"]);
        let said = String::from_utf8_lossy(&part.stderr);
        let tried = fs::read_to_string(root.path().join(".local/mutants/small/outcomes.tsv")).unwrap();
        assert!(tried.lines().count() > kept.lines().count() / 4, "{tried}{said}");
        parts.extend(tried.lines().map(without_line));
    }
    let mut whole: Vec<String> = kept.lines().map(without_line).collect();
    whole.sort();
    parts.sort();
    assert_eq!(parts, whole, "each change is in one part, and stays there when lines move");

    let list = root.path().join("again");
    fs::write(&list, "survived:   crates/small/src/lib.rs:99: replace grown -> bool with true\nand no more\n").unwrap();
    let again = mutants(root.path(), "small", &["--among", list.to_str().unwrap(), "--patience", "2"]);
    let tried = fs::read_to_string(root.path().join(".local/mutants/small/outcomes.tsv")).unwrap();
    assert_eq!(tried.lines().count(), 1, "{tried}{}", String::from_utf8_lossy(&again.stderr));
    fs::write(&list, "nothing of this crate\n").unwrap();
    let none = mutants(root.path(), "small", &["--among", list.to_str().unwrap()]);
    let said = String::from_utf8(none.stdout).unwrap();
    assert!(none.status.success() && said.contains("small: none of its changes"), "{said}");
    assert!(!copied.exists(), "what is gone from the tree goes from its copy");
}

#[test]
fn what_cannot_be_is_said() {
    let root = tempfile::tempdir().unwrap();
    made(root.path());
    for (package, arguments, wanted) in [
        ("small", &["--shard", "3/3"][..], "3/3 is no part: 0/40 is the first of forty"),
        ("small", &["crates/small/src/other.rs"], "nothing to change there: crates/small/src/other.rs"),
        ("large", &[], "there is no crates/large/src"),
    ] {
        let refused = mutants(root.path(), package, arguments);
        assert_eq!(refused.status.code(), Some(2));
        let said = String::from_utf8(refused.stderr).unwrap();
        assert!(said.contains(wanted), "{said}");
    }
    fs::write(root.path().join("crates/small/src/lib.rs"), "pub fn broken() -> bool { 1 }\n").unwrap();
    let refused = mutants(root.path(), "small", &[]);
    let said = String::from_utf8(refused.stderr).unwrap();
    assert!(said.contains("mismatched types"), "what does not compile without any change is shown: {said}");
}
