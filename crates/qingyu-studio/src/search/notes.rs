//! What a model must know of a passage beside its words: the years of a person, when somebody holds a thing, in which way
//! something is told, and whether a promise is paid.

use qingyu_agents::context::ShownPassage;
use qingyu_knowledge::chunk::Source;
use qingyu_knowledge::telling::Telling;
use qingyu_story::settlement::told_description;
use qingyu_story::{Character, Fact, Language, PieceKind, Story, TimelineEvent, phrase};

/// Returns the passage with what its source has beside its words.
pub(super) fn noted(shown: ShownPassage, source: &Source, story: &Story) -> ShownPassage {
    let ShownPassage { heading, text, .. } = &shown;
    let (heading, text) = match source.kind {
        PieceKind::Character => {
            let card = story.characters.iter().find(|card| card.id == source.id);
            let years = card.map(|card| years(card, story.language)).unwrap_or_default();
            (heading.clone(), if years.is_empty() { text.clone() } else { format!("{years}\n{text}") })
        }
        PieceKind::Fact => {
            let fact = story.facts.iter().find(|fact| fact.id == source.id);
            let told = |fact: &Fact| phrase::told_as(fact.mode, fact.by.as_deref().unwrap_or_default(), story.language);
            (format!("{}{heading}", fact.map(told).unwrap_or_default()), text.clone())
        }
        PieceKind::Event => {
            let event = story.timeline_events.iter().find(|event| event.id == source.id);
            let told = |event: &TimelineEvent| phrase::told_as(event.mode, event.teller(), story.language);
            let text = event.map_or_else(|| text.clone(), |event| as_text_tells(event, text, shown.telling, story));
            (format!("{}{heading}", event.map(told).unwrap_or_default()), text)
        }
        PieceKind::Promise => {
            let promise = story.promises.iter().find(|promise| promise.id == source.id);
            let remark = promise.map_or("", |promise| state(promise.is_open(), story.language));
            (format!("{heading}{remark}"), text.clone())
        }
        PieceKind::Item => {
            let mut items = story.worldview.iter().flat_map(|world| &world.items);
            let holder = items.find(|item| item.id == source.id).and_then(|item| item.holder.as_deref());
            let Some(holder) = holder.map(str::trim).filter(|holder| !holder.is_empty()) else { return shown };
            let rest = text.trim_end().strip_suffix(holder).filter(|rest| rest.is_empty() || rest.ends_with('\n'));
            let Some(rest) = rest else { return shown };
            (heading.clone(), format!("{rest}{}", first_holder(holder, story.language)))
        }
        _ => return shown,
    };
    ShownPassage { heading, text, ..shown }
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
    fn a_lie_a_life_and_a_paid_promise_are_told_as_such() {
        let story: Story = serde_json::from_value(json!({
            "language": "en",
            "characters": [{"id": "c-1", "name": "Tom Bright", "age": 13, "birth": "1792"}, {"id": "c-2", "name": "Ann"}],
            "facts": [
                {"id": "f-1", "subject": "Ann", "predicate": "killed_by", "value": "a fall", "mode": "lied", "by": "Tom Bright"},
                {"id": "f-2", "subject": "Ann", "predicate": "dies", "value": true}
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
        assert_eq!(told(PieceKind::Fact, "f-1"), "Tom Bright lies: head|text");
        assert_eq!(told(PieceKind::Fact, "f-2"), "head|text");
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
    }
}
