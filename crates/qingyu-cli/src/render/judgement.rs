//! A model's judgement added to an analysis or a review.

use qingyu_studio::Outcome;
use qingyu_studio::agents::service::analysis::Judgement;
use qingyu_studio::agents::service::text_review::Doubt;
use qingyu_studio::text::report::Review;
use serde::Deserialize;
use serde_json::Value;

use super::page::{CARE, FAINT, GOOD, NAME, PLAIN, TextPage};

/// Draws the heading of the judgement.
pub(crate) fn heading(page: &mut TextPage<'_>) {
    page.gap();
    let heading = page.texts().get("judgement-heading");
    page.heading(&heading);
}

/// Draws a note about a missing judgement.
pub(crate) fn none(page: &mut TextPage<'_>) {
    page.say(2, FAINT, "judgement-none", &[]);
}

/// Draws the verdict on each aspect, with the supporting measurements and sentences.
pub(crate) fn analysis(page: &mut TextPage<'_>, data: &Value) {
    let Ok(judgement) = Judgement::deserialize(&data["judgement"]) else { return none(page) };
    for verdict in &judgement.aspects {
        // The agent only returns the requested aspects.
        let aspect = page.texts().get(&format!("figures-{}", verdict.aspect));
        page.lead(2, &format!("{aspect}  "), NAME, PLAIN, verdict.verdict.trim());
        page.labelled(4, "judgement-figures", &verdict.figures.join(", "));
        for quote in &verdict.quotes {
            page.lead(4, "> ", FAINT, FAINT, quote);
        }
    }
    if !judgement.suggestions.is_empty() {
        page.say(2, PLAIN.bold(), "judgement-suggestions", &[]);
        for suggestion in &judgement.suggestions {
            page.lead(4, "- ", FAINT, PLAIN, suggestion);
        }
    }
}

/// Draws the model's doubts about the words found, by number.
pub(crate) fn review(page: &mut TextPage<'_>, review: &Review, data: &Value) {
    if review.sensitive.is_empty() {
        return page.say(2, FAINT, "judgement-no-words", &[]);
    }
    let Ok(doubts) = Vec::<Doubt>::deserialize(&data["doubts"]) else { return none(page) };
    if doubts.is_empty() {
        return page.say(2, FAINT, "judgement-no-doubts", &[]);
    }
    for doubt in &doubts {
        let Some(hit) = doubt.number.checked_sub(1).and_then(|at| review.sensitive.get(at)) else { continue };
        let (style, key) = if doubt.harmless { (GOOD, "judgement-harmless") } else { (CARE, "judgement-problem") };
        let means = page.texts().get(key);
        page.lead(2, &format!("{}  ", hit.text), style, PLAIN, &format!("{means}: {}", doubt.why));
    }
}

/// Draws the warnings of the judging run, and its id.
pub(crate) fn ending(page: &mut TextPage<'_>, outcome: &Outcome) {
    for warning in &outcome.warnings {
        page.lead(2, "! ", CARE, CARE, warning);
    }
    page.labelled(2, "judgement-run", &outcome.run);
}
