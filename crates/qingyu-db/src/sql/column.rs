//! Values that come out of rows.

use crate::Error;

/// Where a value stands in a row: its place from 0, or its name.
pub trait Index: rusqlite::RowIndex + PostgresIndex + Copy {}

impl Index for usize {}
impl Index for &str {}

/// The same on PostgreSQL.
#[cfg(feature = "postgres")]
pub trait PostgresIndex: tokio_postgres::row::RowIndex + std::fmt::Display {}
#[cfg(feature = "postgres")]
impl<I: tokio_postgres::row::RowIndex + std::fmt::Display> PostgresIndex for I {}

/// The same where there is no PostgreSQL.
#[cfg(not(feature = "postgres"))]
pub trait PostgresIndex {}
#[cfg(not(feature = "postgres"))]
impl<I> PostgresIndex for I {}

/// What can be read of a row.
pub trait Column: Sized {
    /// Of a row of SQLite.
    #[doc(hidden)]
    fn of_sqlite<I: Index>(row: &rusqlite::Row<'_>, index: I) -> Result<Self, Error>;

    /// Of a row of PostgreSQL.
    #[cfg(feature = "postgres")]
    #[doc(hidden)]
    fn of_postgres<I: Index>(row: &tokio_postgres::Row, index: I) -> Result<Self, Error>;
}

macro_rules! same {
    ($($type:ty),*) => {
        $(impl Column for $type {
            fn of_sqlite<I: Index>(row: &rusqlite::Row<'_>, index: I) -> Result<Self, Error> {
                Ok(row.get(index)?)
            }

            #[cfg(feature = "postgres")]
            fn of_postgres<I: Index>(row: &tokio_postgres::Row, index: I) -> Result<Self, Error> {
                Ok(row.try_get(index)?)
            }
        })*
    };
}
same!(String, i64, f64, Vec<u8>, Option<String>, Option<i64>, Option<f64>, Option<Vec<u8>>);

/// SQLite has whole numbers of one size, and PostgreSQL's columns are as wide.
macro_rules! narrower {
    ($($type:ty),*) => {
        $(impl Column for $type {
            fn of_sqlite<I: Index>(row: &rusqlite::Row<'_>, index: I) -> Result<Self, Error> {
                Ok(row.get(index)?)
            }

            #[cfg(feature = "postgres")]
            fn of_postgres<I: Index>(row: &tokio_postgres::Row, index: I) -> Result<Self, Error> {
                let whole: i64 = row.try_get(index)?;
                whole.try_into().map_err(|_| Error::BadValue { reason: format!("{whole} is out of range") })
            }
        }

        impl Column for Option<$type> {
            fn of_sqlite<I: Index>(row: &rusqlite::Row<'_>, index: I) -> Result<Self, Error> {
                Ok(row.get(index)?)
            }

            #[cfg(feature = "postgres")]
            fn of_postgres<I: Index>(row: &tokio_postgres::Row, index: I) -> Result<Self, Error> {
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

impl Column for bool {
    fn of_sqlite<I: Index>(row: &rusqlite::Row<'_>, index: I) -> Result<Self, Error> {
        Ok(row.get(index)?)
    }

    /// Kept as a number, as SQLite does; what a comparison gives is a truth of its own.
    #[cfg(feature = "postgres")]
    fn of_postgres<I: Index>(row: &tokio_postgres::Row, index: I) -> Result<Self, Error> {
        match row.try_get::<_, bool>(index) {
            Ok(truth) => Ok(truth),
            Err(_) => Ok(row.try_get::<_, i64>(index)? != 0),
        }
    }
}

/// Kept in eight bytes by both.
impl Column for f32 {
    fn of_sqlite<I: Index>(row: &rusqlite::Row<'_>, index: I) -> Result<Self, Error> {
        Ok(row.get(index)?)
    }

    #[cfg(feature = "postgres")]
    fn of_postgres<I: Index>(row: &tokio_postgres::Row, index: I) -> Result<Self, Error> {
        Ok(narrowed(row.try_get(index)?))
    }
}

impl Column for Option<f32> {
    fn of_sqlite<I: Index>(row: &rusqlite::Row<'_>, index: I) -> Result<Self, Error> {
        Ok(row.get(index)?)
    }

    #[cfg(feature = "postgres")]
    fn of_postgres<I: Index>(row: &tokio_postgres::Row, index: I) -> Result<Self, Error> {
        Ok(row.try_get::<_, Option<f64>>(index)?.map(narrowed))
    }
}

/// It was written from one of this size.
#[cfg(feature = "postgres")]
#[expect(clippy::cast_possible_truncation, reason = "it was written from one of this size")]
fn narrowed(wide: f64) -> f32 {
    wide as f32
}
