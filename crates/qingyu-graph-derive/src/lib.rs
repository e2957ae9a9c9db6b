//! The derive macro of qingyu-graph.
