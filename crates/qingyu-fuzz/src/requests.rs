//! Requests in plain words.

use std::sync::LazyLock;

use qingyu_agents::orchestrator::router;
use qingyu_agents::output::Plan;
use qingyu_agents::service::AgentRegistry;
use qingyu_llm::model::drain;
use qingyu_llm::{ChatModel, ChatRequest};
use qingyu_production::{RoutingContext, route};
use qingyu_story::chapters::mention;
use qingyu_story::production::{Field, Phase};
use qingyu_story::{Language, Story};
use serde_json::json;

use crate::input;

/// Maximum number of parts of a split task.
const PARTS: usize = 8;

static AGENTS: LazyLock<AgentRegistry> = LazyLock::new(AgentRegistry::builtin);

static FIELDS: LazyLock<Vec<Field>> = LazyLock::new(|| {
    let field = |(path, title): (&str, &str)| Field { path: path.into(), title: title.into(), ..Field::default() };
    [("intent/goal", "目标"), ("design_inner/outline", "课程大纲"), ("produce_inner/lessons/3", "Lesson 3")]
        .map(field)
        .into()
});

static PHASES: LazyLock<Vec<Phase>> = LazyLock::new(|| {
    let phase = |(name, title): (&str, &str)| Phase { name: name.into(), title: title.into(), ..Phase::default() };
    [("intent", "意图"), ("design_inner", "Inner design"), ("produce_inner", "内涵生产")].map(phase).into()
});

/// Parses any text as a request: a story, a task for several agents, an operation on a production. Chapters and
/// references in the result occur in the text.
pub fn request(bytes: &[u8]) {
    let text = input::text(bytes);
    plans(text);
    let parts = router::split(text, &AGENTS, PARTS);
    assert!(parts.len() <= PARTS, "{} parts", parts.len());
    for (number, part) in parts.iter().enumerate() {
        assert!(AGENTS.contains(&part.agent), "{} can be asked", part.agent);
        let is_earlier = |name: &String| parts[..number].iter().any(|earlier| earlier.name == *name);
        assert!(part.depends_on.iter().all(is_earlier), "it waits for what comes before it: {:?}", part.depends_on);
    }
    if let Some(chapter) = mention(text) {
        assert!(text.get(chapter.clone()).is_some(), "{chapter:?} is named");
    }
    for is_asked in [false, true] {
        let routing = route(text, &situation(is_asked));
        assert!((0.0..=1.0).contains(&routing.confidence), "{routing:?}");
        assert!(routing.fields.iter().all(|path| FIELDS.iter().any(|field| field.path == *path)), "{routing:?}");
        assert!(routing.phase.iter().all(|name| PHASES.iter().any(|phase| phase.name == *name)), "{routing:?}");
    }
}

fn situation(is_asked: bool) -> RoutingContext<'static> {
    RoutingContext {
        fields: &FIELDS,
        phases: &PHASES,
        current_phase: "intent",
        is_interview: is_asked,
        waits_for_confirmation: is_asked,
    }
}

/// Asserts any request returns a plan without a language model, in either language, and always the same plan.
fn plans(requirement: &str) {
    for language in [Language::Zh, Language::En] {
        let context = json!({
            "requirement": requirement, "language": language, "story": Story::default(), "agents": [], "tools": [],
            "max_steps": 20,
        });
        let request = ChatRequest { purpose: "plan.create".into(), context, ..ChatRequest::default() };
        let plan = || {
            input::block_on(async { drain(qingyu_offline::model().stream(&request).await?).await })
                .expect("whatever is asked for, it is answered")
                .text
        };
        let text = plan();
        let Plan { execution_plan, .. } = serde_json::from_str(&text).expect("a plan is JSON");
        assert!(!execution_plan.steps.is_empty(), "somebody has something to do");
        assert_eq!(plan(), text, "it is the same again");
    }
}
