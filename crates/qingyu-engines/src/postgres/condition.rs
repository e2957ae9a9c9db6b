//! Translation of conditions to SQL.

use qingyu_knowledge::Filter;
use qingyu_knowledge::filter::{FieldComparison, Value, comparable};
use tokio_postgres::types::ToSql;

/// A condition on a row, with its parameters.
pub(super) struct SqlCondition {
    /// The SQL; true or false, never null.
    pub(super) sql: String,
    /// The parameters from `$from`.
    pub(super) parameters: Vec<Box<dyn ToSql + Sync + Send>>,
    from: usize,
    rows: &'static str,
}

impl SqlCondition {
    /// Translates a filter. `rows` selects the field values of a row, up to and including `WHERE … AND `; `from` is the
    /// first free parameter.
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
                    own.compare(FieldComparison::Equal, value);
                }
                own.sql.push(')');
            }),
            Filter::Range { field, from, until } => self.test(field, |own| {
                own.compare(FieldComparison::AtLeast, from);
                own.sql.push_str(" AND ");
                own.compare(FieldComparison::AtMost, until);
            }),
            Filter::Contains { field, value } => self.test(field, |own| match value {
                Value::Number(_) => own.compare(FieldComparison::Equal, value),
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

    /// Appends the test for any value of the field to match.
    fn test(&mut self, field: &str, fits: impl FnOnce(&mut Self)) {
        if field.contains('\0') {
            // No field has such a name, and the server would reject the name.
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

    fn compare(&mut self, comparison: FieldComparison, value: &Value) {
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

/// Returns all parameters of a statement.
pub(super) fn all<'p>(first: &[&'p (dyn ToSql + Sync)], condition: &'p SqlCondition) -> Vec<&'p (dyn ToSql + Sync)> {
    let more = condition.parameters.iter().map(|one| one.as_ref() as &(dyn ToSql + Sync));
    first.iter().copied().chain(more).collect()
}
