//! Encoding of a document to bytes.

use super::{Bson, BsonDocument, BsonError, MAX_DEPTH};

impl BsonDocument {
    /// Returns the bytes of the document, or [`BsonError::Name`], [`BsonError::Depth`] or [`BsonError::Length`].
    pub(in crate::mongodb) fn to_bytes(&self) -> Result<Vec<u8>, BsonError> {
        let mut bytes = Vec::new();
        document(&mut bytes, self.iter(), 0)?;
        Ok(bytes)
    }
}

fn document<'v>(
    bytes: &mut Vec<u8>,
    values: impl Iterator<Item = (&'v str, &'v Bson)>,
    depth: usize,
) -> Result<(), BsonError> {
    if depth == MAX_DEPTH {
        return Err(BsonError::Depth);
    }
    let start = bytes.len();
    bytes.extend([0; 4]);
    for (name, value) in values {
        element(bytes, name, value, depth)?;
    }
    bytes.push(0);
    let length = length(bytes.len() - start)?;
    bytes[start..start + 4].copy_from_slice(&length);
    Ok(())
}

fn element(bytes: &mut Vec<u8>, name: &str, value: &Bson, depth: usize) -> Result<(), BsonError> {
    bytes.push(kind(value));
    if name.contains('\0') {
        return Err(BsonError::Name);
    }
    bytes.extend(name.as_bytes());
    bytes.push(0);
    match value {
        Bson::Double(number) => bytes.extend(number.to_le_bytes()),
        Bson::String(text) => {
            bytes.extend(length(text.len() + 1)?);
            bytes.extend(text.as_bytes());
            bytes.push(0);
        }
        Bson::Document(inner) => document(bytes, inner.iter(), depth + 1)?,
        Bson::Array(values) => {
            let names: Vec<String> = (0..values.len()).map(|index| index.to_string()).collect();
            document(bytes, names.iter().map(String::as_str).zip(values), depth + 1)?;
        }
        Bson::Binary(subtype, content) => {
            bytes.extend(length(content.len())?);
            bytes.push(*subtype);
            bytes.extend(content);
        }
        Bson::ObjectId(id) => bytes.extend(id),
        Bson::Bool(flag) => bytes.push((*flag).into()),
        Bson::Int32(number) => bytes.extend(number.to_le_bytes()),
        Bson::DateTime(number) | Bson::Int64(number) => bytes.extend(number.to_le_bytes()),
        Bson::Timestamp(number) => bytes.extend(number.to_le_bytes()),
        Bson::Null => {}
    }
    Ok(())
}

fn kind(value: &Bson) -> u8 {
    match value {
        Bson::Double(_) => 0x01,
        Bson::String(_) => 0x02,
        Bson::Document(_) => 0x03,
        Bson::Array(_) => 0x04,
        Bson::Binary(..) => 0x05,
        Bson::ObjectId(_) => 0x07,
        Bson::Bool(_) => 0x08,
        Bson::DateTime(_) => 0x09,
        Bson::Null => 0x0a,
        Bson::Int32(_) => 0x10,
        Bson::Timestamp(_) => 0x11,
        Bson::Int64(_) => 0x12,
    }
}

fn length(length: usize) -> Result<[u8; 4], BsonError> {
    i32::try_from(length)
        .map(i32::to_le_bytes)
        .map_err(|_| BsonError::Length(i64::try_from(length).unwrap_or(i64::MAX)))
}
