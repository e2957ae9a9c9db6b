//! The prose of a book.

use std::ops::Range;
use std::sync::LazyLock;

use qingyu_knowledge::{WordSplitter, chunk};
use qingyu_story::prose::editors_count;
use qingyu_story::settlement::{Config, Extraction, extract, follow, settle, withdraw};
use qingyu_story::{AppliedEdit, Prose, Story, check};
use qingyu_text::compliance::InspectedChapter;
use qingyu_text::{Meter, ReviewRequest, Reviewer};

use crate::input;
use crate::sample::{CHAPTER, STORY};

static METER: LazyLock<Meter> = LazyLock::new(Meter::default);
static REVIEWER: LazyLock<Reviewer> = LazyLock::new(Reviewer::default);

/// Uses any text as a chapter of a book with a known cast, and the text after a zero byte as its edited version. The
/// chapter can be read, counted, reviewed, split into chunks and words, repaired, settled, changed and withdrawn.
pub fn prose(bytes: &[u8]) {
    let text = input::text(bytes);
    let (text, edited) = text.split_once('\0').unwrap_or((text, ""));
    reads(text);
    let mut story = STORY.clone();
    story.documents[0].text = text.to_owned();
    finds(&story);
    mends(&story);
    settles(story, edited);
}

/// Asserts every result of reading has a valid place in the text.
fn reads(text: &str) {
    let prose = Prose::of(text);
    follow_each_other(text, prose.paragraphs.iter().map(|one| &one.range));
    follow_each_other(text, prose.sentences.iter().map(|one| &one.range));
    follow_each_other(text, prose.speeches.iter().map(|one| &one.range));
    let others = prose.comparisons().chain(prose.phrases.iter().map(|(_, range)| range));
    for range in others.chain(prose.slips.iter().map(|slip| &slip.range)) {
        assert!(text.get(range.clone()).is_some(), "{range:?} is a part of the text");
    }
    let counted: usize = prose.paragraphs.iter().map(|one| one.length).sum();
    assert_eq!(prose.length, counted, "what is counted stands in paragraphs");
    let figures = METER.figures(text);
    assert_eq!(figures.length, editors_count(text, prose.language));
    for quote in &figures.quotes {
        assert_eq!(text.get(quote.span.clone()), Some(quote.text.as_str()), "what is quoted stands there");
    }
    let chapter = InspectedChapter { title: Some("雨夜"), text, prose: &prose };
    let language = prose.language;
    let request = ReviewRequest { chapter, level: None, platform: None, library: None, except: &[], language };
    REVIEWER.review(&request).expect("the general rules are known");
}

fn follow_each_other<'r>(text: &str, ranges: impl Iterator<Item = &'r Range<usize>>) {
    let mut end = 0;
    for range in ranges {
        assert!(range.start >= end, "{range:?} begins before {end}");
        assert!(text.get(range.clone()).is_some(), "{range:?} is a part of the text");
        end = range.end;
    }
}

/// Asserts every text with a letter is in exactly one chunk.
fn finds(story: &Story) {
    let text = &story.documents[0].text;
    let chunks = chunk::of(story);
    let ranges: Vec<&Range<usize>> = chunks.iter().filter_map(|chunk| chunk.range.as_ref()).collect();
    follow_each_other(text, ranges.iter().copied());
    let ends = [0].into_iter().chain(ranges.iter().map(|range| range.end));
    let begins = ranges.iter().map(|range| range.start).chain([text.len()]);
    for (end, begin) in ends.zip(begins) {
        assert!(!text[end..begin].contains(char::is_alphanumeric), "left out: {:?}", &text[end..begin]);
    }
    let names = story.characters.iter().map(|one| one.name.as_str());
    let words = WordSplitter::of(names);
    follow_each_other(text, words.cut(text).iter().map(|word| &word.range));
    let query: String = text.chars().take(12).collect();
    follow_each_other(text, words.highlight(text, &query).iter());
}

/// Asserts statements derived from a chapter refer to its words, are settled once, follow an edit, and are removed on
/// withdrawal.
fn settles(mut story: Story, edited: &str) {
    let before = story.clone();
    let read = extract(&story, CHAPTER).expect("there is a chapter");
    for fact in &read.facts {
        assert!(story.documents[0].text.contains(&fact.quote), "it rests on the words: {fact:?}");
    }
    let change = put(&mut story, &read);
    let once = plain(&story);
    put(&mut story, &read);
    assert_eq!(plain(&story), once, "settled twice is settled once");
    let mut back = story.clone();
    change.inverse().apply(&mut back).expect("nothing else has changed");
    assert_eq!(plain(&back), plain(&before), "a settlement can be taken back");
    let old = story.documents[0].clone();
    story.documents[0].text = edited.to_owned();
    story.documents[0].version += 1;
    let new = story.documents[0].clone();
    follow(&mut story, &old, Some(&new));
    let findings = check::findings(&story, &check::Config::default());
    check::sarif(&findings, &story);
    let left = withdraw(&mut story, CHAPTER).expect("there is a chapter");
    assert!(!left.is_empty() || story.facts.len() == before.facts.len(), "nothing of it is left");
}

fn put(story: &mut Story, read: &Extraction) -> AppliedEdit {
    settle(story, CHAPTER, read, Config::default()).expect("there is a chapter").change
}

/// Asserts findings in a chapter are fixable where the fix is certain.
fn mends(story: &Story) {
    let mut findings = check::findings(story, &check::Config::default());
    findings.retain(|finding| finding.issue.code.as_deref().is_some_and(|code| code.starts_with("QS")));
    check::fix(story, &findings, &check::Config::default());
}

/// Returns the story without its record of used ids.
fn plain(story: &Story) -> Story {
    Story { last_ids: Default::default(), ..story.clone() }
}
