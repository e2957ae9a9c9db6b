//! The node that determines the user's intent: by rules where the words are clear, then by a model, finally by asking.

use std::sync::Arc;

use qingyu_graph::{Command, Context, NodeError};
use qingyu_production::router::{Routing, RoutingContext, route};
use qingyu_production::{FieldBoard, Intent};
use serde::{Deserialize, Serialize};

use crate::production::Routed;
use crate::production::carry_out::{carry_out, confirm, propose_update, work_on};
use crate::production::context::RouteContext;
use crate::production::desk::{ProductionNode, current, meant};
use crate::production::material;
use crate::production::names::{CHAT, INTERVIEW, QUERY};
use crate::production::notice::ProductionNotice;
use crate::production::order::{Asks, Order, Turn};
use crate::production::resources::ProductionResources;
use crate::production::state::{ContentProductionState, Work};
use crate::prompts::PromptName;

/// Minimum confidence of a model's answer; below it, the user is asked.
const SURE: f64 = 0.6;
/// Minimum confidence of the word lists to decide alone if no model answers.
const BY_WORDS: f64 = 0.7;
/// Minimum confidence of a model's answer to work on it without the user's agreement.
const CERTAIN: f64 = 0.8;

/// The intent found by rules, and the context for the model.
#[derive(Debug, Clone, Serialize, Deserialize)]
struct RouterInput {
    routing: Routing,
    asking: RouteContext,
    /// The unclear words, if the user was asked to choose their meaning.
    unclear: Option<String>,
}

pub(in crate::production) async fn run(
    room: Arc<ProductionResources>,
    state: Arc<ContentProductionState>,
    context: Context,
) -> Result<Command<ContentProductionState>, NodeError> {
    let mut desk = ProductionNode::new(&room, &state, &context);
    let words = state.order.as_ref().and_then(Order::words).unwrap_or_default().to_owned();
    let RouterInput { routing, asking, unclear } = desk.see(|story| seen(&state, story, &words)).await?;
    let mut routed = Routed {
        intent: routing.intent,
        fields: routing.fields.clone(),
        phase: routing.phase.clone(),
        instruction: routing.instruction.clone(),
        confidence: routing.confidence,
    };
    let mut is_sure = routing.is_sure;
    let by_model = !is_sure;
    if state.turn.asks == Asks::Agree
        && is_sure
        && matches!(routing.intent, Intent::AdvancePhase | Intent::Confirm)
        && let Some(order) = state.turn.proposal.clone()
    {
        let (story, _) = desk.load().await?;
        return carry_out(desk, &story, *order).await;
    }
    if by_model {
        let names = [PromptName::PRODUCTION_SYSTEM, PromptName::PRODUCTION_ROUTE];
        let known: Vec<String> = asking.fields.iter().map(|field| field.path.clone()).collect();
        let phases = asking.phases.clone();
        let check = move |routed: &Routed| problems(routed, &known, &phases);
        let call = desk.seat().call(desk.asked("route", String::new(), names, 0.0), &asking, &asking)?;
        match desk.counted(call.ask(Some(&check)).await?) {
            Ok(answer) => {
                is_sure = answer.confidence >= SURE;
                routed = answer;
            }
            Err(error) => {
                is_sure = routing.confidence >= BY_WORDS;
                desk.warn(&ProductionNotice::RouteUnread { error: &error });
            }
        }
    }
    if !is_sure {
        return Ok(which(desk, &routed, &routing));
    }
    desk.reason(&ProductionNotice::Took { intent: routed.intent, why: &routing.why });
    // The earlier, unclear words are the instruction of the chosen intent.
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
            let order = Order::Research { question: routed.instruction, max_sources: None };
            begin(desk, &story, routed.intent, order, by_model, routed.confidence).await
        }
        Intent::Generate | Intent::Modify => {
            let is_change = routed.intent == Intent::Modify;
            let order = Order::Make { fields, instruction: routed.instruction, is_change };
            begin(desk, &story, routed.intent, order, by_model, routed.confidence).await
        }
        // A confirmation costs nothing and can be undone.
        Intent::Confirm => confirm(desk, &story, &fields).await,
        Intent::Update if by_model => propose_update(desk, &story).await,
        Intent::Update => carry_out(desk, &story, Order::MakeStale).await,
        Intent::Query => Ok(work_on(desk, Work { wanted: fields, ..Work::default() }, QUERY)),
        // In an interview, chat is an answer, and the next question follows.
        Intent::Chat if asking.is_interview => Ok(desk.goto(INTERVIEW)),
        Intent::Chat => Ok(work_on(desk, Work { wanted: fields, ..Work::default() }, CHAT)),
    }
}

/// Says back what a model understood, and begins; asks first if it is more than one field, a research, or uncertain.
async fn begin(
    mut desk: ProductionNode<'_>,
    story: &qingyu_story::Story,
    intent: Intent,
    order: Order,
    by_model: bool,
    confidence: f64,
) -> Result<Command<ContentProductionState>, NodeError> {
    if !by_model {
        return carry_out(desk, story, order).await;
    }
    let board = FieldBoard::new(&story.fields);
    let (given, instruction) = match &order {
        Order::Make { fields, instruction, .. } => (fields.clone(), instruction.clone()),
        order => (Vec::new(), order.words().unwrap_or_default().to_owned()),
    };
    // A list means its items: each is a separate piece of work.
    let meant = meant(story, &given).unwrap_or_else(|_| given.clone());
    let title = |path: &String| board.title(path);
    let titles: Vec<String> = given.iter().map(title).collect();
    if meant.len() > 1 || intent == Intent::Research || confidence < CERTAIN {
        let notice = ProductionNotice::AgreeTo { intent, titles: &titles, instruction: &instruction };
        let text = notice.text(desk.language());
        let phase = desk.state.current_phase.clone();
        let proposal = Some(Box::new(order));
        return Ok(desk.listen(Turn { phase, asks: Asks::Agree, text, fields: given, proposal, ..Turn::default() }));
    }
    desk.say_back(&ProductionNotice::Understood { intent, titles: &titles, instruction: &instruction });
    carry_out(desk, story, order).await
}

fn seen(state: &ContentProductionState, story: &qingyu_story::Story, words: &str) -> RouterInput {
    let phase = current(story).map(|(phase, _)| phase);
    let production = story.production.clone().unwrap_or_default();
    let is_interview = phase.as_ref().is_some_and(|phase| {
        let is_open = !FieldBoard::new(&story.fields).open(&phase.name, false).is_empty();
        phase.kind == qingyu_story::production::PhaseKind::Interview && is_open
    });
    let waits_for_confirmation = matches!(state.turn.asks, Asks::Confirm | Asks::Agree);
    let situation = RoutingContext {
        fields: &story.fields,
        phases: &production.phases,
        current_phase: &production.current_phase,
        is_interview,
        waits_for_confirmation,
    };
    let routing = route(words, &situation);
    let mut conversation = state.lines(state.config.conversation_lines);
    conversation.pop();
    let asking = RouteContext {
        language: state.language,
        text: words.to_owned(),
        phase: production.current_phase.clone(),
        is_interview,
        waits_for_confirmation,
        phases: production.phases.iter().map(|phase| phase.name.clone()).collect(),
        fields: material::field_lines(story),
        conversation,
        floor: Some(routing.intent),
        floor_confidence: routing.confidence,
        floor_fields: routing.fields.clone(),
        floor_phase: routing.phase.clone(),
    };
    // The unclear words are the user's last line but one; the last agent line asked for their meaning.
    let said: Vec<_> =
        state.messages.iter().rev().filter(|spoken| spoken.who == super::super::context::Who::User).collect();
    let unclear = said.get(1).filter(|_| state.turn.asks == Asks::Choose).map(|spoken| spoken.text.clone());
    RouterInput { routing, asking, unclear }
}

fn problems(routed: &Routed, fields: &[String], phases: &[String]) -> Vec<String> {
    // A list is named by its items' common path.
    let is_known = |path: &String| {
        let is_list = |field: &String| {
            path.contains('/') && field.strip_prefix(path.as_str()).is_some_and(|rest| rest.starts_with('/'))
        };
        fields.iter().any(|field| field == path || is_list(field))
    };
    let unknown = routed.fields.iter().filter(|path| !is_known(path)).map(|path| format!("there is no field {path}"));
    let phase =
        routed.phase.iter().filter(|phase| !phases.contains(phase)).map(|phase| format!("there is no phase {phase}"));
    let range = (!(0.0..=1.0).contains(&routed.confidence)).then(|| "confidence is from 0 to 1".to_owned());
    unknown.chain(phase).chain(range).collect()
}

fn is_elsewhere(state: &ContentProductionState, phase: &str) -> bool {
    phase != state.current_phase && state.autonomy_settings.contains_key(phase)
}

/// Asks the user for the meaning of their words.
fn which(desk: ProductionNode<'_>, routed: &Routed, routing: &Routing) -> Command<ContentProductionState> {
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
    let text = ProductionNotice::WhichOf { options: &options }.text(desk.language());
    let phase = desk.state.current_phase.clone();
    desk.listen(Turn { phase, asks: Asks::Choose, text, options, ..Turn::default() })
}
