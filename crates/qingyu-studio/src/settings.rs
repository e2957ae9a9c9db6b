//! Settings in layers: built-in defaults, the user's file, the project's file, the environment, flags.
//!
//! The library reads no environment itself: the front end passes the environment as a value and flags as a table in the
//! format of the settings file.
//!
//! Modules, lowest first:
//!
//! - `layer`, `row`, `defaults`, [`Environment`], `engines`, `backups`, [`values`]: the parts, known to nothing else here
//! - `names`, `edit`, `files`, `machine`, `maxima`: names, files and bounds of settings
//! - `effective`: the merged layers, with the source of each value
//! - `request`: overrides by a request, within the rights of the caller
//! - [`Settings`] in `layers`: the layers, and their folder
//! - `change`: changing a setting in a file; [`describe`] in `reference`: all settings with type, default, maximum and
//!   meaning
//! - `manage`: the settings of a running studio

pub(crate) mod backups;
pub(crate) mod change;
pub(crate) mod defaults;
pub(crate) mod edit;
pub(crate) mod effective;
pub(crate) mod engines;
pub(crate) mod environment;
pub(crate) mod files;
pub(crate) mod layer;
pub(crate) mod layers;
pub(crate) mod machine;
pub(crate) mod manage;
pub(crate) mod maxima;
pub(crate) mod names;
pub(crate) mod reference;
pub(crate) mod request;
pub(crate) mod row;
pub mod values;

pub use change::SettingChange;
pub use environment::Environment;
pub use layer::SettingLayer;
pub use layers::Settings;
pub use names::assign;
pub use reference::{SectionDescription, SettingDescription, SettingForm, describe, described};
