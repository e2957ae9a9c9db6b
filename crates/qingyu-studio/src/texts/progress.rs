//! Goals, and the words of each day.

use std::collections::BTreeMap;

use jiff::Timestamp;
use jiff::civil::Date;
use jiff::tz::{Offset, TimeZone};
use qingyu_store::{StoredChange, StoredKind, StoryChange};
use qingyu_story::chapters::Chapters;
use qingyu_story::prose::editors_count;
use qingyu_story::{Language, PieceKind};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::error::Error;
use crate::stories::saved::PERSON;
use crate::studio::Studio;

/// The number of days in the result, up to today: a year's map.
const DAYS: i64 = 371;
/// The largest distance of a time zone from UTC, in minutes.
const FARTHEST: i32 = 26 * 60;
/// Changes of a person which write words; imports, restored versions and the like write none.
const WRITTEN: [&str; 2] = ["edit", "chapters"];

/// The goals of a project, and how far the author is. Lengths are counted as editors count: in Chinese, characters with
/// punctuation; in English, words.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct WritingProgress {
    /// The language of the project, which selects the unit of all lengths.
    pub language: Language,
    /// The words to write in a day; no goal by default.
    pub day_goal: Option<u32>,
    /// The length of the finished book; no goal by default.
    pub book_goal: Option<u32>,
    /// The current length of the book.
    pub length: usize,
    /// The chapters with a text or a goal, in reading order.
    pub chapters: Vec<ChapterProgress>,
    /// The current day at the caller, such as `2026-11-22`.
    pub today: String,
    /// The words written by hand today.
    pub written_today: i64,
    /// The days with words, oldest first, within the last 53 weeks.
    pub days: Vec<WritingDay>,
    /// The number of days in a row, up to today or yesterday, on which the goal was met; without a goal, on which anything
    /// was written.
    pub streak: u32,
    /// The longest streak within the last 53 weeks.
    pub longest_streak: u32,
}

/// The length of a chapter and its goal.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ChapterProgress {
    /// The title.
    pub title: String,
    /// The length.
    pub length: usize,
    /// The goal of the outline; `None` without a goal.
    pub goal: Option<u32>,
}

/// The words of a day: added minus removed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct WritingDay {
    /// The day at the caller, such as `2026-11-22`.
    pub date: String,
    /// Words written by hand, or proposed by an agent and accepted in the editor.
    pub hand: i64,
    /// Words that agents wrote into the book.
    pub agents: i64,
}

/// The author of a change.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum WordSource {
    Hand,
    Agent,
    /// Words that nobody wrote on that day: imported, restored, merged.
    Elsewhere,
}

impl Studio {
    /// Returns the goals of a project and the words of each day. `utc_offset` is the caller's time zone in minutes east of
    /// UTC, which decides where days begin.
    pub(crate) async fn writing_progress(&self, project: &str, utc_offset: i32) -> Result<WritingProgress, Error> {
        let (id, kept) = self.kept_story(project).await?;
        let goals = self.settings().values(Some(&id))?.goals;
        let log = self.stories_table().changes(&id).await.map_err(|error| self.place("").store(error))?;
        let zone = zone(utc_offset);
        let today = Timestamp::now().to_zoned(zone.clone()).date();
        let language = kept.story.language;
        let day_goal = goals.day.filter(|goal| *goal > 0);
        let counted = tokio::task::spawn_blocking(move || {
            let chapters = Chapters::of(&kept.story);
            let chapters = chapters.all().iter().map(|chapter| {
                let texts = chapter.documents.iter().map(|place| kept.story.documents[*place].text.as_str());
                let node = chapter.node.map(|place| &kept.story.outline_nodes[place]);
                ChapterProgress {
                    title: chapter.title.clone(),
                    length: texts.map(|text| editors_count(text, language)).sum(),
                    goal: node.and_then(|node| node.words).filter(|goal| *goal > 0),
                }
            });
            let chapters: Vec<ChapterProgress> =
                chapters.filter(|chapter| chapter.length > 0 || chapter.goal.is_some()).collect();
            (chapters, words_by_day(&log, language, &zone, today))
        });
        let (chapters, days) = counted.await.map_err(|error| Error::Internal { message: error.to_string() })?;
        let (streak, longest_streak) = streaks(&days, i64::from(day_goal.unwrap_or(1)), today);
        Ok(WritingProgress {
            language,
            day_goal,
            book_goal: goals.book.filter(|goal| *goal > 0),
            length: chapters.iter().map(|chapter| chapter.length).sum(),
            chapters,
            today: today.to_string(),
            written_today: days.get(&today).map_or(0, |day| day.hand),
            days: days.into_values().collect(),
            streak,
            longest_streak,
        })
    }
}

fn zone(minutes: i32) -> TimeZone {
    let offset = Offset::from_seconds(minutes.clamp(-FARTHEST, FARTHEST) * 60).unwrap_or(Offset::UTC);
    TimeZone::fixed(offset)
}

/// A text of the log; counted only when its length is needed.
enum LoggedText<'l> {
    Uncounted(&'l str),
    Counted(i64),
}

impl LoggedText<'_> {
    fn length(&self, language: Language) -> i64 {
        match self {
            Self::Counted(length) => *length,
            Self::Uncounted(text) => length(text, language),
        }
    }
}

fn length(text: &str, language: Language) -> i64 {
    i64::try_from(editors_count(text, language)).unwrap_or(i64::MAX)
}

fn words_by_day(log: &[StoryChange], language: Language, zone: &TimeZone, today: Date) -> BTreeMap<Date, WritingDay> {
    let mut days: BTreeMap<Date, WritingDay> = BTreeMap::new();
    let mut texts: BTreeMap<&str, LoggedText<'_>> = BTreeMap::new();
    let mut sources: BTreeMap<u64, WordSource> = BTreeMap::new();
    for entry in log {
        let source = source_of(entry, &sources);
        sources.insert(entry.seq, source);
        let date = entry.at.to_zoned(zone.clone()).date();
        let is_shown = today.since(date).is_ok_and(|span| i64::from(span.get_days()) < DAYS) && date <= today;
        let mut words: i64 = 0;
        for (id, text) in entry.changes.iter().filter_map(text_of) {
            let before = texts.remove(id);
            if !is_shown {
                texts.extend(text.map(|text| (id, LoggedText::Uncounted(text))));
                continue;
            }
            let before = before.map_or(0, |before| before.length(language));
            let now = text.map(|text| length(text, language));
            words += now.unwrap_or(0) - before;
            texts.extend(now.map(|now| (id, LoggedText::Counted(now))));
        }
        if words == 0 || source == WordSource::Elsewhere {
            continue;
        }
        let day = days.entry(date).or_insert_with(|| WritingDay { date: date.to_string(), hand: 0, agents: 0 });
        match source {
            WordSource::Hand => day.hand += words,
            WordSource::Agent | WordSource::Elsewhere => day.agents += words,
        }
    }
    days
}

/// Returns the id and the text of a changed chapter; no text if it was deleted, or is no part of the book.
fn text_of(change: &StoredChange) -> Option<(&str, Option<&str>)> {
    match change {
        StoredChange::Put(piece) if piece.kind == StoredKind::Piece(PieceKind::Document) => {
            let is_chapter = piece.body["order"].as_u64().is_some_and(|order| order > 0);
            Some((piece.id.as_str(), piece.body["text"].as_str().filter(|_| is_chapter)))
        }
        StoredChange::Remove { kind: StoredKind::Piece(PieceKind::Document), id } => Some((id.as_str(), None)),
        StoredChange::Put(_) | StoredChange::Remove { .. } => None,
    }
}

/// Returns who wrote the words of a change; an undo counts against the author of the undone change.
fn source_of(entry: &StoryChange, sources: &BTreeMap<u64, WordSource>) -> WordSource {
    if let Some(undone) = entry.undoes() {
        return sources.get(&undone).copied().unwrap_or(WordSource::Elsewhere);
    }
    match entry.provenance.agent.as_str() {
        PERSON if WRITTEN.contains(&entry.key.run.as_str()) => WordSource::Hand,
        PERSON | "" => WordSource::Elsewhere,
        _ => WordSource::Agent,
    }
}

/// Returns the current and the longest streak of days with at least `goal` words by hand.
fn streaks(days: &BTreeMap<Date, WritingDay>, goal: i64, today: Date) -> (u32, u32) {
    let is_met = |date: Date| days.get(&date).is_some_and(|day| day.hand >= goal);
    let (mut run, mut longest): (u32, u32) = (0, 0);
    let mut last: Option<Date> = None;
    for date in days.keys().copied().filter(|date| is_met(*date)) {
        let follows = last.and_then(|last| last.tomorrow().ok()) == Some(date);
        run = if follows { run + 1 } else { 1 };
        longest = longest.max(run);
        last = Some(date);
    }
    // A day that is not over does not end a streak.
    let is_open = last.is_some_and(|last| last == today || last.tomorrow().ok() == Some(today));
    (if is_open { run } else { 0 }, longest)
}

#[cfg(test)]
mod tests {
    use qingyu_store::StoredPiece;
    use qingyu_story::{ChangeKey, Provenance};
    use serde_json::json;

    use super::*;

    fn put(id: &str, order: u32, text: &str) -> StoredChange {
        let body = json!({"id": id, "title": id, "order": order, "text": text});
        StoredChange::Put(StoredPiece { kind: PieceKind::Document.into(), id: id.into(), position: 0, body })
    }

    fn entry(seq: u64, at: &str, run: &str, step: &str, agent: &str, changes: Vec<StoredChange>) -> StoryChange {
        StoryChange {
            seq,
            key: ChangeKey { run: run.into(), step: step.into(), iteration: 0 },
            provenance: Provenance { agent: agent.into(), ..Provenance::default() },
            at: at.parse().unwrap(),
            changes,
        }
    }

    #[test]
    fn words_count_for_their_author_on_the_day_of_the_caller() {
        let log = [
            entry(1, "2026-11-01T10:00:00Z", "import", "", PERSON, vec![put("d-1", 1, "雨下了一夜。")]),
            // Half past eight in the evening in UTC is the next morning in Beijing.
            entry(2, "2026-11-01T20:30:00Z", "edit", "", PERSON, vec![put("d-1", 1, "雨下了一夜。他走了。")]),
            entry(3, "2026-11-02T01:00:00Z", "r-1", "finalize", "writer_agent", vec![put("d-2", 2, "灯灭了。")]),
            entry(4, "2026-11-02T02:00:00Z", "edit", "", PERSON, vec![put("d-2", 2, "灯*灭*了。")]),
            entry(5, "2026-11-02T03:00:00Z", "edit", "", PERSON, vec![put("note", 0, "不算。")]),
            entry(6, "2026-11-03T03:00:00Z", "edit", "", PERSON, vec![put("d-2", 2, "灯亮着，很亮。")]),
            entry(7, "2026-11-03T04:00:00Z", "undo", "6", PERSON, vec![put("d-2", 2, "灯*灭*了。")]),
            // A split moves words, and writes none.
            entry(
                8,
                "2026-11-03T05:00:00Z",
                "chapters",
                "",
                PERSON,
                vec![put("d-1", 1, "雨下了一夜。"), put("d-3", 2, "他走了。")],
            ),
        ];
        let today = "2026-11-03".parse().unwrap();
        let days = words_by_day(&log, Language::Zh, &zone(8 * 60), today);
        let told: Vec<_> = days.values().map(|day| (day.date.as_str(), day.hand, day.agents)).collect();
        assert_eq!(told, [("2026-11-02", 4, 4), ("2026-11-03", 0, 0)]);
        let utc = words_by_day(&log, Language::Zh, &zone(0), today);
        assert_eq!(utc.keys().next().map(ToString::to_string).as_deref(), Some("2026-11-01"));
        let later = words_by_day(&log, Language::Zh, &zone(0), "2028-01-01".parse().unwrap());
        assert!(later.is_empty(), "{later:?}");
    }

    #[test]
    fn a_streak_ends_with_a_missed_day_but_not_with_today() {
        let day =
            |(date, hand): (&str, i64)| (date.parse().unwrap(), WritingDay { date: date.into(), hand, agents: 0 });
        let days: BTreeMap<Date, WritingDay> = [
            ("2026-10-30", 900),
            ("2026-10-31", 800),
            ("2026-11-01", 700),
            ("2026-11-03", 600),
            ("2026-11-04", 499),
            ("2026-11-05", 1_200),
        ]
        .map(day)
        .into();
        let on = |goal, today: &str| streaks(&days, goal, today.parse().unwrap());
        assert_eq!(on(500, "2026-11-05"), (1, 3));
        assert_eq!(on(1, "2026-11-05"), (3, 3));
        assert_eq!(on(1, "2026-11-06"), (3, 3));
        assert_eq!(on(1, "2026-11-07"), (0, 3));
        assert_eq!(on(5_000, "2026-11-05"), (0, 0));
    }
}
