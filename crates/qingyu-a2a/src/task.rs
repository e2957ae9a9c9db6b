//! A run as a task of the protocol.

use a2a::{A2AError, Artifact, Message, Part, Role, Task, TaskState, TaskStatus};
use jiff::Timestamp;
use qingyu_studio::story::Language;
use qingyu_studio::{Error, Outcome, RunStatus, Studio, StudioEvent, StudioEventKind};
use serde_json::json;

use crate::error::of_studio;
use crate::frames::{artifact, asked, failed, said, timestamp};
use crate::notes::TaskNote;

/// A run with all data of its task.
#[derive(Debug)]
pub(crate) struct TaskSnapshot {
    pub(crate) outcome: Outcome,
    pub(crate) log: Vec<StudioEvent>,
    pub(crate) note: TaskNote,
}

impl TaskSnapshot {
    /// Loads the run with an exact id; prefixes and project ids are not accepted.
    pub(crate) async fn of(studio: &Studio, note: Option<TaskNote>, id: &str) -> Result<Self, A2AError> {
        let unknown = |error: Error| match error.code() {
            "unknown_run" | "ambiguous" => A2AError::task_not_found(id),
            _ => of_studio(&error),
        };
        let outcome = studio.outcome(id).await.map_err(unknown)?;
        if outcome.run != id {
            return Err(A2AError::task_not_found(id));
        }
        let mut log = Vec::new();
        loop {
            let after = log.last().map_or(0, |event: &StudioEvent| event.seq);
            let page = studio.events(id, after).await.map_err(unknown)?;
            if page.is_empty() {
                break;
            }
            log.extend(page);
        }
        Ok(Self { note: note.unwrap_or_default(), outcome, log })
    }

    /// Returns the context: the client's, or by default the project.
    pub(crate) fn context(&self) -> &str {
        if self.note.context.is_empty() { &self.outcome.project } else { &self.note.context }
    }

    /// Returns the number of the last event.
    pub(crate) fn last(&self) -> u64 {
        self.log.last().map_or(0, |event| event.seq)
    }

    /// Returns the language of the first request.
    pub(crate) fn language(&self) -> Language {
        Language::of(self.requirement())
    }

    fn requirement(&self) -> &str {
        let begun = |event: &StudioEvent| matches!(event.kind, StudioEventKind::RunStarted { .. });
        match self.log.iter().find(|event| begun(event)).map(|event| &event.kind) {
            Some(StudioEventKind::RunStarted { requirement, .. }) => requirement,
            _ => "",
        }
    }

    /// Returns the state of the task.
    pub(crate) fn state(&self) -> TaskState {
        state(self.outcome.status, self.note.canceled.is_some())
    }

    /// Returns the task, with the last `length` messages of its history, or all.
    pub(crate) fn task(&self, length: Option<i32>, artifacts: Option<Vec<Artifact>>) -> Task {
        let history = recent(self.history(), length);
        Task {
            id: self.outcome.run.clone(),
            context_id: self.context().to_owned(),
            status: self.status(),
            artifacts: artifacts.filter(|artifacts| !artifacts.is_empty()),
            history: (!history.is_empty()).then_some(history),
            metadata: Some([("project".to_owned(), json!(self.outcome.project))].into()),
        }
    }

    fn status(&self) -> TaskStatus {
        let at = self.note.canceled.or(self.log.last().map(|event| event.at)).unwrap_or_default();
        let state = self.state();
        let parts = match (&state, &self.outcome.question, self.outcome.errors.first()) {
            (TaskState::InputRequired, Some(question), _) => Some(asked(question, self.language())),
            (TaskState::Failed, _, Some(failure)) => Some(failed(failure)),
            _ => None,
        };
        let message = parts.map(|parts| said(Role::Agent, parts, &self.outcome.run, self.context(), at));
        TaskStatus { state, message, timestamp: Some(timestamp(at).into()) }
    }

    /// Returns the messages of both sides, oldest first. Answers given through another protocol are known only by their
    /// effect.
    fn history(&self) -> Vec<Message> {
        let (task, context) = (&self.outcome.run, self.context());
        let mut history: Vec<(Timestamp, Message)> =
            self.note.said.iter().map(|said| (said.at, said.message.clone())).collect();
        if history.is_empty()
            && let Some(first) = self.log.first()
        {
            let words = vec![Part::text(self.requirement())];
            history.push((first.at, said(Role::User, words, task, context, first.at)));
        }
        for event in &self.log {
            if let StudioEventKind::Waiting { question, .. } = &event.kind {
                let parts = asked(question, self.language());
                history.push((event.at, said(Role::Agent, parts, task, context, event.at)));
            }
        }
        history.sort_by_key(|(at, _)| *at);
        history.into_iter().map(|(_, message)| message).collect()
    }

    /// Returns the run's artifacts: the document of its outcome, and its texts.
    pub(crate) async fn artifacts(&self, studio: &Studio) -> Vec<Artifact> {
        if self.outcome.status == RunStatus::Running {
            return Vec::new();
        }
        made(studio, &self.outcome, &self.note).await
    }
}

/// Returns a run's artifacts: the document of its outcome, and its texts.
pub(crate) async fn made(studio: &Studio, outcome: &Outcome, note: &TaskNote) -> Vec<Artifact> {
    let text = |id: String, name: &str, text: &str| Artifact {
        name: Some(name.to_owned()),
        ..artifact(&id, vec![Part::text(text).with_media_type("text/plain")])
    };
    let mut document = outcome.document();
    document["errors"] = outcome.errors.iter().map(|failure| json!({"code": failure.code})).collect();
    let document = Part::data(document).with_media_type("application/json");
    let mut artifacts = vec![Artifact { name: Some("outcome".into()), ..artifact("outcome", vec![document]) }];
    if let Some(task) = outcome.task_made().filter(|task| !task.output.is_empty()) {
        artifacts.push(text("answer".into(), "answer", &task.output));
    }
    for chapter in outcome.book_made().iter().flat_map(|book| &book.chapters) {
        match studio.chapter_text(&outcome.project, &chapter.document).await {
            Ok(prose) => artifacts.push(text(format!("chapter-{}", chapter.chapter), &chapter.title, &prose.text)),
            Err(error) => tracing::warn!(run = %outcome.run, %error, "chapter of the run not found"),
        }
    }
    artifacts.extend(staged(note));
    artifacts
}

/// Returns additional artifacts expected by the compatibility kit.
#[cfg(feature = "conformance")]
fn staged(note: &TaskNote) -> Vec<Artifact> {
    note.said.first().map(|said| crate::conformance::artifacts(&said.message.message_id)).unwrap_or_default()
}

#[cfg(not(feature = "conformance"))]
fn staged(_: &TaskNote) -> Vec<Artifact> {
    Vec::new()
}

/// Returns the task state of a run status; a client may have cancelled a waiting task.
pub(crate) fn state(status: RunStatus, is_canceled: bool) -> TaskState {
    match status {
        RunStatus::Running => TaskState::Working,
        RunStatus::Waiting if is_canceled => TaskState::Canceled,
        RunStatus::Waiting => TaskState::InputRequired,
        RunStatus::Done => TaskState::Completed,
        RunStatus::Failed => TaskState::Failed,
        RunStatus::Interrupted => TaskState::Canceled,
    }
}

fn recent(mut history: Vec<Message>, length: Option<i32>) -> Vec<Message> {
    if let Some(length) = length {
        let length = usize::try_from(length).unwrap_or(0);
        history.drain(..history.len().saturating_sub(length));
    }
    history
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn runs_stand_as_tasks_do() {
        for (status, is_canceled, expected) in [
            (RunStatus::Running, false, TaskState::Working),
            (RunStatus::Waiting, false, TaskState::InputRequired),
            (RunStatus::Waiting, true, TaskState::Canceled),
            // The run was resumed through another protocol.
            (RunStatus::Done, true, TaskState::Completed),
            (RunStatus::Failed, false, TaskState::Failed),
            (RunStatus::Interrupted, false, TaskState::Canceled),
        ] {
            assert_eq!(state(status, is_canceled), expected);
        }
    }

    #[test]
    fn a_history_is_as_long_as_wanted() {
        let messages = || {
            vec![Message::new(Role::User, vec![Part::text("一")]), Message::new(Role::Agent, vec![Part::text("二")])]
        };
        let kept = |length| {
            recent(messages(), length)
                .iter()
                .filter_map(|message| message.text().map(str::to_owned))
                .collect::<String>()
        };
        assert_eq!(
            (kept(None), kept(Some(0)), kept(Some(1)), kept(Some(9))),
            ("一二".into(), String::new(), "二".into(), "一二".into())
        );
    }
}
