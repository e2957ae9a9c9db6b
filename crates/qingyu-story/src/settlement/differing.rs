//! Compares events as told with those as planned.

use std::borrow::Cow;
use std::collections::BTreeMap;

use rustc_hash::{FxHashMap, FxHashSet};

use super::record::{Added, Differs, Settled};
use super::still_told::is_still_told;
use super::told_place::{are_other_places, is_certainly_elsewhere};
use crate::names::fold;
use crate::piece::PieceKind;
use crate::time::{in_any_year, in_one_calendar, is_open_day, lacks_era, with_year, year_of};
use crate::{Document, Language, Story, TimelineEvent, time};

impl Differs {
    /// Returns whether `event` still differs in the story.
    pub(crate) fn is_open(&self, event: &TimelineEvent) -> bool {
        match self.field.as_str() {
            "timestamp" => is_at_other_time(event, &self.told),
            "description" => are_other_words(&event.description, &self.told),
            "participants" => event.participants.contains(&self.told),
            "deaths" => event.deaths.contains(&self.told),
            _ => event.location.as_deref().is_some_and(|planned| are_other_places(planned, &self.told)),
        }
    }

    /// Returns whether the difference is a contradiction to be decided, and not only another wording.
    pub fn is_contradiction(&self) -> bool {
        self.field != "description"
    }

    /// Changes the planned event to what the document tells.
    fn tell(&self, event: &mut TimelineEvent) {
        let told = self.told.trim();
        match self.field.as_str() {
            "timestamp" => told.clone_into(&mut event.timestamp),
            "description" => told.clone_into(&mut event.description),
            "participants" => event.participants.retain(|name| *name != self.told),
            "deaths" => event.deaths.retain(|name| *name != self.told),
            _ => event.location = Some(told.to_owned()),
        }
    }
}

/// Returns what the texts tell otherwise than planned and nobody has decided: the document, the position of the event,
/// and the difference.
pub fn open_differences(story: &Story) -> Vec<(&Document, usize, &Differs)> {
    let mut all = story.documents.iter().flat_map(|document| {
        document.settled.iter().flat_map(|settled| &settled.differs).map(move |differs| (document, differs))
    });
    let Some(first) = all.next() else { return Vec::new() };
    let places: FxHashMap<&str, usize> =
        story.timeline_events.iter().enumerate().map(|(at, event)| (event.id.as_str(), at)).collect();
    let open = |(document, differs): (&'_ Document, &'_ Differs), at: usize| {
        let event = &story.timeline_events[at];
        differs.is_open(event)
            && (differs.field != "location" || is_certainly_elsewhere(story, document, event, &differs.told))
            && is_still_told(story, document, event, differs)
    };
    std::iter::once(first)
        .chain(all)
        .filter_map(|(document, differs)| Some((document, *places.get(differs.event.as_str())?, differs)))
        .filter(|(document, at, differs)| open((document, differs), *at))
        .collect()
}

/// Returns the events of `story` in list order, each as the texts tell it: where a text tells a planned event otherwise,
/// the text counts. Events that no text tells stay as planned.
pub fn told_events(story: &Story) -> Vec<Cow<'_, TimelineEvent>> {
    let mut events: Vec<Cow<'_, TimelineEvent>> = story.timeline_events.iter().map(Cow::Borrowed).collect();
    // A chapter may tell an event in several sentences.
    let mut described: FxHashSet<usize> = FxHashSet::default();
    for (_, at, differs) in open_differences(story) {
        let event = events[at].to_mut();
        if differs.field == "description" && !described.insert(at) {
            let space = if story.language == Language::Zh { "" } else { " " };
            event.description = format!("{}{space}{}", event.description, differs.told.trim());
        } else {
            differs.tell(event);
        }
    }
    events
}

/// Returns the planned events that a text contradicts and nobody has decided about, by position, each as told: with the
/// time, the place, the people and the deaths of the text.
pub(crate) fn told_otherwise(story: &Story) -> Vec<(usize, TimelineEvent)> {
    let mut told: BTreeMap<usize, TimelineEvent> = BTreeMap::new();
    for (_, at, differs) in open_differences(story).into_iter().filter(|(.., differs)| differs.is_contradiction()) {
        differs.tell(told.entry(at).or_insert_with(|| story.timeline_events[at].clone()));
    }
    told.into_iter().collect()
}

/// Returns the story with the planned events that a text contradicts as the text tells them, until the author decides.
pub fn as_told(story: &Story) -> Cow<'_, Story> {
    with_events(story, told_otherwise(story))
}

/// Returns the story with its events as the texts tell them, in the descriptions of the texts, too, to be shown to people.
pub fn as_described(story: &Story) -> Cow<'_, Story> {
    let events = told_events(story).into_iter().enumerate();
    let told = events.filter_map(|(at, event)| match event {
        Cow::Owned(event) => Some((at, event)),
        Cow::Borrowed(_) => None,
    });
    with_events(story, told.collect())
}

/// Returns the description of an event in the words of the texts that tell it; `None` if the story has only those of the
/// plan.
pub fn told_description<'s>(story: &'s Story, event: &'s TimelineEvent) -> Option<Cow<'s, str>> {
    let documents = || story.documents.iter().filter_map(|document| Some((document, document.settled.as_ref()?)));
    let is_own = |added: &Added| {
        (added.kind, added.id.as_str(), added.field.as_str()) == (PieceKind::Event, event.id.as_str(), "description")
    };
    let is_made =
        |record: &Settled| record.made(PieceKind::Event, &event.id).is_some() || record.added.iter().any(is_own);
    if documents().any(|(_, record)| is_made(record)) {
        return Some(Cow::Borrowed(event.description.trim()));
    }
    let is_told = |document: &Document, differs: &Differs| {
        (differs.event.as_str(), differs.field.as_str()) == (event.id.as_str(), "description")
            && document.text.contains(differs.quote.trim())
    };
    let told: Vec<&str> = documents()
        .flat_map(|(document, record)| record.differs.iter().filter(move |differs| is_told(document, differs)))
        .map(|differs| differs.told.trim())
        .collect();
    let space = if story.language == Language::Zh { "" } else { " " };
    (!told.is_empty()).then(|| Cow::Owned(told.join(space)))
}

/// Returns the story with other events at some positions.
fn with_events(story: &Story, told: Vec<(usize, TimelineEvent)>) -> Cow<'_, Story> {
    if told.is_empty() {
        return Cow::Borrowed(story);
    }
    let mut story = story.clone();
    for (at, event) in told {
        story.timeline_events[at] = event;
    }
    Cow::Owned(story)
}

/// Returns whether both texts say something, in other words.
pub(crate) fn are_other_words(planned: &str, told: &str) -> bool {
    let (planned, told) = (fold(planned), fold(told));
    !planned.is_empty() && !told.is_empty() && planned != told
}

/// Returns whether a told time is certainly not that of a planned event: neither its beginning nor, if it lasts, a time
/// before its end.
pub(crate) fn is_at_other_time(event: &TimelineEvent, told: &str) -> bool {
    let planned = event.timestamp.trim();
    let is_while_it_lasts = || {
        let lasts = time::length(&event.duration)?;
        let (begins, told) = time::parse(planned).moment().zip(time::parse(&with_year(planned, told)).moment())?;
        let is_after = begins.is_comparable(&told) && !told.begins_before(&begins);
        Some(is_after && told.bounds().0 <= begins.bounds().1 + lasts.most)
    };
    are_other_times(planned, told) && !is_while_it_lasts().unwrap_or(false)
}

/// Returns whether two times certainly differ. A time without a year, or without a month, takes that of the other one. Beside a
/// lunar date, `五月` may be a month of either calendar; `四月十九` and `四月十七` are days of one.
pub(crate) fn are_other_times(planned: &str, told: &str) -> bool {
    let (lunar_planned, lunar_told) = in_one_calendar(planned, told);
    if is_open_day(planned) && is_open_day(told) {
        return are_apart(&lunar_planned, &lunar_told);
    }
    let is_open = (&*lunar_planned, &*lunar_told) != (planned, told);
    are_apart(planned, told) && (!is_open || are_apart(&lunar_planned, &lunar_told))
}

/// Returns whether two times certainly differ as they are read.
fn are_apart(planned: &str, told: &str) -> bool {
    let exclude = |one: &str, other: &str| {
        let moments = time::parse(one).moment().zip(time::parse(other).moment());
        moments.is_some_and(|(one, other)| one.is_before(&other) || other.is_before(&one))
    };
    let dated = with_year(planned, told);
    // A year of an unknown era is that of no other time.
    if lacks_era(&dated) && !lacks_era(planned) && year_of(planned).is_some() {
        return false;
    }
    let is_any_partial = !planned.contains('年') || !told.contains('年');
    // Days of a month of the moon and of the sun are not compared.
    let is_same_calendar = planned.contains(['日', '号']) == told.contains(['日', '号']);
    exclude(planned, &dated)
        || exclude(&with_year(&dated, planned), &dated)
        || is_any_partial
            && is_same_calendar
            && time::parse(planned).moment().is_none()
            && exclude(&in_any_year(planned), &in_any_year(&dated))
}

#[cfg(test)]
mod tests {
    use super::{are_other_times, is_at_other_time};
    use crate::TimelineEvent;

    #[test]
    fn a_partial_date_is_compared_in_the_parts_that_it_has() {
        let apart = [
            ("万历二十三年三月初五 亥时", "三月初六，亥时"),
            ("万历二十三年三月初五 亥时", "初六"),
            ("三月初五", "三月初六"),
            ("三月初五", "万历二十三年三月初六"),
            ("三皇历五年三月初五", "三月初六"),
            ("2077-03-05", "3月6日"),
            ("2077年3月5日", "6日"),
            ("March 5, 2077", "March 6"),
            ("1911-10-18 10:00", "Thursday the nineteenth of October, at ten in the morning"),
            ("1898-06-08 20:00", "Thursday the ninth of June, at eight that evening"),
            ("1983年5月9日 14:00", "八四年五月"),
            ("1926年6月16日 19:00", "十五年六月十八号，礼拜五，晚上七点"),
            ("万历二十三年三月初五", "十五年三月初五"),
            ("民国十五年五月初九", "五月初十"),
            ("民国十五年五月初九", "四月十九那天夜里"),
            ("民国十五年五月初九", "十五年四月十九"),
            ("民国十五年四月十九", "五月初九"),
            ("民国十五年五月初九", "1926年6月9日"),
            ("1926-06-18", "五月初十"),
            ("1926年6月18日", "四月廿九夜里"),
            ("四月廿八", "闰四月初二"),
            ("万历二十三年闰四月初二", "五月初一"),
            ("万历二十三年二月三十", "三月初一"),
            ("1895年五月初九", "五月初十"),
            ("民国十五年五月初九", "端午"),
            ("民国十五年五月初五", "清明"),
            ("民国十五年五月初二 23:00", "五月初二傍晚"),
            ("1926-06-12 23:00", "1926-06-12 at dusk"),
            // Days of one calendar, whichever it is, and a day that is neither of both.
            ("民国十五年四月十九 17:00", "四月十七，下午五点"),
            ("四月十九", "四月十七"),
            ("1926年四月十九", "民国十五年四月二十"),
            ("1926-06-18", "四月十九"),
            ("1926年6月18日", "四月十九"),
        ];
        for (planned, told) in apart {
            assert!(are_other_times(planned, told), "{planned}: {told}");
        }
        let alike = [
            ("万历二十三年三月初五 亥时", "三月初五"),
            ("万历二十三年三月初五 亥时", "亥时"),
            ("万历二十三年三月初五 亥时", "三天后"),
            ("三月初五", "三月初五，亥时"),
            ("三月初五", "3月6日"),
            ("第3天", "三月初六"),
            ("March 5, 2077", "March 5"),
            ("1983年5月9日 14:00", "八三年五月"),
            ("1983年5月9日 14:00", "八三年五月九号，下午两点"),
            ("1979年2月11日", "七九年二月"),
            ("1911-10-18 10:00", "October of 'eleven"),
            ("1926年6月16日 19:00", "十五年六月十六号，礼拜三，晚上七点"),
            ("1926-06-16", "15年6月16日"),
            ("1890年6月16日", "十六年六月"),
            ("2024年6月16日", "十五年六月十六号"),
            ("", "三月初六"),
            ("民国十五年五月初九", "1926年6月18日"),
            ("1926-06-18", "五月初九"),
            ("1926年6月18日 17:00", "五月初九傍晚"),
            ("1927-01-26", "腊月廿三"),
            ("民国十五年五月初五 12:00", "端午 12:00"),
            ("1926-06-14", "端午节"),
            ("民国十五年二月廿三", "清明"),
            ("民国十五年五月初二 21:00", "五月初二傍晚"),
            ("1926-05-30", "四月十九"),
            ("1926年4月19日", "四月十九"),
            ("民国十五年四月十九 17:00", "四月十九下午五点"),
            ("1926年五月", "四月十九"),
            ("民国十五年五月", "五月初九"),
            ("民国十五年五月初九", "民国十五年六月"),
            ("民国十五年五月初九", "五月"),
            ("五月初九", "6月18日"),
            ("6月9日", "五月初九"),
            ("万历二十三年二月三十", "二月三十"),
            ("1895年五月初九", "1895年6月9日"),
        ];
        for (planned, told) in alike {
            assert!(!are_other_times(planned, told), "{planned}: {told}");
        }
    }

    #[test]
    fn an_event_that_lasts_may_be_told_at_any_of_its_hours() {
        let event = |duration: &str| TimelineEvent {
            timestamp: "1805-11-21 11:00".into(),
            duration: duration.into(),
            ..TimelineEvent::default()
        };
        for (duration, told, is_other) in [
            ("1 hour", "1805-11-21 12:00", false),
            ("1小时", "1805-11-21 11:30", false),
            ("1 hour", "1805-11-21 14:00", true),
            ("1 hour", "1805-11-21 10:00", true),
            ("", "1805-11-21 12:00", true),
            ("a while", "1805-11-21 12:00", true),
        ] {
            assert_eq!(is_at_other_time(&event(duration), told), is_other, "{duration}: {told}");
        }
    }
}
