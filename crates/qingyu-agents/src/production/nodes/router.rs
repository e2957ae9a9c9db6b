//! Finds out what the user wants: by their words where these are clear, else by a model, else by asking.

use std::sync::Arc;

use qingyu_graph::{Command, Context, NodeError};
use qingyu_production::router::{Routing, Situation, route};
use qingyu_production::{Board, Intent};
use serde::{Deserialize, Serialize};

use crate::production::carry_out::{carry_out, work_on};
use crate::production::context::RouteAsking;
use crate::production::desk::{Desk, current};
use crate::production::notice::Notice;
use crate::production::order::{Asks, Order, Turn};
use crate::production::state::Work;
use crate::production::{CHAT, ContentProductionState, INTERVIEW, ProductionRoom, QUERY, Routed, material};
use crate::prompts::Name;

/// Below this a model's opinion is a guess, and the user is asked.
const SURE: f64 = 0.6;

/// What the words say by themselves, and what a model would be asked.
#[derive(Debug, Clone, Serialize, Deserialize)]
struct Seen {
    routing: Routing,
    asking: RouteAsking,
    /// What was unclear before, if the user was asked to choose.
    unclear: Option<String>,
}

pub(in crate::production) async fn run(
    room: Arc<ProductionRoom>,
    state: Arc<ContentProductionState>,
    context: Context,
) -> Result<Command<ContentProductionState>, NodeError> {
    let mut desk = Desk::new(&room, &state, &context);
    let words = state.order.as_ref().and_then(Order::words).unwrap_or_default().to_owned();
    let Seen { routing, asking, unclear } = desk.see(|story| seen(&state, story, &words)).await?;
    let mut routed = Routed {
        intent: routing.intent,
        fields: routing.fields.clone(),
        phase: routing.phase.clone(),
        instruction: routing.instruction.clone(),
        confidence: routing.confidence,
    };
    let mut is_sure = routing.is_sure;
    if !is_sure {
        let names = [Name::PRODUCTION_SYSTEM, Name::PRODUCTION_ROUTE];
        let known: Vec<String> = asking.fields.iter().map(|field| field.path.clone()).collect();
        let phases = asking.phases.clone();
        let check = move |routed: &Routed| problems(routed, &known, &phases);
        let call = desk.seat().call(desk.asked("route", String::new(), names, 0.0), &asking, &asking)?;
        match desk.counted(call.ask(Some(&check)).await?) {
            Ok(answer) => {
                is_sure = answer.confidence >= SURE;
                routed = answer;
            }
            Err(error) => desk.warn(&Notice::RouteUnread { error: &error }),
        }
    }
    if !is_sure {
        return Ok(which(desk, &routed, &routing));
    }
    desk.reason(&Notice::Took { intent: routed.intent, why: &routing.why });
    // What was unclear is what the chosen thing is about.
    if let Some(unclear) = unclear.filter(|_| routed.instruction.trim().is_empty() || routed.instruction == words) {
        routed.instruction = unclear;
    }
    let (story, _) = desk.load().await?;
    let fields = routed.fields;
    match routed.intent {
        Intent::AdvancePhase => match routed.phase.filter(|phase| is_elsewhere(&state, phase)) {
            Some(phase) => carry_out(desk, &story, Order::Revisit { phase }).await,
            None => carry_out(desk, &story, Order::Advance).await,
        },
        Intent::Research => {
            carry_out(desk, &story, Order::Research { question: routed.instruction, max_sources: None }).await
        }
        Intent::Generate => {
            let order = Order::Make { fields, instruction: routed.instruction, is_change: false };
            carry_out(desk, &story, order).await
        }
        Intent::Modify => {
            let order = Order::Make { fields, instruction: routed.instruction, is_change: true };
            carry_out(desk, &story, order).await
        }
        Intent::Query => Ok(work_on(desk, Work { wanted: fields, ..Work::default() }, QUERY)),
        // In an interview, talk is an answer, and the next question follows.
        Intent::Chat if asking.is_interview => Ok(desk.goto(INTERVIEW)),
        Intent::Chat => Ok(work_on(desk, Work { wanted: fields, ..Work::default() }, CHAT)),
    }
}

fn seen(state: &ContentProductionState, story: &qingyu_story::Story, words: &str) -> Seen {
    let phase = current(story).map(|(phase, _)| phase);
    let production = story.production.clone().unwrap_or_default();
    let is_interview = phase.as_ref().is_some_and(|phase| {
        let is_open = !Board::new(&story.fields).open(&phase.name, false).is_empty();
        phase.kind == qingyu_story::production::PhaseKind::Interview && is_open
    });
    let waits_for_confirmation = state.turn.asks == Asks::Confirm;
    let situation = Situation {
        fields: &story.fields,
        phases: &production.phases,
        current_phase: &production.current_phase,
        is_interview,
        waits_for_confirmation,
    };
    let routing = route(words, &situation);
    let mut conversation = state.lines(state.config.conversation_lines);
    conversation.pop();
    let asking = RouteAsking {
        language: state.language,
        text: words.to_owned(),
        phase: production.current_phase.clone(),
        is_interview,
        waits_for_confirmation,
        phases: production.phases.iter().map(|phase| phase.name.clone()).collect(),
        fields: material::field_lines(story),
        conversation,
        floor: Some(routing.intent),
    };
    // The unclear words are the user's last but one; the last agent line asked which of the meanings it is.
    let said: Vec<_> =
        state.messages.iter().rev().filter(|spoken| spoken.who == super::super::context::Who::User).collect();
    let unclear = said.get(1).filter(|_| state.turn.asks == Asks::Choose).map(|spoken| spoken.text.clone());
    Seen { routing, asking, unclear }
}

fn problems(routed: &Routed, fields: &[String], phases: &[String]) -> Vec<String> {
    let unknown =
        routed.fields.iter().filter(|path| !fields.contains(path)).map(|path| format!("there is no field {path}"));
    let phase =
        routed.phase.iter().filter(|phase| !phases.contains(phase)).map(|phase| format!("there is no phase {phase}"));
    let range = (!(0.0..=1.0).contains(&routed.confidence)).then(|| "confidence is from 0 to 1".to_owned());
    unknown.chain(phase).chain(range).collect()
}

fn is_elsewhere(state: &ContentProductionState, phase: &str) -> bool {
    phase != state.current_phase && state.autonomy_settings.contains_key(phase)
}

/// Asks the user what they meant.
fn which(desk: Desk<'_>, routed: &Routed, routing: &Routing) -> Command<ContentProductionState> {
    let mut options = vec![routed.intent, routing.intent];
    options.extend(routing.others.iter().copied());
    if options.iter().all(|intent| *intent == options[0]) {
        options.push(if options[0] == Intent::Chat { Intent::Modify } else { Intent::Chat });
    }
    let mut seen = Vec::new();
    options.retain(|intent| {
        let is_new = !seen.contains(intent);
        seen.push(*intent);
        is_new
    });
    let text = Notice::WhichOf { options: &options }.text(desk.language());
    let phase = desk.state.current_phase.clone();
    desk.listen(Turn { phase, asks: Asks::Choose, text, options, ..Turn::default() })
}
