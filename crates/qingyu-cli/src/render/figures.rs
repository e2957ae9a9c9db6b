//! Measurements of a text.

use qingyu_studio::TextAnalysis;
use qingyu_studio::text::figures::{
    Bin, Dialogue, Emotion, EmotionPoint, Feeling, FeltWord, Figures, Formula, Lengths, Pace, PacePoint, Quote,
    Readability, Shown, Unit, Variety,
};

use super::curve::{bar, sparkline};
use super::numbers::grouped;
use super::page::{FAINT, GOOD, NAME, PLAIN, STRONG, TextPage, WRONG, paint};
use super::wrap::{pad, shorten, width};
use crate::args::Aspect;

/// Width of a bar, in columns.
const BAR: usize = 24;
/// Maximum number of speakers listed.
const SPEAKERS: usize = 6;
/// Maximum number of emotion words listed.
const WORDS: usize = 10;
/// Maximum width of a quote, in columns.
const QUOTE: usize = 160;

/// Draws the measurements of the requested `aspects`.
pub(crate) fn analysed(page: &mut TextPage<'_>, analysed: &TextAnalysis, aspects: &[Aspect]) {
    let figures = &analysed.figures;
    let length = page.texts().fill("figures-length", &[("length", grouped(figures.length as u64).into())]);
    page.lead(0, &format!("{}  ", shorten(&analysed.title, page.width() / 2)), NAME, FAINT, &length);
    for aspect in aspects {
        match aspect {
            Aspect::Style => style(page, figures),
            Aspect::Emotion => emotion(page, figures),
            Aspect::Pace => pace(page, figures),
            Aspect::Quality => quality(page, figures),
        }
    }
}

fn style(page: &mut TextPage<'_>, figures: &Figures) {
    page.heading(&page.texts().get("figures-style"));
    lengths(page, "figures-sentences", &figures.sentences);
    lengths(page, "figures-paragraphs", &figures.paragraphs);
    dialogue(page, &figures.dialogue);
    quotes(page, figures, &[Shown::LongestSentence]);
}

/// Draws length statistics and the distribution of lengths.
fn lengths(page: &mut TextPage<'_>, key: &str, lengths: &Lengths) {
    let arguments = [
        ("count", grouped(lengths.count as u64).into()),
        ("mean", format!("{:.1}", lengths.mean).into()),
        ("median", format!("{}", lengths.median).into()),
        ("spread", format!("{:.1}", lengths.spread).into()),
        ("longest", lengths.longest.into()),
    ];
    let text = page.texts().fill("figures-lengths", &arguments);
    page.labelled(2, key, &text);
    let most = lengths.histogram.iter().map(|bin| bin.count).max().unwrap_or_default();
    let room = BAR.min(page.width() / 3);
    for Bin { from, to, count } in lengths.histogram.iter().filter(|_| most > 0) {
        let range = match to {
            Some(to) => format!("{from}–{to}"),
            None => format!("≥{from}"),
        };
        let drawn = paint(NAME, &pad(&bar(*count as f64, most as f64, room), room));
        page.line(format!("    {range:>8} {drawn} {count}").trim_end());
    }
}

fn dialogue(page: &mut TextPage<'_>, dialogue: &Dialogue) {
    let texts = page.texts();
    let arguments = [
        ("share", percent(dialogue.share).into()),
        ("count", dialogue.speeches.into()),
        ("mean", format!("{:.1}", dialogue.mean).into()),
    ];
    page.labelled(2, "figures-dialogue", &texts.fill("figures-spoken", &arguments));
    let named = dialogue.speakers.iter().take(SPEAKERS);
    let named: Vec<String> = named.map(|one| format!("{} {}", one.name, percent(one.share))).collect();
    page.labelled(4, "figures-speakers", &named.join(&texts.get("list-comma")));
    if dialogue.unnamed > 0 && dialogue.speeches > 0 {
        page.say(4, FAINT, "figures-unnamed", &[("count", dialogue.unnamed.into())]);
    }
}

fn emotion(page: &mut TextPage<'_>, figures: &Figures) {
    let Emotion { polarity, intensity, feelings, curve, words } = &figures.emotion;
    let texts = page.texts();
    page.heading(&texts.get("figures-emotion"));
    let style = if *polarity >= 0.0 { GOOD } else { WRONG };
    let label = page.label("figures-polarity");
    page.line(&format!("  {}{}", paint(FAINT, &label), paint(style, &format!("{polarity:+.2}"))));
    page.labelled(2, "figures-intensity", &format!("{intensity:.1} ‰"));
    if curve.len() > 1 {
        let values = |figure: fn(&EmotionPoint) -> f64| curve.iter().map(figure);
        let drawn = sparkline(values(|point| point.polarity), -1.0, 1.0);
        line(page, "figures-polarity-curve", &drawn, "−1…+1");
        let strongest = values(|point| point.intensity).fold(0.0, f64::max);
        let drawn = sparkline(values(|point| point.intensity), 0.0, strongest);
        line(page, "figures-intensity-curve", &drawn, &format!("0…{strongest:.0} ‰"));
    }
    let most = feelings.values().copied().fold(0.0, f64::max);
    let mut felt: Vec<(&Feeling, &f64)> = feelings.iter().collect();
    felt.sort_by(|a, b| b.1.total_cmp(a.1));
    let names: Vec<String> = felt.iter().map(|(feeling, _)| texts.word("feeling", feeling)).collect();
    let column = names.iter().map(|name| width(name)).max().unwrap_or_default();
    let room = BAR.min(page.width() / 3);
    for ((_, weight), name) in felt.iter().zip(&names) {
        let drawn = paint(NAME, &pad(&bar(**weight, most, room), room));
        page.line(&format!("    {} {drawn} {weight:.1} ‰", pad(name, column)));
    }
    let words = words.iter().take(WORDS).map(|FeltWord { word, count, .. }| format!("{word} {count}"));
    let words: Vec<String> = words.collect();
    page.labelled(2, "figures-words", &words.join(&texts.get("list-comma")));
    quotes(page, figures, &[Shown::MostPositive, Shown::MostNegative]);
}

fn pace(page: &mut TextPage<'_>, figures: &Figures) {
    let Pace { mean, actions, curve } = &figures.pace;
    let texts = page.texts();
    page.heading(&texts.get("figures-pace"));
    let arguments = [("mean", format!("{mean:.2}").into()), ("actions", format!("{actions:.1}").into())];
    page.say(2, PLAIN, "figures-pace-mean", &arguments);
    if curve.len() > 1 {
        let values = |figure: fn(&PacePoint) -> f64| curve.iter().map(figure);
        let paces = || values(|point| point.pace);
        let (low, high) = (paces().fold(1.0, f64::min), paces().fold(0.0, f64::max));
        line(page, "figures-pace-curve", &sparkline(paces(), low, high), &format!("{low:.2}…{high:.2}"));
        let longest = values(|point| point.sentence).fold(0.0, f64::max);
        let sentences = sparkline(values(|point| point.sentence), 0.0, longest);
        line(page, "figures-sentence-curve", &sentences, &format!("0…{longest:.0}"));
        let spoken = sparkline(values(|point| point.dialogue), 0.0, 1.0);
        line(page, "figures-dialogue-curve", &spoken, "0…100 %");
        let busiest = values(|point| point.actions).fold(0.0, f64::max);
        let acted = sparkline(values(|point| point.actions), 0.0, busiest);
        line(page, "figures-action-curve", &acted, &format!("0…{busiest:.0} ‰"));
    }
    quotes(page, figures, &[Shown::Quickest, Shown::Slowest]);
}

fn quality(page: &mut TextPage<'_>, figures: &Figures) {
    page.heading(&page.texts().get("figures-quality"));
    readability(page, &figures.readability);
    variety(page, &figures.variety);
}

fn readability(page: &mut TextPage<'_>, readability: &Readability) {
    let texts = page.texts();
    let key = match readability.formula {
        Formula::Flesch => "figures-flesch",
        Formula::Xu => "figures-xu",
    };
    let grade = readability.grade.map(|grade| format!("{grade:.1}")).unwrap_or_default();
    let value = |name: &str| format!("{:.2}", readability.values.get(name).copied().unwrap_or_default());
    let arguments = [
        ("score", format!("{:.1}", readability.score).into()),
        ("grade", grade.into()),
        ("ease", texts.word("ease", readability.ease).into()),
        ("clause", value("characters_per_clause").into()),
        ("functions", value("function_words").into()),
        ("words", value("words_per_sentence").into()),
        ("syllables", value("syllables_per_word").into()),
    ];
    page.labelled(2, "figures-readability", &texts.fill(key, &arguments));
}

fn variety(page: &mut TextPage<'_>, variety: &Variety) {
    let key = match variety.unit {
        Unit::Words => "figures-variety-words",
        Unit::Pairs => "figures-variety-pairs",
    };
    let arguments = [
        ("count", grouped(variety.count as u64).into()),
        ("different", grouped(variety.different as u64).into()),
        ("ratio", format!("{:.2}", variety.ratio).into()),
        ("moving", format!("{:.2}", variety.moving).into()),
        ("window", variety.window.into()),
        ("mtld", format!("{:.0}", variety.mtld).into()),
    ];
    page.labelled(2, "figures-variety", &page.texts().fill(key, &arguments));
}

/// Draws a labelled curve with its scale.
fn line(page: &mut TextPage<'_>, key: &str, drawn: &str, scale: &str) {
    let label = page.label(key);
    page.line(&format!("  {}{}  {}", paint(FAINT, &label), paint(NAME, drawn), paint(FAINT, scale)));
}

fn quotes(page: &mut TextPage<'_>, figures: &Figures, shown: &[Shown]) {
    let texts = page.texts();
    for shown in shown {
        for Quote { text, value, .. } in figures.quotes_of(*shown) {
            let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
            let quote = texts.fill("quote", &[("text", shorten(&text, QUOTE).into())]);
            let lead = format!("▸ {} ", texts.word("shown", shown));
            let value = if value.fract() == 0.0 { format!("{value:.0}") } else { format!("{value:.2}") };
            page.lead(2, &lead, STRONG, PLAIN, &format!("{quote}  {value}"));
        }
    }
}

/// Formats a share of 1 as a percentage.
pub(crate) fn percent(share: f64) -> String {
    format!("{:.0} %", share * 100.0)
}
