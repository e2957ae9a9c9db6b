//! The readings of a recorded run, settled into the story of its plan: three chapters, two of them rewritten.

use qingyu_studio::story::settlement::{Config, Doubt, Extraction, Settlement, complete, follow, settle, withdrawn};
use qingyu_studio::story::{Config as Rules, Document, Story, check, ids};

const FIRST: (&str, &str) = (include_str!("../strong/chapter-1.txt"), include_str!("../strong/settled-1.json"));
const SECOND: (&str, &str) = (include_str!("../strong/chapter-2.txt"), include_str!("../strong/settled-2.json"));
const THIRD: (&str, &str) = (include_str!("../strong/chapter-3.txt"), include_str!("../strong/settled-3.json"));
const FIRST_REWRITTEN: (&str, &str) =
    (include_str!("../strong/chapter-1-rewritten.txt"), include_str!("../strong/settled-1-again.json"));
const SECOND_REWRITTEN: (&str, &str) =
    (include_str!("../strong/chapter-2-rewritten.txt"), include_str!("../strong/settled-2-rewritten.json"));

/// The story as its plan was made, without prose.
fn planned() -> Story {
    let mut story: Story = serde_json::from_str(include_str!("../strong/plan.json")).unwrap();
    ids::assign(&mut story);
    story
}

/// Puts the text of a chapter into the story and settles its reading.
fn read(story: &mut Story, chapter: u32, (text, told): (&str, &str)) -> Settlement {
    let id = format!("d-{chapter}");
    let text = text.trim_end();
    match story.documents.iter().position(|document| document.id == id) {
        Some(at) => {
            let before = story.documents[at].clone();
            text.clone_into(&mut story.documents[at].text);
            story.documents[at].version += 1;
            let after = story.documents[at].clone();
            follow(story, &before, Some(&after));
        }
        None => {
            // The outline begins with the act.
            let node = &story.outline_nodes[chapter as usize];
            let document = Document {
                id: id.clone(),
                title: node.name.clone(),
                order: chapter,
                outline_node: Some(node.id.clone()),
                version: 1,
                text: text.to_owned(),
                ..Document::default()
            };
            story.documents.push(document);
        }
    }
    let extraction: Extraction = serde_json::from_str(told).unwrap();
    let completed = complete(story, &id, extraction, Config::default()).unwrap();
    settle(story, &id, &completed, Config::default()).unwrap()
}

fn three_chapters() -> (Story, Vec<Settlement>) {
    let mut story = planned();
    let settled = [(1, FIRST), (2, SECOND), (3, THIRD)].map(|(chapter, told)| read(&mut story, chapter, told));
    (story, settled.into())
}

/// The questions whether something is known under another name: what is told, and what it may be.
fn other_names(settlement: &Settlement) -> Vec<(String, String)> {
    let asked = settlement.questions.iter().filter_map(|question| match &question.doubt {
        Doubt::Same { name, of } => Some((name.clone(), of.first()?.name.clone())),
        _ => None,
    });
    asked.collect()
}

fn codes(story: &Story, code: &str) -> Vec<String> {
    let issues = check(story, &Rules::default()).into_iter();
    issues.filter(|issue| issue.code.as_deref() == Some(code)).map(|issue| issue.root_cause).collect()
}

#[test]
fn a_rewrite_withdraws_nothing_that_the_text_still_tells() {
    let (mut story, _) = three_chapters();
    for (chapter, rewritten, cards) in [
        (1, FIRST_REWRITTEN, &["周茂", "冯二", "钱知县", "路引", "青阳县"][..]),
        (2, SECOND_REWRITTEN, &["铜钥匙", "口供抄本", "衣物清单", "永安门"][..]),
    ] {
        let before = story.clone();
        read(&mut story, chapter, rewritten);
        let gone = withdrawn(&before, &story, &format!("d-{chapter}"));
        let told: Vec<_> = gone.iter().filter(|one| rewritten.0.contains(one.quote.trim())).collect();
        // Another value takes the place of a single one.
        let is_replaced = |label: &str| label.contains("位于");
        let told: Vec<_> = told.into_iter().filter(|one| !is_replaced(&one.label)).collect();
        assert!(told.is_empty(), "chapter {chapter}: {told:#?}");
        let mut names: Vec<&str> = story.characters.iter().map(|card| card.name.as_str()).collect();
        names.extend(story.locations().iter().map(|place| place.name.as_str()));
        names.extend(story.items().iter().map(|item| item.name.as_str()));
        let missing: Vec<_> = cards.iter().filter(|card| !names.contains(card)).collect();
        assert!(missing.is_empty(), "chapter {chapter}: {missing:?}");
    }
}

#[test]
fn kinship_reads_in_one_direction() {
    let (story, _) = three_chapters();
    assert!(story.facts.iter().any(|fact| fact.predicate == "孩子" && fact.subject == "沈伯安"));
    assert_eq!(codes(&story, "QY608"), [""; 0]);
}

#[test]
fn promises_of_the_outline_are_asked_about_and_not_doubled() {
    let (story, settled) = three_chapters();
    let asked: Vec<_> = settled.iter().flat_map(other_names).collect();
    let twins = [
        ("尺尾的空声", "银骨尺的尺尾中空"),
        ("二十三份口供一字不差", "二十三份口供用同一句话"),
        ("田七否认见过沈伯安", "田七说没见过沈伯安"),
        ("棺中没有玉扣", "棺中没有双鱼玉扣"),
        ("掌心的半个字", "阿蘅在掌心划的字"),
    ];
    assert_eq!(asked, twins.map(|(told, planned)| (told.to_owned(), planned.to_owned())));
    let names: Vec<_> = story.promises.iter().map(|promise| promise.name.as_str()).collect();
    assert_eq!(
        names,
        ["谁寄回了银骨尺", "七月二十的路引", "裴慎之是否认识沈伯安", "第三杯酒", "岸上的靴子", "移骨七日"]
    );
}

#[test]
fn told_dates_are_held_against_the_plan() {
    let (mut story, _) = three_chapters();
    let titles = |story: &Story| story.timeline_events.iter().map(|event| event.title.clone()).collect::<Vec<_>>();
    assert!(!titles(&story).contains(&"沈伯安离家进京".to_owned()), "the plan has it on the same day");
    assert_eq!(codes(&story, "QY316"), [""; 0]);

    let settlement = read(&mut story, 2, SECOND_REWRITTEN);
    // The second was asked of the first text too, and nobody has answered.
    let asked = [
        ("沈伯安冬月进京", "沈伯安进京"),
        ("二十三份口供一字不差", "二十三份口供用同一句话"),
        ("田七否认见过沈伯安", "田七说没见过沈伯安"),
    ];
    assert_eq!(other_names(&settlement), asked.map(|(told, known)| (told.to_owned(), known.to_owned())));
    let found = codes(&story, "QY316");
    let [found] = found.as_slice() else { panic!("both are of one day: {found:?}") };
    assert!(found.contains("八月初七亥时") && found.contains("八月十一 夜"), "{found}");
    let place = |title: &str| titles(&story).iter().position(|other| other == title).unwrap();
    assert!(place("沈伯安进京") < place("青阳堂上验尸") && place("抵京") < place("白鹤陵开棺"), "{:?}", titles(&story));
}
