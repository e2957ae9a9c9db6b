//! One story of hosts, a database and what befalls them, decided by a seed alone.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use proptest::prelude::*;
use proptest::strategy::ValueTree;
use proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};
use qingyu_graph::store::MemoryStore;
use qingyu_graph::{Outcome, Thread};
use tokio::runtime::Runtime;
use tokio::time::advance;

use super::book::Book;
use super::database::{Database, Plant};
use super::host::{Common, Host, LEASE, paused_runtime};
use super::referee::{Counts, Referee};
use super::wire::Wires;
use crate::board::Board;
use crate::random::{Diary, End, Plan, View, plans, stored, views};

/// How long one turn of the world is; within it a host runs alone.
const TICK: Duration = Duration::from_millis(4);
/// How long there are faults.
const DISTURBED: u64 = 400;
/// How long everything may take to come to its end when there are none any more.
const CALM: u32 = 4_000;
const HOSTS: usize = 3;

/// What became of a seed.
#[derive(Debug)]
pub(crate) struct Story {
    /// The promise that was broken, if one was.
    pub(crate) broken: Option<String>,
    pub(crate) counts: Counts,
    pub(crate) faults: Faults,
    /// The same for the same seed, if nothing but the seed decides.
    pub(crate) told: Vec<String>,
}

/// What befell the hosts and the database.
#[derive(Debug, Default, Clone, Copy)]
pub(crate) struct Faults {
    pub(crate) crashes: u64,
    pub(crate) freezes: u64,
    pub(crate) outages: u64,
    pub(crate) jumps: u64,
}

impl Faults {
    pub(crate) fn and(&self, other: &Self) -> Self {
        Self {
            crashes: self.crashes + other.crashes,
            freezes: self.freezes + other.freezes,
            outages: self.outages + other.outages,
            jumps: self.jumps + other.jumps,
        }
    }
}

/// A place for a host.
struct Place {
    host: Option<Host>,
    lives: u32,
    /// Until which tick it is down or frozen.
    until: u64,
    missed: Duration,
    /// How long a tick is by its own clock.
    tick: Duration,
}

struct World {
    random: fastrand::Rng,
    now: u64,
    places: Vec<Place>,
    clock: Runtime,
    database: Arc<Database>,
    common: Common,
    faults: Faults,
    told: Vec<String>,
}

/// Tells the story of a seed.
pub(crate) fn tell(seed: u64, plant: Option<Plant>) -> Story {
    let mut random = fastrand::Rng::with_seed(seed);
    let plans: BTreeMap<_, _> = (0..random.usize(1..4)).map(|index| (format!("t{index}"), plan(&mut random))).collect();
    let referee = Arc::new(Referee::default());
    let common = Common {
        wires: Wires::new(random.u64(..)),
        referee: Arc::clone(&referee),
        book: Arc::new(Book::new(plans.keys().cloned())),
        plans: Arc::new(plans),
        plant,
    };
    let database = Database::new(random.u64(..), plant, Arc::clone(&referee));
    let mut world = World {
        places: (0..HOSTS).map(|_| Place::new(&mut random)).collect(),
        random,
        now: 0,
        clock: paused_runtime(),
        database,
        common,
        faults: Faults::default(),
        told: Vec::new(),
    };
    world.go_on();
    world.look_back();
    Story { broken: referee.broken(), counts: referee.counts(), faults: world.faults, told: world.told }
}

/// A random graph, some of whose nodes ask, and how fast its tasks are.
fn plan(random: &mut fastrand::Rng) -> (Plan, Vec<u8>) {
    let mut bytes = [0; 32];
    random.fill(&mut bytes);
    let mut runner = TestRunner::new_with_rng(Config::default(), TestRng::from_seed(RngAlgorithm::ChaCha, &bytes));
    let asking = prop::collection::vec(prop::bool::weighted(0.15), 10);
    let (plan, asking) = (plans(), asking).new_tree(&mut runner).unwrap().current();
    let pace = (0..7).map(|_| random.u8(..6)).collect();
    (plan.asking(&asking), pace)
}

impl Place {
    fn new(random: &mut fastrand::Rng) -> Self {
        // A clock that goes a tenth too fast or too slow.
        let tick = TICK * random.u32(90..110) / 100;
        Self { host: None, lives: 0, until: 0, missed: Duration::ZERO, tick }
    }
}

impl World {
    /// Lets time pass until every thread has come to its end, a promise is broken, or the time is over.
    fn go_on(&mut self) {
        while self.now < DISTURBED + u64::from(CALM) && self.common.referee.broken().is_none() {
            if self.common.book.open().is_empty() {
                return;
            }
            self.now += 1;
            if self.now < DISTURBED {
                self.disturb();
            } else if self.now == DISTURBED {
                self.tell("calm");
                self.common.wires.calm();
                self.common.book.calm();
            }
            let (wires, database, now) = (&self.common.wires, &self.database, self.now);
            self.clock.block_on(async {
                advance(TICK).await;
                wires.deliver(now, database).await;
            });
            let mut order: Vec<_> = (0..HOSTS).collect();
            self.random.shuffle(&mut order);
            order.into_iter().for_each(|number| self.turn(number));
        }
        let open = self.common.book.open();
        if !open.is_empty() && self.common.referee.broken().is_none() {
            self.common
                .referee
                .blame(format!("P5: {open:?} did not come to an end in {:?} without faults", TICK * CALM));
        }
    }

    /// Lets one host live for a tick, or sleep on.
    fn turn(&mut self, number: usize) {
        let seed = self.random.u64(..);
        let place = &mut self.places[number];
        if place.until > self.now {
            place.missed += place.tick;
            return;
        }
        if place.host.is_none() {
            place.lives += 1;
            place.missed = Duration::ZERO;
            place.host = Some(Host::new((number, place.lives), seed, &self.common));
        }
        let Some(host) = &place.host else { return };
        host.live(std::mem::take(&mut place.missed), place.tick, &self.common.referee);
        for (name, heard) in host.heard() {
            self.common.book.heard(&name, &heard, &self.common.referee);
        }
        let counts = self.common.referee.counts();
        self.told.push(format!("{} {number} {} {}", self.now, counts.commits, counts.executions));
    }

    /// Lets something happen, or not.
    fn disturb(&mut self) {
        let number = self.random.usize(..HOSTS);
        let long = u64::try_from(LEASE.as_millis() / TICK.as_millis()).unwrap();
        match self.random.u16(..1000) {
            0..10 => {
                self.tell(&format!("host {number} crashes"));
                self.faults.crashes += 1;
                self.common.wires.died(number);
                self.places[number].host = None;
                self.places[number].until = self.now + self.random.u64(1..long);
            }
            10..18 => {
                self.tell(&format!("host {number} freezes"));
                self.faults.freezes += 1;
                self.places[number].until = self.now + self.random.u64(1..2 * long);
            }
            18..20 => {
                self.tell("the database loses its connections");
                self.faults.outages += 1;
                self.common.wires.cut();
            }
            20..23 => {
                self.tell("the database's clock jumps");
                self.faults.jumps += 1;
                let jump = LEASE * self.random.u32(1..20) / 10;
                self.clock.block_on(advance(jump));
            }
            _ => {}
        }
    }

    fn tell(&mut self, what: &str) {
        self.told.push(format!("{} {what}", self.now));
    }

    /// Compares what there is with what would have been without faults.
    fn look_back(&mut self) {
        let (referee, book) = (&self.common.referee, &self.common.book);
        if referee.broken().is_some() {
            return;
        }
        self.clock.block_on(referee.check_acknowledged(self.database.store()));
        book.check_answers(referee);
        let ends = book.ends();
        for (name, (plan, pace)) in self.common.plans.iter() {
            let (end, expected) = self.clock.block_on(undisturbed(plan, pace));
            let found = ends.get(name).cloned().flatten();
            if found.as_ref() != Some(&end) {
                referee.blame(format!("P6: {name} ended as {found:?}, undisturbed as {end:?}"));
            }
            let thread = plan.graph(&Diary::default()).thread(Arc::clone(self.database.store()) as _, name.as_str());
            let kept = self.clock.block_on(views(&thread));
            if kept != expected {
                referee.blame(format!("P6: the history of {name} is {kept:?}, undisturbed {expected:?}"));
            }
        }
    }
}

/// The end of a thread to which nothing happens, and its history.
async fn undisturbed(plan: &Plan, pace: &[u8]) -> (End, Vec<View>) {
    let thread: Thread<Board> = plan.graph(&Diary::new(pace.to_vec())).thread(Arc::new(MemoryStore::new()), "t");
    let thread = thread.recursion_limit(10_000);
    let mut run = thread.start(Board::update()).await.unwrap();
    let end = loop {
        match run.finish().await {
            Ok(Outcome::Done(board)) => break Ok(stored(board)),
            Ok(Outcome::Waiting { questions, .. }) => {
                let answers = questions.into_iter().map(|question| (question.id, 0)).collect();
                run = thread.answer_map::<u64>(answers).await.unwrap();
            }
            Ok(other) => panic!("nobody cancels: {other:?}"),
            Err(error) => break Err(error.to_string()),
        }
    };
    (end, views(&thread).await)
}
