//! A bench of planted errors: clean stories, one error of a known kind planted at a known distance, and for each kind the
//! harmless twins that look like it.

mod book;
mod kinds;
mod score;

use qingyu_story::check::findings_with;
use qingyu_story::{Config, Issue, Manuscript, Story};

pub(crate) use book::{Book, Distance, fixtures};
pub(crate) use kinds::all;
pub(crate) use score::Table;

/// A kind of error.
pub(crate) struct Kind {
    /// What it is, such as `dead_acts`.
    pub name: &'static str,
    /// The codes of the rules that may find it; the first decides the family.
    pub codes: &'static [&'static str],
    /// Plants it; none if the book has not what it takes.
    pub plant: fn(&Book<'_>) -> Option<Planted>,
    /// The harmless twins, by name.
    pub twins: fn(&Book<'_>) -> Vec<(&'static str, Story)>,
}

/// A story with an error in it.
pub(crate) struct Planted {
    /// The story.
    pub story: Story,
    /// Names of the pieces that the error touches; a finding must name one of them.
    pub pieces: Vec<String>,
}

impl Planted {
    /// The error touches these pieces.
    pub(crate) fn of(story: Story, pieces: &[&str]) -> Option<Self> {
        Some(Self { story, pieces: pieces.iter().map(|piece| (*piece).to_owned()).collect() })
    }
}

/// What a story was made for.
pub(crate) struct Case {
    /// `zh_wuxia/dead_acts/far`, or `zh_wuxia/dead_acts/dream`.
    pub name: String,
    /// The kind, by its place in [`all`].
    pub kind: usize,
    /// Whether an error was planted.
    pub is_planted: bool,
    /// How many findings name the error.
    pub found: usize,
    /// Other findings, each with its title.
    pub alarms: Vec<String>,
}

/// Which cases are run.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Extent {
    /// Every kind in every story at every distance.
    Whole,
    /// Every kind in some of the stories, each at one distance.
    Sample,
}

/// Plants and checks.
pub(crate) fn run(extent: Extent) -> Vec<Case> {
    let stories = fixtures();
    let all_of = &|(number, (name, story)): (usize, &(String, Story))| cases_of((number, name, story), extent);
    std::thread::scope(|scope| {
        let running: Vec<_> = stories.iter().enumerate().map(|story| scope.spawn(move || all_of(story))).collect();
        running.into_iter().flat_map(|cases| cases.join().expect("no case panics")).collect()
    })
}

fn cases_of((number, name, story): (usize, &str, &Story), extent: Extent) -> Vec<Case> {
    /// Of so many stories a kind is tried in one.
    const EVERY: usize = 12;
    let mut cases = Vec::new();
    let mut manuscript = Manuscript::default();
    for (place, kind) in all().iter().enumerate() {
        let turn = number + place;
        if extent == Extent::Sample && !turn.is_multiple_of(EVERY) {
            continue;
        }
        let distances = Distance::ALL.iter().enumerate();
        let distances = distances.filter(|(at, _)| extent == Extent::Whole || *at == (turn / EVERY) % 3);
        for (at, distance) in distances {
            let book = Book::new(story, *distance, (number * 31 + place * 7 + at) as u64);
            let Some(planted) = (kind.plant)(&book) else { continue };
            let name = format!("{name}/{}/{}", kind.name, distance.name());
            cases.push(case(name, (place, kind), (&planted.story, Some(&planted.pieces)), &mut manuscript));
        }
        let book = Book::new(story, Distance::Middle, (number * 31 + place * 7) as u64);
        for (twin, story) in (kind.twins)(&book) {
            let name = format!("{name}/{}/{twin}", kind.name);
            cases.push(case(name, (place, kind), (&story, None), &mut manuscript));
        }
    }
    cases
}

fn case(
    name: String,
    (place, kind): (usize, &Kind),
    (story, pieces): (&Story, Option<&Vec<String>>),
    manuscript: &mut Manuscript,
) -> Case {
    let is_prose = kind.codes[0].starts_with("QS");
    let found = findings(story, is_prose, manuscript);
    let is_true = |issue: &&Issue| {
        let touches = |piece: &String| issue.affected_entities.iter().any(|name| name.contains(piece.as_str()));
        let code = issue.code.as_deref().unwrap_or_default();
        pieces.is_some_and(|pieces| kind.codes.contains(&code) && pieces.iter().any(touches))
    };
    let (hits, others): (Vec<&Issue>, Vec<&Issue>) = found.iter().partition(is_true);
    let shown = |issue: &&Issue| format!("{} {}", issue.code.as_deref().unwrap_or_default(), issue.title);
    let alarms = others.iter().map(shown).collect();
    Case { name, kind: place, is_planted: pieces.is_some(), found: hits.len(), alarms }
}

/// What is found in the data of a story; in its prose, if that is what is asked for.
pub(crate) fn findings(story: &Story, is_prose: bool, manuscript: &mut Manuscript) -> Vec<Issue> {
    let off = if is_prose { "QY" } else { "QS" };
    let config = Config { severities: [(off.to_owned(), None)].into(), ..Config::default() };
    let all = findings_with(story, &config, manuscript).into_iter().map(|finding| finding.issue);
    let is_meant = |issue: &Issue| issue.code.as_deref().is_some_and(|code| code.starts_with("QS") == is_prose);
    all.filter(|issue| issue.waived.is_none() && is_meant(issue)).collect()
}
