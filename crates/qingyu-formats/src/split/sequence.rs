//! Rising sequences of numbers, mixed with other numbers.

/// Minimum density of a chain, in percent.
const DENSE: usize = 60;

/// Returns the chains of numbers counting up from 0 or 1, as indexes; a single number is no chain.
///
/// Linear apart from a logarithm.
pub(super) fn chains(numbers: &[u32]) -> Vec<Vec<usize>> {
    let mut begins = Vec::new();
    for (at, number) in numbers.iter().enumerate() {
        let goes_on = numbers.get(at + 1).is_some_and(|next| *next == number + 1 || (*number == 0 && *next == 1));
        let is_zero_before = at > 0 && numbers[at - 1] == 0 && *number == 1;
        if *number <= 1 && goes_on && !is_zero_before {
            begins.push(at);
        }
    }
    let mut kept: Vec<usize> = Vec::new();
    for at in begins {
        if !kept.last().is_some_and(|from| is_within(numbers, *from, at)) {
            kept.push(at);
        }
    }
    let mut begins = kept;
    // The heading of the first chapter is often missing where a file begins with its text.
    if numbers.first() == Some(&2) && numbers.get(1) == Some(&3) {
        begins.insert(0, 0);
    }
    const MANY: usize = 5;
    if begins.is_empty() {
        // A later part of a book: many numbers without a gap.
        let chain = longest(numbers, 0..numbers.len());
        return if chain.len() >= MANY && density(numbers, &chain) >= 80 { vec![chain] } else { Vec::new() };
    }
    let ends = begins.iter().skip(1).copied().chain([numbers.len()]);
    let chains = begins.iter().zip(ends).map(|(from, until)| {
        let mut chain = longest(numbers, *from..until);
        // A year at the end of the book is no part of the count.
        while chain.len() > MANY && density(numbers, &chain) < DENSE {
            chain.pop();
        }
        if chain.len() > MANY { with_misprints(numbers, &chain) } else { chain }
    });
    chains.filter(|chain| chain.len() >= 2 && density(numbers, chain) >= DENSE).collect()
}

/// Returns whether the count from `at` on is within the count from `from` on, which continues after it: a list in a
/// chapter.
fn is_within(numbers: &[u32], from: usize, at: usize) -> bool {
    const LEAST: usize = 3;
    let chain = longest(numbers, from..at);
    let Some(last) = chain.last().map(|at| numbers[*at]).filter(|_| chain.len() >= LEAST) else { return false };
    let rest = &numbers[at..];
    rest.iter().position(|number| *number == last + 1).is_some_and(|next| !rest[..next].contains(&last))
}

/// Returns the density of a chain: the share of numbers present between first and last, in percent.
fn density(numbers: &[u32], chain: &[usize]) -> usize {
    let (Some(first), Some(last)) = (chain.first(), chain.last()) else { return 0 };
    chain.len() * 100 / (numbers[*last] - numbers[*first] + 1) as usize
}

/// Returns a chain with the misprinted numbers in its gaps: a gap has as many other numbers as are missing.
fn with_misprints(numbers: &[u32], chain: &[usize]) -> Vec<usize> {
    let rise = |from: usize, until: usize| (numbers[until] - numbers[from]) as usize;
    let mut whole: Vec<usize> = chain.iter().take(1).copied().collect();
    for (place, pair) in chain.windows(2).enumerate() {
        let (from, until) = (pair[0], pair[1]);
        let fills = until - from == rise(from, until);
        // 36, 36, 38: the chain has the second.
        let stands_twice = until - from == rise(from, until) + 1
            && chain.get(place + 2).is_some_and(|next| next - until == 1 && rise(until, *next) == 2);
        if fills || stands_twice {
            whole.extend(from + 1..until);
        }
        whole.push(until);
    }
    whole
}

/// Returns the longest strictly rising chain beginning with the first number of the range, by patience sorting.
fn longest(numbers: &[u32], range: std::ops::Range<usize>) -> Vec<usize> {
    let start = range.start;
    if range.is_empty() {
        return Vec::new();
    }
    let mut piles: Vec<usize> = Vec::new();
    let mut before: Vec<Option<usize>> = vec![None; range.len()];
    for at in range {
        if at > start && !piles.is_empty() && numbers[at] <= numbers[piles[0]] && numbers[start] <= 2 {
            continue;
        }
        let pile = piles.partition_point(|top| numbers[*top] < numbers[at]);
        before[at - start] = pile.checked_sub(1).map(|below| piles[below]);
        if pile == piles.len() {
            piles.push(at);
        } else {
            piles[pile] = at;
        }
    }
    let mut chain: Vec<usize> = std::iter::successors(piles.last().copied(), |at| before[at - start]).collect();
    chain.reverse();
    chain
}

#[cfg(test)]
mod tests {
    use super::*;

    fn taken(numbers: &[u32]) -> Vec<u32> {
        chains(numbers).into_iter().flatten().map(|at| numbers[at]).collect()
    }

    #[test]
    fn numbers_that_count_are_told_from_others() {
        assert_eq!(taken(&[1, 2, 3]), [1, 2, 3]);
        assert_eq!(taken(&[0, 1, 2]), [0, 1, 2]);
        assert_eq!(taken(&[1, 2, 84, 3, 1, 4, 5]), [1, 2, 3, 4, 5]);
        assert_eq!(taken(&[1, 2, 3, 1, 2]), [1, 2, 3, 1, 2]);
        assert_eq!(taken(&[1, 2, 4, 5]), [1, 2, 4, 5]);
        assert_eq!(taken(&[1, 2, 3, 4, 1, 2, 3, 5, 6]), [1, 2, 3, 4, 5, 6]);
        assert_eq!(taken(&[1, 2, 3, 4, 1, 2, 3, 4, 5]), [1, 2, 3, 4, 1, 2, 3, 4, 5]);
        assert_eq!(taken(&[1, 2, 3, 4, 5, 1174, 6, 1989]), [1, 2, 3, 4, 5, 6]);
        assert_eq!(taken(&[1, 2, 3, 4, 5, 5, 7, 8]), [1, 2, 3, 4, 5, 5, 7, 8]);
        assert_eq!(taken(&[2, 3]), [2, 3]);
        assert_eq!(taken(&[51, 52, 53, 54, 55]), [51, 52, 53, 54, 55]);
        assert!(taken(&[1984]).is_empty() && taken(&[1]).is_empty() && taken(&[7, 1984]).is_empty());
        assert!(taken(&[1, 1, 1]).is_empty() && taken(&[]).is_empty());
    }
}
