//! Two requirements, everything they become: read the difference before accepting it.

use qingyu_agents::context::PlanningContext;
use qingyu_agents::output::Plan;
use qingyu_story::Language;

use crate::bench::{REQUIREMENTS, ask, everything};

async fn check(name: &str, requirement: &str) {
    let language = Language::of(requirement);
    let planning =
        PlanningContext { requirement: requirement.into(), language, max_steps: 12, ..PlanningContext::default() };
    let plan: Plan = ask("plan.create", &planning).await;
    let (story, summary) = everything(requirement).await;
    insta::assert_json_snapshot!(name, (plan, summary, story));
}

#[tokio::test]
async fn a_cyberpunk_detective() {
    check("cyberpunk_detective", REQUIREMENTS[0]).await;
}

#[tokio::test]
async fn a_gardener_on_a_generation_ship() {
    check("generation_ship", REQUIREMENTS[1]).await;
}
