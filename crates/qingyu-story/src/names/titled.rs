//! A family name with a title: `Mrs. Prewitt`, 沈先生.

use super::fold::{fold, without_note};
use super::parts::{self, DOTS, SUFFIXES, TITLES_BEFORE, TITLES_BEHIND};
use crate::Character;
use crate::language::is_han;

/// Titles of men.
const OF_MEN: [&str; 16] = [
    "mr.", "mr", "sir", "lord", "monsieur", "father", "brother", "uncle", "先生", "公子", "少爷", "老爷", "师兄",
    "师弟", "大哥", "大叔",
];
/// Titles of women.
const OF_WOMEN: [&str; 20] = [
    "mrs.", "mrs", "ms.", "ms", "miss", "lady", "madam", "madame", "mme.", "mme", "widow", "sister", "aunt", "小姐",
    "女士", "姑娘", "师姐", "师妹", "大姐", "大娘",
];
/// Titles of a wife, whose own family name is another one.
const OF_WIVES: [&str; 2] = ["夫人", "太太"];
/// Words before a name that are no titles.
const NO_TITLES: [&str; 3] = ["the", "young", "old"];

/// The family name on a card.
struct FamilyName {
    name: String,
    /// Whether the card has a given name too, and not a title alone.
    has_given: bool,
}

/// Returns the only character whose family name with a title `name` is: `Mrs. Prewitt` of `Ada Prewitt`, 沈先生 of 沈砚秋.
///
/// Returns `None` if several have the family name, as far as the title fits their gender; if the bearer's own name is a
/// title with the family name, such as `Captain Prewitt`; and for 夫人 and 太太, who are of another family.
pub(crate) fn titled<'c>(characters: &'c [Character], name: &str) -> Option<&'c Character> {
    let (title, family) = title_and_family(name)?;
    let is_male = is_of_man(&title);
    let fits = |card: &Character| is_male.is_none() || card.is_male().is_none() || card.is_male() == is_male;
    let of_family = characters.iter().filter_map(|card| Some((card, family_name(&card.name)?)));
    let mut bearers = of_family.filter(|(card, own)| own.name == family && fits(card));
    let (card, own) = bearers.next()?;
    (own.has_given && bearers.next().is_none()).then_some(card)
}

/// Returns whether a folded title is one of men or one of women; `None` for those of both.
pub(crate) fn is_of_man(title: &str) -> Option<bool> {
    if OF_MEN.contains(&title) { Some(true) } else { OF_WOMEN.contains(&title).then_some(false) }
}

/// Returns whether a title is that of a wife, whose own family name is another one.
pub(super) fn is_of_wife(title: &str) -> bool {
    OF_WIVES.contains(&title)
}

/// Returns the title and the family name of a name that consists of both, folded.
fn title_and_family(name: &str) -> Option<(String, String)> {
    let folded = fold(without_note(name.trim()).unwrap_or(name));
    if folded.chars().all(is_han) {
        let mut titles = TITLES_BEHIND.iter().filter(|title| title.chars().count() > 1);
        let (title, family) = titles.find_map(|title| Some((*title, folded.strip_suffix(title)?)))?;
        let is_titled = !family.is_empty() && !OF_WIVES.contains(&title);
        return is_titled.then(|| (title.to_owned(), family.to_owned()));
    }
    let (title, family) = folded.split_once(' ')?;
    let is_titled = TITLES_BEFORE.contains(&title) && !NO_TITLES.contains(&title);
    let family = Some(family.trim()).filter(|family| is_titled && !family.is_empty() && !family.contains(' '))?;
    Some((title.to_owned(), family.to_owned()))
}

/// Returns the family name of a character's name, folded; `None` if it has none.
fn family_name(name: &str) -> Option<FamilyName> {
    if let Some((_, family)) = title_and_family(name) {
        return Some(FamilyName { name: family, has_given: false });
    }
    let folded = fold(without_note(name.trim()).unwrap_or(name));
    if let Some((_, last)) = folded.rsplit_once(DOTS) {
        return Some(FamilyName { name: last.to_owned(), has_given: true });
    }
    if folded.chars().all(is_han) {
        let family = parts::family_name(&folded)?;
        let given = folded.chars().count().checked_sub(family.chars().count())?;
        return (1..=2).contains(&given).then_some(FamilyName { name: family, has_given: true });
    }
    let words = folded.split_whitespace().skip_while(|word| TITLES_BEFORE.contains(word));
    let words: Vec<&str> = words.filter(|word| !SUFFIXES.contains(word)).collect();
    let last = words.last().filter(|_| words.len() > 1)?;
    Some(FamilyName { name: (*last).to_owned(), has_given: true })
}

#[cfg(test)]
mod tests {
    use super::titled;
    use crate::Character;

    /// Names and genders.
    type Cast = &'static [(&'static str, &'static str)];

    fn card(name: &str, gender: &str) -> Character {
        Character { name: name.into(), gender: gender.into(), ..Character::default() }
    }

    #[test]
    fn a_title_with_a_family_name_means_its_only_bearer() {
        let cases: [(Cast, &str, Option<usize>); 19] = [
            (&[("Ada Prewitt", "")], "Mrs. Prewitt", Some(0)),
            (&[("Ada Prewitt", "female")], "Mr. Prewitt", None),
            (&[("Tom Prewitt", "male"), ("Ada Prewitt", "female")], "Mrs Prewitt", Some(1)),
            (&[("Tom Prewitt", "male"), ("Ada Prewitt", "female")], "Dr. Prewitt", None),
            (&[("Captain Prewitt", "")], "Mrs. Prewitt", None),
            (&[("Ada Prewitt", ""), ("Captain Prewitt", "")], "Nurse Prewitt", None),
            (&[("Captain Tom Prewitt Jr.", "")], "Mr. Prewitt", Some(0)),
            (&[("Ada Prewitt", "")], "the Prewitt", None),
            (&[("Ada Prewitt", "")], "Mrs. Vane", None),
            (&[("Ada Prewitt", "")], "Mrs. Ada Prewitt", None),
            (&[("沈砚秋", "女")], "沈先生", None),
            (&[("沈砚秋", "")], "沈先生", Some(0)),
            (&[("沈砚秋", "女"), ("沈伯安", "男")], "沈先生", Some(1)),
            (&[("沈砚秋", ""), ("沈伯安", "")], "沈大人", None),
            (&[("沈砚秋", ""), ("沈大人", "")], "沈先生", None),
            (&[("沈伯安", "男")], "沈夫人", None),
            (&[("欧阳锋", "")], "欧阳先生", Some(0)),
            (&[("艾琳·沃斯", "")], "沃斯小姐", Some(0)),
            (&[("林中老人", "")], "林先生", None),
        ];
        for (cast, name, expected) in cases {
            let cast: Vec<Character> = cast.iter().map(|(name, gender)| card(name, gender)).collect();
            let found = titled(&cast, name).map(|card| card.name.as_str());
            assert_eq!(found, expected.map(|at| cast[at].name.as_str()), "{name}");
        }
    }
}
