//! Tables of the cast, of places and of chapters, told by their headers.

use qingyu_story::language::is_han;
use qingyu_story::{Character, Location, OutlineNode, RoleType, numerals};

use super::blocks::Table;
use super::{Section, append};
use crate::headings;

type Names = &'static [&'static str];

const PEOPLE: Names = &["姓名", "人物", "人物名", "角色名", "角色", "character", "character name", "full name"];
/// Headers of names of any kind.
const NAMES: Names = &["名字", "名称", "name"];
const PLACES: Names = &["地点", "地名", "场所", "place", "location"];
const ROLES: Names = &["定位", "角色定位", "角色类型", "类型", "角色", "role", "role type"];
const AGES: Names = &["年龄", "年纪", "age"];
const ALIASES: Names = &["别名", "别称", "外号", "绰号", "alias", "aliases", "nickname"];
const OCCUPATIONS: Names = &["职业", "身份", "occupation", "job", "profession"];
const GENDERS: Names = &["性别", "gender", "sex"];
const APPEARANCES: Names = &["外貌", "外形", "长相", "样貌", "相貌", "appearance", "looks"];
const TRAITS: Names = &["特征", "特点", "特质", "traits"];
const PERSONALITIES: Names = &["性格", "个性", "personality"];
const WEAKNESSES: Names = &["弱点", "缺点", "缺陷", "weakness", "flaw"];
const GOALS: Names = &["目标", "动机", "欲望", "goal", "goals", "motivation", "want"];
const CONFLICTS: Names = &["冲突", "矛盾", "conflict", "conflicts"];
const ARCS: Names = &["弧线", "人物弧光", "成长", "arc", "character arc"];
const SECRETS: Names = &["秘密", "secret"];
const DESCRIPTIONS: Names =
    &["描述", "简介", "介绍", "说明", "背景", "经历", "备注", "description", "background", "notes", "about"];
const NUMBERS: Names = &["章", "章节", "章号", "章次", "序号", "回", "chapter", "ch", "no", "no.", "#", "number"];
const TITLES: Names = &["标题", "章名", "章节名", "章节标题", "题目", "title", "chapter title"];
const SUMMARIES: Names =
    &["概要", "梗概", "内容", "内容概要", "情节", "剧情", "摘要", "大纲", "summary", "synopsis", "plot", "events"];
const VOLUMES: Names = &["卷", "分卷", "部", "volume", "part", "act"];
const PARTICIPANTS: Names = &["人物", "出场人物", "角色", "characters", "cast"];
const AIMS: Names = &["目的", "作用", "goal", "purpose"];
const WORDS: Names = &["字数", "words", "word count"];

/// Returns the cast in a table; `None` for any other table, or if a row before the first name has text.
pub(super) fn cast(table: &Table, section: Section) -> Option<Vec<Character>> {
    let is_of_people = [ROLES, AGES, OCCUPATIONS, PERSONALITIES].iter().any(|names| table.column(names).is_some());
    let any = (section == Section::Cast || section == Section::Other && is_of_people).then_some(NAMES);
    let name = table.column(PEOPLE).or_else(|| table.column(any?))?;
    // Beside a column of names, `角色` is the part in the story.
    let name = table.column(&["姓名"]).or_else(|| table.column(any?)).unwrap_or(name);
    let mut cast: Vec<Character> = Vec::new();
    for row in &table.rows {
        let called = cell(row, name);
        if called.is_empty() {
            let rest: Vec<&str> = row.iter().map(String::as_str).filter(|cell| !cell.is_empty()).collect();
            match cast.last_mut() {
                Some(last) => append(&mut last.background, &rest.join(" ")),
                None if rest.is_empty() => {}
                None => return None,
            }
            continue;
        }
        let mut one = Character { name: called.to_owned(), ..Character::default() };
        for (column, header) in table.header.iter().enumerate().filter(|(column, _)| *column != name) {
            let words = cell(row, column);
            if !words.is_empty() {
                describe(&mut one, header, words);
            }
        }
        cast.push(one);
    }
    (!cast.is_empty()).then_some(cast)
}

/// Sets the field of a character that a header names; other words become background, with their header.
fn describe(one: &mut Character, header: &str, words: &str) {
    let is = |names: Names| names.contains(&plain(header).as_str());
    match () {
        () if is(ROLES) => match role(words) {
            Some(role) => one.role_type = role,
            None => append(&mut one.background, &labelled(header, words)),
        },
        () if is(AGES) => match number(words).and_then(|age| i32::try_from(age).ok()) {
            Some(age) => one.age = Some(age),
            None => append(&mut one.background, &labelled(header, words)),
        },
        () if is(ALIASES) => one.alias.extend(list(words)),
        () if is(TRAITS) => one.traits.extend(list(words)),
        () if is(GENDERS) => append(&mut one.gender, words),
        () if is(APPEARANCES) => append(&mut one.appearance, words),
        () if is(OCCUPATIONS) => append(&mut one.occupation, words),
        () if is(PERSONALITIES) => append(&mut one.personality, words),
        () if is(WEAKNESSES) => append(&mut one.weakness, words),
        () if is(GOALS) => append(&mut one.goals, words),
        () if is(CONFLICTS) => append(&mut one.conflicts, words),
        () if is(ARCS) => append(&mut one.arc, words),
        () if is(SECRETS) => append(&mut one.secret, words),
        () if is(DESCRIPTIONS) => append(&mut one.background, words),
        () => append(&mut one.background, &labelled(header, words)),
    }
}

/// Returns the places in a table; `None` for any other table.
pub(super) fn places(table: &Table, section: Section) -> Option<Vec<Location>> {
    let any = (section == Section::Places).then_some(NAMES);
    let name = table.column(PLACES).or_else(|| table.column(any?))?;
    let mut places = Vec::new();
    for row in &table.rows {
        let called = cell(row, name);
        if called.is_empty() {
            return None;
        }
        let mut place = Location { name: called.to_owned(), ..Location::default() };
        for (column, header) in table.header.iter().enumerate().filter(|(column, _)| *column != name) {
            let words = cell(row, column);
            match plain(header).as_str() {
                _ if words.is_empty() => {}
                header if ALIASES.contains(&header) => place.alias.extend(list(words)),
                header if DESCRIPTIONS.contains(&header) => append(&mut place.description, words),
                _ => append(&mut place.description, &labelled(header, words)),
            }
        }
        places.push(place);
    }
    (!places.is_empty()).then_some(places)
}

/// Returns the chapters in a table; `None` for any other table.
pub(super) fn chapters(table: &Table, section: Section) -> Option<Vec<OutlineNode>> {
    let (number_at, title_at) = (table.column(NUMBERS), table.column(TITLES));
    let is_told = title_at.is_some() || table.column(SUMMARIES).is_some();
    let is_elsewhere = matches!(section, Section::Cast | Section::Places);
    if !is_told || is_elsewhere || number_at.is_none() && section != Section::Chapters {
        return None;
    }
    let mut chapters = Vec::new();
    for row in &table.rows {
        let at = |column: Option<usize>| column.map_or("", |column| cell(row, column));
        let name = chapter_name(at(number_at), at(title_at));
        if name.is_empty() {
            return None;
        }
        let mut node = OutlineNode { name, ..OutlineNode::default() };
        for (column, header) in table.header.iter().enumerate() {
            let words = cell(row, column);
            if words.is_empty() || Some(column) == number_at || Some(column) == title_at {
                continue;
            }
            let is = |names: Names| names.contains(&plain(header).as_str());
            match () {
                () if is(SUMMARIES) || is(DESCRIPTIONS) => append(&mut node.description, words),
                () if is(VOLUMES) => node.parent = Some(words.to_owned()),
                () if is(PARTICIPANTS) => node.participants.extend(list(words)),
                () if is(PLACES) => node.location = Some(words.to_owned()),
                () if is(AIMS) => append(&mut node.goal, words),
                () if is(WORDS) && number(words).is_some() => node.words = number(words),
                () => append(&mut node.description, &labelled(header, words)),
            }
        }
        chapters.push(node);
    }
    (!chapters.is_empty()).then_some(chapters)
}

/// Returns the name of a chapter from its number and title: `第三章 来客`, `Chapter 3: The Guest`.
fn chapter_name(number_cell: &str, title: &str) -> String {
    let bare = number_cell.parse::<u32>().ok();
    match bare {
        _ if number_cell.is_empty() || headings::read(title).is_some() => title.to_owned(),
        Some(number) if title.chars().any(is_han) => format!("第{}章 {title}", numerals::chinese(number)),
        Some(number) if title.is_empty() => format!("Chapter {number}"),
        Some(number) => format!("Chapter {number}: {title}"),
        None => format!("{number_cell} {title}").trim().to_owned(),
    }
}

impl Table {
    /// Returns the first column with one of the headers, in the order of the headers.
    fn column(&self, names: &[&str]) -> Option<usize> {
        names.iter().find_map(|name| self.header.iter().position(|header| plain(header) == *name))
    }
}

fn cell(row: &[String], column: usize) -> &str {
    row.get(column).map_or("", |cell| cell.trim())
}

/// Returns a header in lowercase, without marks.
fn plain(header: &str) -> String {
    header.trim_matches(|c: char| c.is_whitespace() || matches!(c, '*' | ':' | '：')).to_lowercase()
}

fn labelled(header: &str, words: &str) -> String {
    let joint = if header.chars().any(is_han) { "：" } else { ": " };
    format!("{header}{joint}{words}")
}

fn list(words: &str) -> impl Iterator<Item = String> {
    words.split(['、', '，', ',', '/', ';', '；']).map(str::trim).filter(|word| !word.is_empty()).map(str::to_owned)
}

/// Returns the first number in a text; commas within it are ignored.
fn number(words: &str) -> Option<u32> {
    let words = words.replace([',', '，'], "");
    let digits = words.split(|c: char| !c.is_ascii_digit()).find(|digits| !digits.is_empty())?;
    digits.parse().ok()
}

fn role(words: &str) -> Option<RoleType> {
    const ROLES: &[(RoleType, &[&str])] = &[
        (RoleType::Antagonist, &["反派", "反角", "对手", "antagonist", "villain"]),
        (RoleType::Protagonist, &["主角", "主人公", "男主", "女主", "protagonist", "hero", "heroine", "lead"]),
        (RoleType::Minor, &["龙套", "路人", "minor", "extra"]),
        (RoleType::Supporting, &["配角", "supporting", "sidekick"]),
    ];
    let words = words.to_lowercase();
    ROLES.iter().find(|(_, names)| names.iter().any(|name| words.contains(name))).map(|(role, _)| *role)
}
