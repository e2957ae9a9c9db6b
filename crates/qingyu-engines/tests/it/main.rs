//! The engines on their servers. A server that is not there is said aloud; `CI=true` demands PostgreSQL and Redis.
#![allow(clippy::unwrap_used, reason = "a test may panic; not every engine's tests need it")]

#[cfg(feature = "milvus")]
mod milvus;
#[cfg(feature = "mongodb")]
mod mongodb;
#[cfg(feature = "neo4j")]
mod neo4j;
#[cfg(feature = "postgres")]
mod postgres;
#[cfg(feature = "qdrant")]
mod qdrant;
#[cfg(feature = "redis")]
mod redis;
mod server;
