use std::collections::BTreeSet;

use proptest::prelude::*;
use qingyu_story::{Character, Language, OutlineNode, Story};

use super::adjust::Done;
use super::*;
use crate::notice::RunNotice;

/// A plan in a line: `1 outline; 2 character <- 1; 3 review <- 1 2`.
fn plan(line: &str) -> ExecutionPlan {
    let step = |text: &str| {
        let (step, dependencies) = text.split_once("<-").unwrap_or((text, ""));
        let (id, agent) = step.trim().split_once(' ').unwrap();
        Step {
            step_id: id.parse().unwrap(),
            agent: if agent == "review_agent_v2" { agent.into() } else { format!("{agent}_agent") },
            task_description: format!("task {id}"),
            dependencies: dependencies.split_whitespace().map(|id| id.parse().unwrap()).collect(),
            ..Step::default()
        }
    };
    ExecutionPlan { steps: line.split(';').map(step).collect(), ..Default::default() }
}

fn drawn(plan: &ExecutionPlan) -> String {
    let step = |step: &Step| {
        let dependencies = step.dependencies.iter().map(u32::to_string).collect::<Vec<_>>().join(" ");
        format!("{} {} <- {dependencies}", step.step_id, step.agent.trim_end_matches("_agent"))
    };
    plan.steps.iter().map(step).collect::<Vec<_>>().join("; ").replace("<- ;", "<-;")
}

#[test]
fn plans_that_can_run() {
    let cases = [
        (
            "1 worldview; 2 character <- 1; 3 outline <- 1 2; 4 plot <- 2 3; 5 review <- 1 2 3 4",
            "1 worldview <-; 2 character <- 1; 3 outline <- 1 2; 4 plot <- 2 3; 5 review <- 1 2 3 4",
        ),
        // the seeds' name of the review, and one that stands first and forgets its dependencies
        ("9 review_agent_v2; 1 outline; 2 plot <- 1", "1 outline <-; 2 plot <- 1; 9 review <- 1 2"),
        // a plan without review
        ("3 outline; 7 style", "3 outline <-; 7 style <-; 8 review <- 3 7"),
        // steps of one agent wait for each other, in an order that respects what else they wait for
        ("1 outline; 2 outline; 3 review", "1 outline <-; 2 outline <- 1; 3 review <- 1 2"),
        (
            "1 outline <- 2; 2 character; 3 outline; 4 review",
            "1 outline <- 2; 2 character <-; 3 outline <- 1; 4 review <- 1 2 3",
        ),
        ("1 outline <- 2 2; 2 outline; 3 review", "1 outline <- 2; 2 outline <-; 3 review <- 1 2"),
    ];
    for (given, expected) in cases {
        assert_eq!(drawn(&check(plan(given)).unwrap().0), expected);
    }
}

#[test]
fn plans_that_cannot_run_say_what_and_where() {
    let hundred = (1..=100).map(|id| format!("{id} outline")).collect::<Vec<_>>().join(";");
    let cases = [
        ("1 review", "the plan has no step that makes anything"),
        (hundred.as_str(), "the plan has 100 steps, at most 24 are allowed"),
        ("1 poetry; 2 review", r#"step 1 names the agent "poetry_agent", which does not exist"#),
        ("1 outline; 1 plot; 2 review", "the number 1 is given to several steps"),
        ("1 outline <- 7; 2 review", "step 1 depends on step 7, which does not exist"),
        ("1 outline <- 1; 2 review", "the steps 1 wait for each other"),
        ("1 outline <- 3; 2 character <- 1; 3 plot <- 2; 4 review", "the steps 1 -> 3 -> 2 wait for each other"),
        ("1 outline; 2 review; 3 review_agent_v2", "the steps 2 -> 3 are all reviews, one is allowed"),
        ("1 outline <- 2; 2 review", "step 1 depends on the review, which comes last"),
        (
            "1 poetry <- 8; 2 review",
            r#"step 1 names the agent "poetry_agent", which does not exist; step 1 depends on step 8, which does not exist"#,
        ),
    ];
    for (given, expected) in cases {
        let problems = check(plan(given)).unwrap_err();
        assert_eq!(problems.iter().map(ToString::to_string).collect::<Vec<_>>().join("; "), expected);
    }
    assert_eq!(check(ExecutionPlan::default()).unwrap_err(), [PlanProblem::Empty]);
}

#[test]
fn what_the_planner_computes_is_computed_again() {
    let mut given = plan("1 worldview; 2 style; 3 character <- 1; 4 outline <- 1; 5 plot <- 3 4; 6 review");
    given.steps[3].estimated_tokens = 9_000;
    given.critical_path = vec![6];
    given.total_estimated_tokens = 1;
    let plan = check(given).unwrap().0;
    assert_eq!(plan.parallelizable_steps, [vec![1, 2], vec![3, 4]]);
    assert_eq!(plan.critical_path, [1, 4, 5, 6]);
    assert_eq!(plan.total_estimated_tokens, 2_000 + 2_000 + 3_000 + 9_000 + 3_000 + 2_000);
    let chain = check(plan_of_the_seeds()).unwrap().0;
    assert_eq!((chain.parallelizable_steps, chain.critical_path), (Vec::new(), vec![1, 2, 3, 4, 5]));
}

fn plan_of_the_seeds() -> ExecutionPlan {
    plan("1 worldview; 2 character <- 1; 3 outline <- 1 2; 4 plot <- 2 3; 5 review_agent_v2 <- 1 2 3 4")
}

#[test]
fn unknown_tools_are_left_out_with_a_word() {
    let mut given = plan("1 outline; 2 review");
    given.steps[0].required_tools = vec!["OutlineTool".into(), "Oracle".into()];
    let (plan, notices) = check(given).unwrap();
    assert_eq!(plan.steps[0].required_tools, ["OutlineTool"]);
    assert_eq!(notices, [RunNotice::UnknownTool { step: 1, tool: "Oracle".into() }]);
}

#[test]
fn the_plans_without_a_planner() {
    for language in [Language::Zh, Language::En] {
        let (whole, fixed) = (default_plan(language), fixed_plan(language));
        let expected = "1 worldview <-; 2 outline <- 1; 3 character <- 1 2; 4 plot <- 1 2 3; 5 style <- 1 2 3 4; \
                        6 review <- 1 2 3 4 5";
        assert_eq!(drawn(&whole.execution_plan), expected);
        assert_eq!(
            whole.requirement_analysis.required_capabilities,
            ["worldview", "outline", "character", "plot", "style"]
        );
        let version_1 = "1 outline <-; 2 character <- 1; 3 plot <- 1 2; 4 review <- 1 2 3";
        assert_eq!(drawn(&fixed.execution_plan), version_1);
        for plan in [whole.execution_plan, fixed.execution_plan] {
            assert_eq!(check(plan.clone()).unwrap().0, plan);
        }
    }
}

fn ids(steps: &[Step]) -> Vec<u32> {
    steps.iter().map(|step| step.step_id).collect()
}

#[test]
fn ready_steps() {
    let plan = check(plan_of_the_seeds()).unwrap().0;
    let cases: [(&[u32], &[u32]); 4] = [(&[], &[1]), (&[1], &[2]), (&[1, 2, 3, 4], &[5]), (&[1, 2, 3, 4, 5], &[])];
    for (done, expected) in cases {
        assert_eq!(ids(&ready(&plan, &done.iter().copied().collect())), expected);
    }
}

fn story(outline: bool, cast: bool) -> Story {
    Story {
        outline_nodes: if outline { vec![OutlineNode::default()] } else { Vec::new() },
        characters: if cast { vec![Character::default()] } else { Vec::new() },
        ..Default::default()
    }
}

#[test]
fn plans_are_adjusted_while_they_run() {
    let cases = [
        // a failed step stays in the plan
        ("1 worldview; 2 outline <- 1; 3 review", (&[][..], &[1][..]), (false, false), None, ""),
        ("1 character; 2 outline <- 1; 3 review", (&[], &[1]), (false, false), None, ""),
        // a plot without cast
        (
            "1 outline; 2 plot <- 1; 3 review",
            (&[1], &[]),
            (true, false),
            Some("1 outline <-; 4 character <- 1; 2 plot <- 1 4; 3 review <- 1 2 4"),
            "step 2 lacks what it builds on; step 4 (the character agent) was inserted",
        ),
        // what is needed is planned, but not waited for
        (
            "1 outline; 2 plot; 3 review",
            (&[], &[]),
            (false, true),
            Some("1 outline <-; 2 plot <- 1; 3 review <- 1 2"),
            "step 2 needs step 1 and now waits for it",
        ),
        // what is needed was tried and failed
        ("1 outline; 2 character; 3 plot <- 1 2; 4 review", (&[1], &[2]), (true, false), None, ""),
        // what is needed is there from before
        ("1 plot; 2 review", (&[], &[]), (true, true), None, ""),
    ];
    for (given, (completed, failed), (outline, cast), expected, reason) in cases {
        let done = Done { completed: completed.iter().copied().collect(), failed: failed.iter().copied().collect() };
        let adjusted = adjust(&check(plan(given)).unwrap().0, &story(outline, cast), &done);
        assert_eq!(adjusted.as_ref().map(|adjusted| drawn(&adjusted.plan)).as_deref(), expected, "{given}");
        let reasons = adjusted.map(|adjusted| adjusted.reasons).unwrap_or_default();
        let reasons = reasons.iter().map(|reason| reason.text(Language::En)).collect::<Vec<_>>();
        assert_eq!(reasons.join("; "), reason);
    }
}

fn any_plan() -> impl Strategy<Value = ExecutionPlan> {
    let step = (0..AGENTS.len(), proptest::collection::btree_set(1u32..9, 0..3));
    proptest::collection::vec(step, 0..9).prop_map(|steps| {
        let steps = (1..).zip(steps).map(|(step_id, (agent, dependencies))| Step {
            step_id,
            agent: AGENTS[agent].into(),
            // Mostly backwards, so that most plans can run.
            dependencies: dependencies.into_iter().filter(|id| *id < step_id || id % 4 == 0).collect(),
            ..Default::default()
        });
        ExecutionPlan { steps: steps.collect(), ..Default::default() }
    })
}

proptest! {
    /// Whatever passes the check runs to its end: every step becomes ready, the review alone and last, and no agent
    /// has two steps at once.
    #[test]
    fn a_checked_plan_runs_to_its_end(given in any_plan()) {
        let Ok((plan, _)) = check(given) else { return Ok(()) };
        let mut done = BTreeSet::new();
        loop {
            let now = ready(&plan, &done);
            if now.is_empty() {
                break;
            }
            let agents = now.iter().map(|step| step.agent.clone()).collect::<BTreeSet<_>>();
            prop_assert_eq!(agents.len(), now.len());
            prop_assert!(now.len() == 1 || !now.iter().any(Step::is_review));
            done.extend(ids(&now));
        }
        prop_assert_eq!(done.len(), plan.steps.len());
        prop_assert!(plan.steps.last().unwrap().is_review());
    }
}
