//! Requests for runs.

use qingyu_studio::story::Language;
use qingyu_studio::{RunRow, RunStatus, Studio};
use serde_json::{Map, Value};

use super::assistants;
use super::error::LangGraphError;
use super::fields::Fields;
use super::mapper::StreamMode;
use super::notes::{Notes, RunNote};
use super::stops::Stops;
use super::thread::Thread;
use crate::chat::{self, ChatKind};

/// The advice to a client that asks for the rollback of a run, whether it makes way for another or is cancelled.
pub(super) const NO_ROLLBACK: &str =
    "a run is stopped, not undone: pass `interrupt`, and undo its changes in the project";

/// The policy for an active run when another run is requested on its thread.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Multitask {
    /// The new run waits for the end of the other.
    Enqueue,
    /// The new run is refused.
    Reject,
    /// The other run is cancelled.
    Interrupt,
}

/// A request to run an assistant.
#[derive(Debug)]
pub(super) struct Order {
    pub(super) kind: ChatKind,
    /// The fields of the run's request, without messages.
    input: Map<String, Value>,
    /// The last message of a person.
    words: String,
    /// Whether there is no input, not even an empty one: the run to be resumed is meant, if there is one.
    has_no_input: bool,
    /// The answer to a waiting run.
    pub(super) resume: Option<Value>,
    /// The nodes at which the run stops.
    pub(super) stops: Stops,
    pub(super) modes: Vec<StreamMode>,
    pub(super) multitask: Multitask,
    /// Whether a thread that does not exist is created.
    pub(super) creates_thread: bool,
    /// Whether the run is cancelled when its client disconnects.
    pub(super) ends_with_client: bool,
    /// The metadata and the configuration to be kept.
    pub(super) note: RunNote,
    /// The fields naming a state and a thread, with their values.
    states: Vec<(String, String)>,
    threads: Vec<(String, String)>,
}

impl Order {
    /// Reads a request. Fails with 422 if a field is invalid, unknown, or cannot be followed.
    pub(super) fn read(mut fields: Fields) -> Result<Self, LangGraphError> {
        let assistant: Option<String> = fields.read("assistant_id")?;
        let assistant = assistant.ok_or_else(|| LangGraphError::invalid("assistant_id", "it is missing"))?;
        let kind = assistants::kind(&assistant)?;
        refuse(&mut fields)?;
        let stops = Stops::read(&mut fields, kind)?;
        let resume = command(&mut fields)?;
        let given = fields.take("input");
        let has_no_input = given.is_null();
        let (input, words) = input(given)?;
        let modes = modes(&fields.take("stream_mode"))?;
        let multitask = match fields.word("multitask_strategy", &["enqueue", "reject", "interrupt", "rollback"])? {
            None | Some("enqueue") => Multitask::Enqueue,
            Some("interrupt") => Multitask::Interrupt,
            Some("rollback") => return Err(LangGraphError::unsupported("multitask_strategy", NO_ROLLBACK)),
            Some(_) => Multitask::Reject,
        };
        let creates_thread = fields.word("if_not_exists", &["reject", "create"])? == Some("create");
        let ends_with_client = fields.word("on_disconnect", &["continue", "cancel"])? == Some("cancel");
        if fields.word("on_completion", &["keep", "delete"])? == Some("delete") {
            let advice = "the project stays: pass `keep`, and delete the thread when you have what you need";
            return Err(LangGraphError::unsupported("on_completion", advice));
        }
        harmless(&mut fields)?;
        let (mut states, mut threads) = (Vec::new(), Vec::new());
        place(&mut fields, &mut states, &mut threads)?;
        let mut checkpoint = fields.object("checkpoint")?;
        place(&mut checkpoint, &mut states, &mut threads)?;
        checkpoint.finish()?;
        let metadata = fields.metadata("metadata")?.unwrap_or_default();
        let config = config(&mut fields, &mut states, &mut threads)?;
        fields.finish()?;
        let note = RunNote { run: String::new(), metadata, config };
        Ok(Self {
            kind,
            input,
            words,
            has_no_input,
            resume,
            stops,
            modes,
            multitask,
            creates_thread,
            ends_with_client,
            note,
            states,
            threads,
        })
    }

    /// Fails unless the request means this thread and its newest state.
    pub(super) fn check_place(&self, thread: Option<&Thread>, newest: Option<&RunRow>) -> Result<(), LangGraphError> {
        let is_other = |given: &str| thread.is_none_or(|thread| !thread.is_named(given));
        if let Some((field, _)) = self.threads.iter().find(|(_, given)| is_other(given)) {
            return Err(LangGraphError::invalid(field, "it is not the thread of the request"));
        }
        let newest = newest.map(|run| run.run.as_str());
        if let Some((field, _)) = self.states.iter().find(|(_, given)| newest != Some(given.as_str())) {
            let newest = newest.map_or_else(|| "it has none yet".to_owned(), |newest| format!("its id is {newest}"));
            let advice = format!(
                "a run begins with the newest state of its thread ({newest}): leave it out; to go on from an earlier \
                 state, make a branch of the project at /api/v1, or copy the thread"
            );
            return Err(LangGraphError::unsupported(field, &advice));
        }
        Ok(())
    }

    /// Returns whether the request resumes the run: with an answer, or without input if the run is one of its kind that
    /// has not come to its end.
    pub(super) fn resumes(&self, run: &RunRow) -> bool {
        let is_open = matches!(run.status, RunStatus::Waiting | RunStatus::Interrupted | RunStatus::Failed);
        self.resume.is_some() || (self.has_no_input && is_open && run.kind.name() == self.kind.name())
    }

    /// Returns what the run is asked for: the last message, or the field of its request.
    pub(super) fn asked(&self) -> &str {
        let fields = ["requirement", "premise"].into_iter().filter_map(|name| self.input.get(name));
        let field = fields.filter_map(Value::as_str).find(|text| !text.trim().is_empty());
        field.unwrap_or(&self.words)
    }

    /// Returns the request of the studio. The first run of a thread without words so far decides on its language.
    pub(super) fn start(
        &self,
        thread: Option<&Thread>,
        newest: Option<&RunRow>,
    ) -> Result<qingyu_studio::operations::StartRequest, LangGraphError> {
        let mut more = self.input.clone();
        let is_bare = thread.is_some_and(|thread| thread.project.premise.trim().is_empty() && newest.is_none());
        if is_bare && self.kind == ChatKind::Create && more.get("language").is_none_or(Value::is_null) {
            more.insert("language".into(), Language::of(self.asked()).code().into());
        }
        let project = thread.map(|thread| thread.project.project.as_str());
        self.stops.add_to(&mut more)?;
        let start = chat::start(self.kind, project, &self.words, more);
        start.map_err(|error| LangGraphError::invalid("input", &error.to_string()))
    }

    /// Keeps the metadata of a started run; returns the thread with them.
    pub(super) async fn keep(&self, studio: &Studio, mut thread: Thread, run: &str) -> Result<Thread, LangGraphError> {
        if !self.note.is_empty() {
            let note = RunNote { run: run.to_owned(), ..self.note.clone() };
            thread.note = Notes::of(studio).change(&thread.project.project, |kept| kept.add_run(note)).await?;
        }
        Ok(thread)
    }
}

/// Refuses the fields that cannot be followed.
fn refuse(fields: &mut Fields) -> Result<(), LangGraphError> {
    fields.refuse("webhook", "follow the run with `join_stream`, or use the webhooks of A2A")?;
    fields.refuse("feedback_keys", "there is no LangSmith behind this server: leave it out")?;
    fields.refuse("langsmith_tracer", "traces are sent as the server's settings say: leave it out")?;
    fields.refuse("context", "pass the fields of the run's request as `input`")?;
    let delay = fields.take("after_seconds");
    if !chat::is_empty(&delay) && delay != 0 && delay != 0.0 {
        return Err(LangGraphError::unsupported(
            "after_seconds",
            "a run begins at once: leave it out, and ask for it later",
        ));
    }
    Ok(())
}

/// Reads the fields that change nothing, whatever they say: there are no subgraphs, every stream can be rejoined, every
/// step is stored, and an answer is never taken without a question.
fn harmless(fields: &mut Fields) -> Result<(), LangGraphError> {
    for name in ["stream_subgraphs", "stream_resumable", "checkpoint_during", "strict_resume"] {
        fields.read::<bool>(name)?;
    }
    fields.word("durability", &["sync", "async", "exit"])?;
    Ok(())
}

/// Reads the command; returns the answer to a waiting run.
fn command(fields: &mut Fields) -> Result<Option<Value>, LangGraphError> {
    let mut command = fields.object("command")?;
    let resume = Some(command.take("resume")).filter(|resume| !resume.is_null());
    command.refuse("goto", "the steps of a run follow its plan: leave it out")?;
    command.refuse("update", "change the project at /api/v1, or answer with `resume`")?;
    command.finish()?;
    Ok(resume)
}

/// Reads the input; returns the fields of the run's request and the last message of a person.
fn input(input: Value) -> Result<(Map<String, Value>, String), LangGraphError> {
    let mut input = match input {
        Value::Object(input) => input,
        Value::Null => Map::new(),
        _ => return Err(LangGraphError::invalid("input", "it is no object")),
    };
    let messages = input.remove("messages").unwrap_or_default();
    let is_person = |message: &&Value| message["role"] == "user" || message["type"] == "human";
    let last = messages.as_array().and_then(|messages| messages.iter().rfind(is_person));
    let words = last.map(|message| chat::words(&message["content"])).unwrap_or_default();
    Ok((input, words))
}

fn modes(given: &Value) -> Result<Vec<StreamMode>, LangGraphError> {
    let text = |name: &Value| name.as_str().map(str::to_owned);
    let names: Option<Vec<String>> = match given {
        Value::Null => Some(Vec::new()),
        Value::Array(names) => names.iter().map(text).collect(),
        name => text(name).map(|name| vec![name]),
    };
    let names =
        names.ok_or_else(|| LangGraphError::invalid("stream_mode", "it is neither a name nor a list of names"))?;
    let modes = StreamMode::named(&names)?;
    Ok(if modes.is_empty() { vec![StreamMode::Values] } else { modes })
}

/// Reads the fields naming a state.
fn place(
    fields: &mut Fields,
    states: &mut Vec<(String, String)>,
    threads: &mut Vec<(String, String)>,
) -> Result<(), LangGraphError> {
    for (name, found) in [("checkpoint_id", states), ("thread_id", threads)] {
        if let Some(given) = fields.read::<String>(name)?.filter(|given| !given.is_empty()) {
            found.push((fields.path(name), given));
        }
    }
    fields.refuse_subgraphs()
}

/// Reads the configuration; returns its harmless fields, which are kept with the run.
fn config(
    fields: &mut Fields,
    states: &mut Vec<(String, String)>,
    threads: &mut Vec<(String, String)>,
) -> Result<Map<String, Value>, LangGraphError> {
    let mut config = fields.object("config")?;
    let mut kept = Map::new();
    if let Some(limit) = config.read::<u32>("recursion_limit")? {
        kept.insert("recursion_limit".into(), limit.into());
    }
    if let Some(tags) = config.read::<Vec<String>>("tags")?.filter(|tags| !tags.is_empty()) {
        const MOST: usize = 100;
        if tags.len() > MOST || tags.iter().any(|tag| tag.len() > MOST) {
            return Err(LangGraphError::invalid("config.tags", "at most 100 tags of 100 bytes are kept"));
        }
        kept.insert("tags".into(), tags.into());
    }
    if let Some(metadata) = config.metadata("metadata")?.filter(|metadata| !metadata.is_empty()) {
        kept.insert("metadata".into(), metadata.into());
    }
    let mut configurable = config.object("configurable")?;
    place(&mut configurable, states, threads)?;
    configurable.finish()?;
    config.finish()?;
    Ok(kept)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn read(more: Value) -> Result<Order, LangGraphError> {
        let mut request = json!({"assistant_id": "create"});
        let Value::Object(more) = more else { panic!("no object: {more}") };
        request.as_object_mut().unwrap().extend(more);
        Order::read(Fields::from(request.as_object().unwrap().clone()))
    }

    #[test]
    fn what_the_clients_send_by_default_is_read() {
        // The Python client, and the hook of the JavaScript client.
        let order = read(json!({
            "input": {"messages": [{"type": "human", "content": "灯塔"}]}, "stream_mode": "values",
            "stream_subgraphs": false, "stream_resumable": false, "command": {}, "config": {"recursion_limit": 100},
        }));
        let order = order.unwrap();
        assert_eq!((order.asked(), &order.modes[..]), ("灯塔", &[StreamMode::Values][..]));
        assert_eq!(order.note.config, json!({"recursion_limit": 100}).as_object().unwrap().clone());
        let order = read(json!({
            "input": {"requirement": "A lamp"}, "stream_mode": ["values", "messages-tuple", "updates"],
            "on_disconnect": "cancel", "stream_resumable": true, "checkpoint": null, "metadata": {"a": 1},
            "if_not_exists": "create", "multitask_strategy": "interrupt", "durability": "async",
        }));
        let order = order.unwrap();
        assert!(order.ends_with_client && order.creates_thread && order.resume.is_none());
        assert_eq!((order.asked(), order.multitask, order.modes.len()), ("A lamp", Multitask::Interrupt, 3));
        assert_eq!(order.note.metadata["a"], 1);
    }

    #[test]
    fn no_field_passes_silently() {
        for (more, named) in [
            (json!({"webhook": "http://example.org"}), "webhook"),
            (json!({"interrupt_before": ["a"]}), "interrupt_before"),
            (json!({"interrupt_after": "all"}), "interrupt_after"),
            (json!({"after_seconds": 5}), "after_seconds"),
            (json!({"context": {"a": 1}}), "context"),
            (json!({"config": {"configurable": {"model": "x"}}}), "config.configurable.model"),
            (json!({"config": {"run_name": "x"}}), "config.run_name"),
            (json!({"command": {"goto": "x"}}), "command.goto"),
            (json!({"checkpoint": {"checkpoint_ns": "sub"}}), "checkpoint.checkpoint_ns"),
            (json!({"stream_mode": ["values", "tools"]}), "stream_mode"),
            (json!({"stream_mode": 7}), "stream_mode"),
            (json!({"multitask_strategy": "rollback"}), "multitask_strategy"),
            (json!({"on_completion": "delete"}), "on_completion"),
            (json!({"if_not_exists": "maybe"}), "if_not_exists"),
            (json!({"metadata": 7}), "metadata"),
            (json!({"input": "x"}), "input"),
            (json!({"unheard_of": 1}), "unheard_of"),
        ] {
            let detail = read(more.clone()).unwrap_err().detail;
            assert!(detail.contains(&format!("`{named}`")), "{more}: {detail}");
        }
        let fine = json!({"webhook": null, "interrupt_before": [], "context": {}, "after_seconds": 0, "config": {},
            "feedback_keys": [], "unheard_of": null, "on_completion": "keep"});
        read(fine).unwrap();
    }

    #[test]
    fn a_request_without_input_resumes_the_open_run_of_its_kind() {
        let row = |kind: &str, status: &str| -> RunRow {
            serde_json::from_value(json!({
                "run": "r-1", "project": "p-1", "title": "", "kind": kind, "requirement": "", "status": status,
                "model": "", "started": "2026-01-01T00:00:00Z", "ended": null, "quality_score": null,
                "usage": qingyu_studio::UsageView::default(),
            }))
            .unwrap()
        };
        let without = read(json!({"input": null})).unwrap();
        for (kind, status, expected) in [
            ("create", "waiting", true),
            ("create", "interrupted", true),
            ("create", "failed", true),
            ("create", "done", false),
            ("write", "waiting", false),
        ] {
            assert_eq!(without.resumes(&row(kind, status)), expected, "{kind} {status}");
        }
        assert!(!read(json!({"input": {}})).unwrap().resumes(&row("create", "waiting")));
        assert!(read(json!({"command": {"resume": true}})).unwrap().resumes(&row("write", "waiting")));
    }

    #[test]
    fn only_the_newest_state_can_be_begun_with() {
        for field in ["checkpoint_id", "checkpoint.checkpoint_id", "config.configurable.checkpoint_id"] {
            let more = field.rsplit('.').fold(json!("r-0"), |inner, name| json!({name: inner}));
            let detail = read(more).unwrap().check_place(None, None).unwrap_err().detail;
            assert!(detail.contains(&format!("`{field}`")), "{detail}");
        }
        let other = read(json!({"config": {"configurable": {"thread_id": "t-9"}}})).unwrap();
        assert!(other.check_place(None, None).is_err());
        read(json!({"checkpoint": {"checkpoint_id": null, "checkpoint_ns": ""}}))
            .unwrap()
            .check_place(None, None)
            .unwrap();
    }
}
