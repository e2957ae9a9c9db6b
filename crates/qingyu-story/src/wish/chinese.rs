//! Parses requests in Chinese.

use super::reader::{self, Quotes, RequestReader, bare};
use super::{RequestedPiece, WishDemand, fields, words};
use crate::language::is_han;
use crate::piece::PieceKind;

/// Polite or connecting words skipped at the start of a clause.
#[rustfmt::skip]
const LEADS: &[&str] = &[
    "请你", "请帮我", "请把", "请", "麻烦你", "麻烦", "帮我", "帮忙", "给我", "我想要", "我希望", "我想", "我要", "希望", "想", "然后", "并且", "同时", "另外", "还有", "此外",
    "而且", "顺便", "顺带", "接着", "再把", "再", "并", "也", "最后", "首先", "先", "能不能", "能否", "可以", "可不可以", "要", "把", "将", "让", "使", "给",
];
#[rustfmt::skip]
const RENAMES: &[&str] = &["改名叫做", "改名叫", "改名为", "改名成", "更名为", "重命名为", "改叫做", "改叫"];
/// Verbs which set a field, longer words before their prefixes.
#[rustfmt::skip]
const SETS: &[&str] = &[
    "修改成", "修改为", "更改为", "更改成", "调整为", "调整成", "更新为", "设置为", "设置成", "设定为", "设定成", "改写成", "改写为", "改成", "改为", "改作", "改到", "换成", "换为",
    "变成", "变为", "变作", "设为", "设成", "定为", "调成", "调到", "写成",
];
/// Weaker verbs which set a field, tried only without a match above because other words contain them.
const STATES: &[&str] = &["应该是", "应当是", "应为", "必须是", "成为", "是"];
#[rustfmt::skip]
const REMOVES: &[&str] = &[
    "删除掉", "删掉", "删除", "删去", "去掉", "去除", "移除", "拿掉", "砍掉", "剔除", "撤掉", "删了", "删",
];
#[rustfmt::skip]
const ADDS: &[&str] = &[
    "增加", "添加", "新增", "加入", "加上", "新建", "创建", "引入", "补充", "补上", "安排", "设计", "加进", "塑造", "加",
];
#[rustfmt::skip]
const MARKERS: &[&str] = &[
    "名字叫做", "名字叫作", "名字叫", "名字是", "名字为", "姓名是", "姓名叫", "名叫", "名为", "名唤", "唤作", "叫做", "叫作", "称作", "称为", "叫",
];
#[rustfmt::skip]
const COUNTERS: &[&str] = &[
    "一个", "一位", "一名", "一座", "一处", "一条", "一件", "一把", "一枚", "一支", "一间", "一家", "一片", "一块", "一只", "一段", "一场", "一章", "个", "位", "名", "座", "处",
    "件", "把", "新的", "新",
];
/// Endings of place and other names, by kind.
#[rustfmt::skip]
const ENDINGS: [(PieceKind, &str); 3] = [
    (PieceKind::Location, "城镇村山岛谷河湖海街楼馆店寺塔宫港林洞屋院"),
    (PieceKind::Organisation, "会帮派局社军教盟宗门团队"),
    (PieceKind::Item, "剑刀枪书信玉琴图药戒镜印匕珠"),
];
/// Openings of a clause demanding certain words in the text.
const DEMANDS: &[&str] =
    &["必须包含", "必须有", "必须出现", "要包含", "一定要有", "里面要有", "要有", "要出现", "包含"];
/// Words before a character name in a request for a new story.
const SOMEBODY: &[&str] = &["主角", "女主角", "男主角", "主人公", "女主", "男主", "反派", "配角", "对手"];

/// Parses a sentence about an existing story.
pub(super) fn change(reader: &mut RequestReader<'_>, sentence: &str) {
    let clauses = clauses(sentence);
    let mut number = 0;
    while number < clauses.len() {
        let clause = clauses[number];
        number += 1;
        if is_refused(clause) {
            reader.note_other(clause);
            continue;
        }
        let said = lead_out(clause);
        // 增加一个反派，叫沈夜 is one wish in two clauses.
        let names = clauses.get(number).map(|next| next.trim()).filter(|next| naming(next).is_some());
        if let Some(want) = add(reader, said, names) {
            let is_joined = names.is_some() && add(reader, said, None).is_none();
            let text = if is_joined { format!("{clause}，{}", clauses[number].trim()) } else { clause.to_owned() };
            number += usize::from(is_joined);
            reader.note(&text, want);
            continue;
        }
        let wants = remove(reader, said).or_else(|| Some(vec![rename(reader, said)?]));
        let wants = wants.or_else(|| Some(vec![set(reader, said)?]));
        let wants = wants.unwrap_or_else(|| reader.reworks(clause, &["的"]));
        if wants.is_empty() {
            reader.note_other(clause);
        }
        for want in wants {
            reader.note(clause, want);
        }
    }
}

/// Parses a sentence about a new story: required names and words.
pub(super) fn begin(reader: &mut RequestReader<'_>, sentence: &str) {
    for clause in clauses(sentence) {
        if reader::is_negated(clause) {
            continue;
        }
        let marked = MARKERS.iter().filter_map(|marker| Some((clause.find(marker)?, *marker)));
        if let Some((at, marker)) = marked.min_by_key(|(at, marker)| (*at, usize::MAX - marker.len()))
            && let Some(name) = name_at(&clause[at + marker.len()..])
            && let Some(who) = SOMEBODY.iter().find(|who| clause[..at].trim_end_matches(['的', '是']).ends_with(**who))
        {
            let want = reader.add(PieceKind::Character, name, who);
            reader.note(clause, want);
        }
        if let Some(rest) = DEMANDS.iter().find_map(|demand| Some(clause.split_once(demand)?.1)) {
            for words in rest.split(['、', '和', '与']) {
                let words = without_counter(bare(words));
                if (1..=20).contains(&words.chars().count()) {
                    reader.note(clause, WishDemand::Mention { words: words.to_owned() });
                }
            }
        }
    }
}

/// Parses `林深的弱点改成怕黑`, and clauses about the last mentioned piece: `年龄改成三十岁`.
fn set(reader: &mut RequestReader<'_>, said: &str) -> Option<WishDemand> {
    let (left, right) = at_first(said, SETS).or_else(|| at_first(said, STATES))?;
    let is_plain = said[left.len()..].starts_with('是');
    let value = value(right)?;
    let left = without_origin(left);
    if left.is_empty() {
        let (piece, field) = reader.subject.clone()?;
        return (!is_plain).then_some(reader.set_field(piece, field?, value));
    }
    if let Some((name, word)) = left.rsplit_once('的') {
        if matches!(name, "他" | "她" | "它" | "其" | "其中") {
            return of_subject(reader, word, value);
        }
        return reader.set(name, word.trim(), value);
    }
    if fields::is_field(left) && reader.find(left).iter().all(|piece| piece.kind.is_single()) {
        return of_subject(reader, left, value);
    }
    if let Ok(piece) = reader.only(left) {
        return as_a_whole(reader, piece, value).filter(|_| !is_plain);
    }
    // 林深弱点改成怕黑
    let ends = words::fields(PieceKind::Character).iter().flat_map(|(_, known)| known.iter());
    let (name, word) =
        ends.filter_map(|word| Some((left.strip_suffix(word)?, *word))).max_by_key(|(_, word)| word.len())?;
    let is_known = !name.is_empty() && !reader.find(name).is_empty();
    if is_known { reader.set(name, word, value) } else { None }
}

/// Parses a change of the last mentioned piece, or of the only piece of a kind.
fn of_subject(reader: &mut RequestReader<'_>, word: &str, value: &str) -> Option<WishDemand> {
    let subject = reader.subject.clone().map(|(piece, _)| piece);
    let piece =
        subject.filter(|piece| fields::named(piece.kind, word).is_some()).or_else(|| reader::single_with(word))?;
    let field = fields::named(piece.kind, word)?;
    Some(reader.set_field(piece, field, value))
}

/// Parses `林深改成反派`, `林深改成三十岁`, `黑水镇改成白水镇`.
fn as_a_whole(reader: &mut RequestReader<'_>, piece: RequestedPiece, value: &str) -> Option<WishDemand> {
    let is_character = piece.kind == PieceKind::Character;
    if is_character && fields::role(without_counter(value)).is_some() {
        return Some(reader.set_field(piece, "role_type", without_counter(value)));
    }
    if is_character && value.ends_with('岁') {
        return Some(reader.set_field(piece, "age", value));
    }
    let ends = |text: &str| (text.chars().next(), text.chars().next_back());
    let (old, new) = (ends(&piece.name), ends(value));
    let is_alike = old.0 == new.0 || old.1 == new.1;
    let field = fields::named(piece.kind, "name")?;
    (is_alike && is_name(value)).then(|| reader.set_field(piece, field, value))
}

fn rename(reader: &mut RequestReader<'_>, said: &str) -> Option<WishDemand> {
    let (left, right) = at_first(said, RENAMES)?;
    let name = name_at(right)?;
    let left = left.trim();
    if left.is_empty() {
        let (piece, _) = reader.subject.clone()?;
        let field = fields::named(piece.kind, "name")?;
        return Some(reader.set_field(piece, field, name));
    }
    reader.set(left, "名字", name)
}

/// Parses `删掉沈夜和阿宁`, `把林深的背景删掉`, `删掉林深和沈夜的关系`.
fn remove(reader: &mut RequestReader<'_>, said: &str) -> Option<Vec<WishDemand>> {
    let (left, right) = at_first(said, REMOVES)?;
    let right = right.trim_start_matches(['掉', '了']);
    let object = match (left.trim(), bare(right.trim_end_matches(['吧', '了']))) {
        ("", object) => object,
        (object, "") => object,
        _ => return None,
    };
    let object = bare(object);
    if object.is_empty() || at_first(object, SETS).is_some_and(|(left, _)| !left.is_empty()) && object.contains('改') {
        return None;
    }
    if let Some((one, other)) = object.strip_suffix("的关系").and_then(two) {
        let relations = reader.between(one, other);
        return (!relations.is_empty())
            .then(|| relations.into_iter().map(|piece| WishDemand::Remove { piece }).collect());
    }
    if let Some((name, word)) = object.rsplit_once('的') {
        return reader.clear(name, word).map(|want| vec![want]);
    }
    let vague = ["所有", "全部", "一些", "多余", "重复", "部分", "不必要", "那些", "这些"];
    let is_name = |name: &str| is_name(name) && !vague.iter().any(|word| name.contains(word));
    let parts = object.split(['、', '和', '与', '跟']).map(bare).filter(|part| !part.is_empty()).collect::<Vec<_>>();
    if reader.find(object).is_empty() && parts.len() > 1 && parts.iter().any(|part| !reader.find(part).is_empty()) {
        return parts.into_iter().map(|part| reader.remove(part, is_name(part))).collect();
    }
    reader.remove(object, is_name(object)).map(|want| vec![want])
}

/// Parses `增加一个反派角色，叫沈夜`, `添加角色沈夜`, `新增地点：黑水镇`; `next` is the following clause if a name is given there.
fn add(reader: &RequestReader<'_>, said: &str, next: Option<&str>) -> Option<WishDemand> {
    let (before, rest) = at_first(said, ADDS)?;
    if before.chars().count() > 12 || at_first(said, SETS).is_some_and(|(left, _)| left.len() < before.len()) {
        return None;
    }
    let rest = without_counter(rest.trim_start_matches(['了', '上', '进']).trim());
    let marked = MARKERS.iter().filter_map(|marker| Some((rest.find(marker)?, *marker)));
    let marked = marked.min_by_key(|(at, marker)| (*at, usize::MAX - marker.len()));
    if let Some((at, marker)) = marked
        && let Some(name) = name_at(&rest[at + marker.len()..])
    {
        let after = rest.split_once(name).map_or("", |(_, after)| after);
        let description = format!("{}{}", &rest[..at], after.trim_start_matches(['”', '」', '的', '"']));
        // 给林深加一个外号叫小林 is about 林深.
        if fields::is_field(&description) && !reader.find(bare(before)).is_empty() {
            return None;
        }
        return Some(reader.add(kind_of(&description), name, &description));
    }
    if let Some((class, name)) = rest.split_once(['：', ':'])
        && let Some(kind) = reader::class(class)
    {
        return Some(reader.add(kind, name_at(name)?, class));
    }
    let mut name = rest;
    let all = || words::CLASSES.iter().flat_map(|(_, known)| known.iter()).filter(|word| !word.is_ascii());
    while let Some(shorter) = all().filter_map(|class| name.strip_prefix(class)).min_by_key(|rest| rest.len()) {
        name = shorter;
    }
    let description = &rest[..rest.len() - name.len()];
    if !description.is_empty() && is_name(bare(name)) {
        return Some(reader.add(reader::class(description)?, bare(name), description));
    }
    let name = next.and_then(naming)?;
    Some(reader.add(kind_of(rest), name, rest))
}

/// Returns the name in a clause such as `叫沈夜` or `他名叫沈夜`.
fn naming(clause: &str) -> Option<&str> {
    let clause = clause.trim_start_matches(['他', '她', '它', '就']);
    let marker = MARKERS.iter().find_map(|marker| clause.strip_prefix(marker))?;
    name_at(marker)
}

fn kind_of(description: &str) -> PieceKind {
    let by_ending = || {
        let last = bare(description.trim_end_matches('的')).chars().next_back()?;
        ENDINGS.iter().find(|(_, endings)| endings.contains(last)).map(|(kind, _)| *kind)
    };
    reader::class(description).or_else(by_ending).unwrap_or(PieceKind::Character)
}

/// Returns the name at the start of `text`.
fn name_at(text: &str) -> Option<&str> {
    let text = text.trim_start_matches(|c: char| c.is_whitespace() || "：:".contains(c));
    if let Some(quoted) = text.strip_prefix(['“', '「', '『', '《', '"']) {
        let end = quoted.find(['”', '」', '』', '》', '"'])?;
        return Some(quoted[..end].trim()).filter(|name| !name.is_empty());
    }
    let ends = |c: char| !(c.is_alphanumeric() || "·-' ".contains(c)) || "的是在和与".contains(c);
    let end = text.find(ends).unwrap_or(text.len());
    let name = bare(&text[..end]).trim_end_matches(['吧', '了']);
    (!name.is_empty() && name.chars().count() <= 16).then_some(name)
}

/// Returns whether `text` can be a name: a few letters, not a phrase.
fn is_name(text: &str) -> bool {
    let letters = text.chars().count();
    let most = if text.chars().any(is_han) && !text.contains('·') { 6 } else { 24 };
    (2..=most).contains(&letters)
        && text.chars().all(|c| c.is_alphanumeric() || "·-' ".contains(c))
        && !text.contains('的')
}

/// Returns the value after `改成`, or `None` if empty.
fn value(said: &str) -> Option<&str> {
    let mut said = said.trim();
    for particle in ["就可以了", "就可以", "就好了", "就好", "就行", "即可", "吧", "哦", "啊", "呀"]
    {
        said = said.strip_suffix(particle).unwrap_or(said);
    }
    let said = bare(said);
    (!said.is_empty()).then_some(said)
}

/// Removes the old value: `林深的弱点从怕水` becomes `林深的弱点`.
fn without_origin(left: &str) -> &str {
    let left = left.trim().trim_end_matches(['都', '也', '就', '，']);
    let left =
        left.strip_suffix(['）', ')']).and_then(|noted| noted.rsplit_once(['（', '('])).map_or(left, |(left, _)| left);
    let origin = left.rmatch_indices(['从', '由']).map(|(at, _)| left[..at].trim());
    let is_field = |left: &&str| fields::is_field(left.rsplit('的').next().unwrap_or(left));
    origin.into_iter().find(is_field).unwrap_or(left)
}

fn without_counter(text: &str) -> &str {
    COUNTERS.iter().find_map(|counter| text.strip_prefix(counter)).unwrap_or(text)
}

fn two(text: &str) -> Option<(&str, &str)> {
    ['和', '与', '跟'].into_iter().find_map(|and| text.split_once(and))
}

/// Splits `text` at the first of `marks`, preferring the longest mark at a position.
fn at_first<'t>(text: &'t str, marks: &[&str]) -> Option<(&'t str, &'t str)> {
    let found = marks.iter().filter_map(|mark| Some((text.find(mark)?, mark.len())));
    let (at, length) = found.min_by_key(|(at, length)| (*at, usize::MAX - length))?;
    Some((&text[..at], &text[at + length..]))
}

/// Returns whether a clause is a prohibition, a condition or a question.
fn is_refused(clause: &str) -> bool {
    let verbs = [SETS, RENAMES, REMOVES, ADDS, STATES].into_iter().filter_map(|verbs| at_first(clause, verbs));
    let head = verbs.map(|(left, _)| left).min_by_key(|left| left.len()).unwrap_or(clause);
    reader::is_negated(head)
        || ["如果", "假如", "要是", "除非"].iter().any(|word| head.contains(word))
        || clause.ends_with('吗')
}

fn lead_out(clause: &str) -> &str {
    let mut rest = clause.trim();
    while let Some(shorter) = LEADS.iter().find_map(|lead| rest.strip_prefix(lead)).filter(|rest| !rest.is_empty()) {
        rest = shorter.trim_start();
    }
    rest
}

/// Splits a sentence into clauses; commas within quotation marks are ignored.
fn clauses(sentence: &str) -> Vec<&str> {
    let mut quoted = Quotes::default();
    let split = sentence.split(|letter: char| {
        quoted.pass(letter);
        matches!(letter, '，' | ',') && !quoted.inside()
    });
    split.filter(|clause| !clause.trim().is_empty()).collect()
}
