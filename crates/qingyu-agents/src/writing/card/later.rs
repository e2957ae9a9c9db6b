//! What written later chapters say of the events and people of a chapter that is judged or written again.

use std::collections::BTreeSet;

use qingyu_story::language::has_words;
use qingyu_story::predicate::{self, PredicateRole};
use qingyu_story::settlement::told_events;
use qingyu_story::{Mode, OutlineNode, PieceKind, Prose, TimelineEvent};

use super::cut::{clip, sentences_within};
use super::limit;
use super::sections::fitting;
use crate::labels;
use crate::writing::book::NumberedBook;

/// Maximum number of later chapters that are searched.
const CHAPTERS: usize = 12;
/// Maximum number of later chapters whose facts are shown.
const LATER_FACTS: u32 = 40;
/// Maximum number of later chapters whose summaries are shown.
const SUMMARIES: u32 = 3;
/// Maximum number of characters of a paragraph that is shown whole.
const PARAGRAPH: usize = 160;
/// Minimum score of a passage: it names the day, or the place or a thing and somebody, or two things.
const NEAR: u32 = 3;
/// Maximum number of things of a passage that count.
const THINGS: usize = 2;

/// The words by which later chapters may refer to a chapter.
struct BackReferences<'s> {
    days: Vec<String>,
    places: Vec<&'s str>,
    /// Names of those who die in the chapter.
    dead: Vec<&'s str>,
    /// For each of the people, the names.
    people: Vec<Vec<&'s str>>,
    /// For each of the things that the chapter plans or names, the names.
    things: Vec<Vec<&'s str>>,
}

/// Returns what written later chapters tell, a line each: passages that refer to the chapter, deaths, ages and whereabouts of
/// its people and things, and the summaries of the next chapters. `nodes` are the outline nodes of the chapter.
pub(super) fn later<'s>(
    book: &NumberedBook<'s>,
    number: u32,
    nodes: &[&'s OutlineNode],
    planned: &[&'s TimelineEvent],
    participants: &[String],
) -> Vec<String> {
    let references = BackReferences::of(book, number, (nodes, planned), participants);
    let passages = passages_about(book, number, &references);
    let mut lines = written_later(book, number, &passages, &references.called());
    lines.extend(summaries(book, number));
    lines
}

/// Returns the summaries of the next chapters that are written, a line each.
fn summaries(book: &NumberedBook<'_>, number: u32) -> Vec<String> {
    let words = labels::of(book.story.language);
    let line = |chapter: u32| {
        let document = book.document(chapter).filter(|document| !document.text.trim().is_empty())?;
        let summary = Some(document.summary.trim()).filter(|summary| !summary.is_empty())?;
        Some(sentences_within(&words.labelled(document.title.trim(), summary), limit::LATER_SUMMARY))
    };
    (number + 1..=number.saturating_add(SUMMARIES).min(book.len())).filter_map(line).collect()
}

/// Returns the passages, a line each in reading order: those first that name the day of a planned event, or the place or a
/// thing and a participant, or several things.
fn passages_about(book: &NumberedBook<'_>, number: u32, references: &BackReferences<'_>) -> Vec<String> {
    let words = labels::of(book.story.language);
    let mut found: Vec<(u32, String)> = Vec::new();
    for chapter in (number + 1..=book.len()).take(CHAPTERS) {
        let Some(document) = book.document(chapter) else { continue };
        let here = book.node(chapter).and_then(|node| node.location.as_deref()).unwrap_or_default();
        for passage in passages(&document.text) {
            let score = references.score(passage, here);
            if score >= NEAR {
                found.push((score, clip(&words.labelled(document.title.trim(), passage), limit::LATER_LINE)));
            }
        }
    }
    let mut best: Vec<usize> = (0..found.len()).collect();
    best.sort_by_key(|at| (std::cmp::Reverse(found[*at].0), *at));
    let kept = fitting(best.into_iter().map(|at| found[at].1.clone()).collect(), limit::LATER);
    found.into_iter().map(|(_, line)| line).filter(|line| kept.contains(line)).collect()
}

/// Returns what written later chapters say, a line each, for settling a chapter again: `passages`,
/// then deaths, ages and whereabouts told there of the cards that are `called` so.
pub(crate) fn written_later(
    book: &NumberedBook<'_>,
    number: u32,
    passages: &[String],
    called: &BTreeSet<String>,
) -> Vec<String> {
    let words = labels::of(book.story.language);
    let is_called = |name: &str| called.contains(name.trim());
    let mut told: Vec<(u32, String)> = Vec::new();
    for fact in book.story.facts.iter().filter(|fact| fact.mode == Mode::Narrated) {
        let chapter = fact.source.as_ref().and_then(|source| book.number_of(&source.document));
        let Some(chapter) = chapter.filter(|chapter| (number + 1..=number + LATER_FACTS).contains(chapter)) else {
            continue;
        };
        let role = predicate::find(&fact.predicate).and_then(|word| word.role);
        let is_life = matches!(role, Some(PredicateRole::Death | PredicateRole::Revival | PredicateRole::Age));
        let is_thing = matches!(
            role,
            Some(PredicateRole::Holding | PredicateRole::Getting | PredicateRole::Parting | PredicateRole::Destruction)
        );
        let is_of_thing = is_called(&fact.subject) && fact.object.as_deref().is_none_or(is_called);
        if !(is_life && is_called(&fact.subject) || is_thing && is_of_thing) {
            continue;
        }
        let date = Some(fact.from.trim()).filter(|date| !date.is_empty());
        let says = fact.sentence(book.story.language);
        let says = format!("{says}{}", date.map(|date| words.remark(date)).unwrap_or_default());
        told.push((chapter, words.labelled(book.title(chapter).trim(), &says)));
    }
    told.sort_by_key(|(chapter, _)| *chapter);
    let mut lines = passages.to_vec();
    for (_, line) in told {
        if !lines.contains(&line) {
            lines.push(line);
        }
    }
    fitting(lines, limit::LATER + limit::LATER_FACTS)
}

/// Returns the paragraphs of a text, and of long ones the sentences.
fn passages(text: &str) -> Vec<&str> {
    let mut passages = Vec::new();
    for line in text.lines().map(str::trim).filter(|line| !line.is_empty()) {
        if line.chars().count() <= PARAGRAPH {
            passages.push(line);
        } else {
            passages.extend(Prose::of(line).sentences.iter().map(|sentence| line[sentence.range.clone()].trim()));
        }
    }
    passages
}

impl<'s> BackReferences<'s> {
    fn of(
        book: &NumberedBook<'s>,
        number: u32,
        (nodes, planned): (&[&'s OutlineNode], &[&'s TimelineEvent]),
        participants: &[String],
    ) -> Self {
        let story = book.story;
        let is_own = |event: &TimelineEvent| planned.iter().any(|own| own.id == event.id);
        let told = told_events(story);
        let told = told.iter().filter(|event| is_own(event)).map(|event| event.timestamp.as_str());
        let mut days: Vec<String> =
            planned.iter().map(|event| event.timestamp.as_str()).chain(told).filter_map(day).collect();
        days.dedup();
        let places = nodes.iter().filter_map(|node| node.location.as_deref());
        let places = places.chain(planned.iter().filter_map(|event| event.location.as_deref()));
        let mut places: Vec<&str> = places.map(str::trim).filter(|place| !place.is_empty()).collect();
        places.sort_unstable();
        places.dedup();
        let names = |called: &String| {
            let card = &story.characters[book.names().resolve(PieceKind::Character, called)?.position];
            let names = std::iter::once(&card.name).chain(&card.alias).map(|name| name.trim());
            Some(names.filter(|name| name.chars().count() > 1).collect::<Vec<&str>>())
        };
        let dead = planned.iter().flat_map(|event| &event.deaths).filter_map(names).flatten().collect();
        let own = book.document(number).map_or("", |document| document.text.as_str());
        let plans = nodes.iter().map(|node| node.description.as_str());
        let plans = plans.chain(planned.iter().map(|event| event.description.as_str()));
        let own: Vec<&str> = plans.chain([own]).collect();
        let items = story.worldview.iter().flat_map(|world| &world.items);
        let things = items.map(|item| {
            let names = std::iter::once(&item.name).chain(&item.alias).map(|name| name.trim());
            names.filter(|name| name.chars().count() > 1).collect::<Vec<&str>>()
        });
        let is_own = |names: &Vec<&str>| names.iter().any(|name| own.iter().any(|text| has_words(text, name)));
        let people = participants.iter().filter_map(names).collect();
        Self { days, places, dead, people, things: things.filter(is_own).collect() }
    }

    /// Returns the names of the people and things of the chapter.
    fn called(&self) -> BTreeSet<String> {
        self.people.iter().chain(&self.things).flatten().map(|name| (*name).to_owned()).collect()
    }

    /// Returns how surely a passage refers to the chapter. The place of the later chapter itself, `here`, is no reference.
    fn score(&self, passage: &str, here: &str) -> u32 {
        let has = |name: &&str| has_words(passage, name);
        let names_day = self.days.iter().any(|day| has_words(passage, day));
        let names_place = self.places.iter().any(|place| !here.contains(*place) && has_words(passage, place));
        let names_dead = self.dead.iter().any(has);
        let names_person = self.people.iter().any(|names| names.iter().any(has));
        let named = self.things.iter().filter(|names| names.iter().any(has));
        let things = u32::try_from(named.take(THINGS).count()).unwrap_or_default();
        3 * u32::from(names_day)
            + 2 * (u32::from(names_place) + things)
            + u32::from(names_dead)
            + u32::from(names_person)
    }
}

/// Returns the day of a time as later chapters may name it: `三月十一` of `万历二十年三月十一 亥时`, `March 5` of `March 5, 2077`.
fn day(time: &str) -> Option<String> {
    let time = time.split([',', '，']).next()?.trim();
    let day = match time.rsplit_once('年') {
        Some((_, day)) => day.trim(),
        None => time,
    };
    let is_chinese = day.contains(['月', '天']);
    let day = if is_chinese { day.split_whitespace().next()? } else { day };
    let has_number = is_chinese || day.chars().any(|c| c.is_ascii_digit());
    let is_day = day.chars().count() > 2 && day.chars().any(char::is_alphabetic) && has_number;
    is_day.then(|| day.to_owned())
}

#[cfg(test)]
mod tests {
    use super::day;

    #[test]
    fn the_day_of_a_time_is_what_later_chapters_name() {
        let cases = [
            ("万历二十年三月十一 亥时", Some("三月十一")),
            ("三月十二 天亮", Some("三月十二")),
            ("第3天", Some("第3天")),
            ("March 5, 2077", Some("March 5")),
            ("Day 3, 14:00", Some("Day 3")),
            ("2077-03-05", None),
            ("万历二十年", None),
            ("", None),
        ];
        for (time, expected) in cases {
            assert_eq!(day(time).as_deref(), expected, "{time}");
        }
    }
}
