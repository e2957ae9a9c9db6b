//! Decoding of bytes to a document. Every length is validated before use.

use super::{Bson, BsonDocument, BsonError, MAX_DEPTH};

impl BsonDocument {
    /// Parses `bytes` as a document, from the first to the last byte.
    pub(in crate::mongodb) fn from_bytes(bytes: &[u8]) -> Result<Self, BsonError> {
        let mut reader = BsonReader(bytes);
        let document = reader.document(0)?;
        if reader.0.is_empty() { Ok(document) } else { Err(BsonError::Length(length(bytes))) }
    }
}

/// The unread bytes.
struct BsonReader<'b>(&'b [u8]);

impl<'b> BsonReader<'b> {
    fn take(&mut self, count: usize) -> Result<&'b [u8], BsonError> {
        let (taken, rest) = self.0.split_at_checked(count).ok_or(BsonError::Truncated)?;
        self.0 = rest;
        Ok(taken)
    }

    fn array<const N: usize>(&mut self) -> Result<[u8; N], BsonError> {
        let (taken, rest) = self.0.split_first_chunk::<N>().ok_or(BsonError::Truncated)?;
        self.0 = rest;
        Ok(*taken)
    }

    /// Parses a length of at least `least`.
    fn length(&mut self, least: usize) -> Result<usize, BsonError> {
        let length = i32::from_le_bytes(self.array()?);
        let is_valid = |length: &usize| *length >= least;
        usize::try_from(length).ok().filter(is_valid).ok_or(BsonError::Length(length.into()))
    }

    /// Parses a text up to a zero byte.
    fn name(&mut self) -> Result<String, BsonError> {
        let end = self.0.iter().position(|byte| *byte == 0).ok_or(BsonError::Unterminated)?;
        let name = text(self.take(end)?)?;
        self.take(1)?;
        Ok(name)
    }

    fn document(&mut self, depth: usize) -> Result<BsonDocument, BsonError> {
        self.elements(depth).map(BsonDocument)
    }

    fn elements(&mut self, depth: usize) -> Result<Vec<(String, Bson)>, BsonError> {
        if depth == MAX_DEPTH {
            return Err(BsonError::Depth);
        }
        // Four bytes of length and the zero byte at the end.
        let length = self.length(5)?;
        let (end, content) = self.take(length - 4)?.split_last().ok_or(BsonError::Truncated)?;
        if *end != 0 {
            return Err(BsonError::Unterminated);
        }
        let (mut inner, mut elements) = (BsonReader(content), Vec::new());
        while !inner.0.is_empty() {
            let [kind] = inner.array()?;
            let name = inner.name()?;
            elements.push((name, inner.value(kind, depth)?));
        }
        Ok(elements)
    }

    fn value(&mut self, kind: u8, depth: usize) -> Result<Bson, BsonError> {
        Ok(match kind {
            0x01 => Bson::Double(f64::from_le_bytes(self.array()?)),
            0x02 => {
                let length = self.length(1)?;
                let (end, content) = self.take(length)?.split_last().ok_or(BsonError::Truncated)?;
                if *end != 0 {
                    return Err(BsonError::Unterminated);
                }
                Bson::String(text(content)?)
            }
            0x03 => Bson::Document(self.document(depth + 1)?),
            0x04 => Bson::Array(self.elements(depth + 1)?.into_iter().map(|(_, value)| value).collect()),
            0x05 => {
                let length = self.length(0)?;
                let [subtype] = self.array()?;
                Bson::Binary(subtype, self.take(length)?.to_vec())
            }
            0x07 => Bson::ObjectId(self.array()?),
            0x08 => match self.array()? {
                [0] => Bson::Bool(false),
                [1] => Bson::Bool(true),
                [other] => return Err(BsonError::Bool(other)),
            },
            0x09 => Bson::DateTime(i64::from_le_bytes(self.array()?)),
            0x0a => Bson::Null,
            0x10 => Bson::Int32(i32::from_le_bytes(self.array()?)),
            0x11 => Bson::Timestamp(u64::from_le_bytes(self.array()?)),
            0x12 => Bson::Int64(i64::from_le_bytes(self.array()?)),
            other => return Err(BsonError::Type(other)),
        })
    }
}

fn text(bytes: &[u8]) -> Result<String, BsonError> {
    str::from_utf8(bytes).map(str::to_owned).map_err(|_| BsonError::Utf8)
}

fn length(bytes: &[u8]) -> i64 {
    i64::try_from(bytes.len()).unwrap_or(i64::MAX)
}
