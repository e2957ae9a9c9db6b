//! Judges on several models.

use std::sync::Arc;

use crate::production::{ContentProductionState, Order, ProductionConfig};
use crate::{PipelineResources, ProductionResources, production};
use qingyu_graph::store::MemoryStore;
use qingyu_llm::ModelRoutes;
use qingyu_llm::testing::ScriptedModel;
use qingyu_story::Language;
use qingyu_tools::{MemoryWorkspace, Workspace};
use qingyu_web::Web;
use serde_json::json;

use super::bench::{good, whole_story};
use crate::tests::bench::answered;

fn judge(name: &str) -> ScriptedModel {
    ScriptedModel::responding(name, |request| match request.purpose.as_str() {
        "judge.score" => {
            let quotes = ["定价看价值"];
            answered(&json!({"scores": [{"criterion": "clarity", "score": 80, "why": "清楚", "quotes": quotes}]}))
        }
        _ => good(request),
    })
}

#[tokio::test]
async fn judges_run_on_different_models_where_several_are_configured() {
    for (language, second) in [(Language::Zh, "（other）"), (Language::En, " (other)")] {
        for is_alone in [true, false] {
            let (one, other) = (judge("one"), judge("other"));
            let routes = ModelRoutes::new(Arc::new(one.clone()));
            let routes = if is_alone { routes } else { routes.route("outline", Arc::new(other.clone())) };
            let workspace = Arc::new(MemoryWorkspace::new("p-1", whole_story()));
            let shared: Arc<dyn Workspace> = Arc::clone(&workspace) as Arc<dyn Workspace>;
            let workshop = PipelineResources::new(routes);
            let room = ProductionResources { workshop, workspace: shared, web: Arc::new(Web::closed()) };
            let text = Some("定价看价值".to_owned());
            let order = Order::Evaluate { contents: Vec::new(), text, runs: Some(3), criteria: Vec::new() };
            let input = ContentProductionState::input(language, ProductionConfig::default())
                .run_id("run-1".into())
                .project_id("p-1".into())
                .order(Some(order));
            let thread = production(room).unwrap().thread(Arc::new(MemoryStore::new()), "run-1").recursion_limit(50);
            thread.start(input).await.unwrap().finish().await.unwrap();
            let count = |model: &ScriptedModel| {
                model.requests().into_iter().filter(|request| request.purpose == "judge.score").count()
            };
            assert_eq!((count(&one), count(&other)), if is_alone { (3, 0) } else { (2, 1) });
            let story = workspace.story();
            let report = story.fields.iter().find(|field| field.value.get("judges").is_some()).unwrap();
            let judges = report.value["judges"].as_array().unwrap();
            let is_named = judges.iter().any(|judge| judge.as_str().unwrap().ends_with(second));
            assert_eq!(is_named, !is_alone, "{judges:?}");
        }
    }
}
