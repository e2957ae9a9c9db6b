//! What is kept in memory of a project between searches.

use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use qingyu_knowledge::analysis::Asked;
use qingyu_knowledge::filter::{Columns, Fields};
use qingyu_knowledge::keyword::Totals;
use qingyu_knowledge::vector::CodeTable;
use qingyu_knowledge::{Filter, Source};
use rustc_hash::FxHashMap;

use super::{Reader, kept_chunk, kept_vector, kind};
use crate::Error;

/// What is scanned of a project: its chunks in a stable order, and their codes.
#[derive(Debug)]
pub(super) struct Shelf {
    pub(super) project: String,
    pub(super) model: String,
    pub(super) revision: i64,
    pub(super) rows: Vec<ShelfRow>,
    /// The place of each chunk in `rows`.
    pub(super) places: FxHashMap<i64, u32>,
    pub(super) totals: Totals,
    pub(super) codes: CodeTable,
    /// What filters ask for, read when the first of them comes.
    columns: OnceLock<Columns>,
    /// What was asked before: names and question words are asked again and again.
    terms: Mutex<Terms>,
}

/// Which chunks have a term.
#[derive(Debug)]
pub(super) struct Term {
    /// How many have it.
    pub(super) having: usize,
    /// Their rows, sorted, each with how often it has it; none if the term is too common to be read to its end.
    pub(super) counts: Vec<(u32, u32)>,
}

/// Terms that were read, until they are too many together.
#[derive(Debug, Default)]
struct Terms {
    read: FxHashMap<Asked, Arc<Term>>,
    size: usize,
}

/// How many rows of terms are kept for a project: 16 MB.
const MOST_KEPT: usize = 2 << 20;

#[derive(Debug)]
pub(super) struct ShelfRow {
    pub(super) number: i64,
    pub(super) length: u32,
}

impl Shelf {
    pub(super) fn read(reader: &Reader<'_>, model: &str, revision: i64) -> Result<Self, Error> {
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
        // Not in the order of their making, so that an index made anew answers the same.
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
            totals: Totals { texts: rows.len(), terms },
            rows,
            codes,
            columns: OnceLock::new(),
            terms: Mutex::default(),
        })
    }

    /// A term from memory, or read if it is not there as far as is wanted: to its end if no more than `most` have it.
    pub(super) fn term(
        &self,
        asked: &Asked,
        most: usize,
        read: impl FnOnce() -> Result<Term, Error>,
    ) -> Result<Arc<Term>, Error> {
        let known = self.terms.lock().unwrap_or_else(PoisonError::into_inner).read.get(asked).cloned();
        let is_enough = |term: &Arc<Term>| term.counts.len() == term.having || term.having > most;
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

    /// The rows that fit, sorted. `reader` has to see the revision that the shelf was read from.
    pub(super) fn fitting(&self, reader: &Reader<'_>, filter: &Filter) -> Result<Vec<u32>, Error> {
        if let Some(columns) = self.columns.get() {
            return Ok(columns.fitting(filter));
        }
        let columns = self.read_columns(reader)?;
        Ok(self.columns.get_or_init(|| columns).fitting(filter))
    }

    fn read_columns(&self, reader: &Reader<'_>) -> Result<Columns, Error> {
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
