//! The variables of every prompt file, read from its typed values.

use qingyu_production::{GoldenContext, SaidLine};
use qingyu_story::{Agent, Language};
use serde::Serialize;
use serde_json::{Map, Value};

use super::declared::FOLDERS;
use super::filled::{AnswerPrompt, DirectionsPrompt, PlanPrompt, ReviewPrompt, UnderstandPrompt, WorkPrompt};
use crate::context::{
    AnswerContext, ChapterFixContext, ChapterPlanContext, ChapterProseContext, ChapterReviewContext,
    ChapterSeamsContext, ChapterSettleContext, DirectionsContext, LaterContext, LevelMaterial, PlanningContext,
    QuestionContext, ReviewContext, WorkContext,
};
use crate::meta_scheduler::CorrectionPrompt;
use crate::orchestrator::SplitContext;
use crate::production::consumers::{ConsumerReadingContext, PersonasContext};
use crate::production::context::{ChatContext, FieldContext, InterviewContext, RouteContext};
use crate::production::judging::ScoringContext;
use crate::production::research::{PageContext, QueryContext, SynthesisContext};
use crate::service::analysis::JudgementContext;
use crate::service::creative::{ProseContext, RewriteContext};
use crate::service::data_analysis::PhrasingContext;
use crate::service::text_review::DoubtsContext;

/// Returns the variables allowed in a prompt file.
pub(super) fn variables(file: &str) -> Vec<String> {
    let (agent, part) = file.split_once('/').unwrap_or((file, ""));
    if let Some(folder) = FOLDERS.into_iter().find(|folder| folder.name == agent)
        && !folder.variables.is_empty()
    {
        let given = if part.starts_with("system") { &[] } else { folder.variables };
        return given.iter().map(|name| (*name).to_owned()).collect();
    }
    bare(file).into_iter().map(|(name, _)| name).collect()
}

/// Returns the default context of a prompt file: each variable with an empty value.
pub fn bare(file: &str) -> Map<String, Value> {
    let (agent, part) = file.split_once('/').unwrap_or((file, ""));
    let value = match (agent, part.split('.').next().unwrap_or_default()) {
        (_, "system") | ("shared", "rules") | ("outline", "levels") => Value::Null,
        ("outline", "book" | "arcs" | "chapters") => json(&LevelMaterial::default()),
        ("outline", "later") => json(&LaterContext::default()),
        ("directions", _) => json(&DirectionsPrompt::new(&DirectionsContext::default())),
        ("planner", _) => json(&PlanPrompt::new(&PlanningContext::default())),
        ("review", _) => json(&ReviewPrompt::new(&ReviewContext::default())),
        ("assistant", "understand") => json(&UnderstandPrompt::new(&QuestionContext::default())),
        ("assistant", _) => json(&AnswerPrompt::new(&AnswerContext::default())),
        ("chapter", "understand") => json(&ChapterPlanContext::default()),
        ("chapter", "seams") => json(&ChapterSeamsContext::default()),
        ("chapter", "fix") => json(&ChapterFixContext::default()),
        ("chapter", _) => json(&ChapterProseContext::default()),
        ("critic", _) => json(&ChapterReviewContext::default()),
        ("settle", _) => json(&ChapterSettleContext::default()),
        ("meta", _) => json(&CorrectionPrompt::default()),
        ("production", "interview") => json(&InterviewContext::default()),
        ("production", "route") => json(&RouteContext::default()),
        ("production", "make") => json(&FieldContext::default()),
        ("production", _) => json(&ChatContext::default()),
        ("research", "plan") => json(&QueryContext::default()),
        ("research", "note") => json(&PageContext::default()),
        ("research", _) => json(&SynthesisContext::default()),
        ("consumer", "read") => json(&ConsumerReadingContext::default()),
        ("consumer", _) => json(&PersonasContext::default()),
        ("judge", _) => json(&ScoringContext::default()),
        // Empty lists would be left out.
        ("golden", _) => {
            let (preferences, said) = (vec![String::new()], vec![SaidLine::default()]);
            json(&GoldenContext { preferences, said, ..GoldenContext::default() })
        }
        ("orchestrator", _) => json(&SplitContext::default()),
        ("creative", "rewrite" | "mend") => json(&RewriteContext::default()),
        ("creative", _) => json(&ProseContext::default()),
        ("analysis", _) => json(&JudgementContext::default()),
        ("text_review", _) => json(&DoubtsContext::default()),
        ("data_analysis", _) => json(&PhrasingContext::default()),
        _ => json(&WorkPrompt::new(Agent::Outline, &WorkContext { language: Language::Zh, ..WorkContext::default() })),
    };
    match value {
        Value::Object(fields) => fields,
        _ => Map::new(),
    }
}

fn json(value: &impl Serialize) -> Value {
    serde_json::to_value(value).expect("prompt contexts are plain data")
}
