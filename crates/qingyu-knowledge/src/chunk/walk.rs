//! The place of each passage of a chapter: where the outline begins, and where the text goes from there.

use qingyu_story::{Language, Names, PieceKind, Prose, marks};

use super::prose::ProseCut;

/// Words directly before a place that somebody gets to.
const ARRIVES: [&str; 32] = [
    "走进", "进", "进入", "踏进", "踏入", "冲进", "跑进", "闯进", "钻进", "躲进", "住进", "搬进", "溜进", "潜入",
    "转进", "拐进", "回到", "返回", "赶回", "逃回", "来到", "到达", "抵达", "赶到", "奔到", "逃到", "走到", "跑到",
    "登上", "爬上", "到", "回",
];
/// The bytes of a word of one character, which counts only with 了: 到了旧港.
const SHORT: usize = '到'.len_utf8();
/// Words that end like an arrival and are none: 看到了旧港.
const PERCEIVES: [&str; 14] =
    ["看到", "听到", "想到", "见到", "提到", "谈到", "说到", "梦到", "遇到", "找到", "感到", "收到", "得到", "爱上"];
/// Words directly before a place that somebody leaves.
const LEAVES: [&str; 8] = ["离开", "走出", "逃出", "跑出", "冲出", "退出", "告别", "出"];
/// Words of a clause that make a move one of thought, of another time, or none.
const UNREAL: [&str; 18] = [
    "想", "要", "准备", "打算", "如果", "假如", "要是", "没", "不", "曾", "当年", "从前", "以前", "明天", "会", "梦",
    "等", "听说",
];

const ARRIVES_ENGLISH: [&str; 20] = [
    "reached",
    "arrived at",
    "arrived in",
    "entered",
    "came to",
    "came into",
    "returned to",
    "went back to",
    "came back to",
    "walked into",
    "stepped into",
    "went into",
    "went to",
    "rode into",
    "sailed into",
    "climbed to",
    "got to",
    "walked to",
    "hurried to",
    "drove to",
];
const LEAVES_ENGLISH: [&str; 8] =
    ["left", "walked out of", "stepped out of", "went out of", "ran out of", "fled", "fled from", "departed from"];
const UNREAL_ENGLISH: [&str; 17] = [
    "would", "will", "wanted", "planned", "meant", "hoped", "if", "had", "never", "not", "once", "tomorrow", "could",
    "might", "should", "dreamed", "before",
];

/// A move that the text tells.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Move {
    To(String),
    From(String),
}

/// The way of a chapter from place to place, in the order of its text.
#[derive(Debug)]
pub(super) struct Walk {
    moves: Vec<(usize, Move)>,
    /// The first move after the last passage.
    next: usize,
    here: Option<String>,
    has_moved: bool,
    scene: u32,
}

impl Walk {
    /// Reads the moves of `text`, which begins at `start`. `names` has the places.
    pub(super) fn of(text: &str, names: &Names, start: Option<&str>) -> Self {
        let named = |name: &str| {
            let known = names.resolve(PieceKind::Location, name);
            known.map_or_else(|| name.trim().to_owned(), |known| known.name.clone())
        };
        let here = start.map(named).filter(|name| !name.is_empty());
        Self { moves: moves(text, names), next: 0, here, has_moved: false, scene: 1 }
    }

    /// Returns the places of the next passage: where it begins, and where somebody gets to in it. What begins a scene after
    /// a move may be anywhere.
    pub(super) fn places(&mut self, cut: &ProseCut) -> Vec<String> {
        if cut.scene != self.scene && self.has_moved {
            self.here = None;
        }
        self.scene = cut.scene;
        let mut places: Vec<String> = self.here.iter().cloned().collect();
        while let Some((_, told)) = self.moves.get(self.next).filter(|(at, _)| *at < cut.range.end) {
            self.next += 1;
            let is_here = |place: &String| self.here.as_ref() == Some(place);
            self.here = match told {
                Move::To(place) if !is_here(place) => Some(place.clone()),
                Move::From(place) if is_here(place) => None,
                Move::To(_) | Move::From(_) => continue,
            };
            self.has_moved = true;
            if let Some(here) = self.here.clone().filter(|here| !places.contains(here)) {
                places.push(here);
            }
        }
        places
    }
}

fn moves(text: &str, names: &Names) -> Vec<(usize, Move)> {
    let mut moves = Vec::new();
    let mut prose = None;
    for mention in names.mentions(text) {
        let [named] = mention.bearers.as_slice() else { continue };
        if named.kind != PieceKind::Location {
            continue;
        }
        let Some(step) = told(text, mention.start, &named.name) else { continue };
        if !prose.get_or_insert_with(|| Prose::of(text)).is_spoken(mention.start) {
            moves.push((mention.start, step));
        }
    }
    moves
}

/// Returns the move told by the words directly before the place at byte `at`.
fn told(text: &str, at: usize, name: &str) -> Option<Move> {
    let is_border = |c: char| marks::may_end_sentence(c) || matches!(c, '，' | '；' | '：' | ',' | ';' | ':' | '\n');
    let start = text[..at].rfind(is_border).unwrap_or(0);
    let clause = &text[start..at];
    let (arrives, leaves) = match Language::of(clause) {
        Language::Zh => chinese(clause),
        Language::En => english(clause),
    };
    match () {
        () if arrives => Some(Move::To(name.to_owned())),
        () if leaves => Some(Move::From(name.to_owned())),
        () => None,
    }
}

fn chinese(clause: &str) -> (bool, bool) {
    let bare = clause.trim_end_matches('了');
    if UNREAL.iter().any(|word| clause.contains(word)) || PERCEIVES.iter().any(|word| bare.ends_with(word)) {
        return (false, false);
    }
    let is_done = bare.len() < clause.len();
    let ends = |words: &[&str]| words.iter().any(|word| bare.ends_with(word) && (is_done || word.len() > SHORT));
    (ends(&ARRIVES), ends(&LEAVES))
}

fn english(clause: &str) -> (bool, bool) {
    let lower = clause.to_lowercase();
    let bare = lower.trim_end();
    let bare = bare.strip_suffix(" the").unwrap_or(bare);
    if lower.split(|c: char| !c.is_alphabetic()).any(|word| UNREAL_ENGLISH.contains(&word)) {
        return (false, false);
    }
    let ends = |words: &[&str]| {
        words.iter().any(|word| bare.strip_suffix(word).is_some_and(|head| head.is_empty() || head.ends_with(' ')))
    };
    (ends(&ARRIVES_ENGLISH), ends(&LEAVES_ENGLISH))
}

#[cfg(test)]
mod tests {
    use qingyu_story::{Location, Story, Worldview};

    use super::*;
    use crate::chunk::prose;

    /// The places of each passage of a text that begins in the first of `places`.
    fn walk(places: &[&str], text: &str) -> Vec<Vec<String>> {
        let locations = places.iter().map(|name| Location { name: (*name).into(), ..Location::default() }).collect();
        let worldview = Some(Worldview { locations, ..Worldview::default() });
        let names = Names::of(&Story { worldview, ..Story::default() });
        let mut walk = Walk::of(text, &names, places.first().copied());
        prose::cut(text).iter().map(|cut| walk.places(cut)).collect()
    }

    #[test]
    fn a_passage_is_where_the_text_has_got_to() {
        let rain = "雨一直下，没有人说话。".repeat(40);
        for (moves, reached) in [
            ("他离开县衙，走进义庄。", vec!["义庄"]),
            ("他走进了义庄。", vec!["义庄"]),
            ("他离开县衙，一路无话。", vec![]),
            ("他想回到义庄。", vec!["县衙"]),
            ("他看到了义庄。", vec!["县衙"]),
            ("“我们走进义庄。”他说。", vec!["县衙"]),
            ("义庄的灯亮着。", vec!["县衙"]),
        ] {
            let places = walk(&["县衙", "义庄"], &format!("{moves}\n{rain}\n{rain}"));
            assert_eq!(places.first().and_then(|first| first.first()).map(String::as_str), Some("县衙"), "{moves}");
            assert_eq!(places.last().map(Vec::as_slice).unwrap_or_default(), reached, "{moves}");
        }
        let rain = "The rain fell and nobody spoke a word. ".repeat(40);
        for (moves, reached) in [
            ("She left the Harbour and walked into the Mill.", vec!["Mill"]),
            ("She reached the Mill.", vec!["Mill"]),
            ("She left the Harbour.", vec![]),
            ("She had never entered the Mill.", vec!["Harbour"]),
            ("She would have reached the Mill.", vec!["Harbour"]),
        ] {
            let places = walk(&["Harbour", "Mill"], &format!("{moves}\n{rain}\n{rain}"));
            assert_eq!(places.last().map(Vec::as_slice).unwrap_or_default(), reached, "{moves}");
        }
    }

    #[test]
    fn a_scene_after_a_move_may_be_anywhere() {
        let scenes = |first: &str| walk(&["县衙", "义庄"], &format!("{first}\n\n***\n\n雨停了。"));
        assert_eq!(scenes("他坐着。"), [["县衙"], ["县衙"]]);
        assert_eq!(scenes("他走进县衙。"), [["县衙"], ["县衙"]]);
        assert_eq!(scenes("他走进义庄。"), [vec!["县衙", "义庄"], vec![]]);
    }
}
