//! Notes for a model on a passage: the years of a person, the first holder of a thing, the mode of an event, whether a
//! promise is paid, and the field of each line of a card.

use qingyu_agents::context::ShownPassage;
use qingyu_knowledge::chunk::Source;
use qingyu_knowledge::telling::Telling;
use qingyu_story::holdings::{Holdings, Whereabouts};
use qingyu_story::settlement::told_description;
use qingyu_story::telling::first_teller;
use qingyu_story::{Character, Fact, Language, Names, OutlineNode, PieceKind, Story, TimelineEvent, phrase};

/// Returns the passage with the notes on its source.
pub(super) fn noted(shown: ShownPassage, source: &Source, story: &Story) -> ShownPassage {
    let ShownPassage { heading, text, .. } = &shown;
    let (heading, text) = match source.kind {
        PieceKind::Character => {
            let Some(card) = story.characters.iter().find(|card| card.id == source.id) else { return shown };
            let years = years(card, story.language);
            let text = labelled(text, &of_card(card, story.language), story.language);
            (heading.clone(), if years.is_empty() { text } else { format!("{years}\n{text}") })
        }
        PieceKind::Fact => {
            let Some(fact) = story.facts.iter().find(|fact| fact.id == source.id) else { return shown };
            (heading.clone(), labelled(text, &of_fact(fact, story), story.language))
        }
        PieceKind::Event => {
            let Some(event) = story.timeline_events.iter().find(|event| event.id == source.id) else { return shown };
            let told = phrase::told_as(event.mode, event.teller(), story.language);
            let text = labelled(text, &of_event(event, story.language), story.language);
            let heading = in_telling_chapter(heading, event, story);
            (format!("{told}{heading}"), as_text_tells(event, &text, shown.telling, story))
        }
        PieceKind::OutlineNode => {
            let Some(node) = story.outline_nodes.iter().find(|node| node.id == source.id) else { return shown };
            (heading.clone(), labelled(text, &of_node(node, story.language), story.language))
        }
        PieceKind::Promise => {
            let promise = story.promises.iter().find(|promise| promise.id == source.id);
            let remark = promise.map_or("", |promise| state(promise.is_open(), story.language));
            (format!("{heading}{remark}"), text.clone())
        }
        PieceKind::Item => {
            let mut items = story.items().iter().enumerate();
            let Some((position, item)) = items.find(|(_, item)| item.id == source.id) else { return shown };
            let holder = item.holder.as_deref().map(str::trim).filter(|holder| !holder.is_empty());
            let rest = holder.and_then(|holder| Some((text.trim_end().strip_suffix(holder)?, holder)));
            let first = match rest.filter(|(rest, _)| rest.is_empty() || rest.ends_with('\n')) {
                Some((rest, holder)) => format!("{rest}{}", first_holder(holder, story.language)),
                None => text.clone(),
            };
            let lines = [Some(first), last_place(position, story)];
            (heading.clone(), lines.into_iter().flatten().collect::<Vec<_>>().join("\n"))
        }
        _ => return shown,
    };
    ShownPassage { heading, text, ..shown }
}

/// A label in Chinese and English.
pub(super) type Label = [&'static str; 2];

/// The label before the time from which something holds.
pub(super) const SINCE: Label = ["始于", "since "];
/// The label before the chapter that tells of something already over.
const TOLD_IN: Label = ["写于", "told in "];
/// The label before the time until which something holds.
pub(super) const UNTIL: Label = ["止于", "until "];

/// Returns a label in the language.
pub(super) fn label([chinese, english]: Label, language: Language) -> &'static str {
    match language {
        Language::Zh => chinese,
        Language::En => english,
    }
}

/// Returns the label before the time `since`. A chapter is not the beginning of something that ended at a time in words, but
/// tells of it when it is over.
pub(super) fn begin_label(since: &str, until: &str, names: &Names) -> Label {
    let is = |kind: PieceKind, name: &str| names.resolve(kind, name).is_some();
    let is_point = is(PieceKind::OutlineNode, until) || is(PieceKind::Event, until);
    let is_told = !until.trim().is_empty() && !is_point && is(PieceKind::OutlineNode, since);
    if is_told { TOLD_IN } else { SINCE }
}

/// A field of a card.
struct LabelledField {
    /// The text as a passage has it.
    value: String,
    label: Label,
    /// The entries of a list, separated for readers.
    list: Option<String>,
}

impl LabelledField {
    fn new(value: &str, label: Label) -> Self {
        Self { value: value.to_owned(), label, list: None }
    }

    fn list(entries: &[String], label: Label, language: Language) -> Self {
        let comma = match language {
            Language::Zh => "、",
            Language::En => ", ",
        };
        Self { value: entries.join(" "), label, list: Some(entries.join(comma)) }
    }
}

fn of_card(card: &Character, language: Language) -> Vec<LabelledField> {
    vec![
        LabelledField::new(&card.occupation, ["身份：", "Occupation: "]),
        LabelledField::list(&card.traits, ["特点：", "Traits: "], language),
        LabelledField::new(&card.weakness, ["弱点：", "Weakness: "]),
        LabelledField::new(&card.personality, ["性格：", "Personality: "]),
        LabelledField::new(&card.gender, ["性别：", "Gender: "]),
        LabelledField::new(&card.appearance, ["外貌：", "Looks: "]),
        LabelledField::new(&card.background, ["过去：", "Past: "]),
        LabelledField::new(&card.goals, ["目的：", "Wants: "]),
        LabelledField::new(&card.conflicts, ["阻碍：", "In the way: "]),
        LabelledField::new(&card.arc, ["全书的变化：", "Change over the book: "]),
    ]
}

fn of_fact(fact: &Fact, story: &Story) -> Vec<LabelledField> {
    let begin = match fact.until.trim() {
        "" => SINCE,
        until => begin_label(fact.from.trim(), until, &Names::of(story)),
    };
    vec![LabelledField::new(&fact.from, begin), LabelledField::new(&fact.until, UNTIL)]
}

fn of_event(event: &TimelineEvent, language: Language) -> Vec<LabelledField> {
    vec![
        LabelledField::new(&event.timestamp, ["时间：", "Time: "]),
        LabelledField::list(&event.participants, ["在场：", "Present: "], language),
        LabelledField::new(event.location.as_deref().unwrap_or_default(), ["地点：", "Place: "]),
    ]
}

fn of_node(node: &OutlineNode, language: Language) -> Vec<LabelledField> {
    let mut fields = vec![
        LabelledField::new(&node.goal, ["目标：", "Goal: "]),
        LabelledField::list(&node.participants, ["出场：", "Who appears: "], language),
        LabelledField::new(node.location.as_deref().unwrap_or_default(), ["地点：", "Place: "]),
    ];
    fields.extend(node.plants.iter().map(|planted| LabelledField::new(planted, ["要埋下：", "To plant: "])));
    fields.extend(node.pays.iter().map(|paid| LabelledField::new(paid, ["要兑现：", "To pay: "])));
    fields
}

/// Returns the text with the label of a field before each line that begins the field, in the order of the fields. A part
/// of a long card may have the beginning of a field only.
fn labelled(text: &str, fields: &[LabelledField], language: Language) -> String {
    let begins: Vec<&str> =
        fields.iter().map(|field| field.value.trim().lines().next().unwrap_or_default().trim()).collect();
    let mut next = 0;
    let lines = text.lines().map(|line| {
        let bare = line.trim();
        let later = begins.iter().enumerate().skip(next).filter(|(_, begin)| !bare.is_empty() && !begin.is_empty());
        let whole = later.clone().find(|(_, begin)| **begin == bare);
        let Some((place, _)) = whole.or_else(|| later.clone().find(|(_, begin)| begin.starts_with(bare))) else {
            return line.to_owned();
        };
        next = place + 1;
        let field = &fields[place];
        let text = field.list.as_deref().filter(|_| field.value.trim() == bare).unwrap_or(line);
        format!("{}{text}", label(field.label, language))
    });
    lines.collect::<Vec<_>>().join("\n")
}

/// Returns the heading of a passage about an event with the chapter that tells it first, if that is not the one for which it
/// was planned.
fn in_telling_chapter(heading: &str, event: &TimelineEvent, story: &Story) -> String {
    let is = |node: &OutlineNode, name: &str| [node.id.as_str(), node.name.trim()].contains(&name.trim());
    let planned = event.outline_node.as_deref().filter(|name| !name.trim().is_empty());
    let node = planned.and_then(|name| story.outline_nodes.iter().find(|node| is(node, name)));
    let teller = first_teller(story, event);
    let Some((node, teller)) = node.zip(teller) else { return heading.to_owned() };
    // A scene is part of its chapter.
    let own =
        [Some(node), story.outline_nodes.iter().find(|one| node.parent.as_deref().is_some_and(|name| is(one, name)))];
    let is_own = |name: &str| own.into_iter().flatten().any(|node| is(node, name));
    match heading.strip_suffix(node.name.as_str()) {
        Some(before) if before.ends_with(" · ") && !teller.outline_node.as_deref().is_none_or(is_own) => {
            format!("{before}{}", teller.title.trim())
        }
        _ => heading.to_owned(),
    }
}

/// Returns the text of a passage about an event with the description of the chapters that tell it; if there is none, says
/// that the words are those of the plan.
fn as_text_tells(event: &TimelineEvent, text: &str, telling: Telling, story: &Story) -> String {
    let planned = event.description.trim();
    if planned.is_empty() {
        return text.to_owned();
    }
    match told_description(story, event) {
        Some(told) => text.replacen(planned, &told, 1),
        None if matches!(telling, Telling::Told { .. }) => {
            let remark = match story.language {
                Language::Zh => "（时间、人物和经过是计划的写法，正文不一定都这样写）",
                Language::En => "(time, people and course as planned; the text need not follow)",
            };
            format!("{remark}\n{text}")
        }
        None => text.to_owned(),
    }
}

/// Returns the age, birth and death on a card as a line; empty if it has none.
fn years(card: &Character, language: Language) -> String {
    let text =
        |date: &Option<String>| date.as_deref().map(str::trim).filter(|date| !date.is_empty()).map(str::to_owned);
    let (birth, death) = (text(&card.birth), text(&card.death));
    let (parts, between): ([Option<String>; 3], &str) = match language {
        Language::Zh => (
            [
                card.age.map(|age| format!("开头时{age}岁")),
                birth.map(|date| format!("生于{date}")),
                death.map(|date| format!("死于{date}")),
            ],
            "；",
        ),
        Language::En => (
            [
                card.age.map(|age| format!("aged {age} at the beginning")),
                birth.map(|date| format!("born {date}")),
                death.map(|date| format!("dies {date}")),
            ],
            "; ",
        ),
    };
    parts.into_iter().flatten().collect::<Vec<_>>().join(between)
}

/// Returns who holds a thing by its card.
fn first_holder(holder: &str, language: Language) -> String {
    match language {
        Language::Zh => format!("开头时在{holder}手里"),
        Language::En => format!("held by {holder} at the beginning"),
    }
}

/// Returns who has a thing now.
pub(super) fn now_with(holder: &str, language: Language) -> String {
    match language {
        Language::Zh => format!("现在在{holder}手里"),
        Language::En => format!("now with {holder}"),
    }
}

/// Returns where a thing is by the last fact that says so; `None` if no fact does.
fn last_place(item: usize, story: &Story) -> Option<String> {
    let holdings = Holdings::as_of(story, &Names::of(story), None);
    holdings.told_by.get(&item)?;
    Some(match (holdings.places.get(&item)?, story.language) {
        (Whereabouts::Held(holder), language) => now_with(holder, language),
        (Whereabouts::At(place), Language::Zh) => format!("现在的地点：{place}"),
        (Whereabouts::At(place), Language::En) => format!("now at {place}"),
    })
}

/// Returns the remark on a promise.
fn state(is_open: bool, language: Language) -> &'static str {
    match (is_open, language) {
        (true, Language::Zh) => "（伏笔，还没有兑现）",
        (false, Language::Zh) => "（伏笔，已经兑现）",
        (true, Language::En) => " (a promise to the reader, still open)",
        (false, Language::En) => " (a promise to the reader, paid)",
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn the_lines_of_a_card_and_the_times_of_a_fact_have_labels() {
        let story = json!({
            "characters": [{"id": "c-1", "name": "沈砚秋", "occupation": "记者", "weakness": "不肯说实话", "gender": "女",
                "goals": "查清死因\n保住弟弟", "arc": "从藏到说"},
                {"id": "c-2", "name": "Isobel", "traits": ["exact", "proud", "tender by stealth"]}],
            "facts": [{"id": "f-1", "subject": "沈砚秋", "predicate": "持有", "object": "银壳怀表", "from": "十月十二日",
                "until": "十月十五日"}, {"id": "f-2", "subject": "罗世昌", "predicate": "持有", "object": "银壳怀表",
                "until": "三年前的八月"}, {"id": "f-3", "subject": "银壳怀表", "predicate": "位于", "object": "柜台",
                "from": "第二章", "until": "周五晚饭前"}],
            "timeline_events": [{"id": "e-1", "title": "赎表", "timestamp": "十月十二日", "description": "赎出怀表。",
                "participants": ["沈砚秋", "罗世昌"], "location": "同德当"}],
            "outline_nodes": [{"id": "o-1", "name": "第二章", "description": "赎表。", "goal": "连起两案",
                "plants": ["“昌”字", "桥上"], "pays": ["脸色"]}]
        });
        let mut story: Story = serde_json::from_value(story).unwrap();
        let mut told = |language, kind: PieceKind, id: &str, text: &str| {
            story.language = language;
            let shown = ShownPassage { text: text.into(), ..ShownPassage::default() };
            noted(shown, &Source { kind, id: id.into() }, &story).text
        };
        let card = "沈砚秋\n记者\n不肯说实话\n女\n查清死因\n保住弟弟\n从藏到说";
        let expected = "沈砚秋\n身份：记者\n弱点：不肯说实话\n性别：女\n目的：查清死因\n保住弟弟\n全书的变化：从藏到说";
        assert_eq!(told(Language::Zh, PieceKind::Character, "c-1", card), expected);
        let expected = "沈砚秋\nOccupation: 记者\n不明的一句";
        assert_eq!(told(Language::En, PieceKind::Character, "c-1", "沈砚秋\n记者\n不明的一句"), expected);
        let fact = "十月十二日\n十月十五日\n她把表收起来。";
        let expected = "始于十月十二日\n止于十月十五日\n她把表收起来。";
        assert_eq!(told(Language::Zh, PieceKind::Fact, "f-1", fact), expected);
        assert_eq!(told(Language::En, PieceKind::Fact, "f-2", "三年前的八月"), "until 三年前的八月");
        let expected = "Traits: exact, proud, tender by stealth";
        assert_eq!(told(Language::En, PieceKind::Character, "c-2", "exact proud tender by stealth"), expected);
        let expected = "写于第二章\n止于周五晚饭前";
        assert_eq!(told(Language::Zh, PieceKind::Fact, "f-3", "第二章\n周五晚饭前"), expected, "it was over by then");
        let event = "十月十二日\n赎出怀表。\n沈砚秋 罗世昌\n同德当";
        let expected = "时间：十月十二日\n赎出怀表。\n在场：沈砚秋、罗世昌\n地点：同德当";
        assert_eq!(told(Language::Zh, PieceKind::Event, "e-1", event), expected);
        let node = "赎表。\n连起两案\n“昌”字\n桥上\n脸色";
        let expected = "赎表。\n目标：连起两案\n要埋下：“昌”字\n要埋下：桥上\n要兑现：脸色";
        assert_eq!(told(Language::Zh, PieceKind::OutlineNode, "o-1", node), expected);
    }

    #[test]
    fn an_event_a_life_and_a_paid_promise_are_told_as_such() {
        let story: Story = serde_json::from_value(json!({
            "language": "en",
            "characters": [{"id": "c-1", "name": "Tom Bright", "age": 13, "birth": "1792"}, {"id": "c-2", "name": "Ann"}],
            "facts": [
                {"id": "f-1", "subject": "Ann", "predicate": "killed_by", "value": "a fall", "mode": "lied", "by": "Tom Bright"}
            ],
            "timeline_events": [
                {"id": "e-1", "title": "The fall", "mode": "flashback", "participants": ["Ann"]},
                {"id": "e-2", "title": "The rumour", "mode": "said", "participants": ["Ann"]},
                {"id": "e-3", "title": "The tale", "mode": "said", "participants": ["Ann"], "by": "Tom Bright"},
                {"id": "e-4", "title": "The plan", "mode": "planned", "participants": ["Ann"]}
            ],
            "promises": [
                {"id": "m-1", "name": "the watch", "planted": ["d-1"], "paid": ["d-2"]},
                {"id": "m-2", "name": "the letter", "planted": ["d-1"]}
            ]
        }))
        .unwrap();
        let told = |kind: PieceKind, id: &str| {
            let shown = ShownPassage { heading: "head".into(), text: "text".into(), ..ShownPassage::default() };
            let shown = noted(shown, &Source { kind, id: id.into() }, &story);
            format!("{}|{}", shown.heading, shown.text)
        };
        assert_eq!(told(PieceKind::Character, "c-1"), "head|aged 13 at the beginning; born 1792\ntext");
        assert_eq!(told(PieceKind::Character, "c-2"), "head|text");
        assert_eq!(told(PieceKind::Fact, "f-1"), "head|text", "its own words say so");
        assert_eq!(told(PieceKind::Event, "e-1"), "in the past: head|text");
        assert_eq!(told(PieceKind::Event, "e-2"), "somebody says: head|text", "it is of her, and not by her");
        assert_eq!(told(PieceKind::Event, "e-3"), "Tom Bright says: head|text");
        assert_eq!(told(PieceKind::Event, "e-4"), "Ann plans: head|text");
        let mut book: Story = serde_json::from_value(json!({
            "language": "en",
            "timeline_events": [{"id": "e-1", "title": "The watch", "description": "She pays eight pounds."}],
            "documents": [{"id": "d-1", "title": "Chapter 1", "order": 1, "text": "She paid nine pounds.", "settled": {
                "events": [{"event": "e-1", "quote": "She paid nine pounds."}],
                "differs": [{"event": "e-1", "field": "description", "told": "She pays nine pounds.", "quote": "She paid nine pounds."}]}}]
        }))
        .unwrap();
        let watch = |book: &Story| {
            let (telling, text) = (Telling::Told { chapter: 1 }, "1805\nShe pays eight pounds.".to_owned());
            let shown = ShownPassage { telling, text, ..ShownPassage::default() };
            noted(shown, &Source { kind: PieceKind::Event, id: "e-1".into() }, book).text
        };
        assert_eq!(watch(&book), "1805\nShe pays nine pounds.");
        book.documents[0].settled.as_mut().expect("it was settled").differs.clear();
        assert!(watch(&book).starts_with("(time, people and course as planned"), "{}", watch(&book));
        assert_eq!(told(PieceKind::Promise, "m-1"), "head (a promise to the reader, paid)|text");
        assert_eq!(told(PieceKind::Promise, "m-2"), "head (a promise to the reader, still open)|text");
        assert_eq!(told(PieceKind::Location, "l-1"), "head|text");
        let story = Story {
            worldview: serde_json::from_value(json!({"items": [{"id": "i-1", "name": "铜钥匙", "holder": "姜伯苓"}]}))
                .unwrap(),
            ..Story::default()
        };
        let shown = ShownPassage { text: "齿上结着铜绿。\n姜伯苓".into(), ..ShownPassage::default() };
        let shown = noted(shown, &Source { kind: PieceKind::Item, id: "i-1".into() }, &story);
        assert_eq!(shown.text, "齿上结着铜绿。\n开头时在姜伯苓手里");
        let story = Story {
            facts: serde_json::from_value(json!([{"subject": "周阿四", "predicate": "得到", "object": "铜钥匙"}]))
                .unwrap(),
            ..story
        };
        let shown = noted(shown, &Source { kind: PieceKind::Item, id: "i-1".into() }, &story);
        assert_eq!(shown.text, "齿上结着铜绿。\n开头时在姜伯苓手里\n现在在周阿四手里");
    }

    #[test]
    fn an_event_is_headed_by_the_chapter_that_tells_it() {
        for (first, third) in [("第一章 来字", "第三章 端午"), ("Chapter 1: Rain", "Chapter 3: Dawn")] {
            let heading = |teller: &str| {
                let story: Story = serde_json::from_value(json!({
                    "outline_nodes": [{"id": "o-1", "name": first, "order": 1}, {"id": "o-3", "name": third, "order": 3}],
                    "timeline_events": [{"id": "e-1", "title": "x", "outline_node": first}],
                    "documents": [{"id": "d-1", "title": third, "order": 3, "outline_node": teller, "text": "。",
                        "settled": {"events": [{"event": "e-1", "quote": "。"}]}}]
                }))
                .unwrap();
                let shown = ShownPassage { heading: format!("x · {first}"), ..ShownPassage::default() };
                noted(shown, &Source { kind: PieceKind::Event, id: "e-1".into() }, &story).heading
            };
            assert_eq!(heading("o-3"), format!("x · {third}"));
            assert_eq!(heading("o-1"), format!("x · {first}"));
        }
    }
}
