//! The report: written by a model from notes alone, with validated citations.

use std::collections::BTreeMap;

use qingyu_graph::NodeError;
use qingyu_production::citation as marks;
use qingyu_production::research::{Finding, RefusedClaim, Report, Source, trust};
use qingyu_story::Language;

use super::answer::{Claimed, Note, Synthesis};
use super::context::{NotedSource, SynthesisContext};
use super::notice::ResearchNotice;
use super::pages::ResearchPage;
use super::request::{ResearchRequest, ResearchResult, call};
use crate::call::CallContext;
use crate::prompts::PromptName;

/// Maximum number of claims in a summary made by rules.
const SUMMARY: usize = 8;

/// Writes the report from `sources`, the pages with their notes.
pub(super) async fn write(
    seat: &CallContext<'_>,
    asked: &ResearchRequest,
    sources: &[(ResearchPage, Vec<Note>)],
    work: &mut ResearchResult,
) -> Result<(), NodeError> {
    if sources.is_empty() {
        let words = ResearchNotice::NothingRead.text(asked.language);
        work.report.summary.clone_from(&words);
        work.warnings.push(words);
        return Ok(());
    }
    let noted = (1..).zip(sources).map(|(number, (page, notes))| NotedSource {
        number,
        title: page.title.clone(),
        is_vendor: page.is_vendor,
        notes: notes.clone(),
    });
    let length = SynthesisContext::length(work.report.questions.len(), asked.language);
    let writing = SynthesisContext {
        length,
        question: asked.question.clone(),
        language: asked.language,
        rules: asked.rules.clone(),
        questions: work.report.questions.iter().map(|question| question.question.clone()).collect(),
        sources: noted.collect(),
    };
    let call = seat.call(call("write", String::new(), PromptName::RESEARCH_WRITE), &writing, &writing)?;
    let check = |synthesis: &Synthesis| match synthesis.summary.trim().is_empty() {
        true => vec!["summary: it is empty".to_owned()],
        false => Vec::new(),
    };
    let called = call.ask(Some(&check)).await?;
    let error = called.error();
    work.records.push(called.record);
    let synthesis = called.value.unwrap_or_else(|| {
        work.warnings.push(ResearchNotice::WriteUnread { error: &error }.text(asked.language));
        by_rules(&writing, asked)
    });
    let taken = settle(&synthesis, sources, &asked.rules, asked.language, &mut work.report);
    let count = work.report.refused.len();
    if count > 0 {
        work.warnings.push(ResearchNotice::Refused { count }.text(asked.language));
    }
    if taken > 0 {
        work.warnings.push(ResearchNotice::MarksTaken { count: taken }.text(asked.language));
    }
    Ok(())
}

/// Returns a report with each note as a claim; the fallback without a model's answer.
fn by_rules(writing: &SynthesisContext, asked: &ResearchRequest) -> Synthesis {
    let findings: Vec<Claimed> = writing
        .sources
        .iter()
        .flat_map(|source| source.notes.iter().map(|note| (source.number, note)))
        .map(|(number, note)| Claimed { claim: note.claim.clone(), sources: vec![number], question: None })
        .collect();
    let lines = findings.iter().take(SUMMARY).map(|found| format!("- {} [{}]", found.claim, found.sources[0]));
    let summary = format!("{}\n{}", ResearchNotice::ByRules.text(asked.language), lines.collect::<Vec<_>>().join("\n"));
    Synthesis { summary, findings, gaps: Vec::new() }
}

/// Returns the number of the question that a claim answers: as the model says, or else the question with most of its terms
/// in the claim; 0 for none.
fn question_of(claimed: &Claimed, report: &Report) -> u32 {
    /// The share of the terms of a question from which a claim is about it.
    const ENOUGH: f64 = 0.3;
    let is_known = |number: &u32| *number >= 1 && *number as usize <= report.questions.len();
    let nearest = || report.nearest_question(&claimed.claim, ENOUGH);
    claimed.question.filter(is_known).or_else(nearest).unwrap_or(0)
}

/// Inserts the validated part of `synthesis` into `report`: source `n` is page `n` of `pages`, counted from 1. Sources
/// are renumbered in the order of citation. Returns the number of removed citations.
///
/// A claim is supported by a note that says so, on a page that is not selling its subject. A claim that recommends a
/// product is refused where `rules` forbid that, and so is one that speaks to a model; sentences of the summary alike.
pub(super) fn settle(
    synthesis: &Synthesis,
    pages: &[(ResearchPage, Vec<Note>)],
    rules: &[String],
    language: Language,
    report: &mut Report,
) -> usize {
    let is_known = |number: u32| number >= 1 && number as usize <= pages.len();
    let forbids_products = trust::forbids_products(rules);
    let is_sold = |claim: &str, number: u32| {
        let page = &pages[number as usize - 1].0;
        page.is_vendor || trust::is_about_itself(claim, &page.url)
    };
    let is_product = |claim: &str, sources: &[u32]| {
        let is_all_sold = !sources.is_empty() && sources.iter().all(|number| is_sold(claim, *number));
        trust::recommends(claim) || is_all_sold
    };
    let spoken = trust::marked(&synthesis.summary, |_| String::new());
    let (summary, mut taken) = marks::purge(spoken.trim(), is_known);
    // The summary says nothing that a finding may not say.
    let is_allowed = |sentence: &str| !forbids_products || !is_product(sentence, &marks::named(sentence));
    let summary = trust::kept(&summary, is_allowed);
    let mut findings = Vec::new();
    for claimed in &synthesis.findings {
        let (claim, marked) = marks::split(&claimed.claim);
        if !claim.chars().any(char::is_alphanumeric) {
            continue;
        }
        let all = claimed.sources.iter().chain(&marked).copied();
        let mut sources: Vec<u32> = Vec::new();
        for number in all {
            match is_known(number) {
                true if !sources.contains(&number) => sources.push(number),
                true => {}
                false => taken += 1,
            }
        }
        let says = |number: &&u32| {
            let notes = &pages[**number as usize - 1].1;
            notes.iter().any(|note| trust::says(&format!("{}\n{}", note.claim, note.quote), &claim))
        };
        let is_spoken = trust::addresses_model(&claim);
        if is_spoken || forbids_products && is_product(&claim, &sources) {
            let notice = if is_spoken { ResearchNotice::Ordered } else { ResearchNotice::Recommended };
            let reason = notice.text(language);
            report.refused.push(RefusedClaim { claim, reason });
            continue;
        }
        let is_supported = sources.iter().filter(|number| !is_sold(&claim, **number)).any(|number| says(&number));
        let question = question_of(claimed, report);
        findings.push(Finding { claim, sources, is_supported, question });
    }
    let cited = marks::named(&summary).into_iter().chain(findings.iter().flat_map(|finding| finding.sources.clone()));
    let mut numbers: BTreeMap<u32, u32> = BTreeMap::new();
    // Pages without a citation come last.
    for number in cited.chain(1..=pages.len() as u32) {
        let next = numbers.len() as u32 + 1;
        numbers.entry(number).or_insert(next);
    }
    report.summary = marks::renumber(&summary, |number| numbers.get(&number).copied());
    let renumbered = |sources: Vec<u32>| sources.iter().map(|number| numbers[number]).collect();
    report.findings =
        findings.into_iter().map(|finding| Finding { sources: renumbered(finding.sources), ..finding }).collect();
    let mut sources: Vec<Source> = numbers
        .into_iter()
        .map(|(old, number)| {
            let ResearchPage { url, title, read_at, characters, is_vendor, text, imprint, place, .. } =
                pages[old as usize - 1].0.clone();
            let addressed = trust::addressed(&text).len();
            Source { number, title, url, read_at, characters, is_vendor, addressed, imprint, place }
        })
        .collect();
    sources.sort_by_key(|source| source.number);
    report.sources = sources;
    let gaps = synthesis.gaps.iter().map(|gap| marks::split(gap).0);
    report.gaps = gaps.filter(|gap| !gap.is_empty() && !trust::addresses_model(gap)).collect();
    taken
}
