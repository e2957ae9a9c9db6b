//! Model listings, keys and tests.

use qingyu_studio::{KeySource, ModelKeyRow, ModelListing, ModelTrial, TrialAnswer};

use super::failure::FailureText;
use super::page::{CARE, FAINT, GOOD, PLAIN, TextPage, WRONG};

/// Draws the models listed by the providers for the available keys.
pub(crate) fn listings(page: &mut TextPage<'_>, rows: &[ModelListing]) {
    let texts = page.texts();
    for row in rows {
        match &row.failure {
            None => {
                let count = row.models.len();
                let state = texts.fill("model-listed", &[("count", count.into())]);
                page.lead(0, "● ", GOOD, GOOD, &format!("{}  {state}", row.provider));
                page.paragraph(4, PLAIN, &row.models.join(&texts.get("list-comma")));
            }
            Some(failure) => {
                let worded = FailureText::of(texts, failure);
                page.lead(0, "● ", WRONG, WRONG, &format!("{}  {}", row.provider, worded.message));
                if let Some(hint) = worded.hint {
                    page.lead(4, "→ ", WRONG, PLAIN, &hint);
                }
            }
        }
    }
    if rows.is_empty() {
        page.say(0, FAINT, "model-no-keys", &[]);
    }
}

/// Draws the current source of a provider's key.
pub(crate) fn key(page: &mut TextPage<'_>, row: &ModelKeyRow) {
    let (style, text) = match row.source {
        Some(KeySource::File) => (GOOD, "model-key-kept"),
        Some(KeySource::Environment) => (CARE, "model-key-environment"),
        None => (FAINT, "model-key-gone"),
    };
    page.say(0, style, text, &[("provider", row.provider.as_str().into())]);
}

/// Draws the result of a model test.
pub(crate) fn trial(page: &mut TextPage<'_>, trial: &ModelTrial) {
    let texts = page.texts();
    let (mark, style, verdict) =
        if trial.works { ("✓ ", GOOD, "model-works") } else { ("✗ ", WRONG, "model-works-not") };
    page.lead(0, mark, style, style, &texts.fill(verdict, &[("model", trial.model.as_str().into())]));
    if !trial.address.is_empty() {
        page.labelled(2, "model-address", &trial.address);
    }
    answer(page, "trial-text", &trial.text);
    if let Some(json) = &trial.json {
        answer(page, "trial-json", json);
    }
    if let Some(day) = trial.retires {
        page.say(2, CARE, "model-retires", &[("model", trial.model.as_str().into()), ("day", day.to_string().into())]);
    }
}

fn answer(page: &mut TextPage<'_>, label: &str, answer: &TrialAnswer) {
    let texts = page.texts();
    match &answer.failure {
        None => {
            let took = texts.fill(
                "trial-took",
                &[
                    ("seconds", format!("{:.1}", answer.millis as f64 / 1000.0).into()),
                    ("tokens", (answer.usage.input + answer.usage.output).into()),
                ],
            );
            page.labelled(2, label, &format!("{}  {took}", answer.said));
        }
        Some(failure) => {
            let worded = FailureText::of(texts, failure);
            page.labelled(2, label, &worded.message);
            if let Some(hint) = worded.hint {
                page.lead(2, "→ ", WRONG, PLAIN, &hint);
            }
        }
    }
}
