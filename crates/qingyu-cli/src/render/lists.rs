//! Runs, projects, models and rules as tables and lists.

use std::collections::BTreeMap;

use anstyle::Style;
use jiff::Timestamp;
use jiff::tz::TimeZone;
use qingyu_studio::drawing::GraphDrawing;
use qingyu_studio::llm::Usage;
use qingyu_studio::story::genre::Genre;
use qingyu_studio::{
    CoverPicture, GenreRow, KeySource, ModelRow, PieceProvenance, ProjectRow, ProjectStatus, RuleExample, RuleRow,
    RunRow, UsageView,
};

use super::changes::{called, source};
use super::numbers::{self, grouped};
use super::page::{CARE, FAINT, GOOD, NAME, PLAIN, STRONG, TextPage, WRONG, paint};
use super::wrap::shorten;
use crate::texts::LocalizedTexts;

/// Maximum displayed length of a requirement.
const EXCERPT: usize = 60;

/// Formats a timestamp in the local time zone.
pub(crate) fn moment(at: Timestamp) -> String {
    at.to_zoned(TimeZone::system()).strftime("%Y-%m-%d %H:%M").to_string()
}

/// Draws runs, all or filtered; `more` notes that further runs exist.
pub(crate) fn runs(page: &mut TextPage<'_>, rows: &[RunRow], is_choice: bool, more: bool) {
    let texts = page.texts();
    if rows.is_empty() {
        return page.say(0, FAINT, if is_choice { "runs-none-such" } else { "runs-none" }, &[]);
    }
    let header =
        ["run", "title", "status", "score", "tokens", "started"].map(|key| texts.get(&format!("column-{key}")));
    let table: Vec<Vec<String>> = rows
        .iter()
        .map(|row| {
            let score = row.quality_score.map_or_else(|| "–".to_owned(), |score| score.to_string());
            vec![
                row.run.clone(),
                shorten(&row.title, EXCERPT),
                texts.word("status", row.status),
                score,
                grouped(row.usage.total),
                moment(row.started),
            ]
        })
        .collect();
    page.table(&header, &table, &[3, 4], &[0]);
    if let Some(last) = rows.last().filter(|_| more) {
        page.say(0, FAINT, "runs-more", &[("run", last.run.as_str().into())]);
    }
}

pub(crate) fn graphs(page: &mut TextPage<'_>, graphs: &[GraphDrawing]) {
    for graph in graphs {
        let about = page.texts().word("graph-about", &graph.name);
        page.lead(0, &format!("{}  ", graph.name), NAME, PLAIN, &about);
    }
    page.gap();
    page.say(0, FAINT, "graphs-how", &[]);
}

/// Draws the projects with one status.
pub(crate) fn projects(page: &mut TextPage<'_>, rows: &[ProjectRow], status: ProjectStatus) {
    let texts = page.texts();
    if rows.is_empty() {
        let key = match status {
            ProjectStatus::Active => "projects-none",
            ProjectStatus::Archived => "projects-none-archived",
            ProjectStatus::Binned => "projects-none-binned",
        };
        return page.say(0, FAINT, key, &[]);
    }
    let header =
        ["project", "title", "language", "premise", "unread", "updated"].map(|key| texts.get(&format!("column-{key}")));
    let rows: Vec<Vec<String>> = under_their_parents(rows)
        .into_iter()
        .map(|row| {
            vec![
                row.project.clone(),
                row.branch.as_ref().map_or_else(|| row.title.clone(), |name| format!("└ {name}")),
                texts.word("language", row.language),
                shorten(&row.premise, EXCERPT),
                row.unread.filter(|unread| *unread > 0).map_or_else(String::new, |unread| unread.to_string()),
                moment(row.updated),
            ]
        })
        .collect();
    page.table(&header, &rows, &[4], &[0]);
}

/// Draws the details of a project's cover image.
pub(crate) fn cover(page: &mut TextPage<'_>, cover: &CoverPicture) {
    match &cover.media_type {
        Some(kind) => {
            let kilobytes = cover.picture.len().div_ceil(1_000);
            page.say(0, PLAIN, "cover-is", &[("kind", kind.as_str().into()), ("kilobytes", kilobytes.into())]);
        }
        None => page.say(0, FAINT, "cover-none", &[]),
    }
}

/// Returns the rows with branches following their parent project.
fn under_their_parents(rows: &[ProjectRow]) -> Vec<&ProjectRow> {
    fn add<'r>(rows: &'r [ProjectRow], of: Option<&str>, sorted: &mut Vec<&'r ProjectRow>) {
        for row in rows.iter().filter(|row| row.branch_of.as_deref() == of) {
            sorted.push(row);
            add(rows, Some(&row.project), sorted);
        }
    }
    let mut sorted = Vec::new();
    add(rows, None, &mut sorted);
    sorted
}

pub(crate) fn models(page: &mut TextPage<'_>, rows: &[ModelRow]) {
    let texts = page.texts();
    for row in rows {
        let (style, state) = match (&row.key_variable, row.key_present, row.reachable) {
            (_, _, Some(true)) => (GOOD, texts.get("model-answers")),
            (_, _, Some(false)) => (FAINT, texts.get("model-silent")),
            (Some(variable), false, None) => {
                let arguments = [("variable", variable.as_str().into()), ("provider", row.provider.as_str().into())];
                (FAINT, texts.fill("model-no-key", &arguments))
            }
            (Some(_), true, None) if row.key_source == Some(KeySource::File) => (GOOD, texts.get("model-has-kept-key")),
            (Some(variable), true, None) => {
                (GOOD, texts.fill("model-has-key", &[("variable", variable.as_str().into())]))
            }
            (None, _, None) => (GOOD, texts.get("model-ready")),
        };
        let dot = if style == FAINT { "○ " } else { "● " };
        page.lead(0, dot, style, style, &format!("{}  {state}", row.provider));
        page.labelled(4, "model-models", &row.models.join(&texts.get("list-comma")));
        if !row.base_url.is_empty() {
            page.labelled(4, "model-address", &row.base_url);
        }
        let mut served: BTreeMap<&str, Vec<String>> = BTreeMap::new();
        for (role, model) in &row.roles {
            served.entry(model).or_default().push(texts.word("agent", role));
        }
        for (model, roles) in served {
            page.labelled(4, "model-roles", &format!("{} ({model})", roles.join(&texts.get("list-comma"))));
        }
        for (model, day) in &row.retiring {
            let arguments = [("model", model.as_str().into()), ("day", day.as_str().into())];
            page.say(4, CARE, "model-retires", &arguments);
        }
    }
    page.gap();
    page.say(0, FAINT, "models-how", &[]);
}

pub(crate) fn genres(page: &mut TextPage<'_>, rows: &[GenreRow]) {
    let texts = page.texts();
    let header = ["id", "genre", "promise"].map(|key| texts.get(&format!("column-{key}")));
    let name = |row: &GenreRow| match row.own {
        true => format!("{} ({})", row.genre.name, texts.get("genre-own")),
        false => row.genre.name.clone(),
    };
    let lines: Vec<Vec<String>> =
        rows.iter().map(|row| vec![row.genre.id.clone(), name(row), row.genre.promise.clone()]).collect();
    page.table(&header, &lines, &[], &[0]);
    page.say(0, FAINT, "genres-how", &[]);
}

pub(crate) fn genre(page: &mut TextPage<'_>, genre: &Genre) {
    let texts = page.texts();
    page.line(&format!("{}  {}", paint(NAME.bold(), &genre.id), paint(STRONG, &genre.name)));
    page.gap();
    page.paragraph(0, PLAIN, &genre.promise);
    page.gap();
    let range = |(from, to): (u32, u32)| format!("{from}–{to}");
    let (chapters, words) = (range(genre.chapters), range(genre.chapter_words));
    let lengths = texts.fill("genre-lengths-are", &[("chapters", chapters.into()), ("words", words.into())]);
    let payoff = texts.fill("genre-payoff-is", &[("count", genre.payoff_every.into())]);
    let limits = genre.sequence;
    let pulls = texts.get(if limits.every_ending_pulls { "genre-endings-pull" } else { "genre-endings-may-rest" });
    let sequence = texts.fill(
        "genre-sequence-is",
        &[
            ("function", limits.same_function.into()),
            ("ending", limits.same_ending.into()),
            ("tension", limits.flat_tension.into()),
            ("pulls", pulls.into()),
        ],
    );
    for (key, text) in [
        ("genre-names", genre.names.join(", ")),
        ("genre-lengths", lengths),
        ("genre-payoff", payoff),
        ("genre-tension", genre.tension.clone()),
        ("genre-sequence", sequence),
        ("genre-tired", genre.tired.join(", ")),
    ] {
        page.labelled(0, key, &text);
    }
    for (key, list) in [
        ("genre-hooks", &genre.hooks),
        ("genre-payoffs", &genre.payoffs),
        ("genre-avoid", &genre.avoid),
        ("genre-ladder", &genre.ladder),
        ("genre-audit", &genre.audit),
    ] {
        if list.is_empty() {
            continue;
        }
        page.gap();
        page.say(0, STRONG, key, &[]);
        for item in list {
            page.paragraph(2, PLAIN, item);
        }
    }
}

pub(crate) fn rules(page: &mut TextPage<'_>, rows: &[RuleRow]) {
    let texts = page.texts();
    let header = ["code", "severity", "rule"].map(|key| texts.get(&format!("column-{key}")));
    let lines: Vec<Vec<String>> =
        rows.iter().map(|row| vec![row.code.clone(), severity(page, row), row.name.clone()]).collect();
    page.table(&header, &lines, &[], &[0]);
    page.say(0, FAINT, "rules-how", &[]);
}

pub(crate) fn rule(page: &mut TextPage<'_>, row: &RuleRow) {
    let severity = severity(page, row);
    page.line(&format!("{}  {}  {}", paint(NAME.bold(), &row.code), paint(STRONG, &row.name), paint(CARE, &severity)));
    page.gap();
    page.paragraph(0, PLAIN, &row.explanation);
    example(page, "rule-fires", WRONG, &row.fires);
    example(page, "rule-spares", GOOD, &row.spares);
    page.gap();
    page.say(0, FAINT, "rule-story", &[]);
}

fn example(page: &mut TextPage<'_>, key: &str, style: Style, example: &RuleExample) {
    page.gap();
    page.say(0, style.bold(), key, &[]);
    page.paragraph(2, PLAIN, &example.note);
}

fn severity(page: &TextPage<'_>, row: &RuleRow) -> String {
    row.severity.map_or_else(|| page.texts().get("rule-off"), |severity| page.texts().word("severity", severity))
}

/// Draws the provenance of pieces; pieces of the same call are grouped.
pub(crate) fn provenance(page: &mut TextPage<'_>, rows: &[PieceProvenance]) {
    let texts = page.texts();
    page.heading(&texts.get("provenance-title"));
    let call = |row: &PieceProvenance| {
        (row.made.run.clone(), row.made.agent.clone(), row.made.prompt_hash.clone(), moment(row.at))
    };
    for group in rows.chunk_by(|a, b| call(a) == call(b)) {
        let [first, ..] = group else { continue };
        let prompt = first.made.prompt_hash.as_deref().map(|hash| hash.chars().take(8).collect::<String>());
        let facts = [
            first.made.model.clone(),
            Some(texts.fill("agent-tokens", &[("tokens", grouped(first.made.tokens).into())])),
            prompt.map(|prompt| texts.fill("provenance-prompt", &[("prompt", prompt.into())])),
            first.made.run.as_deref().map(|run| source(texts, run)),
            Some(moment(first.at)),
        ];
        let facts = facts.into_iter().flatten().collect::<Vec<_>>().join(" · ");
        page.lead(0, &format!("{}  ", texts.word("agent", &first.made.agent)), NAME, FAINT, &facts);
        let pieces: Vec<(&str, &str)> = group.iter().map(|row| (row.kind.as_str(), row.name.as_str())).collect();
        page.paragraph(4, PLAIN, &called(texts, &pieces, usize::MAX));
    }
}

/// Draws the numbered reasoning; the agent name at the start of a line is translated.
pub(crate) fn reasoning(page: &mut TextPage<'_>, lines: &[String]) {
    let texts = page.texts();
    page.heading(&texts.get("reasoning-title"));
    if lines.is_empty() {
        return page.say(2, FAINT, "nothing-yet", &[]);
    }
    for (number, line) in lines.iter().enumerate() {
        let lead = format!("{}. ", number + 1);
        let worded = line.split_once(':').and_then(|(agent, rest)| {
            let known = texts.find(&format!("agent-{}", agent.trim().replace('_', "-")), &[])?;
            Some(format!("{}{}", texts.fill("label", &[("name", known.into())]), rest.trim()))
        });
        page.lead(0, &lead, FAINT, PLAIN, worded.as_deref().unwrap_or(line));
    }
}

/// Formats tokens, calls and price on one line.
pub(crate) fn spent(texts: &LocalizedTexts, usage: &UsageView) -> String {
    [tokens_and_calls(texts, usage), price(texts, usage)].join(&texts.get("list-semicolon"))
}

fn tokens_and_calls(texts: &LocalizedTexts, usage: &UsageView) -> String {
    let UsageView { input, cached, output, estimated, .. } = *usage;
    let counted = numbers::tokens(texts, &Usage { input, cached, output, estimated, ..Usage::default() });
    [counted, texts.fill("usage-calls", &[("calls", usage.calls.into())])].join(&texts.get("list-semicolon"))
}

fn price(texts: &LocalizedTexts, usage: &UsageView) -> String {
    if usage.calls == 0 {
        return numbers::cost(texts, Some(0), "");
    }
    let cost = usage.cost.as_ref();
    numbers::cost(texts, cost.map(|cost| cost.micros), cost.map_or("", |cost| &cost.currency))
}

/// Draws the usage in tokens and money, by agent.
pub(crate) fn usage(page: &mut TextPage<'_>, usage: &UsageView) {
    let texts = page.texts();
    page.labelled(2, "usage-tokens-label", &tokens_and_calls(texts, usage));
    page.labelled(2, "usage-cost-label", &price(texts, usage));
    let agents: Vec<String> = usage
        .by_agent
        .iter()
        .filter(|(_, tokens)| **tokens > 0)
        .map(|(agent, tokens)| format!("{} {}", texts.word("agent", agent), grouped(*tokens)))
        .collect();
    page.labelled(2, "usage-by-agent-label", &agents.join(&texts.get("list-comma")));
}
