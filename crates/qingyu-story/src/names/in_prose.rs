//! The names in prose: whole names, and what people are called by besides.

use std::cmp::Reverse;
use std::ops::Range;

use rustc_hash::FxHashMap;

use super::parts::{OwnFamilyName, addressed_at, family_name, is_nickname_word, title_before};
use super::titled::{is_of_man, is_of_wife};
use super::{NameMention, Names};
use crate::piece::PieceKind;

/// Words for kinds of people before a Chinese name, which are no family name.
const DESCRIPTIONS: [char; 6] = ['老', '小', '大', '女', '男', '阿'];

impl Names {
    /// Returns the [`mentions`](Self::mentions) of prose, and beside them the places where less than a name means one
    /// character: a part of the name as in [`mentions_in_part`](Self::mentions_in_part), in English with the title before it
    /// (`Mr. Laity`), and in Chinese a family name with a title that nobody else has (沈先生, 老沈).
    pub fn mentions_in_prose(&self, text: &str) -> Vec<NameMention<'_>> {
        let mut mentions = self.mentions(text);
        let parts = self.parts_beside(text, &mentions).into_iter().filter_map(|part| self.with_title(text, part));
        let further: Vec<NameMention<'_>> = parts.chain(self.addressed_beside(text, &mentions)).collect();
        mentions.extend(further);
        mentions.sort_by_key(|mention| (mention.start, Reverse(mention.end)));
        let mut end = 0;
        mentions.retain(|mention| {
            let is_free = end <= mention.start;
            end = end.max(mention.end);
            is_free
        });
        mentions
    }

    /// Returns the positions of the [`addressed`](Self::addressed) characters whose family name nobody else has.
    pub fn addressed_alone(&self, text: &str) -> Vec<usize> {
        let own = self.own_families().iter().filter(|own| addressed_at(text, &own.family).next().is_some());
        own.map(|own| self.named[own.index].position).collect()
    }

    /// Returns the mention with the title before it; `None` if the title may be that of somebody else:
    /// `Mrs. Penhale` is not Silas Penhale.
    fn with_title<'n>(&'n self, text: &str, mention: NameMention<'n>) -> Option<NameMention<'n>> {
        let Some((start, title)) = title_before(text, mention.start) else { return Some(mention) };
        let position = mention.bearers.first()?.position;
        self.fits(position, is_of_man(&title)).then_some(NameMention { start, ..mention })
    }

    /// Returns whether a title may be that of the character at `position`. One of men or of women alone may be that of a
    /// relative, unless the card says which the character is.
    fn fits(&self, position: usize, is_male: Option<bool>) -> bool {
        is_male.is_none_or(|is_male| self.males.get(&position) == Some(&is_male))
    }

    /// Returns the places where a Chinese text calls somebody by a family name and a title, outside of the `mentions`.
    fn addressed_beside(&self, text: &str, mentions: &[NameMention<'_>]) -> Vec<NameMention<'_>> {
        let is_free = |place: &Range<usize>| {
            let next = mentions.partition_point(|mention| mention.end <= place.start);
            mentions.get(next).is_none_or(|mention| place.end <= mention.start)
        };
        let mut found = Vec::new();
        for OwnFamilyName { family, index } in self.own_families() {
            let person = &self.named[*index];
            for (place, title) in addressed_at(text, family) {
                let is_meant = match title {
                    Some(title) => !is_of_wife(title) && self.fits(person.position, is_of_man(title)),
                    None => !is_nickname_word(text, &place),
                };
                if is_meant && is_free(&place) {
                    found.push(NameMention { start: place.start, end: place.end, bearers: vec![person] });
                }
            }
        }
        found
    }

    /// Returns the family names that one character alone has, in the order of the characters.
    fn own_families(&self) -> &[OwnFamilyName] {
        self.own_families.get_or_init(|| self.read_own_families())
    }

    fn read_own_families(&self) -> Vec<OwnFamilyName> {
        let mut bearers: FxHashMap<String, Vec<usize>> = FxHashMap::default();
        for index in &self.of_kind[PieceKind::Character as usize] {
            let name = self.named[*index].name.trim().trim_start_matches(DESCRIPTIONS);
            if let Some(family) = family_name(name) {
                bearers.entry(family).or_default().push(*index);
            }
        }
        let alone = bearers.into_iter().filter_map(|(family, bearers)| {
            let [index] = bearers[..] else { return None };
            let name = self.named[index].name.trim();
            let given = name.chars().count().checked_sub(family.chars().count())?;
            let is_whole = name.starts_with(&family) && (1..=2).contains(&given);
            is_whole.then_some(OwnFamilyName { family, index })
        });
        let mut alone: Vec<OwnFamilyName> = alone.collect();
        alone.sort_by_key(|own| own.index);
        alone
    }
}

#[cfg(test)]
mod tests {
    use super::Names;
    use crate::{Character, Story};

    /// Names with genders, or words with the names that they mean.
    type Pairs = &'static [(&'static str, &'static str)];

    fn named(cast: Pairs, text: &str) -> Vec<(String, String)> {
        let card = |(name, gender): &(&str, &str)| Character {
            name: (*name).into(),
            gender: (*gender).into(),
            ..Character::default()
        };
        let story = Story { characters: cast.iter().map(card).collect(), ..Story::default() };
        let names = Names::of(&story);
        let found = names.mentions_in_prose(text).into_iter();
        found.map(|one| (text[one.start..one.end].to_owned(), one.bearers[0].name.clone())).collect()
    }

    #[test]
    fn prose_calls_people_by_less_than_a_name() {
        let english: Pairs = &[
            ("Eleanor Nance", "female"),
            ("Gideon Nance", "male"),
            ("Silas Penhale", "male"),
            ("John Laity", "male"),
            ("Will Grace", "male"),
        ];
        let chinese: Pairs = &[("沈砚秋", "女"), ("周建国", "男"), ("周海", "男"), ("老王", ""), ("林深", "")];
        let cases: [(Pairs, &str, Pairs); 14] = [
            (english, "“No,” said Eleanor.", &[("Eleanor", "Eleanor Nance")]),
            (english, "Gideon was sixty-eight.", &[("Gideon", "Gideon Nance")]),
            (english, "Mr. Laity nodded to Mr Nance.", &[("Mr. Laity", "John Laity")]),
            (english, "Mrs. Penhale wept. Penhale did not.", &[("Penhale", "Silas Penhale")]),
            (english, "He met Thomas Laity and Gideon Carter.", &[]),
            (english, "Will it rain? Then Will came.", &[("Will", "Will Grace")]),
            (
                english,
                "When Laity came, Eleanor Nance rose.",
                &[("Laity", "John Laity"), ("Eleanor Nance", "Eleanor Nance")],
            ),
            (english, "They walked up Laity Street.", &[]),
            (chinese, "砚秋推开门，老沈还没来。", &[("砚秋", "沈砚秋"), ("老沈", "沈砚秋")]),
            (chinese, "沈先生来了，沈小姐也来了。", &[("沈小姐", "沈砚秋")]),
            (chinese, "沈夫人和周先生都在。", &[]),
            (chinese, "大小林立，小林子不在，小林也不在。", &[("小林", "林深")]),
            (chinese, "老王不在，王先生也不在。", &[("老王", "老王")]),
            (chinese, "林队长喊了一声。", &[("林队长", "林深")]),
        ];
        for (cast, text, expected) in cases {
            let expected: Vec<(String, String)> =
                expected.iter().map(|(words, who)| ((*words).to_owned(), (*who).to_owned())).collect();
            assert_eq!(named(cast, text), expected, "{text}");
        }
    }
}
