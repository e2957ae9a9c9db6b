//! Expectations of a book's readers: of its genre, and of the chapters that they read.

use qingyu_production::content::Content;
use qingyu_story::chapters::Chapters;
use qingyu_story::genre::Genres;
use qingyu_story::{Story, says_something};

use crate::labels;
use crate::writing::card::fitting;

/// Maximum tokens of all expectations.
const LIMIT: u64 = 400;

/// Returns what readers of these contents expect, a line each: the promise of the book's genre, the shapes that they are
/// tired of, and for chapters of the outline, which readers each is meant to pull on.
///
/// Planned hooks and payoffs are left out: a reader who knows them cannot say whether they work.
pub(super) fn expectations(story: &Story, genres: &Genres, contents: &[Content]) -> Vec<String> {
    let words = labels::of(story.language);
    let of_genre = |genre: &qingyu_story::genre::Genre| {
        let avoid = words.labelled(words.avoid, &genre.avoid.join(words.semicolon));
        let avoid = Some(avoid).filter(|_| !genre.avoid.is_empty());
        [Some(words.labelled(&genre.name, genre.promise.trim())), avoid].into_iter().flatten()
    };
    let chapters = Chapters::of(story);
    let of_chapter = |content: &Content| {
        let place = content.path.strip_prefix("chapters/")?.parse().ok()?;
        let node = &story.outline_nodes[chapters.at(place)?.node?];
        says_something(&node.pulls)
            .then(|| words.labelled(content.title.trim(), &words.labelled(words.pulls, node.pulls.trim())))
    };
    let mut lines: Vec<String> = genres.of(story).into_iter().flat_map(of_genre).collect();
    lines.extend(contents.iter().filter_map(of_chapter));
    fitting(lines, LIMIT)
}

#[cfg(test)]
mod tests {
    use qingyu_story::{Document, OutlineNode, Worldview};

    use super::*;

    #[test]
    fn a_reader_knows_the_genre_and_for_whom_a_chapter_is() {
        let node = OutlineNode {
            id: "o-1".into(),
            order: 1,
            name: "第一章".into(),
            hook: "门外是谁".into(),
            pulls: "等答案的人".into(),
            ..OutlineNode::default()
        };
        let text = Document {
            id: "d-1".into(),
            order: 1,
            title: "第一章".into(),
            outline_node: Some("o-1".into()),
            text: "雨停了。".into(),
            ..Document::default()
        };
        let story = Story {
            worldview: Some(Worldview { genre: "悬疑".into(), ..Worldview::default() }),
            outline_nodes: vec![node],
            documents: vec![text],
            ..Story::default()
        };
        let content =
            Content { path: "chapters/1".into(), title: "第一章".into(), text: "雨停了。".into(), version: 0 };
        let told = expectations(&story, &Genres::builtin(), &[content]).join("\n");
        assert!(told.contains("悬疑") && told.contains("等答案的人") && !told.contains("门外是谁"), "{told}");
        assert!(expectations(&Story::default(), &Genres::builtin(), &[]).is_empty());
    }
}
