//! Selects the embedded web pages: the contents of `web/dist` (or of the folder `QINGYU_WEB_DIST`), with a placeholder
//! page explaining how to build the pages as fallback.
//!
//! The script never runs npm, never accesses the network and never writes into the source tree. If
//! `QINGYU_WEB_REQUIRED` is set, as for a release, missing pages are an error.

use std::path::PathBuf;
use std::{env, fs};

/// The build output of the pages, relative to the crate.
const BUILT: &str = "../../web/dist";
/// The fallback page.
const PLACEHOLDER: &str = "src/pages/placeholder.html";

fn main() {
    println!("cargo:rerun-if-env-changed=QINGYU_WEB_DIST");
    println!("cargo:rerun-if-env-changed=QINGYU_WEB_REQUIRED");
    println!("cargo:rerun-if-changed={PLACEHOLDER}");
    let here = PathBuf::from(env::var("CARGO_MANIFEST_DIR").expect("cargo says where the crate is"));
    let built = env::var("QINGYU_WEB_DIST").map_or_else(|_| here.join(BUILT), PathBuf::from);
    let is_built = built.join("index.html").is_file();
    // Watching a missing folder would rerun the script on every build, so its nearest existing ancestor is watched.
    let watched = built.ancestors().find(|folder| folder.exists()).unwrap_or(&here);
    if is_built {
        println!("cargo:rerun-if-changed={}", watched.display());
    } else {
        println!("cargo:rerun-if-changed={}", watched.join("dist").display());
    }
    assert!(
        is_built || env::var_os("QINGYU_WEB_REQUIRED").is_none(),
        "the pages are not built: run `npm --prefix web ci && npm --prefix web run build` (looked in {})",
        built.display()
    );
    let out = PathBuf::from(env::var("OUT_DIR").expect("cargo says where to write"));
    let folder = if is_built {
        built
    } else {
        let folder = out.join("pages");
        fs::create_dir_all(&folder).expect("the folder of the build can be written");
        fs::copy(here.join(PLACEHOLDER), folder.join("index.html")).expect("the folder of the build can be written");
        folder
    };
    let folder = fs::canonicalize(folder).expect("the folder is there");
    let files = format!("#[derive(rust_embed::Embed)]\n#[folder = {folder:?}]\nstruct Files;\n");
    fs::write(out.join("pages.rs"), files).expect("the folder of the build can be written");
}
