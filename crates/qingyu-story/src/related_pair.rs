//! The sexes and the relative age of the two people of a relation, and the word for two siblings: `姐弟`, `哥哥`, `brothers`.

use crate::Language;

#[cfg(test)]
mod tests;

/// Chinese words for two siblings, with the sex of the older and of the younger; `true` for male.
const SIBLINGS: [(&str, [bool; 2]); 7] = [
    ("兄弟", [true, true]),
    ("弟兄", [true, true]),
    ("兄妹", [true, false]),
    ("姐弟", [false, true]),
    ("姊弟", [false, true]),
    ("姐妹", [false, false]),
    ("姊妹", [false, false]),
];

/// The sexes of the two people of a relation, and which of them is older, as far as they are known.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct RelatedPair {
    /// Whether the first and the second are male (`true`) or female (`false`).
    pub(crate) are_male: [Option<bool>; 2],
    /// Whether the first is older than the second.
    is_first_older: Option<bool>,
    /// The sexes of the older and of the younger sibling, if it is unknown which of the two people is the older.
    siblings: Option<[bool; 2]>,
}

impl RelatedPair {
    /// Creates the pair of two people, by their sexes (`true` for male) and whether the first is older.
    pub(crate) fn new(are_male: [Option<bool>; 2], is_first_older: Option<bool>) -> Self {
        Self { are_male, is_first_older, siblings: None }
    }

    /// Returns the pair with the sexes and the relative age that the Chinese word for siblings in `text` implies: 姐弟, 兄妹. A
    /// word that contradicts the known sexes is ignored, and so are different words in one text.
    pub(crate) fn told_in(self, text: &str) -> Self {
        let Some(told @ [older, younger]) = siblings_in(text) else { return self };
        let fits = |first: bool, second: bool| {
            self.are_male[0].is_none_or(|is_male| is_male == first)
                && self.are_male[1].is_none_or(|is_male| is_male == second)
        };
        let is_first_older = match (fits(older, younger), fits(younger, older)) {
            (false, false) => return self,
            _ if older == younger => return Self { are_male: [Some(older); 2], ..self },
            (true, true) => self.is_first_older,
            (fits_in_order, _) => Some(fits_in_order),
        };
        let Some(is_first_older) = is_first_older else { return Self { siblings: Some(told), ..self } };
        let are_male = if is_first_older { [older, younger] } else { [younger, older] };
        // Births and ages on the cards weigh more than a word.
        Self {
            are_male: are_male.map(Some),
            is_first_older: self.is_first_older.or(Some(is_first_older)),
            siblings: None,
        }
    }

    /// Returns the word for two siblings: 兄弟, 姐弟, `sisters`; `None` if too little is known of them.
    pub fn sibling_word(&self, language: Language) -> Option<&'static str> {
        let [first, second] = self.are_male;
        let known = first.zip(second);
        if language == Language::En {
            return known.map(|sexes| match sexes {
                (true, true) => "brothers",
                (false, false) => "sisters",
                _ => "brother and sister",
            });
        }
        let of_ages = known.and_then(|(first, second)| match self.is_first_older {
            Some(is_first_older) => Some(if is_first_older { [first, second] } else { [second, first] }),
            None => (first == second).then_some([first, second]),
        });
        let [older, younger] = of_ages.or(self.siblings)?;
        Some(match (older, younger) {
            (true, true) => "兄弟",
            (true, false) => "兄妹",
            (false, true) => "姐弟",
            (false, false) => "姐妹",
        })
    }

    /// Returns a sentence saying that two people are siblings: `甲是乙的姐姐`, `甲和乙是兄弟姐妹`, `Ann and Ben are brother and sister`.
    pub(crate) fn siblings(&self, first: &str, second: &str, language: Language) -> String {
        if language == Language::En {
            return format!("{first} and {second} are {}", self.sibling_word(language).unwrap_or("siblings"));
        }
        match (self.is_first_older, self.are_male) {
            (Some(is_older), [Some(is_male), _]) => format!("{first}是{second}的{}", one_sibling(is_older, is_male)),
            (Some(is_older), [None, Some(is_male)]) => {
                format!("{second}是{first}的{}", one_sibling(!is_older, is_male))
            }
            _ => format!("{first}和{second}是{}", self.sibling_word(language).unwrap_or("兄弟姐妹")),
        }
    }
}

/// Returns the Chinese word for an older or younger brother or sister.
fn one_sibling(is_older: bool, is_male: bool) -> &'static str {
    match (is_older, is_male) {
        (true, true) => "哥哥",
        (true, false) => "姐姐",
        (false, true) => "弟弟",
        (false, false) => "妹妹",
    }
}

/// Returns the sexes of the older and the younger of the siblings that a text speaks of, if it speaks of one kind alone.
fn siblings_in(text: &str) -> Option<[bool; 2]> {
    let mut told = SIBLINGS.iter().filter(|(word, _)| text.contains(word)).map(|(_, sexes)| *sexes);
    let first = told.next()?;
    told.all(|other| other == first).then_some(first)
}
