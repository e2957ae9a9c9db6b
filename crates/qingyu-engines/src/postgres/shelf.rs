//! The in-memory cache of a project's scanned data, invalidated by changes.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use qingyu_db::Postgres;
use qingyu_knowledge::engine::{Error, Scope};
use qingyu_knowledge::keyword::CorpusTotals;
use qingyu_knowledge::vector::CodeTable;
use qingyu_knowledge::{Chunk, Source};
use qingyu_story::PieceKind;
use tokio_postgres::Transaction;

use super::server::{damaged, sorted};

/// Number of projects cached in memory.
const KEPT: usize = 32;

/// The cache of several projects, the last used at the end.
#[derive(Debug, Clone, Default)]
pub(super) struct ChunkCache(Arc<Mutex<Vec<Arc<ProjectChunks>>>>);

impl ChunkCache {
    /// Returns the cached data of `scope` and `model` if at the same revision.
    pub(super) fn find(&self, scope: &Scope, model: &str, state: IndexRevision) -> Option<Arc<ProjectChunks>> {
        let mut shelves = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let place = shelves.iter().position(|shelf| shelf.scope == *scope && shelf.model == model)?;
        let shelf = shelves.remove(place);
        let is_true = shelf.state == state;
        is_true.then(|| {
            shelves.push(Arc::clone(&shelf));
            shelf
        })
    }

    pub(super) fn keep(&self, shelf: &Arc<ProjectChunks>) {
        let mut shelves = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        shelves.retain(|other| other.scope != shelf.scope || other.model != shelf.model);
        if shelves.len() == KEPT {
            shelves.remove(0);
        }
        shelves.push(Arc::clone(shelf));
    }
}

/// An index, and its revision.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct IndexRevision {
    pub(super) number: i64,
    pub(super) revision: i64,
}

/// The chunks of a project in a stable order, and their codes.
#[derive(Debug)]
pub(super) struct ProjectChunks {
    scope: Scope,
    model: String,
    state: IndexRevision,
    /// The number and the length of each chunk.
    pub(super) rows: Vec<(i64, u32)>,
    /// The index of each chunk in `rows`.
    pub(super) places: HashMap<i64, u32>,
    pub(super) totals: CorpusTotals,
    pub(super) codes: CodeTable,
}

impl ProjectChunks {
    pub(super) async fn read(
        postgres: &Postgres,
        tx: &Transaction<'_>,
        scope: &Scope,
        model: &str,
        state: IndexRevision,
    ) -> Result<Self, Error> {
        let select = "SELECT c.number, c.kind, c.id, c.part, c.length, v.codes, v.scale
             FROM search_chunk AS c LEFT JOIN search_vector AS v ON v.chunk = c.number AND v.index = $1 AND v.model = $2
             WHERE c.index = $1";
        let found = tx.query(select, &[&state.number, &model]).await.map_err(|error| sorted(postgres, error))?;
        let mut rows: Vec<(Source, i64, usize)> = Vec::with_capacity(found.len());
        for (place, row) in found.iter().enumerate() {
            rows.push((source(postgres, row.get(1), row.get(2))?, row.get(3), place));
        }
        // Not ordered by insertion, so that a rebuilt index returns the same results.
        rows.sort();
        let in_order = || rows.iter().map(|(_, _, place)| &found[*place]);
        let codes_of = |row: &tokio_postgres::Row| row.get::<_, Option<Vec<u8>>>(5);
        let dimensions = in_order().find_map(codes_of).map_or(0, |codes| codes.len());
        let mut codes = CodeTable::new(dimensions);
        for row in in_order() {
            let own = codes_of(row).map(|codes| codes.iter().map(|code| code.cast_signed()).collect::<Vec<i8>>());
            codes.push(own.as_deref(), row.get::<_, Option<f32>>(6).unwrap_or_default());
        }
        let rows: Vec<(i64, u32)> =
            in_order().map(|row| (row.get(0), u32::try_from(row.get::<_, i64>(4)).unwrap_or(u32::MAX))).collect();
        Ok(Self {
            scope: scope.clone(),
            model: model.to_owned(),
            state,
            places: (0..).zip(&rows).map(|(place, (number, _))| (*number, place)).collect(),
            totals: CorpusTotals { texts: rows.len(), terms: rows.iter().map(|(_, length)| u64::from(*length)).sum() },
            rows,
            codes,
        })
    }
}

/// Parses the source of a row.
pub(super) fn source(postgres: &Postgres, kind: &str, id: &[u8]) -> Result<Source, Error> {
    let kind = PieceKind::parse(kind).ok_or_else(|| damaged(postgres, "the kind of a chunk"))?;
    let id = String::from_utf8(id.to_vec()).map_err(|_| damaged(postgres, "the id of a chunk"))?;
    Ok(Source { kind, id })
}

/// Deserializes a stored chunk.
pub(super) fn read(postgres: &Postgres, body: &str) -> Result<Chunk, Error> {
    serde_json::from_str(body).map_err(|error| damaged(postgres, &format!("a chunk ({error})")))
}
