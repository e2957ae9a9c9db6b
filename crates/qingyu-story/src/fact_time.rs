//! The time at which a fact begins to hold, and its certainty.

use crate::names::Names;
use crate::piece::PieceKind;
use crate::time::{StoryCalendar, is_day_of_year, lacks_day, year_of};
use crate::{Fact, Mode, Story, time};

/// Certainty of the beginning of a fact, most certain first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum TimeCertainty {
    /// The fact says its own time.
    Told,
    /// The fact says none, or only a day that no calendar of the story has, or an hour of no day: it is in the time of the
    /// chapter that tells it, but may have begun long before.
    OfChapter,
    /// The sentence names a month or a season, and the year is worked out from the chapter.
    GuessedYear,
    /// No time is known.
    Unknown,
}

/// The beginning of a fact.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct FactBeginning<'w> {
    /// The words of the time; empty if unknown.
    pub(crate) words: &'w str,
    /// Certainty of the time.
    pub(crate) certainty: TimeCertainty,
}

/// Returns when a fact that says `told` of its time begins. `chapter` is the outline node of the chapter that tells it, empty
/// if there is none; `quote` is the sentence, empty if unknown. An hour whose day is not known is in the time of the chapter.
pub(crate) fn beginning<'w>(told: &'w str, mode: Mode, chapter: &'w str, quote: &str) -> FactBeginning<'w> {
    let (told, chapter) = (told.trim(), chapter.trim());
    let is_now = matches!(mode, Mode::Narrated | Mode::Disguised);
    let lacks_date = || told.is_empty() || told == chapter || is_day_of_year(told) || lacks_day(told);
    let takes_chapter = is_now && !chapter.is_empty() && lacks_date();
    let (words, certainty) = match told {
        _ if takes_chapter => (chapter, TimeCertainty::OfChapter),
        "" => ("", TimeCertainty::Unknown),
        _ if has_guessed_year(told, quote) => (told, TimeCertainty::GuessedYear),
        _ => (told, TimeCertainty::Told),
    };
    FactBeginning { words, certainty }
}

/// Returns when a fact of a story begins. A fact that says no time has none: one that lasts is told without.
pub(crate) fn beginning_of<'s>(story: &'s Story, names: &Names, fact: &'s Fact) -> FactBeginning<'s> {
    if fact.from.trim().is_empty() {
        return FactBeginning { words: "", certainty: TimeCertainty::Unknown };
    }
    // An event of that name is a time that is told.
    if names.resolve(PieceKind::Event, &fact.from).is_some() {
        return FactBeginning { words: &fact.from, certainty: TimeCertainty::Told };
    }
    let source = fact.source.as_ref();
    let document = source.and_then(|source| names.resolve(PieceKind::Document, &source.document));
    let node = document.and_then(|document| story.documents[document.position].outline_node.as_deref());
    let node = node.unwrap_or_default();
    let quote = source.map_or("", |source| source.quote.as_str());
    let outline = |name: &str| names.resolve(PieceKind::OutlineNode, name).map(|named| named.position);
    // The node may be named by its title or its id.
    let is_own = outline(node).is_some_and(|own| outline(&fact.from) == Some(own));
    if !is_own && outline(&fact.from).is_some() {
        return FactBeginning { words: &fact.from, certainty: TimeCertainty::Told };
    }
    let told = if is_own { node } else { fact.from.as_str() };
    beginning(told, fact.mode, node, quote)
}

/// Returns whether a time longer than a day has a year that its sentence does not name: `November, 1977` of `in November`.
fn has_guessed_year(told: &str, quote: &str) -> bool {
    let moment = || StoryCalendar::default().moment(told);
    let is_long = || moment().is_some_and(|moment| moment.seconds() > time::LONGEST_DAY);
    let Some(year) = year_of(told).filter(|_| !quote.trim().is_empty()) else { return false };
    let has_more = told.replacen(year, "", 1).chars().any(char::is_alphanumeric);
    has_more && !quote.contains(year) && is_long()
}

#[cfg(test)]
mod tests {
    use super::{Mode, TimeCertainty, beginning};

    #[test]
    fn a_time_is_told_or_that_of_the_chapter_or_a_guess() {
        use TimeCertainty::{GuessedYear, OfChapter, Told, Unknown};
        let quote = "He had had it since November.";
        for (told, mode, chapter, quote, words, certainty) in [
            ("1978-03-18", Mode::Narrated, "o-2", quote, "1978-03-18", Told),
            ("", Mode::Narrated, "o-2", quote, "o-2", OfChapter),
            ("o-2", Mode::Narrated, "o-2", quote, "o-2", OfChapter),
            ("o-1", Mode::Narrated, "o-2", quote, "o-1", Told),
            ("", Mode::Flashback, "o-2", quote, "", Unknown),
            ("", Mode::Narrated, "", quote, "", Unknown),
            ("November, 1977", Mode::Narrated, "o-2", quote, "November, 1977", GuessedYear),
            ("November, 1977", Mode::Narrated, "o-2", "Since November 1977.", "November, 1977", Told),
            ("November, 1977", Mode::Narrated, "o-2", "", "November, 1977", Told),
            ("1977", Mode::Narrated, "o-2", quote, "1977", Told),
            ("2018年十一月", Mode::Narrated, "o-2", "从十一月起钥匙就在他手里。", "2018年十一月", GuessedYear),
            ("2018年十一月", Mode::Narrated, "o-2", "2018年十一月起钥匙就在他手里。", "2018年十一月", Told),
            ("腊月初八", Mode::Narrated, "o-2", "", "o-2", OfChapter),
            ("腊月初八", Mode::Flashback, "o-2", "", "腊月初八", Told),
            ("下午五点", Mode::Narrated, "o-2", "", "o-2", OfChapter),
            ("half past six in the evening", Mode::Narrated, "o-2", "", "o-2", OfChapter),
            ("下午五点", Mode::Said, "o-2", "", "下午五点", Told),
        ] {
            let begun = beginning(told, mode, chapter, quote);
            assert_eq!((begun.words, begun.certainty), (words, certainty), "{told}: {quote}");
        }
    }
}
