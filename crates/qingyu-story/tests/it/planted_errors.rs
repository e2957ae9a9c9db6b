//! The errors of the bench are found, and nothing else is.

use qingyu_story::Manuscript;

use crate::planted::{Book, Distance, Extent, Table, all, findings, fixtures, run};

#[test]
fn clean_stories_are_clean() {
    let stories = fixtures();
    assert!(stories.len() >= 12, "{}", stories.len());
    for (name, story) in stories {
        let found = findings(&story, false, &mut Manuscript::default()).into_iter();
        let found: Vec<_> = found.map(|issue| (issue.code, issue.title, issue.root_cause)).collect();
        assert!(found.is_empty(), "{name}: {found:#?}");
    }
}

#[test]
fn planted_errors_are_found_and_nothing_else_is() {
    let table = Table::of(&run(Extent::Sample));
    for (family, score) in table.families.iter().filter(|(family, _)| *family != "QS") {
        assert!(score.planted > 0 && score.twins > 0, "{family} is not tried");
        assert!(score.precision() >= 0.99 && score.recall() >= 0.97, "{family}\n{table}");
    }
    assert!(table.kinds.len() >= 25, "{}", table.kinds.len());
}

#[test]
fn the_same_errors_are_planted_again() {
    let (_, story) = &fixtures()[0];
    for kind in all() {
        let plant = || (kind.plant)(&Book::new(story, Distance::Far, 7)).map(|planted| planted.story);
        assert_eq!(plant(), plant(), "{}", kind.name);
    }
}
