//! The built-in settings.

/// The default settings of every installation.
pub const DEFAULTS: &str = include_str!("defaults.toml");
