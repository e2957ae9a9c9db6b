//! Wishes of a person in a run: as instructions for agents, as steps of a plan, and in the report.
//!
//! A change requested for an existing story is handled like a correction: only pieces named in the request may change
//! ([`crate::specialist::guarded`]).

use qingyu_story::wish::{ReadWish, Wish, WishDemand, WishKind, WishState, additive, names_whole, read};
use qingyu_story::{
    Agent, Category, CorrectionInstruction, DiagnosticReport, Issue, Language, Names, PieceKind, Severity, Source,
    Story, Strategy,
};

use crate::meta_scheduler::{BY_A_PERSON, HumanOrder, agents_in_words};
use crate::plan::{ExecutionPlan, Step, check, schedule};

#[cfg(test)]
mod tests;

/// Returns the instructions for `agent` on an existing story: requests parsed as data, then all others combined into
/// one instruction without parameters, if they concern the agent's work.
pub(crate) fn instructions_for(requests: &[ReadWish], agent: Agent, story: &Story) -> Vec<CorrectionInstruction> {
    let mut told =
        numbered(requests, 1).filter_map(|(id, request)| request.instruction(story, &id)).collect::<Vec<_>>();
    let is_data = !told.is_empty() || requests.iter().any(ReadWish::is_read);
    told.retain(|instruction| instruction.target_agent == agent);
    let others = requests.iter().filter(|request| request.want == WishDemand::Other);
    let words = others.map(|request| request.text.as_str()).collect::<Vec<_>>().join("\n");
    if concerns(&words, agent, story, is_data) {
        told.push(in_words(format!("{BY_A_PERSON}request"), agent, words));
    }
    told
}

/// Returns whether free text concerns the work of `agent`: the text names a piece or the work itself, asks for more, or
/// names no piece at all while no other request says what to change.
fn concerns(words: &str, agent: Agent, story: &Story, is_data: bool) -> bool {
    if words.is_empty() {
        return false;
    }
    let names = Names::of(story);
    let mentions = names.mentions(words);
    let mut bearers = mentions.iter().flat_map(|mention| &mention.bearers);
    let names_own = bearers.clone().any(|named| named.kind.agent() == agent);
    let names_other = bearers.any(|named| named.kind.agent() != agent);
    let is_general = !names_other && (!is_data || names_whole(words));
    names_own || agents_in_words(words).contains(&agent) || additive(words) || is_general
}

fn in_words(issue_id: String, target_agent: Agent, specific_instruction: String) -> CorrectionInstruction {
    CorrectionInstruction { issue_id, target_agent, specific_instruction, priority: 10, ..Default::default() }
}

fn numbered(requests: &[ReadWish], first: usize) -> impl Iterator<Item = (String, &ReadWish)> {
    (first..).map(|number| format!("{BY_A_PERSON}wish-{number}")).zip(requests)
}

/// Parses the feedback of a person who rejected the work into wishes, and instructions for agents. Ids continue after
/// the number of `earlier` wishes.
pub(crate) fn ordered(feedback: &str, story: &Story, earlier: usize) -> (Vec<ReadWish>, HumanOrder) {
    let requests = read(feedback, story);
    let instructions = numbered(&requests, earlier + 1).filter_map(|(id, request)| request.instruction(story, &id));
    let instructions = instructions.collect::<Vec<_>>();
    let is_whole = requests.iter().all(|request| request.want == WishDemand::Other);
    let others =
        requests.iter().filter(|request| request.want == WishDemand::Other).map(|request| request.text.as_str());
    let rest = if is_whole { feedback.to_owned() } else { others.collect::<Vec<_>>().join("\n") };
    (requests, HumanOrder { instructions, rest })
}

/// Appends a step to `plan` for every agent whose work a request names and that has no step yet.
///
/// A rename affects the work of all agents, so the new steps then run one after the other.
pub(crate) fn with_steps(plan: ExecutionPlan, requests: &[ReadWish], story: &Story) -> ExecutionPlan {
    let mut longer = plan.clone();
    let told = requests.iter().filter_map(|request| Some((request, request.instruction(story, "")?)));
    for (request, instruction) in told {
        let agent = instruction.target_agent;
        if longer.steps.iter().any(|step| step.specialist() == Some(agent)) {
            continue;
        }
        let step_id = longer.steps.iter().map(|step| step.step_id).max().unwrap_or_default() + 1;
        let earlier = longer.steps.iter().filter(|step| !step.is_review()).map(|step| step.step_id).collect();
        for review in longer.steps.iter_mut().filter(|step| step.is_review()) {
            review.dependencies.push(step_id);
        }
        longer.steps.push(Step {
            step_id,
            agent: agent.name().to_owned(),
            task_description: request.text.clone(),
            dependencies: earlier,
            ..Step::default()
        });
    }
    if requests.iter().any(ReadWish::is_new_name)
        && let Ok(order) = schedule::order(&longer.steps)
    {
        for pair in order.windows(2) {
            let later = longer.steps.iter_mut().find(|step| step.step_id == pair[1]);
            if let Some(step) = later.filter(|step| !step.dependencies.contains(&pair[0])) {
                step.dependencies.push(pair[0]);
            }
        }
    }
    if longer == plan { plan } else { check(longer).map_or(plan, |(checked, _)| checked) }
}

/// Returns every request with its state in `story`.
pub(crate) fn checked(requests: &[ReadWish], story: &Story, is_untouched: bool) -> Vec<Wish> {
    requests.iter().map(|request| request.check(story, is_untouched, story.language)).collect()
}

/// Inserts the wishes into `report`: each unmet wish becomes an issue with a correction, and the report does not pass.
pub(crate) fn put_into(report: &mut DiagnosticReport, requests: &[ReadWish], wishes: Vec<Wish>, story: &Story) {
    for ((id, request), wish) in numbered(requests, 1).zip(&wishes) {
        if wish.state != WishState::Unmet {
            continue;
        }
        let told = match request.want {
            WishDemand::Other => in_words_for_all(&id, &request.text, story),
            _ => request.instructions(story, &id),
        };
        report.issues.push(issue(id, request, wish, &told, story.language));
        report.affected_agents.extend(told.iter().map(|instruction| instruction.target_agent));
        report.correction_instructions.extend(told);
        report.passed = false;
    }
    report.wishes = wishes;
    report.issues.sort_by_key(|issue| std::cmp::Reverse(issue.severity));
    report.correction_instructions.sort_by_key(|instruction| std::cmp::Reverse(instruction.priority));
    report.affected_agents.sort_unstable();
    report.affected_agents.dedup();
    if report.correction_strategy == Strategy::None && !report.correction_instructions.is_empty() {
        report.correction_strategy = Strategy::IncrementalFix;
    }
}

/// Returns the instruction of a free-text wish for each agent named by it; the default is the outline agent.
fn in_words_for_all(id: &str, words: &str, story: &Story) -> Vec<CorrectionInstruction> {
    let names = Names::of(story);
    let mut agents = agents_in_words(words);
    let mentions = names.mentions(words);
    agents.extend(mentions.iter().flat_map(|mention| &mention.bearers).map(|named| named.kind.agent()));
    agents.sort_unstable();
    agents.dedup();
    if agents.is_empty() {
        agents.push(Agent::Outline);
    }
    agents.into_iter().map(|agent| in_words(id.to_owned(), agent, words.to_owned())).collect()
}

fn issue(id: String, request: &ReadWish, wish: &Wish, told: &[CorrectionInstruction], language: Language) -> Issue {
    let quoted = wish.evidence.first().map(|evidence| evidence.quote.as_str()).filter(|quote| !quote.is_empty());
    let (title, there, impact) = match language {
        Language::Zh => ("要求没有落实", "现在写的是", "成品与作者要的不是一回事"),
        Language::En => ("asked for and not met", "it says", "the work is not what was asked for"),
    };
    let colon = if language == Language::Zh { "：" } else { ": " };
    let root_cause = match (wish.reason.as_str(), quoted) {
        ("", Some(quote)) => format!("{there}{colon}{quote}"),
        (reason, _) => reason.to_owned(),
    };
    let (name, kind) = match &request.want {
        WishDemand::Set { piece, .. }
        | WishDemand::Rework { piece, .. }
        | WishDemand::Add { piece, .. }
        | WishDemand::Remove { piece } => (Some(piece.name.clone()), Some(piece.kind)),
        WishDemand::Length { .. } => (None, Some(PieceKind::OutlineNode)),
        WishDemand::Mention { .. } | WishDemand::Impossible { .. } | WishDemand::Other => (None, None),
    };
    let agent = kind.map(PieceKind::agent).or_else(|| told.first().map(|told| told.target_agent));
    Issue {
        id,
        severity: Severity::High,
        category: if wish.kind == WishKind::Add { Category::Completeness } else { Category::Consistency },
        sub_category: match agent {
            Some(Agent::Outline) => "outline",
            Some(Agent::Character) => "character",
            Some(Agent::Plot) => "plot",
            Some(Agent::Worldview) => "worldview",
            Some(Agent::Style) => "style",
            None => "",
        }
        .into(),
        title: format!("{title}{colon}{}", wish.text),
        root_cause,
        affected_entities: name.into_iter().filter(|name| !name.is_empty()).collect(),
        impact: impact.into(),
        source: Source::Human,
        evidence: wish.evidence.clone(),
        ..Issue::default()
    }
}
