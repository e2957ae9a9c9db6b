//! Pages of lists, and the names and words of cards.

use serde_json::{Map, Value, json};

/// Default page size of a list.
pub(crate) const PAGE: usize = 100;

/// Returns a page of a list with the total count. Only items on the page are rendered.
pub(crate) fn page<T>(
    name: &str,
    entries: Vec<T>,
    offset: Option<usize>,
    limit: Option<usize>,
    show: impl FnMut(T) -> Value,
) -> Value {
    let total = entries.len();
    let entries = entries.into_iter().skip(offset.unwrap_or(0)).take(limit.unwrap_or(PAGE));
    let shown: Vec<Value> = entries.map(show).collect();
    let mut page = Map::new();
    page.insert("total".into(), total.into());
    if shown.len() < total {
        page.insert("offset".into(), offset.unwrap_or(0).into());
    }
    page.insert(name.to_owned(), json!(shown));
    Value::Object(page)
}

/// Returns whether two names are equal by the rules of stories.
pub(crate) fn is_same_name(a: &str, b: &str) -> bool {
    qingyu_story::names::fold(a) == qingyu_story::names::fold(b)
}

/// Returns the words of a card, without ids.
pub(crate) fn text_of(piece: &qingyu_story::Piece) -> String {
    let fields = piece.fields();
    let mut words: Vec<String> = vec![piece.name().to_owned(), piece.aliases().join(" ")];
    for (field, value) in &fields {
        let is_known =
            matches!(field.as_str(), "id" | "name" | "title" | "alias" | "outline_node" | "mode" | "role_type");
        match value {
            Value::String(text) if !is_known => words.push(text.clone()),
            Value::Array(list) if !is_known => {
                words.extend(list.iter().filter_map(Value::as_str).map(str::to_owned));
            }
            _ => {}
        }
    }
    words.retain(|word| !word.trim().is_empty());
    words.join(" · ")
}
