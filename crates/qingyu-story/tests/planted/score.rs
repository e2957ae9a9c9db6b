//! Precision and recall.

use std::collections::BTreeMap;
use std::fmt;

use serde::Serialize;

use super::{Case, all};

/// What was counted for one kind or family.
#[derive(Debug, Clone, Default, Serialize)]
pub(crate) struct Score {
    /// Errors that were planted.
    pub planted: usize,
    /// Those that were found.
    pub found: usize,
    /// Stories without an error that were checked.
    pub twins: usize,
    /// Findings that name an error.
    pub hits: usize,
    /// Findings that name none.
    pub alarms: usize,
}

impl Score {
    fn add(&mut self, case: &Case) {
        self.planted += usize::from(case.is_planted);
        self.found += usize::from(case.is_planted && case.found > 0);
        self.twins += usize::from(!case.is_planted);
        self.hits += case.found;
        self.alarms += case.alarms.len();
    }

    /// The share of findings that name an error.
    pub(crate) fn precision(&self) -> f64 {
        share(self.hits, self.hits + self.alarms)
    }

    /// The share of errors that were found.
    pub(crate) fn recall(&self) -> f64 {
        share(self.found, self.planted)
    }
}

fn share(part: usize, whole: usize) -> f64 {
    if whole == 0 { 1.0 } else { part as f64 / whole as f64 }
}

/// The scores of all kinds and families.
#[derive(Debug, Serialize)]
pub(crate) struct Table {
    /// By family, such as `QY2`.
    pub families: BTreeMap<String, Score>,
    /// By kind, with its family.
    pub kinds: BTreeMap<String, Score>,
    /// Errors that were not found, by name.
    pub missed: Vec<String>,
    /// Findings that name no error, with the case.
    pub alarms: Vec<String>,
}

impl Table {
    /// Counts the cases.
    pub(crate) fn of(cases: &[Case]) -> Self {
        let (mut families, mut kinds) = (BTreeMap::new(), BTreeMap::new());
        let (mut missed, mut alarms) = (Vec::new(), Vec::new());
        for case in cases {
            let kind = &all()[case.kind];
            let family = if kind.codes[0].starts_with("QS") { "QS" } else { &kind.codes[0][..3] };
            families.entry(family.to_owned()).or_insert_with(Score::default).add(case);
            kinds.entry(format!("{family} {}", kind.name)).or_insert_with(Score::default).add(case);
            if case.is_planted && case.found == 0 {
                missed.push(case.name.clone());
            }
            alarms.extend(case.alarms.iter().map(|alarm| format!("{}: {alarm}", case.name)));
        }
        Self { families, kinds, missed, alarms }
    }
}

impl fmt::Display for Table {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let head = ["planted", "found", "twins", "hits", "alarms", "precision", "recall"];
        write!(out, "{:<34}", "")?;
        head.iter().try_for_each(|word| write!(out, "{word:>10}"))?;
        for rows in [&self.kinds, &self.families] {
            writeln!(out)?;
            for (name, score) in rows {
                let Score { planted, found, twins, hits, alarms } = score;
                write!(out, "{name:<34}{planted:>10}{found:>10}{twins:>10}{hits:>10}{alarms:>10}")?;
                writeln!(out, "{:>10.3}{:>10.3}", score.precision(), score.recall())?;
            }
        }
        self.missed.iter().try_for_each(|name| writeln!(out, "missed: {name}"))?;
        self.alarms.iter().try_for_each(|alarm| writeln!(out, "false alarm: {alarm}"))
    }
}
