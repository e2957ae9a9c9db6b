//! The tables of memories, in either database.

use qingyu_db::Migrations;

pub(crate) const MIGRATIONS: Migrations = Migrations {
    owner: "memory",
    files: &[
        ("0001_memory", include_str!("../migrations/0001_memory.sql")),
        ("0002_seen", include_str!("../migrations/0002_seen.sql")),
    ],
};

pub(crate) const POSTGRES: Migrations = Migrations {
    owner: "memory",
    files: &[
        ("0001_memory", include_str!("../migrations/postgres/0001_memory.sql")),
        ("0002_seen", include_str!("../migrations/postgres/0002_seen.sql")),
    ],
};
