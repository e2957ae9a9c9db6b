//! Shows that the cost of a board is linear in the number of fields, not quadratic: chains, and lists of items.

use std::time::Instant;

use qingyu_production::{FieldBoard, change};
use qingyu_story::Story;
use qingyu_story::production::{Field, Item, Maker};
use serde_json::{Value, json};

fn field(path: String, depends_on: Vec<String>) -> Field {
    Field { path, phase: "p".into(), schema: json!({}), depends_on, ..Field::default() }
}

/// Returns fields: half in a chain, half as items of a list, and a field made from all items.
fn fields(count: usize) -> Vec<Field> {
    let half = count / 2;
    let mut fields: Vec<Field> = (0..half)
        .map(|at| field(format!("p/{at}"), at.checked_sub(1).map(|before| format!("p/{before}")).into_iter().collect()))
        .collect();
    let entries: Vec<Value> = (0..half).map(|at| json!({"title": format!("entry {at}")})).collect();
    fields.push(Field { value: json!(entries), ..field("p/list".into(), vec!["p/0".into()]) });
    fields.push(Field { each: Some("p/list#".into()), ..field("p/items".into(), Vec::new()) });
    fields.extend((0..half).map(|index| Field {
        item: Some(Item { of: "p/items".into(), index }),
        ..field(format!("p/items/{}", index + 1), vec![format!("p/list#/{index}")])
    }));
    fields.push(field("p/all".into(), vec!["p/items".into()]));
    let blank = fields.clone();
    let board = FieldBoard::new(&blank);
    for (field, before) in fields.iter_mut().zip(&blank).filter(|(field, _)| field.each.is_none()) {
        if field.value.is_null() {
            field.value = json!("text");
        }
        field.made_from = board.made_from(before);
    }
    fields
}

fn main() {
    println!("{:>8} {:>12} {:>12} {:>12} {:>12} {:>12}", "fields", "statuses", "rows", "dependents", "check", "put");
    for count in [100, 1_000, 10_000] {
        let mut story = Story { fields: fields(count), ..Story::default() };
        let board = FieldBoard::new(&story.fields);
        let time = |work: &mut dyn FnMut()| {
            let begin = Instant::now();
            work();
            format!("{:.2} ms", begin.elapsed().as_secs_f64() * 1e3)
        };
        let statuses = time(&mut || drop(board.statuses()));
        let rows = time(&mut || drop(board.rows()));
        let dependents = time(&mut || assert!(board.dependents("p/0").len() >= count));
        let check = time(&mut || assert!(board.check().is_ok()));
        let put = time(&mut || {
            change::put(&mut story, "p/0", json!("other"), Maker::default()).expect("the field is there");
        });
        println!("{count:>8} {statuses:>12} {rows:>12} {dependents:>12} {check:>12} {put:>12}");
    }
}
