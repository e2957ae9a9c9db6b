//! Anchors through edits: cases, and 1,000 random edits.

use std::ops::Range;

use proptest::prelude::*;
use proptest::test_runner::{Config as Runs, RngAlgorithm, TestRng, TestRunner};

use super::{PassageError, TextAnchor, anchor_of, characters};

const TEXT: &str = "他走了。雨还在下。他走了。\n她没有回头。\n他走了。雨还在下。他走了。\n";

/// Returns the anchor of a range of `text`, in characters.
fn of_range(text: &str, range: Range<usize>) -> TextAnchor {
    anchor_of(&characters(text), range)
}

/// Returns the quote after an edit; `None` if the words are gone.
fn after(text: &str, quoted: Range<usize>, edited: &str) -> Option<(String, Range<usize>)> {
    let anchor = of_range(text, quoted.clone());
    assert_eq!(anchor.find(text), Some(quoted), "the anchor stands at its words");
    let followed = anchor.follow(text, edited)?;
    let place = followed.find(edited).expect("an anchor that followed stands in the text");
    Some((followed.quote, place))
}

#[test]
fn an_anchor_follows_its_words() {
    for (text, quoted, edited, expected) in [
        // Before, after and inside the words.
        ("他走了。雨还在下。", 4..8, "天黑了。他走了。雨还在下。", Some(("雨还在下", 8..12))),
        ("他走了。雨还在下。", 0..3, "他走了。雨停了。", Some(("他走了", 0..3))),
        ("他走了。雨还在下。", 4..8, "他走了。雨竟还在下。", Some(("雨竟还在下", 4..9))),
        ("他走了。雨还在下。", 4..8, "他走了。雨下。", Some(("雨下", 4..6))),
        ("他走了。雨还在下。", 4..8, "他走了。", None),
        // A single letter is left, by chance.
        ("他走了。雨还在下。", 4..8, "他走了。雨停了。", None),
        ("他走了。雨还在下。", 4..8, "下山的路上没有人。", None),
        ("他走了。雨还在下。", 0..8, "船来了。", None),
        // The words were a single letter.
        ("他走了。雨还在下。", 4..5, "雨还在下。", Some(("雨", 0..1))),
        ("他走了。雨还在下。", 4..5, "他走了。雪还在下。", None),
        // Text at the edges stays outside.
        ("他走了。雨还在下。", 4..8, "他走了。大雨还在下着。", Some(("雨还在下", 5..9))),
        // Replaced, with nothing in common.
        ("他走了。雨还在下。", 4..8, "他走了。天已经晴。", None),
        // Several edits at once, as after a rewrite of the paragraph.
        ("他走了。雨还在下。她等着。", 4..8, "他离开了。雨一直还在下。她仍等着。", Some(("雨一直还在下", 5..11))),
        // Moved to another paragraph.
        ("雨还在下个不停，\n他走了。", 0..7, "他走了。\n雨还在下个不停，", Some(("雨还在下个不停", 5..12))),
    ] {
        let found = after(text, quoted, edited);
        assert_eq!(found, expected.map(|(quote, place)| (quote.to_owned(), place)), "{text} → {edited}");
    }
}

#[test]
fn words_that_stand_several_times_are_told_apart() {
    let places: Vec<usize> =
        (0..TEXT.chars().count()).filter(|at| TEXT.chars().skip(*at).take(3).eq("他走了".chars())).collect();
    assert_eq!(places.len(), 4);
    for place in &places {
        let anchor = of_range(TEXT, *place..*place + 3);
        assert_eq!(anchor.find(TEXT), Some(*place..*place + 3));
    }
    assert_eq!(TextAnchor::of_quote(TEXT, "他走了", "", ""), Err(PassageError::Ambiguous { count: 4 }));
    assert_eq!(TextAnchor::of_quote(TEXT, "他走了", "", "。\n她").unwrap().find(TEXT), Some(9..12));
    assert_eq!(TextAnchor::of_quote(TEXT, "他来了", "", ""), Err(PassageError::Missing));
    assert_eq!(TextAnchor::of_quote(TEXT, " ", "", ""), Err(PassageError::Empty));
}

#[test]
fn equal_passages_are_counted() {
    let text = "雨。".repeat(100);
    let anchor = of_range(&text, 100..101);
    assert!(anchor.occurrence > 0);
    assert_eq!(anchor.find(&text), Some(100..101));
}

/// An edit of a text: the replaced range in ten-thousandths of its length, and the number of new characters.
fn edits() -> impl Strategy<Value = Vec<(usize, usize, usize)>> {
    prop::collection::vec((0..10_000_usize, 0..200_usize, 0..6_usize), 1000)
}

/// Carries a range through an edit, as a person would: characters of the range that are still there.
fn carry(range: &Range<usize>, edited: &Range<usize>, new: usize) -> Range<usize> {
    let map = |at: usize| if at <= edited.start { at } else { at + new - edited.len() };
    if range.end <= edited.start {
        return range.clone();
    }
    if range.start >= edited.end {
        return range.start + new - edited.len()..range.end + new - edited.len();
    }
    let start = if range.start < edited.start { range.start } else { edited.start + new };
    let end = if range.end > edited.end { map(range.end) } else { edited.start };
    start..end.max(start)
}

/// Through 1,000 random edits every anchor stays at the words of its range, until a single one is left. Every inserted
/// character is new, so that there is one right answer.
#[test]
fn a_thousand_random_edits_lose_no_anchor() {
    let mut runner = TestRunner::new_with_rng(
        Runs { cases: 4, ..Runs::default() },
        TestRng::deterministic_rng(RngAlgorithm::ChaCha),
    );
    runner
        .run(&edits(), |edits| {
            let mut fresh = (0x4E00..).filter_map(char::from_u32);
            let mut text: Vec<char> = fresh.by_ref().take(600).collect();
            let mut held: Vec<(TextAnchor, Range<usize>)> = (0..12)
                .map(|number| number * 48..number * 48 + 12 + number * 3)
                .map(|range| (of_range(&text.iter().collect::<String>(), range.clone()), range))
                .collect();
            let mut lost = 0;
            for (at, length, new) in edits {
                let start = at * text.len() / 10_000;
                let edited = start..(start + length * text.len() / 10_000).min(text.len());
                let before: String = text.iter().collect();
                text.splice(edited.clone(), fresh.by_ref().take(new));
                let after: String = text.iter().collect();
                held.retain_mut(|(anchor, range)| {
                    *range = carry(range, &edited, new);
                    let followed = anchor.follow(&before, &after);
                    let place = followed.as_ref().and_then(|anchor| anchor.find(&after));
                    if range.len() < 2 {
                        assert_eq!(place, None, "the words of an anchor are gone");
                        lost += 1;
                        return false;
                    }
                    assert_eq!(place, Some(range.clone()), "an anchor left its words");
                    *anchor = followed.expect("has a place");
                    true
                });
                if text.len() < 200 {
                    text.extend(fresh.by_ref().take(300));
                }
            }
            prop_assert_eq!(held.len() + lost, 12);
            Ok(())
        })
        .unwrap();
}

/// Edits around and between the quoted words of real sentences, which repeat characters, never lose them.
#[test]
fn edits_that_leave_the_words_never_lose_them() {
    let sentence = "雨还在下，他站在门口，没有进来，也没有走。";
    let strategy = prop::collection::vec((any::<prop::sample::Index>(), 0..4_usize), 1000);
    let mut runner = TestRunner::new_with_rng(
        Runs { cases: 4, ..Runs::default() },
        TestRng::deterministic_rng(RngAlgorithm::ChaCha),
    );
    runner
        .run(&strategy, |edits| {
            let mut text = sentence.repeat(4) + "灯塔的钟响了七下" + &sentence.repeat(4);
            let mut anchor = TextAnchor::of_quote(&text, "灯塔的钟响了七下", "", "").unwrap();
            for (index, kind) in edits {
                let before = text.clone();
                let place = anchor.find(&text).unwrap();
                let mut characters: Vec<char> = text.chars().collect();
                let at = index.index(characters.len());
                let is_quoted = place.contains(&at);
                match kind {
                    kind if !is_quoted && characters.len() > 80 && (kind == 0 || characters.len() > 600) => {
                        characters.remove(at);
                    }
                    1 if !is_quoted => characters[at] = '雨',
                    2 => characters.insert(at, '的'),
                    _ => drop(characters.splice(at..at, "他走了。".chars())),
                }
                text = characters.into_iter().collect();
                anchor = anchor.follow(&before, &text).expect("the words are there");
                let found = anchor.find(&text).expect("the words are found");
                let quote: String = text.chars().skip(found.start).take(found.len()).collect();
                prop_assert!("灯塔的钟响了七下".chars().all(|one| quote.contains(one)), "{}", quote);
            }
            Ok(())
        })
        .unwrap();
}
