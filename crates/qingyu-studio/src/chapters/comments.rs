//! Comments on words of chapters, in threads.

use std::collections::BTreeMap;

use jiff::Timestamp;
use qingyu_story::comment::{COMMENT_PREFIX, PassageError, TextChange};
use qingyu_story::settlement::{follow_all, mark_unsupported};
use qingyu_story::{Comment, CommentEntry, Document, Story, TextAnchor};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::access::scope::Right;
use crate::chapters::names::document;
use crate::error::{Error, Noun};
use crate::stories::saved::PERSON;
use crate::studio::Studio;

/// The number of retries during concurrent changes of the story.
const COMMENT_TRIES: usize = 8;
/// The longest remark, in characters.
const LONGEST_REMARK: usize = 10_000;
/// The longest words to comment on, in characters.
const LONGEST_QUOTE: usize = 2_000;

/// The comments of a project.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct CommentList {
    /// The comments: by chapter in reading order, then by place; comments without their words last.
    pub comments: Vec<CommentRow>,
    /// The comment added or changed by the request.
    #[serde(default)]
    pub changed: Option<String>,
}

/// A comment with its place.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct CommentRow {
    /// The ID.
    pub id: String,
    /// The document ID of the chapter.
    pub document: String,
    /// The title of the chapter; empty if the chapter was deleted.
    pub chapter: String,
    /// The words commented on; the last known words if they were deleted.
    pub quote: String,
    /// The place of the words in the text; `None` if the words are gone.
    pub place: Option<CommentPlace>,
    /// The words suggested instead; `None` for a remark alone.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub replacement: Option<String>,
    /// Whether the thread is closed.
    pub resolved: bool,
    /// The remarks, oldest first.
    pub thread: Vec<CommentEntry>,
}

/// A range of a text, in characters.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
pub struct CommentPlace {
    /// The first character, from 0.
    pub from: usize,
    /// The end, exclusive.
    pub to: usize,
}

/// A new comment.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct CommentRequest {
    /// The chapter: the number in its heading, its title, its ID, or its position (`#4`).
    pub chapter: String,
    /// The words of the chapter to comment on.
    pub quote: String,
    /// Text directly before the words; needed only if the words occur several times.
    #[serde(default)]
    pub before: String,
    /// Text directly after the words; needed only if the words occur several times.
    #[serde(default)]
    pub after: String,
    /// The remark; may be empty if other words are suggested.
    #[serde(default)]
    pub text: String,
    /// The words suggested instead, empty for a deletion; requires the right `suggest`.
    #[serde(default)]
    pub replacement: Option<String>,
}

/// A change of a comment.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "action", rename_all = "snake_case", deny_unknown_fields)]
pub enum CommentChange {
    /// Adds a remark; a closed thread is open again.
    Reply {
        /// The remark.
        text: String,
    },
    /// Closes the thread.
    Resolve,
    /// Opens the thread again.
    Reopen,
    /// Puts the suggested words into the chapter and closes the thread; requires the right `write`.
    Accept,
}

impl Studio {
    /// Returns the comments of a project, or of a single chapter.
    pub async fn comments(&self, project: &str, chapter: Option<&str>) -> Result<CommentList, Error> {
        let (_, kept) = self.kept_story(project).await?;
        let only = chapter.map(|chapter| document(&kept.story, chapter)).transpose()?;
        let only = only.map(|position| kept.story.documents[position].id.as_str());
        Ok(list(&kept.story, only, None))
    }

    /// Adds a comment on words of a chapter; returns the comments of the chapter.
    ///
    /// Returns [`Error::BadComment`] if the remark is empty or too long, or if the words are not exactly once in the
    /// chapter, and [`Error::Forbidden`] for suggested words without the right `suggest`.
    pub(crate) async fn add_comment(&self, project: &str, request: &CommentRequest) -> Result<CommentList, Error> {
        let CommentRequest { quote, before, after, text, replacement, .. } = request;
        if replacement.is_some() {
            self.scope().demand(Right::Suggest)?;
        }
        let remark = match replacement {
            Some(_) if text.trim().is_empty() => None,
            _ => Some(remark(text)?),
        };
        if [quote, before, after].iter().any(|words| words.chars().count() > LONGEST_QUOTE) {
            return Err(bad("quote_too_long", ""));
        }
        if replacement.as_ref().is_some_and(|words| words.chars().count() > LONGEST_REMARK) {
            return Err(bad("too_long", ""));
        }
        self.with_comments(project, |studio, story| {
            let Document { id, text, .. } = &story.documents[document(story, &request.chapter)?];
            let anchor = TextAnchor::of_quote(text, quote, before, after);
            let anchor = anchor.map_err(|error| bad_words(quote, &error))?;
            let comment = Comment {
                id: next_id(story),
                document: id.clone(),
                anchor,
                thread: vec![studio.entry(remark.clone().unwrap_or_default())],
                replacement: replacement.clone(),
                resolved: false,
            };
            let added = (comment.id.clone(), comment.document.clone());
            story.comments.push(comment);
            Ok(added)
        })
        .await
    }

    /// Changes a comment; returns the comments of its chapter.
    ///
    /// Returns [`Error::Unknown`] if there is no such comment, and [`Error::BadComment`] for an empty remark, and for
    /// accepting a comment without a suggestion, or whose words are gone.
    pub(crate) async fn change_comment(
        &self,
        project: &str,
        comment: &str,
        change: &CommentChange,
    ) -> Result<CommentList, Error> {
        let reply = match change {
            CommentChange::Reply { text } => Some(remark(text)?),
            CommentChange::Resolve | CommentChange::Reopen => None,
            CommentChange::Accept => {
                self.scope().demand(Right::Write)?;
                None
            }
        };
        self.with_comments(project, |studio, story| {
            let position = position(story, comment)?;
            if *change == CommentChange::Accept {
                accept(story, position)?;
            }
            let found = &mut story.comments[position];
            found.thread.extend(reply.clone().map(|text| studio.entry(text)));
            found.resolved = matches!(change, CommentChange::Resolve | CommentChange::Accept);
            Ok((found.id.clone(), found.document.clone()))
        })
        .await
    }

    /// Deletes a comment with its thread, revertible by undo; returns the remaining comments of its chapter.
    ///
    /// Returns [`Error::Unknown`] if there is no such comment.
    pub(crate) async fn delete_comment(&self, project: &str, comment: &str) -> Result<CommentList, Error> {
        self.with_comments(project, |_, story| {
            let deleted = story.comments.remove(position(story, comment)?);
            Ok((deleted.id, deleted.document))
        })
        .await
    }

    /// Saves an edit of the comments, which returns the ids of the comment and of its document. Retries after concurrent
    /// changes of the story.
    async fn with_comments(
        &self,
        project: &str,
        edit: impl Fn(&Self, &mut Story) -> Result<(String, String), Error> + Send + Sync,
    ) -> Result<CommentList, Error> {
        let mut tries = 0;
        loop {
            tries += 1;
            let (id, kept) = self.kept_story(project).await?;
            let mut story = kept.story.clone();
            let (comment, document) = edit(self, &mut story)?;
            let is_edit = story.documents != kept.story.documents;
            if is_edit {
                follow_all(&kept.story, &mut story);
                mark_unsupported(&kept.story, &mut story);
            }
            match self.put(&id, if is_edit { "edit" } else { "comment" }, &kept, &story).await {
                Err(Error::Conflict { .. }) if tries < COMMENT_TRIES => {}
                Err(error) => return Err(error),
                // Other comments have followed their words in the transaction.
                Ok(_) if is_edit => {
                    let (_, kept) = self.kept_story(project).await?;
                    return Ok(list(&kept.story, Some(&document), Some(comment)));
                }
                Ok(_) => return Ok(list(&story, Some(&document), Some(comment))),
            }
        }
    }

    fn entry(&self, text: String) -> CommentEntry {
        let author = self.scope().signature().unwrap_or(PERSON);
        CommentEntry { author: author.to_owned(), at: Timestamp::now().strftime("%FT%TZ").to_string(), text }
    }
}

fn remark(text: &str) -> Result<String, Error> {
    let text = text.trim();
    let reason = match text.chars().count() {
        0 => "empty",
        count if count > LONGEST_REMARK => "too_long",
        _ => return Ok(text.to_owned()),
    };
    Err(bad(reason, ""))
}

/// Puts the suggested words of a comment into its text.
fn accept(story: &mut Story, position: usize) -> Result<(), Error> {
    let comment = &story.comments[position];
    if comment.resolved {
        return Err(bad("closed", ""));
    }
    let Some(replacement) = &comment.replacement else { return Err(bad("no_suggestion", "")) };
    let gone = || bad("missing", &comment.anchor.quote);
    let text = story.documents.iter_mut().find(|text| text.id == comment.document).ok_or_else(gone)?;
    let range = comment.anchor.find(&text.text).ok_or_else(gone)?;
    let before = text.text.clone();
    let head: String = before.chars().take(range.start).collect();
    let tail: String = before.chars().skip(range.end).collect();
    text.text = format!("{head}{replacement}{tail}");
    text.version = text.version.saturating_add(1);
    let change = TextChange { document: &comment.document, before: Some(&before), after: Some(&text.text) };
    if let Some(followed) = comment.follow(&[change]) {
        story.comments[position] = followed;
    }
    Ok(())
}

fn bad(reason: &str, quote: &str) -> Error {
    Error::BadComment { reason: reason.into(), quote: quote.into(), count: 0 }
}

fn bad_words(quote: &str, error: &PassageError) -> Error {
    let (reason, count) = match error {
        PassageError::Empty => ("no_words", 0),
        PassageError::Missing => ("missing", 0),
        PassageError::Ambiguous { count } => ("ambiguous", *count),
    };
    Error::BadComment { reason: reason.into(), quote: quote.into(), count }
}

fn position(story: &Story, comment: &str) -> Result<usize, Error> {
    let found = story.comments.iter().position(|one| one.id == comment.trim());
    found.ok_or_else(|| Error::unknown(Noun::Comment, comment))
}

/// Returns an id that no comment has or had.
fn next_id(story: &Story) -> String {
    let number = |id: &str| id.strip_prefix(COMMENT_PREFIX)?.strip_prefix('-')?.parse::<u64>().ok();
    let known = story.comments.iter().filter_map(|comment| number(&comment.id));
    let last = known.chain(story.last_ids.get(COMMENT_PREFIX).copied()).max().unwrap_or_default();
    format!("{COMMENT_PREFIX}-{}", last.saturating_add(1))
}

fn list(story: &Story, only: Option<&str>, changed: Option<String>) -> CommentList {
    let texts: BTreeMap<&str, (usize, &Document)> =
        story.documents.iter().enumerate().map(|(place, text)| (text.id.as_str(), (place, text))).collect();
    let wanted = story.comments.iter().filter(|comment| only.is_none_or(|only| comment.document == only));
    let mut rows: Vec<(usize, CommentRow)> = wanted
        .map(|comment| {
            let text = texts.get(comment.document.as_str());
            let place = text.and_then(|(_, text)| comment.anchor.find(&text.text));
            let row = CommentRow {
                id: comment.id.clone(),
                document: comment.document.clone(),
                chapter: text.map(|(_, text)| text.title.clone()).unwrap_or_default(),
                quote: comment.anchor.quote.clone(),
                place: place.map(|range| CommentPlace { from: range.start, to: range.end }),
                replacement: comment.replacement.clone(),
                resolved: comment.resolved,
                thread: comment.thread.clone(),
            };
            (text.map_or(usize::MAX, |(place, _)| *place), row)
        })
        .collect();
    rows.sort_by_key(|(place, row)| (*place, row.place.is_none(), row.place));
    CommentList { comments: rows.into_iter().map(|(_, row)| row).collect(), changed }
}
