//! Review of computable properties: shares, counts and balances. Literary judgement is refused.

use std::collections::BTreeSet;

use qingyu_agents::context::ReviewContext;
use qingyu_agents::output::Judgement;
use qingyu_story::wish::{Wish, WishKind, WishState};
use qingyu_story::{
    Action, Agent, Category, CorrectionInstruction, Evidence, Issue, Language, OutlineNode, OutlineNodeKind, RoleType,
    Severity, Source, Story, Strategy, placeholders, without_placeholders,
};
use serde_json::{Value, json};

use crate::brief::{RequirementBrief, one_line};
use crate::fill::Slots;
use crate::tables::{LanguageTables, Phrases};

/// The key of the check of the user's requirements.
const HEARD: &str = "heard";
/// The anchor of an unmet wish.
const WISHES: &str = "wishes";

/// The result of a check: failing pieces with the words as evidence, or none.
struct CheckFinding {
    /// Key of the check's texts among the phrases.
    key: &'static str,
    severity: Severity,
    category: Category,
    agent: Agent,
    /// The failing pieces: name, anchor, quote.
    failing: Vec<FailingPieces>,
    /// The measurement, for the reasoning.
    measured: String,
}

struct FailingPieces {
    name: String,
    anchor: String,
    quote: String,
    /// Parameters of a fix, if computable.
    parameters: Value,
}

/// Runs every check with data to measure, and lists the aspects beyond its judgement.
pub(crate) fn judge(review: &ReviewContext) -> Judgement {
    let phrases = &LanguageTables::of(review.language).phrases;
    let brief = RequirementBrief::within(&review.story, &review.requirement, review.language);
    let checks = checks(review, &brief);
    let passed = checks.iter().filter(|check| check.failing.is_empty()).count();
    let score = u8::try_from((passed * 100).checked_div(checks.len()).unwrap_or(0)).unwrap_or(100);
    let failed: Vec<&CheckFinding> = checks
        .iter()
        .filter(|check| !check.failing.is_empty() && !known(check, &review.findings) && !told_as_wishes(check))
        .collect();
    let issues: Vec<Issue> = failed.iter().map(|check| issue(check, review.language, phrases)).collect();
    let instructions: Vec<CorrectionInstruction> = failed
        .iter()
        .zip(&issues)
        .flat_map(|(check, issue)| check.failing.iter().filter_map(|piece| instruction(check, piece, issue)))
        .collect();
    let say = |template: &str, words: &[(&str, String)]| say(review.language, template, words);
    let mut chain = vec![say(
        &phrases.review_score,
        &[("passed", passed.to_string()), ("all", checks.len().to_string()), ("score", score.to_string())],
    )];
    chain.extend(checks.iter().map(|check| {
        let verdict = if check.failing.is_empty() { &phrases.check_passed } else { &phrases.check_failed };
        let label = phrases.checks[check.key].label.clone();
        say(verdict, &[("label", label), ("measured", check.measured.clone())])
    }));
    if checks.iter().all(|check| check.key != HEARD) {
        chain.push(say(&phrases.nothing_to_check, &[("label", phrases.checks[HEARD].label.clone())]));
    }
    let is_free = |wish: &&Wish| wish.kind == WishKind::Other && wish.state == WishState::Unmet;
    let undone: Vec<&str> = review.wishes.iter().filter(is_free).map(|wish| wish.text.as_str()).collect();
    let cannot = (!undone.is_empty()).then(|| say(&phrases.cannot, &[("list", undone.join(&phrases.between))]));
    chain.extend(cannot.clone());
    chain.push(say(&phrases.review_refused, &[]));
    let strategy = if issues.is_empty() { Strategy::None } else { Strategy::IncrementalFix };
    Judgement {
        quality_score: score,
        correction_strategy: strategy,
        correction_instructions: instructions,
        reasoning_chain: chain,
        suggestions_for_improvement: checks
            .iter()
            .filter(|check| !check.failing.is_empty())
            .map(|check| phrases.checks[check.key].advice.clone())
            .chain(cannot)
            .collect(),
        issues,
    }
}

fn say(language: Language, template: &str, words: &[(&str, String)]) -> String {
    let words = words.iter().map(|(key, word)| ((*key).to_owned(), word.replace(['{', '}'], ""))).collect();
    Slots { language, words, ..Slots::default() }.text(template)
}

/// Returns whether the findings of the same category name every failing piece already, together or one by one.
fn known(check: &CheckFinding, findings: &[Issue]) -> bool {
    let area = check.agent.sub_category();
    let own: Vec<&Issue> = findings.iter().filter(|finding| finding.sub_category == area).collect();
    let is_named = |piece: &FailingPieces| own.iter().any(|finding| finding.affected_entities.contains(&piece.name));
    check.failing.iter().all(is_named)
}

fn issue(check: &CheckFinding, language: Language, phrases: &Phrases) -> Issue {
    let texts = &phrases.checks[check.key];
    let names: Vec<String> = check.failing.iter().map(|piece| piece.name.clone()).collect();
    let list = names.join(&phrases.between);
    let words = [("measured", check.measured.clone()), ("list", list)];
    Issue {
        id: format!("model-{}", check.key),
        severity: check.severity,
        category: check.category,
        sub_category: check.agent.sub_category().into(),
        title: say(language, &texts.title, &words),
        root_cause: say(language, &texts.cause, &words),
        impact: say(language, &texts.impact, &words),
        affected_entities: names,
        source: Source::Model,
        code: None,
        evidence: check
            .failing
            .iter()
            .map(|piece| Evidence { anchor: piece.anchor.clone(), quote: piece.quote.clone() })
            .collect(),
        ..Issue::default()
    }
}

fn instruction(check: &CheckFinding, piece: &FailingPieces, issue: &Issue) -> Option<CorrectionInstruction> {
    let create = piece.parameters.get("create").is_some();
    let mut parameters = piece.parameters.as_object()?.clone();
    parameters.remove("create");
    Some(CorrectionInstruction {
        issue_id: issue.id.clone(),
        target_agent: check.agent,
        action: if create { Action::Create } else { Action::Update },
        specific_instruction: format!("{} ({})", issue.title, piece.name),
        parameters: Value::Object(parameters),
        priority: if check.severity >= Severity::Medium { 5 } else { 2 },
    })
}

/// Returns the results of all checks with data to measure.
fn checks(review: &ReviewContext, brief: &RequirementBrief) -> Vec<CheckFinding> {
    let story = &review.story;
    let chapters: Vec<(usize, &OutlineNode)> =
        story.outline_nodes.iter().enumerate().filter(|(_, node)| node.kind == OutlineNodeKind::Chapter).collect();
    let mut checks = vec![cast_size(story), unwritten_share(story)];
    checks.extend(requirement_heard(review, brief));
    if !chapters.is_empty() {
        checks.extend([goals(&chapters), balance(&chapters), places(&chapters), promises(story, &chapters)]);
        if !story.timeline_events.is_empty() {
            checks.push(told(story, &chapters));
        }
        if let Some(hero) = story.characters.iter().find(|card| card.role_type == RoleType::Protagonist) {
            checks.push(presence(&hero.name, &chapters));
        }
    }
    if !story.characters.is_empty() {
        checks.extend([opposition(story), cards(story)]);
    }
    if !story.plot_nodes.is_empty() {
        checks.push(climax(story));
    }
    checks
}

fn anchor(node: &OutlineNode, index: usize, field: &str) -> String {
    let id = if node.id.is_empty() { index.to_string() } else { node.id.clone() };
    format!("outline_nodes/{id}/{field}")
}

fn failing(name: &str, anchor: String, quote: &str) -> FailingPieces {
    let quote = quote.chars().take(80).collect();
    FailingPieces { name: name.into(), anchor, quote, parameters: Value::Null }
}

fn share(part: usize, whole: usize) -> String {
    format!("{part}/{whole}")
}

fn goals(chapters: &[(usize, &OutlineNode)]) -> CheckFinding {
    let without: Vec<FailingPieces> = chapters
        .iter()
        .filter(|(_, node)| node.goal.trim().is_empty())
        .map(|(index, node)| FailingPieces {
            parameters: json!({ "kind": "outline_node", "id": node.id, "name": node.name }),
            ..failing(&node.name, anchor(node, *index, "goal"), &node.name)
        })
        .collect();
    CheckFinding {
        key: "goals",
        severity: Severity::Medium,
        category: Category::Completeness,
        agent: Agent::Outline,
        measured: share(chapters.len() - without.len(), chapters.len()),
        failing: without,
    }
}

fn balance(chapters: &[(usize, &OutlineNode)]) -> CheckFinding {
    let planned: Vec<u32> = chapters.iter().filter_map(|(_, node)| node.words).collect();
    let most = planned.iter().max().copied().unwrap_or(0);
    let least = planned.iter().min().copied().unwrap_or(0);
    let outliers = chapters.iter().filter(|(_, node)| most > 2 * least && node.words == Some(most));
    CheckFinding {
        key: "balance",
        severity: Severity::Low,
        category: Category::Quality,
        agent: Agent::Outline,
        failing: outliers
            .map(|(index, node)| failing(&node.name, anchor(node, *index, "words"), &most.to_string()))
            .collect(),
        measured: format!("{least}-{most}"),
    }
}

fn places(chapters: &[(usize, &OutlineNode)]) -> CheckFinding {
    let used: Vec<&String> = chapters.iter().filter_map(|(_, node)| node.location.as_ref()).collect();
    let different: BTreeSet<&String> = used.iter().copied().collect();
    let crowded: Vec<&&String> = different
        .iter()
        .filter(|place| used.len() >= 4 && used.iter().filter(|other| other == place).count() * 10 > used.len() * 6)
        .collect();
    CheckFinding {
        key: "places",
        severity: Severity::Low,
        category: Category::Quality,
        agent: Agent::Outline,
        failing: crowded.into_iter().map(|place| failing(place, "outline_nodes".into(), place)).collect(),
        measured: share(different.len(), used.len()),
    }
}

fn promises(story: &Story, chapters: &[(usize, &OutlineNode)]) -> CheckFinding {
    let paid: BTreeSet<&String> = story.outline_nodes.iter().flat_map(|node| &node.pays).collect();
    let planted: usize = chapters.iter().map(|(_, node)| node.plants.len()).sum();
    let open: Vec<FailingPieces> = chapters
        .iter()
        .flat_map(|(index, node)| node.plants.iter().map(move |promise| (index, node, promise)))
        .filter(|(_, _, promise)| !paid.contains(promise))
        .map(|(index, node, promise)| failing(&node.name, anchor(node, *index, "plants"), promise))
        .collect();
    CheckFinding {
        key: "promises",
        severity: Severity::Medium,
        category: Category::Completeness,
        agent: Agent::Outline,
        measured: share(planted - open.len(), planted),
        failing: open,
    }
}

fn told(story: &Story, chapters: &[(usize, &OutlineNode)]) -> CheckFinding {
    let told = |node: &OutlineNode| {
        let names = |event: &qingyu_story::TimelineEvent| {
            event
                .outline_node
                .as_ref()
                .is_some_and(|told| *told == node.name || (!node.id.is_empty() && *told == node.id))
        };
        story.timeline_events.iter().any(names)
    };
    let empty: Vec<FailingPieces> = chapters
        .iter()
        .filter(|(_, node)| !told(node))
        .map(|(index, node)| FailingPieces {
            parameters: json!({
                "create": true, "kind": "event", "name": node.name, "outline_node": node.name,
                "participants": node.participants, "location": node.location,
            }),
            ..failing(&node.name, anchor(node, *index, "description"), &node.description)
        })
        .collect();
    CheckFinding {
        key: "told",
        severity: Severity::Medium,
        category: Category::Completeness,
        agent: Agent::Plot,
        measured: share(chapters.len() - empty.len(), chapters.len()),
        failing: empty,
    }
}

fn presence(hero: &str, chapters: &[(usize, &OutlineNode)]) -> CheckFinding {
    let absent: Vec<&(usize, &OutlineNode)> =
        chapters.iter().filter(|(_, node)| !node.participants.iter().any(|name| name == hero)).collect();
    let enough = absent.len() * 10 <= chapters.len() * 4;
    CheckFinding {
        key: "presence",
        severity: Severity::Medium,
        category: Category::Consistency,
        agent: Agent::Outline,
        measured: share(chapters.len() - absent.len(), chapters.len()),
        failing: absent
            .into_iter()
            .filter(|_| !enough)
            .map(|(index, node)| {
                failing(&node.name, anchor(node, *index, "participants"), &node.participants.join(", "))
            })
            .collect(),
    }
}

fn cast_size(story: &Story) -> CheckFinding {
    let size = story.characters.len();
    let names: Vec<&str> = story.characters.iter().map(|card| card.name.as_str()).collect();
    let fits = (3..=24).contains(&size);
    let failing = (!fits).then(|| failing(&names.join(", "), "characters".into(), &names.join(", ")));
    CheckFinding {
        key: "cast_size",
        severity: Severity::Medium,
        category: Category::Completeness,
        agent: Agent::Character,
        failing: failing.into_iter().collect(),
        measured: size.to_string(),
    }
}

fn opposition(story: &Story) -> CheckFinding {
    let foes = story.characters.iter().filter(|card| card.role_type == RoleType::Antagonist).count();
    let names: Vec<&str> = story.characters.iter().map(|card| card.name.as_str()).collect();
    let missing = (foes == 0).then(|| failing(&names.join(", "), "characters".into(), &names.join(", ")));
    CheckFinding {
        key: "opposition",
        severity: Severity::Low,
        category: Category::Completeness,
        agent: Agent::Character,
        failing: missing.into_iter().collect(),
        measured: foes.to_string(),
    }
}

fn cards(story: &Story) -> CheckFinding {
    let thin: Vec<FailingPieces> = story
        .characters
        .iter()
        .filter(|card| card.role_type != RoleType::Minor)
        .filter(|card| [&card.weakness, &card.goals, &card.conflicts].iter().any(|field| field.trim().is_empty()))
        .map(|card| FailingPieces {
            parameters: json!({ "kind": "character", "id": card.id, "name": card.name }),
            ..failing(&card.name, format!("characters/{}", card.id), &card.personality)
        })
        .collect();
    CheckFinding {
        key: "cards",
        severity: Severity::Medium,
        category: Category::Completeness,
        agent: Agent::Character,
        measured: share(story.characters.len() - thin.len(), story.characters.len()),
        failing: thin,
    }
}

fn climax(story: &Story) -> CheckFinding {
    let climaxes = story.plot_nodes.iter().filter(|node| node.kind == qingyu_story::PlotKind::Climax).count();
    let titles: Vec<&str> = story.plot_nodes.iter().map(|node| node.title.as_str()).collect();
    let missing = (climaxes == 0).then(|| failing(&titles.join(", "), "plot_nodes".into(), &titles.join(", ")));
    CheckFinding {
        key: "climax",
        severity: Severity::Medium,
        category: Category::Completeness,
        agent: Agent::Plot,
        failing: missing.into_iter().collect(),
        measured: climaxes.to_string(),
    }
}

fn unwritten_share(story: &Story) -> CheckFinding {
    let open = |text: &str| !placeholders(text).is_empty();
    let nodes = story.outline_nodes.iter().enumerate().filter(|(_, node)| open(&node.description) || open(&node.goal));
    let nodes = nodes.map(|(index, node)| failing(&node.name, anchor(node, index, "description"), &node.description));
    let events = story.timeline_events.iter().filter(|event| open(&event.description));
    let events = events
        .map(|event| failing(&event.title, format!("timeline_events/{}/description", event.id), &event.description));
    let failing: Vec<FailingPieces> = nodes.chain(events).collect();
    CheckFinding {
        key: "unwritten",
        severity: Severity::Low,
        category: Category::Completeness,
        agent: Agent::Outline,
        measured: failing.len().to_string(),
        failing,
    }
}

/// Checks whether the user's own words occur in the material, and the user's wishes are met; `None` if there is nothing
/// to check.
fn requirement_heard(review: &ReviewContext, brief: &RequirementBrief) -> Option<CheckFinding> {
    let (story, said) = (&review.story, &brief.said);
    // The words of a change request describe the change, not the content of the story.
    let is_premise = one_line(&story.premise) == one_line(&review.requirement);
    let words = [&said.hero_name, &said.hero_trade, &said.skill, &said.place].into_iter().flatten().chain(&said.musts);
    let words: Vec<&String> = words.filter(|_| is_premise).collect();
    let material = serde_json::to_string(&(
        &story.worldview,
        &story.outline_nodes,
        &story.characters,
        &story.timeline_events,
        &story.plot_nodes,
    ))
    .unwrap_or_default()
    .to_lowercase();
    // A wish mentioned in a placeholder is unmet.
    let material = without_placeholders(&material);
    let unheard = words.iter().filter(|word| !material.contains(&word.to_lowercase()));
    let unheard = unheard.map(|word| failing(word, "premise".into(), word));
    let checked: Vec<&Wish> = review.wishes.iter().filter(|wish| wish.state != WishState::NotCheckable).collect();
    let unmet = checked.iter().filter(|wish| wish.state == WishState::Unmet);
    let unmet = unmet.map(|wish| failing(&wish.text, WISHES.into(), &wish.text));
    let failing: Vec<FailingPieces> = unheard.chain(unmet).collect();
    let all = words.len() + checked.len();
    (all > 0).then(|| CheckFinding {
        key: HEARD,
        severity: Severity::Medium,
        category: Category::Consistency,
        agent: Agent::Outline,
        measured: share(all - failing.len(), all),
        failing,
    })
}

/// Returns whether a check failed by wishes alone; the report lists wishes separately.
fn told_as_wishes(check: &CheckFinding) -> bool {
    check.failing.iter().all(|piece| piece.anchor == WISHES)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_check_is_known_when_findings_name_all_its_pieces() {
        let piece = |name: &str| FailingPieces {
            name: name.into(),
            anchor: String::new(),
            quote: String::new(),
            parameters: Value::Null,
        };
        let check = CheckFinding {
            key: HEARD,
            severity: Severity::Medium,
            category: Category::Completeness,
            agent: Agent::Outline,
            failing: vec![piece("第一章"), piece("第二章")],
            measured: String::new(),
        };
        let finding = |area: &str, names: &[&str]| Issue {
            sub_category: area.into(),
            affected_entities: names.iter().map(|name| (*name).to_owned()).collect(),
            ..Issue::default()
        };
        let area = Agent::Outline.sub_category();
        assert!(!known(&check, &[]));
        assert!(!known(&check, &[finding(area, &["第一章"])]), "the second piece is not named");
        assert!(known(&check, &[finding(area, &["第一章"]), finding(area, &["第二章"])]), "a finding for each");
        assert!(known(&check, &[finding(area, &["第一章", "第二章"])]));
        assert!(!known(&check, &[finding("plot", &["第一章", "第二章"])]), "another area");
    }
}
