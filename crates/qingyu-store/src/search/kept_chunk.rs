//! A chunk as a row.

use std::borrow::Cow;
use std::ops::Range;

use qingyu_db::sql::Row;
use qingyu_knowledge::filter::Fields;
use qingyu_knowledge::{Chunk, Source};
use serde::{Deserialize, Serialize};

use super::kind;
use crate::Error;
use crate::row::{from_json, to_json};

/// What [`read`] wants to see.
pub(super) const COLUMNS: &str = "kind, id, part, body, fields";

/// What is neither looked up nor filtered by.
#[derive(Serialize, Deserialize)]
struct Body<'c> {
    version: u32,
    range: Option<Range<usize>>,
    text: Cow<'c, str>,
    heading: Cow<'c, str>,
}

/// The body and the fields, as they are kept.
pub(super) fn written(chunk: &Chunk) -> (String, String) {
    let body = Body {
        version: chunk.version,
        range: chunk.range.clone(),
        text: Cow::Borrowed(&chunk.text),
        heading: Cow::Borrowed(&chunk.heading),
    };
    (to_json(&body), to_json(&chunk.fields))
}

pub(super) fn read(row: &Row<'_>) -> Result<Chunk, Error> {
    let source = Source { kind: kind(&row.get::<_, String>("kind")?)?, id: row.get("id")? };
    let body: Body<'_> = from_json(&row.get::<_, String>("body")?, || "a chunk of the search index".to_owned())?;
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
