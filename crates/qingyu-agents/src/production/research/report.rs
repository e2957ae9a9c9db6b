//! The report: written by a model from notes alone, believed as far as its numbers go.

use std::collections::BTreeMap;

use qingyu_graph::NodeError;
use qingyu_production::research::{Finding, Report, Source};

use super::answer::{Claimed, Note, Synthesis};
use super::context::{NotedSource, Synthesising};
use super::notice::Notice;
use super::pages::Page;
use super::{Researched, Researching, call, marks};
use crate::call::Seat;
use crate::prompts::Name;

/// Most claims in a summary that rules make.
const SUMMARY: usize = 8;

/// Writes the report of `sources`, each a page with its notes.
pub(super) async fn write(
    seat: &Seat<'_>,
    asked: &Researching,
    sources: &[(Page, Vec<Note>)],
    work: &mut Researched,
) -> Result<(), NodeError> {
    if sources.is_empty() {
        let words = Notice::NothingRead.text(asked.language);
        work.report.summary.clone_from(&words);
        work.warnings.push(words);
        return Ok(());
    }
    let noted = (1..).zip(sources).map(|(number, (page, notes))| NotedSource {
        number,
        title: page.title.clone(),
        notes: notes.clone(),
    });
    let writing = Synthesising { question: asked.question.clone(), language: asked.language, sources: noted.collect() };
    let call = seat.call(call("write", String::new(), Name::RESEARCH_WRITE), &writing, &writing)?;
    let check = |synthesis: &Synthesis| match synthesis.summary.trim().is_empty() {
        true => vec!["summary: it is empty".to_owned()],
        false => Vec::new(),
    };
    let called = call.ask(Some(&check)).await?;
    let error = called.error();
    work.records.push(called.record);
    let synthesis = called.value.unwrap_or_else(|| {
        work.warnings.push(Notice::WriteUnread { error: &error }.text(asked.language));
        by_rules(&writing, asked)
    });
    let pages: Vec<&Page> = sources.iter().map(|(page, _)| page).collect();
    let taken = settle(&synthesis, &pages, &mut work.report);
    if taken > 0 {
        work.warnings.push(Notice::MarksTaken { count: taken }.text(asked.language));
    }
    Ok(())
}

/// Each note a claim with its source.
fn by_rules(writing: &Synthesising, asked: &Researching) -> Synthesis {
    let findings: Vec<Claimed> = writing
        .sources
        .iter()
        .flat_map(|source| source.notes.iter().map(|note| (source.number, note)))
        .map(|(number, note)| Claimed { claim: note.claim.clone(), sources: vec![number] })
        .collect();
    let lines = findings.iter().take(SUMMARY).map(|found| format!("- {} [{}]", found.claim, found.sources[0]));
    let summary = format!("{}\n{}", Notice::ByRules.text(asked.language), lines.collect::<Vec<_>>().join("\n"));
    Synthesis { summary, findings, gaps: Vec::new() }
}

/// Puts into `report` what of `synthesis` can be believed: source `n` is the page in place `n` of `pages`, counted from 1.
/// Sources are numbered anew in the order in which they are cited. Gives back how many marks named no page.
pub(super) fn settle(synthesis: &Synthesis, pages: &[&Page], report: &mut Report) -> usize {
    let is_known = |number: u32| number >= 1 && number as usize <= pages.len();
    let (summary, mut taken) = marks::purge(synthesis.summary.trim(), is_known);
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
        findings.push((claim, sources));
    }
    let cited = marks::named(&summary).into_iter().chain(findings.iter().flat_map(|(_, sources)| sources.clone()));
    let mut numbers: BTreeMap<u32, u32> = BTreeMap::new();
    // Those that were read and never cited come last.
    for number in cited.chain(1..=pages.len() as u32) {
        let next = numbers.len() as u32 + 1;
        numbers.entry(number).or_insert(next);
    }
    report.summary = marks::renumber(&summary, |number| numbers.get(&number).copied());
    report.findings = findings
        .into_iter()
        .map(|(claim, sources)| Finding {
            claim,
            is_supported: !sources.is_empty(),
            sources: sources.iter().map(|number| numbers[number]).collect(),
        })
        .collect();
    let mut sources: Vec<Source> = numbers
        .into_iter()
        .map(|(old, number)| {
            let Page { url, title, read_at, characters, .. } = pages[old as usize - 1].clone();
            Source { number, title, url, read_at, characters }
        })
        .collect();
    sources.sort_by_key(|source| source.number);
    report.sources = sources;
    let gaps = synthesis.gaps.iter().map(|gap| marks::split(gap).0);
    report.gaps = gaps.filter(|gap| !gap.is_empty()).collect();
    taken
}
