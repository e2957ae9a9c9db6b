//! Generates the messages and services of `proto/`, and the descriptor for reflection.
//!
//! The compiler comes from the package `protoc-bin-vendored`, unless overridden by the variable `PROTOC`.

use std::error::Error;
use std::path::PathBuf;

use tonic_prost_build::Config;

fn main() -> Result<(), Box<dyn Error>> {
    println!("cargo:rerun-if-changed=proto");
    println!("cargo:rerun-if-env-changed=PROTOC");
    let files =
        ["project", "order", "run", "knowledge", "operation"].map(|name| format!("proto/qingyu/v1/{name}.proto"));
    let mut config = Config::new();
    config.protoc_executable(protoc()?);
    // The descriptor has imports and comments, which `compile_with_config` requests from the compiler.
    tonic_prost_build::configure()
        .build_transport(false)
        .client_mod_attribute(".", "#[cfg(feature = \"client\")]")
        .btree_map(".")
        .file_descriptor_set_path(PathBuf::from(std::env::var("OUT_DIR")?).join("descriptor.bin"))
        .emit_rerun_if_changed(false)
        .compile_with_config(config, &files, &["proto".to_owned()])?;
    Ok(())
}

/// Returns the path of the protocol buffer compiler.
fn protoc() -> Result<PathBuf, Box<dyn Error>> {
    match std::env::var_os("PROTOC").filter(|path| !path.is_empty()) {
        Some(path) => Ok(path.into()),
        None => protoc_bin_vendored::protoc_bin_path()
            .map_err(|error| format!("{error}; install protoc and set PROTOC to its path").into()),
    }
}
