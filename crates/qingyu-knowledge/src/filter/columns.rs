//! The fields of many chunks by value, so that a condition evaluates each distinct value once.

use std::collections::HashMap;

use rustc_hash::FxBuildHasher;

use super::condition::{Fields, Filter, Value};

/// The fields of many chunks; rows are numbered in push order.
#[derive(Debug, Clone, Default)]
pub struct Columns {
    rows: usize,
    fields: HashMap<String, FieldColumn, FxBuildHasher>,
}

/// The distinct values of a field, each with its rows.
#[derive(Debug, Clone, Default)]
struct FieldColumn {
    values: Vec<(Value, Vec<u32>)>,
    numbers: HashMap<u64, usize, FxBuildHasher>,
    texts: HashMap<String, usize, FxBuildHasher>,
}

impl Columns {
    /// Appends a row.
    pub fn push(&mut self, fields: &Fields) {
        let row = self.rows as u32;
        self.rows += 1;
        for (field, values) in fields {
            if !self.fields.contains_key(field) {
                self.fields.insert(field.clone(), FieldColumn::default());
            }
            let column = self.fields.get_mut(field).into_iter();
            column.for_each(|column| values.iter().for_each(|value| column.push(value, row)));
        }
    }

    /// Returns the matching rows, sorted.
    pub fn fitting(&self, filter: &Filter) -> Vec<u32> {
        let words = self.fit(filter).0.into_iter().enumerate();
        let rows =
            words.flat_map(|(at, word)| (0..64).filter(move |bit| word >> bit & 1 == 1).map(move |bit| at * 64 + bit));
        rows.take_while(|row| *row < self.rows).map(|row| row as u32).collect()
    }

    fn fit(&self, filter: &Filter) -> RowBits {
        match filter {
            Filter::And(all) => all.iter().fold(self.all(), |rows, one| rows.with(&self.fit(one), |a, b| a & b)),
            Filter::Or(any) => any.iter().fold(self.none(), |rows, one| rows.with(&self.fit(one), |a, b| a | b)),
            Filter::Not(other) => self.all().with(&self.fit(other), |all, fitting| all & !fitting),
            Filter::Is { field, .. }
            | Filter::In { field, .. }
            | Filter::Range { field, .. }
            | Filter::Contains { field, .. } => {
                let mut rows = self.none();
                let values = self.fields.get(field).into_iter().flat_map(|column| &column.values);
                let fitting = values.filter(|(value, _)| filter.fits_value(value)).flat_map(|(_, having)| having);
                fitting.for_each(|row| rows.0[*row as usize / 64] |= 1 << (row % 64));
                rows
            }
        }
    }

    fn all(&self) -> RowBits {
        RowBits(vec![u64::MAX; self.rows.div_ceil(64)])
    }

    fn none(&self) -> RowBits {
        RowBits(vec![0; self.rows.div_ceil(64)])
    }
}

impl FieldColumn {
    fn push(&mut self, value: &Value, row: u32) {
        let known = match value {
            Value::Number(number) => self.numbers.get(&number.to_bits()),
            Value::Text(text) => self.texts.get(text),
        };
        if let Some(at) = known {
            self.values[*at].1.push(row);
            return;
        }
        let at = self.values.len();
        match value {
            Value::Number(number) => self.numbers.insert(number.to_bits(), at),
            Value::Text(text) => self.texts.insert(text.clone(), at),
        };
        self.values.push((value.clone(), vec![row]));
    }
}

/// A bit per row.
struct RowBits(Vec<u64>);

impl RowBits {
    fn with(mut self, other: &Self, join: impl Fn(u64, u64) -> u64) -> Self {
        self.0.iter_mut().zip(&other.0).for_each(|(own, other)| *own = join(*own, *other));
        self
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::filter::FieldComparison;

    fn value() -> impl Strategy<Value = Value> {
        prop_oneof![
            prop::sample::select(vec!["林深", "深", "Anna", "ＡＮＮＡ", ""]).prop_map(Value::from),
            (0u32..4).prop_map(Value::from),
        ]
    }

    fn field() -> impl Strategy<Value = String> {
        prop::sample::select(vec!["name", "chapter", "traits"]).prop_map(str::to_owned)
    }

    fn filter() -> impl Strategy<Value = Filter> {
        let several = prop::collection::vec(value(), 0..3);
        let test = prop_oneof![
            (field(), value()).prop_map(|(field, value)| Filter::is(&field, FieldComparison::AtMost, value)),
            (field(), several).prop_map(|(field, values)| Filter::In { field, values }),
            (field(), value(), value()).prop_map(|(field, from, until)| Filter::Range { field, from, until }),
            (field(), value()).prop_map(|(field, value)| Filter::Contains { field, value }),
        ];
        test.prop_recursive(3, 12, 3, |inner| {
            prop_oneof![
                prop::collection::vec(inner.clone(), 0..3).prop_map(Filter::And),
                prop::collection::vec(inner.clone(), 0..3).prop_map(Filter::Or),
                inner.prop_map(|inner| Filter::Not(Box::new(inner))),
            ]
        })
    }

    proptest! {
        #[test]
        fn columns_fit_as_their_rows_do(
            rows in prop::collection::vec(prop::collection::btree_map(field(), prop::collection::vec(value(), 0..3), 0..3), 0..140),
            filter in filter(),
        ) {
            let mut columns = Columns::default();
            rows.iter().for_each(|fields| columns.push(fields));
            let expected: Vec<u32> =
                (0..).zip(&rows).filter(|(_, fields)| filter.fits(fields)).map(|(row, _)| row).collect();
            prop_assert_eq!(columns.fitting(&filter), expected);
        }
    }
}
