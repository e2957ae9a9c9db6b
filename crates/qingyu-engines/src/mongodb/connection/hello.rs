//! The [handshake](https://github.com/mongodb/specifications/blob/master/source/mongodb-handshake/handshake.md).

use super::super::bson::{Bson, BsonDocument, document};
use super::super::error::MongoError;
use super::super::settings::{MongoSettings, ServerAddress};

/// Default maximum size of a message, in bytes.
pub(super) const MAX_MESSAGE: usize = 48_000_000;
/// Default maximum size of a document, in bytes.
pub(super) const MAX_DOCUMENT: usize = 16 * 1024 * 1024;
/// The wire version of MongoDB 4.4, the oldest with `hello`.
const MIN_WIRE_VERSION: i64 = 9;

/// A server's description of itself.
#[derive(Debug, Clone, PartialEq)]
pub(in crate::mongodb) struct Hello {
    pub(in crate::mongodb) is_writable_primary: bool,
    pub(in crate::mongodb) replica_set: Option<String>,
    /// The known members, the primary first.
    pub(in crate::mongodb) members: Vec<ServerAddress>,
    pub(super) max_message: usize,
    pub(super) max_document: usize,
}

/// Returns the first command on a connection.
pub(super) fn command(settings: &MongoSettings) -> BsonDocument {
    let driver = document! {"name": "qingyu-engines", "version": env!("CARGO_PKG_VERSION")};
    let client = document! {
        "application": document! {"name": settings.app_name.as_str()},
        "driver": driver,
        "os": document! {"type": std::env::consts::OS, "architecture": std::env::consts::ARCH},
    };
    document! {"hello": 1, "client": client}
}

impl Hello {
    /// Parses a reply. Returns [`MongoError::Unsuitable`] for a server older than supported.
    pub(super) fn read(host: &ServerAddress, reply: &BsonDocument) -> Result<Self, MongoError> {
        let newest = reply.integer("maxWireVersion").unwrap_or_default();
        if newest < MIN_WIRE_VERSION {
            let reason = format!("the server speaks wire version {newest}; MongoDB 4.4 or newer is needed");
            return Err(MongoError::Unsuitable { host: host.clone(), reason });
        }
        let limit = |name: &str, usual: usize| {
            let limit = reply.integer(name).and_then(|limit| usize::try_from(limit).ok());
            limit.filter(|limit| *limit > 0).unwrap_or(usual)
        };
        let names = reply.array("hosts").unwrap_or_default().iter();
        let names = names.filter_map(|name| if let Bson::String(name) = name { Some(name.as_str()) } else { None });
        let members =
            reply.str("primary").into_iter().chain(names).filter_map(|name| ServerAddress::parse(name).ok()).collect();
        Ok(Self {
            is_writable_primary: reply.is_set("isWritablePrimary"),
            replica_set: reply.str("setName").map(str::to_owned),
            members,
            max_message: limit("maxMessageSizeBytes", MAX_MESSAGE).min(MAX_MESSAGE),
            max_document: limit("maxBsonObjectSize", MAX_DOCUMENT),
        })
    }
}
