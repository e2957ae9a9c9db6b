//! Rows with named columns, and the set operations on them.

use rustc_hash::{FxHashMap, FxHashSet};

use super::found::{CutReason, PatternRow};
use super::query::Name;
use crate::graph::NodeId;

/// The maximum number of rows of a part of a query.
pub(super) const MOST_ROWS: usize = 200_000;

/// Rows with columns.
#[derive(Debug)]
pub(super) struct PatternRows {
    pub(super) columns: Vec<Name>,
    pub(super) rows: Vec<PatternRow>,
    pub(super) cut: Option<CutReason>,
}

impl PatternRows {
    fn places(&self, names: &[Name]) -> Vec<usize> {
        let place = |name: &Name| self.columns.iter().position(|column| column == name);
        names.iter().filter_map(place).collect()
    }

    /// Keeps the given columns, and removes duplicate rows after the first.
    pub(super) fn project(&mut self, columns: &[Name]) {
        let places = self.places(columns);
        let mut seen = FxHashSet::default();
        self.rows.retain_mut(|row| {
            row.nodes = key(row, &places);
            seen.insert(row.nodes.clone())
        });
        self.columns = columns.to_vec();
    }

    pub(super) fn and(&mut self, other: &Self, common: &[Name]) {
        let (here, there) = (self.places(common), other.places(common));
        let mut by_key: FxHashMap<Vec<NodeId>, Vec<&PatternRow>> = FxHashMap::default();
        other.rows.iter().for_each(|row| by_key.entry(key(row, &there)).or_default().push(row));
        let added: Vec<usize> = (0..other.columns.len()).filter(|place| !there.contains(place)).collect();
        let mut joined = Vec::new();
        for row in &self.rows {
            for partner in by_key.get(&key(row, &here)).into_iter().flatten() {
                if joined.len() == MOST_ROWS {
                    self.cut = Some(CutReason::Work);
                    break;
                }
                let nodes = [row.nodes.clone(), key(partner, &added)].concat();
                joined.push(PatternRow { nodes, ties: [row.ties.clone(), partner.ties.clone()].concat() });
            }
        }
        self.rows = joined;
        self.columns.extend(added.iter().map(|place| other.columns[*place].clone()));
    }

    pub(super) fn or(&mut self, mut other: Self, common: &[Name]) {
        self.project(common);
        other.project(common);
        self.rows.append(&mut other.rows);
        self.project(common);
    }

    pub(super) fn except(&mut self, other: &Self, common: &[Name]) {
        let (here, there) = (self.places(common), other.places(common));
        let taken: FxHashSet<Vec<NodeId>> = other.rows.iter().map(|row| key(row, &there)).collect();
        self.rows.retain(|row| !taken.contains(&key(row, &here)));
    }
}

fn key(row: &PatternRow, places: &[usize]) -> Vec<NodeId> {
    places.iter().map(|place| row.nodes[*place]).collect()
}
