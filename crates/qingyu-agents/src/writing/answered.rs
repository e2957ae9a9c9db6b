//! Answers of the author kept with the text: a question is not asked again until one of its sides changes.
//!
//! The sides are the sentence of the chapter, and what the story says of the pieces that may be meant, or the author's
//! instruction, or the plan.

use qingyu_story::document::AnsweredQuestion;
use qingyu_story::edit::Error;
use qingyu_story::excerpt::sentence_ends;
use qingyu_story::names::fold;
use qingyu_story::settlement::{Extraction, Settlement, digest};
use qingyu_story::{PieceKind, Story};

use super::questions::{
    About, AuthorQuestion, Choice, Decision, Doubt, answered, is_effective, of_settlement, told_of,
};
use super::settling::settle_in;

/// The kinds of the pieces that may be meant.
const MEANT: [PieceKind; 6] = [
    PieceKind::Character,
    PieceKind::Location,
    PieceKind::Organisation,
    PieceKind::Item,
    PieceKind::Event,
    PieceKind::Promise,
];

/// Settles a chapter. A question that the author has answered is carried out by the answer, in `extraction`, and not asked.
pub(super) fn settle_answered(
    story: &mut Story,
    document: &str,
    extraction: &mut Extraction,
    (chapter, title): (u32, &str),
) -> Result<(Settlement, Vec<AuthorQuestion>), Error> {
    let mut trial = story.clone();
    let settlement = settle_in(&mut trial, document, extraction)?;
    let questions = of_settlement(&settlement.questions, (&trial, &*extraction), (chapter, title));
    let (known, open) = parted(&trial, document, questions);
    let mut is_changed = false;
    for (question, answer) in known {
        let decision = if answer.accepted { Decision::Accept } else { Decision::Reject };
        if is_effective(&question.about, decision) {
            is_changed |= answered(extraction, &question.about, decision, answer.choice.as_deref());
        }
    }
    if !is_changed {
        *story = trial;
        return Ok((settlement, open));
    }
    let settlement = settle_in(story, document, extraction)?;
    let questions = of_settlement(&settlement.questions, (&*story, &*extraction), (chapter, title));
    let (_, open) = parted(story, document, questions);
    Ok((settlement, open))
}

/// Returns the questions with the author's answers kept with a document, and those without one.
fn parted(
    story: &Story,
    document: &str,
    questions: Vec<AuthorQuestion>,
) -> (Vec<(AuthorQuestion, AnsweredQuestion)>, Vec<AuthorQuestion>) {
    let document = story.documents.iter().find(|one| one.id == document);
    let (mut known, mut open) = (Vec::new(), Vec::new());
    for question in questions {
        let answer = document.and_then(|one| answer_to(&one.answers, &question.about, story, &one.text));
        match answer.cloned() {
            Some(answer) => known.push((question, answer)),
            None => open.push(question),
        }
    }
    (known, open)
}

/// Returns the answer among `answers` to a question about a text.
pub(super) fn answer_to<'a>(
    answers: &'a [AnsweredQuestion],
    about: &About,
    story: &Story,
    text: &str,
) -> Option<&'a AnsweredQuestion> {
    if answers.is_empty() {
        return None;
    }
    let asked = sides(about, story, text)?;
    let alike = || answers.iter().filter(|one| one.about == asked.about);
    // Titles of events and promises are the reader's own words, and may be others in another reading.
    let is_retitled = matches!(about, About::Settlement { piece: PieceKind::Event | PieceKind::Promise, .. });
    alike().find(|one| one.subject == asked.subject).or_else(|| {
        let mut alike = alike();
        alike.next().filter(|_| is_retitled && alike.next().is_none())
    })
}

/// Returns the questions about a text, and not about pieces of the story, that are not among the author's answers.
pub(super) fn unanswered(
    questions: Vec<AuthorQuestion>,
    answers: &[AnsweredQuestion],
    text: &str,
) -> Vec<AuthorQuestion> {
    let is_open = |question: &AuthorQuestion| answer_to(answers, &question.about, &Story::default(), text).is_none();
    questions.into_iter().filter(is_open).collect()
}

/// Returns whether the author has answered a question about a plan, whatever chapter it was asked after.
pub(super) fn is_plan_answered(story: &Story, about: &About) -> bool {
    story.documents.iter().any(|document| answer_to(&document.answers, about, story, "").is_some())
}

/// Returns the author's answer to keep with a text; `None` if it decides nothing, or is about a draft or a gate.
pub(super) fn kept_answer(
    about: &About,
    decision: Decision,
    choice: Option<&str>,
    (story, text): (&Story, &str),
) -> Option<AnsweredQuestion> {
    let needs_choice = match about {
        About::Settlement { doubt: Doubt::Unsure, .. } => false,
        About::Settlement { candidates, .. } => candidates.len() != 1,
        _ => false,
    };
    let accepted = match decision {
        Decision::Accept if needs_choice && choice.is_none() => return None,
        Decision::Accept => true,
        // A rejection removes the instruction, so no later question can be about it.
        Decision::Reject if matches!(about, About::AgainstInstruction { .. }) => return None,
        Decision::Reject => false,
        Decision::Later => return None,
    };
    Some(AnsweredQuestion { accepted, choice: choice.map(str::to_owned), ..sides(about, story, text)? })
}

/// Returns a question by its sides, without an answer; `None` for one that is about this run alone.
fn sides(about: &About, story: &Story, text: &str) -> Option<AnsweredQuestion> {
    let (said, subject, quote) = match about {
        About::Settlement { piece, label, quote, doubt, candidates, .. } => {
            let (form, subject) = match doubt {
                Doubt::Unsure => ("unsure", label),
                Doubt::Same { name } => ("same", name),
                Doubt::Which { name } => ("which", name),
                Doubt::WhichPromise { name } => ("which promise", name),
            };
            let mut others: Vec<String> = candidates.iter().map(|one| meant(one, story)).collect();
            others.sort();
            (format!("{piece} {form}\n{}\n{}", sentence(text, quote), others.join("\n")), subject, quote.as_str())
        }
        About::AgainstInstruction { instruction, passage, quote, .. } => {
            let said = format!("instruction {}\n{}\n{}", instruction.trim(), passage.trim(), sentence(text, quote));
            (said, instruction, quote.as_str())
        }
        About::LaterPlan(proposal) => {
            (format!("plan {} {}\n{}", proposal.node, proposal.field, proposal.before), &proposal.after, "")
        }
        About::DraftKept { .. } | About::BelowFloor { .. } | About::Gate { .. } => return None,
    };
    // Words that the text has only in another spelling are no sign that it has lost them.
    let quote = Some(quote.trim()).filter(|quote| text.contains(quote)).unwrap_or_default();
    Some(AnsweredQuestion {
        about: digest(&said)[..16].to_owned(),
        subject: fold(subject),
        quote: quote.to_owned(),
        ..AnsweredQuestion::default()
    })
}

/// Returns a piece that may be meant, with what the story says of it.
fn meant(one: &Choice, story: &Story) -> String {
    let is_it = |id: &str, name: &str| if one.id.is_empty() { name == one.name } else { id == one.id };
    let mut pieces = MEANT.into_iter().flat_map(|kind| story.pieces_of(kind));
    let piece = pieces.find(|piece| is_it(piece.id(), piece.name()));
    format!("{} {}", one.id, told_of(piece).0)
}

/// Returns the sentences of a text that a quotation stands in; the quotation itself if it is not there.
fn sentence<'t>(text: &'t str, quote: &'t str) -> &'t str {
    let quote = quote.trim();
    let Some(start) = text.find(quote).filter(|_| !quote.is_empty()) else { return quote };
    let ends = sentence_ends(text);
    let first = ends.iter().copied().rfind(|end| *end <= start).unwrap_or_default();
    let last = ends.into_iter().find(|end| *end >= start + quote.len()).unwrap_or(text.len());
    text[first..last].trim()
}

#[cfg(test)]
mod tests {
    use qingyu_story::Character;

    use super::*;

    const TEXT: &str = "雨停了。老周把灯交给林青，她没有接。门开了。";

    fn unsure(label: &str, quote: &str) -> About {
        About::Settlement {
            piece: PieceKind::Fact,
            label: label.into(),
            says: String::new(),
            quote: quote.into(),
            confidence: 0.3,
            doubt: Doubt::Unsure,
            candidates: Vec::new(),
        }
    }

    fn same(name: &str, quote: &str) -> About {
        About::Settlement {
            piece: PieceKind::Character,
            label: name.into(),
            says: String::new(),
            quote: quote.into(),
            confidence: 0.3,
            doubt: Doubt::Same { name: name.into() },
            candidates: vec![Choice { id: "c-1".into(), name: "周原".into(), ..Choice::default() }],
        }
    }

    fn story(background: &str) -> Story {
        let card =
            Character {
                id: "c-1".into(), name: "周原".into(), background: background.into(), ..Character::default()
            };
        Story { characters: vec![card], ..Story::default() }
    }

    #[test]
    fn an_answer_holds_until_a_side_changes() {
        let known = story("守灯人");
        let kept = |about: &About| kept_answer(about, Decision::Reject, None, (&known, TEXT)).expect("an answer");
        let answers = [kept(&unsure("老周 持有 灯", "老周把灯交给林青")), kept(&same("老周", "老周把灯交给林青"))];
        let is_known = |about: &About, story: &Story, text: &str| answer_to(&answers, about, story, text).is_some();
        // The reader may quote another part of the sentence.
        assert!(is_known(&unsure("老周 持有 灯", "交给林青，她没有接"), &known, TEXT));
        assert!(!is_known(&unsure("林青 持有 灯", "老周把灯交给林青"), &known, TEXT), "another statement");
        assert!(!is_known(&unsure("老周 持有 灯", "老周把灯交给林青"), &known, "老周把灯交给林青，她接了。"));
        assert!(is_known(&same("老周", "老周把灯交给林青"), &known, TEXT));
        assert_eq!(kept(&unsure("老周 持有 灯", "老周把灯交給林青")).quote, "", "the text spells it otherwise");
        assert!(!is_known(&same("老周", "老周把灯交给林青"), &story("船夫"), TEXT), "the card has changed");
    }

    #[test]
    fn an_answer_that_decides_nothing_is_not_kept() {
        let known = story("守灯人");
        let mut which = same("老周", "老周把灯交给林青");
        let About::Settlement { candidates, .. } = &mut which else { panic!("{which:?}") };
        candidates.push(Choice { id: "c-2".into(), ..Choice::default() });
        let kept = |decision, choice| kept_answer(&which, decision, choice, (&known, TEXT));
        assert_eq!(kept(Decision::Later, None), None);
        assert_eq!(kept(Decision::Accept, None), None, "one of two must be chosen");
        assert_eq!(kept(Decision::Accept, Some("c-2")).and_then(|answer| answer.choice).as_deref(), Some("c-2"));
        let gate = About::BelowFloor { text: String::new(), shortfalls: Vec::new() };
        assert_eq!(kept_answer(&gate, Decision::Accept, None, (&known, TEXT)), None);
    }
}
