//! People whom a statement identifies, who so know what it says: people know who they are, and what they have done.

use qingyu_story::language::has_words;

/// Words between two names of one person.
const SAME: [&str; 12] =
    ["是", "叫", "化名", "本名", "真名", "原名", "is", "was", "alias", "called", "named", "known as"];
/// Words that make a description that of somebody by another name.
const CALLED: [&str; 16] = [
    "名叫",
    "叫做",
    "叫作",
    "自称",
    "化名",
    "假名",
    "外号",
    "绰号",
    "called",
    "calls himself",
    "calls herself",
    "calling himself",
    "calling herself",
    "named",
    "known as",
    "under the name",
];
/// Nouns for somebody who has done a deed.
const DOERS: [&str; 24] = [
    "凶手", "真凶", "元凶", "杀手", "小偷", "窃贼", "内奸", "内鬼", "奸细", "叛徒", "主谋", "主使", "killer",
    "murderer", "poisoner", "thief", "forger", "spy", "traitor", "culprit", "informer", "author", "writer", "sender",
];
/// Words by which a clause says more of a person than who it is.
const RELATED: [&str; 20] = [
    "给", "为", "和", "跟", "与", "被", "在", "要", "想", "把", "不", "for", "from", "to", "of", "with", "by", "at",
    "not", "never",
];
/// Adverbs between a name and the verb, in Chinese.
const ADVERBS: [&str; 8] = ["其实", "原来", "果然", "确实", "真的", "就", "正", "才"];
/// Marks that end a clause.
const MARKS: [char; 10] = ['，', '、', '；', '。', '：', ',', ';', '.', ':', '—'];
/// Maximum number of characters between two names of one person.
const BETWEEN: usize = 30;

/// Returns the people whom a known statement identifies: it has two of their names (`the man called Joss Arden is Tobias
/// Calloway`), or says that they did a deed (`凶手是乔仲平`). `aliases` are the other names of people.
pub(super) fn identified(statement: &str, people: &[String], aliases: &[(&str, &[String])]) -> Vec<String> {
    let is_meant = |who: &&String| {
        let name = who.trim();
        let others = aliases.iter().filter(|(own, _)| *own == name).flat_map(|(_, others)| others.iter());
        let has_two = others.map(|other| other.trim()).any(|other| has_two_names(statement, name, other));
        !name.is_empty() && (has_two || is_described(statement, name))
    };
    people.iter().filter(is_meant).cloned().collect()
}

/// Returns whether a statement has both names, neither within the other, and says between them that they are one.
fn has_two_names(statement: &str, name: &str, other: &str) -> bool {
    if other.is_empty() || name.contains(other) || other.contains(name) {
        return false;
    }
    let (Some(at), Some(other_at)) = (statement.find(name), statement.find(other)) else { return false };
    let (first, second) = if at < other_at { (at + name.len(), other_at) } else { (other_at + other.len(), at) };
    let between = statement.get(first..second).unwrap_or_default().to_lowercase();
    between.chars().count() <= BETWEEN && has(&between, &SAME) && !has(&between, &RELATED)
}

/// Returns whether a statement says that somebody described by another name or by a deed is the person.
fn is_described(statement: &str, name: &str) -> bool {
    let verbs = ["是", " is ", " was "].into_iter();
    let mut splits = verbs.flat_map(|verb| statement.match_indices(verb).map(move |(at, _)| (at, at + verb.len())));
    let describes = |(end, start): (usize, usize)| {
        let before = statement[..end].trim_end().rsplit(MARKS).next().unwrap_or_default().trim();
        let after = statement[start..].split(MARKS).next().unwrap_or_default().trim();
        let is_after = after.strip_suffix(name).is_some_and(|rest| !has(&rest.to_lowercase(), &RELATED));
        let bare = ADVERBS.iter().fold(before, |left, adverb| left.strip_suffix(adverb).unwrap_or(left));
        is_after && is_description(before) || bare == name && is_description(after)
    };
    splits.any(describes)
}

/// Returns whether words describe somebody by another name or by a deed.
fn is_description(words: &str) -> bool {
    let lower = words.to_lowercase();
    let is_doer = |doer: &&str| lower.ends_with(*doer) || has_words(&lower, &format!("{doer} of"));
    has(&lower, &CALLED) || DOERS.iter().any(is_doer)
}

/// Returns whether a text in lower case has one of the words.
fn has(text: &str, words: &[&str]) -> bool {
    words.iter().any(|word| has_words(text, word))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whoever_is_named_twice_or_by_a_deed_is_identified() {
        let people = ["Tobias Calloway", "Ines Calloway", "乔仲平", "沈砚秋"].map(str::to_owned);
        let joss = ["Joss Arden".to_owned()];
        let mate = ["乔大副".to_owned(), "仲平".to_owned()];
        let aliases = [("Tobias Calloway", joss.as_slice()), ("乔仲平", mate.as_slice())];
        for (statement, expected) in [
            ("the man called Joss Arden is her brother Tobias Calloway", "Tobias Calloway"),
            ("Joss Arden is Tobias Calloway", "Tobias Calloway"),
            ("Tobias Calloway is the rigger known as Arden", "Tobias Calloway"),
            ("the killer of Hay was Ines Calloway", "Ines Calloway"),
            ("Ines Calloway is a spy", "Ines Calloway"),
            ("凶手是乔仲平", "乔仲平"),
            ("乔仲平就是当年的主谋", "乔仲平"),
            ("自称李四的人其实是沈砚秋", "沈砚秋"),
            ("乔大副就是乔仲平", "乔仲平"),
            ("the heir is Tobias Calloway", ""),
            ("the killer is Tobias Calloway's brother", ""),
            ("the letter of the man called Hay is for Tobias Calloway", ""),
            ("the killer is not Ines Calloway", ""),
            ("沈砚秋是程家的女婿", ""),
            ("凶手不是沈砚秋", ""),
            ("凶手是沈砚秋的弟弟", ""),
        ] {
            assert_eq!(identified(statement, &people, &aliases).join(" "), expected, "{statement}");
        }
    }
}
