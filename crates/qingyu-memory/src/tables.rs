//! The tables of memories, for both databases.

use qingyu_db::SqlMigrations;

pub(crate) const MIGRATIONS: SqlMigrations = SqlMigrations {
    owner: "memory",
    files: &[
        ("0001_memory", include_str!("../migrations/0001_memory.sql")),
        ("0002_seen", include_str!("../migrations/0002_seen.sql")),
        ("0003_pending", include_str!("../migrations/0003_pending.sql")),
    ],
};

pub(crate) const POSTGRES: SqlMigrations = SqlMigrations {
    owner: "memory",
    files: &[
        ("0001_memory", include_str!("../migrations/postgres/0001_memory.sql")),
        ("0002_seen", include_str!("../migrations/postgres/0002_seen.sql")),
        ("0003_pending", include_str!("../migrations/postgres/0003_pending.sql")),
    ],
};
