//! The premise of a Chinese requirement: theme, two leads, a name after a trade, inciting event.

use qingyu_story::Language;
use qingyu_story::language::is_han;

use super::clause::{ENDS, PERSONS, VERBS, bare, trade_end, until};
use crate::brief::text::{clip_to, phrase};
use crate::tables::LanguageTables;

/// Words for a piece of writing, the longest first.
#[rustfmt::skip]
const WORKS: &[&str] = &[
    "故事", "小说", "短篇", "中篇", "长篇", "童话", "剧本", "传说", "散文", "作品", "恋情", "爱情", "寓言",
];
/// Words for the number of people.
const COUNTS: &[&str] = &["一个", "一名", "一位", "一只", "一条", "一对", "两个", "两名", "两位", "两只"];
/// Verbs of inciting events.
#[rustfmt::skip]
const INCIDENTS: &[&str] = &[
    "发现", "收到", "捡到", "遇到", "遇见", "遇上", "接到", "得知", "继承", "醒来", "目睹", "卷入", "听见", "听到", "回到", "闯入", "误入", "撞见",
    "被迫", "决定", "穿越到",
];
/// Words which can follow a name besides verbs.
#[rustfmt::skip]
const AFTER_NAMES: &[&str] = &[
    "收到", "决定", "捡到", "得知", "继承", "醒来", "目睹", "独自", "偶然", "意外", "无意", "突然", "和", "的", "把", "去", "用", "每", "误", "撞见",
];
const SURNAMES: &str = "赵钱孙李周吴郑王冯陈褚卫蒋沈韩杨朱秦尤许何吕施张孔曹严华金魏陶姜谢邹喻柏窦章云苏潘葛范彭郎鲁韦昌马苗凤花方俞任袁柳\
    鲍史唐费廉岑薛雷贺倪汤滕殷罗毕郝邬安常乐于时傅齐康伍余元顾孟黄穆萧尹姚邵汪祁毛狄贝明臧成戴宋茅庞熊纪舒屈项祝董梁杜阮蓝闵季贾路娄江童\
    颜郭梅盛林钟徐邱骆高夏蔡田樊胡凌霍虞万柯管卢莫房解应宗丁宣邓郁杭洪包诸左石崔吉龚程裴陆荣翁荀惠曲封储靳段焦侯宁仇武刘景叶温庄阎慕连\
    习艾鱼容向古易慎戈廖居衡耿文寇东欧沃利关白简沙丰巢游聂晏冷乔";
/// Words with the beginning of a name.
#[rustfmt::skip]
const NOT_NAMES: &[&str] = &[
    "周末", "周日", "周围", "高中", "高三", "高二", "高一", "江湖", "江南", "江边", "万一", "方才", "成为", "时常", "时代", "于是", "安静", "解开", "任务",
    "高兴", "关于", "应该", "明天", "白天", "冷静", "夏天", "居然", "常常", "解决", "连夜", "利用", "向往", "宁愿", "明明", "成功",
];
const PERSON_LETTERS: &str = "人员师者匠医侠警工生手客贼盗偷兵妖仙鬼妃女男娘婆童儿侍探长夫汉王后妇丐僧尼佣农吏官使将友";

/// Returns the subject of the story, unless a person: 时间 in `关于时间的故事`.
pub(in crate::brief) fn theme(text: &str) -> Option<String> {
    let markers = ["关于", "有关", "主题是", "主题为", "探讨"];
    let rest = markers.iter().find_map(|marker| Some(text.split_once(marker)?.1))?;
    let subject = before_work(until(rest));
    let somebody = COUNTS.iter().any(|count| subject.contains(count))
        || PERSONS.iter().any(|noun| subject.contains(noun))
        || trade_end(subject).is_some();
    phrase(subject).filter(|theme| !somebody && theme.chars().count() <= 16)
}

/// Returns `clause` without a final word for a piece of writing.
fn before_work(clause: &str) -> &str {
    let ends = clause.rsplit_once('的').filter(|(_, last)| WORKS.iter().any(|work| last.ends_with(work)));
    ends.map_or(clause, |(subject, _)| subject)
}

/// Returns the trades of both leads, in `两个相互竞争的养蜂人之间的爱情` or `一个医生和一个小偷的爱情故事`.
pub(super) fn pair(text: &str) -> Option<(String, String)> {
    alike(text).map(|lead| (lead.clone(), lead)).or_else(|| unlike(text))
}

fn alike(text: &str) -> Option<String> {
    ["两个", "两名", "两位", "两只"].iter().find_map(|count| {
        let clause = until(text.split_once(count)?.1);
        let end = ["之间", "的爱", "的恋", "相爱", "相恋", "的故事", "从"]
            .iter()
            .filter_map(|mark| clause.find(mark))
            .min()?;
        let lead = clause[..end].rsplit('的').next().and_then(phrase)?;
        (is_person(&lead) && (2..=8).contains(&lead.chars().count())).then_some(lead)
    })
}

fn unlike(text: &str) -> Option<(String, String)> {
    text.split(|c: char| ENDS.contains(c)).find_map(|clause| {
        let (first, second) = ["和", "与", "跟", "同"].iter().find_map(|and| {
            let counted = COUNTS.iter().find_map(|count| clause.split_once(&format!("{and}{count}")));
            counted.or_else(|| clause.split_once(and).filter(|_| clause.contains("之间") || clause.contains("的爱情")))
        })?;
        let first = COUNTS.iter().filter_map(|count| Some(first.rsplit_once(count)?.1)).next_back().unwrap_or(first);
        let second = second.split("之间").next().unwrap_or_default();
        let second = if second.contains('的') { before_work(second) } else { second };
        let second = VERBS.iter().filter_map(|verb| second.find(verb)).min().map_or(second, |end| &second[..end]);
        let fits = |lead: &str| (2..=10).contains(&lead.chars().count()) && is_person(lead);
        (fits(first) && fits(second)).then(|| Some((phrase(first)?, phrase(second)?))).flatten()
    })
}

/// Returns whether a noun phrase ends with a person or an animal.
pub(super) fn is_person(text: &str) -> bool {
    let tables = LanguageTables::of(Language::Zh);
    let mut trades = tables.settings.iter().flat_map(|setting| setting.trades.all()).map(|(_, trade)| trade);
    PERSONS.iter().any(|noun| text.ends_with(noun))
        || (text.ends_with(|last| PERSON_LETTERS.contains(last)) && !text.ends_with("人生"))
        || tables.phrases.creatures.iter().any(|noun| text.ends_with(noun.as_str()))
        || trades.any(|trade| text.ends_with(trade.as_str()))
}

/// Returns the ability of an animal or a child, in `会修钟的獾`.
pub(super) fn ability(who: &str) -> Option<String> {
    let ability = who.strip_prefix('会')?.split_once('的')?.0;
    (1..=6).contains(&ability.chars().count()).then(|| format!("{ability}的本事"))
}

/// Returns a trade with the name directly after, as in `高三学生周屿在旧教学楼`.
pub(super) fn named_after_trade(text: &str) -> Option<(String, String)> {
    text.split(|c: char| ENDS.contains(c)).find_map(|clause| {
        let nouns = PERSONS.iter().flat_map(|noun| clause.match_indices(noun)).map(|(at, noun)| at + noun.len());
        let trades = clause.char_indices().filter(|(_, letter)| "员师者匠医侠警生长人".contains(*letter));
        let ends: Vec<usize> = nouns.chain(trades.map(|(at, letter)| at + letter.len_utf8())).collect();
        ends.into_iter().find_map(|end| {
            let name = name_before_verb(&clause[end..])?;
            let before = COUNTS.iter().filter_map(|count| clause[..end].rfind(count)).max().unwrap_or(0);
            let trade =
                ["关于", "讲述", "讲的是", "描写"].iter().find_map(|mark| Some(clause[..end].split_once(mark)?.1));
            let trade = bare(trade.unwrap_or(&clause[before..end]));
            (2..=12).contains(&trade.chars().count()).then(|| phrase(trade)).flatten().map(|trade| (trade, name))
        })
    })
}

fn name_before_verb(rest: &str) -> Option<String> {
    let least = rest.char_indices().nth(2).map_or(rest.len(), |(at, _)| at);
    let verbs = VERBS.iter().chain(AFTER_NAMES).filter_map(|verb| Some(least + rest.get(least..)?.find(verb)?));
    let name = &rest[..verbs.min().unwrap_or(rest.len())];
    let fits = (2..=3).contains(&name.chars().count()) && name.chars().all(is_han) && begins_like_a_name(name);
    fits.then(|| name.to_owned())
}

/// Returns whether a text begins with a surname and not with a common word.
pub(crate) fn begins_like_a_name(text: &str) -> bool {
    text.starts_with(|first| SURNAMES.contains(first)) && !NOT_NAMES.iter().any(|word| text.starts_with(word))
}

/// Returns the inciting event of the protagonist: `在旧教学楼发现一封十年前的信`.
pub(super) fn event(text: &str, who: &[Option<&String>]) -> Option<String> {
    text.split(|c: char| ENDS.contains(c)).find_map(|clause| {
        let at = INCIDENTS.iter().filter_map(|verb| clause.find(verb)).min()?;
        let after = who.iter().flatten().filter_map(|who| Some(clause.find(who.as_str())? + who.len())).max();
        let start = after.filter(|end| *end <= at).or_else(|| clause.starts_with('在').then_some(0));
        let start = start.or_else(|| (at == 0).then_some(0))?;
        let event = before_work(clause[start..].trim());
        let fits = after.is_none_or(|end| end <= at) && (4..=40).contains(&event.chars().count());
        fits.then(|| clip_to(event, 40)).flatten()
    })
}
