//! Records the sample books in `samples/`: plans, writes, checks and settles each with the answers that stand in its
//! folder, then edits a chapter so that it contradicts an earlier one, and corrects it.
//!
//! Run it with `make samples` when prompts or answers have changed. It needs neither a key nor a network.

mod author;

use std::path::Path;
use std::sync::Arc;

use anyhow::{Context, Result, ensure};
use qingyu_llm::Models;
use qingyu_studio::agents::WritingTask;
use qingyu_studio::{CreateRequest, Environment, Outcome, RunHandle, RunStatus, Settings, Studio, WriteRequest};

use author::Author;

#[tokio::main]
async fn main() -> Result<()> {
    let samples = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../samples");
    let only = std::env::args().nth(1);
    for name in ["zh", "en"] {
        if only.as_deref().is_none_or(|only| only == name) {
            record(&samples.join(name)).await.with_context(|| format!("the sample {name}"))?;
        }
    }
    Ok(())
}

async fn record(folder: &Path) -> Result<()> {
    let home = tempfile::tempdir()?;
    let variables = [("QINGYU_HOME".to_owned(), home.path().to_string_lossy().into_owned())];
    let settings = Settings::load(Environment::new(variables), toml::Table::new())?;
    let author = Arc::new(Author::new(folder));
    let studio = Studio::open_with_models(settings, Models::new(author.clone())).await?;

    let requirement = std::fs::read_to_string(folder.join("requirement.txt"))?;
    let created = finish(studio.create(CreateRequest::new(requirement)).await?).await?;
    let made = created.story_made().context("a story is made")?;
    let report = made.diagnostic_report.as_ref().context("it is reviewed")?;
    println!("{}: score {}, {} findings", folder.display(), report.quality_score, report.issues.len());
    for issue in &report.issues {
        println!("  {} {}", issue.code.as_deref().unwrap_or("-"), issue.title);
    }
    let request = |task| WriteRequest { project: created.project.clone(), task, ..WriteRequest::default() };
    let written = finish(studio.write(request(WritingTask::Draft { chapters: Vec::new() })).await?).await?;
    println!("{}: {} chapters", folder.display(), written.book_made().map_or(0, |made| made.chapters.len()));
    Ok(())
}

async fn finish(mut run: RunHandle) -> Result<Outcome> {
    while let Some(event) = run.next().await {
        tracing::debug!(?event);
    }
    let outcome = run.finish().await;
    for warning in &outcome.warnings {
        println!("  warning: {warning}");
    }
    ensure!(outcome.status == RunStatus::Done, "{:?}: {:?} {:?}", outcome.status, outcome.errors, outcome.question);
    Ok(outcome)
}
