//! An Aho-Corasick automaton over symbols.
//!
//! Chinese has thousands of symbols, so states store only existing transitions and follow the failure link otherwise.
//! Latin has few symbols and many shared prefixes, so a state with Latin transitions stores a full row.

use std::collections::VecDeque;

use rustc_hash::FxHashMap;

/// A state number; 0 is the root.
pub(super) type StateId = u32;

/// No word ends in the state.
const NONE: u32 = u32::MAX;

#[derive(Debug, Clone)]
pub(super) struct Automaton {
    /// The first symbol class, and the first class without Latin letters.
    first: u16,
    latin_end: u16,
    nodes: Vec<AutomatonNode>,
    /// The row of Latin transitions of each state, stored apart from the nodes for cache locality.
    rows_at: Vec<u32>,
    /// Whether a word ends in each state.
    is_end: Vec<bool>,
    /// The transitions of all states, grouped by state and sorted by class.
    steps: Vec<(u16, StateId)>,
    /// The transitions from the root, by class.
    from_root: Vec<StateId>,
    /// Full rows of Latin transitions; the first belongs to the root.
    rows: Vec<StateId>,
    /// The words ending in each state, grouped by state.
    ends: Vec<u32>,
}

#[derive(Debug, Clone, Default)]
struct AutomatonNode {
    fail: StateId,
    /// The next state along the failure links in which a word ends.
    shorter: StateId,
    steps: (u32, u32),
    ends: (u32, u32),
}

impl Automaton {
    /// Builds the automaton of `words`, each a list of classes from `first` up to `count`.
    pub(super) fn new(words: &[Vec<u16>], first: u16, latin_end: u16, count: u16) -> Self {
        let mut next: Vec<FxHashMap<u16, StateId>> = vec![FxHashMap::default()];
        let mut ending: Vec<Vec<u32>> = vec![Vec::new()];
        for (number, word) in words.iter().enumerate() {
            let mut state = 0;
            for class in word {
                let new = next.len() as StateId;
                state = *next[state as usize].entry(*class).or_insert(new);
                if state == new {
                    next.push(FxHashMap::default());
                    ending.push(Vec::new());
                }
            }
            ending[state as usize].push(number as u32);
        }
        let mut automaton = Self {
            first,
            latin_end,
            nodes: vec![AutomatonNode::default(); next.len()],
            rows_at: vec![0; next.len()],
            is_end: vec![false; next.len()],
            steps: Vec::new(),
            from_root: vec![0; usize::from(count)],
            rows: Vec::new(),
            ends: Vec::new(),
        };
        automaton.lay_out(&next, ending);
        automaton.fill(&next);
        automaton
    }

    fn lay_out(&mut self, next: &[FxHashMap<u16, StateId>], ending: Vec<Vec<u32>>) {
        for (node, (next, ending)) in self.nodes.iter_mut().zip(next.iter().zip(ending)) {
            let mut steps: Vec<_> = next.iter().map(|(class, state)| (*class, *state)).collect();
            steps.sort_unstable();
            let from = self.steps.len() as u32;
            self.steps.extend(steps);
            node.steps = (from, self.steps.len() as u32);
            let from = self.ends.len() as u32;
            self.ends.extend(ending);
            node.ends = (from, self.ends.len() as u32);
            node.shorter = NONE;
        }
        for (class, state) in &next[0] {
            self.from_root[usize::from(*class)] = *state;
        }
    }

    /// Computes the failure links in breadth-first order.
    fn fill(&mut self, next: &[FxHashMap<u16, StateId>]) {
        let width = self.width();
        self.rows.resize(width, 0);
        for at in 0..width {
            self.rows[at] = self.from_root[usize::from(self.first) + at];
        }
        let mut waiting: VecDeque<StateId> = VecDeque::new();
        for (_, state) in &self.steps[self.range(0)] {
            waiting.push_back(*state);
        }
        while let Some(state) = waiting.pop_front() {
            let fail = self.nodes[state as usize].fail;
            let fallen = &self.nodes[fail as usize];
            let shorter = if fallen.ends.0 < fallen.ends.1 { fail } else { fallen.shorter };
            let row = self.rows_at[fail as usize];
            for at in self.range(state) {
                let (class, child) = self.steps[at];
                self.nodes[child as usize].fail = self.step(fail, class);
                waiting.push_back(child);
            }
            let has_latin = next[state as usize].keys().any(|class| *class < self.latin_end);
            let row = if has_latin { self.add_row(row, &next[state as usize]) } else { row };
            let node = &mut self.nodes[state as usize];
            node.shorter = shorter;
            self.is_end[state as usize] = node.ends.0 < node.ends.1 || shorter != NONE;
            self.rows_at[state as usize] = row;
        }
    }

    /// Appends a copy of the row at `row`, overridden by the state's own transitions; returns the new row.
    fn add_row(&mut self, row: u32, next: &FxHashMap<u16, StateId>) -> u32 {
        let (from, new) = (row as usize, self.rows.len());
        self.rows.extend_from_within(from..from + self.width());
        for (class, state) in next.iter().filter(|(class, _)| **class < self.latin_end) {
            self.rows[new + usize::from(class - self.first)] = *state;
        }
        new as u32
    }

    fn width(&self) -> usize {
        usize::from(self.latin_end - self.first)
    }

    fn range(&self, state: StateId) -> std::ops::Range<usize> {
        let (from, to) = self.nodes[state as usize].steps;
        from as usize..to as usize
    }

    /// Returns the next state for a symbol.
    #[inline]
    pub(super) fn step(&self, mut state: StateId, class: u16) -> StateId {
        if class < self.latin_end {
            return self.rows[self.rows_at[state as usize] as usize + usize::from(class - self.first)];
        }
        while state != 0 {
            let steps = &self.steps[self.range(state)];
            if let Ok(at) = steps.binary_search_by_key(&class, |(class, _)| *class) {
                return steps[at].1;
            }
            state = self.nodes[state as usize].fail;
        }
        self.from_root[usize::from(class)]
    }

    /// Returns whether `state` is the transition of `class` from the root.
    #[inline]
    pub(super) fn is_first(&self, state: StateId, class: u16) -> bool {
        state == self.from_root[usize::from(class)]
    }

    /// Returns whether a word ends in `state`.
    #[inline]
    pub(super) fn is_end(&self, state: StateId) -> bool {
        self.is_end[state as usize]
    }

    /// Iterates over the words ending in `state`, the longest first.
    pub(super) fn ends(&self, state: StateId) -> impl Iterator<Item = usize> {
        let mut at = Some(state);
        std::iter::from_fn(move || {
            let node = &self.nodes[at? as usize];
            at = Some(node.shorter).filter(|shorter| *shorter != NONE);
            Some(self.ends[node.ends.0 as usize..node.ends.1 as usize].iter().map(|word| *word as usize))
        })
        .flatten()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Classes are letters here: a to m count as Latin, n to z do not.
    fn found(words: &[&str], text: &str) -> String {
        let classes = |text: &str| text.bytes().map(|byte| u16::from(byte - b'a') + 2).collect::<Vec<_>>();
        let automaton = Automaton::new(&words.iter().map(|word| classes(word)).collect::<Vec<_>>(), 2, 15, 28);
        let mut state = 0;
        let mut found = Vec::new();
        for (at, class) in classes(text).into_iter().enumerate() {
            state = automaton.step(state, class);
            if automaton.is_end(state) {
                found.extend(automaton.ends(state).map(|word| format!("{}@{}", words[word], at + 1)));
            }
        }
        found.join(" ")
    }

    #[test]
    fn finds_all_words_wherever_they_end() {
        assert_eq!(found(&["he", "she", "his", "hers"], "ushers"), "she@4 he@4 hers@6");
        assert_eq!(found(&["xyz", "yz", "z", "zx"], "xyzxyz"), "xyz@3 yz@3 z@3 zx@4 xyz@6 yz@6 z@6");
        assert_eq!(found(&["axb", "xbz"], "axbz"), "axb@3 xbz@4");
        assert_eq!(found(&["aab"], "aaaab"), "aab@5");
        assert_eq!(found(&[], "abc"), "");
    }

    proptest::proptest! {
        #[test]
        fn finds_what_a_plain_search_finds(words in proptest::collection::vec("[abyz]{1,4}", 1..8), text in "[abyz]{0,60}") {
            let words: Vec<&str> = words.iter().map(String::as_str).collect();
            let mut expected: Vec<String> = Vec::new();
            for end in 1..=text.len() {
                expected.extend(words.iter().filter(|word| text[..end].ends_with(*word)).map(|word| format!("{word}@{end}")));
            }
            let mut got: Vec<String> = found(&words, &text).split_whitespace().map(str::to_owned).collect();
            expected.sort();
            got.sort();
            proptest::prop_assert_eq!(got, expected);
        }
    }
}
