//! Finds the speaker of a speech from adjacent tags. `before` and `after` hold the rest of the paragraph; `start` and
//! `end` are the byte offsets of the paragraph's start and the speech's end.

use super::mention::NamedMention;
use crate::marks;

/// Returns the speaker named in a Chinese tag: `林深说：“…”` or `“…”林深说。`
pub(super) fn chinese<'m>(
    before: &str,
    after: &str,
    named_before: Option<&'m NamedMention>,
    named_after: Option<&'m NamedMention>,
    end: usize,
    start: usize,
) -> Option<&'m NamedMention> {
    const SAYS: [&str; 25] = [
        "说", "道", "问", "答", "喊", "叫", "吼", "骂", "嚷", "笑", "叹", "曰", "說", "問", "罵", "嘆", "歎", "讲",
        "介绍", "吩咐", "解释", "嘟囔", "嘀咕", "咕哝", "开口",
    ];
    const SILENT: [&str; 12] = [
        "没有说",
        "没说",
        "没有答",
        "没答",
        "没有回答",
        "没有开口",
        "没开口",
        "不说话",
        "不开口",
        "听见",
        "听到",
        "听得",
    ];
    const MARKS: fn(char) -> bool =
        |c| matches!(c, '，' | '；' | '…') || marks::is_full_stop(c) || marks::is_double_quote(c);
    let tag = before.trim_end().strip_suffix(['：', ':', '，']);
    if let Some((tag, who)) = tag.zip(named_before) {
        let between = tag.get(who.end - start..).unwrap_or("，");
        if !between.contains(MARKS) && between.chars().count() <= 10 && SAYS.iter().any(|says| between.ends_with(says))
        {
            return Some(who);
        }
    }
    let who = named_after.filter(|who| who.start - end <= after.len() - after.trim_start().len())?;
    let rest = &after[who.end - end..];
    let sentence = &rest[..rest.find(|c| MARKS(c) && c != '，').unwrap_or(rest.len())];
    let mut clauses = sentence.split('，');
    let tag = clauses.next().unwrap_or_default();
    let is_tag = tag.chars().count() <= 10 && SAYS.iter().any(|says| tag.contains(says));
    let ends_in_tag = |clause: &str| clause.chars().count() <= 12 && SAYS.iter().any(|says| clause.ends_with(says));
    let is_silent = SILENT.iter().any(|word| sentence.contains(word));
    let is_speaker = is_tag || clauses.take(2).any(ends_in_tag) || BEATS.iter().any(|beat| tag.starts_with(beat));
    (is_speaker && !is_silent).then_some(who)
}

/// First words of an action beat behind a speech, whose subject is the speaker: `“…”老周把帽子往桌上一掼。`
const BEATS: [&str; 48] = [
    "把",
    "将",
    "拍",
    "指",
    "摆手",
    "摆了摆手",
    "挥手",
    "挥了挥手",
    "耸",
    "皱",
    "咬",
    "哼",
    "冷哼",
    "苦笑",
    "笑",
    "压低",
    "放下",
    "扔下",
    "摔",
    "攥",
    "挺",
    "扬",
    "瞪",
    "板着",
    "红着",
    "涨红",
    "举起",
    "伸出",
    "咧",
    "抹",
    "擦",
    "挠",
    "搓",
    "撇",
    "翻了个白眼",
    "拱手",
    "抱拳",
    "躬身",
    "端起",
    "啐",
    "捋",
    "敲",
    "眯",
    "梗着",
    "背着手",
    "低着头",
    "扶了扶",
    "清了清",
];

/// Returns the speaker named in an English tag: `Mara said, “…”`, `“…” Mara said`, `“…” said Mara`.
pub(super) fn english<'m>(
    before: &str,
    after: &str,
    named_before: Option<&'m NamedMention>,
    named_after: Option<&'m NamedMention>,
    end: usize,
    start: usize,
) -> Option<&'m NamedMention> {
    const SAYS: &[&str] = &[
        "said",
        "asked",
        "replied",
        "answered",
        "whispered",
        "shouted",
        "muttered",
        "cried",
        "called",
        "told",
        "says",
        "added",
        "announced",
        "declared",
        "admitted",
        "confessed",
        "explained",
        "insisted",
        "murmured",
        "remarked",
        "observed",
        "snapped",
        "growled",
        "sighed",
        "began",
        "continued",
        "repeated",
        "returned",
        "protested",
        "agreed",
        "conceded",
        "boasted",
        "bellowed",
        "mumbled",
        "exclaimed",
        "retorted",
        "yelled",
        "screamed",
        "wrote",
    ];
    if let Some((tag, who)) = before.trim_end().strip_suffix([',', ':']).zip(named_before) {
        let between = tag.get(who.end - start..).unwrap_or(".");
        let is_tag =
            !between.contains(['.', '!', '?', '”', ',']) && between.split(' ').any(|word| SAYS.contains(&word));
        if is_tag && between.split(' ').count() <= 6 {
            return Some(who);
        }
    }
    let who = named_after?;
    let lead = after[..who.start - end].trim();
    let rest = &after[who.end - end..];
    let tag = rest[..rest.find(['.', ',', '!', '?', '“', '\n']).unwrap_or(rest.len())].trim();
    let is_tag =
        SAYS.contains(&lead) || (lead.is_empty() && tag.split(' ').next().is_some_and(|word| SAYS.contains(&word)));
    is_tag.then_some(who)
}

#[cfg(test)]
mod tests {
    use super::super::forms::tests::told;

    #[test]
    fn who_does_something_behind_a_chinese_speech_has_spoken() {
        for text in [
            "“我今年六十三岁。”老周把帽子往桌上一掼。",
            "“我今年六十三岁。”老周望着河面，慢慢地说。",
            "“我今年六十三岁。”老周笑着摸出一张照片给大家看。",
        ] {
            assert_eq!(told(text), ["周建国 age 63 Said"], "{text}");
        }
    }

    #[test]
    fn who_hears_a_speech_has_not_spoken() {
        for text in [
            "“我今年六十三岁。”老周听见有人说。",
            "“我今年六十三岁。”老周没有说话。",
            "“我今年六十三岁。”老周推开门，林深笑道。",
        ] {
            assert!(!told(text).iter().any(|found| found.starts_with("周建国")), "{text}: {:?}", told(text));
        }
    }
}
