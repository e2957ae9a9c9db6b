//! Whether a text speaks of somebody as of the dead: as a body, at a grave, in a memory, as come back.

use super::telling::{ALIVE, APPARITIONS, BURIAL, MEMORY, RETURN, SPEAKING};
use crate::language::{has_any, has_words, is_whole_word};

/// Words of [`BURIAL`] and [`APPARITIONS`] for deeds of the living; the person whom they concern is named behind them.
const DEEDS: [&str; 10] = ["祭奠", "祭拜", "祭祀", "追悼", "招魂", "冒充", "假扮", "扮作", "扮成", "易容"];
/// Joining words between an owner and such a word: 老周的灵堂, 老周下葬, Mara's grave.
const OWNER_BEFORE: [&str; 7] = ["的", "之", "下", "入", "出", "'s ", "’s "];
/// Joining words between such a word and its owner: 祭奠了老周, the grave of Mara.
const OWNER_BEHIND: [&str; 3] = ["了", " of ", ""];

/// Directly before the name of somebody to whom something is done, or with whom.
const OBJECT_BEFORE: [&str; 32] = [
    "为", "给", "替", "对", "向", "把", "被", "将", "跟", "同", "送", "送别", "抬着", "埋了", "葬了", "安葬", "埋葬",
    "祭奠", "祭拜", "悼念", " of", " for", " to", " with", " by", " about", "bury", "buried", "burying", "mourn",
    "mourned", "carried",
];
/// Directly before the name of somebody who does something together with others.
const JOINED_BEFORE: [&str; 6] = ["和", "与", "、", "跟", "同", " and"];
/// Before a name: others who do something, to the person or with the person's remains.
const OTHERS_BEFORE: [&str; 25] = [
    "众人",
    "人们",
    "大家",
    "所有人",
    "他",
    "她",
    "我",
    "你",
    "谁",
    "村民",
    "家人",
    "亲人",
    "族人",
    "they",
    "we",
    "he",
    "she",
    "i",
    "everyone",
    "people",
    "family",
    "mourners",
    "friends",
    "villagers",
    "men",
];
/// Behind a name, in a clause that says what somebody does not do.
const UNDONE: [&str; 7] = ["没", "不", "未", "无", "not", "never", "cannot"];
/// Behind a name, in a clause that says what somebody did or said while alive, or left behind.
const DONE_BEFORE: [&str; 13] = [
    "过的",
    "曾",
    "留下",
    "里说",
    "中说",
    "上说",
    "had",
    "used to",
    "his hands",
    "her hands",
    "their hands",
    "the words",
    "wrote",
];

/// A character, and the others of the story, by their names in lower case.
pub(super) struct NamedPerson {
    pub(super) own: Vec<String>,
    pub(super) others: Vec<String>,
}

impl NamedPerson {
    /// Returns whether the texts speak of the person as of the dead, or of the past: in the sentences that name the
    /// person, by default in any. A word for remains counts if it stands with the person: in the clause of the name, or in
    /// one that names nobody else, and not as somebody else's (老钱的灵堂). Who acts at a burial is not buried.
    pub(super) fn is_dead_in(&self, texts: &[&str]) -> bool {
        let sentences: Vec<String> = texts
            .iter()
            .flat_map(|text| text.split(ends_sentence))
            .map(str::to_lowercase)
            .filter(|one| !one.is_empty())
            .collect();
        let acts = sentences.iter().any(|sentence| self.acts_in(sentence));
        let naming: Vec<&String> = sentences.iter().filter(|sentence| names_any(sentence, &self.own)).collect();
        if naming.is_empty() {
            return sentences.iter().any(|sentence| is_of_past(sentence) || self.has_remains(sentence, acts));
        }
        naming.into_iter().any(|sentence| {
            let stands_with = |clause: &str| names_any(clause, &self.own) || !names_any(clause, &self.others);
            let mut clauses = clauses(sentence);
            is_of_past(sentence) || clauses.any(|clause| stands_with(clause) && self.has_remains(clause, acts))
        })
    }

    /// Returns whether the text of an event speaks of the person as of the dead: of remains that are nobody else's, unless
    /// the person acts at the burial.
    pub(super) fn is_dead_at(&self, text: &str) -> bool {
        let text = text.to_lowercase();
        self.has_remains(&text, text.split(ends_sentence).any(|sentence| self.acts_in(sentence)))
    }

    /// Returns whether the text has a word for remains that is nobody else's; of somebody who acts, only words for ghosts,
    /// recordings and the like.
    fn has_remains(&self, text: &str, acts: bool) -> bool {
        let mut words = BURIAL.iter().filter(|_| !acts).chain(APPARITIONS);
        words.any(|word| {
            let found = text.match_indices(*word).filter(|(at, _)| is_whole_word(text, &(*at..*at + word.len())));
            found.map(|(at, _)| (&text[..at], &text[at + word.len()..])).any(|(before, behind)| {
                self.own.iter().any(|own| is_behind(own, behind))
                    || !self.others.iter().any(|other| is_owner(other, word, before, behind))
            })
        })
    }

    /// Returns whether the person speaks or does something in a sentence: behind the name, in its clause.
    fn acts_in(&self, sentence: &str) -> bool {
        clauses(sentence).any(|clause| {
            self.own.iter().any(|name| {
                let found = clause.match_indices(name.as_str());
                let mut found = found.filter(|(at, _)| is_whole_word(clause, &(*at..*at + name.len())));
                found.any(|(at, _)| self.acts_between(clause[..at].trim_end(), &clause[at + name.len()..]))
            })
        })
    }

    fn acts_between(&self, before: &str, behind: &str) -> bool {
        let ends = |words: &[&str]| words.iter().any(|word| before.ends_with(word));
        let has_others = names_any(before, &self.others) || has_any(before, &OTHERS_BEFORE);
        let is_subject = (!has_others || ends(&JOINED_BEFORE)) && !has_any(before, MEMORY);
        let is_object = ends(&OBJECT_BEFORE) && !ends(&JOINED_BEFORE);
        let is_owner = behind.starts_with(['的', '之', '\'', '’']);
        let does = [SPEAKING, ALIVE].into_iter().any(|words| has_any(behind, words));
        let is_now = ![&UNDONE[..], &DONE_BEFORE, MEMORY].into_iter().any(|words| has_any(behind, words));
        is_subject && !is_object && !is_owner && does && is_now
    }
}

fn ends_sentence(c: char) -> bool {
    matches!(c, '。' | '！' | '？' | '；' | '.' | '!' | '?' | ';' | '\n')
}

fn clauses(sentence: &str) -> impl Iterator<Item = &str> {
    sentence.split([',', '，', '、', ':', '：'])
}

fn is_owner(name: &str, word: &str, before: &str, behind: &str) -> bool {
    let is_before = |between: &&str| before.strip_suffix(*between).is_some_and(|rest| rest.ends_with(name));
    let is_deed = DEEDS.contains(&word);
    (!is_deed && (before.ends_with(name) || OWNER_BEFORE.iter().any(is_before))) || is_behind(name, behind)
}

/// Returns whether the text behind a word for remains begins with the owner.
fn is_behind(name: &str, behind: &str) -> bool {
    OWNER_BEHIND.iter().any(|between| behind.strip_prefix(*between).is_some_and(|rest| rest.starts_with(name)))
}

/// Returns whether a sentence is told as a memory or a dream, or speaks of a return from death.
fn is_of_past(sentence: &str) -> bool {
    has_any(sentence, MEMORY) || has_any(sentence, RETURN)
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

    #[test]
    fn who_acts_at_a_burial_is_not_buried() {
        let names = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect::<Vec<_>>();
        let zhou = NamedPerson { own: names(&["老周", "mara"]), others: names(&["林青", "ned"]) };
        for (text, expected) in [
            ("下葬。众人在坟前祭拜，雨下了一天。", true),
            ("林青葬了老周，一个人走回码头。", true),
            ("众人送老周入棺。林青说了几句话。", true),
            ("林青在老周的棺前说话。", true),
            ("老周的葬礼。老周再也不会开口。", true),
            ("老周的鬼魂开口说话。", true),
            ("葬礼。众人抬起老周走到坟前。", true),
            ("葬礼。林青想起老周说过的话。", true),
            ("葬礼。律师念信，老周在信里说把船留给林青。", true),
            ("葬礼。众人散去，老周推开门走进来。", false),
            ("葬礼。老周站在坟前。老周说：“都回去吧。”", false),
            ("下葬那天，老周开口说话。", false),
            ("林青和老周走到坟前。", false),
            ("The burial. They buried Mara and went home.", true),
            ("Ned spoke at Mara's funeral.", true),
            ("The coffin is open. Mara lies with her hands folded.", true),
            ("They lowered Mara into the grave and stood in silence.", true),
            ("The funeral. Mara had asked for no flowers.", true),
            ("Mara's recording plays, and Mara speaks.", true),
            ("The funeral. Mara spoke to Ned.", false),
            ("At the grave Ned and Mara shouted.", false),
        ] {
            assert_eq!(zhou.is_dead_at(text), expected, "{text}");
        }
    }
}
