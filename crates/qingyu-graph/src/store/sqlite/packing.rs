//! Compression of large bodies: JSON repeats the same fields, and a model's answer is both in the step and in the next
//! checkpoint. Small bodies stay text, readable in the database.

use lz4_flex::block::{compress_prepend_size, decompress_into, uncompressed_size};
use rusqlite::types::ValueRef;

use crate::error::Error;
use crate::store::record::JournalRecord;
use crate::store::sql::{corrupt, text};

/// The minimum size in bytes of a compressed body; below, compression would hardly save pages of the database.
const LARGE: usize = 1024;

/// The maximum number of bytes that one byte of LZ4 decompresses to.
const MOST: usize = 255;

/// The expression for the body in queries of records, for [`unpacked`].
pub(super) const BODY: &str = "ifnull(record.packed, record.body)";

/// A record with the compressed body, ready to insert.
pub(super) struct PackedRecord {
    pub(super) record: JournalRecord,
    packed: Option<Vec<u8>>,
}

impl PackedRecord {
    pub(super) fn new(record: JournalRecord) -> Self {
        let is_large = record.body.len() >= LARGE && u32::try_from(record.body.len()).is_ok();
        let packed = is_large.then(|| compress_prepend_size(record.body.as_bytes()));
        Self { packed: packed.filter(|packed| packed.len() < record.body.len()), record }
    }

    /// Returns the columns `body` and `packed`.
    pub(super) fn columns(&self) -> (&str, Option<&[u8]>) {
        (if self.packed.is_some() { "" } else { &self.record.body }, self.packed.as_deref())
    }
}

/// Returns the body selected by [`BODY`], decompressed if necessary.
pub(super) fn unpacked(found: ValueRef<'_>) -> Result<String, Error> {
    match found {
        ValueRef::Blob(packed) => decompress(packed),
        other => text(other.as_bytes().map_err(rusqlite::Error::from)?),
    }
}

fn decompress(packed: &[u8]) -> Result<String, Error> {
    let broken = |_| corrupt("the body of a record cannot be decompressed");
    let (size, block) = uncompressed_size(packed).map_err(broken)?;
    if size / MOST > block.len() {
        return Err(corrupt("the body of a record says that it is larger than it can be"));
    }
    let mut bytes = vec![0; size];
    let found = decompress_into(block, &mut bytes).map_err(broken)?;
    if found != size {
        return Err(corrupt("the body of a record is shorter than it says"));
    }
    text(&bytes)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::store::RecordKind;

    fn packed(body: &str) -> PackedRecord {
        let (scope, task, key) = Default::default();
        let kind = RecordKind::Step;
        PackedRecord::new(JournalRecord { scope, branch: 0, parent: 0, kind, task, key, body: body.to_owned() })
    }

    fn long() -> String {
        (0..200).map(|at| format!("{{\"name\":\"林深\",\"at\":{at}}}")).collect()
    }

    #[test]
    fn what_is_small_or_cannot_be_compressed_stays_text() {
        let random: String = std::iter::repeat_with(fastrand::alphanumeric).take(5000).collect();
        for body in ["", "{}", &"雨".repeat(300), &random] {
            assert_eq!(packed(body).columns(), (body, None));
        }
        let kept = packed(&long());
        let (body, block) = kept.columns();
        assert!(body.is_empty() && block.unwrap().len() * 3 < long().len(), "{} bytes", block.unwrap().len());
        assert_eq!(unpacked(ValueRef::Blob(block.unwrap())).unwrap(), long());
    }

    #[test]
    fn a_size_that_cannot_be_is_refused_before_memory_is_asked_for() {
        let bomb = [&u32::MAX.to_le_bytes()[..], &[0; 40]].concat();
        let refused = decompress(&bomb).unwrap_err();
        assert!(matches!(&refused, Error::Corrupt { reason } if reason.contains("larger than it can be")), "{refused}");
        assert!(matches!(decompress(&[1, 2]), Err(Error::Corrupt { .. })));
    }

    proptest! {
        #[test]
        fn changed_bytes_are_refused_or_read(changes in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..4), end in any::<prop::sample::Index>()) {
            let kept = packed(&long());
            let mut block = kept.columns().1.unwrap().to_vec();
            for (place, byte) in changes {
                let place = place.index(block.len());
                block[place] = byte;
            }
            let is_corrupt = |found: Result<String, Error>| found.map_or_else(|error| matches!(error, Error::Corrupt { .. }), |_| true);
            prop_assert!(is_corrupt(decompress(&block)));
            prop_assert!(is_corrupt(decompress(&block[..end.index(block.len())])));
        }
    }
}
