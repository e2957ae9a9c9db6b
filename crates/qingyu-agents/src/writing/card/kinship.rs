//! Whether who is related or married to whom is a secret of the story.

use qingyu_story::language::{has_words, is_han};

/// Words of a secret that speaks of kinship or marriage.
const KIN: [&str; 36] = [
    "夫妻", "妻", "丈夫", "夫人", "嫁", "娶", "婚", "父", "母", "爹", "娘", "儿子", "女儿", "之子", "之女", "孩子",
    "兄", "弟", "姐", "妹", "亲生", "私生", "骨肉", "husband", "wife", "married", "father", "mother", "son", "daughter",
    "child", "brother", "sister", "sibling", "twin", "family",
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
    let given = match is_chinese {
        true => name.chars().skip(usize::from(name.chars().count() > 2)).collect(),
        false => name.split_whitespace().next().unwrap_or_default().to_owned(),
    };
    let is_long = is_chinese || given.chars().count() >= LETTERS;
    !name.is_empty() && (has_words(text, &name) || is_long && has_words(text, &given))
}
