//! Replays, estimates, spending and prices.

use qingyu_studio::agents::forecast::Range;
use qingyu_studio::agents::progress::Progress;
use qingyu_studio::llm::Prices;
use qingyu_studio::llm::cassette::Difference;
use qingyu_studio::replay::ReplayedRun;
use qingyu_studio::{
    ChangedPiece, Cost, CostRange, Forecast, ForecastLine, ReplayReport, SpendingBy, SpendingReport, SpendingRow,
    StudioEvent, StudioEventKind,
};

use super::failure::FailureText;
use super::lists;
use super::numbers::{self, grouped};
use super::page::{CARE, FAINT, GOOD, NAME, PLAIN, STRONG, TextPage, WRONG};
use super::wrap::shorten;
use crate::screen::Screen;
use crate::texts::LocalizedTexts;

/// Maximum number of pieces and of calls listed.
const PIECES: usize = 12;
/// Maximum displayed length of a requirement or reason.
const EXCERPT: usize = 60;

/// Reports each live model call on standard error, since live calls take time; replayed calls are skipped.
pub(crate) fn tell(screen: &Screen, event: &StudioEvent, calls: &mut usize) {
    let StudioEventKind::Progress(Progress::Called { purpose, model, replayed: false, .. }) = &event.kind else {
        return;
    };
    *calls += 1;
    let texts = screen.texts();
    let arguments =
        [("number", (*calls).into()), ("purpose", purpose.as_str().into()), ("model", model.as_str().into())];
    if !screen.json() {
        screen.note(&format!("{}\n", texts.fill("replay-asked", &arguments)));
    }
}

pub(crate) fn replay(page: &mut TextPage<'_>, replay: &ReplayReport, is_variant: bool) {
    for run in &replay.runs {
        replayed_run(page, run, is_variant);
    }
    if replay.spent.calls > 0 {
        page.labelled(0, "replay-spent", &lists::spent(page.texts(), &replay.spent));
    }
    if let Some(project) = &replay.project {
        let text = page.texts().fill("replay-kept", &[("project", project.as_str().into())]);
        page.paragraph(0, PLAIN, &text);
    }
}

fn replayed_run(page: &mut TextPage<'_>, run: &ReplayedRun, is_variant: bool) {
    let texts = page.texts();
    page.gap();
    let lead = format!("{}  ", run.recorded);
    let about = format!("{} · {}", texts.word("run-kind", &run.kind), shorten(&run.requirement, EXCERPT));
    page.lead(0, &lead, NAME, STRONG, &about);
    let (played, asked) = run.counts();
    let counts = [("played", played.into()), ("asked", asked.into())];
    page.say(2, PLAIN, "replay-calls", &counts);
    for call in run.calls.iter().filter(|call| call.asked.is_some()).take(PIECES) {
        let why = shorten(call.asked.as_deref().unwrap_or_default(), EXCERPT);
        page.lead(4, &format!("{}  ", call.purpose), NAME, FAINT, &format!("{} · {why}", call.model));
    }
    let (style, key) = match (run.identical, is_variant) {
        (Some(true), _) => (GOOD, "replay-identical"),
        (Some(false), true) => (CARE, "replay-differs"),
        (Some(false), false) => (WRONG, "replay-not-identical"),
        (None, _) => (CARE, "replay-unknown"),
    };
    page.say(2, style, key, &[]);
    if let Some(failure) = &run.failure {
        let worded = FailureText::of(texts, failure);
        page.lead(2, "✗ ", WRONG, PLAIN, &worded.message);
    }
    if !run.changed_prompts.is_empty() {
        page.labelled(2, "replay-prompts", &run.changed_prompts.join(&texts.get("list-comma")));
    }
    if let Some(embedder) = &run.embedder {
        page.say(2, CARE, "replay-embedder", &[("embedder", embedder.as_str().into())]);
    }
    if !run.unplayed.is_empty() && asked == 0 {
        page.labelled(2, "replay-unplayed", &run.unplayed.join(&texts.get("list-comma")));
    }
    pieces(page, run);
    if run.pieces.is_empty() {
        places(page, 2, &run.differences);
    }
}

fn pieces(page: &mut TextPage<'_>, run: &ReplayedRun) {
    run.pieces.iter().take(PIECES).for_each(|changed| piece(page, changed));
    if run.pieces.len() > PIECES {
        page.say(2, FAINT, "replay-more", &[("count", (run.pieces.len() - PIECES).into())]);
    }
}

fn piece(page: &mut TextPage<'_>, piece: &ChangedPiece) {
    let texts = page.texts();
    let action = texts.word("piece-action", piece.action);
    let text = format!("{} {}", texts.word("piece", &piece.kind), piece.label);
    page.lead(2, &format!("{action}  "), CARE, PLAIN, &text);
    places(page, 4, &piece.differences);
}

fn places(page: &mut TextPage<'_>, indent: usize, places: &[Difference]) {
    for place in places {
        page.paragraph(indent, FAINT, &place.path);
        page.lead(indent + 2, "- ", WRONG, PLAIN, &place.recorded);
        page.lead(indent + 2, "+ ", GOOD, PLAIN, &place.now);
    }
}

pub(crate) fn forecast(page: &mut TextPage<'_>, forecast: &Forecast) {
    let texts = page.texts();
    if forecast.rows.is_empty() {
        return page.say(0, GOOD, "estimate-asks-nobody", &[]);
    }
    if !forecast.chapters.is_empty() {
        let arguments = [("count", forecast.chapters.len().into())];
        page.say(0, PLAIN, "estimate-chapters", &arguments);
    }
    let header =
        ["purpose", "calls", "input", "cached", "output", "price"].map(|key| texts.get(&format!("column-{key}")));
    let mut rows: Vec<Vec<String>> = forecast.rows.iter().map(|line| forecast_row(texts, line)).collect();
    let sums: Vec<String> = forecast.costs.iter().map(|cost| likely(texts, cost)).collect();
    rows.push(vec![
        texts.get("estimate-total"),
        String::new(),
        grouped(forecast.input.likely),
        grouped(forecast.cached.likely),
        grouped(forecast.output.likely),
        sums.join(" + "),
    ]);
    page.table(&header, &rows, &[1, 2, 3, 4, 5], &[0]);
    let tokens = |of: fn(&Range) -> u64| grouped(of(&forecast.input) + of(&forecast.output));
    let arguments = [("least", tokens(|range| range.least).into()), ("most", tokens(|range| range.most).into())];
    page.say(0, PLAIN, "estimate-range", &arguments);
    for cost in forecast.costs.iter().filter(|cost| cost.micros.most > 0) {
        let amount = |micros| numbers::cost(texts, Some(micros), &cost.currency);
        let arguments = [("least", amount(cost.micros.least).into()), ("most", amount(cost.micros.most).into())];
        page.say(0, PLAIN, "estimate-money", &arguments);
    }
    if !forecast.unpriced.is_empty() {
        let models = forecast.unpriced.join(&texts.get("list-comma"));
        page.say(0, CARE, "estimate-unpriced", &[("models", models.into())]);
    }
    page.say(0, FAINT, "estimate-how", &[]);
}

fn forecast_row(texts: &LocalizedTexts, line: &ForecastLine) -> Vec<String> {
    let ForecastLine { row, cost, .. } = line;
    vec![
        purpose(texts, &row.purpose),
        spread(&row.calls),
        grouped(row.input.likely),
        grouped(row.cached.likely),
        grouped(row.output.likely),
        cost.as_ref().map_or_else(|| texts.get("cost-unknown"), |cost| likely(texts, cost)),
    ]
}

fn likely(texts: &LocalizedTexts, cost: &CostRange) -> String {
    numbers::cost(texts, Some(cost.micros.likely), &cost.currency)
}

fn spread(range: &Range) -> String {
    match range.least == range.most {
        true => range.likely.to_string(),
        false => format!("{} ({}–{})", range.likely, range.least, range.most),
    }
}

pub(crate) fn spending(page: &mut TextPage<'_>, report: &SpendingReport) {
    let texts = page.texts();
    if report.total.calls == 0 && report.total.replayed == 0 {
        page.say(0, FAINT, "spending-none", &[]);
    } else {
        let by = texts.word("spending-by", report.by);
        let columns = ["calls", "input", "cached", "output", "price"].map(|key| texts.get(&format!("column-{key}")));
        let header: Vec<String> = std::iter::once(by).chain(columns).collect();
        let line = |row: &SpendingRow, name: String| {
            vec![
                name,
                row.calls.to_string(),
                grouped(row.input),
                grouped(row.cached),
                grouped(row.output),
                money(texts, row),
            ]
        };
        let name = |row: &SpendingRow| match (report.by, row.key.as_str()) {
            (_, "") => texts.get("spending-other"),
            (SpendingBy::Agent, agent) => texts.word("agent", agent),
            (SpendingBy::Purpose, key) => purpose(texts, key),
            (SpendingBy::Chapter, chapter) => texts.fill("spending-chapter", &[("chapter", chapter.into())]),
            (_, key) => key.to_owned(),
        };
        let mut rows: Vec<Vec<String>> = report.rows.iter().map(|row| line(row, name(row))).collect();
        rows.push(line(&report.total, texts.get("estimate-total")));
        page.table(&header, &rows, &[1, 2, 3, 4, 5], &[0]);
        if report.total.replayed > 0 {
            page.say(0, FAINT, "spending-replayed", &[("calls", report.total.replayed.into())]);
        }
    }
    let today = &report.today;
    let arguments = [("tokens", grouped(today.input + today.output).into()), ("money", money(texts, today).into())];
    page.say(0, PLAIN, "spending-today", &arguments);
}

/// Returns the purpose of a call as a reader calls it; one without a text is its code.
fn purpose(texts: &LocalizedTexts, code: &str) -> String {
    let key = code.replace('.', "_");
    let word = texts.word("purpose", &key);
    if word == key { code.to_owned() } else { word }
}

/// Formats the money of a row, noting unknown prices.
fn money(texts: &LocalizedTexts, row: &SpendingRow) -> String {
    let amount = |cost: &Cost| numbers::cost(texts, Some(cost.micros), &cost.currency);
    let mut parts: Vec<String> = row.costs.iter().map(amount).collect();
    if row.unpriced > 0 {
        parts.push(texts.get("cost-unknown"));
    }
    if parts.is_empty() { texts.get("cost-free") } else { parts.join(" + ") }
}

pub(crate) fn prices(page: &mut TextPage<'_>, prices: &Prices) {
    let texts = page.texts();
    let header =
        ["model", "currency", "input", "cached", "output", "date"].map(|key| texts.get(&format!("column-{key}")));
    let number = |price: f64| format!("{price}");
    let rows: Vec<Vec<String>> = prices
        .iter()
        .map(|(name, price)| {
            vec![
                name.to_owned(),
                price.currency.clone(),
                number(price.input),
                price.cached.map_or_else(|| "–".to_owned(), number),
                number(price.output),
                price.date.clone(),
            ]
        })
        .collect();
    page.table(&header, &rows, &[2, 3, 4], &[0]);
    page.say(0, FAINT, "prices-how", &[]);
}

#[cfg(test)]
mod tests {
    use qingyu_studio::story::Language;

    use super::*;

    #[test]
    fn a_purpose_is_called_by_its_text() {
        let zh = LocalizedTexts::new(Language::Zh);
        assert_eq!(purpose(&zh, "chapter.review"), "审读本章");
        assert_eq!(purpose(&zh, "text_review.judge"), "文本审核");
        assert_eq!(purpose(&zh, "own.text"), "own.text");
    }
}
