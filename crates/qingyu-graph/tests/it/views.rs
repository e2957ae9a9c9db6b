//! What of a state goes in, what comes out, and what stays between the nodes.

use std::collections::BTreeMap;
use std::sync::Arc;

use qingyu_graph::{CompiledGraph, Context, END, Graph, NodeError, Outcome, START, State};
use serde_json::json;

use crate::board::on_every_store;

/// Starts with two tries, so that a default of a view can be told from a default of a type.
#[derive(Debug, Clone, PartialEq, State)]
struct Letter {
    #[channel(input)]
    wish: String,
    #[channel(input)]
    tries: u32,
    #[channel(input, output, append)]
    lines: Vec<String>,
    #[channel(output, reduce = u64::max)]
    longest: u64,
    /// Private: only the nodes know it.
    secret: String,
    #[channel(merge)]
    drafts: BTreeMap<String, u32>,
    #[channel(untracked, input)]
    mood: Option<String>,
}

impl Default for Letter {
    fn default() -> Self {
        Self {
            wish: "peace".to_owned(),
            tries: 2,
            lines: vec!["Dear reader".to_owned()],
            longest: 0,
            secret: String::new(),
            drafts: BTreeMap::new(),
            mood: None,
        }
    }
}

type Written = Result<LetterUpdate, NodeError>;

/// `n1` hides the wish in the private channel; `n2` asks, and reveals what it found there.
fn graph() -> CompiledGraph<Letter> {
    Graph::<Letter>::new("letter")
        .node("n1", |letter: Arc<Letter>, _: Context| async move {
            Written::Ok(Letter::update().secret(format!("<{}>", letter.wish)).longest(letter.wish.len() as u64))
        })
        .node("n2", |letter: Arc<Letter>, context: Context| async move {
            let mood = letter.mood.clone().unwrap_or_default();
            let answer: String = context.ask("q", &"?").await?;
            Written::Ok(Letter::update().lines(vec![format!("{} {answer} {}{mood}", letter.secret, letter.tries)]))
        })
        .edge(START, "n1")
        .edge("n1", "n2")
        .edge("n2", END)
        .compile()
        .unwrap()
}

#[tokio::test]
async fn c12_a_private_channel_passes_from_node_to_node_and_is_absent_from_the_output() {
    on_every_store(async |store| {
        let thread = graph().thread(Arc::clone(&store), "t");
        let input = LetterInput { wish: "rain".to_owned(), lines: vec!["hello".to_owned()], ..LetterInput::default() };
        let outcome = thread.start(input).await.unwrap().finish().await.unwrap();
        assert!(matches!(&outcome, Outcome::Waiting { state, .. } if state.secret == "<rain>"), "{outcome:?}");
        let output = serde_json::to_value(outcome.into_output::<LetterOutput>()).unwrap();
        assert_eq!(output, json!({ "lines": ["Dear reader", "hello"], "longest": 4 }));

        // As another process would go on: from the store alone.
        let resumed = graph().thread(store, "t").answer("yes").await.unwrap().finish().await.unwrap();
        let output = serde_json::to_value(resumed.into_output::<LetterOutput>()).unwrap();
        assert_eq!(output, json!({ "lines": ["Dear reader", "hello", "<rain> yes 2"], "longest": 4 }));

        let again = thread.start(LetterInput { tries: 1, ..LetterInput::default() }).await.unwrap();
        again.finish().await.unwrap();
        let state = thread.answer("no").await.unwrap().finish().await.unwrap().into_state();
        assert_eq!(state.lines.last().unwrap(), "<peace> no 1", "an input writes every one of its fields");
    })
    .await;
}

#[tokio::test]
async fn c12_an_input_from_outside_has_defaults_and_nothing_private() {
    let read = |value| serde_json::from_value::<LetterInput>(value);
    let input = read(json!({ "wish": "snow", "mood": "!" })).unwrap();
    assert_eq!((input.wish.as_str(), input.tries, input.lines.len()), ("snow", 2, 0));
    let refused = read(json!({ "secret": "<mine>" })).unwrap_err().to_string();
    assert!(refused.contains("unknown field `secret`"), "{refused}");

    let quiet = Graph::<Letter>::new("quiet")
        .node("n", |letter: Arc<Letter>, _: Context| async move {
            Written::Ok(Letter::update().lines(vec![format!(
                "{}{}",
                letter.wish,
                letter.mood.as_deref().unwrap_or(".")
            )]))
        })
        .edge(START, "n")
        .edge("n", END)
        .compile()
        .unwrap();
    let output = LetterOutput::from(quiet.run(input).await.unwrap());
    assert_eq!(output.lines, ["Dear reader", "snow!"], "without a store as well");
}
