//! Secrets that a chapter gives away, and what the checker then says.

use qingyu_story::settlement::extraction::ToldSecret;
use qingyu_story::settlement::{Extraction, Revealed, recall};
use qingyu_story::{Config, ReadMark, Story, findings};

use super::{book, put};

/// A book of six chapters; the reader must not learn the secret before the second, nor the truth before the third.
fn with_secrets(first: &str) -> Story {
    let mut story = book(&[first, "天亮了。", "雨停了。", "风大了。", "雪化了。", "The end."]);
    (story.characters[0].secret, story.characters[0].secret_until) = ("他是线人".into(), Some("o-2".into()));
    let world = story.worldview.as_mut().expect("it has one");
    (world.truth, world.truth_until) = ("The key is a copy.".into(), Some("第3章 夜3".into()));
    story
}

fn secret(of: &str, quote: &str, confidence: f32) -> ToldSecret {
    ToldSecret { of: of.into(), quote: quote.into(), confidence }
}

fn codes(story: &Story) -> Vec<String> {
    let all = findings(story, &Config::default()).into_iter().filter_map(|finding| finding.issue.code);
    all.filter(|code| matches!(code.as_str(), "QY508" | "QY509")).collect()
}

#[test]
fn a_secret_told_too_early_is_a_finding_while_its_sentence_stands() {
    let text = "林深是线人。The key was only a copy.";
    let mut story = with_secrets(text);
    let told = Extraction {
        revealed: vec![
            secret("阿深", "林深是线人。", 0.9),
            secret("", "The key was only a copy.", 0.9),
            // Nobody's secret, words that are not there, and a guess.
            secret("周建国", "林深是线人。", 0.9),
            secret("林深", "林深是卧底。", 0.9),
            secret("林深", "The key was only a copy.", 0.3),
        ],
        ..Extraction::default()
    };
    let settlement = put(&mut story, "d-1", &told);
    assert_eq!(settlement.rejected.len(), 1, "{:?}", settlement.rejected);
    let revealed = |story: &Story| story.documents[0].settled.as_ref().unwrap().revealed.clone();
    let of = |of: &str, quote: &str| Revealed { of: of.into(), quote: quote.into() };
    assert_eq!(revealed(&story), [of("c-1", "林深是线人。"), of("", "The key was only a copy.")]);
    assert_eq!(codes(&story), ["QY508", "QY508"]);
    // A reading that does not repeat it does not take it back; the record is recalled whole.
    put(&mut story, "d-1", &Extraction { summary: "他们说话。".into(), ..Extraction::default() });
    assert_eq!(revealed(&story).len(), 2);
    let recalled = recall(&story, "d-1").unwrap();
    put(&mut story, "d-1", &recalled);
    assert_eq!(revealed(&story).len(), 2);
    story.documents[0].text = "林深说话了。The key was only a copy.".into();
    assert_eq!(codes(&story), ["QY508"]);
    // In its own chapter it is in time.
    let mut story = with_secrets("雨停了。");
    story.documents[1].text = "林深是线人。".into();
    let told = Extraction { revealed: vec![secret("林深", "林深是线人。", 0.9)], ..Extraction::default() };
    put(&mut story, "d-2", &told);
    assert_eq!(codes(&story), [""; 0]);
}

#[test]
fn a_secret_that_does_not_come_out_is_a_finding_once_models_have_read_on() {
    let mut story = with_secrets("雨停了。");
    let read = |story: &mut Story, number: usize| {
        let id = format!("d-{number}");
        put(story, &id, &Extraction { summary: "一夜过去。".into(), ..Extraction::default() });
        let mark = ReadMark::new(&story.documents[number - 1], "reader");
        story.documents[number - 1].read = Some(mark);
    };
    story.documents.truncate(5);
    (2..5).for_each(|number| read(&mut story, number));
    assert_eq!(codes(&story), [""; 0], "one chapter was not read by a model");
    read(&mut story, 5);
    assert_eq!(codes(&story), ["QY509"], "three chapters after the second, and only two after the third");
    story.documents[4].text = "林深是线人。".into();
    let told = Extraction { revealed: vec![secret("林深", "林深是线人。", 0.9)], ..Extraction::default() };
    put(&mut story, "d-5", &told);
    assert_eq!(codes(&story), [""; 0]);
}
