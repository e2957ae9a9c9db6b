//! Books of every length: whole, or with everything open named.

use std::collections::BTreeSet;

use qingyu_agents::levels::accept;
use qingyu_agents::levels::material::{LevelRequest, context};
use qingyu_agents::levels::step::{LevelStep, PlanTarget, last_chapter, next_chapters, next_level};
use qingyu_agents::levels::summary::summary;
use qingyu_agents::output::{ArcsPlan, BookPlan, ChaptersPlan, OutlineWork, PlotWork};
use qingyu_story::{Language, Levels, OutlineNode, OutlineNodeKind, Story, placeholders};

use crate::bench::{ask, run, work};

fn requirement(chapters: u32, language: Language) -> String {
    match language {
        Language::Zh => format!("写一部{chapters}章的悬疑小说，主角是私家侦探"),
        Language::En => format!("A mystery of {chapters} chapters about a private detective"),
    }
}

fn chapters(story: &Story) -> Vec<&OutlineNode> {
    story.outline_nodes.iter().filter(|node| node.kind == OutlineNodeKind::Chapter).collect()
}

/// Plans the levels of a book up to its first arc.
async fn planned(requirement: &str, language: Language, length: u32) -> Story {
    let mut story = Story { premise: requirement.into(), language, ..Story::default() };
    let request = LevelRequest { requirement, length, ..LevelRequest::default() };
    loop {
        let step = next_level(&story, length).or_else(|| {
            // Chapters of the first arc alone: later ones are planned from the text.
            let first = last_chapter(&story, PlanTarget::Arc { number: 1 })?;
            next_chapters(&story, first)
        });
        let Some(step) = step else { return story };
        let shown = context(&story, &step, &request);
        let accepted = match &step {
            LevelStep::Book { .. } => accept::book(&story, &step, &ask::<BookPlan>("outline.book", &shown).await),
            LevelStep::Arcs { .. } => accept::arcs(&story, &step, &ask::<ArcsPlan>("outline.arcs", &shown).await),
            LevelStep::Chapters { .. } => {
                accept::chapters(&story, &step, &ask::<ChaptersPlan>("outline.chapters", &shown).await)
            }
        };
        assert!(accepted.taken > 0 && accepted.refused == 0, "{}: {}", step.name(), accepted.refused);
        story = accepted.story;
    }
}

/// The number of chapters of the longest book that is planned at once.
const LONG: u32 = 40;

#[tokio::test]
async fn a_short_book_of_any_length_is_whole() {
    for language in [Language::Zh, Language::En] {
        for length in [1, 2, 7, 12, 17, 18, 25, 33, LONG] {
            let requirement = requirement(length, language);
            let mut material = work(&requirement, &Story::default());
            material.language = language;
            let outline: OutlineWork = ask("outline.generate", &material).await;
            let story = Story { outline_nodes: outline.outline_nodes, language, ..Story::default() };
            let made = chapters(&story);
            assert_eq!(made.len(), length as usize, "{requirement}");
            let open: Vec<_> = made.iter().filter(|node| !placeholders(&node.name).is_empty()).collect();
            assert!(open.is_empty(), "{requirement}: {open:?}");
            material.story = story.clone();
            let plot: PlotWork = ask("plot.generate", &material).await;
            let titles: BTreeSet<&str> = plot.timeline_events.iter().map(|event| event.title.as_str()).collect();
            assert_eq!((plot.timeline_events.len(), titles.len()), (made.len(), made.len()), "{requirement}");
        }
    }
}

#[tokio::test]
async fn a_long_book_of_any_length_is_planned_to_its_arcs_and_says_what_is_open() {
    for language in [Language::Zh, Language::En] {
        for length in (LONG + 1..=2_000).step_by(137).chain([99, 500, 1_000, 1_999, 2_000]) {
            let requirement = requirement(length, language);
            let story = planned(&requirement, language, length).await;
            let levels = Levels::of(&story).unwrap();
            let (mut next, mut last) = (1, 0);
            for (_, arc) in levels.arcs() {
                assert_eq!(arc.first, next, "{requirement}");
                (next, last) = (arc.last + 1, arc.last);
            }
            assert_eq!((levels.length, last), (length, length), "{requirement}");
            let text = serde_json::to_string(&story.outline_nodes).unwrap();
            assert!(placeholders(&text).is_empty(), "{requirement}");
            let orders: BTreeSet<u32> = story.outline_nodes.iter().map(|node| node.order).collect();
            assert_eq!(orders.len(), story.outline_nodes.len());
            let said = summary(&story).unwrap();
            let first_open = (levels.planned + 1).to_string();
            assert!(levels.open() == 0 || said.contains(&first_open), "{requirement}: {said}");
        }
    }
}

#[tokio::test]
async fn a_short_book_is_planned_on_levels_that_fit_it() {
    for language in [Language::Zh, Language::En] {
        for length in [1, 2, 7, 12, 20, 33, LONG] {
            let story = planned(&requirement(length, language), language, length).await;
            let levels = Levels::of(&story).unwrap();
            let arcs: Vec<(u32, u32)> = levels.arcs().map(|(_, arc)| (arc.first, arc.last)).collect();
            assert_eq!((levels.length, arcs[0].0, arcs[arcs.len() - 1].1), (length, 1, length));
            assert!(length < 12 || arcs.len() > 1, "{length}: {arcs:?}");
        }
    }
    let story = planned("写一部20章的悬疑小说，每幕5章，主角是私家侦探", Language::Zh, 20).await;
    let arcs: Vec<(u32, u32)> = Levels::of(&story).unwrap().arcs().map(|(_, arc)| (arc.first, arc.last)).collect();
    assert_eq!(arcs, [(1, 5), (6, 10), (11, 15), (16, 20)]);
}

#[tokio::test]
async fn a_long_book_goes_through_the_whole_pipeline() {
    for requirement in ["写一部五百章的玄幻小说，主角是废柴少年", "A fantasy saga of 300 chapters about a mapmaker"]
    {
        let (state, reports) = run(requirement).await;
        let story = state.story();
        let levels = Levels::of(&story).unwrap();
        assert!(levels.open() > 200 && levels.planned >= 10, "{requirement}: {levels:?}");
        assert_eq!(state.timeline_events.len(), levels.planned as usize, "no plot is lost");
        assert!(state.outline_summary.contains(&levels.length.to_string()), "{}", state.outline_summary);
        assert!(!reports.is_empty());
        let open = chapters(&story).into_iter().filter(|node| !placeholders(&node.name).is_empty()).count();
        assert_eq!(open, 0);
    }
}
