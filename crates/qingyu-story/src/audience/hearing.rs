//! Whether people who stand by hear a statement.

use crate::Mode;
use crate::language::has_any;
use crate::marks::is_double_quote;
use crate::names::fold;

/// Words by which something is kept from the others who are there.
const ASIDE: [&str; 42] = [
    "低声",
    "小声",
    "悄声",
    "悄悄",
    "偷偷",
    "耳语",
    "附耳",
    "耳边",
    "私下",
    "暗中",
    "暗地",
    "背着",
    "瞒着",
    "没听见",
    "没有听见",
    "听不见",
    "没听到",
    "没有听到",
    "没听清",
    "whisper",
    "whispers",
    "whispered",
    "whispering",
    "under his breath",
    "under her breath",
    "in private",
    "privately",
    "secretly",
    "in secret",
    "drew him aside",
    "drew her aside",
    "took him aside",
    "took her aside",
    "out of earshot",
    "out of hearing",
    "did not hear",
    "didn't hear",
    "could not hear",
    "couldn't hear",
    "unheard",
    "behind his back",
    "behind her back",
];
/// Words by which somebody learns something that nobody says: it is thought, noticed or read.
const UNSPOKEN: [&str; 56] = [
    "心想",
    "心里",
    "心中",
    "心下",
    "暗想",
    "暗自",
    "想起",
    "想到",
    "记起",
    "猜",
    "推断",
    "推想",
    "断定",
    "看出",
    "认出",
    "察觉",
    "发觉",
    "意识到",
    "注意到",
    "明白",
    "读到",
    "信里",
    "信上",
    "thought",
    "thinks",
    "thinking",
    "remembered",
    "remembers",
    "recalled",
    "recalls",
    "guess",
    "guessed",
    "guesses",
    "realised",
    "realises",
    "realized",
    "realizes",
    "noticed",
    "notices",
    "recognised",
    "recognises",
    "recognized",
    "recognizes",
    "understood",
    "understands",
    "deduced",
    "deduces",
    "infers",
    "inferred",
    "concludes",
    "concluded",
    "reads",
    "reading",
    "letter",
    "to himself",
    "to herself",
];

/// Returns whether people who stand by hear or see a statement, from its sentence and how people come to know it.
///
/// Bystanders hear speech said aloud and see narrated events as they happen; they perceive no memory and no thought.
pub(super) fn is_heard(quote: &str, how: &str, mode: Mode) -> bool {
    let words = fold(&format!("{quote} {how}"));
    let is_speech = quote.contains(is_double_quote);
    let is_open = is_speech || mode != Mode::Flashback && !has_any(&words, &UNSPOKEN);
    let is_told = matches!(mode, Mode::Narrated | Mode::Flashback | Mode::Said | Mode::Lied);
    is_told && is_open && !has_any(&words, &ASIDE)
}

#[cfg(test)]
mod tests {
    use super::{Mode, is_heard};

    #[test]
    fn what_is_said_or_done_openly_is_heard() {
        for (quote, how, mode) in [
            ("“账册是我烧的。”陶四说。", "陶四亲口说", Mode::Narrated),
            ("“我看出来了，墨是新的。”沈砚秋说。", "", Mode::Narrated),
            ("陶四把账册扔进火里。", "亲眼看见", Mode::Narrated),
            ("“He was at the mill,” said Hay.", "Hay says so", Mode::Said),
            ("“I sold it years ago,” said Dean.", "", Mode::Flashback),
        ] {
            assert!(is_heard(quote, how, mode), "{quote}");
        }
    }

    #[test]
    fn what_is_whispered_thought_or_read_is_not() {
        for (quote, how, mode) in [
            ("“账册是我烧的。”陶四低声说。", "", Mode::Narrated),
            ("“账册是我烧的。”陶四说。", "陶四附耳相告", Mode::Narrated),
            ("沈砚秋看出墨是新的。", "", Mode::Narrated),
            ("“It was Dean,” he said; the constable didn’t hear.", "", Mode::Narrated),
            ("The ink was fresh.", "she noticed it", Mode::Narrated),
            ("He had sold it years ago.", "", Mode::Flashback),
            ("“It was Dean,” he said.", "", Mode::Dreamt),
        ] {
            assert!(!is_heard(quote, how, mode), "{quote}");
        }
    }
}
