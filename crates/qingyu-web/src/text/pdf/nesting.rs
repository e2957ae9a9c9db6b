//! Detects cycles and excessive depth in the objects of a page.

use std::collections::{HashMap, HashSet};

use pdf_extract::{Dictionary, Document, Object, ObjectId};

/// Maximum nesting depth of objects, through all references.
const DEEPEST: usize = 32;
/// Maximum visited values of a page.
const MOST: usize = 200_000;

/// Entries with intentional back references, not followed for text.
const BACK: [&[u8]; 7] = [b"Parent", b"P", b"Annots", b"StructParent", b"StructParents", b"B", b"Metadata"];

/// Returns whether a page is refused: its parents or its resources are cyclic or too deep.
pub(super) fn refuses(document: &Document, page: ObjectId) -> bool {
    let mut walk = NestingWalk { document, open: HashSet::new(), heights: HashMap::new(), seen: 0 };
    let mut parents = HashSet::new();
    let mut next = Some(page);
    while let Some(id) = next {
        if !parents.insert(id) || parents.len() > DEEPEST {
            return true;
        }
        let Ok(node) = document.get_dictionary(id) else { return false };
        // Entries inherited by pages; other pages of the node are irrelevant.
        let handed_down = node.iter().filter(|(name, _)| parents.len() == 1 || name.as_slice() == b"Resources");
        if handed_down.filter(is_followed).any(|(_, value)| walk.height(value, DEEPEST).is_none()) {
            return true;
        }
        next = node.get(b"Parent").and_then(Object::as_reference).ok();
    }
    false
}

fn is_followed((name, _): &(&Vec<u8>, &Object)) -> bool {
    !BACK.contains(&name.as_slice())
}

struct NestingWalk<'d> {
    document: &'d Document,
    /// The objects on the current path.
    open: HashSet<ObjectId>,
    /// Heights of completed objects.
    heights: HashMap<ObjectId, usize>,
    seen: usize,
}

impl NestingWalk<'_> {
    /// Returns the nesting height of `object`, itself included; `None` if cyclic, or higher than `room`.
    fn height(&mut self, object: &Object, room: usize) -> Option<usize> {
        self.seen += 1;
        let within = room.checked_sub(1).filter(|_| self.seen <= MOST)?;
        let highest = match object {
            Object::Reference(id) => self.height_of(*id, within)?,
            Object::Array(items) => self.highest(items.iter(), within)?,
            Object::Dictionary(entries) => self.highest(followed(entries), within)?,
            Object::Stream(stream) => self.highest(followed(&stream.dict), within)?,
            _ => 0,
        };
        Some(highest + 1)
    }

    fn highest<'o>(&mut self, mut objects: impl Iterator<Item = &'o Object>, room: usize) -> Option<usize> {
        objects.try_fold(0, |highest, object| Some(self.height(object, room)?.max(highest)))
    }

    fn height_of(&mut self, id: ObjectId, room: usize) -> Option<usize> {
        if let Some(height) = self.heights.get(&id) {
            return Some(*height).filter(|height| *height <= room);
        }
        if !self.open.insert(id) {
            return None;
        }
        let document = self.document;
        let height = document.get_object(id).map_or(Some(0), |object| self.height(object, room));
        self.open.remove(&id);
        self.heights.extend(height.map(|height| (id, height)));
        height
    }
}

fn followed(entries: &Dictionary) -> impl Iterator<Item = &Object> {
    entries.iter().filter(is_followed).map(|(_, value)| value)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns a page with a chain of `count` objects as resources; the last object comes first if `is_reversed`.
    fn chain(count: u32, is_reversed: bool) -> (Document, ObjectId) {
        let mut document = Document::with_version("1.5");
        let link = |number: u32| Object::Reference((number, 0));
        for number in 1..=count {
            let mut entries = Dictionary::new();
            if number < count {
                entries.set("Next", link(number + 1));
            }
            document.objects.insert((number, 0), entries.into());
        }
        let mut numbers: Vec<u32> = (1..=count).collect();
        if is_reversed {
            numbers.reverse();
        }
        let mut page = Dictionary::new();
        page.set("Resources", numbers.into_iter().map(link).collect::<Vec<Object>>());
        document.objects.insert((count + 1, 0), page.into());
        (document, (count + 1, 0))
    }

    #[test]
    fn how_deep_it_is_does_not_depend_on_what_is_looked_at_first() {
        for is_reversed in [false, true] {
            for (count, is_refused) in [(10, false), (200, true)] {
                let (document, page) = chain(count, is_reversed);
                assert_eq!(refuses(&document, page), is_refused, "{count} {is_reversed}");
            }
        }
    }

    #[test]
    fn a_circle_is_refused_wherever_it_is() {
        let (mut document, page) = chain(5, false);
        let Ok(last) = document.get_dictionary_mut((5, 0)) else { panic!("it was put there") };
        last.set("Next", Object::Reference((2, 0)));
        assert!(refuses(&document, page));
    }
}
