//! Search, vectors, graph and memory on servers that a team runs already.
//!
//! Each engine is a feature, and all are off by default; the embedded ones, which need no server, are in
//! `qingyu-store`, `qingyu-knowledge` and `qingyu-memory`. An engine passes the suite of its trait.
//!
//! | feature | what it has | tried against |
//! |---|---|---|
//! | `postgres` | `PostgresSearch`, `PostgresVectors`, `PostgresLongTerm` | PostgreSQL 15 |
//! | `redis` | `RedisShortTerm` | Redis 7 |
//! | `qdrant` | `QdrantVectors` | its engine in a process, behind a few lines of REST |
//! | `milvus` | `MilvusVectors` | Milvus Lite, behind a few lines of REST |
//! | `neo4j` | `Neo4jGraph` | ArcadeDB behind a few lines of the Query API, but for shortest ways |
//! | `mongodb` | `MongoLongTerm` | SecantusDB over MongoDB's protocol, with a login |
//!
//! `make engines-test` starts those servers that are not PostgreSQL or Redis, and runs the tests against them.
//!
//! A server that is away is an [`Error::Unreachable`](qingyu_knowledge::engine::Error::Unreachable) with its address, and
//! no error repeats a password. Why Neo4j and MongoDB are spoken to without the usual clients stands in DESIGN.md.

#[cfg(any(feature = "qdrant", feature = "milvus", feature = "neo4j"))]
mod http;
#[cfg(feature = "milvus")]
pub mod milvus;
#[cfg(feature = "mongodb")]
pub mod mongodb;
#[cfg(any(feature = "qdrant", feature = "milvus"))]
mod names;
#[cfg(feature = "neo4j")]
pub mod neo4j;
#[cfg(feature = "postgres")]
pub mod postgres;
#[cfg(feature = "qdrant")]
pub mod qdrant;
#[cfg(feature = "redis")]
pub mod redis;
