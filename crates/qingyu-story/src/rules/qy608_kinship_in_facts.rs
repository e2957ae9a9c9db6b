//! QY608: facts with mutually exclusive kinship of two characters.

use std::collections::BTreeMap;

use super::children::sons_and_daughters;
use super::claims::in_telling_order;
use super::kinship_facts::{draft, is_fact, is_of_others, quote_of, told_facts};
use super::spouses::two_spouses;
use super::{FindingDraft, Rule, RuleMaterial};
use crate::kinship::{FATHER, MOTHER};
use crate::language::has_any;
use crate::piece::PieceKind;
use crate::truth::{Entity, GroundTruth, PointSpan, TruthStatement};
use crate::{Category, Severity};

pub(super) fn rule() -> Rule {
    let texts = include_str!("qy608_kinship_in_facts.toml");
    Rule::new("QY608", (Severity::High, Category::Consistency, "relation"), texts, run)
}

/// Pairs of mutually exclusive relations.
const EXCLUSIVE: [(&str, &str); 5] = [
    ("parent_of", "sibling_of"),
    ("parent_of", "married_to"),
    ("sibling_of", "married_to"),
    ("friend_of", "enemy_of"),
    ("ally_of", "enemy_of"),
];

/// The relation of a parent by blood, which has no end: it excludes the others of [`EXCLUSIVE`] at any time.
const BY_BLOOD: &str = "parent_of";
/// Stands for all words of [`is_further_kin`].
const FURTHER: &str = "further";

fn run(material: &RuleMaterial<'_>) -> Vec<FindingDraft> {
    let truth = material.truth();
    let words = ["parent_of", "sibling_of", "married_to", "friend_of", "enemy_of", "ally_of"];
    let of_words = words.into_iter().flat_map(|word| {
        let said = truth.term(word).into_iter().flat_map(move |term| truth.with_term(term));
        said.map(move |one| (word, one))
    });
    let is_own = |one: &&TruthStatement<'_>| truth.predicate(one.predicate).is_none();
    let own = truth.statements.iter().filter(is_own).filter(|one| is_further_kin(truth.word(one.predicate)));
    let mut pairs: BTreeMap<(Entity, Entity), Vec<(&str, &TruthStatement<'_>)>> = BTreeMap::new();
    for (word, one) in of_words.chain(own.map(|one| (FURTHER, one))) {
        let is_character = |entity: Entity| entity.kind == Some(PieceKind::Character);
        let object = one.object.filter(|object| is_character(*object) && is_character(one.subject));
        if let Some(object) = object.filter(|_| one.is_narrated() && !one.is_denied()) {
            let key = (one.subject.min(object), one.subject.max(object));
            pairs.entry(key).or_default().push((word, one));
        }
    }
    let mut drafts = Vec::new();
    for said in pairs.into_values().filter(|said| said.iter().any(|(_, one)| is_fact(one))) {
        let of = |word: &str| {
            let mut all: Vec<_> = said.iter().filter(|(other, _)| *other == word).map(|(_, one)| *one).collect();
            in_telling_order(truth, &mut all);
            all
        };
        // Parenthood is permanent.
        let parents = of(BY_BLOOD);
        let turned = parents.iter().find(|one| one.subject != parents[0].subject).map(|other| (parents[0], *other));
        let clash = EXCLUSIVE.into_iter().chain([(BY_BLOOD, FURTHER)]).filter_map(|(word, other)| {
            let others = of(other);
            let hold = |first: &TruthStatement<'_>, second: &TruthStatement<'_>| {
                let is_of_blood = |one: &TruthStatement<'_>| !is_of_others(&quote_of(truth, one));
                let are_by_blood = || is_of_blood(first) && (other == FURTHER || is_of_blood(second));
                word == BY_BLOOD && are_by_blood() || hold_together(material, first.span, second.span)
            };
            of(word).into_iter().find_map(|first| Some((first, *others.iter().find(|second| hold(first, second))?)))
        });
        let clashes = turned
            .into_iter()
            .chain(clash)
            .chain(turned_round(truth, &of(FURTHER)))
            .filter(|(first, second)| is_fact(first) || is_fact(second));
        drafts.extend(clashes.map(|(first, second)| draft(truth, first, second)));
    }
    drafts.extend(two_parents(material));
    drafts.extend(only_children(truth));
    drafts.extend(two_spouses(material));
    drafts.extend(sons_and_daughters(material));
    drafts
}

/// Words for relatives of the generations above, without parents.
const ABOVE: [&str; 22] = [
    "祖父",
    "祖母",
    "爷爷",
    "奶奶",
    "外公",
    "外婆",
    "伯父",
    "伯伯",
    "叔父",
    "叔叔",
    "姑姑",
    "姑母",
    "姑妈",
    "舅舅",
    "舅父",
    "姨妈",
    "姨母",
    "grandfather",
    "grandmother",
    "grandparent",
    "uncle",
    "aunt",
];
/// Words for relatives of the generations below, without children.
const BELOW: [&str; 16] = [
    "孙",
    "孙女",
    "孙子",
    "孙儿",
    "外孙",
    "外孙女",
    "侄女",
    "侄子",
    "侄儿",
    "外甥",
    "外甥女",
    "nephew",
    "niece",
    "grandson",
    "granddaughter",
    "grandchild",
];

/// Returns two statements by which each of two people is of the generation above the other.
fn turned_round<'t, 's>(
    truth: &GroundTruth<'s>,
    said: &[&'t TruthStatement<'s>],
) -> Option<(&'t TruthStatement<'s>, &'t TruthStatement<'s>)> {
    // Whether the subject is above the object. `林深 姑姑 苏敏` says that 苏敏 is the aunt; `niece_of` says what the subject is.
    let is_above = |one: &TruthStatement<'s>| {
        let word = truth.word(one.predicate).trim().to_lowercase();
        let bare = bare(&word);
        let rises = match (ABOVE.contains(&bare), BELOW.contains(&bare)) {
            (true, _) => true,
            (_, true) => false,
            _ => return None,
        };
        Some(rises == word.ends_with("_of"))
    };
    let sides: Vec<_> = said.iter().filter_map(|one| Some((*one, is_above(one)?, one.subject))).collect();
    let (first, above, subject) = sides.first()?;
    let other = sides.iter().find(|(_, other, of)| (above == other) != (subject == of))?;
    Some((*first, other.0))
}

/// Returns whether a predicate outside the vocabulary is a word for a relative who is neither parent nor child, brother nor
/// sister: `孙女`, `niece_of`.
pub(crate) fn is_further_kin(word: &str) -> bool {
    let word = word.trim().to_lowercase();
    let bare = bare(&word);
    bare == "cousin" || ABOVE.contains(&bare) || BELOW.contains(&bare)
}

/// Returns the word for a relative in a predicate: `niece` of `is_niece_of`.
fn bare(predicate: &str) -> &str {
    predicate.trim_start_matches("is_").trim_end_matches("_of")
}

/// Returns drafts for two fathers or two mothers of one character, by sentences with the respective words.
fn two_parents(material: &RuleMaterial<'_>) -> Vec<FindingDraft> {
    let truth = material.truth();
    let has = |text: &str, words: &[&str]| words.iter().any(|word| text.contains(word));
    let mut drafts = Vec::new();
    for (kind, other) in [(FATHER, MOTHER), (MOTHER, FATHER)] {
        let mut by_child: BTreeMap<Entity, Vec<&TruthStatement<'_>>> = BTreeMap::new();
        for one in told_facts(truth, "parent_of") {
            let quote = quote_of(truth, one);
            let is_implied = || implies_mother(&quote) == Some(kind == MOTHER) && names_only(material, one, &quote);
            let is_told = has(&quote, kind) && !has(&quote, other);
            let is_none = !has(&quote, kind) && !has(&quote, other);
            let is_of_kind = (is_told || is_none && is_implied()) && !is_of_others(&quote);
            if let Some(child) = one.object.filter(|_| is_of_kind) {
                by_child.entry(child).or_default().push(one);
            }
        }
        for mut told in by_child.into_values() {
            in_telling_order(truth, &mut told);
            let first = told[0];
            let second = told.iter().copied().find(|one| one.subject != first.subject);
            drafts.extend(second.map(|second| draft(truth, first, second)));
        }
    }
    drafts
}

/// Returns whether an English sentence about a parent and a child, in lower case, makes the parent a mother, by pronouns that
/// cannot mean the child: `Will was Ada's son, and had her nose`. `None` if it does not tell.
fn implies_mother(quote: &str) -> Option<bool> {
    let (he, she) = (has_any(quote, &["he", "his", "him"]), has_any(quote, &["she", "her"]));
    match (has_any(quote, &["son", "boy"]), has_any(quote, &["daughter", "girl"])) {
        (true, false) if she && !he => Some(true),
        (false, true) if he && !she => Some(false),
        _ => None,
    }
}

/// Returns whether the sentence of a statement names nobody but its two people.
fn names_only(material: &RuleMaterial<'_>, one: &TruthStatement<'_>, quote: &str) -> bool {
    let is_own = |index: usize| {
        let own = Entity { kind: Some(PieceKind::Character), index };
        one.subject == own || one.object == Some(own)
    };
    let is_named = |name: &str| !name.trim().is_empty() && quote.contains(&name.trim().to_lowercase());
    let mut others = material.story.characters.iter().enumerate().filter(|(index, _)| !is_own(*index));
    !others.any(|(_, card)| is_named(&card.name) || card.alias.iter().any(|name| is_named(name)))
}

/// Returns drafts for people without brothers and sisters who have some.
fn only_children(truth: &GroundTruth<'_>) -> Vec<FindingDraft> {
    let told = |word: &'static str| {
        let mut told: Vec<_> = told_facts(truth, word).collect();
        in_telling_order(truth, &mut told);
        told
    };
    let siblings = told("sibling_of");
    let nephews = nephews(truth);
    let is_married =
        |who: Entity| told_facts(truth, "married_to").any(|one| one.subject == who || one.object == Some(who));
    let is_only = |one: &&TruthStatement<'_>| one.number().is_some_and(|(number, _)| number == 0.0);
    let drafts = told("siblings").into_iter().filter(is_only).filter_map(|none| {
        let has = |one: &&&TruthStatement<'_>| one.subject == none.subject || one.object == Some(none.subject);
        let sibling = siblings.iter().find(has).filter(|one| !is_of_others(&quote_of(truth, one)));
        if let Some(sibling) = sibling {
            return Some(draft(truth, sibling, none));
        }
        // A nephew may be the child of a brother-in-law.
        let nephew = nephews.iter().find(|(who, _)| *who == none.subject && !is_married(*who));
        nephew.map(|(_, one)| draft(truth, one, none).with_severity(Severity::Low))
    });
    drafts.collect()
}

/// Returns the people with a nephew or a niece, each with the statement that tells of one.
fn nephews<'t, 's>(truth: &'t GroundTruth<'s>) -> Vec<(Entity, &'t TruthStatement<'s>)> {
    const NEPHEW: [&str; 7] = ["侄女", "侄子", "侄儿", "外甥", "外甥女", "nephew", "niece"];
    let is_own = |one: &&TruthStatement<'s>| truth.predicate(one.predicate).is_none();
    let told = truth.statements.iter().filter(|one| one.is_narrated() && !one.is_denied() && is_fact(one));
    let of_nephew = told.filter(is_own).filter_map(|one| {
        let word = truth.word(one.predicate).trim().to_lowercase();
        // Not `is_nephew_of`, whose subject is the nephew.
        let is_told = NEPHEW.contains(&word.as_str());
        (is_told && one.object.is_some()).then_some((one.subject, one))
    });
    of_nephew.collect()
}

/// Returns whether both periods are unbounded, or certainly overlap.
fn hold_together(material: &RuleMaterial<'_>, a: PointSpan, b: PointSpan) -> bool {
    let timeline = &material.truth().timeline;
    a.is_open() && b.is_open() || a.overlaps(b, timeline, |one, other| timeline.is_same(one, other))
}
