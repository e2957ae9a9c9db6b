//! Deaths that people only speak of.

use std::collections::BTreeMap;

use qingyu_story::predicate::{self, PredicateRole};
use qingyu_story::{Fact, Mode, PieceKind, TimelineEvent};
use serde_json::Value;

use crate::labels::Labels;
use crate::writing::book::NumberedBook;

/// Returns a remark on each person of whom somebody says, in a chapter before `number`, that he or she is dead, by id. A
/// person who takes part in an event of that chapter or of one after it has none.
pub(super) fn said_dead(book: &NumberedBook<'_>, number: u32, words: &Labels) -> BTreeMap<String, String> {
    let position = |name: &str| book.names().resolve(PieceKind::Character, name).map(|named| named.position);
    let is_said = |fact: &&Fact| {
        let role = predicate::find(fact.predicate.trim()).and_then(|word| word.role);
        role == Some(PredicateRole::Death)
            && matches!(fact.mode, Mode::Said | Mode::Believed)
            && fact.object.is_none()
            && fact.value != Value::Bool(false)
    };
    let mut said = BTreeMap::new();
    for fact in book.story.facts.iter().filter(is_said) {
        let chapter = fact.source.as_ref().and_then(|source| book.number_of(&source.document));
        let Some(chapter) = chapter.filter(|chapter| *chapter < number) else { continue };
        let Some(who) = position(&fact.subject) else { continue };
        let is_shown = |event: &TimelineEvent| {
            let told = event.outline_node.as_deref().and_then(|name| book.number_at(book.position(name)?));
            event.mode == Mode::Narrated
                && told.is_some_and(|told| (chapter..number).contains(&told))
                && event.participants.iter().any(|name| position(name) == Some(who))
        };
        if !book.story.timeline_events.iter().any(is_shown) {
            let by = fact.by.as_deref().unwrap_or_default();
            said.insert(book.story.characters[who].id.clone(), words.said_dead(fact.mode, by));
        }
    }
    said
}
