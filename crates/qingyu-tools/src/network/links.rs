//! A network as adjacency lists.

/// A weighted network as adjacency lists: `links[a]` holds `(b, weight)` once for each `b`. Undirected if every link is
/// on both sides. Weights are positive.
pub(crate) type NetworkLinks = [Vec<(usize, f64)>];
