//! Who is related or married to whom: whether it is a secret of the story, and whether it links people who are present.

use std::collections::BTreeSet;

use qingyu_story::RelationKind;
use qingyu_story::language::{has_words, is_han};
use serde::Deserialize;
use serde_json::Value;

/// Words of a secret that speaks of kinship or marriage.
const KIN: [&str; 36] = [
    "夫妻", "妻", "丈夫", "夫人", "嫁", "娶", "婚", "父", "母", "爹", "娘", "儿子", "女儿", "之子", "之女", "孩子",
    "兄", "弟", "姐", "妹", "亲生", "私生", "骨肉", "husband", "wife", "married", "father", "mother", "son",
    "daughter", "child", "brother", "sister", "sibling", "twin", "family",
];
/// Minimum number of letters of a part of a name.
const LETTERS: usize = 3;

/// Returns whether one of the lines of secrets, with the names of their bearers, speaks of the kinship of two people.
pub(super) fn is_secret(one: &str, other: &str, hidden: &[String]) -> bool {
    let tells = |line: &String| {
        let lower = line.to_lowercase();
        has_name(&lower, one) && has_name(&lower, other) && KIN.iter().any(|word| has_words(&lower, word))
    };
    hidden.iter().any(tells)
}

/// Returns whether a text in lower case has a name, or a part by which people call its bearer: 小荷 of 罗小荷, Tobias of Tobias
/// Calloway.
fn has_name(text: &str, name: &str) -> bool {
    let name = name.trim().to_lowercase();
    let is_chinese = !name.is_empty() && name.chars().all(is_han);
    let given: String = match is_chinese {
        true => name.chars().skip(usize::from(name.chars().count() > 2)).collect(),
        false => name.split_whitespace().next().unwrap_or_default().to_owned(),
    };
    let is_long = is_chinese || given.chars().count() >= LETTERS;
    !name.is_empty() && (has_words(text, &name) || is_long && has_words(text, &given))
}

/// Returns whether a relation is kinship between two people, each of whom is a relative of somebody among `here`, the two not
/// of the same person.
pub(super) fn links_relatives(relation: &Value, relations: &[Value], here: &[String]) -> bool {
    let is_kinship = |one: &Value| RelationKind::deserialize(&one["type"]).is_ok_and(RelationKind::is_kinship);
    let ends = |one: &Value| ["from", "to"].map(|key| one[key].as_str().unwrap_or_default().trim().to_owned());
    let kin: Vec<[String; 2]> = relations.iter().filter(|one| is_kinship(one)).map(ends).collect();
    let relatives = |who: &str| -> BTreeSet<&String> {
        let tied = kin.iter().filter(|pair| pair.iter().any(|name| name == who)).flatten();
        tied.filter(|name| here.iter().any(|one| one.trim() == name.as_str())).collect()
    };
    let [from, to] = ends(relation);
    let (of_from, of_to) = (relatives(&from), relatives(&to));
    is_kinship(relation) && of_from.iter().any(|one| of_to.iter().any(|other| one != other))
}
