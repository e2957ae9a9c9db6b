//! Conditions as SQL.

use qingyu_knowledge::Filter;
use qingyu_knowledge::filter::{Comparison, Value, comparable};
use tokio_postgres::types::ToSql;

/// A condition on a row, with the parameters that stand in it.
pub(super) struct Condition {
    /// The text; it is true or false, never null.
    pub(super) sql: String,
    /// `$from`, and those after it.
    pub(super) parameters: Vec<Box<dyn ToSql + Sync + Send>>,
    from: usize,
    rows: &'static str,
}

impl Condition {
    /// `rows` selects the values of one row's fields, up to and with its `WHERE … AND `; `from` is the first free parameter.
    pub(super) fn new(filter: &Filter, rows: &'static str, from: usize) -> Self {
        let mut condition = Self { sql: String::new(), parameters: Vec::new(), from, rows };
        condition.write(filter);
        condition
    }

    fn write(&mut self, filter: &Filter) {
        match filter {
            Filter::Is { field, comparison, value } => self.test(field, |own| own.compare(*comparison, value)),
            Filter::In { field, values } => self.test(field, |own| {
                own.sql.push_str("(FALSE");
                for value in values {
                    own.sql.push_str(" OR ");
                    own.compare(Comparison::Equal, value);
                }
                own.sql.push(')');
            }),
            Filter::Range { field, from, until } => self.test(field, |own| {
                own.compare(Comparison::AtLeast, from);
                own.sql.push_str(" AND ");
                own.compare(Comparison::AtMost, until);
            }),
            Filter::Contains { field, value } => self.test(field, |own| match value {
                Value::Number(_) => own.compare(Comparison::Equal, value),
                Value::Text(_) => {
                    own.sql.push_str("position(");
                    own.bind(value);
                    own.sql.push_str(" IN text) > 0");
                }
            }),
            Filter::And(all) => self.join("TRUE", " AND ", all),
            Filter::Or(any) => self.join("FALSE", " OR ", any),
            Filter::Not(other) => {
                self.sql.push_str("NOT ");
                self.write(other);
            }
        }
    }

    /// That one of the field's values fits.
    fn test(&mut self, field: &str, fits: impl FnOnce(&mut Self)) {
        if field.contains('\0') {
            // No field is called so, and the server would not take the name.
            self.sql.push_str("FALSE");
            return;
        }
        self.sql.push_str("EXISTS (");
        self.sql.push_str(self.rows);
        self.sql.push_str("field = ");
        self.parameter(field.to_owned());
        self.sql.push_str(" AND ");
        fits(self);
        self.sql.push(')');
    }

    fn compare(&mut self, comparison: Comparison, value: &Value) {
        let column = if matches!(value, Value::Number(_)) { "number" } else { "text" };
        self.sql.push_str(&format!("{column} {} ", comparison.sign()));
        self.bind(value);
    }

    fn bind(&mut self, value: &Value) {
        match comparable(value).into_owned() {
            Value::Number(number) => self.parameter(number),
            Value::Text(text) => self.parameter(text.into_bytes()),
        }
    }

    fn parameter(&mut self, value: impl ToSql + Sync + Send + 'static) {
        self.sql.push_str(&format!("${}", self.from + self.parameters.len()));
        self.parameters.push(Box::new(value));
    }

    fn join(&mut self, empty: &str, between: &str, filters: &[Filter]) {
        self.sql.push('(');
        if filters.is_empty() {
            self.sql.push_str(empty);
        }
        for (position, filter) in filters.iter().enumerate() {
            if position > 0 {
                self.sql.push_str(between);
            }
            self.write(filter);
        }
        self.sql.push(')');
    }
}

/// All parameters of a statement.
pub(super) fn all<'p>(first: &[&'p (dyn ToSql + Sync)], condition: &'p Condition) -> Vec<&'p (dyn ToSql + Sync)> {
    let more = condition.parameters.iter().map(|one| one.as_ref() as &(dyn ToSql + Sync));
    first.iter().copied().chain(more).collect()
}
