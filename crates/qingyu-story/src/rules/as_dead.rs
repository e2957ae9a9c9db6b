//! Whether a text speaks of somebody as of the dead: as a body, at a grave, in a memory, as come back.

use super::telling::{MEMORY, REMAINS, RETURN, speaks_of};
use crate::language::{has_words, is_whole_word};

/// Words of [`REMAINS`] for deeds of the living; the person whom they concern is named behind them.
const DEEDS: [&str; 10] = ["祭奠", "祭拜", "祭祀", "追悼", "招魂", "冒充", "假扮", "扮作", "扮成", "易容"];
/// Joining words between an owner and a word of [`REMAINS`]: 老周的灵堂, 老周下葬, Mara's grave.
const OWNER_BEFORE: [&str; 7] = ["的", "之", "下", "入", "出", "'s ", "’s "];
/// Joining words between a word of [`REMAINS`] and its owner: 祭奠了老周, the grave of Mara.
const OWNER_BEHIND: [&str; 3] = ["了", " of ", ""];

/// A character, and the others of the story, by their names in lower case.
pub(super) struct NamedPerson {
    pub(super) own: Vec<String>,
    pub(super) others: Vec<String>,
}

impl NamedPerson {
    /// Returns whether the texts speak of the person as of the dead, or of the past: in the sentences that name the
    /// person, by default in any. A word for remains counts if it stands with the person: in the clause of the name, or in
    /// one that names nobody else, and not as somebody else's (老钱的灵堂).
    pub(super) fn is_dead_in(&self, texts: &[&str]) -> bool {
        let ends = |c: char| matches!(c, '。' | '！' | '？' | '；' | '.' | '!' | '?' | ';' | '\n');
        let sentences: Vec<String> = texts
            .iter()
            .flat_map(|text| text.split(ends))
            .map(str::to_lowercase)
            .filter(|one| !one.is_empty())
            .collect();
        let naming: Vec<&String> = sentences.iter().filter(|sentence| names_any(sentence, &self.own)).collect();
        if naming.is_empty() {
            return sentences.iter().any(|sentence| is_of_past(sentence) || self.has_remains(sentence));
        }
        naming.into_iter().any(|sentence| {
            let mut clauses = sentence.split([',', '，', '、', ':', '：']);
            let stands_with = |clause: &str| names_any(clause, &self.own) || !names_any(clause, &self.others);
            is_of_past(sentence) || clauses.any(|clause| stands_with(clause) && self.has_remains(clause))
        })
    }

    /// Returns whether the text has a word for remains that is nobody else's.
    fn has_remains(&self, text: &str) -> bool {
        REMAINS.iter().any(|word| {
            let found = text.match_indices(*word).filter(|(at, _)| is_whole_word(text, &(*at..*at + word.len())));
            found
                .map(|(at, _)| (&text[..at], &text[at + word.len()..]))
                .any(|(before, behind)| !self.others.iter().any(|other| is_owner(other, word, before, behind)))
        })
    }
}

fn is_owner(name: &str, word: &str, before: &str, behind: &str) -> bool {
    let is_before = |between: &&str| before.strip_suffix(*between).is_some_and(|rest| rest.ends_with(name));
    let is_behind = |between: &&str| behind.strip_prefix(*between).is_some_and(|rest| rest.starts_with(name));
    let is_deed = DEEDS.contains(&word);
    (!is_deed && (before.ends_with(name) || OWNER_BEFORE.iter().any(is_before))) || OWNER_BEHIND.iter().any(is_behind)
}

/// Returns whether a sentence is told as a memory or a dream, or speaks of a return from death.
fn is_of_past(sentence: &str) -> bool {
    speaks_of(sentence, MEMORY) || speaks_of(sentence, RETURN)
}

fn names_any(text: &str, names: &[String]) -> bool {
    names.iter().any(|name| has_words(text, name))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_word_for_remains_counts_where_it_stands_with_the_person() {
        let names = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect::<Vec<_>>();
        let zhou = NamedPerson { own: names(&["老周", "mara"]), others: names(&["林青", "老钱", "ned"]) };
        for (text, expected) in [
            ("老周的葬礼，林青没有哭。", true),
            ("送别老周，灵堂里没有人哭。", true),
            ("林青祭奠老周。", true),
            ("林青想起往事，老周教她开船。", true),
            ("两人在灵堂守夜。", true),
            ("老钱的灵堂。老周把账本交给林青。", false),
            ("林青在灵堂守夜，老周把账本交给她。", false),
            ("老周在老钱的灵堂里交出账本。", false),
            ("老钱下葬，众人散去。", false),
            ("老周把账本交给林青。", false),
            ("The ghost of Mara walks the quay.", true),
            ("At Ned's grave, Mara hands over the ledger.", false),
            ("Mara's coffin is carried out.", true),
            ("They meet at the grave of Ned.", false),
        ] {
            assert_eq!(zhou.is_dead_in(&[text]), expected, "{text}");
        }
    }
}
