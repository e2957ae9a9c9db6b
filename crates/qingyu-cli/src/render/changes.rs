//! Changes of a story in words: their pieces and their sources.

use crate::texts::LocalizedTexts;

/// Returns pieces, given by kind and name, in a line: at most `most` of those with a name, and the others counted by kind.
pub(super) fn called(texts: &LocalizedTexts, pieces: &[(&str, &str)], most: usize) -> String {
    let named: Vec<&(&str, &str)> = pieces.iter().filter(|(_, name)| !name.trim().is_empty()).collect();
    let line = |(kind, name): &&(&str, &str)| format!("{} {}", texts.word("piece", kind), name.trim());
    let mut lines: Vec<String> = named.iter().take(most).map(line).collect();
    let mut counts: Vec<(&str, usize)> = Vec::new();
    for (kind, _) in pieces.iter().filter(|(_, name)| name.trim().is_empty()) {
        match counts.iter_mut().find(|(known, _)| known == kind) {
            Some((_, count)) => *count += 1,
            None => counts.push((*kind, 1)),
        }
    }
    lines.extend(counts.into_iter().map(|(kind, count)| {
        let kind = texts.word("piece", kind);
        match count {
            1 => kind,
            count => texts.fill("log-unnamed", &[("kind", kind.into()), ("count", count.into())]),
        }
    }));
    let more = named.len().saturating_sub(most);
    if more > 0 {
        lines.push(texts.fill("log-more", &[("count", more.into())]));
    }
    lines.join(&texts.get("list-comma"))
}

/// Returns the source of a change in words: a command, a tool, or the id of a run.
pub(super) fn source(texts: &LocalizedTexts, run: &str) -> String {
    match run.strip_prefix("tool ") {
        Some(tool) => texts.fill("made-by-tool", &[("tool", tool.into())]),
        None => {
            let words: Vec<&str> = run.split_whitespace().map(|word| word.trim_start_matches('-')).collect();
            texts.find(&format!("made-by-{}", words.join("-")), &[]).unwrap_or_else(|| run.to_owned())
        }
    }
}
