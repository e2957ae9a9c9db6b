//! The rules about prose on whole texts: good prose, near misses, ids, places, and what is read again.

use std::sync::Arc;

use qingyu_story::{Config, Document, Manuscript, Prose, Story, check, findings, findings_with};

fn book(texts: &[&str]) -> Story {
    let document = |(number, text): (usize, &&str)| Document {
        id: format!("d-{}", number + 1),
        title: format!("第{}章", number + 1),
        order: u32::try_from(number).expect("a test has few chapters") + 1,
        version: 1,
        text: (*text).to_owned(),
        ..Document::default()
    };
    Story { documents: texts.iter().enumerate().map(document).collect(), ..Story::default() }
}

fn codes(story: &Story) -> Vec<String> {
    check(story, &Config::default()).into_iter().filter_map(|issue| issue.code).collect()
}

#[test]
fn good_prose_has_no_findings() {
    let passages = [
        include_str!("prose/ferry.zh.txt"),
        include_str!("prose/clock.zh.txt"),
        include_str!("prose/ferry.en.txt"),
        include_str!("prose/orchard.en.txt"),
    ];
    for passage in passages {
        assert!(Prose::of(passage).length > 250 && passage.chars().count() > 600, "long enough to tell");
        assert_eq!(check(&book(&[passage]), &Config::default()), []);
    }
    assert_eq!(check(&book(&passages), &Config::default()), []);
}

/// Stock phrases are reported from a weight of eight on, if that is six in a thousand characters.
#[test]
fn stock_phrases_weigh_against_the_length() {
    let common = "夜色如墨，月光如水，繁星点点，";
    let worn_out = "倒吸一口凉气，空气仿佛凝固，命运的齿轮，";
    let cases = [
        (format!("{common}微风拂过。"), 16, true),
        (format!("{common}与此同时。"), 16, false),
        (format!("{worn_out}{}。", "山".repeat(1483)), 1500, true),
        (format!("{worn_out}{}。", "山".repeat(1484)), 1501, false),
    ];
    for (text, length, is_heavy) in cases {
        assert_eq!(Prose::of(&text).length, length);
        assert_eq!(codes(&book(&[&text])).contains(&"QS031".to_owned()), is_heavy, "{length} characters");
    }
}

/// Among many sentences that have nothing in common, the two that do are found.
#[test]
fn two_sentences_that_are_nearly_the_same_are_found_among_many() {
    let digits: Vec<char> = "甲乙丙丁戊己庚辛壬癸".chars().collect();
    let others = (0..100).map(|number: usize| {
        let of = |place: usize| digits[number / place % 10].to_string().repeat(3);
        let (one, ten) = (of(1), of(10));
        format!("{one}在{ten}的第{number}个夜里数{ten}，又在{one}的河边数到{ten}{one}。")
    });
    let mut sentences: Vec<String> = others.collect();
    sentences.insert(20, "他把伞靠在门边，抖落一身雨水，才发现屋里坐着一个陌生人。".to_owned());
    sentences.insert(70, "他把伞靠在门边，抖落一身雨水，才发现屋里坐着一个老人。".to_owned());
    let found = findings(&book(&[&sentences.concat()]), &Config::default());
    let near: Vec<_> = found.iter().filter(|one| one.issue.code.as_deref() == Some("QS012")).collect();
    let is_of_the_two = |one: &&&qingyu_story::Finding| one.issue.evidence.iter().all(|it| it.quote.contains('伞'));
    assert_eq!(near.iter().filter(is_of_the_two).count(), 1, "{near:#?}");
}

/// One text per case, and the rules that find something in it.
#[test]
fn near_misses() {
    let cases: &[(&str, &[&str])] = &[
        ("他走了，，雨还在下。", &["QS043"]),
        ("快走！！雨还在下。", &[]),
        ("他走了,雨还在下。", &["QS041"]),
        ("一共1,234人，比分3:2，他说“OK, fine.”就走。", &[]),
        ("他想了想...没有说。", &["QS044"]),
        ("他想了想…………没有说。", &[]),
        ("他写下B-2，又写下1937—1945年。", &[]),
        ("那是他的家--曾经是。", &["QS044"]),
        ("他推开 门。", &["QS045"]),
        ("他听 Neo 说起 2 月的雨。", &[]),
        ("他说：“走吧。\n她没有动。", &["QS042"]),
        ("《雨》是他写的（那年冬天）。", &[]),
        ("他念：「『走』是什么意思？」", &[]),
        ("She opened the the door.", &["QS047"]),
        ("She had had enough of that. That that was so, she knew.", &[]),
        ("She waited , then left.", &["QS048"]),
        ("She waited ... then left.", &[]),
        ("\"I never said that,\" she said.", &[]),
        ("\"I never said that, she said.\nHe went out.", &["QS042"]),
        ("# 第三章\n雨还在下。", &["QS072"]),
        ("雨还在下。\n***\n天亮了。", &[]),
        ("雨**还在**下，他*没有*走。", &[]),
        ("```\n雨还在下。", &["QS072"]),
        ("他推开门。TODO", &["QS073"]),
        ("他推开门。〔待写〕", &[]),
        ("墙上写着 todo pasa。", &[]),
        ("作为AI语言模型，我不写这一段。", &["QS071"]),
        ("作为一个AI，我无法继续。", &["QS071"]),
        ("作为一个AI，它记得每一场雨。", &[]),
        ("“作为AI语言模型，我建议休息。”屏幕上说。", &[]),
        ("As an AI, I cannot write this scene.", &["QS071"]),
        ("As an AI, she had no childhood.", &[]),
        ("好的，以下是修改后的正文：\n雨还在下。", &["QS071"]),
        ("以下是他留下的账目。\n雨还在下。", &[]),
        ("Let me know if you want changes to the chapter.", &["QS071"]),
        ("Certainly! Here is the revised chapter:\nIt rained.", &["QS071"]),
        ("Of course the draft from the window kept her awake.", &[]),
        ("Here is the scene that stays with me.", &[]),
    ];
    let wrong: Vec<_> = cases.iter().map(|(text, expected)| (text, codes(&book(&[text])), expected)).collect();
    let wrong: Vec<_> = wrong.into_iter().filter(|(_, found, expected)| found != *expected).collect();
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn a_place_is_told_by_bytes_and_an_id_stays_while_the_text_moves() {
    let place = |story: &Story| {
        let issue = check(story, &Config::default()).into_iter().find(|issue| issue.code.as_deref() == Some("QS043"));
        let issue = issue.unwrap();
        (issue.id, issue.evidence[0].anchor.clone())
    };
    let (id, anchor) = place(&book(&["他走了，，雨还在下。"]));
    assert_eq!(anchor, "documents/d-1/text@9-15");
    let (moved_id, moved) = place(&book(&["天黑了。他走了，，雨还在下。"]));
    assert_eq!((moved_id, moved.as_str()), (id, "documents/d-1/text@21-27"));
}

#[test]
fn notes_are_not_prose_of_the_book() {
    let mut story = book(&["他走了，，雨还在下。"]);
    story.documents[0].order = 0;
    assert_eq!(check(&story, &Config::default()), []);
}

#[test]
fn only_what_changed_is_read_again() {
    let mut story = book(&["他走了，，雨还在下。", "天亮了。", "她回来了。"]);
    let mut manuscript = Manuscript::default();
    let before = findings_with(&story, &Config::default(), &mut manuscript);
    assert_eq!(before.len(), 1);
    let first = parsed(&mut manuscript, &story);
    assert_eq!(findings_with(&story, &Config::default(), &mut manuscript), before);
    assert_eq!(kept(&first, &parsed(&mut manuscript, &story)), [true; 3]);
    story.documents[1].text = "天亮了,雨停了。".to_owned();
    story.documents[1].version += 1;
    let after = findings_with(&story, &Config::default(), &mut manuscript);
    assert_eq!(after, findings(&story, &Config::default()), "the same as reading all");
    assert_eq!(after.len(), 2);
    assert_eq!(kept(&first, &parsed(&mut manuscript, &story)), [true, false, true]);
}

fn parsed(manuscript: &mut Manuscript, story: &Story) -> Vec<Arc<Prose>> {
    manuscript.chapters(story).into_iter().map(|chapter| chapter.prose).collect()
}

/// Returns for each text whether its parsed prose is the same value.
fn kept(before: &[Arc<Prose>], after: &[Arc<Prose>]) -> Vec<bool> {
    before.iter().zip(after).map(|(before, after)| Arc::ptr_eq(before, after)).collect()
}

/// A phrase comes again too often if it does so within 60,000 bytes, in one chapter or over several.
#[test]
fn a_phrase_that_comes_again_far_away_is_no_habit() {
    let phrase = "他深吸一口气，推开门。";
    let rain = |bytes: usize| "雨还在下。".repeat(bytes / "雨还在下。".len());
    let often = |texts: &[&str]| codes(&book(texts)).contains(&"QS032".to_owned());
    let [near, far] = [14_000, 16_000].map(|bytes| [phrase; 5].join(&rain(bytes)));
    assert!(often(&[&near]) && !often(&[&far]), "four gaps of 14,000 bytes, and of 16,000");
    let chapters = |bytes| std::array::from_fn::<String, 5, _>(|_| format!("{phrase}{}", rain(bytes)));
    let [near, far] = [chapters(14_000), chapters(16_000)].map(|texts| often(&texts.each_ref().map(String::as_str)));
    assert!(near && !far, "the same, in five chapters");
    let light = ["与此同时，门开了。"; 6].join("雨还在下。");
    assert!(!often(&[&light]), "what holds a text together may come again");
}
