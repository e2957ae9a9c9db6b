//! Facts of a sentence in which an edit put one known name in the place of another.

use super::quotes::Quotable;
use super::remaining::size;
use crate::Fact;
use crate::names::{NamedPiece, Names};
use crate::piece::PieceKind;

/// Minimum number of letters that a sentence must have beside the name.
const LETTERS: usize = 5;
/// Maximum length of a name in a sentence, in bytes.
const LONGEST: usize = 60;

/// Returns the fact without its id and with the name that stands in its sentence now, and the sentence, if the edit changed only
/// the name of the fact's subject or object there. Both names must be those of one card each.
pub(super) fn renamed(names: &Names, before: &str, text: &Quotable<'_>, fact: &Fact) -> Option<(Fact, String)> {
    let quote = fact.source.as_ref()?.quote.trim();
    names.mentions(quote).iter().find_map(|mention| {
        let [old] = mention.bearers.as_slice() else { return None };
        let (head, tail) = (&quote[..mention.start], &quote[mention.end..]);
        let (sentence, new) = text.sentences().iter().find_map(|sentence| {
            let name = sentence.strip_prefix(head)?.strip_suffix(tail)?.trim();
            let new = Some(name).filter(|name| name.len() <= LONGEST).and_then(|name| names.resolve(old.kind, name))?;
            (new.position != old.position && !before.contains(*sentence)).then_some((*sentence, new))
        })?;
        let is_enough = size(head) + size(tail) >= LETTERS;
        is_enough.then(|| with_name(names, fact, old, new)).flatten().map(|fact| (fact, sentence.to_owned()))
    })
}

/// Returns the fact without its id, about the card `new` in the place of `old`; `None` if it is not about `old`.
fn with_name(names: &Names, fact: &Fact, old: &NamedPiece, new: &NamedPiece) -> Option<Fact> {
    let is_old = |name: &str| names.resolve(old.kind, name).is_some_and(|named| named.position == old.position);
    let mut fact = Fact { id: String::new(), ..fact.clone() };
    match (is_old(&fact.subject), fact.object.as_deref().is_some_and(is_old)) {
        (true, false) => fact.subject.clone_from(&new.name),
        (false, true) => fact.object = Some(new.name.clone()),
        _ => return None,
    }
    if fact.by.as_deref().is_some_and(is_old) {
        fact.by = Some(new.name.clone());
    }
    if old.kind == PieceKind::Character {
        fact.known_by.retain(|knower| !is_old(&knower.who));
    }
    Some(fact)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::{Quotation, Story};

    /// Returns the subject and object of a fact after a name in its sentence was changed.
    fn names_after(new: &str) -> Option<(String, Option<String>)> {
        let story: Story = serde_json::from_value(json!({
            "characters": [{ "id": "c-1", "name": "林深" }, { "id": "c-2", "name": "周建国" },
                { "id": "c-3", "name": "Mara Hale", "alias": ["Mara"] }],
            "worldview": { "items": [{ "id": "i-1", "name": "铜钥匙" }, { "id": "i-2", "name": "怀表" }] }
        }))
        .unwrap();
        let old = "林深把铜钥匙交给了卖花的孩子。";
        let source = Quotation { document: "d-1".into(), quote: old.into(), ..Quotation::default() };
        let (subject, object) = ("林深".into(), Some("铜钥匙".into()));
        let fact = Fact { subject, predicate: "交出".into(), object, source: Some(source), ..Fact::default() };
        let renamed = renamed(&Names::of_entities(&story), old, &Quotable::of(new), &fact)?;
        assert_eq!(renamed.1, new);
        Some((renamed.0.subject, renamed.0.object))
    }

    #[test]
    fn one_known_name_may_stand_in_the_place_of_another() {
        let cases = [
            ("周建国把铜钥匙交给了卖花的孩子。", Some(("周建国", "铜钥匙"))),
            ("Mara把铜钥匙交给了卖花的孩子。", Some(("Mara Hale", "铜钥匙"))),
            ("林深把怀表交给了卖花的孩子。", Some(("林深", "怀表"))),
            ("周建国把怀表交给了卖花的孩子。", None),
            ("他把铜钥匙交给了卖花的孩子。", None),
            ("周建国把铜钥匙留给了卖花的孩子。", None),
        ];
        for (new, expected) in cases {
            let expected = expected.map(|(subject, object)| (subject.to_owned(), Some(object.to_owned())));
            assert_eq!(names_after(new), expected, "{new}");
        }
    }
}
