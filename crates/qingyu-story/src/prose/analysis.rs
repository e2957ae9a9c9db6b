//! The analysis of a text: boundaries first, then every kind of slip.

use super::parsed::Prose;
use super::{dialogue, endings, english, leftovers, lexicon, punctuation, reader, rhythm, similes, sketch};

impl Prose {
    /// Parses `text`.
    pub fn of(text: &str) -> Self {
        let mut prose = reader::read(text);
        let found = lexicon::find(text);
        prose.phrases = lexicon::phrases_of(&found);
        prose.similes = similes::of(text, &found);
        dialogue::look(text, &mut prose, &found);
        leftovers::look(text, &mut prose, &found);
        punctuation::look(text, &mut prose);
        english::look(text, &mut prose);
        rhythm::look(text, &mut prose);
        sketch::draw(text, &mut prose);
        prose.ending = endings::of(text, &prose);
        prose.slips.sort_by_key(|slip| (slip.kind, slip.range.start, slip.range.end));
        prose
    }
}
