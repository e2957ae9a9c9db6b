//! Generated conditions.

use proptest::prelude::*;

use crate::Filter;
use crate::filter::{FieldComparison, Value};

const COMPARISONS: [FieldComparison; 5] = [
    FieldComparison::Equal,
    FieldComparison::Less,
    FieldComparison::AtMost,
    FieldComparison::Greater,
    FieldComparison::AtLeast,
];

/// Returns a strategy for conditions on the given fields and values.
pub fn filter(fields: &[&'static str], values: &[Value]) -> impl Strategy<Value = Filter> + use<> {
    let field = prop::sample::select(fields.to_vec());
    let value = || prop::sample::select(values.to_vec());
    let test = (field, prop::sample::select(COMPARISONS.to_vec()), value(), value(), 0usize..4).prop_map(
        |(field, comparison, value, other, shape)| {
            let field = field.to_owned();
            match shape {
                0 => Filter::Is { field, comparison, value },
                1 => Filter::In { field, values: vec![value, other] },
                2 => Filter::Range { field, from: value, until: other },
                _ => Filter::Contains { field, value },
            }
        },
    );
    test.prop_recursive(3, 12, 3, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..3).prop_map(Filter::And),
            prop::collection::vec(inner.clone(), 0..3).prop_map(Filter::Or),
            inner.prop_map(|inner| Filter::Not(Box::new(inner))),
        ]
    })
}

/// Returns whether texts are compared by order, which not every engine supports.
pub(super) fn orders_texts(filter: &Filter) -> bool {
    match filter {
        Filter::Is { comparison, value, .. } => {
            *comparison != FieldComparison::Equal && matches!(value, Value::Text(_))
        }
        Filter::Range { from, until, .. } => [from, until].into_iter().any(|value| matches!(value, Value::Text(_))),
        Filter::In { .. } | Filter::Contains { .. } => false,
        Filter::And(several) | Filter::Or(several) => several.iter().any(orders_texts),
        Filter::Not(other) => orders_texts(other),
    }
}
