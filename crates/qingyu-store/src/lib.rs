//! Keeps projects, stories and runs in the embedded database.
