//! Prints the offline model's result for a requirement: `cargo run -p qingyu-offline --example offline -- "a heist"`.

use qingyu_agents::context::{PlanningContext, ReviewContext, WorkContext, WorkMode};
use qingyu_agents::output::{CharacterWork, Judgement, OutlineWork, Plan, PlotWork, StyleWork, WorldviewWork};
use qingyu_llm::model::drain;
use qingyu_llm::{ChatModel, ChatRequest};
use qingyu_story::{Language, Story};
use serde::Serialize;
use serde::de::DeserializeOwned;

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let requirement = std::env::args().nth(1).unwrap_or_else(|| "创作一部赛博朋克背景的侦探小说".into());
    let language = Language::of(&requirement);
    let planning =
        PlanningContext { requirement: requirement.clone(), language, max_steps: 12, ..PlanningContext::default() };
    let plan: Plan = ask("plan.create", &planning).await?;
    println!("{}", serde_json::to_string_pretty(&plan)?);
    let mut story = Story { premise: requirement.clone(), language, ..Story::default() };
    let work = |story: &Story, task: &str| WorkContext {
        requirement: requirement.clone(),
        language,
        task: task.into(),
        mode: WorkMode::Generate,
        story: story.clone(),
        ..WorkContext::default()
    };
    if plan.requirement_analysis.required_capabilities.iter().any(|name| name == "worldview") {
        let world: WorldviewWork = ask("worldview.generate", &work(&story, "world")).await?;
        println!("{}", serde_json::to_string_pretty(&world)?);
        story.worldview = Some(world.worldview);
    }
    let outline: OutlineWork = ask("outline.generate", &work(&story, "outline")).await?;
    let cast: CharacterWork = ask("character.generate", &work(&story, "cast")).await?;
    println!("{}\n{}", serde_json::to_string_pretty(&outline)?, serde_json::to_string_pretty(&cast)?);
    story.outline_nodes = outline.outline_nodes;
    story.characters = cast.characters;
    story.character_relations = cast.character_relations;
    let plot: PlotWork = ask("plot.generate", &work(&story, "plot")).await?;
    let style: StyleWork = ask("style.generate", &work(&story, "style")).await?;
    println!("{}\n{}", serde_json::to_string_pretty(&plot)?, serde_json::to_string_pretty(&style)?);
    story.timeline_events = plot.timeline_events;
    story.plot_nodes = plot.plot_nodes;
    story.style = Some(style.style);
    let review = ReviewContext { requirement, language, story, ..ReviewContext::default() };
    let judgement: Judgement = ask("review.judge", &review).await?;
    println!("{}", serde_json::to_string_pretty(&judgement)?);
    Ok(())
}

async fn ask<T: DeserializeOwned>(purpose: &str, context: &impl Serialize) -> Result<T, Box<dyn std::error::Error>> {
    let context = serde_json::to_value(context)?;
    let request = ChatRequest { purpose: purpose.into(), context, ..ChatRequest::default() };
    let reply = drain(qingyu_offline::model().stream(&request).await?).await?;
    Ok(serde_json::from_str(&reply.text)?)
}
