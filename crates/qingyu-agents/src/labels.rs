//! Headings and labels of stories in prompts, in the languages of books.

use qingyu_knowledge::graph::vocabulary;
use qingyu_story::{CharacterRelation, Language, Mode, OutlineNodeKind, PlotKind, RelationKind, RoleType};

/// Maximum number of other names in a list.
const OTHER_NAMES: usize = 3;

/// The headings and labels in one language.
#[derive(Debug)]
pub(crate) struct Labels {
    /// Mark between a label and its text.
    pub(crate) colon: &'static str,
    /// Separator of list entries in a line.
    pub(crate) comma: &'static str,
    /// Separator of statements in a line.
    pub(crate) semicolon: &'static str,
    /// Marks around a remark.
    pub(crate) brackets: (&'static str, &'static str),
    /// Marks around a heading.
    pub(crate) frame: (&'static str, &'static str),
    pub(crate) style: &'static str,
    pub(crate) point_of_view: &'static str,
    pub(crate) tense: &'static str,
    pub(crate) tone: &'static str,
    pub(crate) rhythm: &'static str,
    pub(crate) dialogue: &'static str,
    pub(crate) guidelines: &'static str,
    pub(crate) taboos: &'static str,
    pub(crate) world: &'static str,
    pub(crate) genre: &'static str,
    pub(crate) era: &'static str,
    pub(crate) rules: &'static str,
    /// What readers of the book's genre expect.
    pub(crate) readers: &'static str,
    pub(crate) avoid: &'static str,
    pub(crate) hooks: &'static str,
    pub(crate) tension: &'static str,
    pub(crate) preferences: &'static str,
    pub(crate) sample: &'static str,
    pub(crate) outline: &'static str,
    pub(crate) goal: &'static str,
    pub(crate) function: &'static str,
    pub(crate) hook: &'static str,
    pub(crate) opening: &'static str,
    pub(crate) pressure: &'static str,
    pub(crate) payoff: &'static str,
    pub(crate) pulls: &'static str,
    /// The arc or volume above a chapter.
    pub(crate) part: &'static str,
    pub(crate) happens: &'static str,
    pub(crate) place: &'static str,
    pub(crate) people: &'static str,
    pub(crate) plants: &'static str,
    pub(crate) pays: &'static str,
    pub(crate) scenes: &'static str,
    pub(crate) planned: &'static str,
    pub(crate) turns: &'static str,
    pub(crate) before: &'static str,
    pub(crate) unwritten: &'static str,
    /// Remark at the summary of a text that was edited after its settlement.
    pub(crate) edited: &'static str,
    /// Remark at a written chapter without a summary, of which the outline is shown.
    pub(crate) by_outline: &'static str,
    pub(crate) next: &'static str,
    pub(crate) cast: &'static str,
    pub(crate) also: &'static str,
    pub(crate) personality: &'static str,
    pub(crate) traits: &'static str,
    pub(crate) appearance: &'static str,
    pub(crate) voice: &'static str,
    pub(crate) goals: &'static str,
    pub(crate) weakness: &'static str,
    pub(crate) conflicts: &'static str,
    pub(crate) background: &'static str,
    pub(crate) arc: &'static str,
    pub(crate) people_list: &'static str,
    pub(crate) thing_list: &'static str,
    pub(crate) promise_list: &'static str,
    /// People that a chapter is about and who do not take part.
    pub(crate) absent: &'static str,
    pub(crate) others: &'static str,
    pub(crate) relations: &'static str,
    pub(crate) promises: &'static str,
    pub(crate) pay_here: &'static str,
    pub(crate) overdue: &'static str,
    pub(crate) planted_in: &'static str,
    pub(crate) due: &'static str,
    pub(crate) events: &'static str,
    pub(crate) intended: &'static str,
    /// Heading of planned events of earlier chapters without text.
    pub(crate) only_planned: &'static str,
    pub(crate) facts: &'static str,
    pub(crate) settings: &'static str,
    pub(crate) hidden: &'static str,
    pub(crate) truth: &'static str,
    pub(crate) passages: &'static str,
    /// Sample of the book's own prose.
    pub(crate) written: &'static str,
    /// Comparisons and phrases not to be repeated.
    pub(crate) lately: &'static str,
    /// Section: the people who know a fact, and those whom the text does not show to know it.
    pub(crate) knowledge: &'static str,
    pub(crate) part_of: &'static str,
    pub(crate) birth: &'static str,
    pub(crate) death: &'static str,
    pub(crate) secret: &'static str,
    /// Remark at a turn that an arc plans.
    pub(crate) twist: &'static str,
    /// Remark at what a part of the outline reveals.
    pub(crate) reveals: &'static str,
    pub(crate) duration: &'static str,
    pub(crate) after: &'static str,
    pub(crate) deaths: &'static str,
    pub(crate) told_in: &'static str,
    pub(crate) made_of: &'static str,
    pub(crate) causes: &'static str,
    pub(crate) since: &'static str,
    pub(crate) until: &'static str,
}

pub(crate) fn of(language: Language) -> &'static Labels {
    match language {
        Language::Zh => &ZH,
        Language::En => &EN,
    }
}

static ZH: Labels = Labels {
    colon: "：",
    comma: "、",
    semicolon: "；",
    brackets: ("（", "）"),
    frame: ("【", "】"),
    style: "文风",
    point_of_view: "视角",
    tense: "时态",
    tone: "语气",
    rhythm: "节奏",
    dialogue: "对话",
    guidelines: "要做到",
    taboos: "不能有",
    world: "世界",
    genre: "题材",
    era: "年代",
    rules: "世界的规则",
    readers: "这类书的读者期待",
    avoid: "不要",
    hooks: "勾住读者",
    tension: "张弛",
    preferences: "作者的偏好",
    sample: "文风范文",
    outline: "本章大纲",
    goal: "目标",
    function: "用处",
    hook: "留给读者的悬念",
    opening: "章首的钩子",
    pressure: "压力",
    payoff: "给读者的回报",
    pulls: "要拉住的读者",
    part: "所在的部分",
    happens: "内容",
    place: "地点",
    people: "出场",
    plants: "要埋下",
    pays: "要兑现",
    scenes: "场景大纲",
    planned: "本章的事",
    turns: "本章的转折",
    before: "前情",
    unwritten: "还没有写，大纲是",
    edited: "正文后来改过，这里可能不准",
    by_outline: "照大纲，正文未必照写",
    next: "下一章",
    cast: "人物",
    also: "又称",
    personality: "性格",
    traits: "特点",
    appearance: "外貌",
    voice: "说话",
    goals: "目的",
    weakness: "弱点",
    conflicts: "阻碍",
    background: "过去",
    arc: "全书的变化",
    people_list: "人物表",
    thing_list: "物件表",
    promise_list: "还没有兑现的伏笔",
    absent: "不在场，但本章写到的人",
    others: "相关的人",
    relations: "关系",
    promises: "伏笔",
    pay_here: "本章兑现",
    overdue: "早该兑现",
    planted_in: "埋在",
    due: "最迟在",
    events: "已经发生",
    intended: "人物打算做的事",
    only_planned: "大纲里在本章之前，正文还没有写到",
    facts: "已经成立",
    settings: "地点、物件、组织",
    hidden: "不能说破",
    truth: "真相",
    passages: "前文片段",
    written: "这部书已经写成的样子，学语气和节奏，不重复句子",
    lately: "近来用过的比喻和说法，换别的",
    knowledge: "谁知道什么",
    part_of: "属于",
    birth: "生于",
    death: "死于",
    secret: "秘密",
    twist: "转折",
    reveals: "揭开",
    duration: "历时",
    after: "在此之后",
    deaths: "死去的",
    told_in: "写在",
    made_of: "事件",
    causes: "起因",
    since: "始于",
    until: "止于",
};

static EN: Labels = Labels {
    colon: ": ",
    comma: ", ",
    semicolon: "; ",
    brackets: (" (", ")"),
    frame: ("[", "]"),
    style: "Style",
    point_of_view: "Point of view",
    tense: "Tense",
    tone: "Tone",
    rhythm: "Rhythm",
    dialogue: "Dialogue",
    guidelines: "Do",
    taboos: "Never",
    world: "World",
    genre: "Genre",
    era: "Era",
    rules: "Rules of the world",
    readers: "What readers of the genre expect",
    avoid: "Avoid",
    hooks: "Hooks",
    tension: "Tension",
    preferences: "The author prefers",
    sample: "Sample of the style",
    outline: "Outline of this chapter",
    goal: "Goal",
    function: "Function",
    hook: "Hook",
    opening: "Opening hook",
    pressure: "Pressure",
    payoff: "Payoff",
    pulls: "Readers to pull on",
    part: "Part of",
    happens: "What happens",
    place: "Place",
    people: "Who appears",
    plants: "To plant",
    pays: "To pay",
    scenes: "Scenes in the outline",
    planned: "Events of this chapter",
    turns: "Turns of this chapter",
    before: "The story so far",
    unwritten: "not written yet; the outline says",
    edited: "the text was edited since, this may no longer be so",
    by_outline: "by the outline; the text may differ",
    next: "Next chapter",
    cast: "People",
    also: "also",
    personality: "Personality",
    traits: "Traits",
    appearance: "Looks",
    voice: "Speaks like this",
    goals: "Wants",
    weakness: "Weakness",
    conflicts: "In the way",
    background: "Past",
    arc: "Change over the book",
    people_list: "People of the book",
    thing_list: "Things of the book",
    promise_list: "Promises still open",
    absent: "Not there, but what the chapter is about",
    others: "Others tied to them",
    relations: "Relations",
    promises: "Promises to the reader",
    pay_here: "paid in this chapter",
    overdue: "overdue",
    planted_in: "planted in",
    due: "due by",
    events: "What has happened",
    intended: "What people mean to do",
    only_planned: "Planned before this chapter, not written yet",
    facts: "What is so",
    settings: "Places, things, organisations",
    hidden: "Not to be given away",
    truth: "The truth",
    passages: "Passages from earlier chapters",
    written: "The book as it is written; its voice and pace, not its sentences",
    lately: "Comparisons and phrases of the last chapters; find others",
    knowledge: "Who knows what",
    part_of: "Part of",
    birth: "Born",
    death: "Dies",
    secret: "Secret",
    twist: "turn",
    reveals: "reveals",
    duration: "Lasts",
    after: "After",
    deaths: "Who dies",
    told_in: "Told in",
    made_of: "Events",
    causes: "Caused by",
    since: "since",
    until: "until",
};

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
        format!("{}{}{}", self.also, if self.is_zh() { "" } else { " " }, alias.join(self.comma))
    }

    /// Returns a relation as text, with the author's own word for its kind if there is one.
    pub(crate) fn tie(&self, relation: &CharacterRelation) -> String {
        let (from, own, to) = (relation.from.trim(), relation.own_kind.trim(), relation.to.trim());
        if own.is_empty() { self.relation(from, relation.kind, to) } else { format!("{from} {own} {to}") }
    }

    /// Returns the relation of `from` to `to` as text.
    pub(crate) fn relation(&self, from: &str, kind: RelationKind, to: &str) -> String {
        if self.is_zh() {
            let word = match kind {
                RelationKind::Knows => return format!("{from}和{to}相识"),
                RelationKind::Friend => return format!("{from}和{to}是朋友"),
                RelationKind::Enemy => return format!("{from}和{to}是敌人"),
                RelationKind::Family => return format!("{from}和{to}是一家人"),
                RelationKind::Lover => return format!("{from}和{to}是恋人"),
                RelationKind::Rival => return format!("{from}和{to}是对手"),
                RelationKind::Ally => return format!("{from}和{to}共事"),
                RelationKind::Sibling => return format!("{from}和{to}是兄弟姐妹"),
                RelationKind::ParentOf => "父母",
                RelationKind::ChildOf => "子女",
                RelationKind::MentorOf => "师父",
                RelationKind::StudentOf => "徒弟",
                RelationKind::EmployerOf => "主人或上司",
                RelationKind::EmployeeOf => "手下",
            };
            return format!("{from}是{to}的{word}");
        }
        let word = match kind {
            RelationKind::Knows => return format!("{from} and {to} know each other"),
            RelationKind::Friend => return format!("{from} and {to} are friends"),
            RelationKind::Enemy => return format!("{from} and {to} are enemies"),
            RelationKind::Family => return format!("{from} and {to} are family"),
            RelationKind::Lover => return format!("{from} and {to} are lovers"),
            RelationKind::Rival => return format!("{from} and {to} are rivals"),
            RelationKind::Ally => return format!("{from} and {to} work together"),
            RelationKind::Sibling => return format!("{from} and {to} are siblings"),
            RelationKind::ParentOf => "parent",
            RelationKind::ChildOf => "child",
            RelationKind::MentorOf => "teacher",
            RelationKind::StudentOf => "pupil",
            RelationKind::EmployerOf => "employer",
            RelationKind::EmployeeOf => "employee",
        };
        format!("{from} is {to}'s {word}")
    }

    /// Returns a predicate in the language of the book.
    pub(crate) fn predicate(&self, name: &str) -> String {
        vocabulary::shown(name, self.language())
    }

    /// Returns the words before a fact not narrated as true, such as a claim or dream of `by`; empty for a true fact.
    pub(crate) fn mode(&self, mode: Mode, by: &str) -> String {
        let is_zh = self.is_zh();
        let by = if by.is_empty() { if is_zh { "有人" } else { "somebody" } } else { by };
        match (mode, is_zh) {
            (Mode::Narrated, _) => String::new(),
            (Mode::Flashback, true) => "往事：".into(),
            (Mode::Flashback, false) => "in the past: ".into(),
            (Mode::Dreamt, true) => format!("{by}梦见："),
            (Mode::Dreamt, false) => format!("{by} dreams: "),
            (Mode::Said, true) => format!("{by}说："),
            (Mode::Said, false) => format!("{by} says: "),
            (Mode::Believed, true) => format!("{by}以为："),
            (Mode::Believed, false) => format!("{by} believes: "),
            (Mode::Planned, true) => format!("{by}打算："),
            (Mode::Planned, false) => format!("{by} plans: "),
            (Mode::Lied, true) => format!("{by}撒谎说："),
            (Mode::Lied, false) => format!("{by} lies: "),
            (Mode::Retconned, true) => "已作废：".into(),
            (Mode::Retconned, false) => "taken back: ".into(),
            (Mode::Disguised, true) => "看起来：".into(),
            (Mode::Disguised, false) => "it looks as if: ".into(),
        }
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
