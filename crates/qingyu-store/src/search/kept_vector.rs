//! Conversion of a vector to a row and back: with its codes, or without its zeros if shorter.
//!
//! The lexical vectors of short texts are nearly all zeros; stored in full, they took half of a small book's database.
//! The sparse format is the number of dimensions in four bytes, a bit for each non-zero dimension, and the non-zero
//! values, all little-endian. The codes are then empty, since computing is faster than reading.

use qingyu_knowledge::vector::{self, Codes};

use crate::Error;

/// The columns `vector`, `codes` and `scale`.
pub(super) type Columns = (Vec<u8>, Vec<u8>, f32);

/// Returns the columns of the values, in the shorter of both formats.
pub(super) fn written(values: &[f32]) -> Columns {
    let encoded = vector::encode(values);
    let whole = vector::to_bytes(values);
    match to_sparse(values) {
        Some(short) if short.len() < whole.len() => (short, Vec::new(), encoded.scale),
        _ => (whole, encoded.codes.iter().map(|code| code.cast_unsigned()).collect(), encoded.scale),
    }
}

/// Parses the values from the columns `vector` and `codes`.
pub(super) fn values(vector: &[u8], codes: &[u8]) -> Result<Vec<f32>, Error> {
    if codes.is_empty() { from_sparse(vector).ok_or_else(bad) } else { Ok(vector::from_bytes(vector)) }
}

/// Returns the number of dimensions, from the columns `vector` and `codes`.
pub(super) fn dimensions(vector: &[u8], codes: &[u8]) -> Result<u64, Error> {
    Ok(if codes.is_empty() { values(vector, codes)?.len() } else { codes.len() } as u64)
}

/// Returns the codes, from the columns; `vector` is optional if there are codes.
pub(super) fn codes(vector: Option<&[u8]>, codes: &[u8]) -> Result<Vec<i8>, Error> {
    if !codes.is_empty() {
        return Ok(codes.iter().map(|code| code.cast_signed()).collect());
    }
    let Codes { codes, .. } = vector::encode(&values(vector.unwrap_or_default(), codes)?);
    Ok(codes)
}

/// Returns the values in the sparse format; `None` for more dimensions than four bytes can count.
fn to_sparse(values: &[f32]) -> Option<Vec<u8>> {
    let mut bytes = u32::try_from(values.len()).ok()?.to_le_bytes().to_vec();
    let is_kept = |value: &f32| value.to_bits() != 0;
    bytes.extend(
        values.chunks(8).map(|eight| {
            eight.iter().enumerate().fold(0_u8, |bits, (at, value)| bits | (u8::from(is_kept(value)) << at))
        }),
    );
    values.iter().filter(|value| is_kept(value)).for_each(|value| bytes.extend(value.to_le_bytes()));
    Some(bytes)
}

/// Parses the sparse format; returns `None` for other bytes.
fn from_sparse(bytes: &[u8]) -> Option<Vec<f32>> {
    if bytes.is_empty() {
        return Some(Vec::new());
    }
    let (dimensions, rest) = bytes.split_first_chunk::<4>()?;
    let dimensions = usize::try_from(u32::from_le_bytes(*dimensions)).ok()?;
    let (bits, rest) = rest.split_at_checked(dimensions.div_ceil(8))?;
    let (kept, []) = rest.as_chunks::<4>() else { return None };
    let mut kept = kept.iter();
    let mut values = Vec::with_capacity(dimensions);
    for at in 0..dimensions {
        let is_kept = bits[at / 8] >> (at % 8) & 1 == 1;
        values.push(if is_kept { f32::from_le_bytes(*kept.next()?) } else { 0.0 });
    }
    kept.next().is_none().then_some(values)
}

fn bad() -> Error {
    let message = "its bytes are not those of a vector without its zeros".into();
    Error::BadRow { what: "a vector of the search index".into(), message }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn few_values_take_few_bytes() {
        let mut sparse = vec![0.0; 1024];
        (0..60).for_each(|at| sparse[at * 17] = 0.125);
        let (vector, codes, _) = written(&sparse);
        assert_eq!((vector.len(), codes.len()), (4 + 128 + 240, 0));
        let (vector, codes, _) = written(&[0.5; 1024]);
        assert_eq!((vector.len(), codes.len()), (4096, 1024), "a vector without zeros stays as it is");
    }

    #[test]
    fn broken_bytes_are_no_vector() {
        let (whole, ..) = written(&[0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0]);
        for end in 1..whole.len() {
            assert!(matches!(values(&whole[..end], &[]), Err(Error::BadRow { .. })), "{end} bytes");
        }
        assert!(values(&[whole, vec![0; 4]].concat(), &[]).is_err());
        assert!(values(&[255; 8], &[]).is_err());
    }

    proptest! {
        #[test]
        fn a_vector_comes_back_as_it_was(given in prop::collection::vec(prop_oneof![3 => Just(0.0), 1 => -1.0f32..1.0, 1 => Just(-0.0)], 0..200)) {
            let (vector, kept, scale) = written(&given);
            let bits = |values: &[f32]| values.iter().map(|value| value.to_bits()).collect::<Vec<_>>();
            prop_assert_eq!(bits(&values(&vector, &kept).unwrap()), bits(&given));
            let expected = vector::encode(&given);
            prop_assert_eq!(dimensions(&vector, &kept).unwrap(), given.len() as u64);
            let shown = kept.is_empty().then_some(vector.as_slice());
            prop_assert_eq!(Codes { codes: codes(shown, &kept).unwrap(), scale }, expected);
        }
    }
}
