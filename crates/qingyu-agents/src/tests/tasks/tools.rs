//! A model that works with tools: side by side, in order, kept.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use crate::{TaskOptions, Writes};
use futures::future::BoxFuture;
use qingyu_llm::{FinishReason, MessageRole, Reply, ToolCall, Usage};
use qingyu_tools::texts::Text;
use qingyu_tools::{Category, Metadata, Tool, ToolContext, ToolError};
use serde_json::{Value, json};

use super::bench::{Bench, order};

/// A tool that takes its time, and counts how many of its calls run at once.
#[derive(Debug)]
struct Slow(Metadata, Arc<AtomicUsize>, Arc<AtomicUsize>);

impl Tool for Slow {
    fn metadata(&self) -> &Metadata {
        &self.0
    }

    fn call<'a>(&'a self, _: Value, _: &'a ToolContext) -> BoxFuture<'a, Result<Value, ToolError>> {
        Box::pin(async {
            let now = self.1.fetch_add(1, Ordering::SeqCst) + 1;
            self.2.fetch_max(now, Ordering::SeqCst);
            tokio::time::sleep(Duration::from_secs(1)).await;
            self.1.fetch_sub(1, Ordering::SeqCst);
            Ok(json!({"text": "雨"}))
        })
    }
}

fn asks(calls: &[(&str, Value)]) -> Reply {
    let call = |(number, (name, arguments)): (usize, &(&str, Value))| ToolCall {
        id: format!("call_{number}"),
        name: (*name).into(),
        arguments: arguments.to_string(),
    };
    Reply {
        tool_calls: calls.iter().enumerate().map(call).collect(),
        finish: FinishReason::ToolCalls,
        usage: Usage { input: 10, output: 2, ..Usage::default() },
        ..Reply::default()
    }
}

/// Anything that has no kind of its own is done with tools.
fn anything() -> crate::Task {
    let mut task = order("creative", "写一首题在船上的诗");
    task.context.kind = Some("general".into());
    task.context.change = true;
    task
}

#[tokio::test(start_paused = true)]
async fn calls_of_one_answer_that_only_read_run_side_by_side() {
    let (running, most) = (Arc::new(AtomicUsize::new(0)), Arc::new(AtomicUsize::new(0)));
    let mut bench = Bench::new();
    bench.toolbox.unregister("rag_tool");
    let text = Text { zh: "慢".into(), en: "slow".into() };
    let metadata = Metadata::with_schema("rag_tool", Category::Knowledge, text, json!({"type": "object"}));
    bench.toolbox.register(Arc::new(Slow(metadata, running, Arc::clone(&most)))).unwrap();
    let three = [("rag_tool", json!({"query": "一"})), ("rag_tool", json!({"query": "二"})), ("rag_tool", json!({}))];
    let bench = bench.on("creative.general", asks(&three)).on("creative.general", "船上有雨。");
    let state = bench.run(anything()).await.done();
    assert_eq!(most.load(Ordering::SeqCst), 3);
    let result = state.results["t1"].result.as_ref().unwrap();
    assert_eq!((result.tool_calls.len(), result.output.as_str()), (3, "船上有雨。"));
    // The answers stand in the order of the calls, whichever came first.
    let sent = bench.request("creative.general").messages;
    let ids =
        sent.iter().filter(|message| message.role == MessageRole::Tool).map(|message| message.tool_call_id.clone());
    assert_eq!(ids.flatten().collect::<Vec<_>>(), ["call_0", "call_1", "call_2"]);
    assert_eq!(state.messages.len(), 2, "each round is paid and counted by itself");
}

#[tokio::test]
async fn writes_are_made_in_order_and_a_run_that_died_makes_none_twice() {
    let name = |name: &str| ("character_tool", json!({"action": "create", "character_data": {"name": name}}));
    let calls = [name("船夫"), ("character_tool", json!({"action": "get", "character_id": "船夫"})), name("更夫")];
    for (writes, made) in [(Writes::Allowed, 2), (Writes::Ask, 0)] {
        let budget = qingyu_llm::Error::Budget { message: "used up".into(), overdraft: None };
        let bench = Bench::new()
            .on("creative.general", asks(&calls))
            .on("creative.general", budget)
            .on("creative.general", "船夫和更夫都有了。")
            .options(TaskOptions { writes, ..TaskOptions::default() });
        assert!(bench.run(anything()).await.outcome.is_err(), "the second round cannot be paid");
        let state = bench.resume().await.done();
        assert_eq!(bench.purposes().len(), 3, "the first round is not asked again");
        assert_eq!(bench.version().await, made, "{writes:?}");
        let result = state.results["t1"].result.as_ref().unwrap();
        let succeeded = result.tool_calls.iter().map(|call| call.success).collect::<Vec<_>>();
        match writes {
            Writes::Allowed => assert_eq!(succeeded, [true, true, true], "the get sees what was written: {result:?}"),
            _ => assert_eq!(succeeded, [false, false, false], "who must ask may not write with tools: {result:?}"),
        }
    }
}
