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
    /// clause before it that has a name instead is kept; before one that speaks of a deed or thing as `it`, the clause itself.
    pub(super) fn unsaid(&self, text: &str, share: TermShare) -> String {
        let clauses = clauses(text);
        let mut is_kept: Vec<bool> = clauses.iter().map(|clause| !self.says(clause, share)).collect();
        for at in (1..clauses.len()).rev() {
            if !is_kept[at] || is_kept[at - 1] {
                continue;
            }
            if is_of_clause_before(clauses[at]) {
                is_kept[at - 1] = true;
            } else if is_dependent(clauses[at])
                && let Some(named) = clauses[..at].iter().rposition(|before| !is_dependent(before))
            {
                is_kept[named] = true;
            }
        }
        joined(&clauses, &is_kept)
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
    let clauses = clauses(text);
    let said: Vec<bool> = clauses.iter().map(|clause| is_said(clause)).collect();
    let unsaid: Vec<bool> = said.iter().map(|is_said| !is_said).collect();
    (joined(&clauses, &said), joined(&clauses, &unsaid))
}

/// Joins the kept clauses of a text; if they are not the whole text, no semicolon is left at the end. A clause that begins a
/// sentence now begins with a capital letter.
fn joined(clauses: &[&str], is_kept: &[bool]) -> String {
    const SEMICOLONS: [char; 2] = [';', '；'];
    let mut text = String::new();
    for (at, clause) in clauses.iter().enumerate().filter(|(at, _)| is_kept[*at]) {
        let is_behind_gap = at > 0 && !is_kept[at - 1];
        if is_behind_gap && !text.trim_end().ends_with(SEMICOLONS) {
            text.push_str(&capitalized(clause));
        } else {
            text.push_str(clause);
        }
    }
    let is_whole = is_kept.iter().all(|is_kept| *is_kept);
    if is_whole { text.trim().to_owned() } else { text.trim().trim_end_matches(SEMICOLONS).to_owned() }
}

/// Returns a clause with a capital letter at its beginning.
fn capitalized(clause: &str) -> String {
    let (space, told) = clause.split_at(clause.len() - clause.trim_start().len());
    let mut letters = told.chars();
    match letters.next() {
        Some(first) => format!("{space}{}{}", first.to_uppercase(), letters.as_str()),
        None => clause.to_owned(),
    }
}

/// Returns whether a clause speaks of a deed or thing that only the clause before it names: `She did not do it`.
fn is_of_clause_before(clause: &str) -> bool {
    const HAN: [&str; 4] = ["它", "这事", "此事", "这件事"];
    let mut words = clause.split(|c: char| !c.is_alphanumeric());
    HAN.iter().any(|word| clause.contains(word)) || words.any(|word| word.eq_ignore_ascii_case("it"))
}

/// Returns whether a clause has a pronoun, whose name stands in a clause before it: as its first or last word, or behind the
/// words for a time or place at its beginning.
fn is_dependent(clause: &str) -> bool {
    begins_or_ends_with_pronoun(clause) || has_pronoun_behind_opening(clause)
}

/// Returns whether a clause begins with words for a time or place and has a pronoun next, without a name between.
fn has_pronoun_behind_opening(clause: &str) -> bool {
    const OPENINGS: [&str; 20] = [
        "on", "at", "in", "under", "over", "behind", "before", "after", "when", "while", "then", "there", "from",
        "with", "by", "as", "but", "and", "later", "now",
    ];
    const PEOPLE: [&str; 3] = ["he", "she", "they"];
    const HAN_OPENINGS: [&str; 12] =
        ["在", "从", "到", "当", "等", "后来", "这时", "随后", "接着", "然后", "夜里", "第二天"];
    const HAN_PEOPLE: [char; 2] = ['他', '她'];
    let bare = clause.trim_matches(|c: char| !c.is_alphanumeric());
    let opening = bare.split('，').next().unwrap_or_default();
    if HAN_OPENINGS.iter().any(|word| opening.starts_with(word)) {
        return opening.contains(HAN_PEOPLE);
    }
    let words: Vec<&str> = bare.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()).collect();
    let is_opened = words.first().is_some_and(|first| OPENINGS.contains(&first.to_lowercase().as_str()));
    let pronoun = words.iter().position(|word| PEOPLE.contains(word)).filter(|_| is_opened);
    let is_name = |word: &&str| word.starts_with(char::is_uppercase) && !word.to_lowercase().ends_with("day");
    pronoun.is_some_and(|at| !words[1..at].iter().any(is_name))
}

/// Returns whether the first or the last word of a clause is a pronoun.
fn begins_or_ends_with_pronoun(clause: &str) -> bool {
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
    fn what_is_kept_is_not_torn_out_of_its_sentence() {
        let told = ToldText::of([
            "She cuts her palm on the housing and sews it with four stitches.",
            "She reads the record of the lock: Seven was opened on Day 409.",
        ]);
        let text = "Joss is brought to Ines with a crushed hand. She cuts her palm on the housing and sews it with four \
                    stitches; under the glove she knows what she fitted. Tobias admits who he is. She reads the record \
                    of the lock: Seven was opened on Day 409. She did not do it and he swears he did not.";
        let left = "Joss is brought to Ines with a crushed hand. Under the glove she knows what she fitted. Tobias \
                    admits who he is. She reads the record of the lock: Seven was opened on Day 409. She did not do it \
                    and he swears he did not.";
        assert_eq!(told.unsaid(text, SAME), left);
        let only = "She cuts her palm on the housing and sews it with four stitches; a lamp burns.";
        assert_eq!(told.unsaid(only, SAME), "A lamp burns.");
        let told = ToldText::of(["她在机壳上划破手掌，缝了四针。", "她看了锁的记录，七号闸门在四零九日开过。"]);
        let text = "工人乔斯被抬进医务室，左手压碎了。她在机壳上划破手掌，缝了四针；在手套底下她认出旧物。\
                    她看了锁的记录，七号闸门在四零九日开过。这事不是她做的，他也发誓没有做过。";
        let left = "工人乔斯被抬进医务室，左手压碎了。在手套底下她认出旧物。\
                    她看了锁的记录，七号闸门在四零九日开过。这事不是她做的，他也发誓没有做过。";
        assert_eq!(told.unsaid(text, SAME), left);
    }

    #[test]
    fn clauses_are_all_of_a_text() {
        let text = "雨停了；她说：“走吧。”他没有动。门开着";
        assert_eq!(clauses(text).concat(), text);
        assert_eq!(clauses(text)[0], "雨停了；");
        assert!(clauses("  ").is_empty());
    }
}
