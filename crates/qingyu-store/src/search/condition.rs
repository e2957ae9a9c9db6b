//! Conditions as SQL.

use qingyu_knowledge::Filter;
use qingyu_knowledge::filter::{Comparison, Value, comparable};
use rusqlite::params_from_iter;
use rusqlite::types::Value as Sql;

use super::{Reader, Shelf};
use crate::Error;

/// The rows of a shelf that fit, sorted.
pub(super) fn rows(reader: &Reader<'_>, shelf: &Shelf, filter: &Filter) -> Result<Vec<u32>, Error> {
    let mut sql = String::from("SELECT number FROM chunk WHERE user_id = ?1 AND project_id = ?2 AND ");
    let mut parameters = vec![Sql::from(reader.user.to_owned()), Sql::from(reader.project.to_owned())];
    write(filter, &mut sql, &mut parameters);
    let mut select = reader.connection.prepare(&sql)?;
    let mut found = select.query(params_from_iter(parameters))?;
    let mut rows = Vec::new();
    while let Some(row) = found.next()? {
        rows.extend(shelf.places.get(&row.get::<_, i64>(0)?));
    }
    rows.sort_unstable();
    Ok(rows)
}

fn write(filter: &Filter, sql: &mut String, parameters: &mut Vec<Sql>) {
    match filter {
        Filter::Is { field, comparison, value } => {
            test(field, sql, parameters, |sql, parameters| compare(*comparison, value, sql, parameters));
        }
        Filter::In { field, values } => test(field, sql, parameters, |sql, parameters| {
            sql.push_str("(FALSE");
            for value in values {
                sql.push_str(" OR ");
                compare(Comparison::Equal, value, sql, parameters);
            }
            sql.push(')');
        }),
        Filter::Range { field, from, until } => test(field, sql, parameters, |sql, parameters| {
            compare(Comparison::AtLeast, from, sql, parameters);
            sql.push_str(" AND ");
            compare(Comparison::AtMost, until, sql, parameters);
        }),
        Filter::Contains { field, value } => test(field, sql, parameters, |sql, parameters| match value {
            Value::Number(_) => compare(Comparison::Equal, value, sql, parameters),
            Value::Text(_) => {
                sql.push_str("instr(text, ");
                bind(value, sql, parameters);
                sql.push_str(") > 0");
            }
        }),
        Filter::And(all) => join("TRUE", " AND ", all, sql, parameters),
        Filter::Or(any) => join("FALSE", " OR ", any, sql, parameters),
        Filter::Not(other) => {
            sql.push_str("NOT ");
            write(other, sql, parameters);
        }
    }
}

/// That one of the field's values fits.
fn test(field: &str, sql: &mut String, parameters: &mut Vec<Sql>, fits: impl FnOnce(&mut String, &mut Vec<Sql>)) {
    sql.push_str("number IN (SELECT chunk FROM chunk_field WHERE user_id = ?1 AND project_id = ?2 AND field = ");
    parameters.push(Sql::from(field.to_owned()));
    sql.push_str(&format!("?{} AND ", parameters.len()));
    fits(sql, parameters);
    sql.push(')');
}

fn compare(comparison: Comparison, value: &Value, sql: &mut String, parameters: &mut Vec<Sql>) {
    let column = if matches!(value, Value::Number(_)) { "number" } else { "text" };
    sql.push_str(&format!("chunk_field.{column} {} ", comparison.sign()));
    bind(value, sql, parameters);
}

fn bind(value: &Value, sql: &mut String, parameters: &mut Vec<Sql>) {
    parameters.push(match comparable(value).into_owned() {
        Value::Number(number) => Sql::from(number),
        Value::Text(text) => Sql::from(text),
    });
    sql.push_str(&format!("?{}", parameters.len()));
}

fn join(empty: &str, between: &str, filters: &[Filter], sql: &mut String, parameters: &mut Vec<Sql>) {
    sql.push('(');
    if filters.is_empty() {
        sql.push_str(empty);
    }
    for (position, filter) in filters.iter().enumerate() {
        if position > 0 {
            sql.push_str(between);
        }
        write(filter, sql, parameters);
    }
    sql.push(')');
}
