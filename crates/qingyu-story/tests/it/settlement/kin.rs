//! Contradictions of kinship between two settled chapters.

use qingyu_story::{Config, Story, findings};
use serde_json::json;

use super::{book, by_rules};

/// The severities of the findings about kinship in a book of two chapters.
fn found(first: &str, second: &str) -> Vec<String> {
    let mut story = cast(&[first, second]);
    by_rules(&mut story);
    codes(&story)
}

fn codes(story: &Story) -> Vec<String> {
    let found = findings(story, &Config::default());
    let kin = found.into_iter().filter(|finding| finding.issue.code.as_deref() == Some("QY608"));
    kin.map(|finding| format!("{:?}", finding.issue.severity).to_lowercase()).collect()
}

fn cast(texts: &[&str]) -> Story {
    let mut story = book(texts);
    for (at, name) in ["苏敏", "沈墨", "顾长风", "Tom Vane", "Ada Carr"].into_iter().enumerate() {
        let card = json!({ "id": format!("c-{}", at + 10), "name": name });
        story.characters.push(serde_json::from_value(card).expect("it is a card"));
    }
    story
}

#[test]
fn a_parent_is_no_spouse_and_no_uncle() {
    for (first, second) in [
        ("苏敏是周建国的女儿。", "苏敏嫁给了周建国。"),
        ("苏敏是周建国的女儿。", "苏敏是周建国的侄女。"),
        ("林深是周建国的儿子。", "林深是周建国的孙子。"),
        ("Mara was Tom Vane’s daughter.", "Mara married Tom Vane."),
        ("Mara was Tom Vane’s daughter.", "Mara was Tom Vane’s niece."),
    ] {
        assert_eq!(found(first, second), ["high"], "{first} {second}");
    }
    for (first, second) in [
        ("苏敏是周建国的女儿。", "苏敏嫁给了顾长风。"),
        ("苏敏是周建国的女儿。", "苏敏梦见自己嫁给了周建国。"),
        ("苏敏是周建国的女儿。", "沈墨说，苏敏是周建国的侄女。"),
        ("苏敏是周建国的女儿。", "苏敏不是周建国的侄女。"),
        ("苏敏是周建国的女儿。", "如果苏敏是周建国的侄女，事情就不同了。"),
        ("苏敏是周建国的女儿。", "苏敏是沈墨的侄女。"),
        ("Mara was Tom Vane’s daughter.", "Mara was Ada Carr’s niece."),
        ("Mara was Tom Vane’s daughter.", "Mara was not Tom Vane’s niece."),
        ("Mara was Tom Vane’s daughter.", "Perhaps Mara was Tom Vane’s niece."),
    ] {
        assert_eq!(found(first, second), [""; 0], "{first} {second}");
    }
}

#[test]
fn nobody_is_married_to_two_living_people() {
    for (first, second, severity) in [
        ("苏敏嫁给了顾长风。", "苏敏嫁给了沈墨。", "high"),
        ("Ada Carr married Tom Vane.", "Mara married Tom Vane.", "high"),
        ("顾长风娶了苏敏。", "顾长风娶了沈墨。", "low"),
        ("苏敏和顾长风拜堂成亲。", "沈墨和顾长风结了婚。", "low"),
    ] {
        let severity: Vec<&str> = Some(severity).filter(|severity| !severity.is_empty()).into_iter().collect();
        assert_eq!(found(first, second), severity, "{first} {second}");
    }
    for (first, second) in [
        ("苏敏嫁给了顾长风。", "苏敏改嫁给了沈墨。"),
        ("苏敏嫁给了顾长风。顾长风死了。", "苏敏嫁给了沈墨。"),
        ("苏敏嫁给了顾长风。", "苏敏想嫁给沈墨。"),
        ("苏敏嫁给了顾长风。", "沈墨没有娶苏敏。"),
        ("苏敏嫁给了顾长风。", "苏敏是顾长风的妻子。"),
        ("顾长风娶了苏敏。", "顾长风纳妾，娶了沈墨。"),
        ("Mara married Tom Vane.", "Mara was Tom Vane’s wife."),
        ("Tom Vane and his first wife, Mara, came in.", "Tom Vane married Ada Carr."),
        ("Mara married Tom Vane.", "Ada Carr refused to marry Tom Vane."),
    ] {
        assert_eq!(found(first, second), [""; 0], "{first} {second}");
    }
    let mut story = cast(&["苏敏嫁给了顾长风。", "苏敏嫁给了沈墨。"]);
    by_rules(&mut story);
    let divorce = json!({"id": "f-9", "subject": "苏敏", "predicate": "离婚", "object": "顾长风"});
    story.facts.push(serde_json::from_value(divorce).expect("it is a fact"));
    assert_eq!(codes(&story), [""; 0]);
}

#[test]
fn a_child_is_a_son_or_a_daughter() {
    for (first, second) in [
        ("苏敏是周建国的女儿。", "苏敏是周建国的儿子。"),
        ("周建国的女儿苏敏走了进来。", "苏敏乃周建国之子。"),
        ("Mara was Tom Vane’s daughter.", "Mara was the son of Tom Vane."),
    ] {
        assert_eq!(found(first, second), ["high"], "{first} {second}");
    }
    for (first, second) in [
        ("苏敏是周建国的女儿。", "周建国的女儿苏敏走了进来。"),
        ("苏敏是周建国的女儿。", "林深是周建国的儿子。"),
        ("苏敏是周建国的女儿。", "苏敏的父亲是周建国，他没有儿子。"),
        ("苏敏是周建国的女儿。", "苏敏女扮男装，自称是周建国的儿子。"),
        ("Mara was Tom Vane’s daughter.", "Tom Vane had a daughter named Mara, and no son."),
    ] {
        assert_eq!(found(first, second), [""; 0], "{first} {second}");
    }
}
