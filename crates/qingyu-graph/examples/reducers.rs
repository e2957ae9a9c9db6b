//! Shows how writes of concurrent nodes are folded: a list is appended to, a map is merged, numbers are reduced by a
//! function; and two writes to a field without a reducer are refused.
//!
//! `cargo run -p qingyu-graph --example reducers`

use std::collections::BTreeMap;
use std::sync::Arc;

use qingyu_graph::{Context, END, Error, Graph, NodeError, START, State};

#[derive(Debug, Clone, Default, State)]
struct Survey {
    /// No reducer: a write replaces the value.
    verdict: String,
    /// Writes are appended to the list in the declaration order of the nodes.
    #[channel(append)]
    notes: Vec<String>,
    /// Writes are merged into the map; of duplicate keys the later value wins.
    #[channel(merge)]
    seen: BTreeMap<String, u32>,
    /// Writes are added to the current value.
    #[channel(reduce = std::ops::Add::add)]
    words: u32,
}

async fn first(_: Arc<Survey>, _: Context) -> Result<SurveyUpdate, NodeError> {
    let seen = BTreeMap::from([("Mira".to_owned(), 3), ("Tom".to_owned(), 1)]);
    Ok(Survey::update().notes(vec!["a lamp is lit".to_owned()]).seen(seen).words(1200))
}

async fn second(_: Arc<Survey>, _: Context) -> Result<SurveyUpdate, NodeError> {
    let seen = BTreeMap::from([("Tom".to_owned(), 4)]);
    Ok(Survey::update().notes(vec!["the lamp goes out".to_owned()]).seen(seen).words(900))
}

async fn praise(_: Arc<Survey>, _: Context) -> Result<SurveyUpdate, NodeError> {
    Ok(Survey::update().verdict("good".to_owned()))
}

async fn blame(_: Arc<Survey>, _: Context) -> Result<SurveyUpdate, NodeError> {
    Ok(Survey::update().verdict("bad".to_owned()))
}

#[tokio::main]
async fn main() -> Result<(), Error> {
    let survey = Graph::<Survey>::new("survey").node("first", first).node("second", second);
    let survey = survey.edge(START, "first").edge(START, "second").edge("first", END).edge("second", END).compile()?;
    let read = survey.run(Survey::update()).await?;
    println!("{:?}, {:?}, {} words", read.notes, read.seen, read.words);

    let judge = Graph::<Survey>::new("judge").node("praise", praise).node("blame", blame);
    let judge = judge.edge(START, "praise").edge(START, "blame").edge("praise", END).edge("blame", END).compile()?;
    match judge.run(Survey::update()).await {
        Ok(read) => println!("{}", read.verdict),
        Err(error) => println!("refused: {error}"),
    }
    Ok(())
}
