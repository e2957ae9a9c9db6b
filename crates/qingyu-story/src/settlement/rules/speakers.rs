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
    const SAYS: [&str; 17] =
        ["说", "道", "问", "答", "喊", "叫", "吼", "骂", "嚷", "笑", "叹", "曰", "說", "問", "罵", "嘆", "歎"];
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
    let tag = &rest[..rest.find(MARKS).unwrap_or(rest.len())];
    (tag.chars().count() <= 10 && SAYS.iter().any(|says| tag.contains(says))).then_some(who)
}

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
