//! Round trips, the examples of the specification, and damaged bytes.

use proptest::prelude::*;

use super::{Bson, BsonDocument, BsonError, document};

pub(in crate::mongodb) fn documents() -> impl Strategy<Value = BsonDocument> {
    let leaf = prop_oneof![
        any::<f64>().prop_filter("NaN is not equal to itself", |number| !number.is_nan()).prop_map(Bson::Double),
        any::<String>().prop_map(Bson::String),
        (any::<u8>(), any::<Vec<u8>>()).prop_map(|(subtype, bytes)| Bson::Binary(subtype, bytes)),
        any::<[u8; 12]>().prop_map(Bson::ObjectId),
        any::<bool>().prop_map(Bson::Bool),
        any::<i64>().prop_map(Bson::DateTime),
        Just(Bson::Null),
        any::<i32>().prop_map(Bson::Int32),
        any::<u64>().prop_map(Bson::Timestamp),
        any::<i64>().prop_map(Bson::Int64),
    ];
    let value = leaf.prop_recursive(4, 32, 6, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..6).prop_map(Bson::Array),
            prop::collection::vec((name(), inner), 0..6)
                .prop_map(|values| Bson::Document(values.into_iter().collect())),
        ]
    });
    prop::collection::vec((name(), value), 0..6).prop_map(|values| values.into_iter().collect())
}

fn name() -> impl Strategy<Value = String> {
    any::<String>().prop_map(|name| name.replace('\0', ""))
}

/// A document in `depth` others.
fn nested(depth: usize) -> BsonDocument {
    (0..depth).fold(BsonDocument::default(), |inner, _| document! {"d": inner})
}

proptest! {
    #[test]
    fn what_is_encoded_is_decoded(document in documents()) {
        prop_assert_eq!(BsonDocument::from_bytes(&document.to_bytes().unwrap()), Ok(document));
    }

    #[test]
    fn a_cut_document_is_an_error(document in documents(), cut in any::<prop::sample::Index>()) {
        let bytes = document.to_bytes().unwrap();
        prop_assert!(BsonDocument::from_bytes(&bytes[..cut.index(bytes.len())]).is_err());
    }

    #[test]
    fn damaged_bytes_are_an_error_or_another_document(
        document in documents(),
        places in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..8),
    ) {
        let mut bytes = document.to_bytes().unwrap();
        for (place, byte) in places {
            let place = place.index(bytes.len());
            bytes[place] = byte;
        }
        if let Ok(document) = BsonDocument::from_bytes(&bytes) {
            prop_assert!(document.to_bytes().is_ok());
        }
    }

    #[test]
    fn any_bytes_are_survived(bytes in any::<Vec<u8>>()) {
        let _any = BsonDocument::from_bytes(&bytes);
    }
}

#[test]
fn the_examples_of_the_specification() {
    let hello = b"\x16\x00\x00\x00\x02hello\x00\x06\x00\x00\x00world\x00\x00";
    assert_eq!(document! {"hello": "world"}.to_bytes().unwrap(), hello);
    let array = b"\x31\x00\x00\x00\x04BSON\x00\x26\x00\x00\x00\x02\x30\x00\x08\x00\x00\x00awesome\x00\x01\x31\x00\x33\x33\x33\x33\x33\x33\x14\x40\x10\x32\x00\xc2\x07\x00\x00\x00\x00";
    let values = vec![Bson::from("awesome"), Bson::from(5.05), Bson::from(1986)];
    assert_eq!(BsonDocument::from_bytes(array), Ok(document! {"BSON": values}));
}

#[test]
fn damage_is_named() {
    let check =
        |bytes: &[u8], expected: BsonError| assert_eq!(BsonDocument::from_bytes(bytes), Err(expected), "{bytes:?}");
    check(b"", BsonError::Truncated);
    check(b"\x04\x00\x00\x00", BsonError::Length(4));
    check(b"\xff\xff\xff\xff\x00", BsonError::Length(-1));
    check(b"\x06\x00\x00\x00\x00", BsonError::Truncated);
    check(b"\x05\x00\x00\x00\x01", BsonError::Unterminated);
    check(b"\x05\x00\x00\x00\x00\x00", BsonError::Length(6));
    check(b"\x07\x00\x00\x00\x0aa\x00", BsonError::Unterminated);
    check(b"\x08\x00\x00\x00\x13a\x00\x00", BsonError::Type(0x13));
    check(b"\x09\x00\x00\x00\x08a\x00\x02\x00", BsonError::Bool(2));
    check(b"\x0c\x00\x00\x00\x02a\x00\x00\x00\x00\x00\x00", BsonError::Length(0));
    check(b"\x0d\x00\x00\x00\x02a\x00\x01\x00\x00\x00x\x00", BsonError::Unterminated);
    check(b"\x0e\x00\x00\x00\x02a\x00\x02\x00\x00\x00\xff\x00\x00", BsonError::Utf8);
    check(b"\x0d\x00\x00\x00\x05a\x00\xff\xff\xff\x7f\x00\x00", BsonError::Truncated);
    assert_eq!(document! {"a": 1}.to_bytes().map(|bytes| bytes.len()), Ok(12));
    let name: BsonDocument = [("a\0".to_owned(), Bson::Null)].into_iter().collect();
    assert_eq!(name.to_bytes(), Err(BsonError::Name));
}

#[test]
fn nesting_has_a_limit() {
    assert_eq!(nested(super::MAX_DEPTH).to_bytes(), Err(BsonError::Depth));
    let deepest = nested(super::MAX_DEPTH - 1);
    assert_eq!(BsonDocument::from_bytes(&deepest.to_bytes().unwrap()), Ok(deepest));
    // Each level is the length, one element `d`, and the end; the innermost is never reached.
    let levels = 100_000_usize;
    let mut bytes = Vec::new();
    for level in (1..=levels).rev() {
        bytes.extend(i32::try_from(level * 8).unwrap().to_le_bytes());
        bytes.extend(b"\x03d\x00");
    }
    bytes.extend(vec![0; levels]);
    assert_eq!(BsonDocument::from_bytes(&bytes), Err(BsonError::Depth));
}

#[test]
fn numbers_and_flags_of_any_type_are_read() {
    let document = document! {"int": 1, "long": 2_i64, "double": 3.0, "half": 0.5, "yes": true, "no": false, "zero": 0};
    let integers = ["int", "long", "double", "half", "yes", "none"].map(|name| document.integer(name));
    assert_eq!(integers, [Some(1), Some(2), Some(3), None, None, None]);
    let flags = ["int", "double", "yes", "no", "zero", "none"].map(|name| document.is_set(name));
    assert_eq!(flags, [true, true, true, false, false, false]);
}
