//! Review results of texts.

use anstyle::Style;
use qingyu_studio::story::Severity;
use qingyu_studio::text::compliance::Finding;
use qingyu_studio::text::originality::{Originality, Passage, SourceShare};
use qingyu_studio::text::sensitive::Hit;
use qingyu_studio::text::{Review, Verdict};
use qingyu_studio::{ReviewSummary, ReviewedText};

use super::figures::percent;
use super::numbers::grouped;
use super::page::{CARE, FAINT, GOOD, NAME, PLAIN, STRONG, TextPage, WRONG, paint};
use super::report::severity_style;
use super::wrap::shorten;

/// Maximum number of words and passages shown per text.
const SHOWN: usize = 40;
/// Maximum number of positions shown per word.
const PLACES: usize = 6;
/// Maximum width of a passage, in columns.
const QUOTE: usize = 160;

/// Draws reviews; among several texts, texts without findings take one line each.
pub(crate) fn reviews(page: &mut TextPage<'_>, reviews: &ReviewSummary) {
    let several = reviews.reviews.len() > 1;
    for reviewed in &reviews.reviews {
        if several && reviewed.review.verdict == Verdict::Clean {
            page.lead(0, "✓ ", GOOD, FAINT, &reviewed.title);
        } else {
            one(page, reviewed);
        }
    }
    if several {
        page.gap();
        let clean = reviews.reviews.iter().filter(|one| one.review.verdict != Verdict::Failed).count();
        let arguments = [("passed", clean.into()), ("total", reviews.reviews.len().into())];
        let style = verdict_style(reviews.verdict);
        page.say(0, style, "review-total", &arguments);
    }
}

fn one(page: &mut TextPage<'_>, reviewed: &ReviewedText) {
    let review = &reviewed.review;
    let texts = page.texts();
    page.gap();
    let about = texts.fill(
        "review-about",
        &[
            ("length", grouped(review.length as u64).into()),
            ("platform", review.platform_title.as_str().into()),
            ("level", texts.word("level", review.level).into()),
        ],
    );
    page.lead(0, &format!("{}  ", shorten(&reviewed.title, page.width() / 2)), NAME, FAINT, &about);
    sensitive(page, &review.sensitive);
    if let Some(originality) = &review.originality {
        copied(page, originality);
    }
    compliance(page, &review.compliance);
    verdict(page, review);
}

/// Draws each word once, with its positions.
fn sensitive(page: &mut TextPage<'_>, hits: &[Hit]) {
    if hits.is_empty() {
        return;
    }
    let texts = page.texts();
    page.gap();
    page.say(2, STRONG, "review-words", &[("count", hits.len().into())]);
    let mut words: Vec<(&Hit, Vec<&Hit>)> = Vec::new();
    for hit in hits {
        match words.iter_mut().find(|(first, _)| first.word == hit.word) {
            Some((_, places)) => places.push(hit),
            None => words.push((hit, vec![hit])),
        }
    }
    words.sort_by_key(|(first, _)| std::cmp::Reverse(first.severity()));
    for (first, places) in words.iter().take(SHOWN) {
        let severity = texts.word("severity", first.severity());
        let times = if places.len() > 1 { format!(" ×{}", places.len()) } else { String::new() };
        let lead = format!("{severity} {}{times}  ", first.word);
        let category = texts.word("word-category", &first.category);
        page.lead(4, &lead, severity_style(first.severity()), FAINT, &category);
        let place = |hit: &&&Hit| {
            let disguise = hit.disguise.map(|disguise| format!(" ({})", texts.word("disguise", disguise)));
            let words = hit.text.split_whitespace().collect::<Vec<_>>().join(" ");
            let quote = texts.fill("quote", &[("text", words.into())]);
            format!("{quote}{} @{}-{}", disguise.unwrap_or_default(), hit.span.start, hit.span.end)
        };
        let places: Vec<String> = places.iter().take(PLACES).map(|hit| place(&hit)).collect();
        page.lead(6, "▸ ", NAME, PLAIN, &places.join("  "));
        page.labelled(6, "review-advice", first.suggestion.as_deref().unwrap_or_default());
    }
    more(page, words.len());
}

fn copied(page: &mut TextPage<'_>, originality: &Originality) {
    let texts = page.texts();
    page.gap();
    let arguments = [
        ("share", percent(originality.share).into()),
        ("copied", grouped(originality.copied as u64).into()),
        ("length", grouped(originality.length as u64).into()),
    ];
    let style = originality.severity.map_or(GOOD, severity_style);
    let key = if originality.copied == 0 { "review-original" } else { "review-copied" };
    page.say(2, style, key, &arguments);
    for SourceShare { source, share, passages, longest } in originality.sources.iter().take(SHOWN) {
        let arguments =
            [("share", percent(*share).into()), ("count", (*passages).into()), ("longest", (*longest).into())];
        page.lead(4, &format!("{source}  "), NAME, FAINT, &texts.fill("review-source", &arguments));
    }
    for passage in originality.passages.iter().take(SHOWN) {
        self::passage(page, passage);
    }
    more(page, originality.passages.len());
}

fn passage(page: &mut TextPage<'_>, passage: &Passage) {
    let texts = page.texts();
    let quote = |text: &str| {
        let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
        texts.fill("quote", &[("text", shorten(&text, QUOTE).into())])
    };
    let place = format!("@{}-{}", passage.span.start, passage.span.end);
    page.lead(4, "▸ ", NAME, PLAIN, &format!("{} {place}", quote(&passage.text)));
    let place = format!("{} @{}-{}", passage.source, passage.source_span.start, passage.source_span.end);
    if passage.verbatim {
        page.lead(6, "= ", FAINT, FAINT, &place);
    } else {
        page.lead(6, "≈ ", FAINT, FAINT, &format!("{} {place}", quote(&passage.source_text)));
    }
}

fn compliance(page: &mut TextPage<'_>, findings: &[Finding]) {
    if findings.is_empty() {
        return;
    }
    let texts = page.texts();
    page.gap();
    page.say(2, STRONG, "review-rules", &[("count", findings.len().into())]);
    let mut findings: Vec<&Finding> = findings.iter().collect();
    findings.sort_by_key(|finding| std::cmp::Reverse(finding.severity));
    for finding in findings.iter().take(SHOWN) {
        let lead = format!("{} {}  ", texts.word("severity", finding.severity), finding.code);
        let place = finding.span.as_ref().map(|span| format!("  @{}-{}", span.start, span.end)).unwrap_or_default();
        page.lead(4, &lead, severity_style(finding.severity), PLAIN, &format!("{}{place}", finding.title));
        page.labelled(6, "review-advice", &finding.advice);
    }
    more(page, findings.len());
}

fn more(page: &mut TextPage<'_>, count: usize) {
    if count > SHOWN {
        page.say(4, FAINT, "review-more", &[("count", (count - SHOWN).into())]);
    }
}

fn verdict(page: &mut TextPage<'_>, review: &Review) {
    let texts = page.texts();
    let severities = [Severity::Critical, Severity::High, Severity::Medium, Severity::Low];
    let counts = severities.into_iter().filter_map(|severity| {
        let count = review.counts.get(&severity)?;
        Some(paint(severity_style(severity), &format!("{} {count}", texts.word("severity", severity))))
    });
    let counts: Vec<String> = counts.collect();
    page.gap();
    let verdict = paint(verdict_style(review.verdict), &texts.word("verdict", review.verdict));
    let line = format!("  {verdict}  {}", counts.join(&texts.get("list-comma")));
    page.line(line.trim_end());
}

fn verdict_style(verdict: Verdict) -> Style {
    match verdict {
        Verdict::Clean => GOOD,
        Verdict::Passed => CARE,
        Verdict::Failed => WRONG,
    }
}
