//! Remarks on the ties of an answer: since when and until when, whether only a plan says so, and who has a thing now.

use qingyu_knowledge::recall::Tied;
use qingyu_knowledge::telling::{Telling, Tellings};
use qingyu_story::holdings::{Holdings, Whereabouts};
use qingyu_story::predicate::{self, PredicateRole};
use qingyu_story::{Language, Names, PieceKind, Story};

use super::notes::{Label, SINCE, UNTIL, begin_label, label, now_with};

/// The names, texts and holders of a story, for the remarks on its ties.
pub(super) struct TieFrame<'s> {
    story: &'s Story,
    names: Names,
    tellings: Tellings<'s>,
    holdings: Holdings,
}

impl<'s> TieFrame<'s> {
    /// Indexes `story`.
    pub(super) fn of(story: &'s Story) -> Self {
        let names = Names::of(story);
        let holdings = Holdings::as_of(story, &names, None);
        Self { story, names, tellings: Tellings::of(story), holdings }
    }

    /// Returns the remarks on a tie, in brackets; empty without any. `since` is its beginning, if it is to be shown.
    pub(super) fn remarks(&self, tied: &Tied, since: &str, language: Language) -> String {
        let mut parts = times(begin_label(since, &tied.until, &self.names), since, &tied.until, language);
        parts.extend(self.is_planned(tied).then(|| match language {
            Language::Zh => "计划，不是正文".to_owned(),
            Language::En => "a plan, not the text".to_owned(),
        }));
        let (kind, id) = &tied.source;
        let fact = Some(id).filter(|_| *kind == PieceKind::Fact).and_then(|id| self.fact(id));
        let says = [tied.from.as_str(), tied.relation.as_str(), tied.to.as_str()];
        parts.extend(self.holder_since(fact, says, &tied.until, language));
        bracketed(&parts, language)
    }

    /// Returns who has the thing now that somebody has by a fact; `None` for facts of other kinds, and while it may hold.
    pub(super) fn fact_ended(&self, id: &str, language: Language) -> Option<String> {
        let at = self.fact(id).filter(|_| !id.is_empty())?;
        let fact = &self.story.facts[at];
        let says = [fact.subject.as_str(), fact.predicate.as_str(), fact.object.as_deref()?];
        self.holder_since(Some(at), says, &fact.until, language)
    }

    /// Returns the position of a fact.
    fn fact(&self, id: &str) -> Option<usize> {
        self.story.facts.iter().position(|fact| fact.id == id)
    }

    /// Returns whether only the plan of an event says so.
    fn is_planned(&self, tied: &Tied) -> bool {
        let (kind, id) = &tied.source;
        *kind == PieceKind::Event && self.tellings.piece(*kind, id) == Telling::Planned
    }

    /// Returns who has the thing that somebody held, or that it is gone; `None` if the statement, made by the fact at the
    /// position `fact` if any, is not about the holder of a thing with a card, ends at `until`, or may still hold.
    fn holder_since(
        &self,
        fact: Option<usize>,
        [holder, relation, thing]: [&str; 3],
        until: &str,
        language: Language,
    ) -> Option<String> {
        let role = predicate::find(relation).and_then(|word| word.role);
        if role != Some(PredicateRole::Holding) || !until.trim().is_empty() {
            return None;
        }
        let thing = self.names.resolve(PieceKind::Item, thing)?.position;
        let is_ended = fact.is_some_and(|fact| self.holdings.ended.contains_key(&fact));
        match self.holdings.places.get(&thing) {
            Some(Whereabouts::Held(now)) if now != holder => Some(now_with(now, language)),
            _ if is_ended => Some(match language {
                Language::Zh => "后来不在其手里".to_owned(),
                Language::En => "no longer".to_owned(),
            }),
            _ => None,
        }
    }
}

/// Returns the beginning and end of a tie in brackets, in words; empty without both.
pub(super) fn interval(since: &str, until: &str, language: Language) -> String {
    bracketed(&times(SINCE, since, until, language), language)
}

/// Returns the beginning, with its label, and the end of a tie, in words.
fn times(begin: Label, since: &str, until: &str, language: Language) -> Vec<String> {
    let times = [begin, UNTIL].into_iter().zip([since.trim(), until.trim()]).filter(|(_, time)| !time.is_empty());
    times.map(|(words, time)| format!("{}{time}", label(words, language))).collect()
}

fn bracketed(parts: &[String], language: Language) -> String {
    let (comma, (open, close)) = match language {
        Language::Zh => ("，", ("（", "）")),
        Language::En => (", ", (" (", ")")),
    };
    if parts.is_empty() { String::new() } else { format!("{open}{}{close}", parts.join(comma)) }
}

#[cfg(test)]
mod tests {
    use qingyu_story::Evidence;
    use serde_json::json;

    use super::*;

    fn tied(words: [&str; 3], times: [&str; 2], source: (PieceKind, &str)) -> Tied {
        let ([from, relation, to], [since, until]) = (words.map(str::to_owned), times.map(str::to_owned));
        let says = Evidence { anchor: String::new(), quote: String::new() };
        Tied { from, relation, to, since, until, source: (source.0, source.1.to_owned()), says }
    }

    fn story() -> Story {
        let gets = |id: &str, who: &str, mode: &str| {
            json!({"id": id, "subject": who, "predicate": "gets", "object": "the ring", "mode": mode,
                "source": {"document": "d-1", "quote": "."}})
        };
        serde_json::from_value(json!({
            "language": "en",
            "characters": [{"id": "c-1", "name": "Isobel"}, {"id": "c-2", "name": "Darroch"}, {"id": "c-3", "name": "Morag"}],
            "worldview": {"items": [{"id": "i-1", "name": "the ring"}], "locations": [{"id": "l-1", "name": "the pier"}]},
            "outline_nodes": [{"id": "o-1", "name": "Chapter 1", "order": 1}, {"id": "o-2", "name": "Chapter 2", "order": 2}],
            "documents": [{"id": "d-1", "title": "Chapter 1", "order": 1, "outline_node": "o-1", "text": "."}],
            "timeline_events": [{"id": "e-1", "title": "The pier", "outline_node": "o-2"}],
            "facts": [gets("f-1", "Isobel", "narrated"), gets("f-2", "Darroch", "flashback"), gets("f-3", "Morag", "narrated")]
        }))
        .unwrap()
    }

    #[test]
    fn the_times_of_a_tie_say_which_is_its_end() {
        let story = story();
        let frame = TieFrame::of(&story);
        let remarks = |since: &str, until: &str, language: Language| {
            let one = tied(["Isobel", "enemy_of", "Darroch"], [since, until], (PieceKind::Relation, "r-1"));
            frame.remarks(&one, since, language)
        };
        assert_eq!(remarks("第一章", "十月十一日", Language::Zh), "（写于第一章，止于十月十一日）");
        assert_eq!(remarks("", "1931", Language::En), " (until 1931)");
        assert_eq!(remarks("Chapter 2", "", Language::En), " (since Chapter 2)");
        assert_eq!(remarks("", " ", Language::Zh), "");
        assert_eq!(interval("", " ", Language::Zh), "");
        assert_eq!(interval("1931", "1932", Language::En), " (since 1931, until 1932)");
        // What a chapter tells as over did not begin in it.
        assert_eq!(remarks("Chapter 2", "Friday", Language::En), " (told in Chapter 2, until Friday)");
        assert_eq!(remarks("Chapter 1", "Chapter 2", Language::En), " (since Chapter 1, until Chapter 2)");
        assert_eq!(remarks("Chapter 2", "周五", Language::Zh), "（写于Chapter 2，止于周五）");
    }

    #[test]
    fn a_fact_by_which_somebody_had_a_thing_says_who_has_it() {
        let mut story = story();
        let had = json!({"id": "f-5", "subject": "Isobel", "predicate": "holds", "object": "the ring", "mode": "flashback",
            "source": {"document": "d-1", "quote": "."}});
        story.facts.push(serde_json::from_value(had).unwrap());
        let frame = TieFrame::of(&story);
        assert_eq!(frame.fact_ended("f-5", Language::En).as_deref(), Some("now with Morag"));
        assert_eq!(frame.fact_ended("f-5", Language::Zh).as_deref(), Some("现在在Morag手里"));
        assert_eq!(frame.fact_ended("f-1", Language::En), None, "a receipt does not end");
        assert_eq!(frame.fact_ended("", Language::En), None);
    }

    #[test]
    fn a_planned_place_and_an_earlier_holder_are_marked() {
        let story = story();
        let frame = TieFrame::of(&story);
        let place = tied(["Isobel", "is_at", "the pier"], ["14:10", ""], (PieceKind::Event, "e-1"));
        assert_eq!(frame.remarks(&place, "14:10", Language::En), " (since 14:10, a plan, not the text)");
        assert_eq!(frame.remarks(&place, "", Language::Zh), "（计划，不是正文）");
        let holds = |who: &str, fact: &str, language: Language| {
            frame.remarks(&tied([who, "holds", "the ring"], ["", ""], (PieceKind::Fact, fact)), "", language)
        };
        assert_eq!(holds("Isobel", "f-1", Language::En), " (now with Morag)");
        assert_eq!(holds("Darroch", "f-2", Language::Zh), "（现在在Morag手里）");
        assert_eq!(holds("Morag", "f-3", Language::En), "");
        let mut lost = story.clone();
        let loss = json!({"id": "f-4", "subject": "Morag", "predicate": "loses", "object": "the ring",
            "source": {"document": "d-1", "quote": "."}});
        lost.facts.push(serde_json::from_value(loss).unwrap());
        let frame = TieFrame::of(&lost);
        let one = tied(["Morag", "holds", "the ring"], ["", ""], (PieceKind::Fact, "f-3"));
        assert_eq!(frame.remarks(&one, "", Language::En), " (no longer)");
    }
}
