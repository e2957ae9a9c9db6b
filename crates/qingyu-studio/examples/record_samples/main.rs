//! Records the sample books in `samples/`: plans, writes, checks and settles each book with the answers in its folder,
//! then edits a chapter so as to contradict an earlier chapter, and corrects the contradiction.
//!
//! Run with `make samples` after a change of prompts or answers. Needs neither a key nor a network.

mod author;

use std::path::Path;
use std::sync::Arc;

use anyhow::{Context, Result, ensure};
use qingyu_llm::ModelRoutes;
use qingyu_studio::agents::WritingTask;
use qingyu_studio::{ChapterWriteRequest, CreateRequest, Environment, Outcome, RunHandle, RunStatus, Settings, Studio};
use qingyu_tools::{Permission, ToolCaller};

use author::Author;

#[tokio::main]
async fn main() -> Result<()> {
    let samples = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../samples");
    let only = std::env::args().nth(1);
    for (name, title, edited) in [("zh", "尺素", 7), ("en", "The Wade", 4)] {
        if only.as_deref().is_none_or(|only| only == name) {
            record(&samples.join(name), title, edited).await.with_context(|| format!("the sample {name}"))?;
        }
    }
    Ok(())
}

async fn record(folder: &Path, title: &str, edited: u32) -> Result<()> {
    let home = tempfile::tempdir()?;
    let variables = [("QINGYU_HOME".to_owned(), home.path().to_string_lossy().into_owned())];
    let settings = Settings::load(Environment::new(variables), toml::Table::new())?;
    let author = Arc::new(Author::new(folder));
    let studio = Studio::open_with_models(settings, ModelRoutes::new(author.clone())).await?;

    let requirement = std::fs::read_to_string(folder.join("requirement.txt"))?;
    let create = CreateRequest { title: Some(title.to_owned()), ..CreateRequest::new(requirement) };
    let created = finish(studio.create(create).await?).await?;
    let request =
        |task| ChapterWriteRequest { project: created.project.clone(), task, ..ChapterWriteRequest::default() };
    let written = finish(studio.write(request(WritingTask::Draft { chapters: Vec::new() })).await?).await?;
    keep(&studio, &[&created, &written], &folder.join("book.jsonl"))?;

    edit(&studio, &created.project, folder, edited).await?;
    author.was_edited();
    let corrected =
        finish(studio.write(request(WritingTask::Correct { chapters: vec![edited.into()] })).await?).await?;
    keep(&studio, &[&corrected], &folder.join("correction.jsonl"))?;
    let findings = studio.check(&created.project, &[]).await?.findings;
    ensure!(findings.is_empty(), "the corrected book has findings: {findings:?}");
    Ok(())
}

/// Replaces the text of a chapter with the edited text, as an author does.
async fn edit(studio: &Studio, project: &str, folder: &Path, chapter: u32) -> Result<()> {
    let text = std::fs::read_to_string(folder.join(format!("edit/{chapter:02}.md")))?;
    let story = studio.show(project).await?.story;
    let document = story.documents.iter().find(|document| document.order == chapter).context("the chapter is there")?;
    let arguments = serde_json::json!({"action": "write", "document_id": document.id, "content": text});
    let person = ToolCaller::new("person", Permission::Write);
    let done = studio.engine(Some(project.to_owned())).call("document_tool", arguments, &person).await;
    ensure!(done.result.is_ok(), "{}", done.to_json());
    let findings = studio.check(project, &[]).await?.findings;
    for finding in &findings {
        println!("  {:?} {}", finding.issue.code, finding.issue.title);
        for evidence in &finding.issue.evidence {
            println!("    {} {}", evidence.anchor, evidence.quote);
        }
    }
    ensure!(!findings.is_empty(), "the edit contradicts nothing");
    Ok(())
}

/// Appends the cassettes of the runs to one file.
fn keep(studio: &Studio, runs: &[&Outcome], file: &Path) -> Result<()> {
    let mut cassette = Vec::new();
    for run in runs {
        cassette.extend(std::fs::read(studio.cassette(&run.run))?);
    }
    println!("{}: {} KB", file.display(), cassette.len() / 1024);
    Ok(std::fs::write(file, cassette)?)
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
