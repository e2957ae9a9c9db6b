//! A PostgreSQL server: settings, a pool of connections, migrations.

use std::fmt;
use std::time::Duration;

use deadpool_postgres::{Manager, ManagerConfig, Pool, PoolError, QueueMode, RecyclingMethod, Runtime};
use tokio_postgres::config::Host;
use tokio_postgres::{Config, NoTls, Transaction};

use crate::{Durability, Error, Migrations};

/// A connection that goes back to its pool when it is dropped.
pub type PostgresClient = deadpool_postgres::Object;

const LEDGER: &str = "CREATE TABLE IF NOT EXISTS migration(
    owner text NOT NULL,
    position bigint NOT NULL,
    name text NOT NULL,
    sql text NOT NULL,
    PRIMARY KEY (owner, position)
)";

/// How a server is reached.
#[derive(Clone)]
pub struct PostgresSettings {
    /// `postgresql://user:password@host:5432/database`, or the same in libpq's words (`host=… user=…`).
    pub url: String,
    /// The schema that all tables stand in; made if it does not exist. Letters, digits and `_`.
    pub schema: String,
    /// What a commit survives.
    pub durability: Durability,
    /// How many connections there are at most; at least two.
    pub connections: usize,
    /// How long to wait for a new connection.
    pub connect_timeout: Duration,
    /// How long to wait for a free connection or for somebody else's lock.
    pub busy_timeout: Duration,
    /// How long one statement may take.
    pub statement_timeout: Duration,
    /// How long a transaction may stand idle, as it does when its process is frozen, until the server ends it. Nobody
    /// else gets at its rows before, so it should be shorter than a lease.
    pub idle_timeout: Duration,
}

impl PostgresSettings {
    /// The usual settings for the server at `url`.
    pub fn new(url: impl Into<String>) -> Self {
        Self {
            url: url.into(),
            schema: "qingyu".to_owned(),
            durability: Durability::Full,
            connections: 8,
            connect_timeout: Duration::from_secs(5),
            busy_timeout: Duration::from_secs(5),
            statement_timeout: Duration::from_secs(15),
            idle_timeout: Duration::from_secs(2),
        }
    }

    fn config(&self) -> Result<Config, Error> {
        let refused = |reason: String| Error::Unreachable { server: "PostgreSQL".to_owned(), reason };
        if !is_plain(&self.schema) {
            return Err(refused(format!("`{}` cannot be the name of a schema", self.schema)));
        }
        let mut config: Config = self.url.parse().map_err(|error| refused(crate::error::chain(&error)))?;
        let timeout = |name, duration: Duration| format!("-c {name}={}", duration.as_millis());
        let options = [
            config.get_options().unwrap_or_default().to_owned(),
            format!("-c search_path={}", self.schema),
            format!("-c synchronous_commit={}", self.durability.synchronous_commit()),
            timeout("statement_timeout", self.statement_timeout),
            timeout("lock_timeout", self.busy_timeout),
            timeout("idle_in_transaction_session_timeout", self.idle_timeout),
        ];
        config.options(options.join(" ").trim());
        config.connect_timeout(self.connect_timeout);
        // A server that vanished without a word is noticed.
        config.tcp_user_timeout(self.statement_timeout);
        if config.get_application_name().is_none() {
            config.application_name("qingyu");
        }
        Ok(config)
    }
}

/// Keeps the password of the URL to itself.
impl fmt::Debug for PostgresSettings {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("PostgresSettings")
            .field("schema", &self.schema)
            .field("connections", &self.connections)
            .finish_non_exhaustive()
    }
}

/// Whether a name needs no quotes, so that it can stand in SQL and in start options.
fn is_plain(name: &str) -> bool {
    let starts = name.starts_with(|letter: char| letter.is_ascii_lowercase() || letter == '_');
    let plain = |letter: char| letter.is_ascii_lowercase() || letter.is_ascii_digit() || letter == '_';
    starts && name.len() <= 63 && name.chars().all(plain)
}

/// One schema on a PostgreSQL server. Cheap to clone; the last clone closes its connections.
#[derive(Clone)]
pub struct Postgres {
    pool: Pool,
    server: String,
    schema: String,
    statement_timeout: Duration,
}

impl Postgres {
    /// Connects once, to be sure that the server answers.
    pub async fn open(settings: PostgresSettings) -> Result<Self, Error> {
        let config = settings.config()?;
        let server = server_of(&config);
        let manager = Manager::from_config(config, NoTls, ManagerConfig { recycling_method: RecyclingMethod::Fast });
        let pool = Pool::builder(manager)
            .max_size(settings.connections.max(2))
            .wait_timeout(Some(settings.busy_timeout))
            .create_timeout(Some(settings.connect_timeout))
            // The connection used last has its statements prepared and its pages warm.
            .queue_mode(QueueMode::Lifo)
            .runtime(Runtime::Tokio1)
            .build()
            .map_err(|error| Error::Unreachable { server: server.clone(), reason: error.to_string() })?;
        let postgres = Self { pool, server, schema: settings.schema, statement_timeout: settings.statement_timeout };
        drop(postgres.client().await?);
        Ok(postgres)
    }

    /// Host and port, for people.
    pub fn server(&self) -> &str {
        &self.server
    }

    /// How long to wait for the answer to one statement: a little longer than the server allows itself, so that its own
    /// error comes first if it is there to give one.
    pub fn answer_limit(&self) -> Duration {
        self.statement_timeout + Duration::from_secs(1)
    }

    /// A connection of the pool.
    pub async fn client(&self) -> Result<PostgresClient, Error> {
        let unreachable = |reason| Error::Unreachable { server: self.server.clone(), reason };
        self.pool.get().await.map_err(|error| match error {
            PoolError::Timeout(deadpool_postgres::TimeoutType::Wait) => Error::Busy,
            PoolError::Timeout(_) => unreachable("it did not answer in time".to_owned()),
            PoolError::Backend(error) => match Error::from(error) {
                Error::Postgres(error) => unreachable(error.to_string()),
                Error::Unreachable { reason, .. } => unreachable(reason),
                other => other,
            },
            other => unreachable(other.to_string()),
        })
    }

    /// Applies those files of `migrations` that are new here; all of them or none.
    ///
    /// Processes that start at the same time wait for each other.
    pub async fn migrate(&self, migrations: &Migrations) -> Result<(), Error> {
        let mut client = self.client().await?;
        let tx = client.transaction().await?;
        let lock = format!("qingyu migrations in {}", self.schema);
        tx.execute("SELECT pg_advisory_xact_lock(hashtextextended($1, 0))", &[&lock]).await?;
        self.make_schema(&tx).await?;
        tx.batch_execute(LEDGER).await?;
        let select = "SELECT name, sql FROM migration WHERE owner = $1 ORDER BY position";
        let applied = tx.query(select, &[&migrations.owner]).await?;
        let applied: Vec<_> = applied.iter().map(|row| (row.get(0), row.get(1))).collect();
        for (position, (name, sql)) in migrations.unapplied(&applied)? {
            tx.batch_execute(sql).await?;
            let insert = "INSERT INTO migration(owner, position, name, sql) VALUES ($1, $2, $3, $4)";
            tx.execute(insert, &[&migrations.owner, &position, name, sql]).await?;
        }
        Ok(tx.commit().await?)
    }

    /// `CREATE SCHEMA IF NOT EXISTS` would need the right to make one even where it exists.
    async fn make_schema(&self, tx: &Transaction<'_>) -> Result<(), Error> {
        let row = tx.query_one("SELECT to_regnamespace($1) IS NULL", &[&self.schema]).await?;
        if row.get(0) {
            tx.batch_execute(&format!("CREATE SCHEMA {}", self.schema)).await?;
        }
        Ok(())
    }
}

impl fmt::Debug for Postgres {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Postgres").field("server", &self.server).field("schema", &self.schema).finish()
    }
}

/// Host and port, for people.
fn server_of(config: &Config) -> String {
    let hosts = config.get_hosts().iter().map(|host| match host {
        Host::Tcp(name) => name.clone(),
        #[cfg(unix)]
        Host::Unix(path) => path.display().to_string(),
    });
    let hosts: Vec<_> = hosts.collect();
    let port = config.get_ports().first().copied().unwrap_or(5432);
    format!("{}:{port}", hosts.join(","))
}
