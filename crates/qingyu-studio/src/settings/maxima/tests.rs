use super::*;
use crate::Settings;
use crate::settings::environment::Environment;
use crate::settings::reference::with_examples;

fn numbers(table: &Table, path: &str, found: &mut Vec<String>) {
    for (name, value) in table {
        let path = if path.is_empty() { name.clone() } else { format!("{path}.{name}") };
        match value {
            Value::Table(inner) => numbers(inner, &path, found),
            Value::Array(values) if values.iter().any(|value| number(value).is_some()) => found.push(path),
            value if number(value).is_some() => found.push(path),
            _ => {}
        }
    }
}

#[test]
fn every_number_that_can_be_set_has_a_maximum() {
    let mut found = Vec::new();
    numbers(&with_examples().parse().unwrap(), "", &mut found);
    // Prices bound no resource, and only the machine's own user configures servers and providers.
    let is_bounded = |name: &String| !["prices.", "providers.", "mcp_servers."].iter().any(|of| name.starts_with(of));
    found.retain(is_bounded);
    found.sort();
    let with_maximum: Vec<&str> = MAXIMA.iter().map(|(name, _)| *name).collect();
    assert_eq!(found, with_maximum);
}

#[test]
fn a_number_beyond_its_maximum_is_refused_by_name() {
    for (name, most) in MAXIMA {
        let beyond = if *most < 100.0 { most + 1.0 } else { most * 2.0 };
        for value in [Value::Integer(beyond as i64), Value::Integer(-1), Value::Integer(i64::MAX)] {
            let mut flags = Table::new();
            let value = if *name == "web.ports" { Value::Array(vec![value]) } else { value };
            crate::settings::names::assign(&mut flags, name, &value.to_string()).unwrap();
            let environment = Environment::new([("QINGYU_HOME".to_owned(), "/nonexistent".to_owned())]);
            let refused = Settings::load(environment, flags);
            assert!(matches!(refused, Err(crate::error::Error::BadSettings { .. })), "{name} = {value}");
        }
    }
    let mut infinite = Table::new();
    crate::settings::names::assign(&mut infinite, "budget.money", "inf").unwrap();
    assert_eq!(check(&infinite).unwrap_err().0, "budget.money");
}
