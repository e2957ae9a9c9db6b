//! Test support for stores and runs: the suite that every [`Store`](crate::Store) passes, and a store with hooks.

mod interposed;
#[cfg(feature = "postgres")]
mod postgres;
mod suite;

pub use interposed::InterposedStore;
#[cfg(feature = "postgres")]
pub use postgres::TestSchema;
pub use suite::store_suite;
