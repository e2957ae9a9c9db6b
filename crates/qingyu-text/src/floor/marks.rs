//! Detects marks foreign to prose: template marks, tool calls and control characters.

use qingyu_story::Prose;

use super::lexicon::words;

/// The greatest length of a name between `<|` and `|>`, in characters.
const NAME: usize = 40;

/// Returns the first mark found in `text`; tokens within quotation marks are ignored.
pub(super) fn find<'t>(text: &'t str, prose: &Prose) -> Option<&'t str> {
    let is_told = |at: usize| !prose.is_spoken(at);
    let tokens = words().marks.tokens.iter();
    let token = tokens
        .filter_map(|token| {
            text.match_indices(token.as_str()).map(|(at, _)| at).find(|at| is_told(*at)).map(|at| (at, token))
        })
        .min()
        .map(|(at, token)| &text[at..at + token.len()]);
    token
        .or_else(|| framed(text, ("<|", "|>"), &is_told))
        .or_else(|| framed(text, ("<｜", "｜>"), &is_told))
        .or_else(|| tag(text, prose))
        .or_else(|| call(text, prose))
        .or_else(|| control(text))
}

/// Returns a name enclosed in both marks.
fn framed<'t>(text: &'t str, (open, close): (&str, &str), is_told: &dyn Fn(usize) -> bool) -> Option<&'t str> {
    let mut opens = text.match_indices(open).map(|(at, _)| at).filter(|at| is_told(*at));
    opens.find_map(|at| {
        let inside = &text[at + open.len()..];
        let length = inside.char_indices().take(NAME).find(|(end, _)| inside[*end..].starts_with(close))?.0;
        let name = &inside[..length];
        let is_name = !name.is_empty() && !name.contains(['\n', '。', '，']);
        is_name.then(|| &text[at..at + open.len() + length + close.len()])
    })
}

/// Returns a tag at the beginning or the end of a paragraph.
fn tag<'t>(text: &'t str, prose: &Prose) -> Option<&'t str> {
    let is_tag = |tag: &str| {
        let name = tag.trim_start_matches("</").trim_start_matches('<').trim_end_matches('>');
        words().marks.tags.contains(name.split(' ').next().unwrap_or_default().to_lowercase().as_str())
    };
    prose.paragraphs.iter().map(|paragraph| &text[paragraph.range.clone()]).find_map(|line| {
        let first = line.starts_with('<').then(|| line.find('>')).flatten().map(|end| &line[..=end]);
        let last = line.ends_with('>').then(|| line.rfind('<')).flatten().map(|start| &line[start..]);
        first.filter(|tag| is_tag(tag)).or(last.filter(|tag| is_tag(tag)))
    })
}

/// Returns JSON in place of prose: the whole text, or a paragraph naming a tool with arguments.
fn call<'t>(text: &'t str, prose: &Prose) -> Option<&'t str> {
    let whole = text.trim();
    let is_json = (whole.starts_with('{') && whole.ends_with('}')) || (whole.starts_with('[') && whole.ends_with(']'));
    if is_json && whole.contains("\":") {
        return Some(whole);
    }
    let marks = &words().marks;
    let has = |line: &str, fields: &[String]| fields.iter().any(|field| line.contains(&format!("\"{field}\"")));
    let lines = prose.paragraphs.iter().map(|paragraph| &text[paragraph.range.clone()]);
    lines.into_iter().find(|line| line.starts_with('{') && has(line, &marks.name) && has(line, &marks.call))
}

/// Returns a control character.
fn control(text: &str) -> Option<&str> {
    let (at, c) = text.char_indices().find(|(_, c)| c.is_control() && !matches!(c, '\n' | '\r' | '\t' | '\u{c}'))?;
    Some(&text[at..at + c.len_utf8()])
}
