//! Counts that differ from the count of an earlier chapter or of a card, without a change told by the text.

use std::borrow::Cow;
use std::collections::BTreeSet;

use rustc_hash::{FxHashMap, FxHashSet};

use super::reconciler::Reconciler;
use super::values::same_value;
use crate::card_count::count_in;
use crate::names::fold;
use crate::piece::{Piece, PieceKind};
use crate::predicate::{self, PredicateRole, word};
use crate::settlement::extraction::ToldFact;
use crate::settlement::fact_index::FactPositions;
use crate::{Fact, Mode, Story};

/// Parts of predicates outside the vocabulary that count something.
const COUNTING: [&str; 27] = [
    "人手",
    "欠",
    "债",
    "members",
    "hands",
    "debt",
    "owes",
    "数",
    "有",
    "养",
    "存",
    "余",
    "剩",
    "共",
    "库",
    "count",
    "number",
    "has",
    "have",
    "keep",
    "owns",
    "stock",
    "left",
    "remain",
    "remains",
    "remaining",
    "keeps",
];
/// The word of the vocabulary for the number of people of a place or household.
const POPULATION: &str = "population";
/// Words of a sentence that tell a change.
const CHANGING: [&str; 37] = [
    "又", "添", "多了", "少了", "只剩", "剩下", "还剩", "死了", "卖", "买", "丢", "孵", "增", "减", "送", "偷", "杀",
    "生了", "涨", "变成", "如今", "another", "more", "fewer", "only", "now", "left", "bought", "sold", "lost", "died",
    "hatched", "added", "gave", "took", "stole", "new",
];

impl Reconciler<'_> {
    /// Returns the number told last by an earlier chapter for the same count, or else that of the subject's card, if it differs
    /// and nothing says that the count has changed: neither the sentence, nor gains and expenses of the subject. `known`
    /// returns the positions of the other facts with the same subject and predicate; `moving` are subjects with gains and
    /// expenses.
    pub(super) fn earlier_count(
        &self,
        fact: &Fact,
        said: &ToldFact,
        known: impl FnOnce() -> BTreeSet<usize>,
        moving: &FxHashSet<String>,
    ) -> Option<Cow<'_, Fact>> {
        let is_told_as_change = tells_change(&said.quote) || !said.from.trim().is_empty();
        if !is_count(fact) || is_told_as_change || moving.contains(&fact.subject) || self.was_accepted(fact) {
            return None;
        }
        let orders = self.orders.get_or_init(|| document_orders(self.story));
        let order = |other: &Fact| {
            let source = other.source.as_ref();
            source.and_then(|source| orders.get(source.document.trim())).copied().unwrap_or_default()
        };
        let is_same_count =
            |other: &&Fact| is_count(other) && other.object == fact.object && fold(&other.unit) == fold(&fact.unit);
        let earlier = known().into_iter().map(|at| &self.story.facts[at]).filter(is_same_count);
        let earlier = earlier.map(|other| (order(other), other));
        let last = earlier.filter(|(order, _)| *order < self.document.order).max_by_key(|(order, _)| *order);
        let Some((_, last)) = last else { return self.count_on_card(fact).map(Cow::Owned) };
        // Two amounts without any time are a finding.
        let is_finding = predicate::find(&fact.predicate).is_some() && last.from.is_empty() && fact.from.is_empty();
        (!is_finding && !same_value(last, fact)).then_some(Cow::Borrowed(last))
    }

    /// Returns the number on the card of a place, thing or organisation for the same count, if it differs. A card that the
    /// document made is not compared.
    fn count_on_card(&self, fact: &Fact) -> Option<Fact> {
        let names = self.cast.names();
        let kinds = [PieceKind::Organisation, PieceKind::Location, PieceKind::Item];
        let card = kinds.into_iter().find_map(|kind| names.resolve(kind, &fact.subject))?;
        if fact.object.is_some() || self.cast.is_own(card.kind, card.position) {
            return None;
        }
        let description = match self.story.piece(card.kind, card.position)? {
            Piece::Organisation(card) => card.description,
            Piece::Location(card) => card.description,
            Piece::Item(card) => card.description,
            _ => return None,
        };
        let predicate = predicate::written_or_shown(&fact.predicate, self.story.language);
        let number = count_in(&description, &predicate, &fact.unit)?.number;
        let is_other = fact.value.as_f64().is_some_and(|told| told.total_cmp(&f64::from(number)).is_ne());
        is_other.then(|| Fact { value: number.into(), unit: fact.unit.clone(), ..Fact::default() })
    }

    /// Returns the subjects of `told` with gains and expenses, in the story or in `told`.
    pub(super) fn moving<'f>(&self, told: impl Iterator<Item = &'f Fact>) -> FxHashSet<String> {
        let (mut moving, mut seen) = (FxHashSet::default(), FxHashSet::default());
        let is_known = |subject: &str| {
            let of_words = self.facts.of(subject).into_iter().flatten().filter(|(word, _)| moves(word));
            of_words.flat_map(|(_, positions)| positions.all()).any(|at| !self.is_own(*at))
        };
        for fact in told {
            if seen.insert(fact.subject.as_str()) && is_known(&fact.subject) || moves(&fact.predicate) {
                moving.insert(fact.subject.clone());
            }
        }
        moving
    }

    /// Returns whether an earlier settlement made the same fact from the document.
    fn was_accepted(&self, fact: &Fact) -> bool {
        let positions = self.facts.of(&fact.subject).and_then(|words| words.get(&word(&fact.predicate)));
        positions
            .into_iter()
            .flat_map(FactPositions::all)
            .any(|at| self.is_own(*at) && same_value(&self.story.facts[*at], fact))
    }

    /// Returns whether the fact at the position was made from the document.
    fn is_own(&self, position: usize) -> bool {
        self.own.contains(self.story.facts[position].id.as_str())
    }
}

/// Returns the places of the texts in reading order, by id and title; of equal names, the first counts.
fn document_orders(story: &Story) -> FxHashMap<&str, u32> {
    let mut orders = FxHashMap::default();
    for document in &story.documents {
        orders.entry(document.id.as_str()).or_insert(document.order);
        orders.entry(document.title.as_str()).or_insert(document.order);
    }
    orders
}

/// Returns whether a predicate tells of a gain or an expense.
fn moves(predicate: &str) -> bool {
    let role = predicate::find(predicate).and_then(|word| word.role);
    matches!(role, Some(PredicateRole::Gain | PredicateRole::Spending))
}

/// Returns whether a fact is the narrated count of something: an amount, a population, or a whole number with a predicate
/// outside the vocabulary that counts.
fn is_count(fact: &Fact) -> bool {
    let is_whole = fact.value.as_f64().is_some_and(|number| number.fract() == 0.0);
    let counts = match predicate::find(&fact.predicate) {
        Some(word) => word.role == Some(PredicateRole::Amount) || word.name == POPULATION,
        None => has_any(&fold(&fact.predicate), &COUNTING),
    };
    is_whole && counts && fact.mode == Mode::Narrated
}

fn tells_change(quote: &str) -> bool {
    has_any(&fold(quote), &CHANGING)
}

/// Returns whether a folded text has one of the words: a Chinese word anywhere, an English one as a whole word.
fn has_any(folded: &str, words: &[&str]) -> bool {
    let whole: Vec<&str> = folded.split(|c: char| !c.is_alphanumeric()).collect();
    words.iter().any(|word| if word.is_ascii() { whole.contains(word) } else { folded.contains(word) })
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::is_count;
    use crate::Fact;

    #[test]
    fn a_predicate_counts_by_a_whole_english_word() {
        let counts = |word: &str| {
            is_count(&Fact { subject: "Mara".into(), predicate: word.into(), value: json!(3), ..Fact::default() })
        };
        assert_eq!(["has_sheep", "number of sheep", "羊的数目"].map(counts), [true; 3]);
        assert_eq!(["phase", "behaves", "leftover", "discount"].map(counts), [false; 4]);
    }
}
