//! Plain statements in Chinese.

use serde_json::Value;

use super::stretches::{Cues, Stretch, Voice};
use super::{Found, Mention, Readers, eat, skip, whole};
use crate::piece::PieceKind;
use crate::predicate;
use crate::time::{self, leading_number, numeral};

pub(super) const CUES: Cues = Cues {
    wakes: &["惊醒", "醒来", "醒了", "从梦中", "梦醒"],
    dreams: &["做了一个梦", "做了个梦", "做起了梦", "进入梦乡", "梦境里", "梦境中"],
    remembers: &[
        "梦",
        "回忆",
        "想起",
        "记得",
        "记忆",
        "那年",
        "那一年",
        "当年",
        "年前",
        "小时候",
        "从前",
        "以前",
        "昔日",
        "往事",
        "曾",
        "那时",
        "彼时",
        "时候",
        "的年代",
        "前世",
        "上辈子",
        "天前",
        "个月前",
    ],
    supposes: &[
        "如果",
        "要是",
        "假如",
        "倘若",
        "若是",
        "若",
        "假设",
        "的话",
        "也许",
        "可能",
        "大概",
        "大约",
        "或许",
        "恐怕",
        "仿佛",
        "好像",
        "似乎",
        "看上去",
        "看起来",
        "以为",
        "觉得",
        "相信",
        "怀疑",
        "想象",
        "应该",
        "估计",
        "据说",
        "听说",
        "传说",
        "传闻",
        "谣言",
        "相传",
        "差点",
        "险些",
        "几乎",
        "计划",
        "打算",
        "准备",
        "将要",
        "即将",
        "想要",
        "希望",
        "但愿",
        "除非",
        "万一",
        "假装",
        "谎称",
        "自称",
        "号称",
        "冒充",
        "扮演",
        "剧本",
        "戏里",
        "小说里",
        "书中",
        "吗",
        "难道",
        "明年",
        "后年",
        "再过",
        "等到",
        "就会",
        "宛如",
        "犹如",
        "如同",
        "一般地",
        "不如",
        "比",
        "最多",
        "至少",
        "起码",
    ],
};

/// What may stand between somebody and an age.
const AGED: [&str; 33] = [
    "今年",
    "今日",
    "今天",
    "现在",
    "如今",
    "眼下",
    "此时",
    "这一年",
    "这年",
    "已经",
    "已",
    "刚刚",
    "刚好",
    "刚",
    "正好",
    "正",
    "才",
    "只有",
    "只",
    "也",
    "就",
    "都",
    "是个",
    "是",
    "满",
    "年满",
    "年仅",
    "年方",
    "年纪轻轻",
    "有",
    "到了",
    "，",
    " ",
];
/// What an age is no plain age before.
const NOT_AGED: [&str; 20] = [
    "时", "那", "前", "后", "起", "以", "左右", "上下", "多", "大", "小", "开始", "就", "生", "模样", "光景", "出头",
    "孩", "之", "样",
];
const ENDS: [char; 12] = ['。', '，', '！', '；', '、', '\u{1}', '”', '…', '—', '：', ' ', '\n'];
const NEGATIONS: [&str; 8] = ["不", "没", "未", "非", "别", "无", "莫", "否"];
/// What may stand between somebody and what they do.
const ADVERBS: [&str; 33] = [
    "终于",
    "已经",
    "已",
    "也",
    "又",
    "就",
    "便",
    "才",
    "刚刚",
    "刚",
    "还是",
    "独自",
    "一个人",
    "连夜",
    "再次",
    "再度",
    "匆匆",
    "当场",
    "当晚",
    "昨晚",
    "昨夜",
    "今晨",
    "这天",
    "随后",
    "最后",
    "最终",
    "很快",
    "一路",
    "径直",
    "直接",
    "慢慢",
    "都",
    "，",
];

/// What is read in a stretch, one after the other.
pub(super) const READERS: Readers = [ages, births, measures, counts, deaths, places, hands];

/// The date with which a sentence begins.
pub(super) fn when(text: &str) -> String {
    let Some(end) = text.find('，') else { return String::new() };
    let date = text[..end].trim_matches(|c: char| c == '\u{1}' || c.is_whitespace());
    // `这一年` is no year of an era.
    let points = date.starts_with(['这', '那', '同', '有', '某', '每', '头', '前', '后']);
    match time::parse(date).moment().filter(|_| !points) {
        Some(_) => date.to_owned(),
        None => String::new(),
    }
}

/// Whether the clause in which `at` stands is denied before it.
fn is_denied(text: &str, at: usize) -> bool {
    let clause = text[..at].rfind(ENDS).map_or(0, |mark| mark + text[mark..].chars().next().map_or(0, char::len_utf8));
    NEGATIONS.iter().any(|word| text[clause..at].contains(word))
}

fn is_end(rest: &str) -> bool {
    rest.is_empty() || rest.starts_with(ENDS)
}

/// Whether somebody is spoken of for themselves, and not as `比林深` or `林深的妹妹`.
fn is_itself(stretch: &Stretch<'_>, who: &Mention) -> bool {
    let before = stretch.text[..who.start].chars().next_back();
    !before.is_some_and(|c| "的比像如与和跟同对给把被让替为".contains(c)) && !stretch.text[who.end..].starts_with('的')
}

fn ages(stretch: &Stretch<'_>, found: &mut Vec<Found>) {
    let text = stretch.text.as_str();
    for (at, unit) in text.match_indices('岁') {
        let begin = number_before(text, at);
        let Some((years, _)) =
            begin.and_then(|begin| leading_number(&text[begin..at]).filter(|(_, end)| begin + end == at))
        else {
            continue;
        };
        let begin = begin.expect("it was read");
        let rest = &text[at + unit.len()..];
        if years > 20_000.0 || is_denied(text, begin) {
            continue;
        }
        // `二十六岁的林深`
        if let Some(who) = rest.strip_prefix('的').and_then(|rest| {
            let rest = skip(rest, &["青年", "少年", "少女", "记者", "侦探", "医生", "警察", "老人", "男人", "女人"]);
            stretch.named_at(stretch.at(rest), &[PieceKind::Character])
        }) {
            let is_before =
                text[..begin].chars().next_back().is_none_or(|c| ENDS.contains(&c) || "是着了看对".contains(c));
            if !text[who.end..].starts_with('的') && is_before {
                found.push(Found::value(who, "age", whole(years), "岁"));
            }
            continue;
        }
        if NOT_AGED.iter().any(|word| rest.starts_with(word)) || rest.starts_with('的') {
            continue;
        }
        let rest = skip(rest, &["了", "整"]);
        if !is_end(rest) && !rest.starts_with(['的', '，', '，']) {
            continue;
        }
        let who = stretch.of_kind(PieceKind::Character).rfind_before(begin);
        if let Some(who) = who.filter(|who| is_itself(stretch, who) && skip(&text[who.end..begin], &AGED).is_empty()) {
            found.push(Found::value(who, "age", whole(years), "岁"));
        } else if let Voice::Speaker(Some(by)) = &stretch.voice {
            let clause =
                text[..begin].rfind('我').filter(|at| skip(&text[at + '我'.len_utf8()..begin], &AGED).is_empty());
            let is_mine = clause.is_some_and(|at| text[..at].chars().next_back().is_none_or(|c| ENDS.contains(&c)));
            if is_mine {
                let me = Mention { start: 0, end: 0, kind: PieceKind::Character, name: by.clone() };
                found.push(Found::value(&me, "age", whole(years), "岁"));
            }
        }
    }
}

/// Where the number that ends at `end` begins.
fn number_before(text: &str, end: usize) -> Option<usize> {
    let is_number = |c: &char| c.is_ascii_digit() || numeral(*c).is_some();
    let length: usize = text[..end].chars().rev().take_while(is_number).map(char::len_utf8).sum();
    let begin = end - length;
    let is_vague =
        text[..begin].ends_with(['几', '第', '.', '～', '~', '-', '多', '数', '近', '约', '快', '半', '百', '余']);
    (length > 0 && !is_vague).then_some(begin)
}

fn births(stretch: &Stretch<'_>, found: &mut Vec<Found>) {
    let text = stretch.text.as_str();
    for who in stretch.of_kind(PieceKind::Character).filter(|who| is_itself(stretch, who)) {
        let rest = skip(&text[who.end..], &["是", "，"]);
        let date = match eat(rest, &["生于", "出生于", "出生在", "诞生于"]) {
            Some(rest) => Some(rest[..rest.find(ENDS).unwrap_or(rest.len())].trim_end_matches(['的', '生'])),
            None => ["出生", "生"].iter().find_map(|born| {
                let end = rest.find(born)?;
                let after = skip(&rest[end + born.len()..], &["的", "人"]);
                is_end(after).then(|| rest[..end].trim_end_matches(['的', '在']))
            }),
        };
        let Some(date) = date.filter(|date| time::parse(date).moment().is_some()) else { continue };
        if !is_denied(text, who.end + rest.len().min(3)) {
            found.push(Found::value(who, "birth", Value::String(date.to_owned()), ""));
        }
    }
    // `一九八七年，林深出生。`
    let Some((date, rest)) = text.split_once('，') else { return };
    let Some(who) = stretch.named_at(stretch.at(rest), &[PieceKind::Character]) else { return };
    let born = eat(skip(&text[who.end..], &ADVERBS), &["出生", "诞生", "降生"]);
    let date = date.trim_start_matches(['\u{1}', ' ']);
    if born.is_some_and(|rest| is_end(skip(rest, &["了"])) || rest.starts_with('在') || rest.starts_with('于'))
        && time::parse(date).moment().is_some()
    {
        found.push(Found::value(who, "birth", Value::String(date.to_owned()), ""));
    }
}

/// `城墙高三丈`, `林深身高一百八十公分`.
fn measures(stretch: &Stretch<'_>, found: &mut Vec<Found>) {
    const MEASURES: [(&str, &str); 8] = [
        ("身高", "height"),
        ("体重", "weight"),
        ("高", "height"),
        ("长", "length"),
        ("宽", "width"),
        ("深", "depth"),
        ("重", "weight"),
        ("厚", "depth"),
    ];
    let text = stretch.text.as_str();
    for who in stretch.mentions.iter().filter(|who| is_itself(stretch, who)) {
        let rest = skip(&text[who.end..], &["足足有", "足有", "足足", "整整", "全", "通体", "，"]);
        let Some((rest, word)) = MEASURES.iter().find_map(|(word, name)| Some((rest.strip_prefix(word)?, *name)))
        else {
            continue;
        };
        let rest = skip(rest, &["有", "达", "足足", "整整", "是", "为"]);
        let Some((number, unit)) = quantity(rest) else { continue };
        let base = predicate::in_base_unit(number, unit).map(|(_, base)| base);
        let fits =
            matches!((word, base), ("weight", Some("kg")) | ("height" | "length" | "width" | "depth", Some("m")));
        let after = &rest[rest.find(unit).unwrap_or(0) + unit.len()..];
        if fits && is_end(skip(after, &["整"])) && who.kind != PieceKind::Organisation {
            found.push(Found::value(who, word, whole(number), unit));
        }
    }
}

/// The number and unit that `rest` begins with, if the unit is known.
fn quantity(rest: &str) -> Option<(f64, &str)> {
    let (number, end) = leading_number(rest)?;
    let rest = &rest[end..];
    let length = rest.find(ENDS).unwrap_or(rest.len());
    let mut ends: Vec<usize> = rest[..length].char_indices().map(|(at, c)| at + c.len_utf8()).take(4).collect();
    ends.reverse();
    let unit = ends.into_iter().map(|end| &rest[..end]).find(|unit| predicate::in_base_unit(number, unit).is_some())?;
    Some((number, unit))
}

/// `守军还有三百人`, `林深只剩两枚铜钥匙`.
fn counts(stretch: &Stretch<'_>, found: &mut Vec<Found>) {
    const HAS: [&str; 14] = [
        "一共有",
        "共有",
        "总共有",
        "还剩下",
        "还剩",
        "只剩下",
        "只剩",
        "剩下",
        "现有",
        "还有",
        "只有",
        "有",
        "尚余",
        "手里有",
    ];
    let text = stretch.text.as_str();
    for who in stretch.mentions.iter().filter(|who| who.kind != PieceKind::Item && is_itself(stretch, who)) {
        let rest = skip(&text[who.end..], &["里", "中", "现在", "如今", "手中", "手里", "身上", "已经", "，"]);
        let Some(rest) = eat(rest, &HAS) else { continue };
        let Some((number, unit)) = quantity(rest) else { continue };
        let is_counted = predicate::in_base_unit(number, unit).is_some_and(|(_, base)| base == "1");
        let after = &rest[rest.find(unit).unwrap_or(0) + unit.len()..];
        let thing = stretch.named_at(stretch.at(after), &[PieceKind::Item]);
        if !is_counted || is_denied(text, stretch.at(rest)) {
            continue;
        }
        match thing {
            Some(thing) if is_end(&text[thing.end..]) => {
                let count =
                    Found { object: Some(thing.name.clone()), ..Found::value(who, "amount", whole(number), unit) };
                found.push(count);
            }
            None if is_end(after) && unit.ends_with(['人', '名', '个', '骑', '位']) => {
                found.push(Found::value(who, "amount", whole(number), unit));
            }
            _ => {}
        }
    }
}

fn deaths(stretch: &Stretch<'_>, found: &mut Vec<Found>) {
    const DIES: [&str; 19] = [
        "死了",
        "死去了",
        "死去",
        "去世了",
        "去世",
        "身亡",
        "气绝身亡",
        "断气了",
        "断了气",
        "咽了气",
        "咽下了最后一口气",
        "咽下最后一口气",
        "牺牲了",
        "毙命",
        "病逝",
        "阵亡",
        "战死",
        "遇害",
        "与世长辞",
    ];
    const NOT_DEAD: [&str; 12] = ["一般", "似的", "一样", "的", "心", "那", "三", "多年", "很久", "之后", "后", "前"];
    let text = stretch.text.as_str();
    for who in stretch.of_kind(PieceKind::Character).filter(|who| is_itself(stretch, who)) {
        let rest = skip(&text[who.end..], &ADVERBS);
        let by = rest.strip_prefix('被').and_then(|rest| {
            let killed = ["杀死了", "杀死", "杀了", "刺死了", "毒死了", "勒死了", "打死了", "枪杀了", "杀害了"];
            killed.iter().find_map(|word| Some(&rest[rest.find(word).filter(|at| *at <= 24)? + word.len()..]))
        });
        let at = rest.strip_prefix("死于").or_else(|| rest.strip_prefix("死在"));
        let rest = match (eat(rest, &DIES), by, at) {
            (Some(rest), ..) | (None, Some(rest), _) => rest,
            (None, None, Some(rest)) if !rest.is_empty() => "",
            _ => continue,
        };
        let goes_on = NOT_DEAD.iter().any(|word| rest.starts_with(word)) || rest.starts_with(|c| numeral(c).is_some());
        if !goes_on && is_end(skip(rest, &["了"])) && !is_denied(text, stretch.at(rest).min(text.len())) {
            found.push(Found::value(who, "dies", Value::Bool(true), ""));
        }
    }
    for killed in ["杀死了", "杀了", "刺死了", "毒死了", "勒死了"] {
        for (at, _) in text.match_indices(killed) {
            let Some(who) = stretch.named_at(at + killed.len(), &[PieceKind::Character]) else { continue };
            let is_passive = text[..at].contains(['被', '想', '要', '会']);
            if is_end(&text[who.end..]) && !is_denied(text, at) && !is_passive {
                found.push(Found::value(who, "dies", Value::Bool(true), ""));
            }
        }
    }
}

fn places(stretch: &Stretch<'_>, found: &mut Vec<Found>) {
    const GOES: [&str; 20] = [
        "来到了",
        "来到",
        "到达了",
        "到达",
        "抵达了",
        "抵达",
        "赶到了",
        "赶到",
        "回到了",
        "回到",
        "走进了",
        "走进",
        "进入了",
        "进入",
        "进了",
        "到了",
        "踏进了",
        "踏进",
        "冲进了",
        "冲进",
    ];
    let text = stretch.text.as_str();
    for place in stretch.of_kind(PieceKind::Location) {
        let before = &text[..place.start];
        let Some(before) = GOES.iter().find_map(|word| before.strip_suffix(word)) else { continue };
        let who = stretch.of_kind(PieceKind::Character).rfind_before(before.len());
        let Some(who) = who.filter(|who| skip(&text[who.end..before.len()], &ADVERBS).is_empty()) else { continue };
        let rest = &text[place.end..];
        if is_denied(text, place.start)
            || !(is_end(rest) || rest.starts_with(['时', '，']))
            || text[who.end..].starts_with('的')
        {
            continue;
        }
        let before = text[..who.start].chars().next_back();
        if before.is_some_and(|c| "的比像对给把让替".contains(c)) {
            continue;
        }
        // `林深和老周来到旧港`
        let with = ["和", "与", "跟", "同", "、"].iter().find_map(|and| text[..who.start].strip_suffix(and));
        let others =
            stretch.of_kind(PieceKind::Character).filter(|other| with.is_some_and(|with| other.end == with.len()));
        found.extend(others.chain([who]).map(|who| Found::object(who, "is_at", place)));
    }
}

/// `林深把铜钥匙交给老周`.
fn hands(stretch: &Stretch<'_>, found: &mut Vec<Found>) {
    const TO: [&str; 12] =
        ["交给了", "交给", "递给了", "递给", "送给了", "送给", "还给了", "还给", "留给了", "留给", "交到了", "卖给了"];
    let text = stretch.text.as_str();
    for thing in stretch.of_kind(PieceKind::Item) {
        let before = &text[..thing.start];
        let Some(before) = ["把", "将"].iter().find_map(|take| {
            let bare = ["那枚", "那把", "这把", "这枚", "那支", "那封", "那只", "手里的", "手中的", "那", "这", ""];
            bare.iter().find_map(|that| before.strip_suffix(that)?.strip_suffix(take))
        }) else {
            continue;
        };
        let giver = stretch.of_kind(PieceKind::Character).rfind_before(before.len());
        let giver =
            giver.filter(|who| is_itself(stretch, who) && skip(&text[who.end..before.len()], &ADVERBS).is_empty());
        let rest = skip(&text[thing.end..], &["亲手", "悄悄", "郑重地", "重新", "轻轻"]);
        let taker = eat(rest, &TO).and_then(|rest| stretch.named_at(stretch.at(rest), &[PieceKind::Character]));
        let Some((giver, taker)) = giver.zip(taker) else { continue };
        let rest = &text[taker.end..];
        if !is_denied(text, thing.start) && (is_end(rest) || rest.starts_with("手")) && giver.name != taker.name {
            found.push(Found::object(giver, "gives", thing));
            found.push(Found::object(taker, "gets", thing));
        }
    }
}

/// Who a tag says is speaking: `林深说：“…”` or `“…”林深说。`
pub(super) fn speaker(
    before: &str,
    after: &str,
    named_before: Option<&Mention>,
    named_after: Option<&Mention>,
    end: usize,
    start: usize,
) -> Option<String> {
    const SAYS: [&str; 11] = ["说", "道", "问", "答", "喊", "叫", "吼", "骂", "嚷", "笑", "叹"];
    const MARKS: [char; 8] = ['。', '！', '？', '，', '；', '“', '”', '…'];
    let tag = before.trim_end().strip_suffix(['：', ':', '，']);
    if let Some((tag, who)) = tag.zip(named_before) {
        let between = tag.get(who.end - start..).unwrap_or("，");
        if !between.contains(MARKS) && between.chars().count() <= 10 && SAYS.iter().any(|says| between.ends_with(says))
        {
            return Some(who.name.clone());
        }
    }
    let who = named_after.filter(|who| who.start - end <= after.len() - after.trim_start().len())?;
    let rest = &after[who.end - end..];
    let tag = &rest[..rest.find(MARKS).unwrap_or(rest.len())];
    (tag.chars().count() <= 10 && SAYS.iter().any(|says| tag.contains(says))).then(|| who.name.clone())
}

/// Looking for a mention backwards.
trait RfindBefore<'m> {
    fn rfind_before(self, at: usize) -> Option<&'m Mention>;
}

impl<'m, I: Iterator<Item = &'m Mention>> RfindBefore<'m> for I {
    fn rfind_before(self, at: usize) -> Option<&'m Mention> {
        self.take_while(|mention| mention.end <= at).last()
    }
}
