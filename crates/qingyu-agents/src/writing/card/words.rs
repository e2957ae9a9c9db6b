//! The words of the context card in the languages of books.

use qingyu_story::{Language, Mode, RelationKind, predicate};

/// Headings and labels in one language.
#[derive(Debug)]
pub(super) struct Words {
    /// The mark between a label and its text.
    pub(super) colon: &'static str,
    /// Between the entries of a list in a line.
    pub(super) comma: &'static str,
    /// Between statements in a line.
    pub(super) semicolon: &'static str,
    /// Around a remark.
    pub(super) brackets: (&'static str, &'static str),
    /// Around a heading.
    pub(super) frame: (&'static str, &'static str),
    pub(super) style: &'static str,
    pub(super) point_of_view: &'static str,
    pub(super) tense: &'static str,
    pub(super) tone: &'static str,
    pub(super) rhythm: &'static str,
    pub(super) dialogue: &'static str,
    pub(super) guidelines: &'static str,
    pub(super) taboos: &'static str,
    pub(super) world: &'static str,
    pub(super) genre: &'static str,
    pub(super) era: &'static str,
    pub(super) rules: &'static str,
    pub(super) preferences: &'static str,
    pub(super) sample: &'static str,
    pub(super) outline: &'static str,
    pub(super) goal: &'static str,
    pub(super) happens: &'static str,
    pub(super) place: &'static str,
    pub(super) people: &'static str,
    pub(super) plants: &'static str,
    pub(super) pays: &'static str,
    pub(super) scenes: &'static str,
    pub(super) planned: &'static str,
    pub(super) turns: &'static str,
    pub(super) before: &'static str,
    pub(super) unwritten: &'static str,
    pub(super) next: &'static str,
    pub(super) cast: &'static str,
    pub(super) also: &'static str,
    pub(super) personality: &'static str,
    pub(super) traits: &'static str,
    pub(super) voice: &'static str,
    pub(super) goals: &'static str,
    pub(super) weakness: &'static str,
    pub(super) conflicts: &'static str,
    pub(super) background: &'static str,
    pub(super) arc: &'static str,
    pub(super) others: &'static str,
    pub(super) relations: &'static str,
    pub(super) promises: &'static str,
    pub(super) pay_here: &'static str,
    pub(super) overdue: &'static str,
    pub(super) planted_in: &'static str,
    pub(super) due: &'static str,
    pub(super) events: &'static str,
    pub(super) facts: &'static str,
    pub(super) known_by: &'static str,
    pub(super) settings: &'static str,
    pub(super) hidden: &'static str,
    pub(super) truth: &'static str,
    pub(super) passages: &'static str,
}

pub(super) fn of(language: Language) -> &'static Words {
    match language {
        Language::Zh => &ZH,
        Language::En => &EN,
    }
}

static ZH: Words = Words {
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
    preferences: "作者的偏好",
    sample: "文风范文",
    outline: "本章大纲",
    goal: "目标",
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
    next: "下一章",
    cast: "人物",
    also: "又称",
    personality: "性格",
    traits: "特点",
    voice: "说话",
    goals: "目的",
    weakness: "弱点",
    conflicts: "阻碍",
    background: "过去",
    arc: "全书的变化",
    others: "相关的人",
    relations: "关系",
    promises: "伏笔",
    pay_here: "本章兑现",
    overdue: "早该兑现",
    planted_in: "埋在",
    due: "最迟在",
    events: "已经发生",
    facts: "已经成立",
    known_by: "写明知道的：",
    settings: "地点、物件、组织",
    hidden: "不能说破",
    truth: "真相",
    passages: "前文片段",
};

static EN: Words = Words {
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
    preferences: "The author prefers",
    sample: "Sample of the style",
    outline: "Outline of this chapter",
    goal: "Goal",
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
    next: "Next chapter",
    cast: "People",
    also: "also",
    personality: "Personality",
    traits: "Traits",
    voice: "Speaks like this",
    goals: "Wants",
    weakness: "Weakness",
    conflicts: "In the way",
    background: "Past",
    arc: "Change over the book",
    others: "Others tied to them",
    relations: "Relations",
    promises: "Promises to the reader",
    pay_here: "paid in this chapter",
    overdue: "overdue",
    planted_in: "planted in",
    due: "due by",
    events: "What has happened",
    facts: "What is so",
    known_by: "told to know: ",
    settings: "Places, things, organisations",
    hidden: "Not to be given away",
    truth: "The truth",
    passages: "Passages from earlier chapters",
};

impl Words {
    /// Whether they are Chinese.
    pub(super) fn is_zh(&self) -> bool {
        self.colon == ZH.colon
    }

    /// `label：text`.
    pub(super) fn labelled(&self, label: &str, text: &str) -> String {
        format!("{label}{}{}", self.colon, text.trim())
    }

    /// A remark behind something.
    pub(super) fn remark(&self, text: &str) -> String {
        format!("{}{text}{}", self.brackets.0, self.brackets.1)
    }

    /// What `from` is to `to`.
    pub(super) fn relation(&self, from: &str, kind: RelationKind, to: &str) -> String {
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

    /// A word of the vocabulary, in the language of the book.
    pub(super) fn predicate(&self, name: &str) -> String {
        let Some(word) = predicate::find(name) else { return name.replace('_', " ") };
        let is_zh = self.is_zh();
        let chinese = || word.aliases.iter().find(|alias| alias.chars().all(qingyu_story::language::is_han));
        match chinese().filter(|_| is_zh) {
            Some(alias) => alias.clone(),
            None => word.name.replace('_', " "),
        }
    }

    /// The words before a fact that is not narrated as true, such as that `by` claims or dreams it; empty if it is.
    pub(super) fn mode(&self, mode: Mode, by: &str) -> String {
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

    /// Who tells the story, in words.
    pub(super) fn teller(&self, point_of_view: &str) -> String {
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

    /// How old somebody is.
    pub(super) fn years(&self, age: i32) -> String {
        if self.is_zh() { format!("{age}岁") } else { format!("aged {age}") }
    }

    /// Before where the reader must not learn something.
    pub(super) fn not_before(&self, node: &str) -> String {
        match self.is_zh() {
            true => format!("《{node}》之前读者不能知道"),
            false => format!("the reader must not learn it before '{node}'"),
        }
    }

    /// That the reader may learn it by now.
    pub(super) fn may_come_out(&self) -> &'static str {
        if self.is_zh() { "可以说破了" } else { "it may come out" }
    }

    /// What somebody hides.
    pub(super) fn secret_of(&self, name: &str) -> String {
        if self.is_zh() { format!("{name}的秘密") } else { format!("The secret of {name}") }
    }

    /// Chapters from one to another.
    pub(super) fn chapters(&self, first: u32, last: u32) -> String {
        match (self.is_zh(), first == last) {
            (true, true) => format!("第{first}章"),
            (true, false) => format!("第{first}～{last}章"),
            (false, true) => format!("chapter {first}"),
            (false, false) => format!("chapters {first}–{last}"),
        }
    }
}
