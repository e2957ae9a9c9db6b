//! Facts of kinship: their sentences, and findings about two of them.

use super::FindingDraft;
use super::claims::{contradiction, take_out};
use crate::language::has_any;
use crate::truth::{GroundTruth, StatementBasis, TruthStatement};

/// Words for additional parents, and for former spouses.
const OTHERS: &[&str] = &[
    "养", "继", "义", "岳", "干爹", "干妈", "干娘", "干女", "干儿", "公公", "婆婆", "师父", "教父", "祖", "养父",
    "前妻", "前夫", "改嫁", "再嫁", "再婚", "离婚", "和离", "休了", "亡夫", "亡妻", "续弦", "late", "former", "first",
    "second", "third",
];
/// Beginnings of English words for them.
const OTHER_BEGINNINGS: [&str; 10] =
    ["step", "foster", "adopt", "in-law", "grand", "god", "divorc", "ex-", "widow", "remarr"];

/// Returns whether a sentence in lower case speaks of foster parents and the like, or of former spouses.
pub(super) fn is_of_others(text: &str) -> bool {
    let begins = |word: &str| {
        let mut found = text.match_indices(word).map(|(at, _)| at);
        found.any(|at| !text[..at].ends_with(|c: char| c.is_ascii_alphanumeric()))
    };
    has_any(text, OTHERS) || OTHER_BEGINNINGS.into_iter().any(begins)
}

/// Returns whether a fact of the story makes the statement.
pub(super) fn is_fact(one: &TruthStatement<'_>) -> bool {
    matches!(one.basis, StatementBasis::Fact(_))
}

/// Iterates over the narrated facts of a relation, without those that deny it.
pub(super) fn told_facts<'t, 's>(
    truth: &'t GroundTruth<'s>,
    word: &'static str,
) -> impl Iterator<Item = &'t TruthStatement<'s>> {
    let all = truth.term(word).into_iter().flat_map(move |term| truth.with_term(term));
    all.filter(|one| is_fact(one) && one.is_narrated() && !one.is_denied())
}

/// Returns the sentence of a fact in lower case; empty without one.
pub(super) fn quote_of(truth: &GroundTruth<'_>, one: &TruthStatement<'_>) -> String {
    truth.quote(one).to_lowercase()
}

/// Returns the draft for two statements about two people.
pub(super) fn draft<'s>(
    truth: &GroundTruth<'s>,
    first: &TruthStatement<'s>,
    second: &TruthStatement<'s>,
) -> FindingDraft {
    let draft = contradiction(truth, (first, second))
        .say("one", truth.registry.name(first.subject))
        .say("other", first.object.map(|object| truth.registry.name(object)).unwrap_or_default());
    take_out(truth, draft, [second, first])
}
