//! The data folder and its database: opening, migration, backup.
//!
//! Below the studio, except `backup`.

pub(crate) mod backup;
pub(crate) mod cassette_files;
pub(crate) mod data_folder;
pub(crate) mod migration;
pub(crate) mod opening;
pub(crate) mod schedule;
pub(crate) mod written;
