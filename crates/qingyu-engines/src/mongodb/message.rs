//! [OP_MSG](https://github.com/mongodb/specifications/blob/master/source/message/OP_MSG.md): the frame of every command
//! and reply.

use super::bson::{self, BsonDocument};

/// Length of the header: message length, request id, id of the request replied to, and kind of message.
pub(super) const HEADER: usize = 16;
const OP_MSG: i32 = 2013;
/// A checksum of four bytes follows the sections.
const CHECKSUM_PRESENT: u32 = 1;
/// Flags with a required meaning; the upper half may be ignored.
const REQUIRED: u32 = 0xffff;

/// Why bytes are not a valid reply.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub(super) enum MessageError {
    #[error("a message of {0} bytes")]
    Length(i32),
    #[error("a message of kind {0}")]
    Kind(i32),
    #[error("a reply to request {found} instead of {expected}")]
    Order { expected: i32, found: i32 },
    #[error("the flags {0:#x}")]
    Flags(u32),
    #[error("a message without exactly one document")]
    Sections,
    #[error(transparent)]
    Bson(#[from] bson::BsonError),
}

/// Returns the message with `document`.
pub(super) fn encode(id: i32, document: &BsonDocument) -> Result<Vec<u8>, bson::BsonError> {
    let document = document.to_bytes()?;
    let length = HEADER + 4 + 1 + document.len();
    let length =
        i32::try_from(length).map_err(|_| bson::BsonError::Length(i64::try_from(length).unwrap_or(i64::MAX)))?;
    let mut bytes = Vec::with_capacity(HEADER + 5 + document.len());
    for number in [length, id, 0, OP_MSG, 0] {
        bytes.extend(number.to_le_bytes());
    }
    // A section of kind 0: a document.
    bytes.push(0);
    bytes.extend(document);
    Ok(bytes)
}

/// Returns the request id of a message, for tests with a fake server.
#[cfg(test)]
pub(super) fn id(header: [u8; HEADER]) -> i32 {
    i32::from_le_bytes([header[4], header[5], header[6], header[7]])
}

/// Validates the header of a reply to request `id`, and returns the length of the content, at most `max`.
pub(super) fn content_length(header: [u8; HEADER], id: Option<i32>, max: usize) -> Result<usize, MessageError> {
    let (numbers, _) = header.as_chunks::<4>();
    let [length, _, reply_to, kind] = [0, 1, 2, 3].map(|place| i32::from_le_bytes(numbers[place]));
    if kind != OP_MSG {
        return Err(MessageError::Kind(kind));
    }
    if let Some(expected) = id.filter(|id| *id != reply_to) {
        return Err(MessageError::Order { expected, found: reply_to });
    }
    let content = usize::try_from(length).ok().and_then(|length| length.checked_sub(HEADER));
    content.filter(|content| *content <= max).ok_or(MessageError::Length(length))
}

/// Parses the document of a message from the bytes after its header.
pub(super) fn decode(content: &[u8]) -> Result<BsonDocument, MessageError> {
    let (flags, sections) = content.split_first_chunk().ok_or(MessageError::Sections)?;
    let flags = u32::from_le_bytes(*flags);
    if flags & REQUIRED & !CHECKSUM_PRESENT != 0 {
        return Err(MessageError::Flags(flags));
    }
    // The checksum is not verified: TCP has checksums, and TLS has better ones.
    let checksum = if flags & CHECKSUM_PRESENT == 0 { 0 } else { 4 };
    let end = sections.len().checked_sub(checksum).ok_or(MessageError::Sections)?;
    match sections[..end].split_first() {
        Some((0, document)) => Ok(BsonDocument::from_bytes(document)?),
        _ => Err(MessageError::Sections),
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::bson::{document, tests::documents};
    use super::{HEADER, MessageError, OP_MSG, content_length, decode, encode};

    proptest! {
        #[test]
        fn what_is_encoded_is_decoded(id in any::<i32>(), document in documents()) {
            let bytes = encode(id, &document).unwrap();
            let (header, content) = bytes.split_first_chunk().unwrap();
            prop_assert_eq!(content_length(*header, Some(0), bytes.len()), Ok(content.len()));
            prop_assert_eq!(super::id(*header), id);
            prop_assert_eq!(decode(content), Ok(document));
        }

        #[test]
        fn any_bytes_are_survived(header in any::<[u8; HEADER]>(), content in any::<Vec<u8>>()) {
            let _any = (content_length(header, Some(1), 1000), decode(&content));
        }
    }

    #[test]
    fn a_checksum_is_passed_over() {
        let bytes = encode(1, &document! {"ok": 1}).unwrap();
        let mut content = bytes[HEADER..].to_vec();
        content[0] = 1;
        assert!(decode(&content).is_err());
        content.extend([0; 4]);
        assert_eq!(decode(&content), Ok(document! {"ok": 1}));
    }

    #[test]
    fn damage_is_named() {
        let header = |length: i32, to: i32, kind: i32| {
            let mut header = [0; HEADER];
            for (place, number) in [length, 7, to, kind].into_iter().enumerate() {
                header[place * 4..place * 4 + 4].copy_from_slice(&number.to_le_bytes());
            }
            content_length(header, Some(3), 100)
        };
        assert_eq!(header(116, 3, OP_MSG), Ok(100));
        assert_eq!(header(117, 3, OP_MSG), Err(MessageError::Length(117)));
        assert_eq!(header(15, 3, OP_MSG), Err(MessageError::Length(15)));
        assert_eq!(header(-1, 3, OP_MSG), Err(MessageError::Length(-1)));
        assert_eq!(header(50, 2, OP_MSG), Err(MessageError::Order { expected: 3, found: 2 }));
        assert_eq!(header(50, 3, 1), Err(MessageError::Kind(1)));
        assert_eq!(decode(b"\x00\x00"), Err(MessageError::Sections));
        assert_eq!(decode(b"\x00\x00\x00\x00"), Err(MessageError::Sections));
        assert_eq!(decode(b"\x01\x00\x00\x00\x00"), Err(MessageError::Sections));
        assert_eq!(decode(b"\x00\x00\x00\x00\x01"), Err(MessageError::Sections));
        assert_eq!(decode(b"\x02\x00\x00\x00\x00"), Err(MessageError::Flags(2)));
        assert!(decode(b"\x00\x00\x01\x00\x00\x05\x00\x00\x00\x00").is_ok(), "the upper flags may be ignored");
    }
}
