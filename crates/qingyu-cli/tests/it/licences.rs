//! What the binary is made of may be given away with it: permissive licences only, and none of the crates that are
//! kept out on purpose.

use serde::Deserialize;

use crate::manifests::packages;

/// The lists that cargo-deny reads as well, where the reasons stand. Only what is needed of them.
#[derive(Deserialize)]
struct Deny {
    licenses: Licences,
    bans: Bans,
}

#[derive(Deserialize)]
struct Licences {
    allow: Vec<String>,
    exceptions: Vec<Exception>,
}

#[derive(Deserialize)]
struct Exception {
    #[serde(rename = "crate")]
    name: String,
    allow: Vec<String>,
}

#[derive(Deserialize)]
struct Bans {
    deny: Vec<Banned>,
}

#[derive(Deserialize)]
struct Banned {
    #[serde(rename = "crate")]
    name: String,
}

const ROOT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");

fn deny() -> Deny {
    toml::from_str(&std::fs::read_to_string(format!("{ROOT}/deny.toml")).unwrap()).unwrap()
}

#[test]
fn every_dependency_may_be_given_away() {
    let Deny { licenses, bans } = deny();
    let packages = packages(&["--all-features"]);
    assert!(packages.len() > 100, "the dependencies are found");
    let mut refused = Vec::new();
    for package in &packages {
        let name = package.name.as_str();
        assert!(bans.deny.iter().all(|banned| banned.name != name), "{name} is kept out");
        let licence = package.license.as_deref().unwrap_or_else(|| panic!("{name} names no licence"));
        let exception = licenses.exceptions.iter().find(|exception| exception.name == name);
        let allowed: Vec<&String> =
            licenses.allow.iter().chain(exception.iter().flat_map(|exception| &exception.allow)).collect();
        if !is_permissive(licence, &allowed) {
            refused.push(format!("{name} is under {licence}"));
        }
    }
    assert!(refused.is_empty(), "{refused:?}");
}

/// Whether every part that applies leaves a choice that is allowed.
fn is_permissive(licence: &str, allowed: &[&String]) -> bool {
    let plain = licence.replace(['(', ')'], "").replace('/', " OR ");
    plain.split(" AND ").all(|part| part.split(" OR ").any(|choice| allowed.iter().any(|one| *one == choice.trim())))
}

#[test]
fn licences_are_read() {
    let allow = deny().licenses.allow;
    for (licence, expected) in [
        ("MIT OR Apache-2.0", true),
        ("MIT/Apache-2.0", true),
        ("Apache-2.0 OR GPL-2.0-only", true),
        ("(MIT OR Apache-2.0) AND Unicode-3.0", true),
        ("GPL-3.0-or-later", false),
        ("MIT AND AGPL-3.0-only", false),
    ] {
        let allowed: Vec<&String> = allow.iter().collect();
        assert_eq!(is_permissive(licence, &allowed), expected, "{licence}");
    }
}
