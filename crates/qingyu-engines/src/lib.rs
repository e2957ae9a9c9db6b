//! Search, vectors, graph and memory on the existing servers of a team.
//!
//! Each engine is a feature, off by default; the embedded engines, without a server, are in `qingyu-store`,
//! `qingyu-knowledge` and `qingyu-memory`. Every engine passes the test suite of its trait.
//!
//! | feature | types | tested with |
//! |---|---|---|
//! | `postgres` | `PostgresSearch`, `PostgresVectors`, `PostgresLongTerm` | PostgreSQL 15 |
//! | `redis` | `RedisShortTerm` | Redis 7 |
//! | `qdrant` | `QdrantVectors` | its engine in a process, behind a few lines of REST |
//! | `milvus` | `MilvusVectors` | Milvus Lite, behind a few lines of REST |
//! | `neo4j` | `Neo4jGraph` | ArcadeDB behind a few lines of the Query API, except shortest paths |
//! | `mongodb` | `MongoLongTerm` | SecantusDB over MongoDB's protocol, with authentication |
//!
//! `make engines-test` starts the servers except PostgreSQL and Redis, and runs the tests.
//!
//! An unreachable server is an [`Error::Unreachable`](qingyu_knowledge::engine::Error::Unreachable) with its address;
//! no error contains a password. DESIGN.md explains why Neo4j and MongoDB are used without their usual clients.

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
