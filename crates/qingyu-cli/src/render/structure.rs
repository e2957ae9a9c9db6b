//! The structure of a reference.

use qingyu_studio::Teardown;
use qingyu_studio::text::Structure;
use qingyu_studio::text::structure::FigureBasis;
use qingyu_studio::text::structure::chapter::{ChapterStructure, StagePerson, TurnCount};
use qingyu_studio::text::structure::course::{ArcStructure, Cadence, EndingCount, OpeningCount};
use serde::Serialize;

use super::books::warned;
use super::curve::sparkline;
use super::numbers::grouped;
use super::page::{CARE, FAINT, GOOD, NAME, PLAIN, TextPage};
use super::wrap::shorten;
use crate::texts::LocalizedTexts;

/// Maximum width of a heading in the table, in columns.
const TITLE: usize = 24;
/// Maximum number of people listed for a chapter.
const PEOPLE: usize = 4;

/// Draws the structure, and where its genre was saved; the page says nothing of a genre that was not.
pub(crate) fn torn(page: &mut TextPage<'_>, torn: &Teardown, is_saved: bool) {
    let Structure { length, chapters, arcs, cadence, basis, .. } = &torn.structure;
    let values =
        [("length", grouped(*length as u64).into()), ("chapters", chapters.len().into()), ("arcs", arcs.len().into())];
    let summary = page.texts().fill("structure-summary", &values);
    page.lead(0, &format!("{}  ", shorten(&torn.title, page.width() / 2)), NAME, FAINT, &summary);
    for warning in &torn.warnings {
        let text = warned(page.texts(), warning);
        page.paragraph(2, CARE, &text);
    }
    table(page, chapters);
    page.heading(&page.texts().get("structure-arcs"));
    arcs.iter().for_each(|arc| self::arc(page, arc));
    self::cadence(page, cadence);
    self::basis(page, basis);
    page.gap();
    match &torn.genre {
        Some(genre) if is_saved => {
            page.say(0, GOOD, "structure-genre-saved", &[("genre", genre.id.as_str().into())]);
        }
        Some(_) => {}
        None => page.say(0, FAINT, "structure-how", &[]),
    }
}

fn table(page: &mut TextPage<'_>, chapters: &[ChapterStructure]) {
    let texts = page.texts();
    let names =
        ["number", "title", "length", "dialogue", "tension", "function", "opening", "ending", "turns", "people"];
    let header = names.map(|key| texts.get(&format!("column-{key}")));
    let rows: Vec<Vec<String>> = chapters.iter().map(|chapter| row(texts, chapter)).collect();
    page.table(&header, &rows, &[0, 2, 3, 4], &[]);
}

fn arc(page: &mut TextPage<'_>, arc: &ArcStructure) {
    let values = [
        ("from", arc.from.into()),
        ("to", arc.to.into()),
        ("peak", arc.peak.into()),
        ("tension", u32::from(arc.tension).into()),
        ("payoffs", arc.payoffs.into()),
    ];
    page.say(2, PLAIN, "structure-arc", &values);
}

fn row(texts: &LocalizedTexts, chapter: &ChapterStructure) -> Vec<String> {
    let comma = texts.get("list-comma");
    let turn = |TurnCount { kind, count }: &TurnCount| format!("{} {count}", texts.word("turn-kind", kind));
    let turns = chapter.turns.iter().map(turn);
    let people = chapter.stage.iter().take(PEOPLE).map(|StagePerson { name, .. }| name.clone());
    vec![
        chapter.number.to_string(),
        shorten(&chapter.title, TITLE),
        grouped(chapter.length as u64),
        percent(chapter.dialogue),
        chapter.tension.to_string(),
        texts.word("chapter-function", chapter.function),
        chapter.opens.map(|kind| texts.word("opening-kind", kind)).unwrap_or_default(),
        chapter.ends.map(|kind| texts.word("ending-kind", kind)).unwrap_or_default(),
        turns.collect::<Vec<_>>().join(&comma),
        people.collect::<Vec<_>>().join(&comma),
    ]
}

fn cadence(page: &mut TextPage<'_>, cadence: &Cadence) {
    let texts = page.texts();
    page.heading(&texts.get("structure-cadence"));
    let (least, most) = cadence.chapter_words;
    let lengths = [
        ("least", grouped(least as u64).into()),
        ("most", grouped(most as u64).into()),
        ("median", grouped(cadence.median as u64).into()),
    ];
    page.say(2, PLAIN, "structure-lengths", &lengths);
    match cadence.payoff_every {
        Some(every) => {
            let values = [("every", decimal(every).into()), ("wait", cadence.longest_wait.into())];
            page.say(2, PLAIN, "structure-payoff", &values);
        }
        None => page.say(2, CARE, "structure-no-payoff", &[]),
    }
    match cadence.climax_every {
        Some(every) => page.say(2, PLAIN, "structure-climax", &[("every", decimal(every).into())]),
        None => page.say(2, CARE, "structure-no-climax", &[]),
    }
    page.say(2, PLAIN, "structure-pulling", &[("share", percent(cadence.pulling).into())]);
    let rows = [
        ("function", cadence.same_function.into()),
        ("ending", cadence.same_ending.into()),
        ("tension", cadence.flat_tension.into()),
    ];
    page.say(2, PLAIN, "structure-rows", &rows);
    let openings = cadence.openings.iter().map(|OpeningCount { kind, count }| (*kind, *count));
    let openings = counted(texts, "opening-kind", openings);
    page.labelled(2, "structure-openings", &openings);
    let endings = cadence.endings.iter().map(|EndingCount { kind, count }| (*kind, *count));
    let endings = counted(texts, "ending-kind", endings);
    page.labelled(2, "structure-endings", &endings);
    let numbers: Vec<String> = cadence.tension.iter().copied().map(decimal).collect();
    let curve = sparkline(cadence.tension.iter().copied(), 1.0, 10.0);
    page.labelled(2, "structure-tension", &format!("{curve}  {}", numbers.join(" ")));
}

fn basis(page: &mut TextPage<'_>, basis: &[FigureBasis]) {
    let texts = page.texts();
    page.heading(&texts.get("structure-basis"));
    for FigureBasis { figure, by, observations } in basis {
        let values = [
            ("figure", texts.word("structure-figure", figure).into()),
            ("by", texts.word("structure-by", by).into()),
            ("count", (*observations).into()),
        ];
        page.say(2, FAINT, "structure-basis-row", &values);
    }
}

/// Returns kinds with their counts: `question 4, arrival 2`.
fn counted<K: Serialize + std::fmt::Debug>(
    texts: &LocalizedTexts,
    family: &str,
    counts: impl Iterator<Item = (K, usize)>,
) -> String {
    let shown: Vec<String> = counts.map(|(kind, count)| format!("{} {count}", texts.word(family, kind))).collect();
    shown.join(&texts.get("list-comma"))
}

fn percent(share: f64) -> String {
    format!("{:.0} %", share * 100.0)
}

fn decimal(number: f64) -> String {
    format!("{number:.1}")
}
