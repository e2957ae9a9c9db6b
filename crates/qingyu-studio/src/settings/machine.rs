//! Settings restricted to the local user: they start programs, or name files and addresses of the machine.

use toml::Value;

/// The sections read only once, at server start.
pub(crate) const READ_AT_START: [&str; 4] = ["server", "storage", "engines", "mcp_servers"];
/// The sections for starting programs, naming files and addresses, or determining the destination of keys: restricted
/// to the local user.
pub(crate) const OF_THE_MACHINE: [&str; 11] = [
    "mcp_servers",
    "providers",
    "server",
    "storage",
    "engines",
    "workspace",
    "web",
    "prompts",
    "lists",
    "mirror",
    "backups",
];
/// The prefixes of model names referring to files, case-insensitive.
const FILES: [&str; 4] = ["cassette:", "recording:", "local:", "file:"];

/// Returns whether a string in the value names a file, except `allowed` names.
pub(crate) fn names_a_file(value: &Value, allowed: &dyn Fn(&str) -> bool) -> bool {
    match value {
        Value::String(text) => {
            let start = text.trim_start().to_lowercase();
            FILES.iter().any(|file| start.starts_with(file)) && !allowed(text)
        }
        Value::Array(values) => values.iter().any(|value| names_a_file(value, allowed)),
        Value::Table(table) => table.iter().any(|(_, value)| names_a_file(value, allowed)),
        _ => false,
    }
}
