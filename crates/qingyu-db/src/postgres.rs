//! A PostgreSQL database: settings, a connection pool, migrations.

use std::fmt;
use std::time::Duration;

use deadpool_postgres::{Manager, ManagerConfig, Pool, PoolError, QueueMode, RecyclingMethod, Runtime};
use tokio_postgres::config::Host;
use tokio_postgres::{Config, NoTls, Transaction};

use crate::{Durability, Error, SqlMigrations};

/// A pooled connection, returned to the pool on drop.
pub type PostgresClient = deadpool_postgres::Object;

const LEDGER: &str = "CREATE TABLE IF NOT EXISTS migration(
    owner text NOT NULL,
    position bigint NOT NULL,
    name text NOT NULL,
    sql text NOT NULL,
    PRIMARY KEY (owner, position)
)";

/// The settings of a PostgreSQL database.
#[derive(Clone)]
pub struct PostgresSettings {
    /// The connection string: `postgresql://user:password@host:5432/database`, or in libpq's form (`host=… user=…`).
    pub url: String,
    /// The schema of all tables, created if missing. Letters, digits and `_`; defaults to `qingyu`.
    pub schema: String,
    /// The durability of a commit; defaults to full.
    pub durability: Durability,
    /// The most connections in the pool; at least two, by default eight.
    pub connections: usize,
    /// The timeout for opening a connection; defaults to 5 seconds.
    pub connect_timeout: Duration,
    /// The timeout for a free connection or a lock; defaults to 5 seconds.
    pub busy_timeout: Duration,
    /// The timeout of a statement; defaults to 15 seconds.
    pub statement_timeout: Duration,
    /// The idle timeout of a transaction, for example of a frozen process, enforced by the server; defaults to 2
    /// seconds. The rows stay locked until the timeout, so the value should be shorter than a lease.
    pub idle_timeout: Duration,
}

impl PostgresSettings {
    /// Returns the default settings for the server at `url`.
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
        // Detects a server which vanished without closing the connection.
        config.tcp_user_timeout(self.statement_timeout);
        if config.get_application_name().is_none() {
            config.application_name("qingyu");
        }
        Ok(config)
    }
}

/// Omits the password of the URL.
impl fmt::Debug for PostgresSettings {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("PostgresSettings")
            .field("schema", &self.schema)
            .field("connections", &self.connections)
            .finish_non_exhaustive()
    }
}

/// Returns whether a name needs no quotes in SQL and start options.
fn is_plain(name: &str) -> bool {
    let starts = name.starts_with(|letter: char| letter.is_ascii_lowercase() || letter == '_');
    let plain = |letter: char| letter.is_ascii_lowercase() || letter.is_ascii_digit() || letter == '_';
    starts && name.len() <= 63 && name.chars().all(plain)
}

/// A schema on a PostgreSQL server. Cheap to clone; dropping the last clone closes the connections.
#[derive(Clone)]
pub struct Postgres {
    pool: Pool,
    server: String,
    schema: String,
    statement_timeout: Duration,
}

impl Postgres {
    /// Connects once to validate the settings.
    pub async fn open(settings: PostgresSettings) -> Result<Self, Error> {
        let config = settings.config()?;
        let server = server_of(&config);
        let manager = Manager::from_config(config, NoTls, ManagerConfig { recycling_method: RecyclingMethod::Fast });
        let pool = Pool::builder(manager)
            .max_size(settings.connections.max(2))
            .wait_timeout(Some(settings.busy_timeout))
            .create_timeout(Some(settings.connect_timeout))
            // Last in, first out: the last used connection has prepared statements and warm caches.
            .queue_mode(QueueMode::Lifo)
            .runtime(Runtime::Tokio1)
            .build()
            .map_err(|error| Error::Unreachable { server: server.clone(), reason: error.to_string() })?;
        let postgres = Self { pool, server, schema: settings.schema, statement_timeout: settings.statement_timeout };
        drop(postgres.client().await?);
        Ok(postgres)
    }

    /// Returns the host and port for display.
    pub fn server(&self) -> &str {
        &self.server
    }

    /// Returns the timeout for the answer to a statement: slightly longer than the server's own timeout, so the
    /// server's error arrives first.
    pub(crate) fn answer_limit(&self) -> Duration {
        self.statement_timeout + Duration::from_secs(1)
    }

    /// Returns a connection from the pool.
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

    /// Applies the new files of `migrations` in a single transaction.
    ///
    /// Concurrent processes wait for each other's lock.
    pub async fn migrate(&self, migrations: &SqlMigrations) -> Result<(), Error> {
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

    /// `CREATE SCHEMA IF NOT EXISTS` requires the privilege to create a schema even where the schema exists.
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

/// Returns the host and port for display.
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
