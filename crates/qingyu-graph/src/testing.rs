//! What tests of stores and of runs need: the suite that every [`Store`](crate::Store) passes, and a store with a test
//! in between.

mod interposed;
#[cfg(feature = "postgres")]
mod postgres;
mod suite;

pub use interposed::Interposed;
#[cfg(feature = "postgres")]
pub use postgres::TestSchema;
pub use suite::store_suite;
