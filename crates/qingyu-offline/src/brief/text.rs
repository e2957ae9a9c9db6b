//! Words, lines and phrases of a requirement, in any language.

/// Maximum length of a phrase from a requirement, in characters.
const PHRASE: usize = 60;

/// Returns whether `text` has `word`; Latin words match only as whole words, with an optional plural `s`.
pub(crate) fn has_word(text: &str, word: &str) -> bool {
    let latin = |c: Option<char>| c.is_some_and(|c| c.is_ascii_alphanumeric());
    text.match_indices(word).any(|(start, _)| {
        let before = text[..start].chars().next_back();
        let rest = &text[start + word.len()..];
        let after = rest.strip_prefix('s').unwrap_or(rest).chars().next();
        let edge = |inside: Option<char>, outside| !(latin(inside) && latin(outside));
        edge(word.chars().next(), before) && edge(word.chars().next_back(), after)
    })
}

/// Returns `text` on a single line, without control characters and duplicate blanks.
pub(crate) fn one_line(text: &str) -> String {
    // A requirement may have megabytes; its subject is at the beginning.
    let head: String = text.chars().take(4000).map(|c| if c.is_control() { ' ' } else { c }).collect();
    head.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Returns the first `limit` characters, with an ellipsis for longer texts.
pub(super) fn clip(text: &str, limit: usize) -> String {
    match text.char_indices().nth(limit) {
        Some((end, _)) => format!("{}…", text[..end].trim_end()),
        None => text.into(),
    }
}

/// Validates a phrase: trimmed, not empty, not a whole story, no template markup; otherwise returns `None`.
pub(super) fn phrase(text: &str) -> Option<String> {
    let trimmed = text.trim_matches(|c: char| c.is_whitespace() || "\"'“”‘’「」『』《》()（）[]{}.,;:".contains(c));
    let fits = !trimmed.is_empty() && trimmed.chars().count() <= PHRASE && !trimmed.contains(['{', '}']);
    fits.then(|| trimmed.into())
}

/// Returns a whole clause of at most `limit` characters without template markup.
pub(super) fn clip_to(text: &str, limit: usize) -> Option<String> {
    let fits = !text.is_empty() && text.chars().count() <= limit && !text.contains(['{', '}']);
    fits.then(|| text.into())
}
