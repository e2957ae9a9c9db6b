//! What is kept beside the run's own state.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};

use crate::output::Judgement;
use crate::{ArchivedWork, HumanReviewAnswer, WorkArchive};
use futures::future::BoxFuture;
use qingyu_story::{ChangeKey, Strategy};

use crate::tests::bench::{Bench, judgement, outline, plot, version_1};
use crate::tests::corrections::unhappy;

/// Keeps what it is given, unless it is full.
#[derive(Debug, Default)]
struct Shelf {
    saved: Mutex<Vec<ArchivedWork>>,
    full: AtomicBool,
}

impl WorkArchive for Shelf {
    fn save<'a>(&'a self, saved: ArchivedWork) -> BoxFuture<'a, Result<(), Box<dyn std::error::Error + Send + Sync>>> {
        Box::pin(async move {
            if self.full.load(Ordering::Relaxed) {
                return Err("no space left on device".into());
            }
            self.saved.lock().unwrap().push(saved);
            Ok(())
        })
    }
}

impl Shelf {
    /// Key, pieces and provenance of what was kept, a line each.
    fn lines(&self) -> Vec<String> {
        let saved = self.saved.lock().unwrap();
        let line = |saved: &ArchivedWork| {
            let pieces = saved.changes.iter().map(|change| format!("{:?} {}", change.action, change.id));
            let ChangeKey { run, step, iteration } = &saved.key;
            let step = step.split('/').take(2).collect::<Vec<_>>().join("/");
            format!("{run}/{step}/{iteration}: {}", pieces.collect::<Vec<_>>().join(", "))
        };
        saved.iter().map(line).collect()
    }
}

#[tokio::test]
async fn every_agent_s_work_is_kept_with_its_provenance() {
    let shelf = Arc::new(Shelf::default());
    let bench = Bench { archive: Some(Arc::clone(&shelf) as Arc<dyn WorkArchive>), ..Bench::new() };
    let bench = bench.on("review.judge", &judgement(40));
    let (state, _) = bench.run().await.waiting();
    assert_eq!(
        shelf.lines(),
        [
            "run-1/outline_agent/1/0: Create o-1, Create o-2",
            "run-1/character_agent/2/0: Create c-1, Create c-2, Create r-1",
            "run-1/plot_agent/3/0: Create e-1, Create e-2, Create p-1, Create p-2, Create p-3",
        ]
    );
    let provenance = shelf.saved.lock().unwrap()[0].provenance.clone();
    assert_eq!(provenance.model.as_deref(), Some("scripted"));
    assert_eq!(provenance.prompt_hash.as_ref(), Some(&state.messages[1].prompt_hash));
    assert_eq!(provenance.tokens, state.messages[1].tokens());
    assert!(provenance.tokens > 50, "{provenance:?}");

    let mut story = state.story();
    story.characters[0].weakness = "怕水".into();
    story.characters.remove(1);
    story.character_relations.clear();
    bench.answer(&HumanReviewAnswer::Edit { story: Box::new(story) }).await;
    assert_eq!(shelf.lines()[3], "run-1/human_review/0/0: Update c-1, Delete c-2, Delete r-1");
}

#[tokio::test]
async fn work_made_anew_replaces_what_was_kept() {
    let shelf = Arc::new(Shelf::default());
    let mut other = outline();
    other.outline_nodes[1].name = "第二章 潮水".into();
    let again = Judgement { correction_strategy: Strategy::Regenerate, ..unhappy(55, "outline", Vec::new()) };
    let bench = Bench { archive: Some(Arc::clone(&shelf) as Arc<dyn WorkArchive>), ..Bench::new() };
    bench.on("review.judge", &again).on("outline.regenerate", &other).run().await;
    assert_eq!(shelf.lines()[3], "run-1/outline_agent/0/1: Create o-3, Delete o-2");
}

#[tokio::test]
async fn version_1_makes_the_same_pieces_again_and_no_twins() {
    let shelf = Arc::new(Shelf::default());
    let mut other = plot();
    other.timeline_events[0].importance = 9;
    let bench = Bench { archive: Some(Arc::clone(&shelf) as Arc<dyn WorkArchive>), ..Bench::new() };
    let bench = bench.config(version_1()).on("review.judge", &judgement(70));
    let bench = bench.on("plot.generate", &plot()).on("plot.generate", &other);
    let state = bench.run().await.done();
    assert_eq!(state.outline_nodes.iter().map(|node| node.id.as_str()).collect::<Vec<_>>(), ["o-1", "o-2"]);
    assert_eq!(shelf.lines()[3..], ["run-1/plot_agent/3/1: Update e-1"]);
}

#[tokio::test]
async fn a_full_disk_stops_the_run_and_costs_no_call_twice() {
    let shelf = Arc::new(Shelf { full: AtomicBool::new(true), ..Default::default() });
    let bench = Bench { archive: Some(Arc::clone(&shelf) as Arc<dyn WorkArchive>), ..Bench::new() };
    let error = bench.run().await.error().to_string();
    assert!(error.contains("cannot keep the work of outline_agent: no space left on device"), "{error}");
    shelf.full.store(false, Ordering::Relaxed);
    assert!(bench.resume().await.done().review_passed);
    assert_eq!(bench.purposes().len(), 5);
    assert_eq!(shelf.lines().len(), 3);
}
