//! Validation shared by all engines.

use super::error::Error;
use super::interface::VectorPoint;

/// Validates vectors; fails if a vector is not finite, or not as long as the stored vectors, or as the first.
pub fn check_values<'v>(
    model: &str,
    kept: Option<usize>,
    vectors: impl IntoIterator<Item = &'v [f32]>,
) -> Result<(), Error> {
    let mut expected = kept;
    for values in vectors {
        let expected = *expected.get_or_insert(values.len());
        if values.len() != expected {
            return Err(Error::Dimensions { model: model.into(), expected, found: values.len() });
        }
        if !values.iter().all(|value| value.is_finite()) {
            return Err(Error::NotFinite { model: model.into() });
        }
    }
    Ok(())
}

/// Validates points in the same way.
pub fn check_points(model: &str, kept: Option<usize>, points: &[VectorPoint]) -> Result<(), Error> {
    check_values(model, kept, points.iter().map(|point| point.vector.as_slice()))
}

/// Validates one vector in the same way.
pub fn check_vector(model: &str, kept: Option<usize>, vector: &[f32]) -> Result<(), Error> {
    check_values(model, kept, [vector])
}
