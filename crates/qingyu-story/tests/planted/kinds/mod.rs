//! The kinds of errors, by family.

mod items;
mod knowledge;
mod names;
mod presence;
mod promises;
mod prose;
mod relations;
mod structure;
mod time;
mod world;

use std::sync::LazyLock;

use super::Kind;

/// All kinds.
pub(crate) fn all() -> &'static [Kind] {
    static ALL: LazyLock<Vec<Kind>> = LazyLock::new(|| {
        let families = [
            names::kinds(),
            presence::kinds(),
            time::kinds(),
            items::kinds(),
            knowledge::kinds(),
            relations::kinds(),
            promises::kinds(),
            world::kinds(),
            structure::kinds(),
            prose::kinds(),
        ];
        families.into_iter().flatten().collect()
    });
    &ALL
}
