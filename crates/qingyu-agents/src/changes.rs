//! The changes of a story made by one step.

use qingyu_story::digest::sha256;
use qingyu_story::{PieceChange, Story, difference};

/// Returns the pieces created, changed or deleted between `before` and `after`. Agents own no order, so moved pieces are left
/// out.
pub(crate) fn changes(before: &Story, after: &Story) -> Vec<PieceChange> {
    difference(before, after).into_iter().filter(|change| !change.is_move()).collect()
}

/// Returns a digest of all pieces of a story in hexadecimal; equal digests mean equal stories.
pub(crate) fn digest(story: &Story) -> String {
    let pieces = story.pieces().collect::<Vec<_>>();
    let text = serde_json::to_string(&pieces).expect("pieces are plain data");
    sha256(text.as_bytes())
}
