//! The built-in settings.

/// The default settings of every installation.
pub(crate) const DEFAULTS: &str = include_str!("defaults.toml");
