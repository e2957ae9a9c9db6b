//! What earlier builds have left is opened, read and finished by this one.
//!
//! `make golden` puts a folder there for the build as it is; see `tests/golden/README.md`.

use std::collections::BTreeMap;
use std::fs::File;
use std::path::{Path, PathBuf};

use qingyu_graph::testing::TestSchema;
use qingyu_studio::{Environment, RunAnswer, RunQuestion, RunStatus, Settings, Studio, StudioEvent, read_story};
use serde::Deserialize;
use serde_json::Value;
use tempfile::TempDir;
use zip::ZipArchive;

use crate::finish;

/// The schema in the SQL of PostgreSQL, which stands nowhere else in it.
const SCHEMA: &str = "qingyu_golden_home";

/// What was so when the folder was packed.
#[derive(Deserialize)]
struct Expected {
    runs: BTreeMap<String, ExpectedRun>,
    titles: BTreeMap<String, String>,
    stories: BTreeMap<String, Value>,
}

#[derive(Deserialize)]
struct ExpectedRun {
    project: String,
    status: RunStatus,
}

/// The archives of this name, one of each build.
fn archives(name: &str) -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden");
    let builds = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let archives: Vec<PathBuf> = builds.map(|build| build.join(name)).filter(|archive| archive.exists()).collect();
    assert!(!archives.is_empty(), "there is no {name}");
    archives
}

/// A copy of what is in an archive, and what must be so.
fn unpack(archive: &Path) -> (TempDir, Expected) {
    let folder = tempfile::tempdir().unwrap();
    ZipArchive::new(File::open(archive).unwrap()).unwrap().extract(folder.path()).unwrap();
    let expected = std::fs::read(folder.path().join("expected.json")).unwrap();
    (folder, serde_json::from_slice(&expected).unwrap())
}

async fn open(home: &Path, flags: toml::Table) -> Studio {
    let environment = [("QINGYU_HOME", home.to_str().unwrap()), ("QINGYU_MODEL", "offline-rules-1")];
    let environment = Environment::new(environment.map(|(name, value)| (name.to_owned(), value.to_owned())));
    Studio::open(Settings::load(environment, flags).unwrap()).await.unwrap()
}

/// All events of a run.
async fn log(studio: &Studio, run: &str) -> Vec<StudioEvent> {
    let mut events = Vec::new();
    loop {
        let page = studio.events(run, events.len() as u64).await.unwrap();
        if page.is_empty() {
            return events;
        }
        events.extend(page);
    }
}

/// Everything that was there is there, and every run that had not ended comes to its end.
async fn is_read_and_finished(studio: &Studio, expected: Expected) {
    let runs: BTreeMap<_, _> = studio.runs().await.unwrap().into_iter().map(|row| (row.run, row.status)).collect();
    assert_eq!(runs, expected.runs.iter().map(|(run, row)| (run.clone(), row.status)).collect());
    let titles = studio.projects().await.unwrap().into_iter().map(|row| (row.project, row.title)).collect();
    assert_eq!(expected.titles, titles);
    for (project, story) in &expected.stories {
        let story = read_story(story.to_string().as_bytes()).unwrap();
        assert!(story.unknown.is_empty(), "{project}: {:?}", story.unknown);
        assert_eq!(studio.story_at(project, None).await.unwrap(), story.story, "{project}");
    }
    let mut met = BTreeMap::<&str, usize>::new();
    for (run, ExpectedRun { project, status }) in &expected.runs {
        let before = log(studio, run).await;
        let (outcome, kind) = match (status, studio.outcome(run).await.unwrap().question) {
            (RunStatus::Done, _) => (None, "finished"),
            (RunStatus::Waiting, Some(RunQuestion::HumanReview(_))) => {
                let resumed = studio.resume(run, Some(RunAnswer::Approve)).await.unwrap();
                (Some(finish(resumed).await.1), "review")
            }
            // What a production asks for next is the author's to say; it asks the same again.
            (RunStatus::Waiting, question) => {
                let asked = finish(studio.resume(run, None).await.unwrap()).await.1;
                assert!(question.is_some() && asked.question == question, "{run}: {:?}", asked.question);
                (None, "production")
            }
            _ => {
                let finished = finish(studio.resume(run, None).await.unwrap()).await.1;
                assert!(
                    !finished.story_made().unwrap().story.plot_nodes.is_empty(),
                    "{run} goes on where it was killed: {:?}",
                    finished.errors
                );
                (Some(finished), "killed")
            }
        };
        *met.entry(kind).or_default() += 1;
        let after = log(studio, run).await;
        assert_eq!(after[..before.len()], before, "{run}: what was told stays as it was told");
        assert!(
            after.iter().zip(1..).all(|(event, number)| event.seq == number),
            "{run}: events are numbered without gaps"
        );
        let Some(outcome) = outcome else { continue };
        let is_at_its_end =
            outcome.status == RunStatus::Done || (kind == "killed" && outcome.status == RunStatus::Waiting);
        assert!(is_at_its_end && outcome.errors.is_empty(), "{run}: {:?} {:?}", outcome.status, outcome.errors);
        assert_eq!(studio.show(project).await.unwrap().story, outcome.story_made().unwrap().story, "{run}");
    }
    for kind in ["finished", "review", "production", "killed"] {
        assert!(met.contains_key(kind), "there is no run of the kind {kind}");
    }
}

#[tokio::test]
async fn homes_of_earlier_builds_are_read_and_finished() {
    for archive in archives("sqlite.zip") {
        let (folder, expected) = unpack(&archive);
        is_read_and_finished(&open(&folder.path().join("home"), toml::Table::new()).await, expected).await;
    }
}

#[tokio::test]
async fn databases_of_earlier_builds_are_read_and_finished() {
    for archive in archives("postgres.zip") {
        let Some(schema) = TestSchema::new().await else { return };
        let (folder, expected) = unpack(&archive);
        let settings = schema.settings();
        let sql = std::fs::read_to_string(folder.path().join("home/golden.sql")).unwrap();
        let sql = format!("CREATE SCHEMA {SCHEMA};\n{sql}").replace(SCHEMA, &settings.schema);
        // On connections of its own: the dump leaves them without a search path.
        let filling = schema.postgres().await;
        filling.client().await.unwrap().batch_execute(&sql).await.unwrap();
        drop(filling);
        let flags = format!("[storage]\nurl = \"{}\"\nschema = \"{}\"\n", settings.url, settings.schema);
        is_read_and_finished(&open(folder.path(), flags.parse().unwrap()).await, expected).await;
    }
}
