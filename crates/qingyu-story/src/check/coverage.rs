//! The rules with something to check in a story.

use std::collections::BTreeMap;

use super::finding::{Config, Finding};
use crate::basis::{BlindRules, RuleCoverage};
use crate::rules::{self, FactScope};
use crate::{PieceKind, Story};

/// Returns the rules run over `story` with these `findings`, and the rules without input. Rules about earlier books count
/// only if there are any.
pub fn coverage(story: &Story, config: &Config, findings: &[Finding]) -> RuleCoverage {
    let mut coverage = RuleCoverage::default();
    let mut blind = BTreeMap::<PieceKind, Vec<String>>::new();
    for rule in rules::all().iter().filter(|rule| rule.has_books(config)) {
        if config.severity(rule.code, rule.severity).is_none() {
            coverage.off += 1;
            continue;
        }
        coverage.run += 1;
        if findings.iter().any(|finding| finding.issue.code.as_deref() == Some(rule.code)) {
            continue;
        }
        coverage.clean += 1;
        // A rule reading events may read facts too.
        let reads_facts = rule.scope().facts != FactScope::Nothing && !story.facts.is_empty();
        let missing = rule.needs().iter().find(|kind| story.count(**kind) == 0).filter(|_| !reads_facts);
        if let Some(missing) = missing {
            blind.entry(*missing).or_default().push(rule.code.to_owned());
        }
    }
    coverage.blind = blind.into_iter().map(|(missing, codes)| BlindRules { missing, codes }).collect();
    coverage
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::findings;
    use crate::rules::{RuleMaterial, all};

    #[test]
    fn an_empty_story_gives_nothing_to_look_at() {
        let story = Story::default();
        let coverage = coverage(&story, &Config::default(), &findings(&story, &Config::default()));
        // A few rules read pieces of any kind.
        let of_any_kind = all().iter().filter(|rule| rule.needs().is_empty()).count();
        let run = all().iter().filter(|rule| !rule.is_about_earlier_books()).count();
        assert_eq!((coverage.run, coverage.looked()), (run, of_any_kind), "{:?}", coverage.blind);
    }

    #[test]
    fn rules_that_are_off_do_not_count_as_run() {
        let config = Config { severities: [("QS".to_owned(), None)].into(), ..Config::default() };
        let coverage = coverage(&Story::default(), &config, &[]);
        let prose = all().iter().filter(|rule| rule.code.starts_with("QS")).count();
        let run = all().iter().filter(|rule| !rule.is_about_earlier_books()).count();
        assert_eq!((coverage.off, coverage.run), (prose, run - prose));
    }

    #[test]
    fn rules_about_earlier_books_run_once_there_are_any() {
        let fires = rules::rule("QY208").unwrap().fires();
        let (story, config) = (fires.story(), fires.config());
        let run = |config: &Config| coverage(&story, config, &findings(&story, config)).run;
        assert_eq!((run(&config), run(&Config::default())), (all().len(), all().len() - 3));
    }

    #[test]
    fn a_rule_needs_what_its_example_cannot_do_without() {
        let mut wrong = Vec::new();
        for rule in all().iter().filter(|rule| !rule.is_about_findings()) {
            let story = rule.fires().story();
            let config = rule.fires().config();
            let finds = |story: &Story| !rule.look(&RuleMaterial::of(story).knowing(&config)).is_empty();
            assert!(finds(&story), "{}", rule.code);
            let needed = |kind: &PieceKind| story.count(*kind) > 0 && !finds(&without(&story, *kind));
            let needed: Vec<PieceKind> = PieceKind::ALL.into_iter().filter(needed).collect();
            if needed != rule.needs() {
                wrong.push(format!("\"{}\" => {needed:?}", rule.code));
            }
        }
        assert!(wrong.is_empty(), "rules/needs.rs should say:\n{}", wrong.join("\n"));
    }

    /// Returns `story` without the pieces of the kind.
    fn without(story: &Story, kind: PieceKind) -> Story {
        let mut story = story.clone();
        let world = story.worldview.as_mut();
        match kind {
            PieceKind::Character => story.characters.clear(),
            PieceKind::Relation => story.character_relations.clear(),
            PieceKind::OutlineNode => story.outline_nodes.clear(),
            PieceKind::Event => story.timeline_events.clear(),
            PieceKind::PlotNode => story.plot_nodes.clear(),
            PieceKind::Document => story.documents.clear(),
            PieceKind::Fact => story.facts.clear(),
            PieceKind::Promise => story.promises.clear(),
            PieceKind::Location => world.into_iter().for_each(|world| world.locations.clear()),
            PieceKind::Organisation => world.into_iter().for_each(|world| world.organisations.clear()),
            PieceKind::Item => world.into_iter().for_each(|world| world.items.clear()),
            PieceKind::WorldRule => world.into_iter().for_each(|world| world.rules.clear()),
            PieceKind::Ladder => world.into_iter().for_each(|world| world.ladders.clear()),
            PieceKind::Worldview => story.worldview = None,
            PieceKind::Style => story.style = None,
        }
        story
    }
}
