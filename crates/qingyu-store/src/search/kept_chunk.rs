//! Conversion of a chunk to a row and back.

use std::borrow::Cow;
use std::ops::Range;

use qingyu_db::sql::Row;
use qingyu_knowledge::filter::Fields;
use qingyu_knowledge::{Chunk, Source};
use serde::{Deserialize, Serialize};

use super::snapshot::kind;
use crate::Error;
use crate::row::{from_json, to_json};

/// The columns parsed by [`read`].
pub(super) const COLUMNS: &str = "kind, id, part, body, fields";

/// The fields without lookups or filters.
#[derive(Serialize, Deserialize)]
struct ChunkBody<'c> {
    version: u32,
    range: Option<Range<usize>>,
    text: Cow<'c, str>,
    heading: Cow<'c, str>,
}

/// Serializes the columns `body` and `fields`.
pub(super) fn written(chunk: &Chunk) -> (String, String) {
    let body = ChunkBody {
        version: chunk.version,
        range: chunk.range.clone(),
        text: Cow::Borrowed(&chunk.text),
        heading: Cow::Borrowed(&chunk.heading),
    };
    (to_json(&body), to_json(&chunk.fields))
}

pub(super) fn read(row: &Row<'_>) -> Result<Chunk, Error> {
    let source = Source { kind: kind(&row.get::<_, String>("kind")?)?, id: row.get("id")? };
    let body: ChunkBody<'_> = from_json(&row.get::<_, String>("body")?, || "a chunk of the search index".to_owned())?;
    Ok(Chunk {
        source,
        part: row.get("part")?,
        version: body.version,
        range: body.range,
        text: body.text.into_owned(),
        heading: body.heading.into_owned(),
        fields: read_fields(&row.get::<_, String>("fields")?)?,
    })
}

pub(super) fn read_fields(fields: &str) -> Result<Fields, Error> {
    from_json(fields, || "the fields of a chunk".to_owned())
}
