//! A specialist at work, in one of its three ways.

use std::sync::Arc;

use qingyu_graph::{Command, Context, NodeError};
use qingyu_story::{Agent, CorrectionInstruction, Story};

use crate::Error;
use crate::Workshop;
use crate::archive::{Provenance, Saved};
use crate::call::{Asked, CallRecord, Called, Seat, emit};
use crate::changes::{PieceChange, changes};
use crate::context::{Work, WorkMode};
use crate::meta_scheduler::{Correction, CorrectionPrompt};
use crate::notice::Notice;
use crate::pipeline::lookup::look_up;
use crate::pipeline::scope::{restore, visible};
use crate::pipeline::state::{Assignment, PipelineState, PipelineStateUpdate};
use crate::progress::Progress;
use crate::prompts::{Name, WorkPrompt, folder};
use crate::specialist::{Expected, Made, Specialist, carry_out, guarded, place};
use crate::wishes::instructions_for;

pub(in crate::pipeline) async fn run<S: Specialist>(
    workshop: Arc<Workshop>,
    state: Arc<PipelineState>,
    context: Context,
) -> Result<Command<PipelineState>, NodeError> {
    let agent = S::AGENT;
    let assignment = state.assignments.get(agent.name()).cloned().unwrap_or_default();
    emit(
        &context,
        &Progress::AgentStarted {
            agent: agent.name().into(),
            mode: assignment.mode,
            step_id: assignment.step_id,
            task: assignment.task.clone(),
        },
    );
    let desk = Desk { workshop: &workshop, state: &state, context: &context, assignment: &assignment };
    let result = match assignment.mode {
        WorkMode::Correct => desk.correct::<S>().await?,
        WorkMode::Generate if state.standing.contains(&agent) => desk.change::<S>().await?,
        WorkMode::Generate | WorkMode::Regenerate => desk.make::<S>().await?,
    };
    desk.hand_in(agent, result).await
}

/// Where one specialist works.
struct Desk<'a> {
    workshop: &'a Workshop,
    state: &'a PipelineState,
    context: &'a Context,
    assignment: &'a Assignment,
}

/// What came of the work.
struct Done {
    /// The story from now on.
    story: Story,
    /// The call, if there was one.
    record: Option<CallRecord>,
    /// The title of the work, if the agent gives it one.
    title: String,
    /// In a paragraph, if the work was made as a whole.
    summary: Option<String>,
    reasoning: Vec<String>,
    notices: Vec<Notice>,
    /// Why nothing came of it, if nothing did.
    failed: Option<String>,
    lookups: u64,
}

impl Desk<'_> {
    /// For the first time, or anew.
    async fn make<S: Specialist>(&self) -> Result<Done, NodeError> {
        let story = self.state.story();
        let before = self.earlier(S::AGENT);
        let instructions = self.instructions(S::AGENT);
        let essential = S::AGENT == Agent::Outline && before.outline_nodes.is_empty();
        let (called, lookups) = self.ask::<S>(&story, &instructions, essential).await?;
        let error = called.error();
        let Some(output) = called.value else {
            let mut notices = vec![Notice::AgentFailed { agent: S::AGENT.name().into(), error: error.clone() }];
            if before != story {
                notices.push(Notice::EarlierWorkKept { agent: S::AGENT.name().into() });
            }
            let failed = Some(error);
            return Ok(Done { record: Some(called.record), notices, failed, lookups, ..Done::new(before) });
        };
        let Made { story: made, title, summary, reasoning } = S::made(output);
        Ok(Done {
            record: Some(called.record),
            title,
            summary: Some(summary),
            reasoning,
            lookups,
            ..Done::new(place::<S>(&story, &before, made))
        })
    }

    /// Instructions that are complete as data are carried out; the model is asked for the rest, and may change only
    /// what they name.
    async fn correct<S: Specialist>(&self) -> Result<Done, NodeError> {
        let carried_out = carry_out(&self.state.story(), &self.instructions(S::AGENT));
        let (story, open) = (carried_out.story, carried_out.open);
        if open.is_empty() {
            return Ok(Done::new(story));
        }
        self.ask_guarded::<S>(story, &open).await
    }

    /// What a person asks to change of work that was there before the run. Words that are no data are a task as any
    /// other, but their answer too may change only what they name.
    async fn change<S: Specialist>(&self) -> Result<Done, NodeError> {
        let told = instructions_for(&self.state.requests, S::AGENT, &self.state.story());
        if told.is_empty() {
            let kept = Notice::NotConcerned { agent: S::AGENT.name().into() }.text(self.state.language);
            return Ok(Done { reasoning: vec![kept], ..Done::new(self.state.story()) });
        }
        let carried_out = carry_out(&self.state.story(), &told);
        let (story, open) = (carried_out.story, carried_out.open);
        if open.is_empty() {
            return Ok(Done::new(story));
        }
        let is_data = open.iter().all(|instruction| !instruction.parameters.is_null());
        let mode = if is_data { WorkMode::Correct } else { WorkMode::Generate };
        let assignment = Assignment { mode, ..self.assignment.clone() };
        Desk { assignment: &assignment, ..*self }.ask_guarded::<S>(story, &open).await
    }

    /// Asks the model for what is `open` in `story`, and takes of its answer what that names.
    async fn ask_guarded<S: Specialist>(
        &self,
        story: Story,
        open: &[CorrectionInstruction],
    ) -> Result<Done, NodeError> {
        let (called, lookups) = self.ask::<S>(&story, open, false).await?;
        let error = called.error();
        let Some(output) = called.value else {
            let notices = vec![Notice::AgentFailed { agent: S::AGENT.name().into(), error: error.clone() }];
            let failed = Some(error);
            return Ok(Done { record: Some(called.record), notices, failed, lookups, ..Done::new(story) });
        };
        let Made { story: answer, reasoning, .. } = S::made(output);
        let outcome = guarded(&story, &answer, open);
        let refused = outcome.refusals.into_iter().map(|refusal| Notice::ChangeRefused {
            agent: S::AGENT.name().into(),
            piece: refusal.label,
            fields: refusal.fields,
        });
        Ok(Done {
            record: Some(called.record),
            reasoning,
            notices: refused.collect(),
            lookups,
            ..Done::new(outcome.story)
        })
    }

    fn instructions(&self, agent: Agent) -> Vec<CorrectionInstruction> {
        if self.assignment.mode == WorkMode::Generate {
            return Vec::new();
        }
        let all = self.state.correction_instructions.iter();
        all.filter(|instruction| instruction.target_agent == agent).cloned().collect()
    }

    /// Asks the model; `story` is the material as it stands at this desk.
    async fn ask<S: Specialist>(
        &self,
        story: &Story,
        instructions: &[CorrectionInstruction],
        essential: bool,
    ) -> Result<(Called<S::Output>, u64), NodeError> {
        let Self { workshop, state, context, assignment } = self;
        let (mode, language) = (assignment.mode, state.language);
        let mut seen = visible(state, S::AGENT, assignment);
        restore(&mut seen, story, S::AGENT);
        let found = look_up(state, &seen, &assignment.task);
        let work = Work {
            requirement: state.brief(),
            language,
            analysis: state.requirement_analysis.clone(),
            task: assignment.task.clone(),
            mode,
            passages: found.passages,
            connections: found.connections,
            preferences: state.preferences.clone(),
            correction: self.correction(S::AGENT, instructions)?,
            instructions: instructions.to_vec(),
            story: seen,
        };
        let names = [Name::system(S::AGENT), Name::work(S::AGENT, mode)];
        let way = match mode {
            WorkMode::Generate => "generate",
            WorkMode::Correct => "correct",
            WorkMode::Regenerate => "regenerate",
        };
        let asked = Asked {
            agent: S::AGENT.name(),
            purpose: format!("{}.{way}", folder(S::AGENT)),
            part: String::new(),
            chapter: None,
            names,
            temperature: None,
            essential,
        };
        let seat = Seat { workshop, context, language, golden: &state.golden_context };
        let call = seat.call(asked, &WorkPrompt::new(S::AGENT, &work), &work)?;
        // A change of what is there may be of a single piece, in whatever words it was asked for.
        let is_change = mode == WorkMode::Generate && !instructions.is_empty();
        let mode = if is_change { WorkMode::Correct } else { mode };
        let expected = work.story.clone();
        let check = move |output: &S::Output| S::problems(output, Expected { mode, language, story: &expected });
        Ok((call.ask(Some(&check)).await?, found.lookups))
    }

    /// The correction prompt, with only those instructions that are still open.
    fn correction(&self, agent: Agent, open: &[CorrectionInstruction]) -> Result<Option<String>, Error> {
        let state = self.state;
        if self.assignment.mode == WorkMode::Generate {
            return Ok(None);
        }
        // A person's own change comes before any report.
        let report = &state.diagnostic_report.clone().unwrap_or_default();
        if open.len() == self.instructions(agent).len() {
            return Ok(state.correction_prompts.get(agent.name()).cloned());
        }
        let correction = Correction {
            iteration: state.iteration_count,
            mode: state.correction_mode,
            agents: vec![agent],
            instructions: open.to_vec(),
        };
        let prompt = CorrectionPrompt::new(agent, &correction, report);
        self.workshop.prompts.render(Name::META_CORRECTION, state.language, &prompt).map(Some)
    }

    /// Keeps the work and says what was done.
    async fn hand_in(&self, agent: Agent, done: Done) -> Result<Command<PipelineState>, NodeError> {
        let language = self.state.language;
        let before = self.state.story();
        let changes = changes(&self.earlier(agent), &done.story);
        let counted = Notice::counted(&changes).text(language);
        let pieces = changes.iter().map(|change| change.label.clone()).collect();
        self.save(agent, changes, done.record.as_ref()).await?;
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
        if let Some(record) = done.record {
            update = update.call(record);
        }
        if !done.title.trim().is_empty() {
            update = update.outline_title(done.title);
        }
        Ok(summarised(update, agent, done.summary).into())
    }

    /// The story with the agent's work that was cleared to be made anew: what the project still holds.
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
        let saved = Saved {
            project_id: self.state.project_id.clone(),
            user_id: self.state.user_id.clone(),
            changes,
            provenance: Provenance {
                run_id: self.state.run_id.clone(),
                agent: agent.name().into(),
                step_id: self.assignment.step_id,
                iteration: self.state.iteration_count,
                model: call.map(|call| call.model.clone()),
                purpose: call.map(|call| call.purpose.clone()),
                prompt_hash: call.map(|call| call.prompt_hash.clone()),
                usage: call.map(|call| call.usage).unwrap_or_default(),
            },
        };
        archive.save(saved).await.map_err(|source| Error::Archive { agent: agent.name().into(), source })
    }
}

impl Done {
    /// Work that was done without a call, and of which nothing is to be said.
    fn new(story: Story) -> Self {
        Self {
            story,
            record: None,
            title: String::new(),
            summary: None,
            reasoning: Vec::new(),
            notices: Vec::new(),
            failed: None,
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
