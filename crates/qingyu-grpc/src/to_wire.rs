//! Conversion of the studio's results.

use prost_types::Timestamp;
use qingyu_studio::agents::progress::Progress;
use qingyu_studio::knowledge::SeriesBook;
use qingyu_studio::{
    LiveEvent, Outcome, ProjectAnswer, ProjectRow, RunQuestion, RunRow, RunStatus, RunSummary, SearchResults,
    StoryCheck, StudioEvent, StudioEventKind, UsageView,
};
use serde_json::Value;

use crate::proto::{self, run_event::Detail};
use crate::value::{document, object_to_wire};

/// Converts an event of a run.
pub(crate) fn event(event: &LiveEvent) -> proto::RunEvent {
    told(event, event.is_kept())
}

fn told(event: &StudioEvent, kept: bool) -> proto::RunEvent {
    let detail = match &event.kind {
        StudioEventKind::Progress(Progress::Text { agent, text }) => {
            Some(Detail::Text(proto::Text { agent: agent.clone(), text: text.clone() }))
        }
        StudioEventKind::Waiting { question: asked, question_id } => {
            Some(Detail::Question(question(asked, question_id.as_deref())))
        }
        StudioEventKind::Completed { summary: done } => Some(Detail::Summary(summary(done))),
        StudioEventKind::Failed { failure: why } => Some(Detail::Failure(failure(why))),
        _ => None,
    };
    let (kind, payload) = match &detail {
        // Streamed by the hundred, and completely described by its text.
        Some(Detail::Text(_)) => ("text".to_owned(), None),
        _ => {
            let mut payload = document(&event.kind);
            let kind = payload.fields.remove("kind").map(crate::value::from_wire);
            let kind = kind.as_ref().and_then(Value::as_str).unwrap_or_default().to_owned();
            (kind, Some(payload))
        }
    };
    proto::RunEvent {
        seq: event.seq,
        at: Some(time(event.at)),
        run: event.run.clone(),
        project: event.project.clone(),
        kind,
        kept,
        payload,
        detail,
    }
}

/// Converts a question.
fn question(question: &RunQuestion, id: Option<&str>) -> proto::Question {
    let mut details = document(question);
    let asks = details.fields.remove("asks").map(crate::value::from_wire);
    let text = match question {
        RunQuestion::Turn { turn } => turn.text.clone(),
        RunQuestion::Directions(_)
        | RunQuestion::HumanReview(_)
        | RunQuestion::Chapters(_)
        | RunQuestion::Breakpoint { .. }
        | RunQuestion::Agents(_)
        | RunQuestion::Writes(_) => String::new(),
    };
    let asks = asks.as_ref().and_then(Value::as_str).unwrap_or_default().to_owned();
    proto::Question { asks, text, details: Some(details), id: id.unwrap_or_default().to_owned() }
}

fn summary(summary: &RunSummary) -> proto::Summary {
    proto::Summary {
        status: status(summary.status).into(),
        quality_score: summary.quality_score.map(u32::from),
        passed: summary.passed,
        iteration_count: summary.iteration_count,
        pieces: summary.pieces.iter().map(|(kind, count)| (kind.clone(), *count as u64)).collect(),
        usage: Some(usage(&summary.usage)),
        millis: summary.millis,
    }
}

fn failure(failure: &qingyu_studio::FailureRecord) -> proto::Failure {
    proto::Failure {
        code: failure.code.clone(),
        message: failure.message.clone(),
        data: Some(object_to_wire(failure.data.clone().into_iter().collect())),
    }
}

fn usage(usage: &UsageView) -> proto::Usage {
    proto::Usage {
        input: usage.input,
        output: usage.output,
        calls: usage.calls,
        cost_micros: usage.cost.as_ref().map(|cost| cost.micros),
        currency: usage.cost.as_ref().map(|cost| cost.currency.clone()),
    }
}

/// Converts a run status.
pub(crate) fn status(status: RunStatus) -> proto::RunStatus {
    match status {
        RunStatus::Running => proto::RunStatus::Running,
        RunStatus::Waiting => proto::RunStatus::Waiting,
        RunStatus::Done => proto::RunStatus::Done,
        RunStatus::Failed => proto::RunStatus::Failed,
        RunStatus::Interrupted => proto::RunStatus::Interrupted,
    }
}

fn time(time: impl Into<std::time::SystemTime>) -> Timestamp {
    time.into().into()
}

/// Converts a listed run.
pub(crate) fn run(row: RunRow) -> proto::Run {
    proto::Run {
        status: status(row.status).into(),
        started: Some(time(row.started)),
        ended: row.ended.map(time),
        quality_score: row.quality_score.map(u32::from),
        usage: Some(usage(&row.usage)),
        approver: row.approver,
        run: row.run,
        project: row.project,
        title: row.title,
        requirement: row.requirement,
        model: row.model,
    }
}

/// Converts the outcome of a run, with its results.
pub(crate) fn outcome(outcome: &Outcome) -> proto::GetRunResponse {
    proto::GetRunResponse {
        run: outcome.run.clone(),
        project: outcome.project.clone(),
        status: status(outcome.status).into(),
        question: outcome.question.as_ref().map(|asked| question(asked, outcome.question_id.as_deref())),
        errors: outcome.errors.iter().map(failure).collect(),
        document: Some(document(&outcome.document())),
        approver: outcome.approver.clone(),
    }
}

/// Converts a listed project.
pub(crate) fn project(row: ProjectRow) -> proto::Project {
    let language = serde_json::to_value(row.language).ok();
    proto::Project {
        language: language.as_ref().and_then(Value::as_str).unwrap_or_default().to_owned(),
        created: Some(time(row.created)),
        updated: Some(time(row.updated)),
        project: row.project,
        title: row.title,
        premise: row.premise,
        version: row.version,
        branch_of: row.branch_of,
        branch: row.branch,
    }
}

/// Converts an answer with its sources.
pub(crate) fn answered(answered: &ProjectAnswer) -> proto::AskResponse {
    let citation = |cited: &qingyu_studio::agents::output::Quoted| {
        let passage = answered.passages.iter().find(|passage| passage.number == cited.number);
        let range = passage.and_then(|passage| passage.citation.range.as_ref());
        proto::Citation {
            number: cited.number as u32,
            quote: cited.quote.clone(),
            heading: passage.map(|passage| passage.heading.clone()).unwrap_or_default(),
            name: passage.map(|passage| passage.citation.name.clone()).unwrap_or_default(),
            version: passage.map(|passage| passage.citation.version).unwrap_or_default(),
            start: range.map(|range| range.start as u64),
            end: range.map(|range| range.end as u64),
            book: title_of(passage.and_then(|passage| passage.book.as_ref())),
        }
    };
    proto::AskResponse {
        answer: answered.answer.clone(),
        holds: answered.holds,
        citations: answered.citations.iter().map(citation).collect(),
        model: answered.model.clone(),
        document: Some(document(answered)),
    }
}

/// Converts search results.
pub(crate) fn searched(searched: SearchResults) -> proto::SearchResponse {
    let hits = searched.hits.into_iter().map(|hit| proto::Hit {
        details: Some(document(&hit)),
        book: title_of(hit.book.as_ref()),
        score: hit.score,
        heading: hit.chunk.heading,
        text: hit.chunk.text,
    });
    proto::SearchResponse { hits: hits.collect(), names: searched.names, pattern: searched.pattern }
}

/// Returns the title of an earlier book; empty for none.
fn title_of(book: Option<&SeriesBook>) -> String {
    book.map(|book| book.title.clone()).unwrap_or_default()
}

/// Converts the findings of a check.
pub(crate) fn checkup(checkup: &StoryCheck) -> proto::CheckResponse {
    proto::CheckResponse {
        version: checkup.version,
        score: checkup.score.map(u32::from),
        findings: checkup.findings.iter().map(document).collect(),
        basis: Some(document(&checkup.basis)),
        mendable: checkup.mendable.clone(),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    /// Returns events as stored in the log of a run.
    fn recorded() -> Vec<StudioEvent> {
        let event = |seq: u64, kind: Value| {
            let mut event = json!({"seq": seq, "at": "2026-01-02T03:04:05.5Z", "run": "r-1", "project": "p-1"});
            event.as_object_mut().unwrap().extend(kind.as_object().unwrap().clone());
            serde_json::from_value(event).unwrap()
        };
        let failure = json!({"code": "no_key", "message": "no key", "data": {"variable": "K"}});
        let turn = json!({"phase": "brief", "asks": "answer", "text": "给谁看？", "fields": [], "options": []});
        vec![
            event(1, json!({"kind": "saved", "version": 2, "pieces": 3, "agent": "outline"})),
            event(1, json!({"kind": "text", "agent": "writer", "text": "夜里"})),
            event(2, json!({"kind": "waiting", "question": {"asks": "turn", "turn": turn}})),
            event(3, json!({"kind": "failed", "failure": failure})),
            event(4, json!({"kind": "interrupted"})),
        ]
    }

    #[test]
    fn events_keep_their_number_time_kind_and_fields() {
        let sent: Vec<_> = recorded().iter().map(|event| told(event, true)).collect();
        let kinds: Vec<_> = sent.iter().map(|event| (event.seq, event.kind.as_str())).collect();
        assert_eq!(kinds, [(1, "saved"), (1, "text"), (2, "waiting"), (3, "failed"), (4, "interrupted")]);
        assert_eq!(sent[0].at, Some(Timestamp { seconds: 1_767_323_045, nanos: 500_000_000 }));
        let payload = sent[0].payload.clone().map(crate::value::object_from_wire);
        assert_eq!(payload, Some(json!({"version": 2, "pieces": 3, "agent": "outline"})));
    }

    #[test]
    fn what_most_clients_look_for_has_types() {
        let details: Vec<_> = recorded().iter().map(|event| told(event, true).detail).collect();
        let text = proto::Text { agent: "writer".into(), text: "夜里".into() };
        assert_eq!((&details[0], &details[1], &details[4]), (&None, &Some(Detail::Text(text)), &None));
        let Some(Detail::Question(question)) = &details[2] else { panic!("{details:?}") };
        assert_eq!((question.asks.as_str(), question.text.as_str()), ("turn", "给谁看？"));
        let Some(Detail::Failure(failure)) = &details[3] else { panic!("{details:?}") };
        assert_eq!(failure.code, "no_key");
        assert!(failure.data.as_ref().unwrap().fields.contains_key("variable"));
    }
}
