//! Conversion of requests. Requests are deserialized as the studio's own types, for the same validation errors.

use qingyu_studio::operations::StartRequest;
use qingyu_studio::{Error, RunAnswer};
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

use crate::proto::{self, answer, order, start, write_work};
use crate::value::object_from_wire;

/// Deserializes a request from fields; null fields are removed.
///
/// Fails with [`Error::BadRequest`], naming the field.
pub(crate) fn request<T: DeserializeOwned>(mut fields: Value) -> Result<T, Error> {
    if let Some(fields) = fields.as_object_mut() {
        fields.retain(|_, value| !value.is_null());
    }
    serde_path_to_error::deserialize(fields)
        .map_err(|error| Error::BadRequest { path: error.path().to_string(), message: error.inner().to_string() })
}

/// Returns a required field.
pub(crate) fn needed<T>(field: &str, value: Option<T>) -> Result<T, Error> {
    value.ok_or_else(|| Error::BadRequest { path: field.into(), message: "it is missing".into() })
}

fn object(fields: Option<prost_types::Struct>) -> Value {
    object_from_wire(fields.unwrap_or_default())
}

/// Converts the request to start a run.
pub(crate) fn start(start: Option<proto::Start>) -> Result<StartRequest, Error> {
    let proto::Start { work, model, overrides } = needed("start", start)?;
    let mut fields = match needed("start.work", work.clone())? {
        start::Work::Create(create) => json!({
            "requirement": create.requirement,
            "language": create.language,
            "project": create.project,
            "title": create.title,
            "genre": create.genre,
            "target_audience": create.target_audience,
            "chapter_count": create.chapter_count,
        }),
        start::Work::Write(write) => json!({
            "project": write.project,
            "task": write.task.map(task),
            "words": write.words,
            "style_sample": write.style_sample,
            "brief_only": write.brief_only,
        }),
        start::Work::Task(work) => {
            let mut task = object(work.task);
            task["description"] = work.description.into();
            json!({"project": work.project, "task": task, "options": object(work.options)})
        }
        start::Work::Produce(produce) => json!({
            "premise": produce.premise,
            "template": produce.template,
            "title": produce.title,
            "language": produce.language,
            "autonomy": produce.autonomy.into_iter().collect::<Vec<_>>(),
        }),
        start::Work::Tell(tell) => {
            json!({"project": tell.project, "order": tell.order.map(order).transpose()?})
        }
    };
    fields["model"] = json!(model);
    fields["overrides"] = object(overrides);
    Ok(match work {
        Some(start::Work::Write(_)) => StartRequest::Write(request(fields)?),
        Some(start::Work::Task(_)) => StartRequest::Task(Box::new(request(fields)?)),
        Some(start::Work::Produce(_)) => StartRequest::Produce(request(fields)?),
        Some(start::Work::Tell(_)) => StartRequest::Tell(request(fields)?),
        Some(start::Work::Create(_)) | None => StartRequest::Create(request(fields)?),
    })
}

fn task(task: write_work::Task) -> Value {
    match task {
        write_work::Task::Draft(of) => json!({"kind": "draft", "chapters": chapters(of)}),
        write_work::Task::Correct(of) => json!({"kind": "correct", "chapters": chapters(of)}),
        write_work::Task::Read(of) => json!({"kind": "read", "chapters": chapters(of)}),
        write_work::Task::Rewrite(rewrite) => {
            let named = Some(rewrite.named).filter(|named| !named.is_empty());
            let chapter = named.map_or_else(|| json!(rewrite.chapter), Value::from);
            let mut task = json!({"kind": "rewrite", "chapter": chapter, "instruction": rewrite.instruction});
            if let Some(part) = rewrite.part {
                task["part"] = object_from_wire(part);
            }
            task
        }
    }
}

/// Returns the chapters by number, then the chapters by other names.
fn chapters(of: proto::Chapters) -> Value {
    of.chapters.into_iter().map(Value::from).chain(of.named.into_iter().map(Value::from)).collect()
}

fn order(order: proto::Order) -> Result<Value, Error> {
    Ok(match needed("order.order", order.order)? {
        order::Order::Say(text) => json!({"do": "say", "text": text}),
        order::Order::Advance(proto::Advance {}) => json!({"do": "advance"}),
        order::Order::Other(fields) => object_from_wire(fields),
    })
}

/// Converts a person's answer.
pub(crate) fn answer(answer: proto::Answer) -> Result<RunAnswer, Error> {
    request(match needed("answer.answer", answer.answer)? {
        answer::Answer::Approve(proto::Approve {}) => json!({"answer": "approve"}),
        answer::Answer::Reject(reject) => json!({"answer": "reject", "feedback": reject.feedback}),
        answer::Answer::Edit(edit) => json!({"answer": "edit", "material": object(edit.material)}),
        answer::Answer::Decide(decide) => {
            json!({"answer": "decide", "answers": decide.answers, "choices": decide.choices})
        }
        answer::Answer::Direct(direct) => {
            json!({"answer": "direct", "direction": direct.direction, "mix": direct.mix, "words": direct.words})
        }
        answer::Answer::Order(given) => json!({"answer": "order", "order": order(given)?}),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::proto::*;

    fn asked(work: start::Work) -> Result<Value, Error> {
        let asked = super::start(Some(proto::Start { work: Some(work), model: Some("m".into()), overrides: None }))?;
        Ok(serde_json::to_value(asked).unwrap())
    }

    #[test]
    fn every_work_becomes_what_the_studio_is_asked() {
        let create = CreateWork { requirement: "灯塔".into(), title: Some("信".into()), ..CreateWork::default() };
        let created = asked(start::Work::Create(create)).unwrap();
        assert_eq!(
            (&created["kind"], &created["title"], &created["model"]),
            (&json!("create"), &json!("信"), &json!("m"))
        );

        let (genre, audience) = (Some("武侠".to_owned()), Some("中学生".to_owned()));
        let outlined = CreateWork { genre, target_audience: audience, chapter_count: Some(6), ..CreateWork::default() };
        let outlined = asked(start::Work::Create(outlined)).unwrap();
        assert_eq!(
            (&outlined["genre"], &outlined["target_audience"], &outlined["chapter_count"]),
            (&json!("武侠"), &json!("中学生"), &json!(6))
        );

        let rewrite = Rewrite { chapter: 3, instruction: "短".into(), ..Rewrite::default() };
        let write =
            WriteWork { project: "p".into(), task: Some(write_work::Task::Rewrite(rewrite)), ..WriteWork::default() };
        let written = asked(start::Work::Write(write)).unwrap();
        assert_eq!((&written["task"]["kind"], &written["task"]["chapter"]), (&json!("rewrite"), &json!(3)));

        let task = TaskWork { project: "p".into(), description: "查".into(), ..TaskWork::default() };
        assert_eq!(asked(start::Work::Task(task)).unwrap()["task"]["description"], "查");

        let produce = ProduceWork { premise: "课".into(), ..ProduceWork::default() };
        assert_eq!(asked(start::Work::Produce(produce)).unwrap()["premise"], "课");

        let say = proto::Order { order: Some(order::Order::Say("继续".into())) };
        let told = asked(start::Work::Tell(TellWork { project: "p".into(), order: Some(say) })).unwrap();
        assert_eq!(told["order"], json!({"do": "say", "text": "继续"}));
    }

    #[test]
    fn a_wrong_field_is_named() {
        let path = |error| match error {
            Error::BadRequest { path, .. } => path,
            other => panic!("{other:?}"),
        };
        assert_eq!(path(super::start(None).unwrap_err()), "start");
        assert_eq!(path(super::start(Some(proto::Start::default())).unwrap_err()), "start.work");
        let create = CreateWork { requirement: "灯".into(), language: Some("tlh".into()), ..CreateWork::default() };
        assert_eq!(path(asked(start::Work::Create(create)).unwrap_err()), "language");
    }

    #[test]
    fn every_answer_becomes_what_a_person_says() {
        let said = |answer| super::answer(proto::Answer { answer: Some(answer) });
        assert_eq!(said(answer::Answer::Approve(Approve {})).unwrap(), RunAnswer::Approve);
        let reject = RunAnswer::Reject { feedback: "短".into() };
        assert_eq!(said(answer::Answer::Reject(Reject { feedback: "短".into() })).unwrap(), reject);
        let advance = proto::Order { order: Some(order::Order::Advance(Advance {})) };
        assert!(matches!(said(answer::Answer::Order(advance)).unwrap(), RunAnswer::Order { .. }));
        let decide = Decide { answers: [("q-1".into(), "accept".into())].into(), ..Decide::default() };
        assert!(matches!(said(answer::Answer::Decide(decide)).unwrap(), RunAnswer::Decide { .. }));
        let unknown = Decide { answers: [("q-1".into(), "perhaps".into())].into(), ..Decide::default() };
        assert_eq!(said(answer::Answer::Decide(unknown)).unwrap_err().code(), "bad_request");
        assert_eq!(super::answer(proto::Answer::default()).unwrap_err().code(), "bad_request");
    }
}
