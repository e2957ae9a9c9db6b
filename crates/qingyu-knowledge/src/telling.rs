//! Whether a source is told in the text of the book, or only planned.

pub use qingyu_story::telling::{Telling, Tellings};

use crate::Hit;

/// The minimum share of a plan's score for a text of the book to be ranked before the plan.
const NEARLY: f64 = 0.7;

/// Ranks planned sources behind texts of the book that fit nearly as well. All other hits keep their order, and so does a
/// plan that answers a pattern.
pub fn told_first(hits: Vec<Hit>, tellings: &Tellings<'_>) -> Vec<Hit> {
    let states: Vec<Telling> =
        hits.iter().map(|hit| tellings.piece(hit.chunk.source.kind, &hit.chunk.source.id)).collect();
    let is_told = |at: &usize| matches!(states[*at], Telling::Told { .. });
    let place = |at: usize, hit: &Hit| {
        let is_better = |other: &usize| is_told(other) && hits[*other].score >= hit.score * NEARLY;
        let is_moved = states[at] == Telling::Planned && hit.way.is_none();
        let last = (at + 1..hits.len()).rev().find(is_better).filter(|_| is_moved);
        last.map_or((at, 0), |last| (last, 1))
    };
    let mut placed: Vec<((usize, usize), usize)> =
        hits.iter().enumerate().map(|(at, hit)| (place(at, hit), at)).collect();
    placed.sort_unstable();
    let mut hits: Vec<Option<Hit>> = hits.into_iter().map(Some).collect();
    placed.into_iter().filter_map(|(_, at)| hits[at].take()).collect()
}

#[cfg(test)]
mod tests {
    use qingyu_story::{PieceKind, Story};
    use serde_json::json;

    use super::*;
    use crate::{Source, chunk};

    fn story() -> Story {
        serde_json::from_value(json!({
            "characters": [{"id": "c-1", "name": "林青", "occupation": "侦探"}],
            "outline_nodes": [{"id": "o-1", "name": "第三章 夜雨", "order": 1, "description": "雨停了。"}],
            "documents": [{"id": "d-1", "title": "第三章 夜雨", "order": 1, "outline_node": "o-1", "text": "雨停了。"}]
        }))
        .unwrap()
    }

    fn source(kind: PieceKind, id: &str) -> Source {
        Source { kind, id: id.into() }
    }

    #[test]
    fn a_plan_stands_behind_a_text_that_fits_nearly_as_well() {
        let story = story();
        let tellings = Tellings::of(&story);
        let chunks = chunk::of(&story);
        let hit = |(kind, id, score): (PieceKind, &str, f64)| Hit {
            chunk: chunks.iter().find(|chunk| chunk.source == source(kind, id)).unwrap().clone(),
            score,
            keyword: None,
            vector: None,
            way: None,
            emphasis: 1.0,
            suspicious: None,
            book: None,
        };
        let order = |hits: &[(PieceKind, &str, f64)]| -> Vec<String> {
            let hits = told_first(hits.iter().copied().map(hit).collect(), &tellings);
            hits.into_iter().map(|hit| hit.chunk.source.id).collect()
        };
        let plan = |score| (PieceKind::OutlineNode, "o-1", score);
        let (card, text) = ((PieceKind::Character, "c-1", 0.9), (PieceKind::Document, "d-1", 0.8));
        assert_eq!(order(&[plan(1.0), card, text]), ["c-1", "d-1", "o-1"]);
        assert_eq!(order(&[plan(2.0), card, text]), ["o-1", "c-1", "d-1"], "the text hardly fits");
        assert_eq!(order(&[plan(1.0), card]), ["o-1", "c-1"], "nothing is told");
    }
}
