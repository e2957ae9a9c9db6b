//! Selection of the writable primary.

use std::collections::BTreeMap;
use std::time::Duration;

use futures::StreamExt;
use futures::stream::FuturesUnordered;
use tokio::time::{Instant, sleep, timeout, timeout_at};

use super::super::connection::{Hello, MongoConnection};
use super::super::error::MongoError;
use super::super::settings::ServerAddress;
use super::SharedClientState;

/// Pause before the next request to the same host.
const PAUSE: Duration = Duration::from_millis(200);

impl SharedClientState {
    /// Connects to the first host reporting to be the primary.
    ///
    /// Queries all hosts concurrently, so that a silent host costs no time, and repeatedly until the selection timeout,
    /// to wait for an election; hosts named by replies are queried as well. Returns [`MongoError::NoPrimary`] on timeout,
    /// and immediately the primary's rejection of the credentials, or an error if no host can ever be used.
    pub(super) async fn connect(&self) -> Result<MongoConnection, MongoError> {
        let deadline = Instant::now() + self.settings.selection_timeout;
        let (mut hosts, mut greetings) = (Vec::new(), FuturesUnordered::new());
        let (mut reasons, mut unsuitable) = (BTreeMap::new(), None);
        for host in self.settings.hosts.iter().cloned().chain(self.pool().learned.clone()) {
            if !hosts.contains(&host) {
                hosts.push(host.clone());
                greetings.push(self.greet_after(Duration::ZERO, host));
            }
        }
        while let Ok(greeting) = timeout_at(deadline, greetings.next()).await {
            let Some((host, greeting)) = greeting else { break };
            let reason = match greeting {
                Ok((connection, hello)) if hello.is_writable_primary => {
                    match self.admit(&host, connection, hello).await {
                        Ok(connection) => return Ok(connection),
                        Err(error) if error.is_transient() => error.to_string(),
                        Err(error) => return Err(error),
                    }
                }
                Ok((_, hello)) => {
                    for member in hello.members {
                        if !self.settings.is_direct && !hosts.contains(&member) {
                            hosts.push(member.clone());
                            greetings.push(self.greet_after(Duration::ZERO, member));
                        }
                    }
                    format!("{host}: not the primary")
                }
                Err(error @ MongoError::Network { .. }) => error.to_string(),
                Err(error) => {
                    reasons.insert(host.to_string(), error.to_string());
                    unsuitable = Some(error);
                    continue;
                }
            };
            reasons.insert(host.to_string(), reason);
            greetings.push(self.greet_after(PAUSE, host));
        }
        if let Some(error) = unsuitable.filter(|_| greetings.is_empty()) {
            return Err(error);
        }
        let reasons: Vec<String> = reasons.into_values().collect();
        let reason = match &reasons[..] {
            [] => format!("no answer in {} ms", self.settings.selection_timeout.as_millis()),
            reasons => reasons.join("; "),
        };
        Err(MongoError::NoPrimary { address: self.settings.address(), reason })
    }

    async fn greet_after(
        &self,
        pause: Duration,
        host: ServerAddress,
    ) -> (ServerAddress, Result<(MongoConnection, Hello), MongoError>) {
        sleep(pause).await;
        let greeting = self.greet(&host).await;
        (host, greeting)
    }

    /// Connects to a host and validates its `hello` against the required replica set.
    async fn greet(&self, host: &ServerAddress) -> Result<(MongoConnection, Hello), MongoError> {
        let limit = self.settings.connect_timeout;
        let answer = timeout(limit, MongoConnection::connect(host, &self.settings, self.tls.as_ref())).await;
        let network = |reason: String| MongoError::Network { host: host.clone(), reason, is_sent: false };
        let (connection, hello) = answer.map_err(|_| network(format!("no answer in {} ms", limit.as_millis())))??;
        match &self.settings.replica_set {
            Some(expected) if hello.replica_set.as_ref() != Some(expected) => {
                let found = hello.replica_set.as_deref().unwrap_or("none");
                Err(network(format!("of the replica set {found}, not {expected}")))
            }
            _ => Ok((connection, hello)),
        }
    }

    /// Authenticates to the primary, and records the primary and the other members.
    async fn admit(
        &self,
        host: &ServerAddress,
        mut connection: MongoConnection,
        hello: Hello,
    ) -> Result<MongoConnection, MongoError> {
        if let Some(credentials) = &self.settings.credentials {
            let limit = self.settings.connect_timeout;
            let login = timeout(limit, connection.authenticate(credentials)).await;
            login.unwrap_or_else(|_| {
                let reason = format!("no end of the login in {} ms", limit.as_millis());
                Err(MongoError::Network { host: host.clone(), reason, is_sent: false })
            })?;
        }
        let mut pool = self.pool();
        if !self.settings.is_direct {
            pool.learned = hello.members;
        }
        if pool.primary.as_ref() != Some(host) {
            pool.idle.clear();
            pool.primary = Some(host.clone());
        }
        Ok(connection)
    }
}
