//! Reads column values from rows.

use crate::Error;

/// A column index: a zero-based position or a name.
pub trait ColumnIndex: rusqlite::RowIndex + PostgresIndex + Copy {}

impl ColumnIndex for usize {}
impl ColumnIndex for &str {}

/// The PostgreSQL part of a column index.
#[cfg(feature = "postgres")]
pub trait PostgresIndex: tokio_postgres::row::RowIndex + std::fmt::Display {}
#[cfg(feature = "postgres")]
impl<I: tokio_postgres::row::RowIndex + std::fmt::Display> PostgresIndex for I {}

/// An empty replacement without the `postgres` feature.
#[cfg(not(feature = "postgres"))]
pub trait PostgresIndex {}
#[cfg(not(feature = "postgres"))]
impl<I> PostgresIndex for I {}

/// A value readable from a column.
pub trait ColumnValue: Sized {
    /// Reads the value from a SQLite row.
    #[doc(hidden)]
    fn of_sqlite<I: ColumnIndex>(row: &rusqlite::Row<'_>, index: I) -> Result<Self, Error>;

    /// Reads the value from a PostgreSQL row.
    #[cfg(feature = "postgres")]
    #[doc(hidden)]
    fn of_postgres<I: ColumnIndex>(row: &tokio_postgres::Row, index: I) -> Result<Self, Error>;
}

macro_rules! same {
    ($($type:ty),*) => {
        $(impl ColumnValue for $type {
            fn of_sqlite<I: ColumnIndex>(row: &rusqlite::Row<'_>, index: I) -> Result<Self, Error> {
                Ok(row.get(index)?)
            }

            #[cfg(feature = "postgres")]
            fn of_postgres<I: ColumnIndex>(row: &tokio_postgres::Row, index: I) -> Result<Self, Error> {
                Ok(row.try_get(index)?)
            }
        })*
    };
}
same!(String, i64, f64, Vec<u8>, Option<String>, Option<i64>, Option<f64>, Option<Vec<u8>>);

/// SQLite has a single integer size, and the PostgreSQL columns use the same 64 bits.
macro_rules! narrower {
    ($($type:ty),*) => {
        $(impl ColumnValue for $type {
            fn of_sqlite<I: ColumnIndex>(row: &rusqlite::Row<'_>, index: I) -> Result<Self, Error> {
                Ok(row.get(index)?)
            }

            #[cfg(feature = "postgres")]
            fn of_postgres<I: ColumnIndex>(row: &tokio_postgres::Row, index: I) -> Result<Self, Error> {
                let whole: i64 = row.try_get(index)?;
                whole.try_into().map_err(|_| Error::BadValue { reason: format!("{whole} is out of range") })
            }
        }

        impl ColumnValue for Option<$type> {
            fn of_sqlite<I: ColumnIndex>(row: &rusqlite::Row<'_>, index: I) -> Result<Self, Error> {
                Ok(row.get(index)?)
            }

            #[cfg(feature = "postgres")]
            fn of_postgres<I: ColumnIndex>(row: &tokio_postgres::Row, index: I) -> Result<Self, Error> {
                let whole: Option<i64> = row.try_get(index)?;
                let narrow = |whole: i64| {
                    whole.try_into().map_err(|_| Error::BadValue { reason: format!("{whole} is out of range") })
                };
                whole.map(narrow).transpose()
            }
        })*
    };
}
narrower!(u32, i32, u16, u8);

impl ColumnValue for bool {
    fn of_sqlite<I: ColumnIndex>(row: &rusqlite::Row<'_>, index: I) -> Result<Self, Error> {
        Ok(row.get(index)?)
    }

    /// Stored as an integer like in SQLite; only comparisons return a real boolean.
    #[cfg(feature = "postgres")]
    fn of_postgres<I: ColumnIndex>(row: &tokio_postgres::Row, index: I) -> Result<Self, Error> {
        match row.try_get::<_, bool>(index) {
            Ok(truth) => Ok(truth),
            Err(_) => Ok(row.try_get::<_, i64>(index)? != 0),
        }
    }
}

/// Stored as eight bytes in both databases.
impl ColumnValue for f32 {
    fn of_sqlite<I: ColumnIndex>(row: &rusqlite::Row<'_>, index: I) -> Result<Self, Error> {
        Ok(row.get(index)?)
    }

    #[cfg(feature = "postgres")]
    fn of_postgres<I: ColumnIndex>(row: &tokio_postgres::Row, index: I) -> Result<Self, Error> {
        Ok(narrowed(row.try_get(index)?))
    }
}

impl ColumnValue for Option<f32> {
    fn of_sqlite<I: ColumnIndex>(row: &rusqlite::Row<'_>, index: I) -> Result<Self, Error> {
        Ok(row.get(index)?)
    }

    #[cfg(feature = "postgres")]
    fn of_postgres<I: ColumnIndex>(row: &tokio_postgres::Row, index: I) -> Result<Self, Error> {
        Ok(row.try_get::<_, Option<f64>>(index)?.map(narrowed))
    }
}

/// Converts a stored value back to the original `f32`.
#[cfg(feature = "postgres")]
#[expect(clippy::cast_possible_truncation, reason = "it was written from one of this size")]
fn narrowed(wide: f64) -> f32 {
    wide as f32
}
