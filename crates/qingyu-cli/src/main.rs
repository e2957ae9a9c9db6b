//! The `qingyu` command.
fn main() {}
