//! A child called the son of a parent in one sentence, and the daughter in another one.

use std::collections::{BTreeMap, HashMap};

use super::claims::{doubt_fact, in_telling_order};
use super::kinship_facts::told_facts;
use super::{FindingDraft, RuleMaterial};
use crate::language::{has_any, is_han, is_whole_word};
use crate::part::anchor;
use crate::piece::PieceKind;
use crate::truth::{Entity, GroundTruth, TruthStatement};
use crate::{Character, Evidence, Story};

/// Words for a child, with whether it is a son; the longer one first.
const CHILD: [(&str, bool); 19] = [
    ("独生子", true),
    ("独生女", false),
    ("儿子", true),
    ("独子", true),
    ("长子", true),
    ("次子", true),
    ("幼子", true),
    ("之子", true),
    ("女儿", false),
    ("闺女", false),
    ("独女", false),
    ("长女", false),
    ("次女", false),
    ("幼女", false),
    ("之女", false),
    ("sons", true),
    ("daughters", false),
    ("son", true),
    ("daughter", false),
];
/// Letters before a word for a child that make it another relative.
const BEFORE_OTHERS: [char; 11] = ['干', '养', '继', '义', '孙', '侄', '甥', '表', '堂', '教', '-'];
/// Between a word for a child and its name.
const LINKS: [&str; 17] = [
    "，名叫",
    "，叫",
    "名叫",
    "叫做",
    "名唤",
    "就是",
    "正是",
    "便是",
    "是",
    "叫",
    "——",
    ", named ",
    ", called ",
    " named ",
    " called ",
    " was ",
    " is ",
];
/// Between a name and the words that say whose child it is.
const BE: [&str; 12] =
    ["就是", "正是", "便是", "是", "乃是", "乃", "，", ", ", " was ", " is ", " had been ", " became "];
/// Words of a sentence in which somebody passes for another one.
const PASSING: &[&str] = &[
    "扮",
    "假",
    "冒充",
    "冒认",
    "乔装",
    "化名",
    "disguise",
    "disguised",
    "passing",
    "posing",
    "pretended",
    "pretends",
];

/// A sentence by which somebody is the child of a parent: the statement that it tells, first or again, and whether it calls
/// the child a son.
struct ChildSaying<'t, 's> {
    statement: &'t TruthStatement<'s>,
    evidence: Evidence,
    is_son: bool,
}

/// Returns a draft for each child whom sentences call both the son and the daughter of one parent.
pub(super) fn sons_and_daughters(material: &RuleMaterial<'_>) -> Vec<FindingDraft> {
    let truth = material.truth();
    let mut told: BTreeMap<(Entity, Entity), Vec<&TruthStatement<'_>>> = BTreeMap::new();
    for one in told_facts(truth, "parent_of") {
        if let Some(child) = one.object.filter(|child| child.kind == Some(PieceKind::Character)) {
            told.entry((one.subject, child)).or_default().push(one);
        }
    }
    if told.is_empty() {
        return Vec::new();
    }
    let again = told_again(material.story);
    let mut drafts = Vec::new();
    for ((_, child), mut told) in told {
        in_telling_order(truth, &mut told);
        let card = &material.story.characters[child.index];
        let sayings: Vec<ChildSaying<'_, '_>> = told.iter().flat_map(|one| sayings(truth, one, card, &again)).collect();
        let Some(first) = sayings.first() else { continue };
        let other = sayings.iter().find(|one| one.is_son != first.is_son);
        drafts.extend(other.map(|other| draft_of(truth, first, other)));
    }
    drafts
}

/// Returns the sentences by which documents tell a fact again, by its id, each with the anchor of the document.
fn told_again(story: &Story) -> HashMap<&str, Vec<Evidence>> {
    let mut again: HashMap<&str, Vec<Evidence>> = HashMap::new();
    for document in &story.documents {
        for retold in document.settled.iter().flat_map(|settled| &settled.retold) {
            let quote = retold.source.quote.trim().to_owned();
            let evidence = Evidence { anchor: anchor(PieceKind::Document, document, "text"), quote };
            again.entry(retold.id.trim()).or_default().push(evidence);
        }
    }
    again
}

/// Returns the sentences of a parent's fact that call the child either a son or a daughter.
fn sayings<'t, 's>(
    truth: &GroundTruth<'s>,
    statement: &'t TruthStatement<'s>,
    card: &Character,
    again: &HashMap<&str, Vec<Evidence>>,
) -> Vec<ChildSaying<'t, 's>> {
    let retold = truth.asserting(statement).and_then(|fact| again.get(fact.id.trim()));
    let all = [statement.evidence(truth)].into_iter().chain(retold.into_iter().flatten().cloned());
    let said = all.filter_map(|evidence| {
        let is_son = is_son(&evidence.quote.to_lowercase(), card)?;
        Some(ChildSaying { statement, evidence, is_son })
    });
    said.collect()
}

/// Returns whether a sentence calls the character a son (`true`) or a daughter (`false`); `None` if it says neither, or both.
fn is_son(quote: &str, card: &Character) -> Option<bool> {
    if has_any(quote, PASSING) {
        return None;
    }
    let names = || [&card.name].into_iter().chain(&card.alias).filter(|name| !name.trim().is_empty());
    let says = |is_son: bool| names().any(|name| calls(quote, &name.trim().to_lowercase(), is_son));
    match (says(true), says(false)) {
        (true, false) => Some(true),
        (false, true) => Some(false),
        _ => None,
    }
}

fn draft_of<'s>(truth: &GroundTruth<'s>, first: &ChildSaying<'_, 's>, other: &ChildSaying<'_, 's>) -> FindingDraft {
    let mut handles = [first, other].map(|one| one.statement.basis.piece(truth.story).1).to_vec();
    handles.sort();
    handles.dedup();
    let [parent, child] = [Some(first.statement.subject), first.statement.object]
        .map(|one| one.map(|one| truth.registry.name(one)).unwrap_or_default());
    let quotes = [first, other].map(|one| (one.evidence.anchor.clone(), one.evidence.quote.clone()));
    let draft = FindingDraft::about(handles)
        .say("one", parent)
        .say("other", child)
        .say("first", first.evidence.quote.clone())
        .say("second", other.evidence.quote.clone())
        .affects(parent)
        .affects(child)
        .quotes(quotes);
    doubt_fact(draft, "untrue", truth.asserting(other.statement))
}

/// Returns whether a sentence calls the person `name` a son, or a daughter: `周建国的女儿苏敏`, `Mara was Tom's daughter`.
fn calls(quote: &str, name: &str, is_son: bool) -> bool {
    let words = CHILD.iter().filter(|(_, of_son)| *of_son == is_son).map(|(word, _)| *word);
    words.flat_map(|word| quote.match_indices(word)).any(|(at, word)| {
        let (before, behind) = (&quote[..at], &quote[at + word.len()..]);
        let is_word = is_whole_word(quote, &(at..at + word.len())) && !before.ends_with(BEFORE_OTHERS);
        is_word
            && !behind.starts_with(['-', '\'', '’', '的'])
            && (begins_with(behind, name) || is_said_of(before, behind, name))
    })
}

/// Returns whether the words behind a word for a child begin with the name.
fn begins_with(behind: &str, name: &str) -> bool {
    let bare = LINKS.iter().find_map(|link| behind.strip_prefix(link)).unwrap_or(behind);
    let bare = bare.trim_start_matches([' ', ',']);
    bare.starts_with(name) && is_whole_word(bare, &(0..name.len()))
}

/// Returns whether the words before a word for a child end in `NAME is somebody's`, and nothing follows that belongs to it.
fn is_said_of(before: &str, behind: &str, name: &str) -> bool {
    let clause = before.rsplit(['。', '！', '？', '；', '.', '!', '?', ';']).next().unwrap_or(before);
    let Some(at) = clause.rfind(name).filter(|at| is_whole_word(clause, &(*at..at + name.len()))) else { return false };
    let between = &clause[at + name.len()..];
    let Some(whose) = BE.iter().find_map(|be| between.strip_prefix(be)) else { return false };
    let is_short = whose.chars().count() <= 30 && !whose.contains(['，', ',', '、', '\u{201c}']);
    let is_denied = whose.contains(['不', '没', '非']) || has_any(whose, &["not", "no", "never"]);
    is_short && !is_denied && !behind.starts_with(is_han)
}

#[cfg(test)]
mod tests {
    use super::calls;

    #[test]
    fn a_sentence_calls_the_one_whom_it_names_a_child() {
        for (quote, name, is_son, expected) in [
            ("苏敏是周建国的女儿。", "苏敏", false, true),
            ("苏敏是周建国的女儿。", "苏敏", true, false),
            ("苏敏是周建国的独生女儿。", "苏敏", false, true),
            ("苏敏乃周建国之女。", "苏敏", false, true),
            ("周建国的女儿苏敏走了进来。", "苏敏", false, true),
            ("周建国有一个女儿，名叫苏敏。", "苏敏", false, true),
            ("苏敏的父亲周建国没有儿子。", "苏敏", true, false),
            ("苏敏是周建国的干女儿。", "苏敏", false, false),
            ("苏敏是周建国的女儿红的买主。", "苏敏", false, false),
            ("苏敏不是周建国的儿子。", "苏敏", true, false),
            ("苏敏和周建国的儿子林深走了。", "苏敏", true, false),
            ("mara was tom’s daughter.", "mara", false, true),
            ("mara was the daughter of tom.", "mara", false, true),
            ("tom’s daughter, mara, came in.", "mara", false, true),
            ("tom had a son named will.", "will", true, true),
            ("mara was not tom’s son.", "mara", true, false),
            ("mara was tom’s daughter-in-law.", "mara", false, false),
            ("mara’s father tom had no son.", "mara", true, false),
        ] {
            assert_eq!(calls(quote, name, is_son), expected, "{quote} {name} {is_son}");
        }
    }
}
