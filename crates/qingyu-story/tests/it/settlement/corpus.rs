//! How much the rules find of a labelled corpus, and how much of what they find is there.

use std::collections::BTreeSet;

use crate::labelled::{self, Measured};

#[test]
fn the_rules_find_most_of_what_is_there_and_hardly_anything_that_is_not() {
    for (name, corpus, least) in [("zh", labelled::ZH, 60), ("en", labelled::EN, 40)] {
        let Measured { sentences, precision, recall, wrong, missed, .. } = labelled::measure(corpus);
        assert!(sentences >= least, "{name}: {sentences}");
        let shown: BTreeSet<_> = wrong.iter().collect();
        assert!(precision >= 0.98, "{name}: precision {precision}: {shown:#?}");
        assert!(recall >= 0.85, "{name}: recall {recall}: {missed:#?}");
    }
}

/// Of the ordinary sentences some were written before the forms and some after them; all sets are held to the same floor.
#[test]
fn ordinary_sentences_are_read() {
    let mut below = Vec::new();
    let sets = [("before", labelled::PLAIN), ("held out", labelled::HELD_OUT), ("varied", labelled::VARIED)];
    for (half, corpora) in sets {
        for (language, corpus) in ["zh", "en"].into_iter().zip(corpora) {
            let Measured { sentences, precision, recall, right, wrong, missed } = labelled::measure(corpus);
            let found = right.len();
            println!("{half} {language}: {sentences}, {found} found, precision {precision:.3}, recall {recall:.3}");
            assert!(sentences >= 75, "{half} {language}: {sentences}");
            if precision < 0.95 || recall < 0.70 {
                below.push((half, language, wrong, missed));
            }
        }
    }
    assert!(below.is_empty(), "below the floor: {below:#?}");
}
