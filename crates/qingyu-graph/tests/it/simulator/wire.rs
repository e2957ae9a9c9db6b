//! What lies between a host and the database: calls that take time, arrive late, get lost, or lose their answers.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use futures::FutureExt;
use futures::future::BoxFuture;
use qingyu_graph::store::{CheckpointJournal, JournalRecord, Owner, ThreadLease};
use qingyu_graph::{Error, JoinedWrite, SharedError, Store, ThreadId};
use tokio::sync::oneshot;

use super::database::Database;

/// Everything that is under way between the hosts and the database.
#[derive(Debug)]
pub(crate) struct Wires(Mutex<Traffic>);

#[derive(Debug)]
struct Traffic {
    random: fastrand::Rng,
    /// The tick that is now.
    now: u64,
    sent: u64,
    /// By the tick at which it arrives, and the order in which it was sent.
    under_way: BTreeMap<(u64, u64), Parcel>,
    is_disturbed: bool,
}

/// Who sent something, and which life of that host it was.
pub(crate) type Sender = (usize, u32);

struct Parcel {
    sender: Sender,
    content: Content,
}

enum Content {
    Call {
        call: Call,
        answered: Option<u64>,
    },
    /// A call that does not arrive; whoever waits for its answer hears so when it would have.
    Lost {
        _call: Call,
    },
    Answer(Answer),
}

type Call = Box<dyn FnOnce(Arc<Database>) -> BoxFuture<'static, Answer> + Send>;
/// Hands the result over, or says that it was lost.
type Answer = Box<dyn FnOnce(bool) + Send>;

impl std::fmt::Debug for Parcel {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_struct("Parcel").field("sender", &self.sender).finish_non_exhaustive()
    }
}

impl Wires {
    pub(crate) fn new(seed: u64) -> Arc<Self> {
        let random = fastrand::Rng::with_seed(seed);
        let traffic = Traffic { random, now: 0, sent: 0, under_way: BTreeMap::new(), is_disturbed: true };
        Arc::new(Self(Mutex::new(traffic)))
    }

    /// From now on every call arrives and is answered.
    pub(crate) fn calm(&self) {
        self.0.lock().unwrap().is_disturbed = false;
    }

    /// Sends a call whose answer comes back or not, or that is lost itself.
    fn send(&self, sender: Sender, call: Call) {
        let mut traffic = self.0.lock().unwrap();
        let disturbed = traffic.is_disturbed;
        let far = disturbed && traffic.random.u8(..) < 12;
        let there = traffic.now + if far { traffic.random.u64(5..80) } else { traffic.random.u64(1..4) };
        let back = there + traffic.random.u64(1..4);
        match traffic.random.u8(..) {
            0..6 if disturbed => traffic.put(there, sender, Content::Lost { _call: call }),
            6..14 if disturbed => traffic.put(there, sender, Content::Call { call, answered: None }),
            _ => traffic.put(there, sender, Content::Call { call, answered: Some(back) }),
        }
    }

    /// Lets the database carry out `call` after so many ticks, although it has been answered.
    pub(crate) fn postpone(&self, ticks: u64, call: Call) {
        let mut traffic = self.0.lock().unwrap();
        let at = traffic.now + ticks;
        traffic.put(at, (usize::MAX, 0), Content::Call { call, answered: None });
    }

    /// A host has died: what it waits for is of no use to anybody, and some of what it sent never left.
    pub(crate) fn died(&self, host: usize) {
        let mut traffic = self.0.lock().unwrap();
        let Traffic { random, under_way, .. } = &mut *traffic;
        under_way.retain(|_, parcel| parcel.sender.0 != host || random.bool());
    }

    /// The database has died: whatever is under way is lost.
    pub(crate) fn cut(&self) {
        self.0.lock().unwrap().under_way.clear();
    }

    /// Delivers what arrives at tick `now`.
    pub(crate) async fn deliver(&self, now: u64, database: &Arc<Database>) {
        self.0.lock().unwrap().now = now;
        loop {
            let parcel = {
                let mut traffic = self.0.lock().unwrap();
                match traffic.under_way.first_entry() {
                    Some(first) if first.key().0 <= now => first.remove(),
                    _ => return,
                }
            };
            match parcel.content {
                Content::Answer(answer) => answer(true),
                Content::Lost { .. } => {}
                Content::Call { call, answered } => {
                    let answer = call(Arc::clone(database)).await;
                    match answered {
                        Some(back) => self.0.lock().unwrap().put(back, parcel.sender, Content::Answer(answer)),
                        None => answer(false),
                    }
                }
            }
        }
    }
}

impl Traffic {
    fn put(&mut self, at: u64, sender: Sender, content: Content) {
        self.sent += 1;
        self.under_way.insert((at, self.sent), Parcel { sender, content });
    }
}

/// The store as one life of a host sees it.
#[derive(Debug)]
pub(crate) struct Wire {
    pub(crate) sender: Sender,
    pub(crate) wires: Arc<Wires>,
}

impl Wire {
    fn call<'a, T, F>(
        &'a self,
        work: impl FnOnce(Arc<Database>) -> F + Send + 'static,
    ) -> BoxFuture<'a, Result<T, Error>>
    where
        T: Send + 'static,
        F: Future<Output = Result<T, Error>> + Send + 'static,
    {
        self.call_and(work, |_, _| {})
    }

    /// Calls `told` with the result when the host gets it.
    fn call_and<'a, T, F>(
        &'a self,
        work: impl FnOnce(Arc<Database>) -> F + Send + 'static,
        told: impl FnOnce(&Database, &Result<T, Error>) + Send + 'static,
    ) -> BoxFuture<'a, Result<T, Error>>
    where
        T: Send + 'static,
        F: Future<Output = Result<T, Error>> + Send + 'static,
    {
        let (reply, answer) = oneshot::channel();
        let call = move |database: Arc<Database>| {
            async move {
                let result = work(Arc::clone(&database)).await;
                let hand_over = move |comes: bool| {
                    if comes && !reply.is_closed() {
                        told(&database, &result);
                        let _ = reply.send(result);
                    }
                };
                Box::new(hand_over) as Answer
            }
            .boxed()
        };
        async move {
            self.wires.send(self.sender, Box::new(call));
            let broken = |_| Err(Error::Store(SharedError::new("the connection broke")));
            answer.await.unwrap_or_else(broken)
        }
        .boxed()
    }
}

impl Store for Wire {
    fn acquire<'a>(
        &'a self,
        thread: &'a ThreadId,
        owner: &'a Owner,
        duration: Duration,
    ) -> BoxFuture<'a, Result<ThreadLease, Error>> {
        let (host, thread, owner) = (self.sender, thread.clone(), owner.clone());
        self.call(move |database| async move { database.acquire(host, &thread, &owner, duration).await })
    }

    fn holder<'a>(&'a self, thread: &'a ThreadId) -> BoxFuture<'a, Result<Option<String>, Error>> {
        let thread = thread.clone();
        self.call(move |database| async move { database.store().holder(&thread).await })
    }

    fn renew<'a>(&'a self, lease: &'a ThreadLease, duration: Duration) -> BoxFuture<'a, Result<(), Error>> {
        let lease = lease.clone();
        self.call(move |database| async move { database.renew(&lease, duration).await })
    }

    fn release<'a>(&'a self, lease: &'a ThreadLease) -> BoxFuture<'a, Result<(), Error>> {
        let lease = lease.clone();
        self.call(move |database| async move { database.release(&lease).await })
    }

    fn append<'a>(
        &'a self,
        lease: &'a ThreadLease,
        records: Vec<JournalRecord>,
        joined: Vec<JoinedWrite>,
    ) -> BoxFuture<'a, Result<u64, Error>> {
        assert!(joined.is_empty(), "nobody joins writes here");
        let (lease, wires) = (lease.clone(), Arc::clone(&self.wires));
        let (thread, told) = (lease.thread.clone(), records.clone());
        self.call_and(
            move |database| async move { database.append(&wires, &lease, records).await },
            move |database, result| database.acknowledged(&thread, &told, result),
        )
    }

    fn newest<'a>(
        &'a self,
        thread: &'a ThreadId,
        scope: &'a str,
    ) -> BoxFuture<'a, Result<Option<CheckpointJournal>, Error>> {
        let (thread, scope) = (thread.clone(), scope.to_owned());
        self.call(move |database| async move { database.newest(&thread, &scope).await })
    }

    fn at<'a>(
        &'a self,
        thread: &'a ThreadId,
        position: u64,
    ) -> BoxFuture<'a, Result<Option<CheckpointJournal>, Error>> {
        let thread = thread.clone();
        self.call(move |database| async move { database.store().at(&thread, position).await })
    }

    fn checkpoints<'a>(
        &'a self,
        thread: &'a ThreadId,
        scope: &'a str,
        before: u64,
        limit: usize,
    ) -> BoxFuture<'a, Result<Vec<(u64, JournalRecord)>, Error>> {
        let (thread, scope) = (thread.clone(), scope.to_owned());
        self.call(move |database| async move { database.store().checkpoints(&thread, &scope, before, limit).await })
    }

    fn records<'a>(
        &'a self,
        thread: &'a ThreadId,
        after: u64,
        limit: usize,
    ) -> BoxFuture<'a, Result<Vec<(u64, JournalRecord)>, Error>> {
        let thread = thread.clone();
        self.call(move |database| async move { database.store().records(&thread, after, limit).await })
    }

    fn threads<'a>(&'a self, after: Option<&'a ThreadId>, limit: usize) -> BoxFuture<'a, Result<Vec<ThreadId>, Error>> {
        let after = after.cloned();
        self.call(move |database| async move { database.store().threads(after.as_ref(), limit).await })
    }

    fn prune<'a>(&'a self, _: &'a ThreadLease, _: u64, _: &'a BTreeSet<String>) -> BoxFuture<'a, Result<(), Error>> {
        unimplemented_here("prune")
    }

    fn delete<'a>(&'a self, _: &'a ThreadLease) -> BoxFuture<'a, Result<(), Error>> {
        unimplemented_here("delete")
    }
}

fn unimplemented_here<'a>(what: &str) -> BoxFuture<'a, Result<(), Error>> {
    panic!("no host calls {what}")
}
