//! The sources of an answer as annotations of its message.

use qingyu_studio::ProjectAnswer;
use qingyu_studio::knowledge::passage::Passage;
use qingyu_studio::story::PieceKind;
use serde_json::{Value, json};

use crate::mcp::resources::{ResourceAddress, ResourcePart};

/// Returns the citations of an answer, in order. An annotation has the form of a web citation, with the address of the
/// piece as an MCP resource instead of a web page, and with the quoted sentence. Its range is the citation's mark in the
/// answer, such as `[1]`, or the whole answer without a mark; in characters.
pub(super) fn annotations(project: &str, answered: &ProjectAnswer) -> Vec<Value> {
    let cited = answered.citations.iter().filter_map(|cited| {
        let passage = answered.passages.iter().find(|passage| passage.number == cited.number)?;
        let (start, end) = range(&answered.answer, cited.number);
        Some(json!({
            "type": "url_citation",
            "url_citation": {
                "start_index": start, "end_index": end, "title": passage.heading, "url": address(project, passage),
                "quote": cited.quote, "number": cited.number,
            },
        }))
    });
    cited.collect()
}

/// Returns the position of a citation's mark in the answer, in characters.
fn range(answer: &str, number: usize) -> (usize, usize) {
    let mark = format!("[{number}]");
    match answer.find(&mark) {
        Some(place) => {
            let start = answer[..place].chars().count();
            (start, start + mark.len())
        }
        None => (0, answer.chars().count()),
    }
}

/// Returns the address of a passage's piece; pieces without an address of their own have that of the story.
fn address(project: &str, passage: &Passage) -> String {
    let source = &passage.citation.source;
    let part = match source.kind {
        PieceKind::Document => ResourcePart::Document(source.id.clone()),
        PieceKind::Character => ResourcePart::Character(source.id.clone()),
        PieceKind::OutlineNode => ResourcePart::Outline(source.id.clone()),
        _ => ResourcePart::Story,
    };
    ResourceAddress { project: project.to_owned(), part }.uri()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_range_is_that_of_the_mark_or_of_the_whole() {
        assert_eq!(range("林青推开了门 [2]。", 2), (7, 10));
        assert_eq!(range("林青推开了门。", 1), (0, 7));
    }

    #[test]
    fn citations_name_the_piece_and_the_sentence() {
        let passage = json!({
            "number": 1, "heading": "第一章 来信", "text": "林青推开门。", "tokens": 9,
            "citation": {"source": {"kind": "document", "id": "d-1"}, "name": "第一章", "version": 1, "range": null},
        });
        let answered = json!({
            "question": "?", "answer": "他推开了门。", "holds": true, "passages": [passage], "ties": [],
            "citations": [{"number": 1, "quote": "林青推开门。"}, {"number": 7, "quote": "x"}],
            "left_out": 0, "pattern": null, "read_by_model": false, "rank": null, "model": "m",
            "usage": qingyu_studio::llm::Usage::default(),
        });
        let answered: ProjectAnswer = serde_json::from_value(answered).unwrap();
        let annotations = annotations("p-1", &answered);
        assert_eq!(annotations.len(), 1, "a passage that was not shown is no source");
        let cited = &annotations[0]["url_citation"];
        assert_eq!((&cited["title"], &cited["quote"]), (&json!("第一章 来信"), &json!("林青推开门。")));
        assert_eq!(cited["url"], "qingyu://project/p-1/documents/d-1");
    }
}
