//! QY317: a date with a wrong weekday.

mod dates;
#[cfg(test)]
mod tests;

use std::collections::BTreeSet;

use serde_json::{Value, json};

use self::dates::{
    DatedWeekday, EventDay, dated, days, days_of_one_year, event_day, has_weekday, is_right_by_julian,
    last_julian_year, node,
};
use super::material::target;
use super::{FindingDraft, Rule, RuleMaterial};
use crate::part::anchor;
use crate::piece::PieceKind;
use crate::prose::AnalyzedChapter;
use crate::time::{MONTHS, WEEKDAYS, parse};
use crate::{Action, Category, Language, OutlineNode, Severity, TimelineEvent};

pub(super) fn rule() -> Rule {
    let texts = include_str!("qy317_wrong_weekday.toml");
    Rule::new("QY317", (Severity::Medium, Category::Consistency, "timeline"), texts, run)
}

/// The Chinese names of the weekdays, from Monday.
const CHINESE: [&str; 7] = ["星期一", "星期二", "星期三", "星期四", "星期五", "星期六", "星期日"];

fn run(material: &RuleMaterial<'_>) -> Vec<FindingDraft> {
    let language = material.story.language;
    let mut told = told(material);
    let texts = material.chapters.iter().map(|chapter| chapter.document.text.as_str());
    let texts = texts.chain([material.story.premise.as_str()]);
    let last = last_julian_year(language, texts, told.iter().map(|one| &one.dated));
    for one in &mut told {
        let DatedWeekday { told, day, .. } = one.dated;
        one.off = if is_right_by_julian(&one.dated, last) { 0 } else { (told + 7 - day) % 7 };
    }
    let shift = WeekdayShift::of(&told);
    let off = |one: &&PlacedWeekday<'_, '_>| one.off > 0;
    let (shifted, others): (Vec<_>, Vec<_>) =
        told.iter().filter(off).partition(|one| shift.as_ref().is_some_and(|shift| shift.days == one.off));
    // A weekday that the author states is for the author to change, there and wherever it is repeated.
    let is_repeated = |one: &PlacedWeekday<'_, '_>| {
        let is_it = |other: &PlacedWeekday<'_, '_>| {
            other.is_of_author() && other.dated.told == one.dated.told && other.civil_date() == one.civil_date()
        };
        !one.is_of_author() && told.iter().any(is_it)
    };
    let of_book = shift.as_ref().and_then(|shift| shift.draft(&shifted, language));
    let others = others.into_iter().filter(|one| !is_repeated(one));
    of_book.into_iter().chain(others.map(|one| one.draft(shift.as_ref(), language))).collect()
}

/// Returns the dates with weekdays of the premise, the outline, the events and the chapters.
fn told<'m, 's>(material: &'m RuleMaterial<'s>) -> Vec<PlacedWeekday<'m, 's>> {
    let story = material.story;
    let days = days(material);
    let of_node = |node: Option<&str>| {
        let own = node.and_then(|node| days.get(node));
        own.map(Vec::as_slice).unwrap_or_default()
    };
    let mut told = Vec::new();
    if has_weekday(&story.premise) {
        let stated = told_at(WeekdayPlace::Premise, &story.premise, &days_of_one_year(material));
        // `a Friday or whatever day it is` leaves it open.
        let is_open = |one: &PlacedWeekday<'_, '_>| {
            let behind = story.premise[one.dated.range.end..].trim_start();
            behind.starts_with("or ") || behind.starts_with('或')
        };
        told.extend(stated.into_iter().filter(|one| !is_open(one)));
    }
    for outlined in &story.outline_nodes {
        let place = WeekdayPlace::Outline(outlined);
        told.extend(told_at(place, &outlined.description, of_node(Some(outlined.id.as_str()))));
    }
    let described = story.timeline_events.iter().enumerate().filter(|(_, event)| has_weekday(&event.description));
    for (at, event) in described {
        let place = WeekdayPlace::Event(event);
        told.extend(match event_day(material, at) {
            Some(day) => told_at(place, &event.description, &[day]),
            None => told_at(place, &event.description, of_node(node(material, event.outline_node.as_deref()))),
        });
    }
    for chapter in &material.chapters {
        let own = of_node(node(material, chapter.document.outline_node.as_deref()));
        told.extend(told_at(WeekdayPlace::Chapter(chapter), &chapter.document.text, own));
    }
    told
}

fn told_at<'m, 's>(place: WeekdayPlace<'m, 's>, text: &str, days: &[EventDay<'_>]) -> Vec<PlacedWeekday<'m, 's>> {
    let found = dated(text, days).into_iter();
    let words = |dated: &DatedWeekday| text[dated.range.clone()].trim().to_owned();
    found.map(|dated| PlacedWeekday { place, words: words(&dated), dated, off: 0 }).collect()
}

/// Where a weekday stands.
#[derive(Debug, Clone, Copy)]
enum WeekdayPlace<'m, 's> {
    Premise,
    Outline(&'s OutlineNode),
    Event(&'s TimelineEvent),
    Chapter(&'m AnalyzedChapter<'s>),
}

/// A date with its weekday, and its place.
struct PlacedWeekday<'m, 's> {
    place: WeekdayPlace<'m, 's>,
    words: String,
    dated: DatedWeekday,
    /// The days by which the stated weekday is later than the actual one, from 1 to 6; 0 if it is right.
    off: usize,
}

impl PlacedWeekday<'_, '_> {
    /// Returns whether the author states it.
    fn is_of_author(&self) -> bool {
        matches!(self.place, WeekdayPlace::Premise)
    }

    /// Returns the rank of its place: the author's words before the plan, the plan before the text.
    fn rank(&self) -> u8 {
        match self.place {
            WeekdayPlace::Premise => 0,
            WeekdayPlace::Outline(_) | WeekdayPlace::Event(_) => 1,
            WeekdayPlace::Chapter(_) => 2,
        }
    }

    fn civil_date(&self) -> Option<(i64, i64, i64)> {
        parse(&self.dated.date).moment()?.civil_date()
    }

    fn anchor(&self) -> String {
        match self.place {
            WeekdayPlace::Premise => "premise".to_owned(),
            WeekdayPlace::Outline(node) => anchor(PieceKind::OutlineNode, node, "description"),
            WeekdayPlace::Event(event) => anchor(PieceKind::Event, event, "description"),
            WeekdayPlace::Chapter(chapter) => chapter.anchor(&self.dated.range),
        }
    }

    /// Returns the place as words of a sentence.
    fn place_in_words(&self, language: Language) -> String {
        match (self.place, language) {
            (WeekdayPlace::Premise, Language::Zh) => "作者的构想里".to_owned(),
            (WeekdayPlace::Premise, Language::En) => "the author's premise".to_owned(),
            (WeekdayPlace::Outline(node), Language::Zh) => format!("“{}”的大纲里", node.name.trim()),
            (WeekdayPlace::Outline(node), Language::En) => format!("the outline of '{}'", node.name.trim()),
            (WeekdayPlace::Event(event), Language::Zh) => format!("事件“{}”里", event.title.trim()),
            (WeekdayPlace::Event(event), Language::En) => format!("the event '{}'", event.title.trim()),
            (WeekdayPlace::Chapter(chapter), Language::Zh) => format!("《{}》里", chapter.title()),
            (WeekdayPlace::Chapter(chapter), Language::En) => format!("'{}'", chapter.title()),
        }
    }

    /// Returns the date as one of the civil calendar.
    fn civil_in_words(&self, language: Language) -> String {
        let Some((year, month, day)) = self.civil_date() else { return self.dated.date.clone() };
        let name = usize::try_from(month - 1).ok().and_then(|month| MONTHS.get(month));
        match (language, name) {
            (Language::En, Some(name)) => format!("{day} {name} {year}"),
            _ => format!("{year}年{month}月{day}日"),
        }
    }

    /// Fills the texts of a finding that shows this place.
    fn say_in(&self, draft: FindingDraft, language: Language) -> FindingDraft {
        draft
            .say("civil", self.civil_in_words(language))
            .say("day", weekday_name(self.dated.day, language))
            .say("place", self.place_in_words(language))
            .say("told", weekday_name(self.dated.told, language))
    }

    /// Returns the finding about this weekday alone. In a book whose weekdays are all shifted, the right one is that by the
    /// book.
    fn draft(&self, shift: Option<&WeekdayShift>, language: Language) -> FindingDraft {
        let what = match language {
            Language::Zh => format!("“{}”", self.words),
            Language::En => format!("'{}'", self.words),
        };
        let days = shift.map_or(0, |shift| shift.days);
        let right = weekday_name((self.dated.day + days) % 7, language);
        let by_book = shift.map(|shift| shift.in_words(language)).map_or_else(String::new, |late| match language {
            Language::Zh => format!("；书里的星期都比历书{late}，照书里算是{right}"),
            Language::En => format!("; the weekdays of the book are {late}, so by the book it is a {right}"),
        });
        let about = |first: String, second: String| self.say_in(FindingDraft::about([first, second]), language);
        let draft = match self.place {
            WeekdayPlace::Premise => {
                let draft = about("premise".to_owned(), self.words.clone());
                draft.affects(whole_book(language)).with_severity(Severity::Low)
            }
            WeekdayPlace::Outline(node) => about(self.anchor(), self.words.clone())
                .affects(node.name.trim())
                .in_work_of(PieceKind::OutlineNode)
                .fix(
                    "correct",
                    Action::Update,
                    PieceKind::OutlineNode,
                    target(node, json!({ "description": Value::Null })),
                )
                .fix_says("day", right),
            WeekdayPlace::Event(event) => about(self.anchor(), self.words.clone())
                .affects(event.title.trim())
                .in_work_of(PieceKind::Event)
                .fix("correct", Action::Update, PieceKind::Event, target(event, json!({ "description": Value::Null })))
                .fix_says("day", right),
            WeekdayPlace::Chapter(chapter) => about(chapter.handle().to_owned(), self.words.clone())
                .affects(chapter.title())
                .fix_text("correct", chapter.document, &[])
                .fix_says("day", right),
        };
        draft.say("what", what).say("throughout", by_book).quote(self.anchor(), self.words.clone())
    }
}

/// The number of days by which the weekdays of a book are all later than those of the calendar.
struct WeekdayShift {
    /// From 1 to 6.
    days: usize,
    /// Whether the author states weekdays that are so shifted.
    is_of_author: bool,
}

/// Maximum number of places shown for the weekdays of a book.
const SHOWN: usize = 12;

impl WeekdayShift {
    /// Returns the shift of the weekdays that the author states, or of those of two days or more, if all have the same.
    fn of(told: &[PlacedWeekday<'_, '_>]) -> Option<Self> {
        fn constant(mut off: impl Iterator<Item = usize>) -> Option<usize> {
            let first = off.next().filter(|first| *first > 0)?;
            off.all(|other| other == first).then_some(first)
        }
        let (stated, others): (Vec<_>, Vec<_>) = told.iter().partition(|one| one.is_of_author());
        let count = |off: usize| others.iter().filter(|one| one.off == off).count();
        // A book with more weekdays of the calendar than of the author's does not follow the author.
        let stated = constant(stated.iter().map(|one| one.off)).filter(|days| count(0) <= count(*days));
        if let Some(days) = stated {
            return Some(Self { days, is_of_author: true });
        }
        let dates: BTreeSet<_> = told.iter().map(PlacedWeekday::civil_date).collect();
        let days = constant(told.iter().map(|one| one.off)).filter(|_| dates.len() > 1)?;
        Some(Self { days, is_of_author: false })
    }

    /// Returns the finding about all weekdays that are so shifted, a question to the author.
    fn draft(&self, shifted: &[&PlacedWeekday<'_, '_>], language: Language) -> Option<FindingDraft> {
        let rank = shifted.iter().map(|one| one.rank()).min()?;
        let mut shown: Vec<_> = shifted.iter().filter(|one| one.rank() == rank).collect();
        shown.sort_by_cached_key(|one| (one.civil_date(), one.anchor()));
        let dates = shifted.iter().map(|one| one.civil_date()).collect::<BTreeSet<_>>().len();
        let late = self.in_words(language);
        let what = match language {
            Language::Zh => "全书",
            Language::En => "every date",
        };
        let throughout = match (language, self.is_of_author) {
            (Language::Zh, true) => {
                format!("；这是作者自己写的，比历书{late}：照历书改，还是书里就用这一套，由作者定")
            }
            (Language::Zh, false) => {
                format!("；写了星期的 {dates} 个日子都比历书{late}：照历书改，还是书里就用这一套，由作者定")
            }
            (Language::En, true) => {
                format!("; the author's own words are {late}: keep them or follow the calendar, as the author decides")
            }
            (Language::En, false) => {
                format!("; all {dates} dates are {late}: keep them or follow the calendar, as the author decides")
            }
        };
        let subject = FindingDraft::about(["weekdays".to_owned(), self.days.to_string()]);
        let draft = shown.first()?.say_in(subject, language);
        let quotes = shown.iter().take(SHOWN).map(|one| (one.anchor(), one.words.clone()));
        let draft = draft.quotes(quotes).affects(whole_book(language)).with_severity(Severity::Low);
        Some(draft.say("what", what).say("throughout", throughout))
    }

    fn in_words(&self, language: Language) -> String {
        let is_late = self.days <= 3;
        let days = if is_late { self.days } else { 7 - self.days };
        match language {
            Language::Zh => {
                let count = ["一", "两", "三"][days - 1];
                format!("{}{count}天", if is_late { "晚" } else { "早" })
            }
            Language::En => {
                let count = ["one day", "two days", "three days"][days - 1];
                format!("{count} {}", if is_late { "late" } else { "early" })
            }
        }
    }
}

fn whole_book(language: Language) -> &'static str {
    match language {
        Language::Zh => "全书",
        Language::En => "the whole book",
    }
}

fn weekday_name(day: usize, language: Language) -> &'static str {
    match language {
        Language::Zh => CHINESE[day],
        Language::En => WEEKDAYS[day],
    }
}
