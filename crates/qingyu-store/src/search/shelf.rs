//! The in-memory cache of a project between searches.

use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use qingyu_knowledge::analysis::QueryTerm;
use qingyu_knowledge::filter::{Columns, Fields};
use qingyu_knowledge::keyword::CorpusTotals;
use qingyu_knowledge::vector::CodeTable;
use qingyu_knowledge::{Filter, Source};
use rustc_hash::FxHashMap;

use super::snapshot::{SearchSnapshot, kind};
use super::{kept_chunk, kept_vector};
use crate::Error;

/// The scanned data of a project: its chunks in a stable order, and their codes.
#[derive(Debug)]
pub(super) struct ChunkShelf {
    pub(super) project: String,
    pub(super) model: String,
    pub(super) revision: i64,
    pub(super) rows: Vec<ShelfRow>,
    /// The index of each chunk in `rows`.
    pub(super) places: FxHashMap<i64, u32>,
    pub(super) totals: CorpusTotals,
    pub(super) codes: CodeTable,
    /// The columns for filters, fetched by the first filter.
    columns: OnceLock<Columns>,
    /// The cache of terms: names and question words are frequent.
    terms: Mutex<Terms>,
}

/// The chunks with a term.
#[derive(Debug)]
pub(super) struct TermPostings {
    /// Number of chunks with the term.
    pub(super) having: usize,
    /// The rows, sorted, each with the frequency of the term; empty if the term is too common to be read in full.
    pub(super) counts: Vec<(u32, u32)>,
}

/// The cache of terms, cleared when full.
#[derive(Debug, Default)]
struct Terms {
    read: FxHashMap<QueryTerm, Arc<TermPostings>>,
    size: usize,
}

/// Maximum number of cached rows per project: 16 MB.
const MOST_KEPT: usize = 2 << 20;

#[derive(Debug)]
pub(super) struct ShelfRow {
    pub(super) number: i64,
    pub(super) length: u32,
}

impl ChunkShelf {
    pub(super) fn read(reader: &SearchSnapshot<'_>, model: &str, revision: i64) -> Result<Self, Error> {
        struct Row {
            key: (Source, u32),
            row: ShelfRow,
            codes: Option<Vec<i8>>,
            scale: f32,
        }
        let mut select = reader.connection.prepare_cached(
            "SELECT c.number, c.kind, c.id, c.part, c.length, v.codes, v.scale,
                 CASE WHEN length(v.codes) = 0 THEN v.vector END
             FROM chunk AS c LEFT JOIN chunk_vector AS v ON v.chunk = c.number AND v.model = ?3
             WHERE c.user_id = ?1 AND c.project_id = ?2",
        )?;
        let mut found = select.query((reader.user, reader.project, model))?;
        let mut rows = Vec::new();
        while let Some(row) = found.next()? {
            let source = Source { kind: kind(&row.get::<_, String>(1)?)?, id: row.get(2)? };
            let vector = row.bytes(7)?;
            rows.push(Row {
                key: (source, row.get(3)?),
                row: ShelfRow { number: row.get(0)?, length: row.get(4)? },
                codes: row.bytes(5)?.map(|codes| kept_vector::codes(vector, codes)).transpose()?,
                scale: row.get::<_, Option<f32>>(6)?.unwrap_or_default(),
            });
        }
        // Not ordered by insertion, so that a rebuilt index returns the same results.
        rows.sort_by(|a, b| a.key.cmp(&b.key));
        let dimensions = rows.iter().find_map(|row| row.codes.as_ref()).map_or(0, Vec::len);
        let mut codes = CodeTable::new(dimensions);
        rows.iter().for_each(|row| codes.push(row.codes.as_deref(), row.scale));
        let rows: Vec<ShelfRow> = rows.into_iter().map(|row| row.row).collect();
        let terms = rows.iter().map(|row| u64::from(row.length)).sum();
        Ok(Self {
            project: reader.project.into(),
            model: model.into(),
            revision,
            places: (0..).zip(&rows).map(|(place, row)| (row.number, place)).collect(),
            totals: CorpusTotals { texts: rows.len(), terms },
            rows,
            codes,
            columns: OnceLock::new(),
            terms: Mutex::default(),
        })
    }

    /// Returns a term from the cache, or fetches the term as far as needed: in full if at most `most` chunks have the
    /// term.
    pub(super) fn term(
        &self,
        asked: &QueryTerm,
        most: usize,
        read: impl FnOnce() -> Result<TermPostings, Error>,
    ) -> Result<Arc<TermPostings>, Error> {
        let known = self.terms.lock().unwrap_or_else(PoisonError::into_inner).read.get(asked).cloned();
        let is_enough = |term: &Arc<TermPostings>| term.counts.len() == term.having || term.having > most;
        if let Some(term) = known.filter(is_enough) {
            return Ok(term);
        }
        let term = Arc::new(read()?);
        let mut terms = self.terms.lock().unwrap_or_else(PoisonError::into_inner);
        if terms.size + term.counts.len() > MOST_KEPT {
            *terms = Terms::default();
        }
        terms.size += term.counts.len();
        terms.read.insert(asked.clone(), Arc::clone(&term));
        Ok(term)
    }

    /// Returns the matching rows, sorted. `reader` must have the same revision as the cache.
    pub(super) fn fitting(&self, reader: &SearchSnapshot<'_>, filter: &Filter) -> Result<Vec<u32>, Error> {
        if let Some(columns) = self.columns.get() {
            return Ok(columns.fitting(filter));
        }
        let columns = self.read_columns(reader)?;
        Ok(self.columns.get_or_init(|| columns).fitting(filter))
    }

    fn read_columns(&self, reader: &SearchSnapshot<'_>) -> Result<Columns, Error> {
        let mut fields = vec![Fields::new(); self.rows.len()];
        let select = "SELECT number, fields FROM chunk WHERE user_id = ?1 AND project_id = ?2";
        let mut select = reader.connection.prepare_cached(select)?;
        let mut rows = select.query((reader.user, reader.project))?;
        while let Some(row) = rows.next()? {
            let own = row.text(1)?;
            if let Some(place) = self.places.get(&row.get(0)?) {
                fields[*place as usize] = kept_chunk::read_fields(own)?;
            }
        }
        let mut columns = Columns::default();
        fields.iter().for_each(|fields| columns.push(fields));
        Ok(columns)
    }
}
