//! Sentences of later chapters that rest on words which an earlier chapter no longer has.

use qingyu_story::settlement::extraction::{Introduced, IntroducedKind, PromiseAction, ToldFact, ToldPromise};
use qingyu_story::settlement::{Extraction, UnsupportedPassage, follow, mark_unsupported};
use qingyu_story::{Config, Language, Story, findings};

use super::{book, facts, put, rewrite};

/// Edits a chapter by hand; returns what no longer rests on it.
fn edit(story: &mut Story, position: usize, text: &str) -> Vec<UnsupportedPassage> {
    let before = story.clone();
    let (old, new) = rewrite(story, position, text);
    follow(story, &old, Some(&new));
    mark_unsupported(&before, story)
}

fn thing(subject: &str, predicate: &str, object: &str, quote: &str) -> ToldFact {
    ToldFact {
        subject: subject.into(),
        predicate: predicate.into(),
        object: Some(object.into()),
        quote: quote.into(),
        confidence: 0.9,
        ..ToldFact::default()
    }
}

const GOT: &str = "林深在旧港拿到铜钥匙。";
const USED: &str = "林深用铜钥匙开了门。";

/// The key is obtained in the first chapter and used in the third.
fn keys() -> Story {
    let mut story = book(&[&format!("{GOT}雨停了。"), "林深睡了一夜。", &format!("天亮了。{USED}")]);
    put(&mut story, "d-1", &facts(vec![thing("林深", "得到", "铜钥匙", GOT)]));
    put(&mut story, "d-3", &facts(vec![thing("林深", "使用", "铜钥匙", USED)]));
    story
}

#[test]
fn a_thing_that_nobody_obtained_any_more_is_named_with_both_sentences() {
    let mut story = keys();
    let passages = edit(&mut story, 0, "林深在旧港站了很久。雨停了。");
    let passage =
        UnsupportedPassage { document: "d-3".into(), quote: USED.into(), earlier: "正文1".into(), gone: GOT.into() };
    assert_eq!(passages, [passage]);
    let found = findings(&story, &Config::default());
    let found: Vec<_> = found.iter().filter(|one| one.issue.code.as_deref() == Some("QY002")).collect();
    let [finding] = found.as_slice() else { panic!("the check names it: {found:?}") };
    assert_eq!(finding.issue.evidence[0].quote, USED);
    assert!(finding.issue.root_cause.contains(GOT) && finding.issue.title.contains("正文1"), "{finding:?}");
    // It is told once, and no more when the words are back.
    assert_eq!(edit(&mut story, 0, "林深在旧港站了很久。风停了。"), []);
    assert_eq!(story.documents[2].remarks.len(), 1);
    edit(&mut story, 0, &format!("{GOT}风停了。"));
    assert_eq!(story.documents[2].remarks, []);
}

#[test]
fn another_number_or_clause_beside_the_thing_is_no_loss() {
    let got = "林深付了八块钱，把铜钥匙接到手里，走出门去。";
    let keys = || {
        let mut story = book(&[&format!("{got}雨停了。"), "林深睡了一夜。", &format!("天亮了。{USED}")]);
        put(&mut story, "d-1", &facts(vec![thing("林深", "得到", "铜钥匙", got)]));
        put(&mut story, "d-3", &facts(vec![thing("林深", "使用", "铜钥匙", USED)]));
        story
    };
    for (text, losses) in [
        ("林深付了九块钱，把铜钥匙接到手里，走出门去。雨停了。", 0),
        ("林深付了八块钱，把铜钥匙接到手里，慢慢走回街上。雨停了。", 0),
        ("林深付了八块钱，把铜钥匙推了回去，走出门去。雨停了。", 1),
    ] {
        let mut story = keys();
        assert_eq!(edit(&mut story, 0, text).len(), losses, "{text}");
        assert_eq!(story.documents[2].remarks.len(), losses, "{text}");
    }
}

#[test]
fn a_count_that_another_chapter_still_has_is_named_without_a_reading() {
    for (language, old, new, early, late) in [
        (
            Language::Zh,
            "东家给了林深四十块银元。",
            "东家给了林深六十块银元。",
            "他要四十块银元。",
            "四十块银元他还清了。",
        ),
        (
            Language::En,
            "Edwin lent Mara forty silver dollars.",
            "Edwin lent Mara sixty silver dollars.",
            "She asked for forty dollars.",
            "The forty dollars were paid.",
        ),
    ] {
        let mut story = book(&[early, old, "It rained. 雨停了。", late]);
        story.language = language;
        put(&mut story, "d-2", &Extraction::default());
        let passages = edit(&mut story, 1, new);
        let found: Vec<_> =
            passages.iter().map(|passage| (passage.document.as_str(), passage.quote.as_str())).collect();
        assert_eq!(found, [("d-1", early), ("d-4", late)]);
        let reported = |story: &Story| {
            let found = findings(story, &Config::default()).into_iter();
            found.filter(|one| one.issue.code.as_deref() == Some("QY002")).count()
        };
        assert_eq!(reported(&story), 2);
        // One of the sentences follows; then all goes back.
        story.documents[0].text = early.replace("四十", "六十").replace("forty", "sixty");
        assert_eq!(reported(&story), 1);
        story.documents[0].text = early.into();
        edit(&mut story, 1, old);
        assert_eq!(reported(&story), 0);
    }
}

#[test]
fn a_reading_that_tells_the_statement_again_in_other_words_takes_the_remark_back() {
    let mut story = keys();
    assert_eq!(edit(&mut story, 0, "铜钥匙到了林深手里。雨停了。").len(), 1);
    let before = story.clone();
    put(&mut story, "d-1", &facts(vec![thing("林深", "得到", "铜钥匙", "铜钥匙到了林深手里。")]));
    mark_unsupported(&before, &mut story);
    assert_eq!(story.documents[2].remarks, []);
}

#[test]
fn a_statement_left_by_an_edit_is_missed_when_a_reading_does_not_tell_it() {
    let read = |story: &mut Story, told: Vec<ToldFact>| {
        let before = story.clone();
        put(story, "d-1", &facts(told));
        mark_unsupported(&before, story)
    };
    let now = "林深冒雨在旧港拿到铜钥匙。";
    let mut story = keys();
    assert_eq!(edit(&mut story, 0, &format!("{now}雨停了。")), []);
    assert_eq!(read(&mut story, vec![thing("林深", "得到", "铜钥匙", now)]), []);
    assert_eq!(story.documents[2].remarks, []);
    let mut story = keys();
    edit(&mut story, 0, &format!("{now}雨停了。"));
    let passages = read(&mut story, vec![]);
    assert_eq!(passages.iter().map(|passage| passage.gone.as_str()).collect::<Vec<_>>(), [GOT]);
    assert_eq!(story.documents[2].remarks.len(), 1);
    // The same sentence in another form needs no reading that tells it again.
    let mut story = keys();
    assert_eq!(edit(&mut story, 0, "林深在旧港拿到了铜钥匙。雨停了。"), []);
    assert_eq!(read(&mut story, vec![]), []);
    assert_eq!(story.documents[2].remarks, []);
}

#[test]
fn what_is_still_told_before_is_no_loss() {
    let mut story = keys();
    assert_eq!(edit(&mut story, 0, &format!("{GOT}风停了。")), [], "the sentence stands");
    let mut story = keys();
    story.documents[1].text = "林深带着铜钥匙睡了一夜。".into();
    put(&mut story, "d-2", &facts(vec![thing("林深", "持有", "铜钥匙", "林深带着铜钥匙睡了一夜。")]));
    let passages = edit(&mut story, 0, "林深在旧港站了很久。雨停了。");
    let quotes: Vec<&str> = passages.iter().map(|passage| passage.quote.as_str()).collect();
    assert_eq!(quotes, ["林深带着铜钥匙睡了一夜。"], "the third chapter has the second to rest on");
    let mut story = keys();
    assert_eq!(edit(&mut story, 2, "天亮了。"), [], "nothing comes after the last chapter");
}

#[test]
fn a_promise_that_is_paid_and_no_longer_planted_is_named() {
    let promise = |action: PromiseAction, quote: &str| Extraction {
        promises: vec![ToldPromise {
            name: "the drowned bell".into(),
            action,
            quote: quote.into(),
            confidence: 0.9,
            ..ToldPromise::default()
        }],
        ..Extraction::default()
    };
    let mut story = book(&["A bell rang under the water. Mara ran.", "The bell rose from the sea. Mara wept."]);
    story.language = Language::En;
    put(&mut story, "d-1", &promise(PromiseAction::Planted, "A bell rang under the water."));
    put(&mut story, "d-2", &promise(PromiseAction::Paid, "The bell rose from the sea."));
    let passages = edit(&mut story, 0, "Nothing rang. Mara ran.");
    assert_eq!(passages.len(), 1, "{passages:?}");
    assert_eq!(passages[0].quote, "The bell rose from the sea.");
    let remark = &story.documents[1].remarks[0];
    assert!(remark.why.contains("A bell rang under the water.") && remark.title.contains("正文1"), "{remark:?}");
    assert!(remark.fix.starts_with("Change this sentence"), "{remark:?}");
}

#[test]
fn a_thing_is_missed_by_the_first_chapter_left_to_name_it() {
    let mut story =
        book(&["Mara found the brass key.", "Mara slept.", "The brass key was cold.", "The brass key bent."]);
    story.language = Language::En;
    let introduced = Introduced {
        name: "brass key".into(),
        kind: IntroducedKind::Item,
        quote: "Mara found the brass key.".into(),
        confidence: 0.9,
        ..Introduced::default()
    };
    put(&mut story, "d-1", &Extraction { entities: vec![introduced], ..Extraction::default() });
    let passages = edit(&mut story, 0, "Mara found nothing.");
    let quotes: Vec<&str> = passages.iter().map(|passage| passage.quote.as_str()).collect();
    assert_eq!(quotes, ["The brass key was cold."]);
    // The words are back, and the reading of them has no card for what was known.
    let before = story.clone();
    rewrite(&mut story, 0, "Mara found the brass key. She wept.");
    put(&mut story, "d-1", &Extraction::default());
    mark_unsupported(&before, &mut story);
    assert_eq!(story.documents[2].remarks, []);
}
