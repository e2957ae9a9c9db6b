//! Opens the embedded database: one writer with group commit, a pool of readers, migrations.
