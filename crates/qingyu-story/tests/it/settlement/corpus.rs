//! How much the rules find of a labelled corpus, and how much of what they find is there.

use std::collections::BTreeSet;

use crate::labelled::{self, Measured};

#[test]
fn the_rules_find_most_of_what_is_there_and_hardly_anything_that_is_not() {
    for (name, corpus, least) in [("zh", labelled::ZH, 60), ("en", labelled::EN, 40)] {
        let Measured { sentences, precision, recall, wrong, missed } = labelled::measure(corpus);
        assert!(sentences >= least, "{name}: {sentences}");
        let shown: BTreeSet<_> = wrong.iter().collect();
        assert!(precision >= 0.98, "{name}: precision {precision}: {shown:#?}");
        assert!(recall >= 0.85, "{name}: recall {recall}: {missed:#?}");
    }
}
