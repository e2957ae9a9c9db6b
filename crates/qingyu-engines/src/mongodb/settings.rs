//! Parser of the [connection string](https://www.mongodb.com/docs/manual/reference/connection-string/).

mod options;
#[cfg(test)]
mod tests;

use std::fmt;
use std::time::Duration;

use percent_encoding::percent_decode_str;

use super::bson::BsonDocument;

const DEFAULT_PORT: u16 = 27017;

/// A server.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct ServerAddress {
    pub(super) name: String,
    pub(super) port: u16,
}

/// A user, and the database to authenticate against.
#[derive(Clone, PartialEq, Eq)]
pub(super) struct Credentials {
    pub(super) user: String,
    pub(super) password: String,
    pub(super) source: String,
}

/// The contents of a connection string. Without `Debug`, because of the password.
pub(super) struct MongoSettings {
    /// The hosts, at least one.
    pub(super) hosts: Vec<ServerAddress>,
    pub(super) credentials: Option<Credentials>,
    /// The required name of the replica set.
    pub(super) replica_set: Option<String>,
    /// Whether only the listed host is used.
    pub(super) is_direct: bool,
    pub(super) has_tls: bool,
    pub(super) app_name: String,
    /// Timeout of a connection from the first packet to the end of authentication.
    pub(super) connect_timeout: Duration,
    /// Timeout of the search for a primary, and of the wait for a free connection.
    pub(super) selection_timeout: Duration,
    /// Timeout of a command and its reply.
    pub(super) command_timeout: Duration,
    /// Maximum number of connections.
    pub(super) pool_size: usize,
    /// Maximum age of an idle connection; older connections are closed.
    pub(super) max_idle: Option<Duration>,
    pub(super) retries_reads: bool,
    pub(super) retries_writes: bool,
    /// The write concern; empty for the server's default.
    pub(super) write_concern: BsonDocument,
    /// The read concern; empty for the server's default.
    pub(super) read_concern: BsonDocument,
}

impl MongoSettings {
    /// Parses a connection string. The error is a message for the user without user name and password.
    pub(super) fn parse(url: &str) -> Result<Self, String> {
        if url.starts_with("mongodb+srv://") {
            return Err("mongodb+srv:// needs DNS records that are not looked up here: write the hosts out as \
                        mongodb://host1:27017,host2:27017/?replicaSet=NAME&tls=true"
                .to_owned());
        }
        let rest = url.strip_prefix("mongodb://").ok_or("it is not mongodb://host:port/")?;
        let end = rest.find(['/', '?']).unwrap_or(rest.len());
        let (authority, rest) = rest.split_at(end);
        // Otherwise the text after an unescaped `/` or `?` of a password would be shown as the name of an option.
        if rest.contains('@') {
            return Err("there is an @ after the hosts: write / as %2F, ? as %3F and @ as %40".to_owned());
        }
        let (path, query) = rest.split_once('?').unwrap_or((rest, ""));
        let database = decode(path.strip_prefix('/').unwrap_or_default(), "the database")?;
        let (login, hosts) = match authority.rsplit_once('@') {
            Some((login, hosts)) => (Some(login), hosts),
            None => (None, authority),
        };
        let hosts: Vec<ServerAddress> = hosts.split(',').map(ServerAddress::parse).collect::<Result<_, _>>()?;
        let mut settings = Self::of(hosts);
        let source = options::read(&mut settings, query)?;
        if settings.is_direct && settings.hosts.len() > 1 {
            return Err("directConnection allows one host only".to_owned());
        }
        if let Some(login) = login {
            let default = if database.is_empty() { "admin".to_owned() } else { database };
            settings.credentials = Some(Credentials::parse(login, source.unwrap_or(default))?);
        }
        Ok(settings)
    }

    fn of(hosts: Vec<ServerAddress>) -> Self {
        Self {
            hosts,
            credentials: None,
            replica_set: None,
            is_direct: false,
            has_tls: false,
            app_name: "qingyu".to_owned(),
            connect_timeout: Duration::from_secs(5),
            selection_timeout: Duration::from_secs(5),
            command_timeout: Duration::from_secs(30),
            pool_size: 8,
            max_idle: None,
            retries_reads: true,
            retries_writes: true,
            write_concern: BsonDocument::default(),
            read_concern: BsonDocument::default(),
        }
    }

    /// Returns the hosts for error messages.
    pub(super) fn address(&self) -> String {
        self.hosts.iter().map(ToString::to_string).collect::<Vec<_>>().join(",")
    }
}

impl ServerAddress {
    /// Parses `name`, `name:port` or `[IPv6]:port`, as in connection strings and in the replies of servers.
    pub(super) fn parse(text: &str) -> Result<Self, String> {
        let bad = || "a host is not written as host or host:port".to_owned();
        let (name, port) = match text.strip_prefix('[') {
            Some(rest) => rest.split_once(']').ok_or_else(bad)?,
            None => text.split_at(text.find(':').unwrap_or(text.len())),
        };
        if name.to_ascii_lowercase().ends_with(".sock") {
            return Err("sockets of the file system are not supported: write host:port".to_owned());
        }
        if name.is_empty() || name.contains(['%', '/', '@', ' ']) {
            return Err(bad());
        }
        let port = match port.strip_prefix(':') {
            None if port.is_empty() => DEFAULT_PORT,
            None => return Err(bad()),
            Some(port) => port.parse().ok().filter(|port| *port > 0).ok_or_else(bad)?,
        };
        Ok(Self { name: name.to_ascii_lowercase(), port })
    }
}

impl fmt::Display for ServerAddress {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { name, port } = self;
        if name.contains(':') { write!(formatter, "[{name}]:{port}") } else { write!(formatter, "{name}:{port}") }
    }
}

impl Credentials {
    fn parse(login: &str, source: String) -> Result<Self, String> {
        let what = "user or password";
        let (user, password) = login.split_once(':').ok_or("there is a user without a password")?;
        if user.is_empty() || password.is_empty() {
            return Err("the user or the password is empty".to_owned());
        }
        if user.contains('@') || password.contains([':', '@']) {
            return Err("user and password must be percent-encoded: write : as %3A and @ as %40".to_owned());
        }
        Ok(Self { user: decode(user, what)?, password: decode(password, what)?, source })
    }
}

/// Decodes percent signs; `what` is the name in the error.
fn decode(text: &str, what: &str) -> Result<String, String> {
    let is_escape = |rest: &str| rest.as_bytes().get(..2).is_some_and(|hex| hex.iter().all(u8::is_ascii_hexdigit));
    if !text.split('%').skip(1).all(is_escape) {
        return Err(format!("{what} has a % that is not followed by two hexadecimal digits: write % as %25"));
    }
    let text = percent_decode_str(text).decode_utf8().map_err(|_| format!("{what} is not UTF-8"))?;
    if text.contains('\0') { Err(format!("{what} has a zero byte")) } else { Ok(text.into_owned()) }
}
