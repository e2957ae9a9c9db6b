//! The lines of a novelWriter document.

use std::borrow::Cow;
use std::sync::LazyLock;

use regex::Regex;

use crate::Extra;
use crate::spaces::tidy;

/// A line by its markup.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Line {
    /// A blank line, or a line for the program alone.
    Blank,
    /// The title of the book: `#! Title`.
    Title(String),
    /// The title of a partition: `# Title`.
    Volume(String),
    /// The title of a chapter: `## Title`, or without a number `##! Title`.
    Chapter(String),
    /// The title of a scene or section.
    Scene,
    /// Vertical space.
    Gap,
    /// A comment, a synopsis or a tag.
    LeftOut(Extra),
    /// Prose without its markup; a line feed within is a line break.
    Text { text: String, left_out: Vec<Extra> },
}

/// Returns a line without its markup.
pub(super) fn read(line: &str) -> Line {
    let line = line.trim();
    if let Some(comment) = line.strip_prefix('%') {
        return left_out(comment);
    }
    if let Some(heading) = heading(line) {
        return heading;
    }
    let command = line.strip_prefix('[').and_then(|line| line.strip_suffix(']')).unwrap_or_default();
    match command.split(':').next().unwrap_or_default().trim().to_ascii_lowercase().as_str() {
        "newpage" | "new page" => return Line::Blank,
        "vspace" => return Line::Gap,
        _ => {}
    }
    let is_tag = line.strip_prefix('@').and_then(|tag| tag.split_once(':')).is_some_and(|(name, _)| {
        let name = name.trim_end();
        !name.is_empty() && name.chars().all(|c| c.is_ascii_alphanumeric())
    });
    match () {
        () if is_tag => Line::LeftOut(Extra::Tags),
        () if line.is_empty() => Line::Blank,
        () => prose(line),
    }
}

fn left_out(comment: &str) -> Line {
    if comment.starts_with("%~") {
        // The name and the checksum of the document, for the program alone.
        return Line::Blank;
    }
    let kind = comment.split_once(':').map(|(kind, _)| kind.trim().to_ascii_lowercase()).unwrap_or_default();
    match kind.split('.').next().unwrap_or_default() {
        "synopsis" | "short" => Line::LeftOut(Extra::Synopses),
        // A footnote is counted where the text refers to it.
        "footnote" => Line::Blank,
        _ => Line::LeftOut(Extra::Comments),
    }
}

fn heading(line: &str) -> Option<Line> {
    let (marks, title) = line.split_once(char::is_whitespace)?;
    let title = tidy(title);
    match marks {
        "#!" => Some(Line::Title(title)),
        "#" => Some(Line::Volume(title)),
        "##" | "##!" => Some(Line::Chapter(title)),
        "###" | "###!" | "####" => Some(Line::Scene),
        _ => None,
    }
}

fn prose(line: &str) -> Line {
    static FOOTNOTE: LazyLock<Regex> = LazyLock::new(|| pattern(r"\[footnote:[^\]]*\]"));
    static BREAK: LazyLock<Regex> = LazyLock::new(|| pattern(r"(?i)\[br\]"));
    static CODE: LazyLock<Regex> = LazyLock::new(|| pattern(r"(?i)\[/?(?:b|i|s|u|m|sup|sub)\]"));
    static FACES: LazyLock<[Regex; 3]> = LazyLock::new(|| {
        [
            pattern(r"\*\*([^*\s](?:[^*]*[^*\s])?)\*\*"),
            pattern(r"~~([^~\s](?:[^~]*[^~\s])?)~~"),
            pattern(r"\b{start-half}_([^_\s](?:[^_]*[^_\s])?)_\b{end-half}"),
        ]
    });
    static ESCAPE: LazyLock<Regex> = LazyLock::new(|| pattern(r"\\([\\*_~\[\]])"));
    let line = line.trim_start_matches('>').trim_end_matches('<').trim();
    let mut left_out = Vec::new();
    let mut text = Cow::Borrowed(line);
    let mut replace = |regex: &Regex, with: &str, what: Option<Extra>| {
        let count = regex.find_iter(&text).filter(|found| !found.as_str().starts_with("[/")).count();
        left_out.extend(what.into_iter().flat_map(|what| std::iter::repeat_n(what, count)));
        text = Cow::Owned(regex.replace_all(&text, with).into_owned());
    };
    replace(&FOOTNOTE, "", Some(Extra::Notes));
    replace(&BREAK, "\n", None);
    replace(&CODE, "", Some(Extra::Emphasis));
    FACES.iter().for_each(|face| replace(face, "$1", Some(Extra::Emphasis)));
    replace(&ESCAPE, "$1", None);
    Line::Text { text: text.into_owned(), left_out }
}

fn pattern(pattern: &str) -> Regex {
    Regex::new(pattern).expect("the pattern is constant and tested")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(line: &str) -> (String, Vec<Extra>) {
        match read(line) {
            Line::Text { text, left_out } => (text, left_out),
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn headings_comments_and_tags_are_told_from_prose() {
        assert_eq!(read("#! The Lamp"), Line::Title("The Lamp".into()));
        assert_eq!(read("# Part One"), Line::Volume("Part One".into()));
        assert_eq!(read("##! Prologue"), Line::Chapter("Prologue".into()));
        assert_eq!((read("### A Scene"), read("#### More")), (Line::Scene, Line::Scene));
        assert_eq!(read("%%~name: Scene One"), Line::Blank);
        assert_eq!(read("%Synopsis: He comes."), Line::LeftOut(Extra::Synopses));
        assert_eq!(read("% to do"), Line::LeftOut(Extra::Comments));
        assert_eq!(read("@pov: Jane"), Line::LeftOut(Extra::Tags));
        assert_eq!((read("[vspace:2]"), read("[newpage]"), read(" ")), (Line::Gap, Line::Blank, Line::Blank));
        assert_eq!(text("@ noon: he came"), ("@ noon: he came".into(), vec![]));
        assert_eq!(text("#tag"), ("#tag".into(), vec![]));
    }

    #[test]
    fn prose_loses_its_marks_only() {
        let emphasis = |count| vec![Extra::Emphasis; count];
        assert_eq!(text(">> By **Ann** _Shaw_ <<"), ("By Ann Shaw".into(), emphasis(2)));
        assert_eq!(text("_a_ _b_ snake_case_name 5 * 3"), ("a b snake_case_name 5 * 3".into(), emphasis(2)));
        assert_eq!(text(r"\*not\* [b]bold[/b] 他[br]走了"), ("*not* bold 他\n走了".into(), emphasis(1)));
        assert_eq!(text("旧俗[footnote:abc]。"), ("旧俗。".into(), vec![Extra::Notes]));
    }
}
