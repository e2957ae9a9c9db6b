//! The settings of a server.

use std::fmt;

pub(super) const NAME: &str = "Neo4j";

/// The address of a server with the credentials.
#[derive(Clone)]
pub struct Neo4jSettings {
    /// `http://host:7474`, `https://host:7473`, or `https://ID.databases.neo4j.io` of Aura; without user and password.
    /// `bolt://` and `neo4j://` are rejected.
    pub address: String,
    /// The user. If empty, `password` is a bearer token of single sign-on.
    pub user: String,
    /// The password.
    pub password: String,
    /// The database; the default is `neo4j`, the default of servers.
    pub database: Option<String>,
}

/// Omits the password, and the address before an `@`.
impl fmt::Debug for Neo4jSettings {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let address = self.address.rsplit('@').next().unwrap_or_default();
        let mut all = formatter.debug_struct("Neo4jSettings");
        all.field("address", &address).field("user", &self.user).field("database", &self.database);
        all.finish_non_exhaustive()
    }
}
