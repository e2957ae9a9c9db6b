use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use qingyu_graph::store::MemoryStore;
use qingyu_graph::{CompiledGraph, Context, END, Graph, START, State};
use qingyu_llm::roles::ModelRoutes;
use qingyu_llm::testing::{ModelScript, ScriptedModel};
use qingyu_llm::{ChatRequest, Error as ModelError};
use qingyu_production::GoldenContext;
use serde_json::{Value, json};

use qingyu_production::simulation::{
    ComprehensionAnswer, DropOffAnswer, ImpressionAnswer, ObjectionAnswer, PurchaseAnswer,
};

use super::*;
use crate::PipelineResources;

/// What a node came to.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, State)]
pub(crate) struct Desk {
    pub(crate) result: Value,
}

/// Project facts in the prompts of these tests.
pub(crate) fn golden() -> GoldenContext {
    GoldenContext { intent: "让独立开发者会定价".into(), ..GoldenContext::default() }
}

/// A graph of one node, which has consumers read.
fn graph(model: &ScriptedModel, wanted: SimulationRequest) -> CompiledGraph<Desk> {
    let workshop = PipelineResources::new(ModelRoutes::new(Arc::new(model.clone())));
    let (wanted, golden) = (Arc::new(wanted), Arc::new(golden()));
    let node = move |_: Arc<Desk>, context: Context| {
        let (workshop, wanted, golden) = (workshop.clone(), Arc::clone(&wanted), Arc::clone(&golden));
        async move {
            let seat =
                CallContext { workshop: &workshop, context: &context, language: wanted.language, golden: &golden };
            let (simulation, records, warnings) = simulate(&seat, &wanted).await?;
            let result = json!({"simulation": simulation, "calls": records.len(), "warnings": warnings});
            Ok::<_, NodeError>(Desk::update().result(result))
        }
    };
    Graph::<Desk>::new("readers")
        .node("simulate", node)
        .edge(START, "simulate")
        .edge("simulate", END)
        .compile()
        .unwrap()
}

async fn run(model: &ScriptedModel, wanted: SimulationRequest) -> (Simulation, Vec<String>) {
    let graph = graph(model, wanted);
    let thread = graph.thread(Arc::new(MemoryStore::new()), "t");
    let state = thread.start(Desk::update()).await.unwrap().finish().await.unwrap().into_state();
    outcome(&state.result)
}

fn outcome(result: &Value) -> (Simulation, Vec<String>) {
    let part = |name: &str| result[name].clone();
    (serde_json::from_value(part("simulation")).unwrap(), serde_json::from_value(part("warnings")).unwrap())
}

fn persona(name: &str) -> Persona {
    Persona { name: name.into(), who: "独立开发者".into(), ..Persona::default() }
}

fn wanted() -> SimulationRequest {
    let text = "定价要看价值。\n不要只看成本。".to_owned();
    SimulationRequest {
        language: Language::Zh,
        premise: "一门定价课".into(),
        contents: vec![Content { path: "lessons/1".into(), title: "第一课".into(), text, version: 1 }],
        personas: vec![persona("小王"), persona("老李")],
        interactions: Vec::new(),
        points: vec!["按价值定价".into()],
        expectations: vec!["每章有一个说得出的收获".into()],
        budget: 1_000,
    }
}

fn says(request: &ChatRequest) -> PersonaReading {
    let reading: ConsumerReadingContext = serde_json::from_value(request.context.clone()).unwrap();
    let understood =
        reading.points.iter().map(|point| simulation::Understood { point: point.clone(), is_understood: true });
    let score = Some(if reading.persona.name == "小王" { 80 } else { 40 });
    let (words, quotes) = (format!("{}说", reading.persona.name), vec!["不要只看成本".to_owned()]);
    PersonaReading {
        first_impression: Some(ImpressionAnswer { score, words: words.clone(), quotes: quotes.clone() }),
        comprehension: Some(ComprehensionAnswer { score, words: words.clone(), understood: understood.collect() }),
        objection: Some(ObjectionAnswer { words: words.clone(), objections: Vec::new() }),
        purchase: Some(PurchaseAnswer { score, would_buy: None, words: words.clone(), quotes }),
        drop_off: Some(DropOffAnswer { stops_at: None, words }),
    }
}

fn good(request: &ChatRequest) -> ModelScript {
    serde_json::to_string(&says(request)).unwrap().into()
}

#[tokio::test(start_paused = true)]
async fn everybody_reads_once_side_by_side_and_is_told_what_a_reader_knows() {
    let model = ScriptedModel::responding("scripted", good).with_latency(Duration::from_secs(10));
    let begun = tokio::time::Instant::now();
    let (simulation, warnings) = run(&model, wanted()).await;
    let took = begun.elapsed();
    assert!(took < Duration::from_secs(15), "two readings of ten seconds took {took:?}");
    assert_eq!((simulation.readings.len(), simulation.failed, warnings.len()), (10, 0, 0));
    let first = &simulation.outcomes[0];
    assert_eq!(first.mean, Some(60.0));
    assert_eq!(json!(first)["disagreement"]["distance"], 40.0);
    let requests = model.requests();
    assert_eq!(requests.len(), 2, "one reading per persona, with all interactions in it");
    for request in &requests {
        let user = &request.messages[1].text;
        assert!(user.contains("[2] 不要只看成本。") && user.contains("第一课"), "{user}");
        assert!(!user.contains("让独立开发者会定价"), "what the team wants is not told: {user}");
        assert_eq!(user.matches("[2] 不要只看成本。").count(), 1);
        for part in ["first_impression", "comprehension", "objection", "purchase", "drop_off", "25 多半划走"] {
            assert!(user.contains(part), "{part}: {user}");
        }
    }
    let keys: std::collections::BTreeSet<&str> = requests.iter().map(|request| request.call.as_str()).collect();
    assert_eq!(keys.len(), 2, "each is a stored step of its own");
}

#[tokio::test]
async fn a_quote_that_does_not_stand_there_is_asked_for_again() {
    let first = ImpressionAnswer { quotes: vec!["免费送书".into()], words: "好".into(), score: None };
    let invented = PersonaReading { first_impression: Some(first), ..PersonaReading::default() };
    let model =
        ScriptedModel::responding("scripted", good).on("consumer.read", serde_json::to_string(&invented).unwrap());
    let one = SimulationRequest {
        personas: vec![persona("小王")],
        interactions: vec![Interaction::FirstImpression],
        ..wanted()
    };
    let (simulation, _) = run(&model, one).await;
    let requests = model.requests();
    assert_eq!((requests.len(), simulation.failed), (2, 0));
    let again = requests[1].messages.iter().map(|message| message.text.as_str()).collect::<String>();
    assert!(again.contains("内容里没有这句原文：“免费送书”"), "{again}");
    assert_eq!(simulation.readings[0].reaction.as_ref().unwrap().quotes, ["不要只看成本"]);
}

#[tokio::test]
async fn a_reading_that_gives_nothing_is_counted_and_said() {
    let model = ScriptedModel::responding("scripted", |request| match request.context["persona"]["name"].as_str() {
        Some("老李") => "我不想说".into(),
        _ => good(request),
    });
    let (simulation, warnings) =
        run(&model, SimulationRequest { interactions: vec![Interaction::Purchase], ..wanted() }).await;
    let outcome = &simulation.outcomes[0];
    assert_eq!((outcome.read, outcome.failed, outcome.mean, simulation.failed), (1, 1, Some(80.0), 1));
    assert!(warnings.len() == 1 && warnings[0].starts_with("老李没有得到"), "{warnings:?}");
}

#[tokio::test]
async fn what_was_answered_is_not_paid_again() {
    let is_down = Arc::new(AtomicBool::new(true));
    let asked = Arc::new(Mutex::new(Vec::new()));
    let (down, noted) = (Arc::clone(&is_down), Arc::clone(&asked));
    let model = ScriptedModel::responding("scripted", move |request| {
        noted.lock().unwrap().push(request.call.clone());
        let is_his = request.context["persona"]["name"] == "老李";
        match is_his && down.load(Ordering::SeqCst) {
            true => ModelError::Transport { model: "scripted".into(), message: "away".into() }.into(),
            false => good(request),
        }
    });
    let graph = graph(&model, SimulationRequest { interactions: vec![Interaction::DropOff], ..wanted() });
    let thread = graph.thread(Arc::new(MemoryStore::new()), "t");
    assert!(thread.start(Desk::update()).await.unwrap().finish().await.is_err());
    is_down.store(false, Ordering::SeqCst);
    let state = thread.resume().await.unwrap().finish().await.unwrap().into_state();
    let (simulation, _) = outcome(&state.result);
    assert_eq!((simulation.failed, simulation.drop_off.unwrap().readers), (0, 2));
    let asked = asked.lock().unwrap();
    let of = |persona: &str| asked.iter().filter(|call| call.ends_with(&format!("/{persona}"))).count();
    assert_eq!((of("1"), of("2") >= 2), (1, true), "{asked:?}");
}

#[tokio::test]
async fn personas_are_made_up_if_there_are_none() {
    let made = json!({"personas": [{"name": "甲", "who": "学生"}, {"name": "甲", "who": "店主"}]});
    let one = || SimulationRequest { personas: Vec::new(), interactions: vec![Interaction::DropOff], ..wanted() };
    let model = ScriptedModel::responding("scripted", good).on("consumer.personas", made.to_string());
    let (simulation, warnings) = run(&model, one()).await;
    let names: Vec<&str> = simulation.personas.iter().map(|persona| persona.name.as_str()).collect();
    assert_eq!((names, warnings.len()), (vec!["甲", "甲 2"], 1));
    assert!(model.requests()[0].messages[1].text.contains("让独立开发者会定价"));
    let silent = ScriptedModel::responding("scripted", |request| match request.purpose.as_str() {
        "consumer.personas" => "不会".into(),
        _ => good(request),
    });
    let (simulation, warnings) = run(&silent, one()).await;
    assert_eq!((simulation.personas[0].name.as_str(), simulation.readings.len()), ("普通读者", 1));
    assert!(warnings[0].contains("普通读者"), "{warnings:?}");
}

#[tokio::test]
async fn what_is_still_to_be_written_is_no_content() {
    let model = ScriptedModel::responding("scripted", good);
    let text = "定价要看价值。\n〔待补：例子〕\n不要只看成本。".to_owned();
    let contents = vec![Content { path: "lessons/1".into(), title: "第一课".into(), text, version: 1 }];
    let (simulation, warnings) = run(&model, SimulationRequest { contents, ..wanted() }).await;
    assert_eq!((simulation.paragraphs, simulation.open[0].placeholders), (2, 1));
    assert_eq!(warnings, ["「第一课」有 1 处还没有写，不算内容"]);
    assert!(!model.requests()[0].messages[1].text.contains("待补"));
}

#[tokio::test]
async fn what_is_not_read_is_said_and_nothing_is_asked_about_nothing() {
    let model = ScriptedModel::responding("scripted", good);
    let (simulation, warnings) = run(&model, SimulationRequest { budget: 7, ..wanted() }).await;
    assert_eq!((simulation.paragraphs, simulation.left_out[0].paragraphs), (1, 1));
    assert_eq!(warnings[0], "内容太长，「第一课」有 1 段（7 字）没有读到");
    let model = ScriptedModel::new("scripted");
    let (simulation, warnings) = run(&model, SimulationRequest { contents: Vec::new(), ..wanted() }).await;
    assert_eq!(
        (simulation, warnings, model.requests().len()),
        (Simulation::default(), vec!["没有可以读的内容".to_owned()], 0)
    );
}
