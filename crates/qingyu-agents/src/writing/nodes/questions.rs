//! The node that asks the author about open questions of the run, and applies the answers; a rejection with words leads to
//! another correction.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use qingyu_graph::{Command, Context, END, NodeError};
use qingyu_story::settlement::Extraction;
use qingyu_story::{AuthorInstruction, Config, Evidence, Provenance, Remark, Severity, Story, Waiver, findings};

use crate::Error;
use crate::writing::answered::kept_answer;
use crate::writing::asking::{ChapterWork, ProjectChange, load, provenance_of, save};
use crate::writing::book::{BaseDocument, ChapterInHand, NumberedBook};
use crate::writing::names::{NEXT_CHAPTER, OWN_PLAN, QUESTIONS};
use crate::writing::nodes::next_chapter::closing_line;
use crate::writing::notice::WritingNotice;
use crate::writing::questions::{
    About, AuthorAnswers, AuthorQuestion, AuthorQuestions, Decision, answered, is_effective,
};
use crate::writing::resources::WritingResources;
use crate::writing::review::REMARK;
use crate::writing::settling::{completed, place, settle_in};
use crate::writing::state::WritingState;
use crate::writing::task::WritingTask;

pub(in crate::writing) async fn run(
    room: Arc<WritingResources>,
    state: Arc<WritingState>,
    context: Context,
) -> Result<Command<WritingState>, NodeError> {
    let questions = AuthorQuestions { questions: state.questions.clone() };
    let answers = context.ask::<AuthorAnswers>("settlement", &questions).await?;
    let mut work = ChapterWork::new(&room, &state, &context);
    let is_decided = |question: &&AuthorQuestion| is_effective(&question.about, answers.decision(&question.id));
    let (instructions, decided): (Vec<&AuthorQuestion>, Vec<&AuthorQuestion>) = state
        .questions
        .iter()
        .filter(is_decided)
        .partition(|question| matches!(question.about, About::AgainstInstruction { .. }));
    let mut again: BTreeSet<u32> = BTreeSet::new();
    for question in instructions {
        let words = answers.words.get(&question.id).map(|words| words.trim()).filter(|words| !words.is_empty());
        let decision = answers.decision(&question.id);
        let is_corrected = decide_instruction(&room, &state, question, (decision, words)).await?;
        again.extend(is_corrected.then_some(question.chapter));
    }
    let (plans, decided): (Vec<&AuthorQuestion>, Vec<&AuthorQuestion>) =
        decided.into_iter().partition(|question| matches!(question.about, About::LaterPlan(_)));
    for question in plans {
        if !change_plan(&room, &state, question).await? {
            work.warn(&WritingNotice::PlanChanged { name: &question.title });
        }
    }
    let chapters: BTreeSet<u32> = decided.iter().map(|question| question.chapter).collect();
    let mut lost: BTreeSet<u32> = BTreeSet::new();
    for chapter in chapters {
        let of_chapter: Vec<&AuthorQuestion> =
            decided.iter().copied().filter(|question| question.chapter == chapter).collect();
        let extraction = state.extractions.get(&chapter).cloned().unwrap_or_default();
        if let Err(error) = carry_out(&room, &state, &of_chapter, &answers, extraction).await? {
            let label = of_chapter[0].title.clone();
            work.warn(&WritingNotice::AnswerLost { label: &label, error: &error.to_string() });
            lost.insert(chapter);
        }
    }
    remember(&room, &state, &answers, &lost).await?;
    let is_later = |question: &&AuthorQuestion| answers.decision(&question.id) == Decision::Later;
    let later: Vec<AuthorQuestion> = state.questions.iter().filter(is_later).cloned().collect();
    let kept = |chapter: &u32| later.iter().any(|question| question.chapter == *chapter);
    let extractions = state.extractions.clone().into_iter().filter(|(chapter, _)| kept(chapter)).collect();
    // The line of the run counted the questions as open.
    let closing = || async {
        let (story, _) = load(&room).await?;
        Ok::<_, Error>(closing_line(&state, &story, &room.workshop.rules, later.len()))
    };
    let line = context.step("closing", &later.len(), closing).await?;
    let update = work.update.overwrite_questions(later).overwrite_extractions(extractions);
    let update = update.final_output(line);
    if again.is_empty() {
        return Ok(Command::update(update).goto([END]));
    }
    // An earlier reading knows nothing of the author's words.
    let update = update.overwrite_reviews(BTreeMap::new()).corrections(state.corrections + 1);
    let chapters = again.iter().map(|chapter| (*chapter).into()).collect();
    let update = update.task(WritingTask::Correct { chapters }).queue(Some(again.into_iter().collect()));
    Ok(Command::update(update).goto([NEXT_CHAPTER]))
}

/// Keeps the author's answers with their texts, so that they are not asked for again; not those of the chapters `lost`,
/// whose answers no longer fit. A question about the plan is kept with the chapter that it came up after.
async fn remember(
    room: &WritingResources,
    state: &WritingState,
    answers: &AuthorAnswers,
    lost: &BTreeSet<u32>,
) -> Result<(), Error> {
    let saved = save(room, |story| {
        let book = NumberedBook::of(story);
        let mut after = story.clone();
        for question in state.questions.iter().filter(|question| !lost.contains(&question.chapter)) {
            let Some(document) = book.document(question.chapter) else { continue };
            let choice = answers.choices.get(&question.id).map(String::as_str);
            let decision = answers.decision(&question.id);
            let told = (story, document.text.as_str());
            let kept = kept_answer(&question.about, decision, choice, told);
            let text = after.documents.iter_mut().find(|other| other.id == document.id);
            if let (Some(text), Some(kept)) = (text, kept) {
                text.answer(kept);
            }
        }
        if after == *story {
            return Ok(None);
        }
        let key = state.save_key("answered");
        Ok(Some(ProjectChange { after, key, provenance: by_author(state, ""), made: () }))
    });
    saved.await?;
    Ok(())
}

/// Keeps the author's instruction and accepts the issue, or removes the instruction. An accepted issue is waived in the
/// author's words, so that no later reading finds it again; a remark that the check does not report is removed.
///
/// Returns whether a correction is to follow: the author has rejected the question and said in `words` what to do instead.
/// The words are then the remedy of the issue, and an instruction.
async fn decide_instruction(
    room: &WritingResources,
    state: &WritingState,
    question: &AuthorQuestion,
    (decision, words): (Decision, Option<&str>),
) -> Result<bool, Error> {
    let About::AgainstInstruction { document, instruction, passage, kind, finding, issue, quote, why, .. } =
        &question.about
    else {
        return Ok(false);
    };
    let against = AuthorInstruction { text: instruction.clone(), passage: passage.clone(), kind: *kind };
    // A sentence written by hand is asked about once for all remarks about it.
    let is_asked = |remark: &Remark| remark.quote == *quote && (remark.title == *issue || !kind.is_request());
    let saved = save(room, |story| {
        let remarks = story.documents.iter().filter(|text| text.id == *document).flat_map(|text| &text.remarks);
        let titles = remarks.filter(|remark| is_asked(remark)).map(|remark| remark.title.as_str());
        let titles = std::iter::once(issue.as_str()).chain(titles);
        let waived = if decision == Decision::Reject {
            Vec::new()
        } else if finding.is_empty() {
            findings_of_remarks(story, document, quote, titles)
        } else {
            vec![finding.clone()]
        };
        let mut after = story.clone();
        let Some(text) = after.documents.iter_mut().find(|other| other.id == *document) else { return Ok(None) };
        if decision == Decision::Reject {
            let is_known = text.instructions.iter().any(|known| known.is_same(&against));
            // Questions stored by earlier releases have no passage.
            let is_by_words = !is_known && passage.is_empty();
            // Those of earlier releases have no kind, and are then about no known instruction.
            if !against.kind.is_request() || !is_known {
                text.by_hand.retain(|sentence| sentence != passage);
            }
            text.instructions.retain(|known| match is_by_words {
                true => known.text.trim() != instruction.trim(),
                false => !known.is_same(&against),
            });
            if let Some(words) = words {
                text.remarks.retain(|remark| !is_asked(remark));
                text.remarks.push(Remark {
                    severity: Severity::High,
                    title: issue.clone(),
                    quote: quote.clone(),
                    why: why.clone(),
                    fix: words.to_owned(),
                    ..Remark::default()
                });
                text.instruct(AuthorInstruction {
                    text: words.to_owned(),
                    passage: quote.clone(),
                    ..AuthorInstruction::default()
                });
            }
        } else if waived.is_empty() {
            text.remarks.retain(|remark| !is_asked(remark));
        }
        for finding in waived {
            if !after.waivers.iter().any(|waiver| waiver.finding == finding) {
                after.waivers.push(Waiver {
                    finding,
                    reason: instruction.clone(),
                    owner: "person".into(),
                    ..Waiver::default()
                });
            }
        }
        if after == *story {
            return Ok(None);
        }
        Ok(Some(answer(state, question, after, words.unwrap_or(instruction))))
    });
    saved.await?;
    let Some(words) = words.filter(|_| decision == Decision::Reject) else { return Ok(false) };
    // Read from the stored story, so that a repeated node returns the same.
    let (story, _) = load(room).await?;
    let text = story.documents.iter().find(|other| other.id == *document);
    Ok(text.is_some_and(|text| text.remarks.iter().any(|remark| remark.quote == *quote && remark.fix == words)))
}

/// Returns the ids of the findings by which the check reports the remarks with `titles` about a sentence of a document: for
/// each, of several findings about the sentence, the one with the title.
fn findings_of_remarks<'t>(
    story: &Story,
    document: &str,
    quote: &str,
    titles: impl Iterator<Item = &'t str>,
) -> Vec<String> {
    let found = findings(story, &Config::only(REMARK, Severity::Medium));
    let is_of =
        |evidence: &Evidence| evidence.quote == quote.trim() && evidence.anchor.split('/').nth(1) == Some(document);
    let of_sentence: Vec<_> = found.iter().filter(|one| one.issue.evidence.iter().any(is_of)).collect();
    let reported = titles
        .filter_map(|title| of_sentence.iter().find(|one| one.issue.title == title.trim()).or(of_sentence.first()));
    reported.map(|one| one.issue.id.clone()).collect()
}

/// Changes the outline as a proposal says; returns `false` if the author has changed the node meanwhile.
async fn change_plan(room: &WritingResources, state: &WritingState, question: &AuthorQuestion) -> Result<bool, Error> {
    let About::LaterPlan(proposal) = &question.about else { return Ok(true) };
    let saved = save(room, |story| {
        let Some(after) = proposal.apply(story) else { return Ok(None) };
        let mut change = answer(state, question, after, &proposal.reason);
        if proposal.own.is_some() {
            // The node stays the author's own.
            change.provenance.tool = OWN_PLAN.into();
        }
        Ok(Some(change))
    });
    Ok(saved.await?.is_some())
}

/// Returns the change of the project by the author's answer to a question.
fn answer(state: &WritingState, question: &AuthorQuestion, after: Story, note: &str) -> ProjectChange<()> {
    let key = state.save_key(&question.id);
    ProjectChange { after, key, provenance: by_author(state, note), made: () }
}

/// Returns the provenance of a change by the author's answers.
fn by_author(state: &WritingState, note: &str) -> Provenance {
    provenance_of(state, "person", QUESTIONS, note.to_owned())
}

/// Inserts the facts of a chapter by the author's decisions into the story, in one change.
///
/// An answer that no longer fits the story is returned as the inner error; an unreachable project is the outer error.
async fn carry_out(
    room: &WritingResources,
    state: &WritingState,
    decided: &[&AuthorQuestion],
    answers: &AuthorAnswers,
    mut extraction: Extraction,
) -> Result<Result<(), qingyu_story::edit::Error>, Error> {
    for question in decided {
        let choice = answers.choices.get(&question.id).map(String::as_str);
        answered(&mut extraction, &question.about, answers.decision(&question.id), choice);
    }
    let Some(number) = decided.first().map(|question| question.chapter) else { return Ok(Ok(())) };
    let mut misfit = None;
    let saved = save(room, |story| {
        let after = match settled(story, number, decided, &extraction) {
            Ok(after) => after,
            Err(error) => {
                misfit = Some(error);
                return Ok(None);
            }
        };
        let provenance = by_author(state, "");
        let key = state.save_key(&format!("answers/{number}"));
        Ok(Some(ProjectChange { after, key, provenance, made: () }))
    });
    saved.await?;
    Ok(misfit.map_or(Ok(()), Err))
}

/// Returns the story with the decided facts of a chapter.
fn settled(
    story: &Story,
    number: u32,
    decided: &[&AuthorQuestion],
    extraction: &Extraction,
) -> Result<Story, qingyu_story::edit::Error> {
    let book = NumberedBook::of(story);
    let document = book.document(number);
    let draft = decided.iter().find_map(|question| match &question.about {
        About::DraftKept { text, .. } => Some(text),
        _ => None,
    });
    let mut after = story.clone();
    let id = match (draft, document) {
        (Some(draft), _) => {
            let chapter = ChapterInHand {
                number,
                node: book.node(number).map(|node| node.id.clone()).unwrap_or_default(),
                title: book.title(number),
                base: document
                    .map(|document| BaseDocument { document: document.id.clone(), version: document.version }),
                ..ChapterInHand::default()
            };
            let placed = place(story, &chapter, draft)?;
            after = placed.story;
            placed.document
        }
        (None, Some(document)) => document.id.clone(),
        (None, None) => return Ok(after),
    };
    let extraction = completed(&after, &id, extraction)?;
    settle_in(&mut after, &id, &extraction)?;
    Ok(after)
}

#[cfg(test)]
mod tests {
    use qingyu_story::Document;

    use super::*;

    #[test]
    fn of_two_remarks_about_a_sentence_the_one_with_the_title_is_meant() {
        let remark = |title: &str| Remark {
            severity: Severity::High,
            title: title.into(),
            quote: "She slammed the door.".into(),
            why: "x".into(),
            ..Remark::default()
        };
        let document = Document {
            id: "d-1".into(),
            title: "Chapter 1".into(),
            order: 1,
            text: "She slammed the door.".into(),
            remarks: ["No door is there", "Why is she angry?"].map(remark).to_vec(),
            ..Document::default()
        };
        let story = Story { documents: vec![document], ..Story::default() };
        let of_document = |document: &str, title: &str| {
            findings_of_remarks(&story, document, "She slammed the door.", std::iter::once(title)).pop()
        };
        let found = |title: &str| of_document("d-1", title);
        assert!(found("No door is there").is_some());
        assert_ne!(found("No door is there"), found("Why is she angry?"));
        assert!(found("in other words").is_some());
        assert_eq!(of_document("d-2", "No door is there"), None);
    }
}
