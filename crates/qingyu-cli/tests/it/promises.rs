//! What docs/promises.md and docs/failures.md say is tested has a test: each that is named there exists, and nothing is left out.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use crate::named_tests::{NamedTest, ROOT};

struct Section {
    title: String,
    text: String,
}

impl Section {
    /// What stands between back quotes.
    fn codes(&self) -> impl Iterator<Item = &str> {
        self.text.split('`').skip(1).step_by(2)
    }

    fn tests(&self) -> Vec<NamedTest> {
        self.codes().filter_map(NamedTest::read).collect()
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
    let named: BTreeSet<NamedTest> =
        ["promises.md", "failures.md"].into_iter().flat_map(sections).flat_map(|section| section.tests()).collect();
    assert!(named.len() > 100, "only {} tests are named", named.len());
    let missing: Vec<_> = named.iter().filter(|named| !named.exists()).map(ToString::to_string).collect();
    assert!(missing.is_empty(), "{missing:#?}");
}

#[test]
fn nothing_else_is_named_in_a_way_that_only_looks_like_a_test() {
    let sections: Vec<_> = ["promises.md", "failures.md"].into_iter().flat_map(sections).collect();
    let makefile = fs::read_to_string(Path::new(ROOT).join("Makefile")).unwrap();
    for section in &sections {
        for code in section.codes() {
            let looks_like_one = code.contains("::it ") || code.contains("::lib ");
            assert_eq!(looks_like_one, NamedTest::read(code).is_some(), "{}: {code}", section.title);
            if let Some(target) = code.strip_prefix("make ") {
                assert!(makefile.contains(&format!("\n{target}:")), "{}: there is no {code}", section.title);
            }
        }
    }
}
