//! The prompts of the nodes of a run: correction prompts in its state, and requests in its recording.

use qingyu_graph::State;
use qingyu_graph::workers::off_workers;
use qingyu_llm::cassette::{Cassette, RecordedCall};
use qingyu_store::Run;
use serde_json::Value;

use crate::error::Error;
use crate::runs::checkpoint::{NodePrompts, RecordedMessage, RecordedPrompt};
use crate::runs::kind::RunKind;
use crate::runs::run_type::RunType;
use crate::runs::types::of_kind;
use crate::studio::Studio;

/// The channel of correction prompts by node.
const CORRECTIONS: &str = "correction_prompts";

impl Studio {
    /// Returns the prompts of a node: the correction prompt in the state, and the recorded requests to models. With a
    /// checkpoint, returns the state's prompt and the requests of the superstep after the checkpoint; by default, the
    /// newest state's prompt and all requests.
    ///
    /// Requests are missing if the run was not recorded, or its answers were reused from another run.
    ///
    /// Returns [`Error::Forbidden`] if the run works with earlier books that the caller may not see: the prompts tell of
    /// them.
    pub(crate) async fn node_prompts(
        &self,
        run: &str,
        node: &str,
        checkpoint: Option<u64>,
    ) -> Result<NodePrompts, Error> {
        let run = self.find_run(run).await?;
        self.refuse_closed_books(&run)?;
        let kind = RunKind::of(&run);
        self.refuse_unknown_node(kind, node)?;
        let (correction, superstep) = of_kind!(kind, K => self.corrections::<K>(&run, node, checkpoint).await)?;
        let path = self.cassette(&run.id);
        let is_recorded = path.is_file();
        let mut prompts = Vec::new();
        if is_recorded {
            let (path, node) = (path.clone(), node.to_owned());
            prompts = off_workers(async move {
                let bad =
                    |error: qingyu_llm::Error| Error::BadCassette { path: path.clone(), message: error.to_string() };
                let sessions = Cassette::open(&path).map_err(bad)?.sessions;
                let calls = sessions.into_iter().flat_map(|session| session.recording.calls());
                let prompts = calls.filter_map(|call| prompt(&node, call));
                let is_wanted = |prompt: &RecordedPrompt| checkpoint.is_none() || prompt.superstep == superstep;
                Ok::<Vec<_>, Error>(prompts.filter(is_wanted).collect())
            })
            .await?;
        }
        Ok(NodePrompts { run: run.id, node: node.to_owned(), correction, is_recorded, prompts })
    }

    /// Returns the correction prompt of a node, and the superstep after the checkpoint.
    async fn corrections<K: RunType>(
        &self,
        run: &Run,
        node: &str,
        checkpoint: Option<u64>,
    ) -> Result<(Option<String>, i64), Error> {
        let place = self.place(&run.id);
        let snapshot = match checkpoint {
            Some(checkpoint) => {
                let snapshot = self.thread_of::<K>(&run.id).at(checkpoint.into()).snapshot().await;
                Some(snapshot.map_err(|error| place.graph(&error))?)
            }
            None => self.snapshot::<K>(&run.id).await?,
        };
        let Some(snapshot) = snapshot else { return Ok((None, -1)) };
        let values = snapshot.committed().encode().map_err(|error| place.graph(&error))?;
        let correction = values.get(CORRECTIONS).and_then(|prompts| prompts.get(node)).and_then(Value::as_str);
        Ok((correction.map(str::to_owned), snapshot.superstep + 1))
    }
}

/// Returns the request of a recorded call if it is of `node`.
fn prompt(node: &str, call: RecordedCall) -> Option<RecordedPrompt> {
    // Calls are named `node/superstep/step`.
    let superstep = call.request.call.strip_prefix(node)?.strip_prefix('/')?.split('/').next()?.parse().ok()?;
    let role = |role| serde_json::to_value(role).ok().and_then(|role| role.as_str().map(str::to_owned));
    let messages = call.request.messages.into_iter();
    let messages =
        messages.map(|message| RecordedMessage { role: role(message.role).unwrap_or_default(), text: message.text });
    let (purpose, answer) = (call.request.purpose, call.reply.text);
    Some(RecordedPrompt { superstep, purpose, messages: messages.collect(), answer })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_call_belongs_to_the_node_in_its_name() {
        let call = |name: &str| {
            let mut call = serde_json::json!({"key": "k", "request": {"purpose": "p", "messages": []},
                "reply": qingyu_llm::Reply::default()});
            call["request"]["call"] = name.into();
            serde_json::from_value::<RecordedCall>(call).unwrap()
        };
        for (name, superstep) in [
            ("review/4/chapter.review", Some(4)),
            ("review/12/chapter.review/2", Some(12)),
            ("review_agent/4/review", None),
            ("review", None),
            ("", None),
        ] {
            assert_eq!(prompt("review", call(name)).map(|prompt| prompt.superstep), superstep, "{name}");
        }
    }
}
