//! Server processes: renewing the lease, taking over runs of dead servers, stopping cancelled runs, and handing over
//! runs at shutdown.

use std::time::Duration;

use futures::{StreamExt, stream};
use jiff::Timestamp;
use qingyu_graph::store::Owner;
use qingyu_memory::UserId;
use qingyu_store::{OwnedRun, Run, RunStatus as Kept, ServerId};
use tokio::time::{Instant, MissedTickBehavior, interval};
use tokio_util::sync::CancellationToken;

use crate::error::Error;
use crate::runs::config::OnwardCommand;
use crate::runs::event::StudioEventKind;
use crate::runs::observer::ProcessNotice;
use crate::runs::requests::ResumeRequest;
use crate::studio::Studio;

/// The lease of a server after its last heartbeat.
const LEASE: Duration = Duration::from_secs(6);
/// The interval of heartbeats.
const HEARTBEAT: Duration = Duration::from_secs(2);
/// The interval of polls for runs to stop.
const STOPS: Duration = Duration::from_millis(400);
/// The interval of polls for runs to take over.
const TAKE_OVER: Duration = Duration::from_millis(500);
/// The interval of polls for idle runs of this server. A run gets its task within this interval after its row is
/// written.
const IDLE: Duration = Duration::from_secs(5);
/// The interval of looks for a scheduled backup that is due.
const BACKUPS: Duration = Duration::from_secs(30);
/// The interval of looks for scheduled productions that are due.
const SCHEDULES: Duration = Duration::from_secs(30);
/// The interval of validation of subscribers' keys.
const EARS: Duration = Duration::from_secs(1);
/// The maximum number of runs per takeover.
const AT_ONCE: usize = 256;
/// The number of concurrent takeovers.
const ABREAST: usize = 8;
/// The maximum number of takeovers of a run without progress, at most one per lease.
const STALLS: u64 = 5;
/// The maximum number of records fetched to find a run's position.
const RECORDS: usize = 1 << 20;
/// The timeout for active runs to reach a checkpoint at shutdown.
const FAREWELL: Duration = Duration::from_secs(10);

/// A studio registered as a server.
#[derive(Debug)]
pub struct Serving {
    studio: Studio,
    server: ServerId,
    name: String,
}

/// The reason for a run without a worker.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum OrphanReason {
    /// The server of the run died.
    ByTheDead,
    /// A run of this server, blocked by a temporary failure such as an unavailable database.
    Adrift,
    /// A run assigned to this server without a local task.
    Forgotten,
}

impl Studio {
    /// Registers this process as a server with the display name `name`. The server owns all runs started from now on;
    /// other servers take them over if it dies.
    ///
    /// Returns [`Error::Internal`] if the process is a server already.
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

    /// Returns the number of runs of this process.
    pub fn runs_at_work(&self) -> usize {
        self.live().count()
    }
}

impl Serving {
    /// Returns the ID of the server.
    pub fn server(&self) -> &str {
        self.server.as_str()
    }

    /// Serves until `stop`, then hands over its runs. Waits for a temporarily unavailable database.
    pub async fn run(self, stop: CancellationToken) {
        // Concurrent loops: long takeovers must not delay the heartbeat.
        let access = self.studio.access();
        let looking = futures::future::join5(
            every(HEARTBEAT, || self.beat()),
            every(STOPS, || self.stop_what_is_to_stop()),
            every(TAKE_OVER, || self.take_over()),
            every(IDLE, || self.look_for_idle_runs()),
            every(EARS, || access.close_ears()),
        );
        let backups = every(BACKUPS, || self.studio.back_up_if_due());
        let schedules = every(SCHEDULES, || self.studio.start_due_productions(Timestamp::now()));
        tokio::select! {
            () = stop.cancelled() => {}
            _ = looking => {}
            () = backups => {}
            () = schedules => {}
            never = self.studio.keep_mirrors() => match never {},
        }
        self.hand_over().await;
    }

    /// Sends the heartbeat, and reports dead servers on the same machine, so their runs can be taken over before the
    /// lease expires.
    async fn beat(&self) -> Result<(), Error> {
        self.studio.beat(&self.server, &self.name).await?;
        let (table, bad) = (self.studio.servers_table(), |error| self.studio.place("").store(error));
        for (server, process) in table.others(&self.server).await.map_err(bad)? {
            if serde_json::from_str(&process).is_ok_and(|process: Owner| process.is_dead()) {
                tracing::info!(server = server.as_str(), "server died");
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

    /// Finds runs of this server without a task: after a connection loss during COMMIT the transaction counts as failed
    /// but may have been committed, leaving a started or resumed run without a task.
    async fn look_for_idle_runs(&self) -> Result<(), Error> {
        let said = self.studio.servers_table().at_work(&self.server).await;
        let idle = self.studio.live().idle(said.map_err(|error| self.studio.place("").store(error))?);
        // Counts as a takeover, so a run with a repeatedly dying task is given up as well.
        stream::iter(idle).for_each_concurrent(ABREAST, |owned| self.take(owned, OrphanReason::Forgotten)).await;
        Ok(())
    }

    /// Takes over runs of dead servers, up to the number of available permits.
    async fn take_over(&self) -> Result<(), Error> {
        let room = self.studio.room().left().min(AT_ONCE);
        if room == 0 {
            return Ok(());
        }
        let left = self.studio.servers_table().abandoned(room).await;
        let left = left.map_err(|error| self.studio.place("").store(error))?;
        let adrift = self.studio.live().take_adrift();
        let adrift = adrift.into_iter().map(|owned| (owned, OrphanReason::Adrift));
        let left = adrift.chain(left.into_iter().map(|owned| (owned, OrphanReason::ByTheDead)));
        stream::iter(left).for_each_concurrent(ABREAST, |(owned, left)| self.take(owned, left)).await;
        Ok(())
    }

    /// Resumes a run without a worker.
    async fn take(&self, owned: OwnedRun, left: OrphanReason) {
        let run = &owned.run;
        let is_there = left == OrphanReason::Adrift || self.claim(&owned).await;
        if !is_there {
            return;
        }
        match self.studio.resume_owned(&owned).await {
            Ok(()) => {
                tracing::info!(%run, ?left, "run resumed");
                if left == OrphanReason::ByTheDead {
                    self.studio.observers().notice(ProcessNotice::TakenOver);
                }
            }
            Err(error) if error.is_passing() => self.studio.live().leave_adrift(owned),
            Err(error) => tracing::warn!(%run, ?left, %error, "failed to resume a run"),
        }
    }

    /// Claims a run for this server. Returns whether to resume the run.
    async fn claim(&self, owned: &OwnedRun) -> bool {
        let claimed = self.studio.claim(owned, &self.server).await;
        claimed.unwrap_or_else(|error| {
            // The lease has not expired yet, or another server was faster; the next poll retries.
            if !error.is_passing() {
                tracing::warn!(run = owned.run, %error, "failed to claim a run");
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
            tracing::warn!(%run, "run reached no checkpoint before shutdown; it is resumed when its lease expires");
        }
        if let Err(error) = self.studio.servers_table().leave(&self.server).await {
            tracing::warn!(%error, "failed to unregister the server");
        }
    }
}

/// Repeats the work forever, and logs errors.
async fn every<F: Future<Output = Result<(), Error>>>(period: Duration, mut work: impl FnMut() -> F) {
    let mut ticks = interval(period);
    ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
    loop {
        ticks.tick().await;
        if let Err(error) = work().await {
            tracing::warn!(%error, "periodic work of the server failed");
        }
    }
}

impl Studio {
    /// Claims a run of a dead server for this server, or stores a failure if the run exceeded the limit on takeovers.
    /// Returns whether to resume the run.
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
        let ended = studio.write_down_end(&run, Kept::Failed, StudioEventKind::Failed { failure }).await;
        // The run belongs to this server now, so no other server will retry.
        ended.inspect_err(|_| self.live().leave_adrift(owned.clone())).map(|()| false)
    }

    async fn resume_owned(&self, owned: &OwnedRun) -> Result<(), Error> {
        let studio = self.of_owner(owned).await?;
        let Some(run) = studio.left(owned).await? else { return Ok(()) };
        match studio.resume_run(run.clone(), ResumeRequest::default(), OnwardCommand::Same).await {
            Ok(_) => Ok(()),
            Err(error) if error.is_passing() => Err(error),
            Err(error) => {
                studio.write_down_end(&run, Kept::Failed, StudioEventKind::Failed { failure: error.failure() }).await
            }
        }
    }

    async fn of_owner(&self, owned: &OwnedRun) -> Result<Self, Error> {
        let user = UserId::new(&owned.user).map_err(|error| Error::Internal { message: error.to_string() })?;
        Ok(self.of(&self.access().scope_of_run(user, owned.key.as_deref()).await?))
    }

    /// Returns the run to resume; stores the interruption and returns `None` for a cancelled run. Returns
    /// [`Error::ThreadBusy`] if the run has a worker.
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
            return self.write_down_end(&run, Kept::Interrupted, StudioEventKind::Interrupted).await.map(|()| None);
        }
        Ok(Some(run))
    }

    /// Returns the run's position in the thread's journal, advanced by checkpoints and paid steps.
    async fn position(&self, id: &str) -> Result<u64, Error> {
        let (place, thread) = (self.place(id), id.into());
        let newest = self.threads().newest(&thread, "").await.map_err(|error| place.graph(&error))?;
        let Some(newest) = newest else { return Ok(0) };
        let after = self.threads().records(&thread, newest.head, RECORDS).await;
        let after = after.map_err(|error| place.graph(&error))?;
        Ok(after.last().map_or(newest.head, |(position, _)| *position))
    }
}
