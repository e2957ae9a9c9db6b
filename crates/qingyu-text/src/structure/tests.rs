use std::sync::LazyLock;

use qingyu_story::genre::Genre;
use qingyu_story::prose::{EndingKind, editors_count};

use super::chapter::{ChapterFunction, TurnCount, TurnKind};
use super::*;

static METER: LazyLock<Meter> = LazyLock::new(Meter::default);

const FIRST: &str = "“走吧。”林青说。“雨停了。”林青说。“把灯点上。”林青说。“你听见钟声没有。”林青说。\n\n\
                     他们沿着海堤走了很久，谁也没有再开口。楼下忽然响起敲门声。是谁在敲门？";
const SECOND: &str = "七月十五那天起了雾，海面白得像一张没有写字的纸。林青守着没有点的灯，想起很多年前的事。\n\n\
                      他吹熄了蜡烛，很快睡着了。";

fn told(texts: [&'static str; 2]) -> Structure {
    let chapter = |(title, text)| ReferenceChapter { title, volume: None, text };
    let chapters: Vec<ReferenceChapter<'_>> =
        ["第一章 钟声", "第二章 雾"].into_iter().zip(texts).map(chapter).collect();
    Structure::of(&chapters, Language::Zh, &METER)
}

/// A chapter of which only tension and turns are known.
fn measured(number: usize, pace: f64, turn: Option<TurnKind>) -> MeasuredChapter {
    let structure = ChapterStructure {
        number,
        title: String::new(),
        volume: None,
        length: 2_000 + number,
        dialogue: 0.3,
        stage: Vec::new(),
        opens: None,
        ends: Some(if number.is_multiple_of(2) { EndingKind::Question } else { EndingKind::Calm }),
        turns: turn.map(|kind| TurnCount { kind, count: 1 }).into_iter().collect(),
        tension: 0,
        function: ChapterFunction::Development,
    };
    MeasuredChapter { structure, speeches: 0, pace, intensity: 0.0 }
}

/// A book of chapters with these paces, from 0 to 9; a turn where one is given.
fn course(paces: &[(f64, Option<TurnKind>)]) -> Vec<ChapterStructure> {
    let mut chapters: Vec<MeasuredChapter> =
        (1..).zip(paces).map(|(number, (pace, turn))| measured(number, *pace, *turn)).collect();
    course::set_tensions(&mut chapters);
    course::set_functions(&mut chapters);
    chapters.into_iter().map(|chapter| chapter.structure).collect()
}

fn plain(paces: &[f64]) -> Vec<ChapterStructure> {
    course(&paces.iter().map(|pace| (*pace, None)).collect::<Vec<_>>())
}

#[test]
fn chapters_are_counted_and_their_beginnings_and_ends_are_seen() {
    let structure = told([FIRST, SECOND]);
    let [first, second] = structure.chapters.as_slice() else { panic!("{structure:?}") };
    assert_eq!(first.length, editors_count(FIRST, Language::Zh));
    assert_eq!(structure.length, first.length + second.length);
    assert_eq!((first.opens, first.ends), (Some(OpeningKind::Speech), Some(EndingKind::Question)));
    assert_eq!((second.opens, second.ends), (Some(OpeningKind::Narration), Some(EndingKind::Sleep)));
    assert!(first.pulls() && !second.pulls());
    assert!(first.dialogue > 0.2 && second.dialogue == 0.0, "{} {}", first.dialogue, second.dialogue);
    assert_eq!(first.stage[0].name, "林青");
    assert_eq!(first.stage[0].speeches, 4);
    let basis = |figure: StructureFigure| {
        structure.basis.iter().find(|basis| basis.figure == figure).map(|basis| (basis.by, basis.observations))
    };
    assert_eq!(basis(StructureFigure::Ending), Some((StructureBasis::Form, 2)));
    assert_eq!(basis(StructureFigure::Opening), Some((StructureBasis::Form, 1)));
    assert_eq!(basis(StructureFigure::Dialogue), Some((StructureBasis::Count, 4)));
}

#[test]
fn tension_is_relative_to_the_book() {
    let tensions = |paces: &[f64]| plain(paces).iter().map(|chapter| chapter.tension).collect::<Vec<_>>();
    assert_eq!(tensions(&[0.0, 0.5, 1.0]), [1, 6, 10]);
    assert_eq!(tensions(&[0.4, 0.4, 0.4]), [5, 5, 5]);
    assert_eq!(tensions(&[]), [0_u8; 0]);
}

#[test]
fn chapters_that_are_nearly_equal_have_no_climax() {
    let climaxes = |paces: &[f64]| {
        let chapters = plain(paces);
        let is_climax = |one: &&ChapterStructure| one.function == ChapterFunction::Climax;
        chapters.iter().filter(is_climax).map(|one| one.number).collect::<Vec<_>>()
    };
    // Within chance.
    assert_eq!(climaxes(&[0.50, 0.52, 0.49, 0.51, 0.50, 0.53]), [0_usize; 0]);
    // A single quiet chapter makes no climax of each of the others.
    assert_eq!(climaxes(&[0.50, 0.52, 0.10, 0.51, 0.50, 0.53]), [0_usize; 0]);
    assert_eq!(climaxes(&[0.30, 0.32, 0.28, 0.90, 0.90, 0.31]), [4], "a row is one climax");
    assert_eq!(Cadence::of(&plain(&[0.50, 0.52, 0.49])).climax_every, None);
}

#[test]
fn feeling_that_differs_by_a_word_or_two_says_nothing() {
    let mut chapters: Vec<MeasuredChapter> = (1..=4).map(|number| measured(number, 0.4, None)).collect();
    for (chapter, intensity) in chapters.iter_mut().zip([0.5, 0.9, 0.1, 0.9]) {
        chapter.intensity = intensity;
    }
    course::set_tensions(&mut chapters);
    assert!(chapters.iter().all(|chapter| chapter.structure.tension == 5));
    chapters[1].intensity = 12.0;
    course::set_tensions(&mut chapters);
    assert_eq!(chapters[1].structure.tension, 10);
}

#[test]
fn functions_follow_tension_and_turns() {
    let gain = Some(TurnKind::Gain);
    let chapters =
        course(&[(0.0, None), (4.0, gain), (5.0, None), (9.0, gain), (4.0, Some(TurnKind::Death)), (3.0, None)]);
    let functions: Vec<ChapterFunction> = chapters.iter().map(|chapter| chapter.function).collect();
    use ChapterFunction::{Climax, Development, Payoff, Rest, Rise, Setback};
    assert_eq!(functions, [Rest, Payoff, Rise, Climax, Setback, Development]);
}

#[test]
fn an_arc_ends_where_the_tension_falls_after_a_climax_and_with_its_volume() {
    let spans = |chapters: &[ChapterStructure]| {
        course::arcs(chapters).iter().map(|arc| (arc.from, arc.to, arc.peak)).collect::<Vec<_>>()
    };
    let mut chapters = plain(&[0.0, 4.0, 8.0, 3.0, 2.0, 5.0, 9.0, 4.0]);
    assert_eq!(spans(&chapters), [(1, 3, 3), (4, 7, 7), (8, 8, 8)]);
    for chapter in &mut chapters {
        chapter.volume = Some(if chapter.number <= 2 { "第一卷".into() } else { "第二卷".into() });
    }
    assert_eq!(spans(&chapters), [(1, 2, 2), (3, 7, 7), (8, 8, 8)]);
    assert!(spans(&[]).is_empty());
}

#[test]
fn cadence_counts_intervals_and_rows() {
    let gain = Some(TurnKind::Gain);
    let chapters = course(&[(0.0, gain), (1.0, None), (1.0, None), (9.0, None), (2.0, gain), (2.0, None)]);
    let cadence = Cadence::of(&chapters);
    assert_eq!((cadence.payoff_every, cadence.longest_wait), (Some(3.0), 3));
    assert_eq!(cadence.climax_every, Some(6.0));
    assert!((cadence.pulling - 0.5).abs() < 1e-9);
    assert_eq!((cadence.chapter_words, cadence.median), ((2_001, 2_005), 2_003));
    assert_eq!(
        cadence.endings.iter().map(|one| (one.kind, one.count)).collect::<Vec<_>>(),
        [(EndingKind::Question, 3), (EndingKind::Calm, 3)]
    );
    assert_eq!((cadence.same_ending, cadence.tension.len()), (1, 6));
}

#[test]
fn a_genre_has_the_structure_and_no_words_of_the_reference() {
    let structure = told([FIRST, SECOND]);
    let genre = structure.genre("dengta");
    let file = genre.file();
    assert_eq!(Genre::parse("dengta", &file).unwrap(), genre);
    assert_eq!((genre.name.as_str(), genre.language), ("dengta", Language::Zh));
    assert_eq!(genre.chapters, (2, 2));
    assert!(genre.chapter_words.0 > 0 && genre.chapter_words.0 <= genre.chapter_words.1);
    assert!(genre.hooks[0].contains("问句"), "{:?}", genre.hooks);
    assert!(!genre.sequence.every_ending_pulls);
    for text in [FIRST, SECOND, "第一章 钟声", "第二章 雾"] {
        let letters: Vec<char> = text.chars().filter(|letter| letter.is_alphanumeric()).collect();
        for words in letters.windows(4) {
            let words: String = words.iter().collect();
            assert!(!file.contains(&words), "{words} is in the file of the genre");
        }
    }
    assert!(!file.contains("林青"));
}

#[test]
fn an_english_genre_is_in_english() {
    let text =
        "\"Go,\" said Nora. \"The rain is over,\" said Nora. \"Light the lamp,\" said Nora. \"Listen,\" said Nora.";
    let chapters = [ReferenceChapter { title: "Chapter 1", volume: None, text }];
    let genre = Structure::of(&chapters, Language::En, &METER).genre("lamp");
    assert!(genre.promise.starts_with("Chapters of about"), "{}", genre.promise);
    assert!(genre.tension.contains("from beginning to end"), "{}", genre.tension);
    assert!(!genre.file().contains("Nora"));
}
