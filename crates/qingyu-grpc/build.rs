//! Makes the messages and services of `proto/`, and the description of them that clients can ask for.

use std::path::PathBuf;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let files =
        ["project", "order", "run", "knowledge", "operation"].map(|name| format!("proto/qingyu/v1/{name}.proto"));
    println!("cargo:rerun-if-changed=proto");
    let mut compiler = protox::Compiler::new(["proto"])?;
    compiler.include_imports(true).include_source_info(true).open_files(files)?;
    let out = PathBuf::from(std::env::var("OUT_DIR")?);
    std::fs::write(out.join("descriptor.bin"), compiler.encode_file_descriptor_set())?;
    tonic_prost_build::configure()
        .build_transport(false)
        .client_mod_attribute(".", "#[cfg(feature = \"client\")]")
        .btree_map(".")
        .emit_rerun_if_changed(false)
        .compile_fds(compiler.file_descriptor_set())?;
    Ok(())
}
