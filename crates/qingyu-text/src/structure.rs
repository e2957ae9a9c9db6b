//! The structure of a reference book: what its chapters do and how they are told, without their sentences.
//!
//! - [`Structure`]: figures of all chapters, arcs, cadence, and what each figure rests on
//! - [`chapter`]: the figures of a single chapter, counted and found by rules
//! - [`course`]: tension, functions, arcs and cadence over the chapters
//! - `genre`: the genre with this structure, in words of `data/structure.toml` alone, so that no sentence of a reference
//!   reaches a prompt
//!
//! Nothing here calls a model. Functions and arcs are guesses and are marked so.

pub mod chapter;
pub mod course;
mod genre;
#[cfg(test)]
mod tests;

use qingyu_story::prose::OpeningKind;
use qingyu_story::{Character, Language, Names, Story};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::cast::{ProposedCharacter, propose_cast};
use crate::figures::Meter;
pub use chapter::ReferenceChapter;
use chapter::{ChapterFunction, ChapterStructure, MeasuredChapter};
use course::{ArcStructure, Cadence};

/// The structure of a reference.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Structure {
    /// The language of the reference.
    pub language: Language,
    /// The length of all chapters, as editors count: in Chinese, characters with punctuation; in English, words.
    pub length: usize,
    /// The chapters in reading order.
    pub chapters: Vec<ChapterStructure>,
    /// The arcs: by volumes, and within them by the fall of tension after a climax.
    pub arcs: Vec<ArcStructure>,
    /// Lengths, rows and intervals over all chapters.
    pub cadence: Cadence,
    /// What each figure rests on.
    pub basis: Vec<FigureBasis>,
}

/// What a figure rests on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct FigureBasis {
    /// The figure.
    pub figure: StructureFigure,
    /// How it is found.
    pub by: StructureBasis,
    /// How many observations it rests on: chapters, speeches, people or statements.
    pub observations: usize,
}

/// A figure of the structure.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum StructureFigure {
    /// The length of chapters; observations are chapters.
    Length,
    /// The share of dialogue; observations are speeches.
    Dialogue,
    /// Who is on stage; observations are people.
    Stage,
    /// How chapters open; observations are chapters whose first sentences have a known form.
    Opening,
    /// How chapters end; observations are chapters whose last sentences have a known form.
    Ending,
    /// Turns; observations are statements found by the rules of settlement.
    Turn,
    /// Chapters that pay the reader; observations are these chapters.
    Payoff,
    /// The tension; observations are chapters.
    Tension,
    /// The functions of chapters; observations are chapters with another function than development.
    Function,
    /// The arcs; observations are arcs.
    Arc,
}

/// How a figure is found.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum StructureBasis {
    /// Counted in the text.
    Count,
    /// By the form of first and last sentences.
    Form,
    /// By the rules that settle a chapter without a model.
    Rule,
    /// Guessed from other figures, or relative to this book alone.
    Guess,
}

impl Structure {
    /// Returns the structure of the chapters of a reference in reading order. The time is linear in the length.
    pub fn of(chapters: &[ReferenceChapter<'_>], language: Language, meter: &Meter) -> Self {
        let texts: Vec<&str> = chapters.iter().map(|chapter| chapter.text).collect();
        let cast = cast(&texts, meter);
        let names = Names::of(&Story { characters: cast.clone(), language, ..Story::default() });
        let mut measured: Vec<MeasuredChapter> = (1..)
            .zip(chapters)
            .map(|(number, chapter)| MeasuredChapter::of(number, chapter, &cast, &names, meter))
            .collect();
        course::set_tensions(&mut measured);
        course::set_functions(&mut measured);
        let speeches = measured.iter().map(|chapter| chapter.speeches).sum();
        let chapters: Vec<ChapterStructure> = measured.into_iter().map(|chapter| chapter.structure).collect();
        let arcs = course::arcs(&chapters);
        let basis = basis(&chapters, cast.len(), speeches, arcs.len());
        Self {
            language,
            length: chapters.iter().map(|chapter| chapter.length).sum(),
            cadence: Cadence::of(&chapters),
            chapters,
            arcs,
            basis,
        }
    }
}

/// Returns the people who are certain by their speeches and actions.
fn cast(texts: &[&str], meter: &Meter) -> Vec<Character> {
    let sure = propose_cast(texts, meter).into_iter().filter(|one| one.is_sure);
    let character = |(number, one): (usize, ProposedCharacter)| Character {
        id: format!("c-{number}"),
        name: one.name,
        alias: one.alias,
        ..Character::default()
    };
    (1..).zip(sure).map(character).collect()
}

fn basis(chapters: &[ChapterStructure], cast: usize, speeches: usize, arcs: usize) -> Vec<FigureBasis> {
    use self::{StructureBasis as By, StructureFigure as Figure};
    let count = |is_meant: &dyn Fn(&ChapterStructure) -> bool| chapters.iter().filter(|one| is_meant(one)).count();
    let turns = chapters.iter().flat_map(|chapter| &chapter.turns).map(|turn| turn.count).sum();
    let rows = [
        (Figure::Length, By::Count, chapters.len()),
        (Figure::Dialogue, By::Count, speeches),
        (Figure::Stage, By::Guess, cast),
        (Figure::Opening, By::Form, count(&|one| one.opens.is_some_and(|kind| kind != OpeningKind::Narration))),
        (Figure::Ending, By::Form, count(&|one| one.ends.is_some())),
        (Figure::Turn, By::Rule, turns),
        (Figure::Payoff, By::Guess, count(&ChapterStructure::pays)),
        (Figure::Tension, By::Guess, chapters.len()),
        (Figure::Function, By::Guess, count(&|one| one.function != ChapterFunction::Development)),
        (Figure::Arc, By::Guess, arcs),
    ];
    rows.into_iter().map(|(figure, by, observations)| FigureBasis { figure, by, observations }).collect()
}
