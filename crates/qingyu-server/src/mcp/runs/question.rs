//! A run's question as a form for the person using a client, and parsing of the completed form.

use std::collections::BTreeMap;

use qingyu_story::Language;
use qingyu_studio::agents::direction::Direction;
use qingyu_studio::agents::levels::later::OwnPlan;
use qingyu_studio::agents::orchestrator::{AgentOption, UndecidedPart, Write};
use qingyu_studio::agents::production::Order;
use qingyu_studio::agents::writing::questions::About;
use qingyu_studio::agents::writing::{AuthorQuestion, Decision};
use qingyu_studio::{RunAnswer, RunQuestion};
use rmcp::model::{ElicitRequestParams, ElicitResult, ElicitationAction};
use serde_json::{Map, Value, json};

use crate::mcp::texts;

/// Maximum characters of an item shown in a question.
const SHOWN: usize = 400;

/// Returns the form for a question.
pub(in crate::mcp) fn form(question: &RunQuestion, language: Language) -> ElicitRequestParams {
    let text = |name: &str| texts::text(language, name);
    let verdict = || {
        json!({"type": "object", "required": ["decision"], "properties": {
            "decision": {"type": "string", "title": text("run.decision"), "oneOf": [
                {"const": "approve", "title": text("run.approve")}, {"const": "reject", "title": text("run.reject")}]},
            "feedback": {"type": "string", "title": text("run.feedback")}}})
    };
    let (message, schema) = match question {
        RunQuestion::Directions(offered) => {
            let line = |(number, direction): (usize, &Direction)| {
                format!("{}. {}: {}", number + 1, direction.title, shown(&direction.blurb))
            };
            let lines: Vec<String> = offered.directions.iter().enumerate().map(line).collect();
            let message = texts::filled(language, "run.directions", &[("directions", &lines.join("\n"))]);
            let schema = json!({"type": "object", "properties": {
                "say": {"type": "string", "title": text("run.direction")}}});
            (message, schema)
        }
        RunQuestion::HumanReview(review) => {
            let score = review.report.score().map_or_else(|| "–".to_owned(), |score| score.to_string());
            let words = [("reason", review.reason.as_str()), ("score", score.as_str())];
            (texts::filled(language, "run.review", &words), verdict())
        }
        RunQuestion::Writes(request) => {
            let write = |write: &Write| format!("{}: {}", write.proposal.title, shown(&write.proposal.text));
            let writes: Vec<String> = request.writes.iter().map(write).collect();
            (texts::filled(language, "run.writes", &[("writes", &writes.join("\n"))]), verdict())
        }
        RunQuestion::Agents(request) => {
            let one = |part: &UndecidedPart| {
                let option = |agent: &AgentOption| json!({"const": agent.name, "title": format!("{}: {}", agent.name, agent.does)});
                let options: Vec<Value> = part.agents.iter().map(option).collect();
                (part.task.clone(), json!({"type": "string", "title": shown(&part.description), "oneOf": options}))
            };
            let fields: Map<String, Value> = request.undecided.iter().map(one).collect();
            let needed: Vec<&String> = request.undecided.iter().map(|part| &part.task).collect();
            let schema = json!({"type": "object", "required": needed, "properties": fields});
            (text("run.agents").to_owned(), schema)
        }
        RunQuestion::Chapters(asked) => {
            let lines: Vec<String> = asked.questions.iter().map(|question| line(question, language)).collect();
            let fields: Map<String, Value> =
                asked.questions.iter().map(|question| (question.id.clone(), choice(question, language))).collect();
            let message = texts::filled(language, "run.chapters", &[("questions", &lines.join("\n"))]);
            (message, json!({"type": "object", "properties": fields}))
        }
        RunQuestion::Breakpoint { next, .. } => {
            let schema = json!({"type": "object", "required": ["decision"], "properties": {
                "decision": {"type": "string", "title": text("run.decision"), "oneOf": [
                    {"const": "approve", "title": text("run.approve")}]}}});
            (texts::filled(language, "run.breakpoint", &[("next", &next.join(", "))]), schema)
        }
        RunQuestion::Turn { turn } => {
            let schema = json!({"type": "object", "properties": {
                "say": {"type": "string", "title": text("run.say")},
                "advance": {"type": "boolean", "title": text("run.advance"), "default": false}}});
            (turn.text.clone(), schema)
        }
    };
    let requested_schema = serde_json::from_value(schema).expect("forms are made of words and choices");
    ElicitRequestParams::FormElicitationParams { meta: None, message, requested_schema }
}

/// Parses the person's answer; `None` if postponed.
pub(in crate::mcp) fn answer(question: &RunQuestion, given: &ElicitResult) -> Option<RunAnswer> {
    if given.action != ElicitationAction::Accept {
        return None;
    }
    let content = given.content.as_ref()?;
    let word = |name: &str| content.get(name).and_then(Value::as_str).unwrap_or_default();
    match question {
        RunQuestion::Directions(_) if word("say").trim().is_empty() => None,
        RunQuestion::Directions(_) => Some(RunAnswer::to_directions(word("say"))),
        RunQuestion::HumanReview(_) | RunQuestion::Writes(_) => match word("decision") {
            "approve" => Some(RunAnswer::Approve),
            "reject" => Some(RunAnswer::Reject { feedback: word("feedback").to_owned() }),
            _ => None,
        },
        RunQuestion::Agents(request) => {
            let one = |part: &UndecidedPart| {
                let name = word(&part.task);
                (!name.is_empty()).then(|| (part.task.clone(), name.to_owned()))
            };
            let choices = request.undecided.iter().map(one).collect::<Option<BTreeMap<_, _>>>()?;
            Some(RunAnswer::Decide { answers: BTreeMap::new(), choices })
        }
        RunQuestion::Chapters(asked) => {
            let (mut answers, mut choices) = (BTreeMap::new(), BTreeMap::new());
            for question in &asked.questions {
                let decision = match word(&question.id) {
                    "" | "later" => Decision::Later,
                    "accept" => Decision::Accept,
                    "reject" => Decision::Reject,
                    chosen => {
                        let chosen = chosen.strip_prefix(MEANT)?;
                        choices.insert(question.id.clone(), chosen.to_owned());
                        Decision::Accept
                    }
                };
                answers.insert(question.id.clone(), decision);
            }
            Some(RunAnswer::Decide { answers, choices })
        }
        RunQuestion::Breakpoint { .. } => (word("decision") == "approve").then_some(RunAnswer::Approve),
        RunQuestion::Turn { .. } if content.get("advance") == Some(&Value::Bool(true)) => {
            Some(RunAnswer::Order { order: Order::Advance })
        }
        RunQuestion::Turn { .. } if word("say").trim().is_empty() => None,
        RunQuestion::Turn { .. } => Some(RunAnswer::Order { order: Order::Say { text: word("say").to_owned() } }),
    }
}

/// Prefix of candidate ids, to avoid collisions with other values.
const MEANT: &str = "meant:";

/// Returns the schema of the possible answers to a question.
fn choice(question: &AuthorQuestion, language: Language) -> Value {
    let option = |value: &str, title: &str| json!({"const": value, "title": title});
    let candidates = match &question.about {
        About::Settlement { candidates, .. } if candidates.len() > 1 => candidates.as_slice(),
        _ => &[],
    };
    let mut options: Vec<Value> =
        candidates.iter().map(|candidate| option(&format!("{MEANT}{}", candidate.id), &candidate.name)).collect();
    if options.is_empty() {
        options.push(option("accept", texts::text(language, "run.accept")));
    }
    options.push(option("reject", texts::text(language, "run.deny")));
    options.push(option("later", texts::text(language, "run.later")));
    json!({"type": "string", "title": line(question, language), "oneOf": options})
}

/// Returns a question as a line of text.
fn line(question: &AuthorQuestion, language: Language) -> String {
    let about = match &question.about {
        About::BelowFloor { text, shortfalls } => {
            let titles: Vec<&str> = shortfalls.iter().map(|shortfall| shortfall.title.as_str()).collect();
            format!("{} “{}”", titles.join(", "), shown(text))
        }
        About::DraftKept { document, text } => format!("{document}: {}", shown(text)),
        About::Settlement { label, quote, candidates, .. } => {
            let known = candidates.iter().map(|one| match one.says.as_str() {
                "" => format!(" ↔ {}", one.name),
                says => format!(" ↔ {} “{}”", one.name, shown(says)),
            });
            format!("{label} “{}”{}", shown(quote), known.collect::<String>())
        }
        About::Gate { reason, left } => format!("{} ({left})", reason.subject()),
        About::AgainstInstruction { issue, quote, instruction, .. } => {
            format!("{issue} “{}” ↔ “{}”", shown(quote), shown(instruction))
        }
        About::LaterPlan(proposal) => {
            let own = proposal.own.map(|own| match own {
                OwnPlan::ByHand => texts::text(language, "run.plan_by_hand"),
                OwnPlan::Locked => texts::text(language, "run.plan_locked"),
            });
            let change = format!("“{}” → “{}”", shown(&proposal.before), shown(&proposal.after));
            format!("{} · {} {change}{}", proposal.reason, proposal.field_name, own.unwrap_or_default())
        }
    };
    format!("{} · {about}", question.title)
}

fn shown(text: &str) -> String {
    match text.char_indices().nth(SHOWN) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn question(value: Value) -> RunQuestion {
        serde_json::from_value(value).expect("a question")
    }

    /// Returns the fields of the form, and the answer parsed from `content`.
    fn filled(asked: &RunQuestion, content: Value) -> (Value, Option<RunAnswer>) {
        let form = serde_json::to_value(form(asked, Language::En)).expect("a form");
        let given = ElicitResult::new(ElicitationAction::Accept).with_content(content);
        (form, answer(asked, &given))
    }

    fn chapters() -> RunQuestion {
        let settled = |id: &str, candidates: Value| {
            json!({"id": id, "chapter": 1, "title": "第一章", "about": "settlement", "piece": "character", "label": "林青",
                "quote": "林青推开了门。", "confidence": 0.5, "doubt": {"doubt": "which", "name": "林青"},
                "candidates": candidates})
        };
        let two = json!([{"id": "c-1", "name": "林青"}, {"id": "later", "name": "林青之子"}]);
        question(json!({"asks": "chapters", "questions": [settled("q-1", json!([])), settled("q-2", two)]}))
    }

    #[test]
    fn a_verdict_is_read_as_it_was_given() {
        let review =
            json!({"asks": "human_review", "reason": "low_score", "report": {"quality_score": 61}, "answers": []});
        for asked in [question(review), question(json!({"asks": "writes", "writes": []}))] {
            let (form, said) = filled(&asked, json!({"decision": "approve"}));
            assert_eq!(said, Some(RunAnswer::Approve));
            assert_eq!(form["requestedSchema"]["required"], json!(["decision"]), "{form}");
            let (_, said) = filled(&asked, json!({"decision": "reject", "feedback": "太长"}));
            assert_eq!(said, Some(RunAnswer::Reject { feedback: "太长".into() }));
            for nothing in [json!({}), json!({"decision": "maybe"}), json!({"decision": 1})] {
                assert_eq!(filled(&asked, nothing).1, None);
            }
            assert_eq!(answer(&asked, &ElicitResult::new(ElicitationAction::Decline)), None);
        }
    }

    #[test]
    fn each_question_of_chapters_has_its_field() {
        let (form, said) = filled(&chapters(), json!({"q-1": "accept", "q-2": "meant:later"}));
        let decide = RunAnswer::Decide {
            answers: [("q-1".to_owned(), Decision::Accept), ("q-2".to_owned(), Decision::Accept)].into(),
            choices: [("q-2".to_owned(), "later".to_owned())].into(),
        };
        assert_eq!(said, Some(decide), "an id that is a word of the form is an id still");
        let options = |id: &str| form["requestedSchema"]["properties"][id]["oneOf"].as_array().map(Vec::len);
        assert_eq!((options("q-1"), options("q-2")), (Some(3), Some(4)), "{form}");
        let (_, said) = filled(&chapters(), json!({"q-1": "reject"}));
        let Some(RunAnswer::Decide { answers, choices }) = said else { panic!("{said:?}") };
        assert_eq!((answers["q-1"], answers["q-2"], choices.len()), (Decision::Reject, Decision::Later, 0));
        assert_eq!(filled(&chapters(), json!({"q-1": "perhaps"})).1, None);
    }

    #[test]
    fn an_agent_is_chosen_for_each_part() {
        let agents = json!([{"name": "analysis", "does": "分析"}, {"name": "checker", "does": "检查"}]);
        let part = |task: &str| json!({"task": task, "description": "看看", "agents": agents});
        let asked = question(json!({"asks": "agents", "undecided": [part("t1"), part("t2")]}));
        let (form, said) = filled(&asked, json!({"t1": "checker", "t2": "analysis"}));
        let choices = [("t1", "checker"), ("t2", "analysis")];
        let choices = choices.map(|(part, agent)| (part.to_owned(), agent.to_owned())).into();
        assert_eq!(said, Some(RunAnswer::Decide { answers: BTreeMap::new(), choices }));
        let schema = &form["requestedSchema"];
        assert_eq!(schema["properties"]["t2"]["oneOf"][1]["const"], "checker", "{form}");
        assert_eq!(schema["required"], json!(["t1", "t2"]));
        assert_eq!(filled(&asked, json!({"t1": "checker"})).1, None);
    }

    #[test]
    fn a_breakpoint_is_passed_or_left_alone() {
        let asked = question(json!({"asks": "breakpoint", "next": ["review_agent"]}));
        let (form, said) = filled(&asked, json!({"decision": "approve"}));
        assert!(form["message"].as_str().is_some_and(|message| message.contains("review_agent")), "{form}");
        assert_eq!(said, Some(RunAnswer::Approve));
        assert_eq!(filled(&asked, json!({})).1, None);
    }

    #[test]
    fn a_turn_is_answered_in_words_or_by_going_on() {
        let asked =
            question(json!({"asks": "turn", "turn": {"phase": "intent", "asks": "confirm", "text": "可以吗？"}}));
        let (form, said) = filled(&asked, json!({"say": "短一些"}));
        assert_eq!(form["message"], "可以吗？");
        assert_eq!(said, Some(RunAnswer::Order { order: Order::Say { text: "短一些".into() } }));
        assert_eq!(
            filled(&asked, json!({"say": "", "advance": true})).1,
            Some(RunAnswer::Order { order: Order::Advance })
        );
        assert_eq!(filled(&asked, json!({"say": " "})).1, None);
    }
}
