//! A recorded run of a strong model, beside what a book must remember of it; `make bench-memory` prints the same counts.

use std::path::Path;

#[path = "../../examples/memory/labels.rs"]
mod labels;

#[test]
fn a_book_remembers_what_its_chapters_tell() {
    let rows = labels::replay(Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../qingyu-studio/tests/strong")));
    assert_eq!(rows.len(), 5);
    for (reading, (chapter, counts)) in (1..).zip(rows) {
        for (kind, count) in labels::KINDS.iter().zip(counts) {
            let what = format!("reading {reading} of chapter {chapter}, {kind}: {count:?}");
            assert_eq!((count.wrong, count.doubled, count.asked), (0, 0, 0), "{what}");
            // The rewritten second chapter takes out the sentence on which its reader rests a promise.
            let lost = usize::from(reading == 5 && *kind == "promises");
            assert!(count.lost <= lost && count.kept >= 4, "{what}");
        }
    }
}
