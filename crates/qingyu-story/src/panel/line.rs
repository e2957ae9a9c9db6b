//! One item of a panel as an entry.

use std::sync::LazyLock;

use regex::Regex;

use super::value::{PanelValue, number, pattern};
use crate::language::is_han;

/// An item of a panel.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct PanelItem {
    pub(super) key: String,
    pub(super) value: PanelValue,
}

/// The longest key, in characters.
const LONGEST_KEY: usize = 24;

/// A notice: the pattern with the groups `key` and `by`, and the sign of the change.
type ChangeForm = (Regex, f64);

static CHANGES: LazyLock<Vec<ChangeForm>> = LazyLock::new(|| {
    let key = r"(?P<key>[\p{Han}A-Za-z·]{1,10}?)";
    let long = r"(?P<key>[A-Z][A-Za-z]*(?: [A-Z][A-Za-z]*){0,2})";
    let piece = "(?:点|點|枚|块|颗|个|株|张|瓶|份|滴|两|年)?的?";
    let forms = [
        (
            format!("(?:获得|得到|收获|奖励|增加)了?{key}(?:奖励)?\\s*(?:[×xX*＊:：]|<P>)?\\s*(?P<by><N>)\\s*{piece}$"),
            1.0,
        ),
        (format!("(?:获得|得到|收获|奖励|增加)了?(?P<by><N>)\\s*{piece}{key}$"), 1.0),
        (
            format!(
                "(?:消耗|扣除|花费|支付|支出|失去|损失)了?{key}\\s*(?:[×xX*＊:：]|<M>)?\\s*(?P<by><N>)\\s*{piece}$"
            ),
            -1.0,
        ),
        (format!("(?:消耗|扣除|花费|支付|支出|失去|损失)了?(?P<by><N>)\\s*{piece}{key}$"), -1.0),
        (format!("^(?:叮[，,！!]*)?{key}(?:提升|增加|提高|上升)了?(?P<by><N>)点?$"), 1.0),
        (format!("^(?:叮[，,！!]*)?{key}(?:降低|减少|下降)了?(?P<by><N>)点?$"), -1.0),
        (format!("^<P>(?P<by><N>)\\s*(?:points? (?:of|to|in) )?{long}$"), 1.0),
        (format!("^<M>(?P<by><N>)\\s*(?:points? (?:of|from) )?{long}$"), -1.0),
        (
            format!(
                "(?i:gained|gain|received|receive|earned|earn|awarded|obtained) <P>?(?P<by><N>) (?:points? (?:of|to|in) )?{long}$"
            ),
            1.0,
        ),
        (format!("(?i:lost|lose|spent|spend|consumed|paid|pay) <M>?(?P<by><N>) (?:points? of )?{long}$"), -1.0),
        (
            format!(
                "^(?:Your )?{long} (?:has |have )?(?:increased|risen|improved|rises|increases) by <P>?(?P<by><N>)$"
            ),
            1.0,
        ),
        (
            format!(
                "^(?:Your )?{long} (?:has |have )?(?:decreased|fallen|dropped|decreases|falls) by <M>?(?P<by><N>)$"
            ),
            -1.0,
        ),
    ];
    forms.into_iter().map(|(words, sign)| (pattern(&words), sign)).collect()
});

/// Patterns for a present value, with the groups `key` and `now`.
static REACHED: LazyLock<Vec<Regex>> = LazyLock::new(|| {
    let long = r"(?P<key>[A-Z][A-Za-z]*(?: [A-Z][A-Za-z]*){0,2})";
    let forms = [
        r"(?P<key>境界|修为|等级|品级|级别|实力)?(?:成功)?(?:提升|突破|晋升|晋级|升级|升|进阶)(?:至|到|为)了?\s*(?P<now>[\p{Han}A-Za-z0-9.]{1,12})$".to_owned(),
        r"^(?:剩余|当前|现有)(?P<key>[\p{Han}]{1,8})\s*[:：]?\s*(?P<now><N>)\s*<U>?$".to_owned(),
        r"^(?P<key>[\p{Han}]{1,8})(?:剩余|余额)\s*[:：]?\s*(?P<now><N>)\s*<U>?$".to_owned(),
        r"(?i:(?:you are|you have reached|reached|advanced to|now) (?P<key>level) )(?P<now>[0-9]+)$".to_owned(),
        format!(r"^(?:Your )?{long} (?:has |have )?(?:increased|risen|improved|rose|is now)(?: from [0-9]+)? (?:to |at )?(?P<now><N>)$"),
        format!(r"^Remaining {long}\s*:\s*(?P<now><N>)$"),
        format!(r"^{long} [Rr]emaining\s*:\s*(?P<now><N>)$"),
    ];
    forms.into_iter().map(|words| pattern(&words)).collect()
});

static KEY_CHANGE: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"^(?P<key>[\p{Han}A-Za-z][\p{Han}A-Za-z ·]{0,20}?)\s*(?P<value>(?:<P>|<M>)\s*<N>\s*<U>?(?:\s*[（(]\s*<N>\s*<A>\s*<N>\s*[)）])?)$",
    )
});
static KEY_NUMBER: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"^(?P<key>[\p{Han}A-Za-z][\p{Han}A-Za-z ·]{0,20}?)(?:\s+|(?i:\s*lv\.?\s*))(?P<value>[0-9][0-9,+＋=＝/→（）() >－-]*)$",
    )
});

impl PanelItem {
    /// Parses `key：value`, `key+5`, or in a notice `获得灵石×100`; `None` for other words.
    ///
    /// With `is_listed`, in a list of entries, `key 12` counts as well.
    pub(super) fn read(words: &str, is_listed: bool) -> Option<Self> {
        let words = words.trim().trim_end_matches(['。', '！', '!', '.', '，', ',', '、']).trim();
        if words.is_empty() {
            return None;
        }
        // `系统提示：力量+5`, `System: +5 Strength`.
        let announced = ["系统提示", "系统", "提示", "System", "Notice"].iter().find_map(|head| {
            words.strip_prefix(*head).map(str::trim_start).and_then(|rest| rest.strip_prefix([':', '：']))
        });
        if let Some(rest) = announced {
            return Self::read(rest, false);
        }
        if let Some(found) = KEY_CHANGE.captures(words)
            && let Some(value) = PanelValue::counted(&found["value"])
            && !begins_with_verb(&found["key"])
        {
            return Some(Self { key: found["key"].trim().to_owned(), value });
        }
        if let Some((key, value)) = words.split_once(['：', ':']) {
            let key = key.trim().trim_matches('*').trim();
            let is_key =
                !key.is_empty() && key.chars().count() <= LONGEST_KEY && !key.contains(['。', '！', '？', '?', '!']);
            let value = value.trim().trim_matches('*').trim();
            if is_key && !value.is_empty() {
                return Some(Self { key: key.to_owned(), value: PanelValue::read(value) });
            }
        }
        notice(words).or_else(|| {
            let found = KEY_NUMBER.captures(words).filter(|_| is_listed)?;
            let value = PanelValue::counted(&found["value"])?;
            Some(Self { key: found["key"].trim().to_owned(), value })
        })
    }
}

/// Returns whether a key is a verb of a notice: in `获得灵石+100` the key is 灵石.
fn begins_with_verb(key: &str) -> bool {
    const VERBS: [&str; 12] =
        ["获得", "得到", "收获", "奖励", "增加", "消耗", "扣除", "花费", "支付", "支出", "失去", "损失"];
    VERBS.iter().any(|verb| key.starts_with(verb))
}

fn notice(words: &str) -> Option<PanelItem> {
    let first = words.trim_start_matches(|c: char| !c.is_alphanumeric() && !matches!(c, '+' | '＋' | '-' | '－' | '−'));
    for (form, sign) in &*CHANGES {
        if let Some(found) = form.captures(first)
            && let Some(by) = number(&found["by"])
        {
            let key = bare_key(&found["key"]);
            return Some(PanelItem { key, value: PanelValue::Change { by: sign * by, from_to: None } });
        }
    }
    for form in &*REACHED {
        if let Some(found) = form.captures(first) {
            let key = found.name("key").map_or("", |key| key.as_str());
            let value = PanelValue::read(&found["now"]);
            return Some(PanelItem { key: bare_key(key), value });
        }
    }
    None
}

fn bare_key(key: &str) -> String {
    let key = key.trim().trim_start_matches("宿主").trim_start_matches("你的").trim();
    match key.chars().all(is_han) {
        true => key.trim_end_matches("值奖励").to_owned(),
        false => key.to_owned(),
    }
}
