//! What is read in, and said of, a book that was written elsewhere: one test for each kind of case from the world.

use qingyu_story::{Config, Language, Mode, Story, findings, settlement};
use serde_json::{Value, json};

/// A book of these chapters and people, settled by the rules.
fn book(language: Language, people: &[&str], chapters: &[&str]) -> Story {
    let cards = people.iter().enumerate();
    let cards: Vec<Value> =
        cards.map(|(at, name)| json!({ "id": format!("c-{at}"), "name": name, "role_type": "minor" })).collect();
    let chapters = chapters.iter().enumerate();
    let (nodes, documents): (Vec<Value>, Vec<Value>) = chapters
        .map(|(at, text)| {
            let (number, node) = (at + 1, format!("o-{}", at + 1));
            let title = format!("Chapter {number}");
            (
                json!({ "id": node, "kind": "chapter", "order": number, "name": title }),
                json!({ "id": format!("d-{number}"), "title": title, "order": number, "outline_node": node, "text": text }),
            )
        })
        .unzip();
    let story = json!({ "language": language, "characters": cards, "outline_nodes": nodes, "documents": documents });
    let story: Story = serde_json::from_value(story).expect("it is a story");
    let read = |story: &Story, document: &qingyu_story::Document| settlement::extract(story, &document.id);
    settlement::rebuild(&story, settlement::Config::default(), |_| true, read).expect("it can be read").story
}

fn codes(story: &Story) -> Vec<String> {
    findings(story, &Config::default()).into_iter().filter_map(|finding| finding.issue.code).collect()
}

fn facts(story: &Story) -> Vec<String> {
    let shown = |fact: &qingyu_story::Fact| match fact.mode {
        Mode::Narrated => fact.label(),
        mode => format!("{} ({mode:?})", fact.label()),
    };
    story.facts.iter().map(shown).collect()
}

#[test]
fn a_past_of_the_past_is_not_the_time_of_the_chapter() {
    let first = "At nineteen, Nora had married. She was thirty now, and a widow.";
    let story = book(Language::En, &["Nora"], &[first, "Nora was thirty."]);
    assert!(!facts(&story).iter().any(|fact| fact.contains("19")), "{:?}", facts(&story));
    assert!(!codes(&story).contains(&"QY314".to_owned()));
}

#[test]
fn what_somebody_tells_of_a_dream_is_no_death() {
    let first = "沈砚秋笑道：“还有快当的哩！”又说到杀了周德海，众人拍着手，齐声大叫。“可惜是个梦。”沈砚秋说。";
    let story = book(Language::Zh, &["周德海", "沈砚秋"], &[first, "周德海推门进来。"]);
    assert!(story.facts.iter().all(|fact| fact.mode != Mode::Narrated), "{:?}", facts(&story));
}

#[test]
fn each_speech_is_that_of_its_own_tag() {
    let text = "沈砚秋大喜，便说道：“不敢动问大哥贵庚？”周德海道：“我今年二十九岁。”沈砚秋道：“小弟今年二十八岁；就请大哥坐。”";
    let story = book(Language::Zh, &["周德海", "沈砚秋"], &[text]);
    assert_eq!(facts(&story), ["周德海 age 29岁 (Said)", "沈砚秋 age 28岁 (Said)"]);
}

#[test]
fn traditional_characters_are_read_as_simplified_ones_are() {
    let story = book(Language::Zh, &["沈硯秋"], &["沈硯秋道：「我今年二十九歲。」沈硯秋是個醫生。沈硯秋祖籍紹興。"]);
    assert_eq!(facts(&story), ["沈硯秋 occupation 醫生", "沈硯秋 birthplace 紹興", "沈硯秋 age 29岁 (Said)"]);
}

#[test]
fn a_pronoun_means_the_person_with_whom_the_last_sentence_began() {
    let text = "The door was opened by a stranger whom Nora had met once. She was thirty.";
    assert!(facts(&book(Language::En, &["Nora"], &[text])).is_empty());
    let text = "Nora opened the door. She was thirty, and tired.";
    assert_eq!(facts(&book(Language::En, &["Nora"], &[text])), ["Nora age 30 years"]);
}

#[test]
fn the_husband_of_the_dead_is_no_wedding_and_a_misread_death_is_silent() {
    let people = ["Nora", "Will"];
    let story = book(
        Language::En,
        &people,
        &["Nora died in the night.", "It rained.", "Nora’s husband, Will, was at the window."],
    );
    assert!(!codes(&story).contains(&"QY205".to_owned()), "{:?}", facts(&story));
    let twice = ["Nora died in the night.", "It rained.", "Nora came into the library."];
    assert!(codes(&book(Language::En, &people, &twice)).contains(&"QY205".to_owned()));
    let alive: Vec<String> = ["library", "kitchen", "garden", "hall", "church"]
        .iter()
        .map(|room| format!("Nora came into the {room}."))
        .collect();
    let mut chapters = vec!["Nora died in the night."];
    chapters.extend(alive.iter().map(String::as_str));
    assert!(!codes(&book(Language::En, &people, &chapters)).contains(&"QY205".to_owned()));
}

#[test]
fn lists_litanies_and_old_dates_are_no_slips() {
    let date = "1465年9月29日星期天，雨停了。";
    assert!(!codes(&book(Language::Zh, &[], &[date])).contains(&"QY317".to_owned()));
    let list = "The fleet was this: ".to_owned() + &"a red boat, ".repeat(40) + "and a grey one.";
    let found = codes(&book(Language::En, &[], &[&list]));
    assert!(!found.contains(&"QS023".to_owned()), "{found:?}");
    let found = codes(&book(Language::En, &[], &["See Chapter XXX. It rained. . . . He went."]));
    assert!(!found.contains(&"QS073".to_owned()) && !found.contains(&"QS048".to_owned()), "{found:?}");
}

#[test]
fn who_stands_in_the_chapters_appears() {
    let mut story = book(Language::En, &["Nora Vale"], &["Nora Vale came in.", "Nora Vale went out again."]);
    story.characters[0].role_type = qingyu_story::RoleType::Supporting;
    assert!(!codes(&story).contains(&"QY103".to_owned()));
}

#[test]
fn a_caption_may_quote_the_text() {
    let sentence = "Nora counted the horses again; there were eleven of them, and there ought to have been twelve, as there had been \
                    the night before by the ford.";
    let text = format!("It rained.\n\n{sentence}\n\n[Illustration: Nora counted the horses again. {sentence}]");
    let found = codes(&book(Language::En, &[], &[&text]));
    assert!(!found.iter().any(|code| code == "QS011" || code == "QS012"), "{found:?}");
    let twice = format!("{sentence}\n\nIt rained all day on the road to the river, and nobody spoke.\n\n{sentence}");
    assert!(codes(&book(Language::En, &[], &[&twice])).contains(&"QS011".to_owned()));
}

#[test]
fn a_tale_told_aloud_may_go_on_in_the_next_chapter() {
    let first = "She sat down by the fire.\n\n“The gate was shut then, and nobody came.";
    let next = "“Morning came after that.” She put down the lamp.";
    assert_eq!(codes(&book(Language::En, &[], &[first, next])), [""; 0]);
    assert_eq!(codes(&book(Language::En, &[], &[first, "Morning came. She put down the lamp."])), ["QS042"]);
}

#[test]
fn a_stray_mark_is_no_torn_seam() {
    let first = "The lamp was out. She lit it.\n\nNora shut the \"gate and went in. Nobody was there.";
    assert_eq!(codes(&book(Language::En, &[], &[first, "Morning came."])), ["QS042"]);
    let cut = "The lamp was out. She said, \"The gate is";
    assert_eq!(codes(&book(Language::En, &[], &[cut, "Morning came."])), ["QS061"]);
}

#[test]
fn formulas_of_old_novels_are_no_repetition() {
    let starts = ["雨停了，門開著。", "馬車走了。", "鑰匙只有十一把。", "信是空的。", "老僕不說話。", "天又亮了。"];
    let chapters: Vec<String> = starts.iter().map(|start| format!("{start}\n畢竟後事如何，且聽下回分解。")).collect();
    let chapters: Vec<&str> = chapters.iter().map(String::as_str).collect();
    let found = codes(&book(Language::Zh, &[], &chapters));
    assert!(!found.contains(&"QS062".to_owned()), "{found:?}");
}

#[test]
fn a_full_width_dot_ends_a_sentence() {
    let text = "他数到第一把钥匙，又放下了．他数到第二把钥匙，又放下了．".repeat(10);
    assert_eq!(qingyu_story::Prose::of(&text).sentences.len(), 20);
    let found = codes(&book(Language::Zh, &[], &[&text, "雨停了．欲知后事如何，且听下回分解．"]));
    assert!(!found.contains(&"QS023".to_owned()), "{found:?}");
}

#[test]
fn nothing_is_missing_that_a_manuscript_does_not_bring() {
    let text = "天没亮，雨就停了。他又数了一遍钥匙。";
    let found = codes(&book(Language::Zh, &["沈砚秋"], &[text; 10]));
    let of_plan = found.iter().any(|code| code.starts_with("QY9"));
    assert!(!of_plan, "{found:?}");
}

#[test]
fn what_runs_through_a_book_is_one_finding() {
    let chapters: Vec<String> = (0..12).map(|at| format!("雨停了,他走了{at}里路。")).collect();
    let chapters: Vec<&str> = chapters.iter().map(String::as_str).collect();
    let found = findings(&book(Language::Zh, &[], &chapters), &Config::default());
    let marks: Vec<_> = found.iter().filter(|finding| finding.issue.code.as_deref() == Some("QS041")).collect();
    let [one] = marks.as_slice() else { panic!("{} findings", marks.len()) };
    assert_eq!((one.issue.affected_entities.len(), one.issue.evidence.len(), one.instructions.len()), (12, 12, 12));
}
