use std::collections::BTreeSet;

use proptest::collection::vec;
use proptest::prelude::*;

use super::{Bound, Contradiction, Limit, Network, TimePoint};

/// `to - from` is at most `most`, as a test writes it: points, seconds, whether the seconds themselves are excluded.
type Half = (u8, u8, i64, bool);

const POINTS: u8 = 7;

fn half() -> impl Strategy<Value = Half> {
    (0..POINTS, 0..POINTS, -6_i64..14, any::<bool>())
}

fn limit(seconds: i64, is_open: bool) -> Limit {
    if is_open { Limit::below(seconds) } else { Limit::exactly(seconds) }
}

fn bound((index, (from, to, seconds, is_open)): (usize, Half), points: &[TimePoint]) -> Bound<usize> {
    let (from, to) = (points[from as usize], points[to as usize]);
    let most = limit(seconds, is_open);
    // Every other bound is told from the other end.
    match index % 2 {
        0 => Bound { from, to, least: None, most: Some(most), said: index },
        _ => Bound { from: to, to: from, least: Some(-most), most: None, said: index },
    }
}

fn empty() -> (Network<usize>, Vec<TimePoint>) {
    let mut network = Network::default();
    let points = (0..POINTS).map(|_| network.add_point()).collect();
    (network, points)
}

fn network(halves: &[(usize, Half)]) -> (Network<usize>, Vec<TimePoint>) {
    let (mut network, points) = empty();
    network.insert(halves.iter().map(|half| bound(*half, &points)));
    (network, points)
}

/// All tightest bounds, or `None` if there is a negative cycle.
fn floyd_warshall(halves: &[(usize, Half)]) -> Option<Vec<Vec<Option<Limit>>>> {
    let points = usize::from(POINTS);
    let mut most = vec![vec![None; points]; points];
    for (index, row) in most.iter_mut().enumerate() {
        row[index] = Some(Limit::default());
    }
    let least = |a: Option<Limit>, b: Option<Limit>| [a, b].into_iter().flatten().min();
    for (_, (from, to, seconds, is_open)) in halves {
        let cell = &mut most[*from as usize][*to as usize];
        *cell = least(*cell, Some(limit(*seconds, *is_open)));
    }
    for middle in 0..points {
        for from in 0..points {
            for to in 0..points {
                let around = most[from][middle].zip(most[middle][to]).map(|(a, b)| a + b);
                most[from][to] = least(most[from][to], around);
            }
        }
    }
    (0..points).all(|point| most[point][point] == Some(Limit::default())).then_some(most)
}

fn numbered(halves: Vec<Half>) -> Vec<(usize, Half)> {
    halves.into_iter().enumerate().collect()
}

/// Returns the sum of all steps: the distance by which the first point would precede itself.
fn excess<S>(contradiction: &Contradiction<S>) -> Limit {
    contradiction.steps.iter().map(|step| step.most).sum()
}

proptest! {
    #[test]
    fn consistency_and_the_tightest_bounds_are_those_of_floyd_and_warshall(halves in vec(half(), 0..22)) {
        let halves = numbered(halves);
        let (network, points) = network(&halves);
        let Some(expected) = floyd_warshall(&halves) else {
            prop_assert!(!network.is_consistent());
            return Ok(());
        };
        prop_assert_eq!(network.contradictions(), &[]);
        prop_assert!(network.is_consistent());
        for from in &points {
            let row = &expected[from.index()];
            prop_assert_eq!(&network.after(*from), row);
            for to in &points {
                prop_assert_eq!(network.most_beside(*from, *to, &[]), row[to.index()]);
                prop_assert_eq!(network.until(*to)[from.index()], row[to.index()]);
                let is_ordered = expected[to.index()][from.index()].is_some_and(|most| most <= Limit::default());
                prop_assert_eq!(network.is_ordered_beside(*from, *to, &[]), is_ordered);
            }
        }
    }

    #[test]
    fn contradictions_are_negative_cycles_of_what_was_said(halves in vec(half(), 0..30)) {
        let halves = numbered(halves);
        let (network, _) = network(&halves);
        let mut set_aside = BTreeSet::new();
        for contradiction in network.contradictions() {
            let steps = &contradiction.steps;
            prop_assert!(excess(contradiction).is_negative());
            for (step, next) in steps.iter().zip(steps.iter().cycle().skip(1)) {
                prop_assert_eq!(step.to, next.from);
                let (_, (from, to, seconds, is_open)) = halves[step.said];
                prop_assert_eq!((step.from.index(), step.to.index()), (usize::from(from), usize::from(to)));
                prop_assert_eq!(step.most, limit(seconds, is_open));
            }
            let ends: BTreeSet<TimePoint> = steps.iter().map(|step| step.from).collect();
            prop_assert_eq!(ends.len(), steps.len(), "no point twice");
            prop_assert!(steps.iter().all(|step| step.said <= steps[0].said), "the greatest is set aside");
            set_aside.insert(steps[0].said);
        }
        prop_assert_eq!(set_aside.len(), network.contradictions().len(), "each is set aside once");
        let rest: Vec<_> = halves.iter().copied().filter(|(index, _)| !set_aside.contains(index)).collect();
        prop_assert!(floyd_warshall(&rest).is_some(), "the rest is consistent");
        for index in set_aside {
            let mut lesser: Vec<_> = rest.iter().copied().filter(|(other, _)| *other < index).collect();
            lesser.push(halves[index]);
            prop_assert!(floyd_warshall(&lesser).is_none(), "nothing is set aside without need");
        }
    }

    #[test]
    fn no_negative_cycle_through_a_bound_is_shorter(halves in vec(half(), 0..14)) {
        let halves = numbered(halves);
        let (network, _) = network(&halves);
        let aside: BTreeSet<usize> = network.contradictions().iter().map(|found| found.steps[0].said).collect();
        for contradiction in network.contradictions() {
            let closing = contradiction.steps[0].said;
            let standing: Vec<Half> = halves.iter().filter(|(index, _)| *index < closing && !aside.contains(index)).map(|(_, half)| *half).collect();
            let (start, goal, seconds, is_open) = (halves[closing].1.1, halves[closing].1.0, halves[closing].1.2, halves[closing].1.3);
            // The least sums of ways from the end of the bound to its beginning, by their number of steps.
            let mut sums = vec![None; usize::from(POINTS)];
            sums[start as usize] = Some(limit(seconds, is_open));
            let mut steps = 1;
            while sums[goal as usize].is_none_or(|sum: Limit| !sum.is_negative()) {
                let before = sums.clone();
                for (from, to, seconds, is_open) in &standing {
                    let sum = before[*from as usize].map(|sum| sum + limit(*seconds, *is_open));
                    sums[*to as usize] = [sums[*to as usize], sum].into_iter().flatten().min();
                }
                steps += 1;
                prop_assert!(steps <= usize::from(POINTS) + 1);
            }
            prop_assert_eq!(contradiction.steps.len(), steps);
            prop_assert_eq!(Some(excess(contradiction)), sums[goal as usize]);
        }
    }

    #[test]
    fn the_order_in_which_bounds_come_does_not_matter(halves in vec(half(), 0..30), shuffle in vec(any::<u32>(), 30)) {
        let halves = numbered(halves);
        let (expected, _) = network(&halves);
        let mut shuffled = halves.clone();
        shuffled.sort_by_key(|(index, _)| shuffle[*index]);
        let (network, points) = network(&shuffled);
        prop_assert_eq!(network.contradictions(), expected.contradictions());
        let (mut one_by_one, _) = empty();
        for half in shuffled {
            one_by_one.insert([bound(half, &points)]);
        }
        prop_assert_eq!(one_by_one.contradictions(), expected.contradictions());
    }
}

/// Two ways from 0 to 1, over 2 and over 3, and a bound back that contradicts both.
fn two_ways(over_two: [i64; 2], over_three: [i64; 2]) -> Vec<usize> {
    let halves = [
        (0, (0, 2, over_two[0], false)),
        (2, (2, 1, over_two[1], false)),
        (4, (0, 3, over_three[0], false)),
        (6, (3, 1, over_three[1], false)),
        (8, (1, 0, 1, false)),
    ];
    let (network, _) = network(&halves);
    let [contradiction] = network.contradictions() else { panic!("one is enough: {:?}", network.contradictions()) };
    contradiction.steps.iter().map(|step| step.said).collect()
}

/// Of contradictions of as many steps the worst is told, and of those that are as bad the one that is said first, however
/// they are found.
#[test]
fn the_worst_contradiction_is_told() {
    for _ in 0..32 {
        assert_eq!(two_ways([-2, -3], [-4, -6]), [8, 4, 6]);
        assert_eq!(two_ways([-4, -6], [-2, -3]), [8, 0, 2]);
        assert_eq!(two_ways([-2, -3], [-3, -2]), [8, 0, 2]);
    }
}

/// A bound that comes when many stand is minded as those are.
#[test]
fn a_late_bound_counts() {
    let mut network = Network::default();
    let points: Vec<TimePoint> = (0..12).map(|_| network.add_point()).collect();
    let half = |from: usize, to: usize, most: i64, said: usize| Bound {
        from: points[from],
        to: points[to],
        least: None,
        most: Some(Limit::exactly(most)),
        said,
    };
    network.insert((0..11).map(|at| half(at, at + 1, 1, at)));
    network.insert([half(11, 0, -3, 20)]);
    assert!(network.is_consistent());
    let apart = network.possible(points[11]) - network.possible(points[0]);
    assert!(!(apart - Limit::exactly(3)).is_negative(), "they are three apart at least: {apart:?}");
    network.insert([half(11, 0, -20, 21)]);
    let steps =
        |network: &Network<usize>| network.contradictions().iter().map(|one| one.steps.len()).collect::<Vec<_>>();
    assert_eq!(steps(&network), [12]);
    network.insert([half(0, 11, 15, 12)]);
    assert_eq!(steps(&network), [2], "there is a shorter one now");
}

#[test]
fn strict_bounds_stay_strict() {
    let (network, points) = network(&[(0, (0, 1, 5, false)), (1, (1, 2, 5, true))]);
    let most = network.most_beside(points[0], points[2], &[]).unwrap();
    assert_eq!((most.seconds(), most.is_open()), (10, true));
    assert!(most < Limit::exactly(10) && most > Limit::exactly(9));
    assert_eq!(network.most_beside(points[2], points[0], &[]), None);
}

#[test]
fn limits_end_where_seconds_do() {
    let [far, back] = [i64::MAX, i64::MIN].map(|end| (Limit::exactly(end) + Limit::exactly(end)).seconds());
    assert_eq!((far, back), (i64::MAX, i64::MIN));
    assert!(!Limit::exactly(3).is_open() && Limit::above(3).is_open() && Limit::below(3).is_open());
}
