//! Comments on words of a text, in threads.
//!
//! `anchor` holds the one function which keeps a comment at its words while the text is edited.

mod anchor;

pub use anchor::{PassageError, TextAnchor};

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A thread of remarks on words of a text.
///
/// A comment whose words were deleted stays, with its last quote ([`TextAnchor::find`] returns `None`).
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct Comment {
    /// Given by the studio, such as `comment-3`.
    pub id: String,
    /// The id of the text.
    pub document: String,
    /// The words, in the current text.
    pub anchor: TextAnchor,
    /// The remarks, oldest first; at least one.
    pub thread: Vec<CommentEntry>,
    /// The words suggested instead; `None` for a remark alone.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub replacement: Option<String>,
    /// Whether the thread is closed.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub resolved: bool,
}

/// A remark in a thread.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct CommentEntry {
    /// The person who wrote it.
    pub author: String,
    /// The time, such as `2026-11-22T08:30:00Z`.
    pub at: String,
    /// The remark.
    pub text: String,
}

/// A text before and after a change.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TextChange<'t> {
    /// The id of the text.
    pub document: &'t str,
    /// The former text; `None` for a new text.
    pub before: Option<&'t str>,
    /// The new text; `None` for a deleted text.
    pub after: Option<&'t str>,
}

/// The prefix of comment ids.
pub const COMMENT_PREFIX: &str = "comment";

impl Comment {
    /// Returns the comment after a change of texts, or `None` if its anchor stays as it is.
    ///
    /// The comment follows words that moved to another changed text, for example when a chapter is split. A comment whose
    /// words were deleted keeps its anchor, and returns when the words do.
    pub fn follow(&self, changes: &[TextChange<'_>]) -> Option<Self> {
        let own = changes.iter().find(|change| change.document == self.document)?;
        let (before, after) = (own.before.unwrap_or_default(), own.after.unwrap_or_default());
        let was_there = self.anchor.find(before).is_some();
        let kept = if was_there { self.anchor.follow(before, after) } else { self.anchor.found_in(after) };
        let moved = |change: &TextChange<'_>| {
            let arrived = change.before.is_none_or(|before| self.anchor.find(before).is_none());
            let anchor = self.anchor.found_in(change.after?).filter(|_| arrived)?;
            Some((change.document.to_owned(), anchor))
        };
        let (document, anchor) = match kept {
            Some(anchor) => (self.document.clone(), anchor),
            None => changes.iter().filter(|change| change.document != self.document).find_map(moved)?,
        };
        let has_moved = document != self.document || anchor != self.anchor;
        has_moved.then(|| Self { document, anchor, ..self.clone() })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "林青推开了门。雨还在下。\n\n她把灯点亮，等了一夜。";

    fn comment(quote: &str) -> Comment {
        Comment {
            id: "comment-1".into(),
            document: "d-1".into(),
            anchor: TextAnchor::of_quote(TEXT, quote, "", "").unwrap(),
            ..Comment::default()
        }
    }

    fn change<'t>(document: &'t str, before: Option<&'t str>, after: Option<&'t str>) -> TextChange<'t> {
        TextChange { document, before, after }
    }

    #[test]
    fn a_comment_goes_with_its_words_to_another_chapter_and_back() {
        let (head, tail) = TEXT.split_once("\n\n").unwrap();
        let split = comment("灯点亮")
            .follow(&[change("d-1", Some(TEXT), Some(head)), change("d-2", None, Some(tail))])
            .expect("the words moved");
        assert_eq!((split.document.as_str(), split.anchor.quote.as_str()), ("d-2", "灯点亮"));
        let joined = split
            .follow(&[change("d-1", Some(head), Some(TEXT)), change("d-2", Some(tail), None)])
            .expect("the words moved back");
        assert_eq!((joined.document.as_str(), joined.anchor), ("d-1", comment("灯点亮").anchor));
    }

    #[test]
    fn a_comment_stays_without_its_words_and_returns_with_them() {
        let comment = comment("雨还在下");
        let without = TEXT.replace("雨还在下。", "");
        assert_eq!(comment.follow(&[change("d-1", Some(TEXT), Some(&without))]), None);
        assert_eq!(comment.anchor.find(&without), None);
        assert_eq!(comment.anchor.quote, "雨还在下");
        assert_eq!(comment.follow(&[change("d-1", Some(&without), Some(TEXT))]), None);
        assert!(comment.anchor.find(TEXT).is_some());
    }

    #[test]
    fn a_comment_never_hangs_on_a_single_letter_of_a_rewritten_text() {
        let rewritten = "下雨了。\n\n她没有点灯，走到天亮。";
        for quote in ["林青推开了门", "雨还在下", "等了一夜", "她把灯点亮，等了一夜。"] {
            let comment = comment(quote);
            let followed = comment.follow(&[change("d-1", Some(TEXT), Some(rewritten))]);
            let anchor = followed.map_or_else(|| comment.anchor.clone(), |comment| comment.anchor);
            let place = anchor.find(rewritten);
            assert!(place.as_ref().is_none_or(|place| place.len() > 1), "{quote}: {anchor:?}");
            assert!(place.is_some() || anchor.quote == quote, "the old words are shown: {anchor:?}");
        }
    }

    #[test]
    fn a_change_elsewhere_is_no_change_of_the_comment() {
        let long = format!("{TEXT}{}", "天亮了。".repeat(20));
        let anchor = TextAnchor::of_quote(&long, "推开了门", "", "").unwrap();
        let comment = Comment { anchor, ..comment("推开了门") };
        assert_eq!(comment.follow(&[change("d-1", Some(&long), Some(&format!("{long}完。")))]), None);
        assert_eq!(comment.follow(&[change("d-2", Some("甲"), Some("乙"))]), None);
    }
}
