//! The places of outline nodes: in the arguments, and in the outline.

use qingyu_story::OutlineNode;

use crate::desk::ArgumentPath;

pub(super) const PLACE: ArgumentPath<'static> = ArgumentPath { fields: "/outline_data", target: "/node_id" };

/// Returns whether a node groups other nodes rather than being told itself.
pub(super) fn is_act(node: &OutlineNode) -> bool {
    node.kind.is_group()
}
