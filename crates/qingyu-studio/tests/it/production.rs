//! Productions: told what to do, changed by hand, researched, played again.

use std::path::Path;

use qingyu_agents::production::Order;
use qingyu_production::Status;
use qingyu_story::production::{Autonomy, Field};
use qingyu_studio::operations as op;
use qingyu_studio::{
    ProduceRequest, ReplayRequest, RunAnswer, RunStatus, Settings, Studio, StudioEventKind, TellRequest,
};
use qingyu_web::WebHit;
use qingyu_web::testing::{EngineReply, FakeAnswer, Server};
use serde_json::Value;

use crate::{environment, finish, offline, table};

const PREMISE: &str = "为独立开发者写一门关于定价的短课程";

async fn open(home: &Path) -> Studio {
    Studio::open(offline(home)).await.unwrap()
}

fn alone() -> ProduceRequest {
    let autonomy = vec![("all".to_owned(), Autonomy::Auto)];
    let overrides = table(&[("web.search", "none")]);
    ProduceRequest { premise: PREMISE.into(), autonomy, overrides, ..ProduceRequest::default() }
}

fn tell(project: &str, order: Option<Order>) -> TellRequest {
    TellRequest { project: project.into(), order, model: None, overrides: table(&[("web.search", "none")]) }
}

#[tokio::test]
async fn a_sentence_becomes_a_course_and_the_next_run_goes_on_with_it() {
    let home = tempfile::tempdir().unwrap();
    let studio = open(home.path()).await;
    let (_, outcome) = finish(studio.produce(alone()).await.unwrap()).await;
    assert_eq!((outcome.status, outcome.errors.as_slice()), (RunStatus::Done, [].as_slice()));
    let view = studio.production(&outcome.project).await.unwrap();
    assert!(
        view.current_phase.is_empty() && view.fields.iter().all(|row| row.status == Status::Confirmed),
        "{view:#?}"
    );

    // The run has ended; the next thing that is said begins another, which remembers.
    let order = Order::Make { fields: vec!["promise".into()], instruction: String::new(), is_change: false };
    let (_, again) = finish(studio.tell(tell(&outcome.project, Some(order))).await.unwrap()).await;
    assert_eq!(again.status, RunStatus::Waiting);
    assert_ne!(again.run, outcome.run);
    let (_, third) = finish(studio.tell(tell(&outcome.project, Some(Order::MakeStale))).await.unwrap()).await;
    assert_eq!(third.run, again.run, "a run that waits is told, not begun");
}

#[tokio::test]
async fn what_a_production_asks_is_read_from_its_log_as_it_was_asked() {
    let home = tempfile::tempdir().unwrap();
    let studio = open(home.path()).await;
    let request = ProduceRequest { autonomy: Vec::new(), ..alone() };
    let (_, outcome) = finish(studio.produce(request).await.unwrap()).await;
    assert_eq!(outcome.status, RunStatus::Waiting);
    let events = studio.events(&outcome.run, 0).await.unwrap();
    let asked = events.into_iter().rev().find_map(|event| match event.kind {
        StudioEventKind::Waiting { question, question_id } => Some((question, question_id)),
        _ => None,
    });
    let (question, question_id) = asked.unwrap();
    assert_eq!((Some(question), &question_id), (outcome.question, &outcome.question_id));
    assert!(question_id.is_some());
}

#[tokio::test]
async fn an_answer_that_comes_late_is_no_answer_to_the_next_question() {
    let home = tempfile::tempdir().unwrap();
    let studio = open(home.path()).await;
    let request = ProduceRequest { autonomy: Vec::new(), ..alone() };
    let (_, first) = finish(studio.produce(request).await.unwrap()).await;
    let (_, again) = finish(studio.resume(&first.run, None).await.unwrap()).await;
    assert_eq!((again.status, &again.question_id), (RunStatus::Waiting, &first.question_id), "asked again, not anew");
    let (_, second) = finish(studio.answer(&first, RunAnswer::Approve).await.unwrap()).await;
    assert_eq!(second.status, RunStatus::Waiting);
    assert_ne!(second.question_id, first.question_id);

    let late = studio.answer(&first, RunAnswer::Approve).await.unwrap_err();
    assert_eq!((late.code(), &late.data()["run"]), ("question_changed", &first.run.as_str().into()));
    let stands = studio.outcome(&first.run).await.unwrap();
    assert_eq!((stands.status, &stands.question_id), (RunStatus::Waiting, &second.question_id));
    let (_, third) = finish(studio.answer(&second, RunAnswer::Approve).await.unwrap()).await;
    assert_ne!(third.question_id, second.question_id);
}

#[tokio::test]
async fn a_field_changed_by_hand_names_what_is_stale_and_an_undo_takes_that_back() {
    let home = tempfile::tempdir().unwrap();
    let studio = open(home.path()).await;
    let (_, outcome) = finish(studio.produce(alone()).await.unwrap()).await;
    let project = &outcome.project;
    let before = studio.field(project, "promise").await.unwrap();
    let change =
        studio.put_field(project, "promise", "学完能给自己的产品定价", Some(before.field.version)).await.unwrap();
    assert!(change.stale.contains(&"design_inner/outline".to_owned()), "{change:?}");
    let conflict = studio.put_field(project, "promise", "又一次", Some(before.field.version)).await.unwrap_err();
    assert_eq!((conflict.code(), &conflict.data()["found"]), ("field_conflict", &2.into()));
    let misfit = studio.put_field(project, "outline", "{}", None).await.unwrap_err();
    assert_eq!((misfit.code(), &misfit.data()["reason"]), ("production", &"misfit".into()));
    studio.undo(project, None).await.unwrap();
    let rows = studio.production(project).await.unwrap().fields;
    assert!(rows.iter().all(|row| row.status == Status::Confirmed), "{rows:#?}");
    // As it was, but under a number that stands for nothing else.
    let back = studio.field(project, "promise").await.unwrap().field;
    assert_eq!((back.version, Field { version: before.field.version, ..back }), (3, before.field));
}

#[tokio::test]
async fn research_is_played_again_from_its_cassette_when_the_web_is_gone() {
    let home = tempfile::tempdir().unwrap();
    let server = Server::start().await;
    let page =
        "<p>独立开发者给产品定价时，先看用户愿意为它付多少。</p><p>定价的方法有三种：看成本，看对手，看价值。</p>";
    server.page("/pricing", FakeAnswer::html("独立开发者的定价", page));
    server.page("/inward", FakeAnswer::redirect("http://192.168.0.1/admin"));
    let hit = |path: &str| WebHit { url: server.url(path), title: path.into(), snippet: String::new() };
    server.says(PREMISE, EngineReply::Hits(vec![hit("/pricing"), hit("/inward")]));
    let settings = server.settings();
    let endpoint = settings.search_endpoint.clone().unwrap();
    let mut overrides = table(&[("web.search", "searxng"), ("web.search_endpoint", &endpoint)]);
    let web = overrides["web"].as_table_mut().unwrap();
    web.insert("allow".into(), toml::Value::Array(settings.allow.iter().cloned().map(toml::Value::String).collect()));
    web.insert("requests_per_minute".into(), 0.into());

    let studio = open(home.path()).await;
    let (_, outcome) = finish(studio.produce(ProduceRequest { overrides, ..alone() }).await.unwrap()).await;
    assert_eq!((outcome.status, outcome.errors.as_slice()), (RunStatus::Done, [].as_slice()));
    let report = studio.field(&outcome.project, "research/report").await.unwrap().field.value;
    let sources: Vec<&str> =
        report["sources"].as_array().unwrap().iter().filter_map(|source| source["url"].as_str()).collect();
    assert_eq!(sources, [server.url("/pricing")]);
    assert_eq!(report["dropped"][0]["code"], "private_address");
    assert!(report["findings"].as_array().unwrap().iter().all(|finding| finding["is_supported"] == Value::Bool(true)));
    let asked = server.asked().len();

    let replay = studio.replay(ReplayRequest::run(&outcome.run), &mut |_| {}).await.unwrap();
    assert!(replay.identical, "{replay:#?}");
    assert_eq!(server.asked().len(), asked, "nobody was asked again");
}

#[tokio::test]
async fn what_cannot_begin_leaves_nothing_behind_and_keys_stand_in_no_setting() {
    let home = tempfile::tempdir().unwrap();
    let studio = open(home.path()).await;
    let unknown = ProduceRequest { template: Some("none".into()), ..alone() };
    assert_eq!(studio.produce(unknown).await.unwrap_err().data()["reason"], "unknown_template");
    let nowhere = ProduceRequest { autonomy: vec![("nowhere".into(), Autonomy::Auto)], ..alone() };
    assert_eq!(studio.produce(nowhere).await.unwrap_err().data()["reason"], "unknown_phase");
    assert!(studio.projects().await.unwrap().is_empty());
    let flags = table(&[("web.search_key", "a secret")]);
    let error = Settings::load(environment(home.path(), &[]), flags).unwrap_err();
    assert_eq!(error.code(), "bad_settings");
    assert!(error.to_string().contains("QINGYU_WEB_SEARCH_KEY") && !error.to_string().contains("secret"), "{error}");
}

#[tokio::test]
async fn a_user_s_own_template_is_read_and_one_that_is_none_says_where() {
    let home = tempfile::tempdir().unwrap();
    let studio = open(home.path()).await;
    let folder = home.path().join("templates");
    std::fs::create_dir_all(&folder).unwrap();
    let own = "extends = \"default\"\ntitle = { zh = \"通讯\", en = \"Newsletter\" }\ndescription = { zh = \"每周一封\", en = \"One a week\" }\n";
    std::fs::write(folder.join("newsletter.toml"), own).unwrap();
    let rows = studio.call(op::ListTemplates { language: qingyu_story::Language::Zh }).await.unwrap();
    assert!(rows.iter().any(|row| row.name == "newsletter" && row.title == "通讯"), "{rows:#?}");
    std::fs::write(folder.join("newsletter.toml"), "extends = \"default\"\nphasse = []\n").unwrap();
    let error = studio.call(op::ListTemplates { language: qingyu_story::Language::Zh }).await.unwrap_err();
    assert_eq!(error.data()["given"], "newsletter");
    assert!(error.to_string().contains("phasse"), "{error}");
}

#[tokio::test]
async fn the_voice_of_a_client_is_taken_from_its_file() {
    let home = tempfile::tempdir().unwrap();
    let studio = open(home.path()).await;
    let (_, outcome) = finish(studio.produce(alone()).await.unwrap()).await;
    let project = &outcome.project;
    let folder = home.path().join("voices");
    std::fs::create_dir_all(&folder).unwrap();
    let file = "forbidden = [\"稳赚\"]\nsamples = [\"我只讲我做过的事。\"]\n[[glossary]]\nterm = \"定价\"\ninstead_of = [\"报价\"]\n";
    std::fs::write(folder.join("acme.toml"), file).unwrap();
    let unknown = studio
        .call(op::PutVoice { project: project.into(), voice: None, client: Some("../acme".into()) })
        .await
        .unwrap_err();
    assert_eq!((&unknown.data()["reason"], &unknown.data()["others"][0]), (&"unknown_voice".into(), &"acme".into()));
    studio.call(op::PutVoice { project: project.into(), voice: None, client: Some("acme".into()) }).await.unwrap();
    let voice = studio.voice(project).await.unwrap();
    assert_eq!((voice.client.as_str(), voice.forbidden.len(), voice.glossary[0].term.as_str()), ("acme", 1, "定价"));
    studio.put_field(project, "landing_page", "这门课稳赚。", None).await.unwrap();
    let export = |draft: bool| {
        let paths = vec!["produce_outer/landing_page".to_owned()];
        let (project, format) = (project.clone(), qingyu_studio::ContentForm::Markdown);
        studio.call(op::ExportContent { project, format, paths, draft })
    };
    let refused = export(false).await.unwrap_err();
    assert_eq!(refused.data()["reason"], "not_ready");
    assert!(refused.to_string().contains("稳赚"), "{refused}");
    assert!(export(true).await.is_ok());
    // What a model is shown is listed with the field.
    let lesson = studio.field(project, "produce_inner/lessons/2").await.unwrap();
    let inputs: Vec<&str> = lesson.inputs.iter().map(|input| input.input.as_str()).collect();
    assert!(
        inputs.contains(&"produce_inner/lessons/1") && inputs.contains(&"design_inner/outline#/lessons/*/title"),
        "{inputs:?}"
    );
}
