//! The graphs that runs go through, to be looked at.

use qingyu_graph::Drawing;

use crate::work::Looking;
use crate::{Error, Studio};

impl Studio {
    /// The graphs that runs go through. Needs no open studio.
    pub fn graphs() -> Result<Vec<Drawing>, Error> {
        Ok(Looking::new()?.drawings())
    }

    /// One of [`graphs`](Self::graphs). Fails with [`Error::UnknownGraph`].
    pub fn graph(name: &str) -> Result<Drawing, Error> {
        let graphs = Self::graphs()?;
        let known = graphs.iter().map(|graph| graph.name.clone()).collect();
        let found = graphs.into_iter().find(|graph| graph.name == name);
        found.ok_or_else(|| Error::UnknownGraph { given: name.to_owned(), known })
    }
}
