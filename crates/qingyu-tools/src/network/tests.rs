use std::collections::BTreeSet;

use proptest::prelude::*;

use super::*;

fn links(count: usize, pairs: &[(usize, usize)]) -> Vec<Vec<(usize, f64)>> {
    let mut links = vec![Vec::new(); count];
    for (a, b) in pairs {
        links[*a].push((*b, 1.0));
        links[*b].push((*a, 1.0));
    }
    links
}

/// The friendships in a karate club of 34 (Zachary 1977), on which everybody measures.
const CLUB: &str = "0-1 0-2 0-3 0-4 0-5 0-6 0-7 0-8 0-10 0-11 0-12 0-13 0-17 0-19 0-21 0-31 1-2 1-3 1-7 1-13 1-17 \
                    1-19 1-21 1-30 2-3 2-7 2-8 2-9 2-13 2-27 2-28 2-32 3-7 3-12 3-13 4-6 4-10 5-6 5-10 5-16 6-16 \
                    8-30 8-32 8-33 9-33 13-33 14-32 14-33 15-32 15-33 18-32 18-33 19-33 20-32 20-33 22-32 22-33 \
                    23-25 23-27 23-29 23-32 23-33 24-25 24-27 24-31 25-31 26-29 26-33 27-33 28-31 28-33 29-32 \
                    29-33 30-32 30-33 31-32 31-33 32-33";

fn club() -> Vec<Vec<(usize, f64)>> {
    let pair = |pair: &str| pair.split_once('-').map(|(a, b)| (a.parse().unwrap(), b.parse().unwrap())).unwrap();
    links(34, &CLUB.split_whitespace().map(pair).collect::<Vec<_>>())
}

#[track_caller]
fn near(found: f64, expected: f64) {
    assert!((found - expected).abs() < 1e-6, "{found} is not {expected}");
}

#[test]
fn the_club_measures_what_it_always_does() {
    let club = club();
    assert_eq!(club.iter().map(Vec::len).sum::<usize>(), 156);
    let between = betweenness(&club);
    near(between[0], 0.437_635_281_385);
    near(between[33], 0.304_074_975_950);
    near(between[32], 0.145_247_113_997);
    near(between[11], 0.0);
    let ranks = pagerank(&club);
    near(ranks[33], 0.100_919_182_333);
    near(ranks[0], 0.096_997_285_388);
    near(ranks[11], 0.009_564_745_492);
    let member = communities(&club);
    assert!(modularity(&club, &member) > 0.41, "{}", modularity(&club, &member));
    assert_ne!(member[0], member[33], "the two who split the club are not of one community");
    near(modularity(&club, &[0; 34]), 0.0);
}

#[test]
fn two_cliques_and_the_one_between_them() {
    let network = links(7, &[(0, 1), (0, 2), (1, 2), (2, 3), (3, 4), (4, 5), (4, 6), (5, 6)]);
    let between = betweenness(&network);
    near(between[3], 9.0 / 15.0);
    near(between[2], 8.0 / 15.0);
    near(between[0], 0.0);
    let member = communities(&network);
    assert_eq!(member[0..3], [0, 0, 0]);
    assert_eq!(member[4..7], [1, 1, 1]);
    assert_eq!(components(&network), [vec![0, 1, 2, 3, 4, 5, 6]]);
}

#[test]
fn small_and_empty_networks() {
    assert!(betweenness(&links(0, &[])).is_empty() && pagerank(&links(0, &[])).is_empty());
    assert_eq!(communities(&links(3, &[])), [0, 1, 2]);
    assert_eq!(pagerank(&links(2, &[])), [0.5, 0.5]);
    assert_eq!(betweenness(&links(2, &[(0, 1)])), [0.0, 0.0]);
    assert_eq!(communities(&links(2, &[(0, 1)])), [0, 0]);
    assert_eq!(components(&links(4, &[(1, 3)])), [vec![1, 3], vec![0], vec![2]]);
}

fn networks() -> impl Strategy<Value = Vec<Vec<(usize, f64)>>> {
    (1_usize..9).prop_flat_map(|count| {
        prop::collection::btree_set((0..count, 0..count), 0..20).prop_map(move |pairs| {
            let pairs: BTreeSet<(usize, usize)> =
                pairs.into_iter().filter(|(a, b)| a != b).map(|(a, b)| (a.min(b), a.max(b))).collect();
            links(count, &pairs.into_iter().collect::<Vec<_>>())
        })
    })
}

/// All shortest ways from `from` to `to`, found by trying all.
fn ways(links: &NetworkLinks, from: usize, to: usize) -> Vec<Vec<usize>> {
    let mut open = vec![vec![from]];
    for _ in 0..links.len() {
        let (there, going): (Vec<_>, Vec<_>) = open.into_iter().partition(|way: &Vec<usize>| way.last() == Some(&to));
        if !there.is_empty() {
            return there;
        }
        open = going
            .iter()
            .flat_map(|way| {
                let next = links[way[way.len() - 1]].iter().map(|(next, _)| *next).filter(|next| !way.contains(next));
                next.map(|next| way.iter().copied().chain([next]).collect())
            })
            .collect();
    }
    Vec::new()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn betweenness_is_what_counting_all_ways_gives(network in networks()) {
        let count = network.len();
        let found = betweenness(&network);
        for (node, found) in found.iter().enumerate() {
            let mut expected = 0.0;
            for from in (0..count).filter(|from| *from != node) {
                for to in (from + 1..count).filter(|to| *to != node) {
                    let ways = ways(&network, from, to);
                    let over = ways.iter().filter(|way| way.contains(&node)).count();
                    expected += if ways.is_empty() { 0.0 } else { over as f64 / ways.len() as f64 };
                }
            }
            let pairs = (count.saturating_sub(1) * count.saturating_sub(2)) as f64 / 2.0;
            let expected = if pairs > 0.0 { expected / pairs } else { 0.0 };
            prop_assert!((found - expected).abs() < 1e-9, "{found} is not {expected}");
        }
    }

    #[test]
    fn ranks_are_shares(network in networks()) {
        let ranks = pagerank(&network);
        prop_assert!((ranks.iter().sum::<f64>() - 1.0).abs() < 1e-9);
        prop_assert!(ranks.iter().all(|rank| *rank > 0.0));
    }

    #[test]
    fn communities_are_no_worse_than_none_and_never_span_what_is_not_connected(network in networks()) {
        let member = communities(&network);
        let alone: Vec<usize> = (0..network.len()).collect();
        prop_assert!(modularity(&network, &member) >= modularity(&network, &alone) - 1e-9);
        prop_assert!(modularity(&network, &member) >= -1e-9);
        for component in components(&network) {
            let inside: BTreeSet<usize> = component.iter().map(|node| member[*node]).collect();
            let outside = (0..network.len()).filter(|node| !component.contains(node));
            for node in outside {
                prop_assert!(!inside.contains(&member[node]));
            }
        }
    }
}
