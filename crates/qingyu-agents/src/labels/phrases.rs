//! Phrases made of labels and names.

use qingyu_knowledge::graph::vocabulary;
use qingyu_story::{
    Character, CharacterRelation, EarlierBook, EarlierKind, Language, Mode, OutlineNodeKind, PlotKind, RoleType, marks,
    phrase,
};

use super::{Labels, ZH};

/// Maximum number of other names in a list.
const OTHER_NAMES: usize = 3;
/// First words of a taboo that forbids by itself.
const FORBIDS: &[&str] = &[
    "不写",
    "不用",
    "不得有",
    "不得写",
    "不得用",
    "不得出现",
    "不得超过",
    "不要",
    "不准",
    "不许",
    "不可有",
    "不可写",
    "不可用",
    "不可出现",
    "不出现",
    "不超过",
    "不说",
    "不让",
    "不提",
    "不讲",
    "不带",
    "不把",
    "不以",
    "不再",
    "不能有",
    "不能写",
    "不能用",
    "不能出现",
    "不能超过",
    "别写",
    "别用",
    "别让",
    "别说",
    "别把",
    "别再",
    "勿",
    "切勿",
    "禁止",
    "严禁",
    "避免",
    "杜绝",
    "no ",
    "not ",
    "never ",
    "nothing ",
    "do not ",
    "don't ",
    "don’t ",
    "must not ",
    "avoid ",
];
/// Words of a taboo that sets a limit.
const LIMITS: &[&str] = &["不超过", "不多于", "至多", "最多", "no more than", "at most", "must not", "should not"];

impl Labels {
    /// Returns the language of the words.
    pub(crate) fn language(&self) -> Language {
        if self.is_zh() { Language::Zh } else { Language::En }
    }

    /// Returns whether the words are Chinese.
    pub(crate) fn is_zh(&self) -> bool {
        self.colon == ZH.colon
    }

    /// Returns `label：text`.
    pub(crate) fn labelled(&self, label: &str, text: &str) -> String {
        format!("{label}{}{}", self.colon, text.trim())
    }

    /// Returns the space between two sentences, or between a label and its word; Chinese has none.
    pub(crate) fn space(&self) -> &'static str {
        if self.is_zh() { "" } else { " " }
    }

    /// Returns the text with a full stop, unless it ends with the end of a sentence, quoted or not.
    pub(crate) fn ended(&self, text: &str) -> String {
        let text = text.trim();
        match text.trim_end_matches(marks::may_close_quote).chars().next_back() {
            Some(last) if !marks::may_end_sentence(last) => format!("{text}{}", if self.is_zh() { "。" } else { "." }),
            _ => text.to_owned(),
        }
    }

    /// Joins texts as sentences in one line: each but the last ends with a full stop or a mark of its own.
    pub(crate) fn sentences(&self, texts: &[&str]) -> String {
        let texts = texts.iter().map(|text| text.trim()).filter(|text| !text.is_empty()).collect::<Vec<_>>();
        let Some((last, before)) = texts.split_last() else { return String::new() };
        let space = self.space();
        let before = before.iter().map(|text| format!("{}{space}", self.ended(text))).collect::<String>();
        format!("{before}{last}")
    }

    /// Joins sentences and words in one line; a full stop stands at the end alone.
    pub(crate) fn listed(&self, texts: &[String]) -> String {
        let stop = if self.is_zh() { '。' } else { '.' };
        let last = texts.len().saturating_sub(1);
        let text = |(at, text): (usize, &String)| match text.trim().strip_suffix(stop) {
            Some(bare) if at < last && !bare.ends_with(stop) => bare.to_owned(),
            _ => text.trim().to_owned(),
        };
        texts.iter().enumerate().map(text).collect::<Vec<_>>().join(self.semicolon)
    }

    /// Returns a remark in brackets, to be appended.
    pub(crate) fn remark(&self, text: &str) -> String {
        format!("{}{text}{}", self.brackets.0, self.brackets.1)
    }

    /// Returns a name with a remark: its other names, the newest first and at most three, and what else there is to say.
    pub(crate) fn named(&self, name: &str, alias: &[String], also: Option<String>) -> String {
        let alias =
            alias.iter().rev().map(|alias| alias.trim()).filter(|alias| !alias.is_empty() && *alias != name.trim());
        let alias: Vec<&str> = alias.take(OTHER_NAMES).collect();
        let alias = (!alias.is_empty()).then(|| self.also_called(&alias));
        let remarks: Vec<String> = alias.into_iter().chain(also).collect();
        match remarks.as_slice() {
            [] => name.trim().to_owned(),
            remarks => format!("{}{}", name.trim(), self.remark(&remarks.join(self.semicolon))),
        }
    }

    /// Returns other names as text: `又称阿秋、秋娘`.
    pub(crate) fn also_called(&self, alias: &[&str]) -> String {
        format!("{}{}{}", self.also, self.space(), alias.join(self.comma))
    }

    /// Returns a relation as a sentence, by the genders and ages on the cards in `cast`: 父亲, 母亲, 姐弟.
    pub(crate) fn tie(&self, relation: &CharacterRelation, cast: &[Character]) -> String {
        relation.sentence(cast, self.language())
    }

    /// Returns a predicate in the language of the book.
    pub(crate) fn predicate(&self, name: &str) -> String {
        vocabulary::shown(name, self.language())
    }

    /// Returns the words before a fact not narrated as true, such as a claim or dream of `by`; empty for a true fact.
    pub(crate) fn mode(&self, mode: Mode, by: &str) -> String {
        phrase::told_as(mode, by, self.language())
    }

    /// Returns the narrator as text.
    pub(crate) fn teller(&self, point_of_view: &str) -> String {
        let is_zh = self.is_zh();
        match (point_of_view.trim(), is_zh) {
            ("first", true) => "第一人称".into(),
            ("third_limited", true) => "第三人称，只跟着一个人的所见所想".into(),
            ("third_omniscient", true) => "第三人称，全知".into(),
            ("first", false) => "first person".into(),
            ("third_limited", false) => "third person, limited to one mind".into(),
            ("third_omniscient", false) => "third person, omniscient".into(),
            (other, _) => other.to_owned(),
        }
    }

    /// Returns an age as text.
    pub(crate) fn years(&self, age: i32) -> String {
        if self.is_zh() { format!("{age}岁") } else { format!("aged {age}") }
    }

    /// Returns the part of a character in the story as text.
    pub(crate) fn role(&self, role: RoleType) -> &'static str {
        match (role, self.is_zh()) {
            (RoleType::Protagonist, true) => "主角",
            (RoleType::Antagonist, true) => "对手",
            (RoleType::Supporting, true) => "配角",
            (RoleType::Minor, true) => "龙套",
            (RoleType::Protagonist, false) => "protagonist",
            (RoleType::Antagonist, false) => "antagonist",
            (RoleType::Supporting, false) => "supporting",
            (RoleType::Minor, false) => "minor",
        }
    }

    /// Returns the kind of a plot node as text.
    pub(crate) fn turn(&self, kind: PlotKind) -> &'static str {
        match (kind, self.is_zh()) {
            (PlotKind::Setup, true) => "铺垫",
            (PlotKind::Conflict, true) => "冲突",
            (PlotKind::Turn, true) => "转折",
            (PlotKind::Climax, true) => "高潮",
            (PlotKind::Resolution, true) => "结局",
            (PlotKind::Setup, false) => "setup",
            (PlotKind::Conflict, false) => "conflict",
            (PlotKind::Turn, false) => "turn",
            (PlotKind::Climax, false) => "climax",
            (PlotKind::Resolution, false) => "resolution",
        }
    }

    /// Returns the kind of an outline node as text.
    pub(crate) fn node(&self, kind: OutlineNodeKind) -> &'static str {
        match (kind, self.is_zh()) {
            (OutlineNodeKind::Book, true) => "全书",
            (OutlineNodeKind::Act, true) => "卷",
            (OutlineNodeKind::Arc, true) => "幕",
            (OutlineNodeKind::Chapter, true) => "章",
            (OutlineNodeKind::Scene, true) => "场景",
            (OutlineNodeKind::Book, false) => "book",
            (OutlineNodeKind::Act, false) => "act",
            (OutlineNodeKind::Arc, false) => "arc",
            (OutlineNodeKind::Chapter, false) => "chapter",
            (OutlineNodeKind::Scene, false) => "scene",
        }
    }

    /// Returns the remark that so many pieces are not shown.
    pub(crate) fn left_out(&self, count: usize) -> String {
        if self.is_zh() { format!("另有 {count} 项没有列出") } else { format!("{count} more, not listed") }
    }

    /// Returns where an item is, in somebody's hands.
    pub(crate) fn held_by(&self, holder: &str) -> String {
        if self.is_zh() { format!("在{holder}手里") } else { format!("with {holder}") }
    }

    /// Returns where an item is, at a place.
    pub(crate) fn lies_at(&self, place: &str) -> String {
        match self.is_zh() {
            true if place.starts_with(['在', '不']) => place.to_owned(),
            true => format!("在{place}"),
            false => format!("at {place}"),
        }
    }

    /// Returns an age at an earlier time, such as `三年前21岁` for a person now three years older.
    pub(crate) fn age_then(&self, years_ago: i64, age: i64) -> String {
        match self.is_zh() {
            true => format!("{years_ago}年前{age}岁"),
            false => format!("{age} years old {years_ago} years ago"),
        }
    }

    /// Returns the label of a taboo of the style: what forbids in its own words is not denied twice.
    pub(crate) fn taboo(&self, line: &str) -> &'static str {
        let lower = line.trim().to_lowercase();
        let forbids =
            FORBIDS.iter().any(|word| lower.starts_with(word)) || LIMITS.iter().any(|word| lower.contains(word));
        if forbids { self.guidelines } else { self.taboos }
    }

    /// Returns the people who know a fact, and the present people whom the text does not show to know it.
    pub(crate) fn knows(&self, knowers: &[String], others: &[String]) -> String {
        let knowers = knowers.join(self.comma);
        let others = others.join(self.comma);
        match (self.is_zh(), others.is_empty()) {
            (true, true) => format!("{knowers}知道"),
            (true, false) => format!("{knowers}知道；{others}没有写过知道"),
            (false, true) => format!("known to {knowers}"),
            (false, false) => format!("known to {knowers}; not told to {others}"),
        }
    }

    /// Returns a warning that a participant of the outline is dead by the written text.
    pub(crate) fn dead_in_plan(&self, name: &str, chapter: &str) -> String {
        match self.is_zh() {
            true => format!("{name}已经死在《{chapter}》里：大纲的人物没有改过来，不要让{name}活着出场"),
            false => {
                format!("{name} died in “{chapter}”: the outline was not changed; do not let {name} appear alive")
            }
        }
    }

    /// Returns the heading for the content of an earlier book.
    pub(crate) fn earlier_book(&self, book: &EarlierBook) -> String {
        let title = self.titled(&book.title);
        let heading = match (self.is_zh(), book.kind) {
            (true, EarlierKind::Volume) => format!("前作{title}结束时"),
            (true, EarlierKind::Canon) => format!("原作{title}的设定，不得违背"),
            (false, EarlierKind::Volume) => format!("at the end of the earlier book {title}"),
            (false, EarlierKind::Canon) => format!("canon of {title}, not to be contradicted"),
        };
        match (book.gap.is_empty(), self.is_zh()) {
            (true, _) => heading,
            (false, true) => format!("{heading}（离下一部相隔{}）", book.gap),
            (false, false) => format!("{heading} ({} before the next book)", book.gap),
        }
    }

    /// Returns the title of a book in its marks.
    pub(crate) fn titled(&self, title: &str) -> String {
        if self.is_zh() { format!("《{title}》") } else { format!("“{title}”") }
    }

    /// Returns the heading for people of earlier books.
    pub(crate) fn in_earlier_books(&self) -> &'static str {
        if self.is_zh() { "这些人在前作里" } else { "These people in earlier books" }
    }

    /// Returns the label of somebody who is dead.
    pub(crate) fn dead(&self) -> &'static str {
        if self.is_zh() { "已死" } else { "dead" }
    }

    /// Returns the remark on somebody whose death a chapter tells.
    pub(crate) fn dead_since(&self, chapter: &str) -> String {
        match self.is_zh() {
            true => format!("已死，见《{chapter}》"),
            false => format!("dead since “{chapter}”"),
        }
    }

    /// Returns the remark on somebody who died before the chapter, by the card.
    pub(crate) fn died_on(&self, date: &str) -> String {
        if self.is_zh() { format!("已死（{date}）") } else { format!("died {date}") }
    }

    /// Returns the label of a rule of the world.
    pub(crate) fn world_rule(&self) -> &'static str {
        if self.is_zh() { "规则" } else { "rule" }
    }

    /// Returns the label of a ladder.
    pub(crate) fn ladder(&self) -> &'static str {
        if self.is_zh() { "等级" } else { "ladder" }
    }

    /// Returns the label of a promise that is not kept.
    pub(crate) fn open_promise(&self) -> &'static str {
        if self.is_zh() { "尚未兑现" } else { "promise not kept yet" }
    }

    /// Returns the remark that the reader must not learn a fact before `node`.
    pub(crate) fn not_before(&self, node: &str) -> String {
        match self.is_zh() {
            true => format!("《{node}》之前读者不能知道"),
            false => format!("the reader must not learn it before '{node}'"),
        }
    }

    /// Returns the remark that the reader may now learn a fact.
    pub(crate) fn may_come_out(&self) -> &'static str {
        if self.is_zh() { "可以说破了" } else { "it may come out" }
    }

    /// Returns the remark that the reader has learnt a fact.
    pub(crate) fn is_out(&self) -> &'static str {
        if self.is_zh() { "前文已经说破，读者知道" } else { "it is out, the reader knows it" }
    }

    /// Returns the remark that a fact without a set place comes out where the outline says so.
    pub(crate) fn where_outlined(&self) -> &'static str {
        if self.is_zh() {
            "大纲写到揭开的那一章才可以说破"
        } else {
            "it comes out only in the chapter whose outline reveals it"
        }
    }

    /// Returns the label of a character's secret.
    pub(crate) fn secret_of(&self, name: &str) -> String {
        if self.is_zh() { format!("{name}的秘密") } else { format!("The secret of {name}") }
    }

    /// Returns a range of chapters as text.
    pub(crate) fn chapters(&self, first: u32, last: u32) -> String {
        match (self.is_zh(), first == last) {
            (true, true) => format!("第{first}章"),
            (true, false) => format!("第{first}～{last}章"),
            (false, true) => format!("chapter {first}"),
            (false, false) => format!("chapters {first}–{last}"),
        }
    }
}
