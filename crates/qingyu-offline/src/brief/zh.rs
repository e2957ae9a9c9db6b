//! Parsing of Chinese requirements.

mod clause;
mod premise;

use qingyu_story::language::is_han;

use self::clause::{ENDS, PERSONS, VERBS, bare, trade_end, until};
use super::phrases::RequirementPhrases;
use super::text::phrase;

pub(crate) use self::premise::begins_like_a_name;

#[rustfmt::skip]
const SUBJECTS: &[&str] = &[
    "女主角", "男主角", "女主人公", "男主人公", "主人公", "主角", "女主", "男主",
];
#[rustfmt::skip]
const SKILLS: &[&str] = &[
    "擅长", "精通", "善于", "拥有", "能够", "天生能",
];
#[rustfmt::skip]
const WANTS: &[&str] = &[
    "寻找", "追查", "调查", "查清", "查出", "找回", "找到", "拯救", "保护", "逃离", "夺回", "证明", "阻止", "复仇", "揭开", "赢得", "重建", "守护", "破解",
    "救出", "偷回", "护送", "洗清", "重返", "夺取",
];
#[rustfmt::skip]
const ERAS: &[&str] = &[
    "唐朝", "盛唐", "大唐", "唐代", "宋朝", "北宋", "南宋", "宋代", "明朝", "大明", "明代", "晚明", "清朝", "晚清", "清末", "民国", "汉朝", "汉代", "三国",
    "秦朝", "战国", "春秋", "魏晋", "元朝", "五代", "抗战",
];
#[rustfmt::skip]
const CITIES: &[&str] = &[
    "上海", "北京", "长安", "洛阳", "重庆", "香港", "成都", "广州", "南京", "武汉", "西安", "杭州", "苏州", "哈尔滨", "天津", "青岛", "敦煌", "汴京", "金陵",
    "扬州", "澳门", "台北", "深圳", "厦门", "大理", "拉萨", "临安", "北平", "沈阳", "大连",
];
#[rustfmt::skip]
const PLACE_ENDS: &[&str] = &[
    "空间站", "大学", "学院", "中学", "大陆", "飞船", "小镇", "小城", "村", "镇", "城", "岛", "山", "谷", "港", "宫", "馆", "船", "塔", "街", "寺",
    "星", "矿", "站",
];
/// Endings of phrases allowed directly after 凭.
#[rustfmt::skip]
const SKILL_NOUNS: &[&str] = &[
    "技术", "能力", "术", "法", "功", "学", "艺", "剑", "刀", "拳", "本领", "本事", "异能", "天赋", "体质", "眼", "系统", "记忆", "知识", "手艺",
];

pub(super) fn read(text: &str) -> RequirementPhrases {
    let (hero_name, hero_phrase) = hero(text);
    let (trade, name_in_trade) = hero_phrase.map(|found| split_name(&found)).unwrap_or_default();
    let pair = premise::pair(text).unzip();
    let after_trade = premise::named_after_trade(text).filter(|_| !says_subject(text)).unzip();
    let trade = after_trade.0.or(pair.0).or(trade);
    let name_in_trade = name_in_trade.or(after_trade.1);
    let mut names = names(text);
    let hero_name = hero_name.or(name_in_trade).or_else(|| names.first().cloned());
    names.retain(|name| Some(name) != hero_name.as_ref());
    let woman =
        ["女主", "少女", "她", "女侦探", "公主", "女王", "女孩", "女人", "女将"].iter().any(|word| text.contains(word));
    let man = ["男主", "少年", "他", "王子", "男孩", "男人"].iter().any(|word| text.contains(word));
    RequirementPhrases {
        event: premise::event(text, &[hero_name.as_ref(), trade.as_ref()]),
        theme: premise::theme(text),
        skill: skill(text).or_else(|| premise::ability(trade.as_deref()?)),
        hero_name,
        partner_trade: partner(text, trade.as_ref()).or(pair.1),
        hero_trade: trade,
        want: WANTS
            .iter()
            .filter_map(|verb| text.find(verb))
            .min()
            .map(|start| until(&text[start..]))
            .map(|want| want.split("的故事").next().unwrap_or_default())
            .filter(|want| (3..=20).contains(&want.chars().count()))
            .and_then(phrase),
        female: if woman == man { leading_woman(text) } else { Some(woman) },
        names,
        place: place(text),
        era: era(text),
        musts: clauses(text, &["要有", "必须有", "必须包含", "要包含", "包含", "加入"]),
        avoid: clauses(text, &["不要有", "不要", "不能有", "避免", "禁止"]),
        chapters: None,
        chapter_words: None,
    }
}

/// Returns whether the requirement names its protagonist.
fn says_subject(text: &str) -> bool {
    SUBJECTS.iter().any(|subject| text.contains(subject))
}

/// Returns whether the first lead named is a woman.
fn leading_woman(text: &str) -> Option<bool> {
    let (woman, man) = (text.find("女主")?, text.find("男主")?);
    Some(woman < man)
}

/// Returns the protagonist's name and description.
fn hero(text: &str) -> (Option<String>, Option<String>) {
    let found = SUBJECTS.iter().filter_map(|subject| Some((text.find(subject)?, *subject)));
    // The longest match at the same position: 主角, not 主.
    if let Some((start, subject)) = found.min_by_key(|(at, subject)| (*at, usize::MAX - subject.len())) {
        let rest = &text[start + subject.len()..];
        let rest = rest.trim_start_matches(['：', ':', ' ', '，']);
        if let Some(rest) = rest.strip_prefix('是').or_else(|| rest.strip_prefix('为')) {
            return (None, phrase(&cut(bare(until(rest)))));
        }
        if let Some(rest) = ["名叫", "叫做", "叫"].iter().find_map(|call| rest.strip_prefix(call)) {
            let name = name_at(rest);
            let after = name.as_ref().and_then(|name| rest.split_once(name.as_str())).map_or("", |(_, after)| after);
            let after = after.trim_start_matches(['，', ',', '”', '」', ' ']);
            let what = after.strip_prefix('是').and_then(|what| phrase(&cut(bare(until(what)))));
            return (name, what.or_else(|| one_of(text)));
        }
        if let Some((name, rest)) = until(rest).split_once('是')
            && is_name(name)
        {
            return (Some(name.into()), phrase(&cut(bare(rest))));
        }
        return (None, phrase(&cut(bare(until(rest)))).filter(|found| found.chars().count() >= 2));
    }
    (None, one_of(text).or_else(|| person_at_start(text)))
}

/// Returns the person at the beginning of a clause, such as `废柴少年入仙门` or `关于灯塔看守和一只猫`.
fn person_at_start(text: &str) -> Option<String> {
    let crowds = ["一支", "一群", "一队", "几个", "几名", "两个", "三个", "五个"];
    let clauses = text.split(|c: char| ENDS.contains(c));
    clauses.filter(|clause| !crowds.iter().any(|crowd| clause.starts_with(crowd))).find_map(|clause| {
        let about = ["关于", "讲述", "讲的是", "描写"].iter().find_map(|start| Some(clause.split_once(start)?.1));
        let person = cut(about.and_then(|rest| rest.split(['和', '与']).next()).unwrap_or(clause));
        let noun = PERSONS.iter().filter_map(|noun| Some(person.find(noun)? + noun.len())).min();
        let end = noun.into_iter().chain(trade_end(&person)).min()?;
        (2..=12).contains(&person[..end].chars().count()).then(|| phrase(bare(&person[..end]))).flatten()
    })
}

/// Returns the trade of the second lead, in `女主是花艺师，男主是急诊医生`.
fn partner(text: &str, hero: Option<&String>) -> Option<String> {
    let leads = ["男主角", "女主角", "男主", "女主"].iter().filter_map(|lead| Some(text.split_once(lead)?.1));
    let trades = leads.filter_map(|rest| phrase(&cut(bare(until(rest.strip_prefix('是')?)))));
    trades.into_iter().find(|trade| Some(trade) != hero)
}

/// Returns the first `一个…`, `一名…`, `一位…` with a person and not a story.
fn one_of(text: &str) -> Option<String> {
    let starts = ["一名", "一位", "一个", "一只"].iter().flat_map(|start| text.match_indices(start));
    let mut found: Vec<(usize, String)> = starts
        .map(|(at, start)| (at, cut(until(&text[at + start.len()..]))))
        .filter(|(_, found)| {
            let thing = [
                "故事", "小说", "童话", "世界", "城市", "时代", "村", "镇", "剧本", "短篇", "长篇", "传说", "地方",
                "中",
            ];
            let about = ["关于", "有关", "发生"].iter().any(|start| found.starts_with(start));
            let somebody = premise::is_person(found) || found.ends_with('的');
            (1..=14).contains(&found.chars().count())
                && somebody
                && !about
                && !thing.iter().any(|thing| found.ends_with(thing))
        })
        .collect();
    found.sort();
    found.into_iter().next().and_then(|(_, found)| phrase(&found))
}

/// Cuts a phrase before the verb of its person.
fn cut(text: &str) -> String {
    let text = text.split("的故事").next().unwrap_or_default().trim();
    // 獾和它的朋友们 is a badger; the others are companions.
    let company = ["和它", "和他", "和她", "与它", "与他", "与她", "跟它", "跟他", "跟她"];
    let text = company.iter().find_map(|with| Some(text.split_once(with)?.0)).unwrap_or(text);
    let short = text.chars().count() <= 12;
    let from = if short { text.rfind('的').map_or(0, |at| at + '的'.len_utf8()) } else { 0 };
    let least = text.char_indices().nth(2).map_or(text.len(), |(at, _)| at).max(from);
    let end = VERBS.iter().filter_map(|verb| text.get(least..)?.find(verb)).min().map_or(text.len(), |at| least + at);
    text[..end].into()
}

/// Splits `刑警，名叫林默` or `刑警叫林默` into trade and name.
fn split_name(text: &str) -> (Option<String>, Option<String>) {
    for call in ["名叫", "名为", "叫做", "叫"] {
        if let Some((trade, name)) = text.split_once(call) {
            return (phrase(trade), name_at(name));
        }
    }
    (phrase(text), None)
}

fn names(text: &str) -> Vec<String> {
    let mut found: Vec<(usize, String)> = Vec::new();
    for call in ["名叫", "名为", "名字是", "叫做", "叫作", "叫"] {
        for (at, _) in text.match_indices(call) {
            if let Some(name) = name_at(&text[at + call.len()..]) {
                found.push((at + call.len(), name));
            }
        }
    }
    found.sort();
    found.dedup();
    let mut names: Vec<String> = Vec::new();
    for (_, name) in found {
        if !names.contains(&name) {
            names.push(name);
        }
    }
    names
}

/// Returns the name at the beginning of `text`, if any.
fn name_at(text: &str) -> Option<String> {
    let text = text.trim_start_matches(|c: char| c.is_whitespace() || "“「『\"：:".contains(c));
    let name: String = text
        .chars()
        .take_while(|c| (is_han(*c) || *c == '·') && !"的是和与在，。他她，也又因被".contains(*c))
        .take(9)
        .collect();
    is_name(&name).then_some(name)
}

fn is_name(text: &str) -> bool {
    let letters = text.chars().count();
    let most = if text.contains('·') { 8 } else { 4 };
    (2..=most).contains(&letters) && text.chars().all(|c| is_han(c) || c == '·')
}

fn skill(text: &str) -> Option<String> {
    let (marker, start) =
        SKILLS.iter().filter_map(|marker| Some((marker, text.find(marker)?))).min_by_key(|found| found.1)?;
    let found = phrase(until(&text[start + marker.len()..]))?;
    let found = found.trim_start_matches("一手").trim_start_matches("一种").to_owned();
    if found.chars().count() > 16 {
        return None;
    }
    let noun = SKILL_NOUNS.iter().any(|end| found.ends_with(end)) && !marker.ends_with('能') && *marker != "能够";
    Some(if noun { found } else { format!("{found}的本事") })
}

fn place(text: &str) -> Option<String> {
    if let Some(city) = CITIES.iter().find(|city| text.contains(**city)) {
        return Some((*city).into());
    }
    text.match_indices('在').find_map(|(at, marker)| {
        let rest: String = until(&text[at + marker.len()..]).chars().take(12).collect();
        let end = PLACE_ENDS.iter().filter_map(|end| Some(rest.find(end)? + end.len())).min()?;
        let found = bare(&rest[..end]).trim_start_matches("一座").trim_start_matches("一艘").trim_start_matches("座");
        let named = (2..=8).contains(&found.chars().count()) && !found.starts_with("这") && !found.starts_with("小镇");
        named.then(|| found.to_owned()).and_then(|found| phrase(&found))
    })
}

fn era(text: &str) -> Option<String> {
    if let Some(era) = ERAS.iter().find(|era| text.contains(**era)) {
        return Some((*era).into());
    }
    text.match_indices('年').find_map(|(at, _)| {
        let digits: Vec<char> = text[..at].chars().rev().take_while(char::is_ascii_digit).collect();
        (digits.len() == 4).then(|| digits.iter().rev().collect())
    })
}

fn clauses(text: &str, markers: &[&str]) -> Vec<String> {
    let found = markers.iter().filter_map(|marker| Some((text.find(marker)?, *marker)));
    let Some((start, marker)) = found.min_by_key(|(at, marker)| (*at, usize::MAX - marker.len())) else {
        return Vec::new();
    };
    // 不要有 is not 要有
    if marker.starts_with('要') && text[..start].ends_with('不') {
        return Vec::new();
    }
    let rest = text[start + marker.len()..].split(['，', ',', '。', '；', ';', '！']).next().unwrap_or_default();
    rest.split(['、', '和', '与']).filter_map(phrase).filter(|found| found.chars().count() <= 20).take(5).collect()
}
