//! What the binary is made of may be given away with it: permissive licences only, and none of the crates that are
//! kept out on purpose.

use cargo_metadata::MetadataCommand;

const PERMISSIVE: [&str; 12] = [
    "Apache-2.0",
    "Apache-2.0 WITH LLVM-exception",
    "BSD-2-Clause",
    "BSD-3-Clause",
    "BSL-1.0",
    "CDLA-Permissive-2.0",
    "ISC",
    "MIT",
    "MIT-0",
    "Unicode-3.0",
    "Unlicense",
    "Zlib",
];

/// Under the MPL, which asks only that changes to its own files be given away; these are used as they are. They come with
/// the parser of web pages.
const UNCHANGED: [&str; 4] = ["cssparser", "cssparser-macros", "dtoa-short", "selectors"];

/// Why each is kept out stands in DESIGN.md.
const KEPT_OUT: [&str; 4] = ["aws-lc-sys", "native-tls", "openssl", "openssl-sys"];

#[test]
fn every_dependency_may_be_given_away() {
    let manifest = concat!(env!("CARGO_MANIFEST_DIR"), "/../../Cargo.toml");
    let metadata = MetadataCommand::new().manifest_path(manifest).exec().unwrap();
    assert!(metadata.packages.len() > 100, "the dependencies are found");
    let mut refused = Vec::new();
    for package in &metadata.packages {
        let name = package.name.as_str();
        assert!(!KEPT_OUT.contains(&name), "{name} is kept out");
        let licence = package.license.as_deref().unwrap_or_else(|| panic!("{name} names no licence"));
        let is_unchanged = UNCHANGED.contains(&name) && licence == "MPL-2.0";
        if !is_unchanged && !is_permissive(licence) {
            refused.push(format!("{name} is under {licence}"));
        }
    }
    assert!(refused.is_empty(), "{refused:?}");
}

/// Whether every part that applies leaves a permissive choice.
fn is_permissive(licence: &str) -> bool {
    let plain = licence.replace(['(', ')'], "").replace('/', " OR ");
    plain.split(" AND ").all(|part| part.split(" OR ").any(|choice| PERMISSIVE.contains(&choice.trim())))
}

#[test]
fn licences_are_read() {
    for (licence, expected) in [
        ("MIT OR Apache-2.0", true),
        ("MIT/Apache-2.0", true),
        ("Apache-2.0 OR GPL-2.0-only", true),
        ("(MIT OR Apache-2.0) AND Unicode-3.0", true),
        ("GPL-3.0-or-later", false),
        ("MIT AND AGPL-3.0-only", false),
    ] {
        assert_eq!(is_permissive(licence), expected, "{licence}");
    }
}
