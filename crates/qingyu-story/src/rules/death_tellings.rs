//! Sentences that tell one death in two ways: of an illness and in a fight, in two places.

use super::RuleMaterial;
use super::claims::{StatementPair, are_apart, in_telling_order};
use crate::language::{has_any, simplified};
use crate::piece::PieceKind;
use crate::predicate::PredicateRole;
use crate::truth::{Entity, StatementBasis, TruthStatement};

/// Manners of death, by the words of a sentence.
const MANNERS: [(Manner, &[&str]); 8] = [
    (
        Manner::Illness,
        &[
            "病死",
            "病逝",
            "病故",
            "病亡",
            "痨病死",
            "染病",
            "一病",
            "伤寒",
            "瘟疫",
            "痨",
            "fever",
            "consumption",
            "illness",
            "sickness",
            "typhus",
            "typhoid",
            "cholera",
            "plague",
            "smallpox",
            "diphtheria",
            "influenza",
            "pneumonia",
            "tuberculosis",
            "cancer",
            "in his sleep",
            "in her sleep",
            "peacefully",
            "of old age",
            "natural causes",
        ],
    ),
    (
        Manner::Violence,
        &[
            "杀",
            "战死",
            "阵亡",
            "刺死",
            "砍死",
            "打死",
            "射死",
            "勒死",
            "枪",
            "遇害",
            "剑下",
            "刀下",
            "箭",
            "斩首",
            "处死",
            "murdered",
            "stabbed",
            "shot",
            "strangled",
            "hanged",
            "beheaded",
            "killed by",
            "killed in action",
            "killed in battle",
            "killed in the war",
            "died in battle",
            "fell in battle",
            "fell at the battle",
            "slain",
            "executed",
            "bayoneted",
        ],
    ),
    (Manner::Poison, &["毒", "poisoned", "poison"]),
    (Manner::Fire, &["烧死", "大火", "火海", "火灾", "burned to death", "burnt to death", "in the fire", "in a fire"]),
    (
        Manner::Water,
        &[
            "淹死",
            "溺",
            "落水",
            "沉船",
            "海难",
            "投河",
            "投江",
            "跳河",
            "drowned",
            "shipwreck",
            "lost at sea",
            "lost overboard",
        ],
    ),
    (
        Manner::Fall,
        &["摔死", "坠", "跌死", "fell to his death", "fell to her death", "broke his neck", "broke her neck"],
    ),
    (Manner::Want, &["饿死", "冻死", "starved", "froze to death"]),
    (Manner::Childbirth, &["难产", "died in childbirth"]),
];

/// Words of a sentence that denies one telling, or says that it only seemed so.
const SEEMED: &[&str] = &[
    "不是",
    "并非",
    "其实",
    "原来",
    "真相",
    "以为",
    "谎",
    "骗",
    "假",
    "伪",
    "装作",
    "说是",
    "误",
    "not",
    "really",
    "in truth",
    "thought",
    "believed",
    "seemed",
    "pretended",
    "lie",
    "lied",
];

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Manner {
    Illness,
    Violence,
    Poison,
    Fire,
    Water,
    Fall,
    Want,
    Childbirth,
}

/// Pairs of manners that one death can have.
const TOGETHER: [(Manner, Manner); 6] = [
    (Manner::Violence, Manner::Poison),
    (Manner::Violence, Manner::Fall),
    (Manner::Violence, Manner::Water),
    (Manner::Violence, Manner::Fire),
    (Manner::Illness, Manner::Want),
    (Manner::Illness, Manner::Childbirth),
];

/// The manners and the place of a death that a sentence tells.
struct DeathTelling<'t, 's> {
    statement: &'t TruthStatement<'s>,
    manners: Vec<Manner>,
    place: Option<Entity>,
}

/// Returns the first two narrated facts of somebody's death that cannot be of one death.
pub(super) fn told_otherwise<'t, 's>(material: &'t RuleMaterial<'s>, who: Entity) -> Option<StatementPair<'t, 's>> {
    let truth = material.truth();
    if truth.of_role_by(who, PredicateRole::Revival).next().is_some() {
        return None;
    }
    let is_told = |one: &&TruthStatement<'_>| !one.is_denied() && matches!(one.basis, StatementBasis::Fact(_));
    let mut told: Vec<&TruthStatement<'s>> = truth.of_role_by(who, PredicateRole::Death).filter(is_told).collect();
    if told.len() < 2 {
        return None;
    }
    in_telling_order(truth, &mut told);
    let tellings: Vec<DeathTelling<'_, 's>> =
        told.into_iter().filter_map(|one| DeathTelling::of(material, who, one)).collect();
    tellings.iter().enumerate().find_map(|(at, second)| {
        let first = tellings[..at].iter().find(|first| first.differs(second, material))?;
        Some((first.statement, second.statement))
    })
}

impl<'t, 's> DeathTelling<'t, 's> {
    /// Reads the sentence of a fact; `None` if it names other people, or doubts what it tells.
    fn of(material: &RuleMaterial<'s>, who: Entity, statement: &'t TruthStatement<'s>) -> Option<Self> {
        let quote = material.truth().quote(statement);
        let plain: String = quote.chars().map(simplified).collect();
        let mentions = material.names.mentions_in_prose(quote);
        let mut people = mentions.iter().flat_map(|one| &one.bearers).filter(|one| one.kind == PieceKind::Character);
        let is_of_others = people.any(|one| one.position != who.index);
        if quote.trim().is_empty() || is_of_others || has_any(&plain, SEEMED) {
            return None;
        }
        let manners =
            MANNERS.into_iter().filter(|(_, words)| has_any(&plain, words)).map(|(manner, _)| manner).collect();
        let places = mentions.iter().filter(|one| is_place_of_death(&quote[..one.start]));
        let places = places.flat_map(|one| &one.bearers).filter(|one| one.kind == PieceKind::Location);
        let place = places.map(|one| Entity { kind: Some(PieceKind::Location), index: one.position }).next();
        Some(Self { statement, manners, place })
    }

    fn differs(&self, other: &Self, material: &RuleMaterial<'s>) -> bool {
        let is_one = |a: Manner, b: Manner| a == b || TOGETHER.contains(&(a, b)) || TOGETHER.contains(&(b, a));
        let may_be_one = self.manners.iter().any(|one| other.manners.iter().any(|other| is_one(*one, *other)));
        let are_told = !self.manners.is_empty() && !other.manners.is_empty();
        let places = self.place.zip(other.place);
        are_told && !may_be_one || places.is_some_and(|(one, other)| are_apart(material, one, other, true))
    }
}

/// Returns whether the words before a place say that somebody died there.
fn is_place_of_death(before: &str) -> bool {
    const CHINESE: [&str; 9] = ["死在", "死在了", "死于", "战死在", "病死在", "惨死在", "病逝于", "阵亡于", "命丧"];
    const ENGLISH: [&str; 4] = ["died at ", "died in ", "killed at ", "killed in "];
    let lower = before.to_lowercase();
    CHINESE.iter().any(|word| before.ends_with(word)) || ENGLISH.iter().any(|word| lower.ends_with(word))
}
