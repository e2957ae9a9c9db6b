//! The engines without a server run the suites that all run.

use qingyu_knowledge::testing::{
    MemoryGraph, MemorySearch, MemoryVectors, PathSupport, graph_suite, search_suite, vector_suite,
};

fn run(work: impl Future<Output = ()>) {
    futures::executor::block_on(work);
}

#[test]
fn search_in_memory() {
    run(search_suite(&MemorySearch::default(), 24));
}

#[test]
fn vectors_in_memory() {
    run(vector_suite(&MemoryVectors::default(), 24));
}

#[test]
fn graphs_in_memory() {
    run(graph_suite(&MemoryGraph::default(), 24, PathSupport::All));
}
