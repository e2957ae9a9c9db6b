//! The texts of a prompt, to be compared with further sentences, so that no section repeats another.

use std::collections::BTreeSet;

use qingyu_production::topic::terms;
use qingyu_story::excerpt::sentence_ends;

/// Minimum number of terms of a sentence that is compared by its terms; a shorter one is compared by its letters alone.
const LEAST: usize = 3;

/// The share of a sentence's terms from which a text says the same.
#[derive(Debug, Clone, Copy)]
pub(super) struct TermShare {
    part: usize,
    whole: usize,
}

/// The share for a sentence that retells another one, such as the description of an event that the outline has.
pub(super) const RETOLD: TermShare = TermShare { part: 3, whole: 5 };
/// The share for a sentence whose loss must not change the plan, and for a secret that the outline tells.
pub(super) const SAME: TermShare = TermShare { part: 4, whole: 5 };

/// The words of texts, to be compared with other sentences.
#[derive(Debug, Default)]
pub(super) struct ToldText {
    /// Letters and digits alone in lower case, a line per text.
    letters: String,
    terms: BTreeSet<String>,
    numbers: BTreeSet<String>,
}

impl ToldText {
    pub(super) fn of<'t>(texts: impl IntoIterator<Item = &'t str>) -> Self {
        let mut told = Self::default();
        for text in texts {
            told.letters.push_str(&letters(text));
            told.letters.push('\n');
            told.terms.extend(terms(text));
            told.numbers.extend(numbers(text));
        }
        told
    }

    /// Returns whether the texts contain `claim` verbatim, apart from case, spaces and punctuation.
    pub(super) fn quotes(&self, claim: &str) -> bool {
        let claim = letters(claim);
        !claim.is_empty() && self.letters.contains(&claim)
    }

    /// Returns whether the texts say what `claim` says: in its own words, or with its numbers and a share of its terms.
    pub(super) fn says(&self, claim: &str, share: TermShare) -> bool {
        if self.quotes(claim) {
            return true;
        }
        let said = terms(claim);
        let shared = said.intersection(&self.terms).count();
        let is_alike = said.len() >= LEAST && shared * share.whole >= said.len() * share.part;
        is_alike && numbers(claim).is_subset(&self.numbers)
    }

    /// Returns the clauses of a text that the texts do not say. If the clause before one with a pronoun is left out, the last
    /// clause before it that has a name instead is kept.
    pub(super) fn unsaid(&self, text: &str, share: TermShare) -> String {
        let clauses = clauses(text);
        let mut is_kept: Vec<bool> = clauses.iter().map(|clause| !self.says(clause, share)).collect();
        for (at, clause) in clauses.iter().enumerate().skip(1) {
            let is_torn = is_kept[at] && !is_kept[at - 1] && is_dependent(clause);
            let named = clauses[..at].iter().rposition(|before| !is_dependent(before));
            if let Some(named) = named.filter(|_| is_torn) {
                is_kept[named] = true;
            }
        }
        let kept: Vec<&str> =
            clauses.iter().zip(is_kept).filter(|(_, is_kept)| *is_kept).map(|(clause, _)| *clause).collect();
        joined(&kept, kept.len() == clauses.len())
    }
}

/// Returns the clauses of a text that none of several texts says.
pub(super) fn unsaid_by(text: &str, told: &[&ToldText], share: TermShare) -> String {
    split_by(text, |clause| told.iter().any(|one| one.says(clause, share))).1
}

/// Returns each clause of the line of a card, with the name of its person, which the line does not repeat.
pub(super) fn card_clauses(name: &str, line: &str) -> Vec<ToldText> {
    clauses(line).into_iter().map(|clause| ToldText::of([name, clause])).collect()
}

/// Words that make a clause a suspicion instead of a disclosure.
const DOUBTS: [&str; 16] = [
    "怀疑",
    "疑心",
    "猜",
    "以为",
    "也许",
    "可能",
    "谣传",
    "是不是",
    "suspect",
    "wonder",
    "guess",
    "maybe",
    "perhaps",
    "might",
    "rumour",
    "whether",
];

/// Returns each clause of texts that tells something as certain.
pub(super) fn disclosures<'t>(texts: impl IntoIterator<Item = &'t str>) -> Vec<ToldText> {
    let is_certain = |clause: &&str| !DOUBTS.iter().any(|word| clause.to_lowercase().contains(word));
    texts.into_iter().flat_map(clauses).filter(is_certain).map(|clause| ToldText::of([clause])).collect()
}

/// Splits a text into the clauses of which `is_said` is true, and the others.
pub(super) fn split_by(text: &str, is_said: impl Fn(&str) -> bool) -> (String, String) {
    let (said, unsaid): (Vec<&str>, Vec<&str>) = clauses(text).into_iter().partition(|clause| is_said(clause));
    (joined(&said, unsaid.is_empty()), joined(&unsaid, said.is_empty()))
}

/// Joins clauses of a text; if they are not the whole text, no semicolon is left at the end.
fn joined(clauses: &[&str], is_whole: bool) -> String {
    let text = clauses.concat();
    if is_whole { text.trim().to_owned() } else { text.trim().trim_end_matches([';', '；']).to_owned() }
}

/// Returns whether a clause begins or ends with a pronoun, whose name stands in a clause before it.
fn is_dependent(clause: &str) -> bool {
    const FIRST: [&str; 10] = ["he", "she", "it", "they", "his", "her", "its", "their", "this", "these"];
    const LAST: [&str; 3] = ["her", "him", "them"];
    const HAN: [char; 3] = ['他', '她', '它'];
    let bare = clause.trim_matches(|c: char| !c.is_alphanumeric());
    let mut words = bare.split(|c: char| !c.is_alphanumeric()).map(str::to_lowercase);
    let is_first = |word: String| FIRST.contains(&word.as_str());
    let is_last = |word: String| LAST.contains(&word.as_str());
    bare.starts_with(HAN)
        || bare.trim_end_matches('们').ends_with(HAN)
        || words.next().is_some_and(is_first)
        || words.next_back().is_some_and(is_last)
}

/// Returns the sentences of a text, divided at semicolons, with their marks.
pub(super) fn clauses(text: &str) -> Vec<&str> {
    let mut clauses = Vec::new();
    let mut start = 0;
    for end in sentence_ends(text).into_iter().chain([text.len()]) {
        clauses.extend(text[start..end].split_inclusive([';', '；']).filter(|clause| !clause.trim().is_empty()));
        start = end;
    }
    clauses
}

/// Returns the letters and digits of a text in lower case.
fn letters(text: &str) -> String {
    text.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}

/// Returns the numbers in digits of a text.
fn numbers(text: &str) -> BTreeSet<String> {
    let numbers = text.split(|c: char| !c.is_ascii_digit()).filter(|number| !number.is_empty());
    numbers.map(str::to_owned).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sentence_is_said_in_its_own_words_or_in_most_of_them() {
        let zh = ToldText::of(["半夜丘四在梦里清清楚楚地问：先生，敲不敲？"]);
        assert!(zh.says("丘四在梦里清清楚楚地问，先生敲不敲。", SAME), "marks do not count");
        assert!(zh.says("半夜丘四在梦里问敲不敲", RETOLD));
        assert!(!zh.says("丘四把原簿交给陆尺素", RETOLD));
        let en =
            ToldText::of(["In the afternoon she fetches the box from the left luggage at 5 and walks to the slip."]);
        assert!(en.says("She fetches the box from the left luggage", RETOLD));
        assert!(!en.says("She fetches the box from the left luggage at 6", RETOLD), "another hour");
        assert!(!en.says("Tull", RETOLD) && !en.quotes(""), "too little to compare");
    }

    #[test]
    fn what_is_not_said_stays_in_whole_clauses() {
        let told = ToldText::of(["Joss Hendra rings the last bell."]);
        let text = "Joss rings the last bell; Edith signs as a visitor. He knows the date.";
        assert_eq!(told.unsaid(text, RETOLD), "Edith signs as a visitor. He knows the date.");
        assert_eq!(split_by(text, |clause| told.says(clause, RETOLD)).0, "Joss rings the last bell");
        assert_eq!(told.unsaid("Joss rings the last bell.", RETOLD), "");
        assert_eq!(told.unsaid(" A lamp burns; it is late. ", RETOLD), "A lamp burns; it is late.");
    }

    #[test]
    fn a_pronoun_behind_a_gap_keeps_its_name() {
        let asks = "Isobel walks to Scalasaig and asks McNeill about Friday;";
        let told = ToldText::of([asks, "He saw nothing of Euan."]);
        let text = format!("{asks} he saw nothing of Euan. Morag and Euan have followed her. The boat is late.");
        let left = format!("{asks} Morag and Euan have followed her. The boat is late.");
        assert_eq!(told.unsaid(&text, SAME), left);
        let text = format!("{asks} The boat is late. It comes from Oban in the fog.");
        assert_eq!(told.unsaid(&text, SAME), "The boat is late. It comes from Oban in the fog.", "nothing is torn");
        let told = ToldText::of(["林青去旧港找老周，问起那封信。"]);
        let text = "林青去旧港找老周，问起那封信。苏曼一路悄悄跟着她。";
        assert_eq!(told.unsaid(text, SAME), text);
        assert_eq!(told.unsaid("林青去旧港找老周，问起那封信。苏曼也到了码头。", SAME), "苏曼也到了码头。");
    }

    #[test]
    fn clauses_are_all_of_a_text() {
        let text = "雨停了；她说：“走吧。”他没有动。门开着";
        assert_eq!(clauses(text).concat(), text);
        assert_eq!(clauses(text)[0], "雨停了；");
        assert!(clauses("  ").is_empty());
    }
}
