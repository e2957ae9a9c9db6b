//! Nodes of the production, one file each.

pub(super) mod begin;
pub(super) mod chat;
pub(super) mod checkpoint;
pub(super) mod enter;
pub(super) mod evaluate;
pub(super) mod interview;
pub(super) mod listen;
pub(super) mod make;
pub(super) mod query;
pub(super) mod research;
pub(super) mod router;
pub(super) mod simulate;
