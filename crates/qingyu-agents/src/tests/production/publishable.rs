//! From a sentence to files that go out as they are: every lesson cites, nothing is open, lengths hold, titles are titles.

use std::sync::Arc;

use crate::production::consumers::ConsumerReadingContext;
use crate::production::context::FieldContext;
use crate::production::judging::ScoringContext;
use crate::production::research::{Claimed, Note, Notes, PageContext, Queries, Synthesis, SynthesisContext};
use crate::production::{ContentProductionState, ProductionConfig};
use crate::{PipelineResources, ProductionResources, production};
use qingyu_graph::Outcome;
use qingyu_graph::store::MemoryStore;
use qingyu_llm::testing::{ModelScript, ScriptedModel};
use qingyu_llm::{ChatRequest, ModelRoutes};
use qingyu_production::Templates;
use qingyu_production::export::{ProductionFormat, Readiness, export};
use qingyu_story::production::Autonomy;
use qingyu_story::{Language, Story};
use qingyu_tools::{MemoryWorkspace, Workspace};
use qingyu_web::testing::{ScriptedReader, ScriptedSearch};
use qingyu_web::{Web, WebHit};
use serde_json::{Value, json};

use super::bench::context;
use crate::tests::bench::answered;

const SENTENCE: &str = "学员在柜台后面一个人做练习，先看价目表再写下自己的价格。";

/// Answers as a careful model does: within the lengths, with the numbers of the sources that it was given.
pub(super) fn careful(request: &ChatRequest) -> ModelScript {
    match request.purpose.as_str() {
        "research.plan" => answered(&Queries { queries: vec!["软件定价".into()], ..Queries::default() }),
        "research.note" => {
            let reading: PageContext = context(request);
            let quote = reading.text.lines().next().unwrap_or_default().to_owned();
            answered(&Notes { notes: vec![Note { claim: quote.clone(), quote }] })
        }
        "research.write" => {
            let writing: SynthesisContext = context(request);
            let claimed = |source: &crate::production::research::NotedSource| Claimed {
                claim: source.notes[0].claim.clone(),
                sources: vec![source.number],
                question: None,
            };
            let findings = writing.sources.iter().map(claimed).collect();
            answered(&Synthesis { summary: "三档最常见[1]。".into(), findings, gaps: Vec::new() })
        }
        "production.make" => made(&context(request)),
        "consumer.read" => {
            let reading: ConsumerReadingContext = context(request);
            let understood: Vec<Value> =
                reading.points.iter().map(|point| json!({"point": point, "is_understood": true})).collect();
            answered(&json!({
                "first_impression": {"score": 70, "words": "想看"},
                "comprehension": {"score": 70, "words": "看得懂", "understood": understood},
                "objection": {"words": "没有"}, "purchase": {"words": "想想"}, "drop_off": {"words": "读完"},
            }))
        }
        "judge.score" => {
            let scoring: ScoringContext = context(request);
            let quote = scoring.passages[0].text.clone();
            let line = |name: &String| json!({"criterion": name, "score": 80, "why": "清楚", "quotes": [quote]});
            let scores: Vec<Value> = scoring.criteria.iter().map(|criterion| line(&criterion.name)).collect();
            answered(&json!({ "scores": scores }))
        }
        other => panic!("nobody answers {other}"),
    }
}

fn made(making: &FieldContext) -> ModelScript {
    if !making.is_text {
        return filled(&making.schema, "内容").to_string().into();
    }
    let length = making.length.map_or(60, |length| (length.least + length.most) / 2);
    let text = SENTENCE.repeat((length / SENTENCE.chars().count()).max(1));
    let mark = making.numbers().first().map(|number| format!("[{number}]")).filter(|_| making.cites);
    format!("{text}{}", mark.unwrap_or_default()).into()
}

/// A value that fits a schema.
fn filled(schema: &Value, name: &str) -> Value {
    match schema["type"].as_str() {
        Some("object") => {
            let members = schema["properties"].as_object().into_iter().flatten();
            members.map(|(name, schema)| (name.clone(), filled(schema, name))).collect::<serde_json::Map<_, _>>().into()
        }
        Some("array") => {
            let count = schema["minItems"].as_u64().unwrap_or(1);
            (0..count).map(|at| filled(&schema["items"], &format!("{name}{at}"))).collect::<Vec<_>>().into()
        }
        Some("integer" | "number") => json!(1),
        Some("boolean") => json!(true),
        _ => format!("{name}写好了").into(),
    }
}

/// Two pages that say something, and one that only sells.
fn web() -> Web {
    let pages = [
        ("https://study.example/", "六成产品分三档。"),
        ("https://diary.example/", "先问十个客户再写价格。"),
        ("https://shop.example/", "立即购买，限时优惠。"),
    ];
    let hits = pages.map(|(url, _)| WebHit { url: url.into(), title: "题".into(), snippet: String::new() });
    let reader = pages.iter().fold(ScriptedReader::new(), |reader, (url, text)| reader.page(url, "题", text));
    Web { search: Some(Arc::new(ScriptedSearch::new(hits.to_vec()))), reader: Arc::new(reader) }
}

#[tokio::test]
async fn a_course_and_a_series_go_out_as_they_are() {
    for (template, list) in [("course", "produce_inner/lessons"), ("articles", "produce_inner/articles")] {
        let (mut begun, mut fields) = Templates::builtin().get(template).unwrap().begin(Language::Zh);
        begun.phases.iter_mut().for_each(|phase| phase.autonomy = Autonomy::Auto);
        if template == "course" {
            // A production of an older release, whose schema knows nothing of pages that sell.
            let report = fields.iter_mut().find(|field| field.path == "research/report").unwrap();
            let of_source = &mut report.schema["properties"]["sources"]["items"]["properties"];
            of_source.as_object_mut().unwrap().retain(|name, _| !["is_vendor", "addressed"].contains(&name.as_str()));
        }
        let premise = "为独立开发者写一门关于定价的短课程".to_owned();
        let story = Story {
            premise: premise.clone(),
            language: Language::Zh,
            production: Some(begun),
            fields,
            ..Story::default()
        };
        let model = ScriptedModel::responding("scripted", careful);
        let workspace = Arc::new(MemoryWorkspace::new("p-1", story));
        let workshop = PipelineResources::new(ModelRoutes::new(Arc::new(model.clone())));
        let shared: Arc<dyn Workspace> = Arc::clone(&workspace) as Arc<dyn Workspace>;
        let room = ProductionResources { workshop, workspace: shared, web: Arc::new(web()) };
        let thread = production(room).unwrap().thread(Arc::new(MemoryStore::new()), "run-1").recursion_limit(200);
        let input = ContentProductionState::input(Language::Zh, ProductionConfig::default())
            .run_id("run-1".into())
            .project_id("p-1".into());
        let outcome = thread.start(input).await.unwrap().finish().await.unwrap();
        let Outcome::Done(state) = outcome else { panic!("{template}: {outcome:?}") };
        assert!(state.errors.is_empty(), "{:?}", state.errors);

        // Every lesson was shown findings, and each but the first of a course the end of the one before.
        let requests = model.requests();
        let makings: Vec<FieldContext> =
            requests.iter().filter(|request| request.purpose == "production.make").map(context).collect();
        let of_list: Vec<&FieldContext> =
            makings.iter().filter(|making| making.path.starts_with(&format!("{list}/"))).collect();
        assert!(of_list.len() >= 3 && of_list.iter().all(|making| making.cites), "{template}");
        let before = of_list.iter().filter(|making| making.sources.iter().any(|it| it.path.starts_with(list))).count();
        assert_eq!(before, if template == "course" { of_list.len() - 1 } else { 0 }, "{template}");

        let story = workspace.story();
        let exported =
            export(&story, &premise, Language::Zh, &ProductionFormat::Markdown, &[], Readiness::Ready).unwrap();
        assert!(exported.files.len() >= 2 && exported.problems.is_empty(), "{template}");
        let text = &exported.files.iter().find(|file| ["学员", "读者"].contains(&file.part.as_str())).unwrap().text;
        assert!(text.starts_with("# title写好了\n"), "the title of the outline: {text}");
        assert!(text.contains("[1]") && text.contains("## 资料来源\n\n1. [题](<https://"), "{text}");
        assert!(!text.contains("shop.example"), "only what is cited is listed: {text}");
        assert!(exported.files.iter().all(|file| !file.text.contains("**body**") && !file.text.contains('〔')));
    }
}
