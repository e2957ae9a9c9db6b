//! A course and a series of articles, with answers written by hand (`tests/transcripts`): what goes out is as an editor
//! would have it.

use std::sync::Arc;

use crate::production::context::FieldContext;
use crate::production::research::answer::PlannedQuestion;
use crate::production::research::{Claimed, Note, Notes, PageContext, Queries, Synthesis};
use crate::production::{ContentProductionState, ProductionConfig};
use crate::{PipelineResources, ProductionResources, production};
use qingyu_graph::Outcome;
use qingyu_graph::store::MemoryStore;
use qingyu_llm::testing::{ModelScript, ScriptedModel};
use qingyu_llm::{ChatRequest, ModelRoutes};
use qingyu_production::export::{ProductionFormat, Readiness, export};
use qingyu_production::research::Report;
use qingyu_production::{Templates, citation, sizes};
use qingyu_story::production::Autonomy;
use qingyu_story::{Language, Story};
use qingyu_tools::{MemoryWorkspace, Workspace};
use qingyu_web::testing::{ScriptedReader, ScriptedSearch};
use qingyu_web::{Web, WebHit};
use serde::Deserialize;
use serde_json::{Map, Value};

use super::bench::context;
use super::publishable::careful;
use crate::tests::bench::answered;

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
struct Transcript {
    language: Language,
    template: String,
    premise: String,
    queries: Vec<String>,
    questions: Vec<PlannedQuestion>,
    summary: String,
    findings: Vec<Claimed>,
    pages: Vec<WrittenPage>,
    /// The answers by the path of the field.
    make: Map<String, Value>,
}

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
struct WrittenPage {
    url: String,
    title: String,
    text: String,
    note: Note,
}

impl Transcript {
    fn answer(&self, request: &ChatRequest) -> ModelScript {
        match request.purpose.as_str() {
            "research.plan" => answered(&Queries { queries: self.queries.clone(), questions: self.questions.clone() }),
            "research.note" => {
                let reading: PageContext = context(request);
                let page = self.pages.iter().find(|page| page.title == reading.title).unwrap();
                answered(&Notes { notes: vec![page.note.clone()] })
            }
            "research.write" => answered(&Synthesis {
                summary: self.summary.clone(),
                findings: self.findings.clone(),
                gaps: Vec::new(),
            }),
            "production.make" => {
                let making: FieldContext = context(request);
                match self.make.get(&making.path) {
                    Some(Value::String(text)) => text.trim().to_owned().into(),
                    Some(value) => value.to_string().into(),
                    None => panic!("nobody wrote {}", making.path),
                }
            }
            _ => careful(request),
        }
    }

    fn web(&self) -> Web {
        let hit =
            |page: &WrittenPage| WebHit { url: page.url.clone(), title: page.title.clone(), snippet: String::new() };
        let reader = ScriptedReader::new();
        let reader = self.pages.iter().fold(reader, |reader, page| reader.page(&page.url, &page.title, &page.text));
        let hits = self.pages.iter().map(hit).collect();
        Web { search: Some(Arc::new(ScriptedSearch::new(hits))), reader: Arc::new(reader) }
    }

    /// Runs the production, with nobody asked, and returns the project.
    async fn run(&self) -> Story {
        let (mut begun, fields) = Templates::builtin().get(&self.template).unwrap().begin(self.language);
        begun.phases.iter_mut().for_each(|phase| phase.autonomy = Autonomy::Auto);
        let (premise, language) = (self.premise.clone(), self.language);
        let mut story = Story { premise, language, production: Some(begun), fields, ..Story::default() };
        // As a new project does.
        assert!(!sizes::take(&mut story, &self.premise, &[], false).sizes.is_empty());
        let answers = self.clone();
        let model = ScriptedModel::responding("scripted", move |request| answers.answer(request));
        let workspace = Arc::new(MemoryWorkspace::new("p-1", story));
        let workshop = PipelineResources::new(ModelRoutes::new(Arc::new(model)));
        let shared: Arc<dyn Workspace> = Arc::clone(&workspace) as Arc<dyn Workspace>;
        let room = ProductionResources { workshop, workspace: shared, web: Arc::new(self.web()) };
        let thread = production(room).unwrap().thread(Arc::new(MemoryStore::new()), "run-1").recursion_limit(200);
        let input = ContentProductionState::input(language, ProductionConfig::default())
            .run_id("run-1".into())
            .project_id("p-1".into());
        let outcome = thread.start(input).await.unwrap().finish().await.unwrap();
        let Outcome::Done(state) = outcome else { panic!("{outcome:?}") };
        assert!(state.errors.is_empty(), "{:?}", state.errors);
        Story::clone(&workspace.story())
    }
}

#[tokio::test]
async fn what_was_written_by_hand_goes_out_as_it_is() {
    let course = include_str!("../transcripts/course.zh.toml");
    let articles = include_str!("../transcripts/articles.en.toml");
    for (text, list, count, files, title) in [
        (course, "produce_inner/lessons/", 3, 4, "# 一个人的读书夜\n"),
        (articles, "produce_inner/articles/", 3, 2, "# Worth the Evening\n"),
    ] {
        let transcript: Transcript = toml::from_str(text).unwrap();
        let story = transcript.run().await;
        let pieces: Vec<&str> = story
            .fields
            .iter()
            .filter(|field| field.path.starts_with(list))
            .map(|field| field.value.as_str().unwrap())
            .collect();
        assert_eq!(pieces.len(), count, "{:?}", transcript.premise);
        assert!(pieces.iter().all(|text| !citation::named(text).is_empty()), "every one cites");
        let report = story.fields.iter().find(|field| field.path == "research/report").unwrap();
        let report: Report = serde_json::from_value(report.value.clone()).unwrap();
        assert_eq!(report.unanswered().count(), 0, "{report:?}");

        let premise = &transcript.premise;
        let exported =
            export(&story, premise, transcript.language, &ProductionFormat::Markdown, &[], Readiness::Ready).unwrap();
        assert_eq!((exported.files.len(), exported.problems.len()), (files, 0), "{:?}", exported.problems);
        assert!(exported.files.iter().all(|file| !file.part.is_empty() && !file.text.contains("shop.example")));
        let whole = exported.files.iter().find(|file| file.text.contains("](<https://")).unwrap();
        assert!(whole.text.starts_with(title), "{}", whole.text);
        let all: Vec<String> = exported
            .files
            .iter()
            .map(|file| format!("===== {}.{}\n\n{}", file.part, file.extension, file.text))
            .collect();
        insta::assert_snapshot!(format!("handwritten_{}", transcript.template), all.join("\n"));
    }
}
