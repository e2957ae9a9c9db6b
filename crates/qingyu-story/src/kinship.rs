//! People whom a text calls by what they are to somebody: `her father`, `Ann's teacher`, 她父亲, 沈砚秋的师父.

mod words;

use serde_json::Value;

use self::words::{BEFORE_HER, BEFORE_OTHERS, CHINESE, ENGLISH, OWNERS, RelativeWord, Tie};
pub(crate) use self::words::{FATHER, MOTHER};
use crate::language::is_whole_word;
use crate::{Character, CharacterRelation, Fact, Mode, Names, PieceKind, RelationKind, Story, predicate};

/// Who is what to whom, by the relations and facts of a story.
#[derive(Debug)]
pub struct Kinship<'s> {
    story: &'s Story,
    names: &'s Names,
    /// Of the first, the second is this to them.
    ties: Vec<(usize, Tie, Relative)>,
}

/// One side of a tie: the position of a character, and the gender that the tie itself tells.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Relative {
    who: usize,
    is_male: Option<bool>,
}

/// A character named in a text: the first byte, the byte after the last, and the position of the character.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct PersonMention {
    start: usize,
    end: usize,
    who: usize,
}

/// A place of a text that speaks of somebody's relative.
struct KinMention {
    start: usize,
    word: &'static RelativeWord,
    owner: KinOwner,
}

/// The person to whom somebody is related.
enum KinOwner {
    /// The character at a position.
    Named(usize),
    /// Somebody meant by a pronoun, or by no word at all; `true` for he, `false` for she.
    Meant(Option<bool>),
}

impl<'s> Kinship<'s> {
    /// Reads the ties of `story`: its relations, and the facts that are told as true.
    pub fn of(story: &'s Story, names: &'s Names) -> Self {
        let mut kinship = Self { story, names, ties: Vec::new() };
        story.character_relations.iter().for_each(|relation| kinship.add_relation(relation));
        story.facts.iter().for_each(|fact| kinship.add_fact(fact));
        kinship
    }

    /// Returns the positions of the characters whom `text` calls by what they are to somebody, in order of mention.
    ///
    /// A pronoun, or a word like 父亲 alone, means the last person named before it who has such a relative, or else each of
    /// the people at the positions `near` who has one.
    pub fn called(&self, near: &[usize], text: &str) -> Vec<usize> {
        if self.ties.is_empty() {
            return Vec::new();
        }
        let named = self.named(text);
        let mut found: Vec<usize> = Vec::new();
        for mention in mentions(text, &named) {
            for who in self.meant(&mention, near, &named) {
                if !found.contains(&who) {
                    found.push(who);
                }
            }
        }
        found
    }

    /// Returns the characters named in a text, in order.
    fn named(&self, text: &str) -> Vec<PersonMention> {
        let mut named = Vec::new();
        let mentions = self.names.mentions(text);
        for mention in &mentions {
            let people = mention.bearers.iter().filter(|one| one.kind == PieceKind::Character);
            named.extend(people.map(|one| PersonMention { start: mention.start, end: mention.end, who: one.position }));
        }
        for (start, who) in self.names.mentions_in_part_beside(text, &mentions) {
            let name = &self.story.characters[who].name;
            let is_part = |end: &usize| text.get(start..*end).is_some_and(|part| name.contains(part));
            let end = (start + 1..=start + name.len()).rev().find(is_part);
            named.extend(end.map(|end| PersonMention { start, end, who }));
        }
        named.sort_unstable();
        named
    }

    fn add_relation(&mut self, relation: &CharacterRelation) {
        self.add(&relation.from, relation.kind, &relation.to, &relation.description);
    }

    fn add_fact(&mut self, fact: &Fact) {
        let is_told = matches!(fact.mode, Mode::Narrated | Mode::Flashback) && fact.value != Value::Bool(false);
        let object = fact.object.as_deref().or(fact.value.as_str()).map(str::trim).unwrap_or_default();
        let word = predicate::find(&fact.predicate).map(|word| word.name.as_str());
        if !is_told || object.is_empty() {
            return;
        }
        match word {
            Some("parent_of") => self.add(&fact.subject, RelationKind::ParentOf, object, &fact.predicate),
            Some("child_of") => self.add(&fact.subject, RelationKind::ChildOf, object, &fact.predicate),
            Some("birth_mother") => self.add(&fact.subject, RelationKind::ChildOf, object, "mother"),
            Some("sibling_of") => self.add(&fact.subject, RelationKind::Sibling, object, ""),
            Some("married_to") => self.tie(&fact.subject, object, [Tie::Spouse; 2], None),
            _ => {
                if let Some(kind) = RelationKind::named(&fact.predicate) {
                    self.add(&fact.subject, kind, object, "");
                }
            }
        }
    }

    /// Adds that `from` is the `kind` of `to`; `says` may tell whether a parent is a father or a mother.
    fn add(&mut self, from: &str, kind: RelationKind, to: &str, says: &str) {
        let says = says.to_lowercase();
        let has = |words: &[&str]| words.iter().any(|word| says.contains(word));
        let is_father = match (has(FATHER), has(MOTHER)) {
            (true, false) => Some(true),
            (false, true) => Some(false),
            _ => None,
        };
        // What the first is to the second, and the second to the first.
        match kind {
            RelationKind::ParentOf => self.tie(from, to, [Tie::Parent, Tie::Child], is_father),
            RelationKind::ChildOf => self.tie(to, from, [Tie::Parent, Tie::Child], is_father),
            RelationKind::Sibling => self.tie(from, to, [Tie::Sibling; 2], None),
            RelationKind::MentorOf => self.tie(from, to, [Tie::Teacher, Tie::Pupil], None),
            RelationKind::StudentOf => self.tie(to, from, [Tie::Teacher, Tie::Pupil], None),
            _ => {}
        }
    }

    /// Adds what the first is to the second, and the second to the first.
    fn tie(&mut self, first: &str, second: &str, [of_second, of_first]: [Tie; 2], is_male: Option<bool>) {
        let find = |name: &str| self.names.resolve(PieceKind::Character, name).map(|named| named.position);
        let (Some(first), Some(second)) = (find(first), find(second)) else { return };
        if first != second {
            self.ties.push((second, of_second, Relative { who: first, is_male }));
            self.ties.push((first, of_first, Relative { who: second, is_male: None }));
        }
    }

    /// Returns the people whom a mention means.
    fn meant(&self, mention: &KinMention, near: &[usize], named: &[PersonMention]) -> Vec<usize> {
        match mention.owner {
            KinOwner::Named(owner) => self.relatives(owner, mention.word),
            KinOwner::Meant(gender) => {
                let fits = |who: &usize| {
                    let known = self.gender(*who);
                    gender.is_none() || known.is_none() || known == gender
                };
                let before = named.iter().filter(|one| one.start < mention.start).rev().map(|one| one.who);
                let last = before.filter(fits).map(|who| self.relatives(who, mention.word)).find(|all| !all.is_empty());
                last.unwrap_or_else(|| {
                    near.iter().copied().filter(fits).flat_map(|who| self.relatives(who, mention.word)).collect()
                })
            }
        }
    }

    /// Returns the people who are to `owner` what the word says; those of an unknown gender only if nobody else fits.
    fn relatives(&self, owner: usize, word: &RelativeWord) -> Vec<usize> {
        let ties = self.ties.iter().filter(|(of, tie, _)| *of == owner && *tie == word.tie);
        let known: Vec<(usize, Option<bool>)> =
            ties.map(|(.., one)| (one.who, self.gender(one.who).or(one.is_male))).collect();
        let of = |gender: Option<bool>| -> Vec<usize> {
            known.iter().filter(|(_, known)| *known == gender).map(|(who, _)| *who).collect()
        };
        match word.is_male {
            None => known.iter().map(|(who, _)| *who).collect(),
            gender => Some(of(gender)).filter(|all| !all.is_empty()).unwrap_or_else(|| of(None)),
        }
    }

    fn gender(&self, who: usize) -> Option<bool> {
        self.story.characters.get(who).and_then(Character::is_male)
    }
}

/// Returns the places at which `text` speaks of relatives, in order.
fn mentions(text: &str, named: &[PersonMention]) -> Vec<KinMention> {
    // The same length in bytes as the text.
    let lower = text.to_ascii_lowercase();
    let mut found: Vec<(usize, usize, KinMention)> = Vec::new();
    for (word, is_chinese) in CHINESE.iter().map(|word| (word, true)).chain(ENGLISH.iter().map(|word| (word, false))) {
        for (start, _) in lower.match_indices(word.word) {
            let end = start + word.word.len();
            // Words are listed longest first: a short one within a long one is none.
            let is_taken = found.iter().any(|(from, until, _)| start < *until && *from < end);
            if is_taken || !is_whole_word(&lower, &(start..end)) {
                continue;
            }
            let owner = match is_chinese {
                true => chinese_owner(&text[..start], word, named),
                false => english_owner(&lower[..start], named),
            };
            found.extend(owner.map(|owner| (start, end, KinMention { start, word, owner })));
        }
    }
    found.sort_by_key(|(start, ..)| *start);
    found.into_iter().map(|(.., mention)| mention).collect()
}

fn chinese_owner(before: &str, word: &RelativeWord, named: &[PersonMention]) -> Option<KinOwner> {
    let bare = before.strip_suffix('的');
    let owner = bare.unwrap_or(before);
    if let Some(person) = named.iter().rev().find(|one| one.end == owner.len()) {
        return Some(KinOwner::Named(person.who));
    }
    // 岳父亲手 and 她祖父母 speak of somebody else.
    if bare.is_none() && owner.ends_with(BEFORE_OTHERS) {
        return None;
    }
    let gender = match owner.chars().next_back() {
        Some('她') => Some(Some(false)),
        Some('他') => Some(Some(true)),
        Some('其' | '我' | '你' | '您' | '俺') => Some(None),
        _ => None,
    };
    match gender {
        Some(gender) => Some(KinOwner::Meant(gender)),
        // `船长的父亲` is a relative of somebody without a card.
        None => (bare.is_none() && word.stands_alone).then_some(KinOwner::Meant(None)),
    }
}

fn english_owner(before: &str, named: &[PersonMention]) -> Option<KinOwner> {
    let mut owner = before.trim_end();
    while let Some(rest) = BEFORE_HER.iter().find_map(|word| owner.strip_suffix(word)) {
        if !rest.ends_with(char::is_whitespace) {
            break;
        }
        owner = rest.trim_end();
    }
    let possessive = owner.strip_suffix("'s").or_else(|| owner.strip_suffix("’s"));
    if let Some(name) = possessive {
        return named.iter().rev().find(|one| one.end == name.len()).map(|one| KinOwner::Named(one.who));
    }
    let is_word = |word: &str| owner.ends_with(word) && is_whole_word(owner, &(owner.len() - word.len()..owner.len()));
    OWNERS.iter().find(|(word, _)| is_word(word)).map(|(_, gender)| KinOwner::Meant(*gender))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn called(story: &Value, near: &[usize], text: &str) -> Vec<String> {
        let story: Story = serde_json::from_value(story.clone()).unwrap();
        let names = Names::of(&story);
        let found = Kinship::of(&story, &names).called(near, text);
        found.into_iter().map(|who| story.characters[who].name.clone()).collect()
    }

    #[test]
    fn a_relative_is_found_by_relations_and_facts() {
        let story = json!({
            "language": "zh",
            "characters": [
                {"id": "c-1", "name": "沈砚秋", "gender": "女"}, {"id": "c-2", "name": "沈伯安"}, {"id": "c-3", "name": "柳氏"},
                {"id": "c-4", "name": "裴慎之", "gender": "男"}, {"id": "c-5", "name": "裴老"}
            ],
            "character_relations": [
                {"from": "沈伯安", "to": "沈砚秋", "type": "parent_of", "description": "沈伯安是她父亲"},
                {"from": "裴老", "to": "裴慎之", "type": "mentor_of"}
            ],
            "facts": [{"id": "f-1", "subject": "沈砚秋", "predicate": "母亲", "object": "柳氏"},
                {"id": "f-2", "subject": "沈砚秋", "predicate": "兄弟姐妹", "object": "裴慎之", "mode": "lied"}],
        });
        let cases: [(&str, &[&str]); 12] = [
            ("她父亲的信还在。", &["沈伯安"]),
            ("沈砚秋的母亲来了。", &["柳氏"]),
            ("想起父亲，她没有说话。", &["沈伯安"]),
            ("裴慎之去找他师父，说她娘病了。", &["裴老", "柳氏"]),
            ("砚秋的父母都不在了。", &["沈伯安", "柳氏"]),
            ("裴慎之的父亲没有名字。", &[]),
            ("船长的父亲来了。", &[]),
            ("他父亲走了。", &[]),
            ("沈伯安看着女儿。", &[]),
            ("沈伯安看着他的女儿。", &["沈砚秋"]),
            ("她祖父亲手写的。", &[]),
            ("她哥哥来了。", &[]),
        ];
        for (text, expected) in cases {
            assert_eq!(called(&story, &[0, 3], text), expected, "{text}");
        }
    }

    #[test]
    fn english_relatives_have_an_owner() {
        let story = json!({
            "language": "en",
            "characters": [
                {"id": "c-1", "name": "Edith Pallow", "gender": "female"}, {"id": "c-2", "name": "Amos Pallow", "gender": "male"},
                {"id": "c-3", "name": "Joss Hendra", "gender": "male"}, {"id": "c-4", "name": "Lydia Hendra", "gender": "female"}
            ],
            "character_relations": [{"from": "Edith Pallow", "to": "Amos Pallow", "type": "child_of"}],
            "facts": [{"id": "f-1", "subject": "Lydia Hendra", "predicate": "parent_of", "object": "Joss Hendra"}],
        });
        let cases: [(&str, &[&str]); 7] = [
            ("She carries her late father's ashes.", &["Amos Pallow"]),
            ("Joss’s mother drowned.", &["Lydia Hendra"]),
            ("Edith asks about his mother.", &["Lydia Hendra"]),
            ("The captain's father is here.", &[]),
            ("A father waits; her grandfather does not.", &[]),
            ("Lydia ran to her son.", &["Joss Hendra"]),
            ("Her mother is not told of.", &[]),
        ];
        for (text, expected) in cases {
            assert_eq!(called(&story, &[0, 2], text), expected, "{text}");
        }
    }
}
