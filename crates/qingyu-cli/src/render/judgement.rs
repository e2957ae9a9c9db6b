//! What a model says on top of an analysis or a review.

use qingyu_studio::Outcome;
use qingyu_studio::agents::service::analysis::Judgement;
use qingyu_studio::agents::service::text_review::Doubt;
use qingyu_studio::text::report::Review;
use serde::Deserialize;
use serde_json::Value;

use super::page::{CARE, FAINT, GOOD, NAME, PLAIN, Page};

/// Draws where the judgement begins.
pub(crate) fn heading(page: &mut Page<'_>) {
    page.gap();
    let heading = page.texts().get("judgement-heading");
    page.heading(&heading);
}

/// Says that there is none.
pub(crate) fn none(page: &mut Page<'_>) {
    page.say(2, FAINT, "judgement-none", &[]);
}

/// Draws the verdict on each aspect, with the figures it rests on and the sentences that show it.
pub(crate) fn analysis(page: &mut Page<'_>, data: &Value) {
    let Ok(judgement) = Judgement::deserialize(&data["judgement"]) else { return none(page) };
    for verdict in &judgement.aspects {
        // The agent lets no other aspects through than those that were asked for.
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

/// Draws what a model doubts about the words that were found, by their numbers.
pub(crate) fn review(page: &mut Page<'_>, review: &Review, data: &Value) {
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

/// Draws what went on in a simpler way, and which run it was.
pub(crate) fn ending(page: &mut Page<'_>, outcome: &Outcome) {
    for warning in &outcome.warnings {
        page.lead(2, "! ", CARE, CARE, warning);
    }
    page.labelled(2, "judgement-run", &outcome.run);
}
