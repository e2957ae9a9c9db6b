//! Comments on words of chapters.

use qingyu_studio::{CommentList, CommentRow};

use super::page::{CARE, FAINT, GOOD, NAME, PLAIN, STRONG, TextPage};

/// Draws the comments by chapter, with their words and threads.
pub(crate) fn list(page: &mut TextPage<'_>, list: &CommentList) {
    if list.comments.is_empty() {
        return page.say(0, FAINT, "comments-none", &[]);
    }
    let mut chapter = None;
    for comment in &list.comments {
        if chapter != Some(&comment.chapter) {
            chapter = Some(&comment.chapter);
            let gone = comment.chapter.is_empty().then(|| page.texts().get("comments-chapter-gone"));
            let title = gone.unwrap_or_else(|| comment.chapter.clone());
            page.paragraph(0, STRONG, &title);
        }
        self::comment(page, comment);
    }
}

fn comment(page: &mut TextPage<'_>, comment: &CommentRow) {
    let quote = page.texts().fill("quote", &[("text", comment.quote.as_str().into())]);
    page.lead(1, &format!("{}  ", comment.id), NAME, PLAIN, &quote);
    if let Some(words) = &comment.replacement {
        match words.is_empty() {
            true => page.say(3, CARE, "comments-deletion", &[]),
            false => page.lead(3, "→ ", CARE, PLAIN, words),
        }
    }
    if comment.place.is_none() {
        page.say(3, CARE, "comments-words-gone", &[]);
    }
    if comment.resolved {
        page.say(3, GOOD, "comments-resolved", &[]);
    }
    for entry in &comment.thread {
        let author = match entry.author.as_str() {
            "person" => page.texts().get("comments-by-you"),
            author => author.to_owned(),
        };
        page.lead(3, &format!("{author}  "), FAINT, PLAIN, &entry.text);
    }
}
