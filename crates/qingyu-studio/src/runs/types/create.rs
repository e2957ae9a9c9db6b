//! Runs creating the material of a story: outline, cast, plot.

use futures::FutureExt;
use futures::future::BoxFuture;
use jiff::Timestamp;
use qingyu_agents::CallRecord;
use qingyu_agents::direction::{Direction, DirectionsRequest};
use qingyu_agents::pipeline::{
    HumanReviewAnswer as Answer, HumanReviewRequest, PLANNER, PipelineState, PipelineStateUpdate,
};
use qingyu_graph::{CompiledGraph, Snapshot, State};
use qingyu_memory::learning::Lesson;
use qingyu_production::GoldenContext;
use qingyu_store::Run;
use qingyu_story::{StepState, Story};

use crate::error::Error;
use crate::memories::lessons;
use crate::runs::config::RunConfig;
use crate::runs::graphs::{RunEquipment, RunGraphs, create_graph};
use crate::runs::kind::RunKind;
use crate::runs::output::{RunMessages, RunOutput, StoryOutput};
use crate::runs::question::{HumanReview, RunQuestion, pending_question};
use crate::runs::requests::RunAnswer;
use crate::runs::run_type::RunType;
use crate::studio::Studio;

/// A run of the creation pipeline.
pub(crate) struct CreateRun;

impl RunType for CreateRun {
    type State = PipelineState;
    type Answer = Answer;

    const KIND: RunKind = RunKind::Create;
    const CLOSED: &'static [&'static str] = &["pipeline_config"];

    fn looking(looking: &RunGraphs) -> &CompiledGraph<PipelineState> {
        &looking.create
    }

    fn graph(equipment: RunEquipment) -> Result<CompiledGraph<PipelineState>, qingyu_graph::Error> {
        create_graph(equipment)
    }

    fn recursion_limit(config: &RunConfig) -> u32 {
        config.pipeline.supersteps()
    }

    fn input<'a>(
        studio: &'a Studio,
        run: &'a Run,
        config: &'a RunConfig,
    ) -> BoxFuture<'a, Result<<PipelineState as State>::Update, Error>> {
        async move {
            let kept = studio.stories_table().load(&run.project).await;
            let kept = kept.map_err(|error| studio.place(&run.id).store(error))?;
            let input = PipelineState::input(run.requirement.clone(), config.language, config.pipeline.clone())
                .user_id(studio.scope().user().into())
                .project_id(run.project.clone())
                .run_id(run.id.clone())
                .preferences(studio.preferences(&run.project, config).await?)
                .golden_context(GoldenContext::of(&kept.story));
            // An existing premise of the project stays; otherwise the premise is the requirement of the run.
            let is_bare = kept.story.premise.trim().is_empty();
            let before =
                Story { premise: if is_bare { kept.story.premise.clone() } else { String::new() }, ..Story::default() };
            Ok(input.story(&before, &kept.story))
        }
        .boxed()
    }

    fn calls(state: &PipelineState) -> &[CallRecord] {
        &state.messages
    }

    fn made(state: PipelineState) -> (RunOutput, RunMessages) {
        let story = state.story();
        let has_passed = state.diagnostic_report.as_ref().is_some_and(|report| report.passed);
        let is_approved = state.review_passed && !has_passed;
        let is_planned = !state.execution_plan.steps.is_empty();
        let current_step = state.current_step();
        let made = StoryOutput {
            current_step,
            workspace_context: state.workspace_context,
            rag_context: state.rag_context,
            requirement_analysis: is_planned.then_some(state.requirement_analysis),
            execution_plan: is_planned.then_some(state.execution_plan),
            tool_configuration: is_planned.then_some(state.tool_configuration),
            story,
            diagnostic_report: state.diagnostic_report,
            iteration_count: state.iteration_count,
            is_approved,
        };
        let told = RunMessages { reasoning: state.reasoning, warnings: state.warnings, errors: state.errors };
        (RunOutput::Story(Box::new(made)), told)
    }

    fn retry(state: &PipelineState) -> Option<(PipelineStateUpdate, &'static str)> {
        let is_unfinished = state.steps().iter().any(|step| step.state == StepState::Failed);
        is_unfinished.then(|| (PipelineState::update().overwrite_failed_steps(Vec::new()), PLANNER))
    }

    fn title(state: &PipelineState) -> Option<&str> {
        state.title()
    }

    fn question(snapshot: &Snapshot<PipelineState>) -> Option<RunQuestion> {
        let material = || asked(snapshot).map(|request| RunQuestion::HumanReview(Box::new(HumanReview::of(request))));
        offered(snapshot).map(RunQuestion::Directions).or_else(material)
    }

    fn answer(_: &Run, snapshot: &Snapshot<PipelineState>, answer: RunAnswer) -> Result<Answer, Error> {
        let refused = |message: &str| Error::BadMaterial { path: String::new(), message: message.into() };
        let offered = offered(snapshot);
        Ok(match answer {
            RunAnswer::Approve => Answer::Approve,
            RunAnswer::Reject { feedback } => Answer::Reject { feedback },
            RunAnswer::Direct { direction, mix, words } => {
                let offered = offered.ok_or_else(|| refused("this run does not ask for a direction"))?;
                let direction = Direction::mixed(&offered.directions, direction, &mix)
                    .ok_or_else(|| refused("no direction has this number"))?;
                Answer::Direct { direction, words }
            }
            RunAnswer::Edit { .. } if offered.is_some() => {
                return Err(refused(
                    "this run asks for a direction: choose one by its number, approve to go on without one, or reject",
                ));
            }
            RunAnswer::Edit { material } => {
                let story = asked(snapshot).map_or_else(|| snapshot.state.story(), |asked| asked.story);
                Answer::Edit { story: Box::new(crate::runs::requests::edited(&story, material)?) }
            }
            RunAnswer::Decide { .. } | RunAnswer::Order { .. } => {
                return Err(refused("this run asks about its material: approve, reject or edit it"));
            }
        })
    }

    fn lessons(run: &Run, snapshot: &Snapshot<PipelineState>, answer: &Answer) -> Vec<Lesson> {
        asked(snapshot).map_or_else(Vec::new, |asked| lessons::of_answer(run, &asked, answer, Timestamp::now()))
    }
}

/// Returns the directions offered for a choice, if the thread is waiting for a choice.
fn offered(snapshot: &Snapshot<PipelineState>) -> Option<DirectionsRequest> {
    pending_question(snapshot)
}

/// Returns the review question about the material, if the thread is waiting for an answer.
fn asked(snapshot: &Snapshot<PipelineState>) -> Option<HumanReviewRequest> {
    pending_question(snapshot)
}
