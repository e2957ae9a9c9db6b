//! The facts that only a few people know, divided between the section with the people who do not know them and the section of
//! what is so.

use qingyu_llm::estimate;

use super::known::{self, FactLine};
use super::limit;
use crate::labels::Labels;

/// Divides facts that are kept from people who are present, in order of importance: first those that are told with the people
/// who do not know them, lies before others, as many as there is room for; then the lasting ones and those without room, which
/// name only the people who know them.
pub(super) fn divided(
    kept: Vec<FactLine>,
    here: &[String],
    words: &Labels,
    tokens: u64,
) -> (Vec<FactLine>, Vec<FactLine>) {
    let (lasting, others): (Vec<FactLine>, Vec<FactLine>) = kept.into_iter().partition(|fact| fact.is_lasting);
    let mut others = known::distinct(&others, here);
    others.sort_by_key(|fact| (!fact.is_near, !fact.is_lie));
    let mut used = 0;
    let has_room = |fact: &FactLine| {
        let cost = cost(fact, here, words);
        let fits = used + cost <= tokens;
        used += if fits { cost } else { 0 };
        fits
    };
    let (told, left): (Vec<FactLine>, Vec<FactLine>) = others.into_iter().partition(has_room);
    (told, lasting.into_iter().chain(left).map(|fact| with_knowers(fact, words)).collect())
}

/// Returns the tokens for the facts without people who do not know them: as many more as the two parts of [`divided`] allow.
pub(super) fn room_for_facts(told: &[FactLine], shared: &[FactLine], here: &[String], words: &Labels) -> u64 {
    let used: u64 = told.iter().map(|fact| cost(fact, here, words)).sum();
    let wanted: u64 = shared.iter().map(|fact| cost(fact, here, words)).sum();
    limit::FACTS + wanted.min(limit::KNOWLEDGE.saturating_sub(used))
}

/// Returns the tokens of the line of a fact with the people who know it.
fn cost(fact: &FactLine, here: &[String], words: &Labels) -> u64 {
    estimate::tokens(&fact.known_line(here, words)) + 2
}

/// Returns a fact whose statement names the people who know it by the texts. Others who were near are left out: they may know.
fn with_knowers(mut fact: FactLine, words: &Labels) -> FactLine {
    let says_so = fact.is_learnt && fact.knowers.iter().all(|who| *who == fact.subject);
    if !says_so && !fact.knowers.is_empty() {
        let remark = words.remark(&words.knows(&fact.knowers, &[]));
        fact.says.push_str(&remark);
    }
    fact
}
