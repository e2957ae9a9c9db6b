//! A process that serves: it keeps its lease, goes on with runs that dead servers have left, stops runs that somebody wants
//! stopped, and hands its own over when it goes.

use std::time::Duration;

use futures::{StreamExt, stream};
use qingyu_graph::store::Owner;
use qingyu_memory::UserId;
use qingyu_store::{OwnedRun, Run, RunStatus as Kept, ServerId};
use tokio::time::{Instant, MissedTickBehavior, interval};
use tokio_util::sync::CancellationToken;

use crate::observer::Notice;
use crate::operations::ResumeRequest;
use crate::work::OnwardCommand;
use crate::{Error, EventKind, Studio};

/// How long a server counts as alive after it was heard last.
const LEASE: Duration = Duration::from_secs(6);
/// How often it is heard.
const HEARTBEAT: Duration = Duration::from_secs(2);
/// How often it looks for what is to be stopped.
const STOPS: Duration = Duration::from_millis(400);
/// How often it looks for what others have left.
const TAKE_OVER: Duration = Duration::from_millis(500);
/// How often it looks whether somebody works on what it is said to work on. Whose row is written has a task within that time.
const IDLE: Duration = Duration::from_secs(5);
/// How often it looks whether the keys of those who listen hold still.
const EARS: Duration = Duration::from_secs(1);
/// How many runs are taken over at once.
const AT_ONCE: usize = 256;
/// How many of them side by side.
const ABREAST: usize = 8;
/// How often a run may be taken over from dead servers without having come further, once in the time of a lease.
const STALLS: u64 = 5;
/// The most records that are looked at for where a run stands.
const RECORDS: usize = 1 << 20;
/// How long runs have for coming to a checkpoint when the server goes.
const FAREWELL: Duration = Duration::from_secs(10);

/// A studio that serves.
#[derive(Debug)]
pub struct Serving {
    studio: Studio,
    server: ServerId,
    name: String,
}

/// Why nobody works on a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Left {
    /// Its server has died.
    ByTheDead,
    /// It is this server's own, and something was in the way, such as a database that was away.
    Adrift,
    /// It is this server's own, which does not know of it.
    Forgotten,
}

impl Studio {
    /// Makes this process a server, called `name` for people. Runs that are begun from now on are its own, and go on
    /// elsewhere if it dies.
    ///
    /// Fails with [`Error::Internal`] if it is one already.
    pub async fn begin_serving(&self, name: &str) -> Result<Serving, Error> {
        let server = ServerId::new();
        self.beat(&server, name).await?;
        if !self.become_server(server.clone()) {
            return Err(Error::Internal { message: "this process serves already".into() });
        }
        self.room().limit(self.server_settings().runs);
        Ok(Serving { studio: self.clone(), server, name: name.to_owned() })
    }

    async fn beat(&self, server: &ServerId, name: &str) -> Result<(), Error> {
        let process = serde_json::json!(Owner::this_process()).to_string();
        let heard = self.servers_table().beat(server, name, &process, LEASE).await;
        heard.map_err(|error| self.place("").store(error))
    }

    /// How many runs are worked on in this process.
    pub fn runs_at_work(&self) -> usize {
        self.live().count()
    }
}

impl Serving {
    /// The id of the server.
    pub fn server(&self) -> &str {
        self.server.as_str()
    }

    /// Serves until `stop`, then hands over what it works on. A database that is away for a while is waited for.
    pub async fn run(self, stop: CancellationToken) {
        // Each by itself: however much there is to take over, the server is heard in time.
        let access = self.studio.access();
        let looking = futures::future::join5(
            every(HEARTBEAT, || self.beat()),
            every(STOPS, || self.stop_what_is_to_stop()),
            every(TAKE_OVER, || self.take_over()),
            every(IDLE, || self.look_for_idle_runs()),
            every(EARS, || access.close_ears()),
        );
        tokio::select! {
            () = stop.cancelled() => {}
            _ = looking => {}
        }
        self.hand_over().await;
    }

    /// Says that it is alive, and which others on this machine are not: their runs need not wait until their leases have run out.
    async fn beat(&self) -> Result<(), Error> {
        self.studio.beat(&self.server, &self.name).await?;
        let (table, bad) = (self.studio.servers_table(), |error| self.studio.place("").store(error));
        for (server, process) in table.others(&self.server).await.map_err(bad)? {
            if serde_json::from_str(&process).is_ok_and(|process: Owner| process.is_dead()) {
                tracing::info!(server = server.as_str(), "has ended without a word");
                table.ended(&server).await.map_err(bad)?;
            }
        }
        Ok(())
    }

    async fn stop_what_is_to_stop(&self) -> Result<(), Error> {
        let runs = self.studio.servers_table().to_stop(&self.server).await;
        for owned in runs.map_err(|error| self.studio.place("").store(error))? {
            self.studio.live().cancel(&owned.run);
        }
        Ok(())
    }

    /// Looks for runs of this server that nobody works on: whoever loses its connection after COMMIT was sent is told that nothing
    /// was written, though it may have been, and that may be a run, or that one goes on.
    async fn look_for_idle_runs(&self) -> Result<(), Error> {
        let said = self.studio.servers_table().at_work(&self.server).await;
        let idle = self.studio.live().idle(said.map_err(|error| self.studio.place("").store(error))?);
        // Counted like those of others, so that a run whose task dies again and again is given up as well.
        stream::iter(idle).for_each_concurrent(ABREAST, |owned| self.take(owned, Left::Forgotten)).await;
        Ok(())
    }

    /// Goes on with what others have left, as far as there is room.
    async fn take_over(&self) -> Result<(), Error> {
        let room = self.studio.room().left().min(AT_ONCE);
        if room == 0 {
            return Ok(());
        }
        let left = self.studio.servers_table().abandoned(room).await;
        let left = left.map_err(|error| self.studio.place("").store(error))?;
        let adrift = self.studio.live().take_adrift();
        let adrift = adrift.into_iter().map(|owned| (owned, Left::Adrift));
        let left = adrift.chain(left.into_iter().map(|owned| (owned, Left::ByTheDead)));
        stream::iter(left).for_each_concurrent(ABREAST, |(owned, left)| self.take(owned, left)).await;
        Ok(())
    }

    /// Goes on with a run that nobody works on.
    async fn take(&self, owned: OwnedRun, left: Left) {
        let run = &owned.run;
        let is_there = left == Left::Adrift || self.claim(&owned).await;
        if !is_there {
            return;
        }
        match self.studio.go_on_with_own(&owned).await {
            Ok(()) => {
                tracing::info!(%run, ?left, "gone on with");
                if left == Left::ByTheDead {
                    self.studio.observers().notice(Notice::TakenOver);
                }
            }
            Err(error) if error.is_passing() => self.studio.live().leave_adrift(owned),
            Err(error) => tracing::warn!(%run, ?left, %error, "could not be gone on with"),
        }
    }

    /// Makes a run this server's. Gives whether it is to be gone on with.
    async fn claim(&self, owned: &OwnedRun) -> bool {
        let claimed = self.studio.claim(owned, &self.server).await;
        claimed.unwrap_or_else(|error| {
            // Its lease lasts a little longer, or another server was faster: it is looked for again.
            if !error.is_passing() {
                tracing::warn!(run = owned.run, %error, "could not be claimed");
            }
            false
        })
    }

    async fn hand_over(&self) {
        self.studio.room().close();
        self.studio.live().hand_over();
        let until = Instant::now() + FAREWELL;
        while self.studio.runs_at_work() > 0 && Instant::now() < until {
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
        for run in self.studio.live().runs() {
            tracing::warn!(%run, "did not come to a checkpoint in time; it is gone on with when its lease has run out");
        }
        if let Err(error) = self.studio.servers_table().leave(&self.server).await {
            tracing::warn!(%error, "the server could not say that it goes");
        }
    }
}

/// Does something again and again, for ever, and says in the log if it cannot be done.
async fn every<F: Future<Output = Result<(), Error>>>(period: Duration, mut work: impl FnMut() -> F) {
    let mut ticks = interval(period);
    ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
    loop {
        ticks.tick().await;
        if let Err(error) = work().await {
            tracing::warn!(%error, "the server could not look after its runs");
        }
    }
}

impl Studio {
    /// Makes a run that a dead server has left this server's, unless it has killed too many. Gives whether it is to be gone on with.
    async fn claim(&self, owned: &OwnedRun, server: &ServerId) -> Result<bool, Error> {
        let studio = self.of_owner(owned).await?;
        let Some(run) = studio.left(owned).await? else { return Ok(false) };
        let position = studio.position(&run.id).await?;
        let stalls = studio.runs_table().taken_over(&run, server, position, LEASE).await;
        if stalls.map_err(|error| studio.place(&run.id).store(error))? <= STALLS {
            return Ok(true);
        }
        let run = Run { server: Some(server.as_str().to_owned()), ..run };
        let failure = Error::Stalled { run: run.id.clone(), times: STALLS }.failure();
        let ended = studio.write_down_end(&run, Kept::Failed, EventKind::Failed { failure }).await;
        // It is this server's now, so nobody else looks after it.
        ended.inspect_err(|_| self.live().leave_adrift(owned.clone())).map(|()| false)
    }

    async fn go_on_with_own(&self, owned: &OwnedRun) -> Result<(), Error> {
        let studio = self.of_owner(owned).await?;
        let Some(run) = studio.left(owned).await? else { return Ok(()) };
        match studio.go_on_with(run.clone(), ResumeRequest::default(), OnwardCommand::Same).await {
            Ok(_) => Ok(()),
            Err(error) if error.is_passing() => Err(error),
            Err(error) => {
                studio.write_down_end(&run, Kept::Failed, EventKind::Failed { failure: error.failure() }).await
            }
        }
    }

    async fn of_owner(&self, owned: &OwnedRun) -> Result<Self, Error> {
        let user = UserId::new(&owned.user).map_err(|error| Error::Internal { message: error.to_string() })?;
        Ok(self.of(&self.access().scope_of_run(user, owned.key.as_deref()).await?))
    }

    /// The run, if it is to be gone on with; if somebody wants it stopped, that is written down instead. Fails with
    /// [`Error::ThreadBusy`] if it is worked on.
    async fn left(&self, owned: &OwnedRun) -> Result<Option<Run>, Error> {
        let (id, table) = (&owned.run, self.runs_table());
        let place = self.place(id);
        let run = table.get(id).await.map_err(|error| place.store(error))?;
        if run.status != Kept::Running {
            return Ok(None);
        }
        if self.is_running(id).await? {
            return Err(Error::ThreadBusy { run: run.id });
        }
        if table.is_to_stop(id).await.map_err(|error| place.store(error))? {
            return self.write_down_end(&run, Kept::Interrupted, EventKind::Interrupted).await.map(|()| None);
        }
        Ok(Some(run))
    }

    /// Where the run's thread stands in its journal: a checkpoint moves it on, and so does a paid step.
    async fn position(&self, id: &str) -> Result<u64, Error> {
        let (place, thread) = (self.place(id), id.into());
        let newest = self.threads().newest(&thread, "").await.map_err(|error| place.graph(&error))?;
        let Some(newest) = newest else { return Ok(0) };
        let after = self.threads().records(&thread, newest.head, RECORDS).await;
        let after = after.map_err(|error| place.graph(&error))?;
        Ok(after.last().map_or(newest.head, |(position, _)| *position))
    }
}
