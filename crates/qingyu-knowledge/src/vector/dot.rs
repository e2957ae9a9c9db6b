//! The two hot functions, each compiled twice from the same source.
//!
//! A release build targets plain x86-64, whose vectors are half as wide; the wide form is chosen at run time on a
//! processor with support. Sums of floats keep sixteen running sums, so that the order is the same in both forms and
//! the result identical, to the bit.

/// Returns the inner product of codes of the same length; at most 100,000 dimensions, beyond which the sum may
/// overflow.
pub(super) fn codes(left: &[i8], right: &[i8]) -> i32 {
    #[cfg(target_arch = "x86_64")]
    if has_wide_vectors() {
        #[expect(unsafe_code, reason = "the processor has what the function needs: it has just been asked")]
        return unsafe { wide::codes(left, right) };
    }
    plain_codes(left, right)
}

/// Returns the inner product of floats of the same length.
pub(super) fn floats(left: &[f32], right: &[f32]) -> f32 {
    #[cfg(target_arch = "x86_64")]
    if has_wide_vectors() {
        #[expect(unsafe_code, reason = "the processor has what the function needs: it has just been asked")]
        return unsafe { wide::floats(left, right) };
    }
    plain_floats(left, right)
}

/// Prefetches codes that are read soon.
pub(super) fn fetch(codes: &[i8]) {
    /// The size of a cache line, in bytes.
    const LINE: usize = 64;
    #[cfg(target_arch = "x86_64")]
    for line in codes.chunks(LINE) {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        #[expect(unsafe_code, reason = "a hint, which reads nothing")]
        unsafe {
            _mm_prefetch::<_MM_HINT_T0>(line.as_ptr());
        }
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = codes.chunks(LINE);
}

/// Returns whether the processor has wide vectors; detected once, then cached.
#[cfg(target_arch = "x86_64")]
fn has_wide_vectors() -> bool {
    std::arch::is_x86_feature_detected!("avx2") && std::arch::is_x86_feature_detected!("fma")
}

#[cfg(target_arch = "x86_64")]
mod wide {
    #[target_feature(enable = "avx2,fma")]
    pub(super) fn codes(left: &[i8], right: &[i8]) -> i32 {
        super::plain_codes(left, right)
    }

    #[target_feature(enable = "avx2,fma")]
    pub(super) fn floats(left: &[f32], right: &[f32]) -> f32 {
        super::plain_floats(left, right)
    }
}

#[inline(always)]
pub(super) fn plain_codes(left: &[i8], right: &[i8]) -> i32 {
    left.iter().zip(right).map(|(left, right)| i32::from(*left) * i32::from(*right)).sum()
}

#[inline(always)]
pub(super) fn plain_floats(left: &[f32], right: &[f32]) -> f32 {
    const LANES: usize = 16;
    let (left, left_rest) = left.as_chunks::<LANES>();
    let (right, right_rest) = right.as_chunks::<LANES>();
    let mut sums = [0.0_f32; LANES];
    for (left, right) in left.iter().zip(right) {
        for lane in 0..LANES {
            sums[lane] += left[lane] * right[lane];
        }
    }
    let rest: f32 = left_rest.iter().zip(right_rest).map(|(left, right)| left * right).sum();
    sums.iter().sum::<f32>() + rest
}
