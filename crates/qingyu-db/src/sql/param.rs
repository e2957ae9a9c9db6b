//! Parameters of statements.

use rusqlite::types::{ToSqlOutput, Value, ValueRef};

/// A parameter value.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Param<'p> {
    /// Null.
    Null,
    /// An integer or a boolean.
    Integer(i64),
    /// A floating-point number.
    Real(f64),
    /// A text.
    Text(&'p str),
    /// Bytes.
    Bytes(&'p [u8]),
}

impl rusqlite::ToSql for Param<'_> {
    fn to_sql(&self) -> rusqlite::Result<ToSqlOutput<'_>> {
        Ok(match self {
            Self::Null => ToSqlOutput::Owned(Value::Null),
            Self::Integer(number) => ToSqlOutput::Owned(Value::Integer(*number)),
            Self::Real(number) => ToSqlOutput::Owned(Value::Real(*number)),
            Self::Text(text) => ToSqlOutput::Borrowed(ValueRef::Text(text.as_bytes())),
            Self::Bytes(bytes) => ToSqlOutput::Borrowed(ValueRef::Blob(bytes)),
        })
    }
}

/// A type usable as a parameter.
pub trait ToParam {
    /// Returns the parameter value.
    fn param(&self) -> Param<'_>;
}

impl ToParam for Param<'_> {
    fn param(&self) -> Param<'_> {
        *self
    }
}

impl ToParam for str {
    fn param(&self) -> Param<'_> {
        Param::Text(self)
    }
}

impl ToParam for String {
    fn param(&self) -> Param<'_> {
        Param::Text(self)
    }
}

impl ToParam for [u8] {
    fn param(&self) -> Param<'_> {
        Param::Bytes(self)
    }
}

impl ToParam for Vec<u8> {
    fn param(&self) -> Param<'_> {
        Param::Bytes(self)
    }
}

impl ToParam for f64 {
    fn param(&self) -> Param<'_> {
        Param::Real(*self)
    }
}

macro_rules! whole {
    ($($type:ty),*) => {
        $(impl ToParam for $type {
            fn param(&self) -> Param<'_> {
                Param::Integer((*self).into())
            }
        })*
    };
}
whole!(i64, i32, u32, u16, u8, bool);

impl<T: ToParam> ToParam for Option<T> {
    fn param(&self) -> Param<'_> {
        self.as_ref().map_or(Param::Null, ToParam::param)
    }
}

impl<T: ToParam + ?Sized> ToParam for &T {
    fn param(&self) -> Param<'_> {
        (**self).param()
    }
}

/// A list of parameters: a tuple, an array, a slice, or the unit value.
pub trait Params {
    /// Returns the parameter values in order.
    fn params(&self) -> Vec<Param<'_>>;
}

impl Params for () {
    fn params(&self) -> Vec<Param<'_>> {
        Vec::new()
    }
}

impl<T: ToParam, const N: usize> Params for [T; N] {
    fn params(&self) -> Vec<Param<'_>> {
        self.iter().map(ToParam::param).collect()
    }
}

impl Params for &[Param<'_>] {
    fn params(&self) -> Vec<Param<'_>> {
        self.to_vec()
    }
}

macro_rules! tuples {
    ($($($name:ident)+;)+) => {
        $(impl<$($name: ToParam),+> Params for ($($name,)+) {
            #[expect(non_snake_case, reason = "each is named like its type")]
            fn params(&self) -> Vec<Param<'_>> {
                let ($($name,)+) = self;
                vec![$($name.param()),+]
            }
        })+
    };
}
tuples! {
    A;
    A B;
    A B C;
    A B C D;
    A B C D E;
    A B C D E F;
    A B C D E F G;
    A B C D E F G H;
    A B C D E F G H I;
    A B C D E F G H I J;
    A B C D E F G H I J K;
    A B C D E F G H I J K L;
}
