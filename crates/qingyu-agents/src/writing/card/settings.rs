//! Places, things and organisations of a chapter as lines, from results of the context tool.

use std::collections::{BTreeMap, BTreeSet};

use qingyu_story::Story;
use qingyu_story::holdings::Whereabouts;
use serde_json::{Value, json};

use super::gathered::CardMaterial;
use super::known::other_names;
use super::listed::described_in_order;
use super::secrets::KeptSecrets;
use super::things::remark;
use crate::labels::Labels;

/// Key of a place, thing or organisation that the outline and the plan of the chapter do not name.
const BESIDE: &str = "beside";
/// Key of a thing that the chapter may speak of: in other words than its name, or because somebody in it holds the thing.
pub(crate) const LIKELY: &str = "likely";

/// Key of a thing in the hands of somebody of whom the reader must not know it.
const HELD_IN_SECRET: &str = "held_in_secret";

/// Returns the places, things and organisations of a chapter: those that it names, the things that the participants `names`
/// hold, then what else the context tool finds `related`.
pub(super) fn near(
    gathered: &CardMaterial<'_>,
    things: &BTreeMap<String, Whereabouts>,
    names: &[String],
    related: Vec<Value>,
) -> Vec<Value> {
    // The places of the chapter come first, then the things that it names.
    let rank = |one: &Value| match one["kind"].as_str() {
        Some("location") => 0,
        Some("item") => 1,
        _ => 2,
    };
    let mut near: Vec<Value> = gathered.mentioned.clone();
    near.sort_by_key(rank);
    // A thing in somebody's hands is at hand, wherever else it may come from.
    let is_held = |name: &str| matches!(things.get(name), Some(Whereabouts::Held(holder)) if names.contains(holder));
    for item in gathered.story.into_iter().flat_map(Story::items) {
        if is_held(&item.name) && !near.iter().any(|one| one["name"] == item.name.as_str()) {
            let (name, alias, description) = (&item.name, &item.alias, &item.description);
            let held = json!({ "kind": "item", "name": name, "alias": alias, "description": description });
            near.push(marked(held, LIKELY));
        }
    }
    let is_listed = |one: &Value, near: &[Value]| near.iter().any(|other| other["name"] == one["name"]);
    let others = related.into_iter().filter(|one| !is_listed(one, &near)).map(|one| marked(one, BESIDE));
    let others: Vec<Value> = others.collect();
    near.extend(others);
    near
}

/// Marks the things that the `secrets` of their holders tell of, unless a chapter tells their whereabouts, which have then
/// `moved`.
pub(super) fn mark_secret(
    near: &mut [Value],
    secrets: &KeptSecrets<'_>,
    things: &BTreeMap<String, Whereabouts>,
    moved: &BTreeSet<String>,
) {
    for one in near.iter_mut().filter(|one| one["kind"] == "item") {
        let name = one["name"].as_str().unwrap_or_default();
        let Some(Whereabouts::Held(holder)) = things.get(name).filter(|_| !moved.contains(name)) else { continue };
        let alias = other_names(one);
        let called: Vec<&str> = alias.iter().map(String::as_str).chain([name]).collect();
        if secrets.hides_holder(&called, holder) {
            *one = marked(one.take(), HELD_IN_SECRET);
        }
    }
}

/// Returns a result of the context tool with the mark `key`.
fn marked(mut entry: Value, key: &str) -> Value {
    if let Some(fields) = entry.as_object_mut() {
        fields.insert(key.to_owned(), true.into());
    }
    entry
}

/// Returns places, things and organisations, a line each, for a list of `tokens`; the world and its rules have their own
/// section. Things show where they are; those that participants hold are listed even if they are not among `found`. What has
/// nothing but its name is left out. The things that the chapter names are described first, what it does not name last, or
/// not listed at all if there is no room for its description.
pub(super) fn lines(
    found: &[Value],
    things: &BTreeMap<String, Whereabouts>,
    here: &[String],
    words: &Labels,
    tokens: u64,
) -> Vec<String> {
    let is_setting = |one: &&Value| matches!(one["kind"].as_str(), Some("location" | "item" | "organisation"));
    let place = |name: &str| things.get(name).map(|place| remark(place, words));
    let text = |one: &Value, key: &str| one[key].as_str().unwrap_or_default().trim().to_owned();
    let entry = |one: &Value| {
        let name = text(one, "name");
        let place = match things.get(&name) {
            _ if one["kind"] != "item" => None,
            Some(Whereabouts::Held(holder)) if one[HELD_IN_SECRET] == true => Some(words.held_in_secret(holder)),
            _ => place(&name),
        };
        (words.named(&name, &other_names(one), place), text(one, "description"))
    };
    let listed: BTreeSet<String> = found.iter().map(|one| text(one, "name")).collect();
    let is_held = |name: &String| matches!(things.get(name), Some(Whereabouts::Held(holder)) if here.contains(holder));
    let unlisted = things.keys().filter(|name| !listed.contains(*name) && is_held(name));
    let unlisted = unlisted.map(|name| (words.named(name, &[], place(name)), String::new()));
    let is_told = |one: &&Value| {
        let (line, description) = entry(one);
        !description.is_empty() || line != text(one, "name")
    };
    let shown: Vec<&Value> = found.iter().filter(is_setting).filter(is_told).collect();
    let entries: Vec<(String, String)> = shown.iter().map(|one| entry(one)).chain(unlisted).collect();
    let is_beside = |at: usize| shown.get(at).is_some_and(|one| one[BESIDE] == true);
    let is_named_thing = |at: usize| shown.get(at).is_some_and(|one| one["kind"] == "item" && one[LIKELY] != true);
    let mut order: Vec<usize> = (0..entries.len()).collect();
    order.sort_by_key(|at| (is_beside(*at), !is_named_thing(*at)));
    let lines = described_in_order(&entries, &order, tokens, words).into_iter().enumerate();
    let is_bare = |at: usize, line: &str| shown.get(at).is_some_and(|one| line == text(one, "name"));
    lines.filter(|(at, line)| !(is_beside(*at) && is_bare(*at, line))).map(|(_, line)| line).collect()
}
