//! The specialist node: generates, corrects or regenerates an agent's work.

use std::collections::BTreeMap;
use std::sync::Arc;

use qingyu_graph::{Command, Context, NodeError};
use qingyu_story::edit::RefusedChange;
use qingyu_story::{Agent, CorrectionInstruction, OutlineNodeKind, PieceKind, Story, levels};

use crate::Error;
use crate::archive::ArchivedWork;
use crate::call::{CallContext, CallRecord, CallResult, CallSpec, emit};
use crate::changes::changes;
use crate::context::{WorkContext, WorkMode};
use crate::labels;
use crate::levels::asking::{self, ATTEMPTS};
use crate::levels::material::{LevelRequest, context};
use crate::levels::step::{PlanTarget, last_chapter, next_chapters, next_level, planned_length};
use crate::levels::summary::{stopped, summary};
use crate::meta_scheduler::{CorrectionPrompt, CorrectionRound};
use crate::notice::RunNotice;
use crate::pipeline::consult::{Consultation, consult};
use crate::pipeline::hidden::hidden;
use crate::pipeline::lookup::look_up;
use crate::pipeline::scope::{restore, visible};
use crate::pipeline::state::{Assignment, PipelineState, PipelineStateUpdate};
use crate::progress::Progress;
use crate::prompts::{PromptName, WorkPrompt, folder};
use crate::specialist::{AnswerExpectation, Specialist, SpecialistWork, carry_out, guarded, place};
use crate::wishes::instructions_for;
use crate::workshop::PipelineResources;
use crate::writing::card::earlier_lines;
use qingyu_story::PieceChange;

pub(in crate::pipeline) async fn run<S: Specialist>(
    workshop: Arc<PipelineResources>,
    state: Arc<PipelineState>,
    context: Context,
) -> Result<Command<PipelineState>, NodeError> {
    let agent = S::AGENT;
    let assignment = state.assignments.get(agent.name()).cloned().unwrap_or_default();
    let desk = SpecialistRun { workshop: &workshop, state: &state, context: &context, assignment: &assignment };
    let instructions = desk.instructions(agent);
    let asked = instructions.iter().map(|instruction| instruction.specific_instruction.trim());
    let asked: Vec<&str> = asked.filter(|words| !words.is_empty()).collect();
    // A correction is what its instructions say, whatever the step once was.
    let is_correction = assignment.mode == WorkMode::Correct && !asked.is_empty();
    let between = labels::of(state.language).semicolon;
    emit(
        &context,
        &Progress::AgentStarted {
            agent: agent.name().into(),
            mode: assignment.mode,
            step_id: assignment.step_id,
            task: if is_correction { asked.join(between) } else { assignment.task.clone() },
        },
    );
    let result = match assignment.mode {
        WorkMode::Correct => desk.correct::<S>().await?,
        WorkMode::Generate if state.standing.contains(&agent) => desk.change::<S>().await?,
        WorkMode::Generate | WorkMode::Regenerate => match desk.length().filter(|_| agent == Agent::Outline) {
            Some(length) => desk.plan_levels(length).await?,
            None => desk.make::<S>().await?,
        },
    };
    desk.hand_in(agent, result).await
}

/// The inputs of one specialist's run.
struct SpecialistRun<'a> {
    workshop: &'a PipelineResources,
    state: &'a PipelineState,
    context: &'a Context,
    assignment: &'a Assignment,
}

/// The outcome of a specialist's run.
struct SpecialistOutcome {
    /// The updated story.
    story: Story,
    /// Records of the model calls.
    records: Vec<CallRecord>,
    /// Title of the work, if the agent gives one.
    title: String,
    /// Summary in a paragraph, if the whole work was generated.
    summary: Option<String>,
    reasoning: Vec<String>,
    notices: Vec<RunNotice>,
    /// Failure reason.
    failed: Option<String>,
    /// The context of the call, if any.
    shown: Option<ShownContext>,
    lookups: u64,
}

/// The context of a model call, for the state of the run.
struct ShownContext {
    /// Names of the visible pieces, by kind.
    workspace: BTreeMap<String, Vec<String>>,
    /// Passages and connections.
    lookups: Vec<String>,
}

/// Returns the names of all pieces, by kind.
fn names_of(story: &Story) -> BTreeMap<String, Vec<String>> {
    let mut names: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for piece in story.pieces() {
        names.entry(piece.kind().name().to_owned()).or_default().push(piece.label());
    }
    names
}

/// A model's answer to a specialist, with the lookups before it.
struct SpecialistAnswer<T> {
    called: CallResult<T>,
    shown: ShownContext,
    /// Number of lookups and tool calls.
    lookups: u64,
    /// Notices about failed tool calls.
    notices: Vec<RunNotice>,
}

impl<'a> SpecialistRun<'a> {
    /// Returns the call context of this run.
    fn seat(&self) -> CallContext<'a> {
        let Self { workshop, state, context, .. } = *self;
        CallContext { workshop, context, language: state.language, golden: &state.golden_context }
    }

    /// Generates the work, for the first time or again.
    async fn make<S: Specialist>(&self) -> Result<SpecialistOutcome, NodeError> {
        let story = self.state.story();
        let before = self.earlier(S::AGENT);
        let instructions = self.instructions(S::AGENT);
        let essential = S::AGENT == Agent::Outline && before.outline_nodes.is_empty();
        let SpecialistAnswer { called, shown, lookups, mut notices } =
            self.ask::<S>(&story, &instructions, essential).await?;
        let shown = Some(shown);
        let error = called.error();
        let Some(output) = called.value else {
            notices.push(RunNotice::AgentFailed { agent: S::AGENT.name().into(), error: error.clone() });
            if before != story {
                notices.push(RunNotice::EarlierWorkKept { agent: S::AGENT.name().into() });
            }
            let failed = Some(error);
            return Ok(SpecialistOutcome {
                records: vec![called.record],
                notices,
                failed,
                shown,
                lookups,
                ..SpecialistOutcome::new(before)
            });
        };
        let SpecialistWork { story: made, title, summary, reasoning } = S::made(output);
        Ok(SpecialistOutcome {
            records: vec![called.record],
            title,
            summary: Some(summary),
            reasoning,
            notices,
            shown,
            lookups,
            ..SpecialistOutcome::new(place::<S>(&story, &before, made))
        })
    }

    /// Returns the number of chapters of a book that is not to be planned at once.
    fn length(&self) -> Option<u32> {
        planned_length(&self.state.brief(), self.state.language)
    }

    /// Plans the levels of a book of `length` chapters, and the chapters of its first arc. Every answer is a stored step,
    /// and each step follows from the answers before, so that a resumed run asks only for the rest.
    async fn plan_levels(&self, length: u32) -> Result<SpecialistOutcome, NodeError> {
        let (language, requirement) = (self.state.language, self.state.brief());
        let seat = self.seat();
        let mut outcome = SpecialistOutcome::new(self.state.story());
        let (mut to, mut attempt, mut feedback) = (None, 0, String::new());
        loop {
            let story = &outcome.story;
            let step = next_level(story, length).or_else(|| {
                let to = *to.get_or_insert_with(|| last_chapter(story, PlanTarget::Next).unwrap_or_default());
                next_chapters(story, to)
            });
            let Some(step) = step else { break };
            let preferences = &self.state.preferences;
            let rules = (*self.workshop.rules).clone();
            let request = LevelRequest { requirement: &requirement, length, preferences, rules, feedback };
            let (answer, record) = asking::ask(seat, story, &step, &context(story, &step, &request), attempt).await?;
            let accepted = answer.map(|answer| answer.accept(story, &step)).unwrap_or_default();
            feedback = asking::feedback(language, accepted.taken, accepted.refused);
            attempt = if accepted.taken > 0 { 0 } else { attempt + 1 };
            let error = record.error.clone().unwrap_or_default();
            outcome.records.push(record);
            if accepted.taken > 0 {
                outcome.story = accepted.story;
            }
            if outcome.title.is_empty() {
                outcome.title = accepted.title;
            }
            if attempt == ATTEMPTS {
                let message = stopped(step.range().0, &error, language);
                outcome
                    .notices
                    .push(RunNotice::AgentFailed { agent: Agent::Outline.name().into(), error: message.clone() });
                outcome.failed = Some(message);
                break;
            }
        }
        let planned = summary(&outcome.story);
        outcome.reasoning.extend(planned.clone());
        if let Some(summary) = planned.clone().filter(|_| levels::is_open(&outcome.story)) {
            outcome.notices.push(RunNotice::LevelsOpen { summary });
        }
        let course = outcome.story.outline_nodes.iter().find(|node| node.kind == OutlineNodeKind::Book);
        let course = course.map(|book| [book.description.as_str(), book.payoff.as_str()].join("\n"));
        outcome.summary = Some([course, planned].into_iter().flatten().collect::<Vec<_>>().join("\n"));
        Ok(outcome)
    }

    /// Applies instructions that are complete as data; asks the model for the rest, limited to the pieces named by the
    /// instructions.
    async fn correct<S: Specialist>(&self) -> Result<SpecialistOutcome, NodeError> {
        let carried_out = carry_out(&self.state.story(), &self.instructions(S::AGENT));
        let (story, open) = (carried_out.story, carried_out.open);
        if open.is_empty() {
            return Ok(SpecialistOutcome::new(story));
        }
        self.ask_guarded::<S>(story, &open).await
    }

    /// Applies a person's requests to work from before the run. Free text becomes a task for the model, limited to the
    /// pieces named by the requests.
    async fn change<S: Specialist>(&self) -> Result<SpecialistOutcome, NodeError> {
        let told = instructions_for(&self.state.requests, S::AGENT, &self.state.story());
        if told.is_empty() {
            let kept = RunNotice::NotConcerned { agent: S::AGENT.name().into() }.text(self.state.language);
            return Ok(SpecialistOutcome { reasoning: vec![kept], ..SpecialistOutcome::new(self.state.story()) });
        }
        let carried_out = carry_out(&self.state.story(), &told);
        let (story, open) = (carried_out.story, carried_out.open);
        if open.is_empty() {
            return Ok(SpecialistOutcome::new(story));
        }
        let is_data = open.iter().all(|instruction| !instruction.parameters.is_null());
        let mode = if is_data { WorkMode::Correct } else { WorkMode::Generate };
        let assignment = Assignment { mode, ..self.assignment.clone() };
        SpecialistRun { assignment: &assignment, ..*self }.ask_guarded::<S>(story, &open).await
    }

    /// Asks the model about the `open` instructions on `story`, and applies only allowed changes of the answer.
    async fn ask_guarded<S: Specialist>(
        &self,
        story: Story,
        open: &[CorrectionInstruction],
    ) -> Result<SpecialistOutcome, NodeError> {
        let SpecialistAnswer { called, shown, lookups, mut notices } = self.ask::<S>(&story, open, false).await?;
        let shown = Some(shown);
        let error = called.error();
        let Some(output) = called.value else {
            notices.push(RunNotice::AgentFailed { agent: S::AGENT.name().into(), error: error.clone() });
            let failed = Some(error);
            return Ok(SpecialistOutcome {
                records: vec![called.record],
                notices,
                failed,
                shown,
                lookups,
                ..SpecialistOutcome::new(story)
            });
        };
        let SpecialistWork { story: answer, reasoning, .. } = S::made(output);
        let outcome = guarded(&story, &answer, open);
        let refused = outcome.refusals.into_iter().map(|RefusedChange { label: piece, fields, .. }| {
            RunNotice::ChangeRefused { agent: S::AGENT.name().into(), piece, fields }
        });
        notices.extend(refused);
        Ok(SpecialistOutcome {
            records: vec![called.record],
            reasoning,
            notices,
            shown,
            lookups,
            ..SpecialistOutcome::new(outcome.story)
        })
    }

    fn instructions(&self, agent: Agent) -> Vec<CorrectionInstruction> {
        if self.assignment.mode == WorkMode::Generate {
            return Vec::new();
        }
        let all = self.state.correction_instructions.iter();
        all.filter(|instruction| instruction.target_agent == agent).cloned().collect()
    }

    /// Asks the model; `story` is the current material of this run.
    async fn ask<S: Specialist>(
        &self,
        story: &Story,
        instructions: &[CorrectionInstruction],
        essential: bool,
    ) -> Result<SpecialistAnswer<S::Output>, NodeError> {
        let Self { workshop, state, context, assignment } = self;
        let (mode, language) = (assignment.mode, state.language);
        let mut seen = visible(state, S::AGENT, assignment);
        restore(&mut seen, story, S::AGENT);
        let found = look_up(state, &seen, &assignment.task);
        let consulted = match &workshop.tools {
            Some(tools) => consult(tools, state, context, S::AGENT, assignment, &seen).await?,
            None => Consultation::default(),
        };
        let mut passages = found.passages;
        passages.extend(consulted.passages);
        let shown = ShownContext {
            workspace: names_of(&seen),
            lookups: passages.iter().chain(&found.connections).cloned().collect(),
        };
        let hidden = match S::AGENT {
            Agent::Character => hidden(story, &seen, &assignment.task),
            _ => Vec::new(),
        };
        let work = WorkContext {
            requirement: state.brief(),
            language,
            analysis: state.requirement_analysis.clone(),
            task: assignment.task.clone(),
            mode,
            passages,
            connections: found.connections,
            earlier: earlier_lines(story, &workshop.rules.earlier),
            hidden,
            preferences: state.preferences.clone(),
            correction: self.correction(S::AGENT, instructions)?,
            instructions: instructions.to_vec(),
            story: seen,
        };
        let names = [PromptName::system(S::AGENT), PromptName::work(S::AGENT, mode)];
        let way = match mode {
            WorkMode::Generate => "generate",
            WorkMode::Correct => "correct",
            WorkMode::Regenerate => "regenerate",
        };
        let asked = CallSpec {
            agent: S::AGENT.name(),
            purpose: format!("{}.{way}", folder(S::AGENT)),
            part: String::new(),
            chapter: None,
            names,
            temperature: None,
            essential,
        };
        let call = self.seat().call(asked, &WorkPrompt::new(S::AGENT, &work), &work)?;
        // A change of existing work may concern a single piece, however it was phrased.
        let is_change = mode == WorkMode::Generate && !instructions.is_empty();
        let mode = if is_change { WorkMode::Correct } else { mode };
        let expected = work.story.clone();
        let check =
            move |output: &S::Output| S::problems(output, AnswerExpectation { mode, language, story: &expected });
        let called = call.ask(Some(&check)).await?;
        let lookups = found.lookups + consulted.calls;
        Ok(SpecialistAnswer { called, shown, lookups, notices: consulted.notices })
    }

    /// Returns the correction prompt, limited to the open instructions.
    fn correction(&self, agent: Agent, open: &[CorrectionInstruction]) -> Result<Option<String>, Error> {
        let state = self.state;
        if self.assignment.mode == WorkMode::Generate {
            return Ok(None);
        }
        // A person's own change precedes any report, so the default report is used.
        let report = &state.diagnostic_report.clone().unwrap_or_default();
        if open.len() == self.instructions(agent).len() {
            return Ok(state.correction_prompts.get(agent.name()).cloned());
        }
        let correction = CorrectionRound {
            iteration: state.iteration_count,
            mode: state.correction_mode,
            agents: vec![agent],
            instructions: open.to_vec(),
        };
        let prompt = CorrectionPrompt::new(agent, &correction, report);
        self.workshop.prompts.render(PromptName::META_CORRECTION, state.language, &prompt).map(Some)
    }

    /// Stores the work in the archive and reports progress.
    async fn hand_in(&self, agent: Agent, done: SpecialistOutcome) -> Result<Command<PipelineState>, NodeError> {
        let language = self.state.language;
        let before = self.state.story();
        let changes = changes(&self.earlier(agent), &done.story);
        let counted = RunNotice::counted(&changes).text(language);
        let words = labels::of(language);
        // The world and the style have no name of their own.
        let shown = |change: &PieceChange| match change.kind() {
            PieceKind::Worldview => words.world.to_owned(),
            PieceKind::Style => words.style.to_owned(),
            _ => change.label.clone(),
        };
        let pieces = changes.iter().map(shown).collect();
        self.save(agent, changes, done.records.last()).await?;
        let warnings = done.notices.iter().map(|notice| notice.text(language)).collect::<Vec<_>>();
        for message in &warnings {
            emit(self.context, &Progress::Warning { message: message.clone() });
        }
        let (agent_name, reasoning) = (agent.name().into(), done.reasoning.clone());
        emit(self.context, &Progress::AgentFinished { agent: agent_name, summary: counted, pieces, reasoning });
        let mut update = PipelineState::update()
            .story(&before, &done.story)
            .completed_agents(vec![agent.name().to_owned()])
            .reasoning(done.reasoning)
            .warnings(warnings)
            .tool_calls_count(done.lookups);
        if let Some(step_id) = self.assignment.step_id {
            update = match done.failed {
                Some(why) => update.failed_steps(vec![step_id]).step_failures([(step_id, why)].into()),
                None => update.completed_steps(vec![step_id]),
            };
        }
        if !done.records.is_empty() {
            update = update.calls(done.records);
        }
        if let Some(ShownContext { workspace, lookups }) = done.shown {
            let name = agent.name().to_owned();
            update = update.workspace_context([(name.clone(), workspace)].into()).rag_context([(name, lookups)].into());
        }
        if !done.title.trim().is_empty() {
            update = update.outline_title(done.title);
        }
        Ok(summarised(update, agent, done.summary).into())
    }

    /// Returns the story with the agent's removed work: the project's last version.
    fn earlier(&self, agent: Agent) -> Story {
        let mut story = self.state.story();
        let cleared = story.pieces().all(|piece| piece.kind().agent() != agent);
        if cleared && self.assignment.mode != WorkMode::Correct {
            restore(&mut story, &self.state.set_aside, agent);
        }
        story
    }

    async fn save(&self, agent: Agent, changes: Vec<PieceChange>, call: Option<&CallRecord>) -> Result<(), Error> {
        let Some(archive) = self.workshop.archive.as_ref().filter(|_| !changes.is_empty()) else { return Ok(()) };
        let (step, iteration) = (self.assignment.step_id, self.state.iteration_count);
        let saved = ArchivedWork::new(self.state.owner(), agent.name(), step, iteration, call, changes);
        archive.save(saved).await.map_err(|source| Error::Archive { agent: agent.name().into(), source })
    }
}

impl SpecialistOutcome {
    /// Returns an outcome without a call and without remarks.
    fn new(story: Story) -> Self {
        Self {
            story,
            records: Vec::new(),
            title: String::new(),
            summary: None,
            reasoning: Vec::new(),
            notices: Vec::new(),
            failed: None,
            shown: None,
            lookups: 0,
        }
    }
}

fn summarised(update: PipelineStateUpdate, agent: Agent, summary: Option<String>) -> PipelineStateUpdate {
    match (agent, summary) {
        (Agent::Outline, Some(summary)) => update.outline_summary(summary),
        (Agent::Character, Some(summary)) => update.character_summary(summary),
        (Agent::Plot, Some(summary)) => update.plot_summary(summary),
        _ => update,
    }
}
