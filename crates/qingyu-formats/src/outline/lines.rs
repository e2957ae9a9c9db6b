//! List items that are a chapter, a character or a place.

use qingyu_story::{Character, Location, OutlineNode};

use super::{Section, append};
use crate::headings;

/// Separators between a name and what is said of it.
const SEPARATORS: &[&str] = &["：", ":", "——", " — ", " – ", " - "];
/// Maximum length of a name, in characters.
const LONGEST_NAME: usize = 24;
/// Maximum length of the title of a chapter, in characters.
const LONGEST_TITLE: usize = 60;

/// Reads an item such as `第一章 来客：雨下了一夜`, `Chapter 1: The Rain — he comes`, or in a list of chapters
/// `来客：雨下了一夜`.
pub(super) fn chapter(text: &str, section: Section) -> Option<OutlineNode> {
    let (line, more) = text.split_once('\n').unwrap_or((text, ""));
    let is_chapter = |words: &str| headings::read(words).is_some_and(|heading| heading.chapter.is_some());
    let (name, words) = match split(line, SEPARATORS) {
        Some((head, rest)) if is_chapter(head) && is_number(head) => {
            let (title, words) = split(rest, SEPARATORS).unwrap_or((rest, ""));
            let joint = if head.is_ascii() { ": " } else { " " };
            (format!("{head}{joint}{title}"), words)
        }
        Some((head, rest)) if is_chapter(head) => (head.to_owned(), rest),
        Some((head, rest)) if section == Section::Chapters && !head.is_empty() => (head.to_owned(), rest),
        None if is_chapter(line) => (line.to_owned(), ""),
        _ => return None,
    };
    if name.chars().count() > LONGEST_TITLE {
        return None;
    }
    let mut description = words.to_owned();
    append(&mut description, more);
    Some(OutlineNode { name, description, ..OutlineNode::default() })
}

/// Reads an item such as `林青（阿青）：守塔人`.
pub(super) fn character(text: &str) -> Option<Character> {
    let (name, alias, background) = named(text)?;
    Some(Character { name, alias, background, ..Character::default() })
}

/// Reads an item such as `灯塔：海边的旧塔`.
pub(super) fn location(text: &str) -> Option<Location> {
    let (name, alias, description) = named(text)?;
    Some(Location { name, alias, description, ..Location::default() })
}

/// Returns the name, its aliases in brackets, and what is said of it.
fn named(text: &str) -> Option<(String, Vec<String>, String)> {
    let (line, more) = text.split_once('\n').unwrap_or((text, ""));
    let (head, words) = split(line, SEPARATORS)?;
    let (name, brackets) = head.split_once(['（', '(']).unwrap_or((head, ""));
    let alias = brackets.trim_end_matches(['）', ')']).split(['、', '，', ',', '/']).map(str::trim);
    let alias = alias.filter(|alias| !alias.is_empty()).map(str::to_owned).collect();
    let name = name.trim();
    let is_name = !name.is_empty() && name.chars().count() <= LONGEST_NAME;
    let mut words = words.to_owned();
    append(&mut words, more);
    is_name.then(|| (name.to_owned(), alias, words))
}

/// Splits a line at its first separator.
fn split<'l>(line: &'l str, separators: &[&str]) -> Option<(&'l str, &'l str)> {
    let found = separators.iter().filter_map(|separator| Some((line.find(separator)?, separator.len())));
    let (at, length) = found.min()?;
    Some((line[..at].trim(), line[at + length..].trim()))
}

/// Returns whether the heading of a chapter has no title beside its number.
fn is_number(heading: &str) -> bool {
    heading.ends_with(['章', '回', '节', '節', '话', '話', '幕'])
        || heading.is_ascii() && heading.split_whitespace().count() <= 2
}
