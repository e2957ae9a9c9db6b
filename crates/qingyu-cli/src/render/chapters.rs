//! Writing of chapters: the progress of each step, and the results.

use qingyu_studio::BookOutput;
use qingyu_studio::agents::levels::later::OwnPlan;
use qingyu_studio::agents::progress::ChapterStep;
use qingyu_studio::agents::writing::brief::Brief;
use qingyu_studio::agents::writing::questions::{About, Choice, Doubt};
use qingyu_studio::agents::writing::review::{ChapterFinding, DimensionVerdict, HeldReason, Holds, Verdict};
use qingyu_studio::agents::writing::state::SettledCounts;
use qingyu_studio::agents::writing::{AcceptedChapter, AuthorQuestion, GateReason};
use qingyu_studio::story::rules::rule;
use qingyu_studio::story::{PieceKind, Severity};

use serde_json::Value;

use super::numbers::{bar, grouped, ranges};
use super::page::{CARE, FAINT, GOOD, NAME, PLAIN, STRONG, TextPage, WRONG, paint};
use super::report::disputed;
use super::wrap::shorten;

/// Width of a score bar, in columns.
const BAR_WIDTH: usize = 20;
/// Maximum displayed length of a quote.
const QUOTE: usize = 120;
/// Maximum displayed length of a known fact of a brief.
const KNOWN: usize = 240;

/// Draws a step of a chapter.
pub(crate) fn step(page: &mut TextPage<'_>, number: u32, title: &str, step: &ChapterStep) {
    let texts = page.texts();
    match step {
        ChapterStep::Started { done, of, place: in_book, .. } => {
            let place = match *of {
                0 | 1 => String::new(),
                of => texts.fill("chapter-place", &[("done", (done + 1).into()), ("of", of.into())]),
            };
            page.heading(format!("{number}  {title}  {place}").trim_end());
            if !in_book.is_empty() {
                page.paragraph(2, FAINT, in_book);
            }
        }
        ChapterStep::Planned { scenes, fallback } => {
            let scenes = scenes.join(&texts.get("list-comma"));
            page.labelled(2, "chapter-planned", &shorten(&scenes, QUOTE));
            if let Some(why) = fallback {
                page.say(4, CARE, "chapter-plan-fallback", &[("why", why.as_str().into())]);
            }
        }
        ChapterStep::Written { scene, words } => {
            let key = if scene.is_some() { "chapter-scene-written" } else { "chapter-written" };
            let scene = scene.unwrap_or_default();
            page.say(2, FAINT, key, &[("scene", scene.into()), ("words", grouped(u64::from(*words)).into())]);
        }
        ChapterStep::Reviewed { verdict: found } => verdict(page, found),
        // A warning says why nothing was done.
        ChapterStep::Fixed { fixed: 0, refused: 0, .. } => {}
        ChapterStep::Fixed { fixed, refused, .. } => {
            page.say(2, FAINT, "chapter-fixed", &[("fixed", (*fixed).into()), ("refused", (*refused).into())]);
        }
        ChapterStep::Accepted { words, forced, .. } => {
            let (style, key) = if *forced { (CARE, "chapter-forced") } else { (GOOD, "chapter-accepted") };
            page.say(2, style, key, &[("words", grouped(u64::from(*words)).into())]);
        }
        ChapterStep::Settled { counts, .. } => page.labelled(2, "chapter-settled", &settled(page, counts)),
        ChapterStep::Briefed => page.say(2, GOOD, "chapter-briefed", &[]),
    }
}

/// Draws the score, the failed criteria, and each finding with its quotes.
fn verdict(page: &mut TextPage<'_>, verdict: &Verdict) {
    let texts = page.texts();
    let is_left = |found: &ChapterFinding| {
        let is_undecided = found.held.as_ref().is_some_and(|held| *held != HeldReason::OutsidePart);
        is_undecided && found.severity >= Severity::Medium
    };
    let (style, key) = match verdict.passed {
        true if verdict.findings.iter().any(is_left) => (CARE, "report-passed-held"),
        true => (GOOD, "report-passed"),
        false => (CARE, "report-not-passed"),
    };
    let figure = paint(style, &bar(verdict.score, BAR_WIDTH.min(page.width() / 3)));
    page.line(&format!("  {figure} {} / 100  {}", verdict.score, paint(style, &texts.get(key))));
    let broken = verdict.verdicts.iter().filter(|one| one.verdict == Holds::Broken);
    for DimensionVerdict { dimension, note, .. } in broken {
        let lead = format!("{}  ", texts.word("dimension", dimension));
        page.lead(4, &lead, CARE, PLAIN, note);
    }
    for found in &verdict.findings {
        finding(page, found);
    }
}

fn finding(page: &mut TextPage<'_>, finding: &ChapterFinding) {
    let texts = page.texts();
    let style = if finding.severity >= Severity::High { WRONG } else { CARE };
    // A code that names no rule, such as that of a missed minimum, explains nothing to an author.
    let code = finding.code.as_ref().filter(|code| rule(code).is_some());
    let code = code.map(|code| format!("{code} ")).unwrap_or_default();
    let lead = format!("{} {code}", texts.word("severity", finding.severity));
    page.lead(4, &lead, style, PLAIN, &finding.title);
    for quote in std::iter::once(&finding.quote).chain(&finding.against).filter(|quote| !quote.is_empty()) {
        page.lead(6, "│ ", FAINT, FAINT, &shorten(quote, QUOTE));
    }
    if let Some(HeldReason::Disputed { why }) = &finding.held {
        disputed(page, 6, why);
    }
    if finding.held.is_some() && finding.is_choice() {
        page.plan_follows(6, &finding.id);
    }
}

fn settled(page: &TextPage<'_>, counts: &SettledCounts) -> String {
    let SettledCounts { cards, events, facts, promises, questions, rejected } = *counts;
    page.texts().fill(
        "chapter-settled-counts",
        &[
            ("cards", cards.into()),
            ("events", events.into()),
            ("facts", facts.into()),
            ("promises", promises.into()),
            ("questions", questions.into()),
            ("rejected", rejected.into()),
        ],
    )
}

/// Draws the resulting chapters of a run.
pub(crate) fn made(page: &mut TextPage<'_>, made: &BookOutput) {
    // The reason of a failure is listed among the errors.
    if !made.has_failed && made.briefs.is_empty() {
        page.paragraph(2, PLAIN, &made.answer);
    }
    if !made.chapters.is_empty() {
        table(page, &made.chapters);
        let unread: Vec<u32> =
            made.chapters.iter().filter(|chapter| !chapter.read).map(|chapter| chapter.chapter).collect();
        if !unread.is_empty() {
            page.say(2, CARE, "chapters-unread", &[("chapters", ranges(&unread).into())]);
        }
    }
    for chapter in made.chapters.iter().filter(|chapter| !chapter.findings.is_empty()) {
        page.gap();
        page.paragraph(2, STRONG, &format!("{}  {}", chapter.chapter, chapter.title));
        chapter.findings.iter().for_each(|found| finding(page, found));
    }
    for brief in &made.briefs {
        self::brief(page, brief);
    }
}

fn table(page: &mut TextPage<'_>, chapters: &[AcceptedChapter]) {
    let texts = page.texts();
    let header = ["number", "title", "words", "score", "calls", "tokens"];
    let header = header.map(|column| texts.get(&format!("column-{column}")));
    let rows: Vec<Vec<String>> = chapters.iter().map(|chapter| row(page, chapter)).collect();
    page.table(&header, &rows, &[0, 2, 3, 4, 5], &[0, 2, 3]);
}

fn row(page: &TextPage<'_>, chapter: &AcceptedChapter) -> Vec<String> {
    let score = match (chapter.score, chapter.forced) {
        (Some(score), true) => format!("{score} !"),
        (Some(score), false) => score.to_string(),
        (None, _) => page.texts().get("none"),
    };
    vec![
        chapter.chapter.to_string(),
        chapter.title.clone(),
        grouped(u64::from(chapter.words)),
        score,
        chapter.calls.to_string(),
        grouped(chapter.tokens),
    ]
}

/// Draws a brief: the planned events and the facts required for them.
fn brief(page: &mut TextPage<'_>, brief: &Brief) {
    let texts = page.texts();
    page.heading(&format!("{}  {}", brief.chapter, brief.title));
    page.labelled(2, "brief-goal", &brief.plan.goal);
    page.labelled(2, "brief-view", &brief.plan.point_of_view);
    page.labelled(2, "brief-words", &grouped(u64::from(brief.words)));
    for scene in &brief.plan.scenes {
        let people = scene.participants.join(&texts.get("list-comma"));
        let scene_line = [scene.title.as_str(), &scene.location, &people].join("  ");
        page.lead(2, "· ", NAME, PLAIN, &scene_line);
        for beat in &scene.beats {
            page.lead(6, "- ", FAINT, PLAIN, beat);
        }
    }
    for (key, lines) in [("brief-keep", &brief.plan.must_keep), ("brief-avoid", &brief.plan.must_avoid)] {
        for line in lines {
            page.labelled(2, key, line);
        }
    }
    page.gap();
    for line in brief.card.lines() {
        known(page, line);
    }
}

/// Draws a `name: value` line of the context card in readable form; the value may be JSON.
fn known(page: &mut TextPage<'_>, line: &str) {
    let Some((name, value)) = line.split_once(": ") else { return page.paragraph(2, FAINT, line) };
    let values = match serde_json::from_str(value) {
        Ok(Value::Array(values)) => values,
        Ok(value) => vec![value],
        Err(_) => vec![Value::from(value)],
    };
    let name = page.texts().word("brief-part", name);
    page.paragraph(2, NAME, &name);
    for value in &values {
        page.lead(4, "· ", FAINT, FAINT, &shorten(&in_words(value), KNOWN));
    }
}

/// Returns the content of a JSON value as text, name first, without field names.
fn in_words(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        Value::Object(fields) => {
            let name = ["name", "title"].into_iter().find_map(|name| fields.get(name));
            let others =
                fields.iter().filter(|(field, _)| !["name", "title", "id", "outline_node"].contains(&field.as_str()));
            let words = name.into_iter().chain(others.map(|(_, value)| value)).map(in_words);
            words.filter(|words| !words.is_empty()).collect::<Vec<_>>().join("  ")
        }
        Value::Array(values) => values.iter().map(in_words).collect::<Vec<_>>().join(" / "),
        Value::Null => String::new(),
        other => other.to_string(),
    }
}

/// Draws a question to the author.
pub(crate) fn question(page: &mut TextPage<'_>, number: usize, question: &AuthorQuestion) {
    let texts = page.texts();
    let place = format!("{} {}", question.chapter, question.title);
    let lead = format!("{number}. ");
    match &question.about {
        About::DraftKept { .. } => {
            page.lead(2, &lead, CARE, PLAIN, &format!("{place}: {}", texts.get("question-draft-kept")));
        }
        About::BelowFloor { text, shortfalls } => {
            page.lead(2, &lead, CARE, PLAIN, &format!("{place}: {}", texts.get("question-below-floor")));
            for shortfall in shortfalls {
                page.lead(5, "· ", CARE, PLAIN, &shortfall.title);
            }
            page.lead(5, "│ ", FAINT, FAINT, &shorten(text, KNOWN));
        }
        About::Gate { reason, left } => {
            let key = match reason {
                GateReason::ArcEnded { .. } => "question-gate-arc",
                GateReason::Chapters { .. } => "question-gate-chapters",
                GateReason::Finding { .. } => "question-gate-finding",
            };
            let text = texts.fill(key, &[("what", reason.subject().into()), ("left", u64::from(*left).into())]);
            page.lead(2, &lead, CARE, PLAIN, &format!("{place}: {text}"));
        }
        About::LaterPlan(proposal) => {
            let said = [("name", proposal.name.as_str().into()), ("reason", proposal.reason.as_str().into())];
            page.lead(2, &lead, CARE, PLAIN, &texts.fill("question-later-plan", &said));
            let own = proposal.own.map(|own| match own {
                OwnPlan::ByHand => "question-later-plan-by-hand",
                OwnPlan::Locked => "question-later-plan-locked",
            });
            if let Some(key) = own {
                page.lead(5, "· ", CARE, PLAIN, &texts.get(key));
            }
            let field = if proposal.field_name.is_empty() { &proposal.field } else { &proposal.field_name };
            page.lead(5, "", FAINT, FAINT, field);
            // A list has a line for each entry.
            let listed = |text: &str| shorten(&text.lines().collect::<Vec<_>>().join(" / "), KNOWN);
            page.lead(5, "- ", FAINT, FAINT, &listed(&proposal.before));
            page.lead(5, "+ ", GOOD, PLAIN, &listed(&proposal.after));
        }
        About::AgainstInstruction { instruction, issue, quote, why, .. } => {
            let said = [("instruction", shorten(instruction, KNOWN).into()), ("issue", issue.as_str().into())];
            let text = texts.fill("question-against-instruction", &said);
            page.lead(2, &lead, CARE, PLAIN, &format!("{place}: {text}"));
            page.lead(5, "│ ", FAINT, FAINT, &shorten(quote, QUOTE));
            page.lead(5, "· ", FAINT, PLAIN, why);
        }
        About::Settlement { piece, label, says, quote, doubt, candidates, .. } => {
            let (key, name) = match doubt {
                Doubt::Unsure => ("question-unsure", ""),
                Doubt::Same { name } if *piece == PieceKind::Event => ("question-same-event", name.as_str()),
                Doubt::Same { name } => ("question-same", name.as_str()),
                Doubt::Which { name } | Doubt::WhichPromise { name } => ("question-which", name.as_str()),
            };
            let text = texts.fill(key, &[("label", label.as_str().into()), ("name", name.into())]);
            page.lead(2, &lead, CARE, PLAIN, &format!("{place}: {text}"));
            page.lead(5, "│ ", FAINT, FAINT, &shorten(quote, QUOTE));
            if !says.is_empty() {
                let told = texts.fill("question-told-here", &[("says", shorten(says, KNOWN).into())]);
                page.lead(5, "· ", FAINT, PLAIN, &told);
            }
            for (number, candidate) in candidates.iter().enumerate() {
                let name = candidate.name.as_str();
                let known = match candidate.chapter {
                    Some(chapter) => {
                        let key = if candidate.planned { "question-planned-chapter" } else { "question-known-chapter" };
                        texts.fill(key, &[("name", name.into()), ("chapter", u64::from(chapter).into())])
                    }
                    None => name.to_owned(),
                };
                let said = [known, shorten(&candidate.says, KNOWN)];
                let said = said.into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join("  ");
                page.lead(5, &format!("{} ", number + 1), NAME, PLAIN, &said);
            }
            if key == "question-same-event" {
                page.paragraph(5, FAINT, &texts.fill("question-same-event-how", &[("name", name.into())]));
            }
        }
    }
}

/// Returns the candidates a name may refer to.
pub(crate) fn candidates(question: &AuthorQuestion) -> &[Choice] {
    match &question.about {
        About::Settlement { candidates, .. } => candidates,
        _ => &[],
    }
}
