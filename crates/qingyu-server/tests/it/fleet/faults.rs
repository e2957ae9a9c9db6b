//! What happens to servers, and when.

use std::fmt;
use std::ops::AddAssign;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use rustix::process::Signal;
use tokio::sync::Mutex;

use crate::fleet::server::Fleet;
use crate::fleet::takeovers::{Cause, Takeovers};

/// How long a server is frozen: longer than its lease of six seconds.
const FROZEN: Duration = Duration::from_secs(8);

/// How often what happened.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Counts {
    kills: usize,
    freezes: usize,
    farewells: usize,
    cuts: usize,
}

impl Counts {
    pub(super) fn all(self) -> usize {
        self.kills + self.freezes + self.farewells + self.cuts
    }
}

impl AddAssign for Counts {
    fn add_assign(&mut self, other: Self) {
        self.kills += other.kills;
        self.freezes += other.freezes;
        self.farewells += other.farewells;
        self.cuts += other.cuts;
    }
}

impl fmt::Display for Counts {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { kills, freezes, farewells, cuts } = self;
        write!(formatter, "{kills} kills, {freezes} freezes, {farewells} farewells, {cuts} times no database")
    }
}

/// Torments one server.
pub(super) struct Faults {
    moments: u64,
    fleet: Arc<Fleet>,
    takeovers: Arc<Takeovers>,
    /// Whoever has it is the only one who torments, but for those who do not care.
    turn: Arc<Mutex<()>>,
}

impl Faults {
    pub(super) fn new(seed: u64, fleet: &Arc<Fleet>, takeovers: &Arc<Takeovers>, turn: &Arc<Mutex<()>>) -> Self {
        let (fleet, takeovers, turn) = (Arc::clone(fleet), Arc::clone(takeovers), Arc::clone(turn));
        Self { moments: seed, fleet, takeovers, turn }
    }

    /// Something below `below`; the same with the same seed.
    fn next(&mut self, below: u64) -> u64 {
        self.moments = self.moments.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.moments >> 33) % below
    }

    /// One fault after the other until all servers together have had so many.
    pub(super) async fn torment(mut self, server: usize, most: usize, done: Arc<AtomicUsize>) -> Counts {
        let mut counts = Counts::default();
        loop {
            tokio::time::sleep(Duration::from_millis(500 + self.next(3_000))).await;
            // Mostly one server is away at a time, sometimes all of them are.
            let turn = Arc::clone(&self.turn);
            let _turn = if self.next(5) > 0 { Some(turn.lock().await) } else { None };
            let number = done.fetch_add(1, Ordering::Relaxed);
            if number >= most {
                done.fetch_sub(1, Ordering::Relaxed);
                return counts;
            }
            // The first ones are of every kind, however few there are.
            match if number < 4 { [0, 5, 7, 9][number] } else { self.next(10) } {
                0..5 => {
                    self.lose(server, Cause::Kill, Signal::KILL).await;
                    self.fleet.ended(server).await;
                    tokio::time::sleep(Duration::from_millis(self.next(2_000))).await;
                    self.fleet.begin(server).await;
                    counts.kills += 1;
                }
                5..7 => {
                    self.lose(server, Cause::Freeze, Signal::STOP).await;
                    tokio::time::sleep(FROZEN + Duration::from_millis(self.next(2_000))).await;
                    self.fleet.signal(server, Signal::CONT).await;
                    counts.freezes += 1;
                }
                7..9 => {
                    self.lose(server, Cause::Farewell, Signal::TERM).await;
                    self.fleet.ended(server).await;
                    self.fleet.begin(server).await;
                    counts.farewells += 1;
                }
                _ => {
                    self.takeovers.cut().await;
                    counts.cuts += 1;
                    continue;
                }
            }
            self.takeovers.back();
            eprintln!("{} of {most}", done.load(Ordering::Relaxed));
        }
    }

    async fn lose(&self, server: usize, cause: Cause, signal: Signal) {
        let process = self.fleet.process(server).await;
        self.takeovers.lost(process, cause, self.fleet.signal(server, signal)).await;
    }
}
