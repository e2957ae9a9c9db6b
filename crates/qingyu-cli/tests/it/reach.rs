//! Each row of the mission can be reached: `reach.toml` names commands, routes, tools and tests, everything named there
//! exists, and docs/reach.md shows it.

use std::collections::BTreeSet;
use std::fmt::Write;
use std::fs;
use std::path::Path;

use serde::Deserialize;
use serde_json::Value;

use crate::documents::commands::unknown;
use crate::named_tests::{NamedTest, ROOT};

/// The rows of the mission, by letter.
const ROWS: [(char, u32, &str); 11] = [
    ('A', 11, "The graph of a run"),
    ('B', 10, "The creation of a story"),
    ('C', 8, "Agents for tasks"),
    ('D', 8, "Tools"),
    ('E', 7, "Search and memory"),
    ('F', 5, "The checker"),
    ('G', 5, "Writing the book"),
    ('H', 9, "Content in phases"),
    ('I', 4, "Models"),
    ('J', 6, "Further parts of the design"),
    ('K', 13, "Expectations of users"),
];
/// The crates and pages through which users come in.
const ENTRANCES: [&str; 5] = ["qingyu-a2a", "qingyu-cli", "qingyu-grpc", "qingyu-server", "web"];
/// The rows that nothing reaches. The list only gets shorter.
const UNREACHED: [&str; 0] = [];
/// Routes of other protocols, which are not in the document of the API.
const OTHER_ROUTES: [&str; 11] = [
    "GET /langgraph/threads/{thread}/state",
    "GET /metrics",
    "GET /readyz",
    "POST /agui",
    "POST /langgraph/threads",
    "POST /langgraph/threads/{thread}/history",
    "POST /langgraph/threads/{thread}/runs/stream",
    "POST /langgraph/threads/{thread}/runs/wait",
    "POST /langgraph/threads/{thread}/state",
    "POST /mcp",
    "POST /v1/chat/completions",
];
/// Tools for runs, described in docs/mcp.md.
const RUN_TOOLS: [&str; 5] = ["answer_run", "cancel_run", "get_run", "list_events", "start_run"];

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct MissionRows {
    row: Vec<MissionRow>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct MissionRow {
    id: String,
    part: String,
    #[serde(default)]
    commands: Vec<String>,
    #[serde(default)]
    routes: Vec<String>,
    #[serde(default)]
    tools: Vec<String>,
    #[serde(default)]
    tests: Vec<String>,
    /// What is missing.
    open: Option<String>,
}

fn rows() -> Vec<MissionRow> {
    toml::from_str::<MissionRows>(include_str!("reach.toml")).unwrap().row
}

fn page(name: &str) -> String {
    fs::read_to_string(Path::new(ROOT).join(name)).unwrap()
}

/// The routes of the API, such as `GET /api/v1/runs/{run}`.
fn routes() -> BTreeSet<String> {
    let document: Value = serde_json::from_str(&page("web/openapi.json")).unwrap();
    let paths = document["paths"].as_object().unwrap();
    let methods = paths.iter().flat_map(|(path, item)| {
        item.as_object().unwrap().keys().map(move |method| format!("{} {path}", method.to_uppercase()))
    });
    methods.chain(OTHER_ROUTES.map(str::to_owned)).collect()
}

fn tools() -> BTreeSet<String> {
    let page = page("docs/tools.md");
    let headings = page.lines().filter_map(|line| line.strip_prefix("## `")?.strip_suffix('`').map(str::to_owned));
    headings.chain(RUN_TOOLS.map(str::to_owned)).collect()
}

impl MissionRow {
    /// Returns the names that do not exist, and the rows that lack an entrance or a test without a stated gap.
    fn wrong(&self, routes: &BTreeSet<String>, tools: &BTreeSet<String>) -> Vec<String> {
        let mut wrong: Vec<String> = self.commands.iter().flat_map(|command| unknown(command)).collect();
        wrong.extend(self.routes.iter().filter(|route| !routes.contains(*route)).cloned());
        wrong.extend(self.tools.iter().filter(|tool| !tools.contains(*tool)).cloned());
        let read: Vec<_> = self.tests.iter().map(|test| (test, NamedTest::read(test))).collect();
        let is_there = |named: &Option<NamedTest>| named.as_ref().is_some_and(NamedTest::exists);
        wrong.extend(read.iter().filter(|(_, named)| !is_there(named)).map(|(test, _)| (*test).clone()));
        let is_reached = !(self.commands.is_empty() && self.routes.is_empty() && self.tools.is_empty());
        let is_entrance = |named: &NamedTest| ENTRANCES.contains(&named.folder.as_str());
        let is_tested = read.iter().filter_map(|(_, named)| named.as_ref()).any(is_entrance);
        if is_reached != is_tested {
            wrong.push("a way in and a test through it belong together".into());
        } else if !is_reached && self.open.is_none() {
            wrong.push("neither a command, a route or a tool, nor what is missing".into());
        }
        wrong.iter().map(|wrong| format!("{}: {wrong}", self.id)).collect()
    }
}

#[test]
fn every_row_is_reached_and_tested() {
    let rows = rows();
    let expected: Vec<String> = ROWS
        .iter()
        .flat_map(|(letter, count, _)| (1..=*count).map(move |number| format!("{letter}{number}")))
        .collect();
    assert_eq!(rows.iter().map(|row| row.id.clone()).collect::<Vec<_>>(), expected);
    let (routes, tools) = (routes(), tools());
    let wrong: Vec<String> = rows.iter().flat_map(|row| row.wrong(&routes, &tools)).collect();
    assert!(wrong.is_empty(), "{wrong:#?}");
    let is_unreached = |row: &&MissionRow| row.commands.is_empty() && row.routes.is_empty() && row.tools.is_empty();
    let unreached: Vec<_> = rows.iter().filter(is_unreached).map(|row| row.id.as_str()).collect();
    assert_eq!(unreached, UNREACHED);
}

#[test]
fn a_row_that_nothing_reaches_is_told() {
    let row = |text: &str| toml::from_str::<MissionRow>(&format!("id = \"X1\"\npart = \"x\"\n{text}")).unwrap();
    let test = "tests = [\"qingyu-cli::it reach::every_row_is_reached_and_tested\"]\n";
    let journey = "tests = [\"web::e2e shell.spec: the page can be installed\"]\n";
    let lower = "tests = [\"qingyu-graph::it history::c42_two_forks_of_one_checkpoint_are_independent\"]\n";
    for (text, is_right) in [
        (format!("commands = [\"qingyu check\"]\n{test}"), true),
        ("open = \"Nothing is there.\"".to_owned(), true),
        (String::new(), false),
        ("commands = [\"qingyu check\"]".to_owned(), false),
        (format!("routes = [\"GET /metrics\"]\n{lower}"), false),
        (format!("commands = [\"qingyu chek\"]\n{test}"), false),
        (format!("routes = [\"GET /api/v1/none\"]\n{test}"), false),
        (format!("tools = [\"none_tool\"]\n{test}"), false),
        (format!("commands = [\"qingyu check\"]\n{journey}"), true),
        ("tools = [\"check\"]\ntests = [\"qingyu-cli::it reach::none\"]".to_owned(), false),
    ] {
        assert_eq!(row(&text).wrong(&routes(), &tools()).is_empty(), is_right, "{text}");
    }
}

/// Returns the page: a table for each letter.
fn shown() -> String {
    let mut text = String::from(
        "# What can be reached, and how\n\nEvery part of what Qingyu is meant to do, with the commands, routes and tools \
         that lead to it and tests that fail without it.\nTests are named as in [promises.md](promises.md), those in \
         the browser as `web::e2e FILE: TITLE`; routes are described in [api.md](api.md), tools in [tools.md](tools.md) and [mcp.md](mcp.md).\n\
         `crates/qingyu-cli/tests/it/reach.rs` makes this page of `reach.toml` beside it, and fails if something named \
         here does not exist, or a row has\nneither a way in with a test nor a word on what is missing.\n",
    );
    let rows = rows();
    for (letter, _, title) in ROWS {
        writeln!(text, "\n## {letter}. {title}\n\n| row | part | ways in | tests |\n|---|---|---|---|").unwrap();
        for row in rows.iter().filter(|row| row.id.starts_with(letter)) {
            let MissionRow { id, part, commands, routes, tools, tests, open } = row;
            let codes =
                |names: &[String]| names.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join("<br>");
            let ways: Vec<String> = [commands, routes, tools].into_iter().flatten().cloned().collect();
            let open = open.as_ref().map(|open| format!("<br>*Open:* {open}")).unwrap_or_default();
            writeln!(text, "| {id} | {part}{open} | {} | {} |", codes(&ways), codes(tests)).unwrap();
        }
    }
    text
}

#[test]
fn the_page_shows_the_rows() {
    let shown = shown();
    if std::env::var_os("QINGYU_UPDATE_FILES").is_some() {
        fs::write(Path::new(ROOT).join("docs/reach.md"), &shown).unwrap();
    }
    assert!(shown == page("docs/reach.md"), "docs/reach.md is old: QINGYU_UPDATE_FILES=1 runs this test and writes it");
}
