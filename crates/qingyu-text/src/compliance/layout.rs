//! Validates paragraphs and layout.

use std::collections::BTreeMap;

use qingyu_story::language::{is_han, simplified};
use qingyu_story::prose::SlipKind;
use qingyu_story::{Language, Severity};

use super::chapter::InspectedChapter;
use super::collector::FindingCollector;

/// The number of traditional characters from which a text counts as traditional: some characters occur in both scripts.
const TRADITIONAL: usize = 5;
/// The number of broken lines from which broken lines are reported.
const BROKEN: usize = 3;

pub(super) fn check(chapter: &InspectedChapter<'_>, notes: &mut FindingCollector<'_>) {
    paragraphs(chapter, notes);
    indents(chapter, notes);
    blank_lines(chapter.text, notes);
    markup(chapter, notes);
    characters(chapter.text, notes);
    broken_lines(chapter, notes);
    repeated_title(chapter, notes);
}

fn paragraphs(chapter: &InspectedChapter<'_>, notes: &mut FindingCollector<'_>) {
    let rules = notes.platform.paragraphs.clone();
    let paragraphs = &chapter.prose.paragraphs;
    if let Some(most) = rules.most {
        for paragraph in paragraphs.iter().filter(|paragraph| paragraph.length > most) {
            let values = [("length", paragraph.length.to_string()), ("most", most.to_string())];
            notes.add("QC401", Severity::Medium, Some(paragraph.range.clone()), &values);
        }
    }
    if let Some(usual) = rules.usual_most {
        let long = || paragraphs.iter().filter(|paragraph| paragraph.length > usual);
        // Single long paragraphs are a matter of taste.
        if long().count() * 5 > paragraphs.len()
            && let Some(longest) = long().max_by_key(|paragraph| paragraph.length)
        {
            let values = [
                ("count", long().count().to_string()),
                ("usual", usual.to_string()),
                ("length", longest.length.to_string()),
            ];
            notes.add("QC402", Severity::Low, Some(longest.range.clone()), &values);
        }
    }
}

fn indents(chapter: &InspectedChapter<'_>, notes: &mut FindingCollector<'_>) {
    let Some(allowed) = notes.platform.layout.indents.clone() else { return };
    let text = chapter.text;
    let mut kinds: BTreeMap<&str, (usize, usize)> = BTreeMap::new();
    for paragraph in &chapter.prose.paragraphs {
        let line = text[..paragraph.range.start].rfind('\n').map_or(0, |at| at + 1);
        let (count, _) = kinds.entry(&text[line..paragraph.range.start]).or_insert((0, paragraph.range.start));
        *count += 1;
    }
    let odd = kinds.iter().filter(|(indent, _)| !allowed.iter().any(|allowed| allowed == *indent));
    let (count, first) = odd.fold((0, usize::MAX), |(count, first), (_, (here, at))| (count + here, first.min(*at)));
    if count > 0 {
        notes.add("QC404", Severity::Low, Some(first..first), &[("count", count.to_string())]);
    } else if kinds.len() > 1 {
        let fewer = kinds.values().map(|(count, _)| *count).sum::<usize>()
            - kinds.values().map(|(count, _)| *count).max().unwrap_or_default();
        let first = kinds.values().min_by_key(|(count, _)| *count).map(|(_, at)| *at..*at);
        notes.add("QC403", Severity::Low, first, &[("count", fewer.to_string())]);
    }
}

fn blank_lines(text: &str, notes: &mut FindingCollector<'_>) {
    let Some(most) = notes.platform.layout.blank_lines else { return };
    let (mut worst, mut place) = (0, 0);
    let (mut at, mut count, mut start, mut seen_text) = (0, 0, 0, false);
    for line in text.split_inclusive('\n') {
        if line.trim().is_empty() {
            if count == 0 {
                start = at;
            }
            count += 1;
        } else {
            if seen_text && count > worst {
                (worst, place) = (count, start);
            }
            (count, seen_text) = (0, true);
        }
        at += line.len();
    }
    if worst > most {
        let values = [("count", worst.to_string()), ("most", most.to_string())];
        notes.add("QC405", Severity::Low, Some(place..place), &values);
    }
}

fn markup(chapter: &InspectedChapter<'_>, notes: &mut FindingCollector<'_>) {
    let slips = chapter.prose.slips(SlipKind::Markup);
    if let (Some(false), Some(first)) = (notes.platform.layout.markup, slips.first()) {
        notes.add("QC406", Severity::Medium, Some(first.range.clone()), &[("count", slips.len().to_string())]);
    }
}

fn characters(text: &str, notes: &mut FindingCollector<'_>) {
    let rules = notes.platform.layout.clone();
    let mut traditional = Vec::new();
    let (mut emoji, mut private) = (None, None);
    for (at, c) in text.char_indices() {
        if is_han(c) {
            if simplified(c) != c {
                traditional.push(at..at + c.len_utf8());
            }
        } else if is_emoji(c) {
            emoji.get_or_insert(at..at + c.len_utf8());
        } else if is_private(c) {
            private.get_or_insert((at..at + c.len_utf8(), c));
        }
    }
    if let (Some(false), Some(span)) = (rules.emoji, emoji) {
        notes.add("QC407", Severity::Medium, Some(span), &[]);
    }
    if rules.traditional == Some(false) && traditional.len() >= TRADITIONAL {
        let shown: String = traditional.iter().take(6).map(|span| &text[span.clone()]).collect();
        let values = [("count", traditional.len().to_string()), ("text", shown)];
        notes.add("QC408", Severity::Medium, traditional.first().cloned(), &values);
    }
    if let (Some(false), Some((span, c))) = (rules.private_characters, private) {
        notes.add("QC409", Severity::Medium, Some(span), &[("text", format!("U+{:04X}", u32::from(c)))]);
    }
}

fn is_emoji(c: char) -> bool {
    matches!(c, '\u{1f300}'..='\u{1faff}' | '\u{2600}'..='\u{26ff}' | '\u{2700}'..='\u{27bf}' | '\u{1f1e6}'..='\u{1f1ff}')
        && !matches!(c, '★' | '☆')
}

fn is_private(c: char) -> bool {
    (c.is_control() && !matches!(c, '\n' | '\r' | '\t'))
        || matches!(c, '\u{e000}'..='\u{f8ff}' | '\u{fffd}' | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}' | '\u{feff}' | '\u{f0000}'..='\u{10ffff}')
}

fn broken_lines(chapter: &InspectedChapter<'_>, notes: &mut FindingCollector<'_>) {
    if notes.platform.layout.broken_lines != Some(false) {
        return;
    }
    let ends_within = |text: &str| match chapter.prose.language {
        Language::Zh => text.chars().next_back().is_some_and(|c| is_han(c) || matches!(c, '，' | '、')),
        Language::En => text.chars().next_back().is_some_and(|c| c.is_ascii_lowercase() || c == ','),
    };
    // Short lines are headings, verses and letters.
    let long = chapter.prose.paragraphs.iter().filter(|paragraph| paragraph.length >= 12);
    let broken: Vec<_> = long.filter(|paragraph| ends_within(&chapter.text[paragraph.range.clone()])).collect();
    if let (true, Some(first)) = (broken.len() >= BROKEN, broken.first()) {
        notes.add("QC410", Severity::Low, Some(first.range.clone()), &[("count", broken.len().to_string())]);
    }
}

fn repeated_title(chapter: &InspectedChapter<'_>, notes: &mut FindingCollector<'_>) {
    let title = chapter.title.map(str::trim).filter(|title| !title.is_empty());
    if let (Some(title), Some(first)) = (title, chapter.prose.paragraphs.first())
        && chapter.text[first.range.clone()].trim_start_matches('#').trim() == title
    {
        notes.add("QC411", Severity::Low, Some(first.range.clone()), &[]);
    }
}
