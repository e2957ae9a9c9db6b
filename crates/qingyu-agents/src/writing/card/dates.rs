//! Dates of facts, as they are written in the book.

use std::collections::BTreeMap;

use qingyu_story::language::is_han;
use qingyu_story::{Fact, Mode, Names, PieceKind, Story, TimelineEvent};

/// The facts of a story with their dates.
pub(super) struct FactDates<'s> {
    story: &'s Story,
    names: Names,
    facts: BTreeMap<&'s str, &'s Fact>,
}

impl<'s> FactDates<'s> {
    pub(super) fn of(story: &'s Story) -> Self {
        let facts = story.facts.iter().map(|fact| (fact.id.as_str(), fact)).collect();
        Self { story, names: Names::of(story), facts }
    }

    /// Returns since when a fact holds; empty if unknown. The year of the book is left out.
    pub(super) fn of_fact(&self, id: &str) -> String {
        self.facts.get(id).map(|fact| self.read(&fact.from)).unwrap_or_default()
    }

    /// Returns the time of an event or chapter, or the words themselves.
    fn read(&self, from: &str) -> String {
        let from = from.trim();
        let events = &self.story.timeline_events;
        let date = if let Some(event) = self.names.resolve(PieceKind::Event, from) {
            events[event.position].timestamp.as_str()
        } else if let Some(node) = self.names.resolve(PieceKind::OutlineNode, from) {
            let is_here = |told: &str| self.names.resolve(PieceKind::OutlineNode, told) == Some(node);
            let own = events.iter().filter(|event| {
                let told = event.outline_node.as_deref();
                event.mode == Mode::Narrated && !event.timestamp.trim().is_empty() && told.is_some_and(is_here)
            });
            let own: Vec<&TimelineEvent> = own.collect();
            // What the text tells has its date from the text; the plan may have another.
            let first = own.iter().find(|event| self.is_from_text(event)).or(own.first());
            first.map(|event| day(&event.timestamp)).unwrap_or_default()
        } else {
            from
        };
        let date = date.trim();
        let era = self.story.worldview.as_ref().map(|world| world.era.trim()).unwrap_or_default();
        without_year(date, era).unwrap_or(date).to_owned()
    }

    /// Returns whether the event was settled from a text, or a text tells it.
    fn is_from_text(&self, event: &TimelineEvent) -> bool {
        let mut settled = self.story.documents.iter().flat_map(|document| &document.settled);
        settled.any(|told| {
            told.made.iter().any(|made| made.kind == PieceKind::Event && made.id == event.id)
                || told.events.iter().flatten().any(|here| here.event == event.id)
        })
    }
}

/// Returns a date without the year of the book, if it begins with it: `1月13日` of `2019年1月13日` in a book of `2019`.
fn without_year<'d>(date: &'d str, era: &str) -> Option<&'d str> {
    let is_digit = |c: char| c.is_ascii_digit();
    let rest = date.strip_prefix(era).filter(|_| !era.is_empty())?;
    let rest = match rest.strip_prefix('年') {
        Some(rest) if !rest.starts_with('代') => rest,
        Some(_) => return None,
        None => rest,
    };
    let is_longer_number = era.ends_with(is_digit) && date[era.len()..].starts_with(is_digit);
    let rest = rest.trim_start_matches([' ', ',', '，', '、']).trim_end();
    (!is_longer_number && rest.starts_with(char::is_alphanumeric)).then_some(rest)
}

/// Returns the day of a Chinese time, since a chapter's facts rarely hold from the hour of its first event.
fn day(time: &str) -> &str {
    let time = time.trim();
    if !time.chars().any(is_han) {
        return time;
    }
    let first = time.split_whitespace().next().filter(|first| first.contains(['月', '日', '天'])).unwrap_or(time);
    first.find('日').map_or(first, |end| &first[..end + '日'.len_utf8()])
}

/// Returns the number in an id; later ids have higher numbers.
pub(super) fn number_of(id: &str) -> u64 {
    let digits: String = id.chars().filter(char::is_ascii_digit).collect();
    digits.parse().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn the_year_of_the_book_is_left_out_whole() {
        let cases = [
            ("2019年1月13日", "2019", Some("1月13日")),
            ("2019年1月13日", "2019年", Some("1月13日")),
            ("万历二十三年三月初五", "万历二十三年", Some("三月初五")),
            ("景和十七年 三月初九", "景和十七年", Some("三月初九")),
            ("Year 312, Day 45", "Year 312", Some("Day 45")),
            ("1990年代", "1990", None),
            ("2019-01-13", "2019", None),
            ("20190年", "2019", None),
            ("2019年", "2019", None),
            ("1998年12月3日", "2019", None),
            ("三月初五", "", None),
        ];
        for (date, era, expected) in cases {
            assert_eq!(without_year(date, era), expected, "{date}, {era}");
        }
    }

    #[test]
    fn the_date_of_a_chapter_is_that_of_its_text() {
        let mut story: Story = serde_json::from_value(json!({
            "language": "zh",
            "outline_nodes": [{"id": "o-1", "name": "第四章 铜钥", "order": 1}],
            "timeline_events": [
                {"id": "e-1", "title": "铜钥转手", "timestamp": "三月初六", "outline_node": "o-1"},
                {"id": "e-2", "title": "上门", "timestamp": "三月初七", "outline_node": "o-1"}
            ],
            "facts": [{"id": "f-1", "subject": "卢元朴", "predicate": "知道", "value": "真相", "from": "第四章 铜钥"}],
            "documents": [{"id": "d-1", "title": "第四章 铜钥", "order": 1, "outline_node": "o-1", "text": "三月初七。"}]
        }))
        .unwrap();
        assert_eq!(FactDates::of(&story).of_fact("f-1"), "三月初六", "the plan, while the text has no event");
        let made = json!({"made": [{"kind": "event", "id": "e-2", "digest": ""}]});
        story.documents[0].settled = Some(serde_json::from_value(made).unwrap());
        assert_eq!(FactDates::of(&story).of_fact("f-1"), "三月初七");
    }
}
