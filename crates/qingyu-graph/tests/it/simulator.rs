//! Hosts that crash, freeze and lose their connections while they share threads on one database, in simulated time.
//!
//! The engine is the real one, in a runtime per host; the store is the one in memory behind wires that delay and lose.
//! Whatever happens follows from a seed, so a story that ends badly can be told again:
//! `QINGYU_SEED=17 cargo nextest run -p qingyu-graph --all-features --no-capture simulator`.

mod book;
mod database;
mod host;
mod referee;
mod wire;
mod world;

use std::panic::resume_unwind;
use std::thread::{self, available_parallelism};
use std::time::Instant;

use database::Plant;
use referee::Counts;
use world::{Faults, Story, tell};

use crate::extent::cases;

/// How many stories are told: `QINGYU_SEEDS`, or a few for every build, and 100 with all cases.
fn seeds() -> std::ops::Range<u64> {
    let number = |name: &str| std::env::var(name).ok().map(|text| text.parse().expect("a number"));
    match number("QINGYU_SEED") {
        Some(seed) => seed..seed + 1,
        None => 0..number("QINGYU_SEEDS").unwrap_or_else(|| cases(15, 100)),
    }
}

#[test]
fn no_promise_is_broken_whatever_befalls_the_hosts() {
    let (seeds, began) = (seeds(), Instant::now());
    let told = seeds.clone().count();
    let threads = available_parallelism().map_or(1, usize::from).min(told);
    let sum = thread::scope(|scope| {
        let part = |first: usize| seeds.clone().skip(first).step_by(threads);
        let tell = |first: usize| {
            let seeds = part(first);
            scope.spawn(move || tell_all(seeds, told == 1))
        };
        let parts: Vec<_> = (0..threads).map(tell).collect();
        parts
            .into_iter()
            .fold(Sum::default(), |sum, part| sum.and(&part.join().unwrap_or_else(|panic| resume_unwind(panic))))
    });
    let Sum { faults, counts } = sum;
    println!(
        "{told} schedules in {:.1?}: {} crashes, {} freezes, {} outages, {} jumps of the clock; {} commits, {} executions, \
         {} of which began after another host had stored their result",
        began.elapsed(),
        faults.crashes,
        faults.freezes,
        faults.outages,
        faults.jumps,
        counts.commits,
        counts.executions,
        counts.late,
    );
}

/// What happened in several stories.
#[derive(Default)]
struct Sum {
    faults: Faults,
    counts: Counts,
}

impl Sum {
    fn and(&self, other: &Self) -> Self {
        Self { faults: self.faults.and(&other.faults), counts: self.counts.and(&other.counts) }
    }
}

/// Tells the stories of some seeds, and stops at the first that ends badly.
fn tell_all(seeds: impl Iterator<Item = u64>, aloud: bool) -> Sum {
    seeds.fold(Sum::default(), |sum, seed| {
        let Story { broken, counts, faults, told } = tell(seed, None);
        if aloud {
            println!("{}", told.join("\n"));
        }
        if let Some(why) = broken {
            panic!("seed {seed}: {why}\nQINGYU_SEED={seed} tells its story again");
        }
        sum.and(&Sum { faults, counts })
    })
}

#[test]
fn the_same_seed_tells_the_same_story() {
    for seed in 0..cases(4, 20) {
        let (one, other) = (tell(seed, None), tell(seed, None));
        assert_eq!(one.told, other.told, "seed {seed}");
    }
}

#[test]
fn planted_bugs_are_found() {
    let find = |plant: Plant| {
        let found = [plant.known_seed()]
            .into_iter()
            .chain(0..2_000)
            .find_map(|seed| tell(seed, Some(plant)).broken.map(|why| (seed, why)));
        match &found {
            Some((seed, why)) => println!("{plant:?}: schedule {seed}: {}", why.chars().take(200).collect::<String>()),
            None => println!("{plant:?}: not found"),
        }
        found.is_none()
    };
    let missed: Vec<Plant> = thread::scope(|scope| {
        let searches: Vec<_> = Plant::ALL.into_iter().map(|plant| (plant, scope.spawn(move || find(plant)))).collect();
        let missed =
            |search: thread::ScopedJoinHandle<'_, bool>| search.join().unwrap_or_else(|panic| resume_unwind(panic));
        searches.into_iter().filter_map(|(plant, search)| missed(search).then_some(plant)).collect()
    });
    assert!(missed.is_empty(), "not found in 2,000 schedules: {missed:?}");
}
