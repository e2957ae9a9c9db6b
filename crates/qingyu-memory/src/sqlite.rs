//! The tables of memories in the embedded database.

use qingyu_db::Migrations;

pub(crate) const MIGRATIONS: Migrations =
    Migrations { owner: "memory", files: &[("0001_memory", include_str!("../migrations/0001_memory.sql"))] };
