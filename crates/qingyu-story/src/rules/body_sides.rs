//! Marks and losses of one side of the body that another sentence gives to the other side.

use std::collections::BTreeMap;

use super::claims::{StatementPair, narrated_of_people};
use crate::language::{has_any, has_words};
use crate::piece::PieceKind;
use crate::truth::{Entity, GroundTruth, TruthStatement};

/// Parts of the body that are there twice; the words of a line mean one part.
const PARTS: [&[&str]; 9] = [
    &["眼", "目", "eye"],
    &["耳", "ear"],
    &["脸", "颊", "腮", "cheek"],
    &["眉", "eyebrow", "brow"],
    &["肩", "shoulder"],
    &["手", "掌", "hand", "palm"],
    &["臂", "胳膊", "arm"],
    &["腿", "膝", "leg", "knee"],
    &["脚", "足", "foot"],
];
/// Kinds of marks and losses.
const KINDS: [&[&str]; 5] = [
    &["疤", "伤痕", "scar", "scarred"],
    &["痣", "mole"],
    &["胎记", "birthmark"],
    &["刺青", "纹身", "tattoo"],
    &[
        "瞎", "失明", "断", "缺", "少了", "没了", "丢了", "跛", "瘸", "残", "聋", "假", "blind", "lame", "deaf",
        "missing", "lost", "wooden",
    ],
];
/// Between the word for a side and that for the part: `左边的脸`.
const BETWEEN: [&str; 7] = ["半边", "边的", "边", "侧", "小", "大", " "];
/// Words of a sentence that tells of both sides, of a second mark, or of a mirror.
const BOTH: &[&str] = &[
    "双", "两只", "两条", "两边", "另", "也", "又", "镜", "画像", "both", "other", "also", "too", "second", "another",
    "mirror", "glass",
];

/// The places of hand and arm in [`PARTS`], and of losses in [`KINDS`].
const HAND: usize = 5;
const ARM: usize = 6;
const LOSS: usize = 4;
/// Verbs behind 左手, 右手 or 双手 by which somebody uses a hand.
const USES: [char; 24] = [
    '握', '提', '拿', '持', '按', '接', '抓', '举', '挥', '撑', '推', '拔', '端', '捂', '攥', '揽', '扶', '抬', '执',
    '拎', '捧', '掐', '拽', '托',
];
/// Words of a sentence about a lost limb that is back, or that is only a part of a hand.
const REPLACED: &[&str] = &[
    "假",
    "义肢",
    "义手",
    "机械",
    "铁手",
    "木手",
    "接上",
    "接回",
    "续上",
    "长出",
    "再生",
    "重生",
    "幻",
    "指",
    "尖",
    "一截",
    "脱臼",
    "骨",
    "wooden",
    "iron",
    "hook",
    "false",
    "artificial",
    "mechanical",
    "stump",
    "finger",
    "fingers",
    "sleeve",
];

/// A mark or a loss on one side.
#[derive(Debug, PartialEq, Eq)]
struct SidedMark {
    is_left: bool,
    part: usize,
    kind: usize,
}

impl SidedMark {
    /// Reads a trait such as `左脸上有一道疤` or `blind in the left eye`; `None` if it has no side, or two.
    fn of(text: &str) -> Option<Self> {
        let text = text.to_lowercase();
        let behind = |sides: [&str; 2]| sides.into_iter().find_map(|side| text.split_once(side)).map(|(_, rest)| rest);
        let (is_left, rest) = match (behind(["左", "left "]), behind(["右", "right "])) {
            (Some(rest), None) => (true, rest),
            (None, Some(rest)) => (false, rest),
            _ => return None,
        };
        let rest = BETWEEN.iter().find_map(|word| rest.strip_prefix(word)).unwrap_or(rest);
        let part = PARTS.iter().position(|words| words.iter().any(|word| rest.starts_with(word)))?;
        let kind = KINDS.iter().position(|words| has_any(&text, words))?;
        Some(Self { is_left, part, kind })
    }

    fn is_opposite(&self, other: &Self) -> bool {
        self.is_left != other.is_left && (self.part, self.kind) == (other.part, other.kind)
    }
}

/// Returns the pairs of narrated traits that give one mark or loss to both sides of somebody's body.
pub(super) fn two_sides<'t, 's>(truth: &'t GroundTruth<'s>) -> Vec<StatementPair<'t, 's>> {
    let mut pairs = Vec::new();
    for traits in narrated_of_people(truth, "trait") {
        let mark = |one: &'t TruthStatement<'s>| {
            let is_plain = !has_any(truth.quote(one), BOTH);
            Some((one, SidedMark::of(one.text().filter(|_| is_plain)?)?))
        };
        let marks: Vec<(&TruthStatement<'s>, SidedMark)> = traits.into_iter().filter_map(mark).collect();
        for (place, (second, mark)) in marks.iter().enumerate() {
            let first = marks[..place].iter().find(|(_, other)| mark.is_opposite(other));
            pairs.extend(first.map(|(first, _)| (*first, *second)));
        }
    }
    pairs
}

/// Returns the pairs of a trait by which somebody has lost an arm or a hand, and a fact of a later chapter whose sentence has them
/// use it.
pub(super) fn lost_limbs_used<'t, 's>(truth: &'t GroundTruth<'s>) -> Vec<StatementPair<'t, 's>> {
    let Some(word) = truth.term("trait") else { return Vec::new() };
    let told =
        truth.statements.iter().filter(|one| one.is_narrated() && one.subject.kind == Some(PieceKind::Character));
    let mut pairs = Vec::new();
    let mut losses: BTreeMap<Entity, Vec<(&TruthStatement<'s>, bool)>> = BTreeMap::new();
    for one in told.clone().filter(|one| one.predicate == word) {
        let lost = one.text().filter(|text| !has_any(text, REPLACED)).and_then(SidedMark::of);
        if let Some(lost) = lost.filter(|lost| lost.kind == LOSS && matches!(lost.part, HAND | ARM)) {
            losses.entry(one.subject).or_default().push((one, lost.is_left));
        }
    }
    for one in told.filter(|_| !losses.is_empty()) {
        let quote = truth.quote(one);
        let is_used = |(loss, is_left): &&(&TruthStatement<'s>, bool)| {
            let is_later = loss.order.zip(one.order).is_some_and(|(early, late)| early < late);
            is_later && uses_hand(quote, truth.registry.name(one.subject), *is_left)
        };
        let loss = losses.get(&one.subject).and_then(|losses| losses.iter().find(is_used));
        pairs.extend(loss.map(|(loss, _)| (*loss, one)));
    }
    pairs
}

/// Returns whether a sentence has somebody use the left or the right hand, or both: `林深左手提着灯`.
fn uses_hand(quote: &str, name: &str, is_left: bool) -> bool {
    uses_hand_in_chinese(quote, name, is_left) || uses_hand_in_english(quote, name, is_left)
}

/// Returns whether an English sentence begins with somebody and says in one clause that they use a hand: `Tom held the sword in
/// his left hand.`
fn uses_hand_in_english(quote: &str, name: &str, is_left: bool) -> bool {
    let side = if is_left { "left" } else { "right" };
    let mut hands = ["his", "her"].into_iter().flat_map(|owner| {
        let both = ["with", "in"].map(|word| format!("{word} both {owner} hands"));
        let one = ["with", "in"].map(|word| format!("{word} {owner} {side} hand"));
        both.into_iter().chain(one)
    });
    let first = name.split(' ').next().unwrap_or(name);
    let quote = quote.trim();
    let rest = quote.strip_prefix(name).or_else(|| quote.strip_prefix(first));
    let rest = rest.filter(|rest| rest.starts_with(' ') && !rest.contains([',', ';', '“']));
    rest.is_some_and(|rest| hands.any(|hand| has_words(rest, &hand))) && !has_any(quote, REPLACED)
}

fn uses_hand_in_chinese(quote: &str, name: &str, is_left: bool) -> bool {
    let own = if is_left { "左手" } else { "右手" };
    [own, "双手"].into_iter().any(|hand| {
        let before = quote.split_once(hand).map(|(before, rest)| (before, rest.starts_with(USES)));
        before.is_some_and(|(before, is_use)| is_use && before.ends_with(name))
    }) && !has_any(quote, REPLACED)
}

#[cfg(test)]
mod tests {
    use super::{SidedMark, uses_hand};

    #[test]
    fn a_hand_is_used_by_the_one_named_before_it() {
        assert!(uses_hand("林深左手提着灯。", "林深", true));
        assert!(uses_hand("林深双手捧着短剑。", "林深", true));
        for quote in ["林深右手提着灯。", "林深左手边是一堵墙。", "林深的父亲左手提着灯。", "林深左手握着机械臂。"]
        {
            assert!(!uses_hand(quote, "林深", true), "{quote}");
        }
    }

    #[test]
    fn an_english_hand_is_used_by_the_one_with_whom_the_sentence_begins() {
        assert!(uses_hand("Tom held the sword in his left hand.", "Tom", true));
        assert!(uses_hand("Tom lifted the sword with both his hands.", "Tom", true));
        for quote in [
            "Tom held the sword in his right hand.",
            "Tom held the sword in his wooden left hand.",
            "Tom’s brother held the sword in his left hand.",
            "Tom saw Will, the sword in his left hand.",
            "Will held the sword in his left hand.",
        ] {
            assert!(!uses_hand(quote, "Tom", true), "{quote}");
        }
    }

    #[test]
    fn a_mark_is_on_one_side_of_one_part() {
        let opposite = |one: &str, other: &str| {
            SidedMark::of(one).zip(SidedMark::of(other)).is_some_and(|(one, other)| one.is_opposite(&other))
        };
        for (one, other) in [
            ("左脸上有一道疤", "右颊有一条刀疤"),
            ("瞎了左眼", "右眼是瞎的"),
            ("断了左臂", "右臂断了一截"),
            ("scar on left cheek", "a scar on the right cheek"),
            ("scar down left cheek", "small scar on right cheek"),
            ("lost his left leg", "lost his right leg"),
            ("blind in the left eye", "blind in the right eye"),
        ] {
            assert!(opposite(one, other), "{one} {other}");
        }
        for (one, other) in [
            ("左脸上有一道疤", "右手上有一道疤"),
            ("左脸上有一道疤", "右脸上有一颗痣"),
            ("左脸上有一道疤", "左颊有一条刀疤"),
            ("瞎了左眼", "左右眼都是瞎的"),
            ("瞎了一只眼", "右眼是瞎的"),
        ] {
            assert!(!opposite(one, other), "{one} {other}");
        }
    }
}
