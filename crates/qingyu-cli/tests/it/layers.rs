//! Who may import whom; the design says why.

use std::collections::BTreeMap;

use crate::manifests::packages;

/// Every crate of the workspace, without its prefix, and the crates it may import.
const MAY_IMPORT: &[(&str, &[&str])] = &[
    ("db", &[]),
    ("graph", &["graph-derive", "db"]),
    ("graph-derive", &[]),
    ("story", &[]),
    ("formats", &["story"]),
    ("text", &["story"]),
    ("production", &["story"]),
    ("llm", &[]),
    ("web", &["story"]),
    ("embed", &["llm"]),
    ("knowledge", &["story", "llm"]),
    ("store", &["db", "story", "knowledge"]),
    ("memory", &["db", "knowledge", "llm"]),
    ("engines", &["db", "story", "knowledge", "memory"]),
    ("tools", &["story", "knowledge", "llm", "production", "web"]),
    ("agents", &["graph", "story", "llm", "knowledge", "text", "tools", "production", "web"]),
    ("offline", &["agents", "story", "llm", "knowledge", "production"]),
    (
        "studio",
        &[
            "agents",
            "text",
            "formats",
            "embed",
            "engines",
            "graph",
            "llm",
            "offline",
            "store",
            "story",
            "db",
            "knowledge",
            "tools",
            "memory",
            "production",
            "web",
        ],
    ),
    ("client", &["studio"]),
    ("grpc", &["studio"]),
    ("a2a", &["studio"]),
    ("server", &["studio", "tools", "story", "client", "grpc", "a2a"]),
    ("cli", &["studio", "client", "server"]),
    // Of no use to a program: one feeds what reads foreign bytes, the other changes what it is told.
    (
        "fuzz",
        &[
            "agents",
            "client",
            "formats",
            "graph",
            "knowledge",
            "llm",
            "offline",
            "production",
            "server",
            "story",
            "studio",
            "text",
            "tools",
            "web",
        ],
    ),
];

#[test]
fn crates_import_only_downwards() {
    let packages = packages(&["--no-deps"]);
    let allowed: BTreeMap<&str, &[&str]> = MAY_IMPORT.iter().copied().collect();
    let short = |name: &str| name.strip_prefix("qingyu-").map(str::to_owned);
    assert!(packages.len() > 5, "the workspace is found");
    for package in &packages {
        let name = short(&package.name).unwrap_or_else(|| panic!("{} has no prefix", package.name));
        let may = allowed.get(name.as_str()).unwrap_or_else(|| panic!("{name} has no row here"));
        let edges = package.dependencies.iter().filter(|edge| edge.kind.as_deref() != Some("dev"));
        for target in edges.filter_map(|edge| short(&edge.name)) {
            assert!(may.contains(&target.as_str()), "{name} must not import {target}");
        }
    }
}
