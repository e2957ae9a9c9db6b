//! Waiting runs as interrupts: a question is an interrupt of the node `human`. A breakpoint is no question: it has due
//! nodes and no interrupt, by which clients tell the two apart.

use qingyu_studio::RunQuestion;
use serde_json::{Value, json};

/// Returns the interrupts of a waiting run: its question, under the id of the run; none at a breakpoint.
pub(super) fn interrupts(run: &str, question: &RunQuestion) -> Value {
    if question.is_breakpoint() { json!([]) } else { json!([{"value": question, "id": run}]) }
}

/// Returns the names of the due nodes of a waiting run.
pub(super) fn next(question: &RunQuestion) -> Vec<String> {
    if let RunQuestion::Breakpoint { next, .. } = question { next.clone() } else { vec!["human".to_owned()] }
}

/// Returns the due nodes `next` as tasks, with the question of the run, if it asks one.
pub(super) fn tasks(run: &str, next: &[String], question: Option<&RunQuestion>) -> Vec<Value> {
    let asked = question.filter(|question| !question.is_breakpoint());
    let interrupts = asked.map_or_else(|| json!([]), |question| interrupts(run, question));
    let id = |node: &str| if asked.is_some() { run.to_owned() } else { format!("{run}-{node}") };
    let task = |node: &String| {
        json!({"id": id(node), "name": node, "error": null, "interrupts": interrupts,
               "checkpoint": null, "state": null, "result": null})
    };
    next.iter().map(task).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_question_interrupts_and_a_breakpoint_only_stops() {
        let of = |question: Value| serde_json::from_value::<RunQuestion>(question).unwrap();
        let turn = of(json!({"asks": "turn"}));
        assert_eq!((next(&turn), &interrupts("r-1", &turn)[0]["id"]), (vec!["human".to_owned()], &json!("r-1")));
        assert_eq!(tasks("r-1", &next(&turn), Some(&turn))[0]["interrupts"][0]["value"]["asks"], "turn");
        let stop = of(json!({"asks": "breakpoint", "before": ["a"], "next": ["a", "b"]}));
        assert_eq!((next(&stop), interrupts("r-1", &stop)), (vec!["a".to_owned(), "b".to_owned()], json!([])));
        assert_eq!(tasks("r-1", &["a".to_owned()], None)[0]["id"], "r-1-a");
        let tasks = tasks("r-1", &next(&stop), Some(&stop));
        assert_eq!(
            (&tasks[1]["id"], &tasks[1]["name"], &tasks[1]["interrupts"]),
            (&json!("r-1-b"), &json!("b"), &json!([]))
        );
    }
}
