//! A client of a server: sends operations of the studio, and follows remote runs.
//!
//! - [`Client`]: a server, and the key for authentication
//! - `client`: operations as requests, over a `connection`
//! - `run`: starting a run, and its event stream, resumed after disconnects
//! - `problem`: [`ProblemDocument`], the server's error format
//!
//! The feature `testing` exposes the parser of event streams to tests with arbitrary input.
//!
//! ```no_run
//! # async fn example() -> Result<(), Box<dyn std::error::Error>> {
//! use qingyu_client::Client;
//! use qingyu_studio::ProjectStatus;
//! use qingyu_studio::operations::ListProjects;
//!
//! let client = Client::new("https://books.example.org", Some("qy_..."))?;
//! let projects = client.call(ListProjects { status: ProjectStatus::Active }).await?;
//! # Ok(())
//! # }
//! ```

mod client;
mod connection;
mod problem;
mod run;

pub use client::Client;
pub use connection::Transport;
pub use problem::ProblemDocument;
#[cfg(any(test, feature = "testing"))]
pub use run::run_events;
