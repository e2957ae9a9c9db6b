use proptest::prelude::*;
use qingyu_story::Language;
use serde_json::json;

use super::*;
use crate::{Templates, change};

fn story(template: &str, language: Language) -> Story {
    let (production, fields) = Templates::builtin().get(template).unwrap().begin(language);
    Story { language, production: Some(production), fields, ..Story::default() }
}

/// The sizes in words, short: `lessons 2-2`, `landing_page 270-330`.
fn sizes(template: &str, words: &str, given: &[&str], is_change: bool) -> Vec<String> {
    let story = story(template, Language::of(words));
    let given: Vec<String> = given.iter().map(|path| (*path).to_owned()).collect();
    let line = |size: &AskedSize| {
        let name = match &size.kind {
            SizeKind::Entries(list) if !list.is_empty() => list.as_str(),
            _ => size.path.rsplit('/').next().unwrap(),
        };
        let what = if size.kind == SizeKind::Length { "length of " } else { "" };
        format!("{what}{name} {}-{}", size.least, size.most)
    };
    asked(words, &story.fields, &given, is_change).sizes.iter().map(line).collect()
}

#[test]
fn sizes_are_read_from_the_users_words() {
    let cases: [(&str, &str, &[&str]); 36] = [
        ("course", "为独立开发者写一门两节课的定价课程", &["lessons 2-2"]),
        ("course", "两节，每节八百字", &["lessons 2-2", "length of lessons 720-880"]),
        ("course", "一共三节课，每节课1500字左右，不要视频", &["lessons 3-3", "length of lessons 1200-1800"]),
        ("course", "三到五节就行，每节不超过五百字", &["lessons 3-5", "length of lessons 250-500"]),
        ("course", "两节课，共四千字", &["lessons 2-2", "length of lessons 1800-2200"]),
        ("course", "只讲一节，落地页三百字", &["lessons 1-1", "length of landing_page 270-330"]),
        ("course", "最多六节", &["lessons 1-6"]),
        ("course", "至少十节，每节至少2千字", &["lessons 10-15", "length of lessons 2000-3000"]),
        ("course", "三四节课", &["lessons 3-4"]),
        ("course", "五封邮件", &["emails 5-5"]),
        ("articles", "写两篇文章，每篇一千二百字", &["articles 2-2", "headlines 2-2", "length of articles 1080-1320"]),
        ("product_page", "给茶店做一个五百字的产品页", &["length of page 450-550"]),
        (
            "course",
            "a course of two lessons for librarians, 800 words each",
            &["lessons 2-2", "length of lessons 720-880"],
        ),
        ("course", "Two short lessons of about 1,000 words", &["lessons 2-2", "length of lessons 800-1200"]),
        (
            "course",
            "a ten-lesson course, each lesson 400 to 600 words",
            &["lessons 10-10", "length of lessons 400-600"],
        ),
        ("course", "Only one lesson, at most 300 words", &["lessons 1-1", "length of lessons 150-300"]),
        ("course", "lessons of 800 words", &["length of lessons 720-880"]),
        ("course", "800-word lessons, please", &["length of lessons 720-880"]),
        ("course", "three or four lessons, no more than 500 words each", &["lessons 3-4", "length of lessons 250-500"]),
        ("course", "four lessons, 2000 words in all", &["lessons 4-4", "length of lessons 450-550"]),
        ("course", "the landing page has 300 words", &["length of landing_page 270-330"]),
        (
            "articles",
            "two articles of two hundred words",
            &["articles 2-2", "headlines 2-2", "length of articles 180-220"],
        ),
        // Nothing about sizes, or about another number.
        ("course", "前两节太长，第三节的练习再简单些", &[]),
        ("course", "上次那门课原来有十二节，大家学不完", &[]),
        ("course", "一节课十五分钟，每周两小时", &[]),
        ("course", "教学员认字，五百个字", &[]),
        ("course", "两节课够吗？", &[]),
        ("course", "他们每周上两节课，两节课之间有作业", &[]),
        ("articles", "我已经写了三篇文章，读过两篇的人不多", &[]),
        ("course", "a 5-day email course for people who took two lessons", &[]),
        ("articles", "I already have three articles; readers finished two articles a week", &[]),
        ("course", "My last course had twelve lessons", &[]),
        ("course", "Would two lessons be enough?", &[]),
        ("course", "each lesson teaches 100 words of Spanish", &[]),
        ("course", "the first two lessons, fifteen minutes a lesson", &[]),
        ("course", "Lesson 2 and lesson 3 belong together after two of the lessons", &[]),
    ];
    for (template, words, expected) in cases {
        assert_eq!(sizes(template, words, &[], false), expected, "{words}");
    }
}

#[test]
fn a_change_says_its_size_of_the_fields_that_it_is_about() {
    for (words, given, expected) in [
        ("写到三百字", "produce_outer/landing_page", "length of landing_page 270-330"),
        ("Shorten it to 300 words", "produce_outer/landing_page", "length of landing_page 270-330"),
        ("改成两节", "design_inner/outline", "lessons 2-2"),
        ("make it two lessons", "design_inner/outline", "lessons 2-2"),
        ("再加一节课", "design_inner/outline", "lessons 1-60"),
        ("delete lesson 2", "design_inner/outline", "lessons 1-60"),
    ] {
        assert_eq!(sizes("course", words, &[given], true), [expected], "{words}");
    }
    for words in ["cut 300 words", "make it 200 words shorter", "删掉两百字", "再写两百字"] {
        assert!(sizes("course", words, &["produce_outer/landing_page"], true).is_empty(), "{words}");
    }
}

#[test]
fn beyond_what_can_be_made_nothing_is_followed_and_that_is_said() {
    for words in ["两百节课", "a course of 200 lessons", "每节五万字", "50,000 words for each lesson"] {
        let mut story = story("course", Language::of(words));
        let before = story.clone();
        let asked = take(&mut story, words, &[], false);
        assert!(asked.sizes.is_empty() && asked.refused.len() == 1, "{words}: {asked:?}");
        assert_eq!(story, before);
    }
}

#[test]
fn two_lessons_are_taken_and_their_lengths_are_checked() {
    for (language, words) in [(Language::Zh, "两节课，每节八百字"), (Language::En, "two lessons, 800 words each")]
    {
        let mut story = story("course", language);
        take(&mut story, words, &[], false);
        let once = story.clone();
        take(&mut story, words, &[], false);
        assert_eq!(story, once, "the same words change nothing twice");
        let lesson = |title: &str| json!({"title": title, "goal": "a", "points": ["b"], "exercise": "c"});
        let of = |lessons: Vec<Value>| json!({"title": "t", "lessons": lessons});
        let maker = qingyu_story::production::Maker::default;
        let two = of(vec![lesson("x"), lesson("y")]);
        change::put(&mut story, "design_inner/outline", two, maker()).unwrap();
        let three = of(vec![lesson("x"), lesson("y"), lesson("z")]);
        assert!(change::put(&mut story, "design_inner/outline", three.clone(), maker()).is_err(), "two were wanted");
        let made: Vec<_> =
            story.fields.iter().filter(|field| field.path.starts_with("produce_inner/lessons")).collect();
        assert_eq!(made.len(), 3, "the list and its two lessons");
        assert!(made.iter().all(|field| field.length == Some(TextLength { least: 720, most: 880 })));
        // Who writes a list by hand says how long it is.
        let outline = story.fields.iter_mut().find(|field| field.path == "design_inner/outline").unwrap();
        admit(outline, &three);
        change::put(&mut story, "design_inner/outline", three, maker()).unwrap();
    }
}

#[test]
fn an_empty_list_is_nobodys_wish() {
    let mut story = story("course", Language::Zh);
    let outline = story.fields.iter_mut().find(|field| field.path == "design_inner/outline").unwrap();
    let before = outline.clone();
    admit(outline, &json!({"title": "t", "lessons": []}));
    assert_eq!(*outline, before);
}

/// Pieces of which sizes are said.
fn piece() -> impl Strategy<Value = String> {
    let known = [
        "两",
        "三到",
        "十",
        "万",
        "千",
        "节",
        "篇",
        "字",
        "每",
        "共",
        "不超过",
        "，",
        "two ",
        "3-5 ",
        "-",
        "1,000 ",
        "9999999999",
        " words",
        " lessons",
        "at most ",
        "each ",
        ".",
        "landing page ",
    ];
    prop_oneof![prop::sample::select(known.to_vec()).prop_map(str::to_owned), "\\PC{0,3}"]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]
    #[test]
    fn whatever_is_said_the_sizes_are_sane(pieces in prop::collection::vec(piece(), 0..12), is_change: bool) {
        let text = pieces.concat();
        let mut story = story("course", Language::Zh);
        let asked = take(&mut story, &text, &[], is_change);
        for size in &asked.sizes {
            let limit = if size.kind == SizeKind::Length { LONGEST * 2 } else { MOST_ENTRIES };
            prop_assert!(size.least <= size.most && size.most <= limit && size.most > 0, "{}: {:?}", text, size);
        }
        let once = story.clone();
        take(&mut story, &text, &[], is_change);
        prop_assert_eq!(story, once, "{}", text);
    }
}
