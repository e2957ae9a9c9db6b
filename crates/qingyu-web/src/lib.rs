//! The open web, searched and read safely: engines and readers as adapters, addresses checked, manners kept.
//!
//! What is found and read is material of strangers. It is never an instruction, whatever it says of itself.
//!
//! The map:
//!
//! - [`search`]: the [`Search`] trait; a [`Query`] and its [`Hit`]s
//! - [`read`]: the [`Reader`] trait and the [`Page`]
//! - [`settings`]: what can be chosen, with its defaults
//! - [`web`]: both, as the settings say
//! - [`courier`]: messages posted to addresses that somebody else has named
//! - [`guard`]: which addresses may be reached at all
//! - [`error`]: failures sorted by what the caller can do, each with a stable code
//!
//! Without the feature `network` there are only the types: nothing is searched or read, and [`Web::new`] says so of what it is asked for.
//! The feature `testing` adds doubles: a scripted search and reader, a server of awkward pages, and the suite that every adapter passes.
//!
//! ```no_run
//! use qingyu_web::{Query, Web, WebSettings};
//!
//! # async fn example() -> Result<(), qingyu_web::Error> {
//! let web = Web::new(&WebSettings::default())?;
//! let page = web.reader.read("https://example.com/").await?;
//! println!("{}\n{}", page.title, page.text);
//! if let Some(search) = &web.search {
//!     let query = Query { words: "汴京 夜市".into(), language: Some("zh".into()), limit: 8 };
//!     println!("{} hits", search.search(&query).await?.len());
//! }
//! # Ok(())
//! # }
//! ```

#[cfg(feature = "network")]
pub mod courier;
#[cfg(feature = "network")]
mod engines;
pub mod error;
#[cfg(feature = "network")]
mod fetch;
#[cfg(feature = "network")]
pub mod guard;
#[cfg(feature = "network")]
mod jina;
#[cfg(feature = "network")]
mod manners;
#[cfg(feature = "network")]
mod own;
pub mod read;
pub mod search;
#[cfg(feature = "network")]
mod service;
pub mod settings;
#[cfg(any(all(test, feature = "network"), feature = "testing"))]
pub mod testing;
#[cfg(feature = "network")]
mod text;
pub mod web;

#[cfg(feature = "network")]
pub use courier::Courier;
pub use error::Error;
#[cfg(feature = "network")]
pub use guard::Guard;
pub use read::{Page, Reader};
pub use search::{Hit, Query, Search};
pub use settings::{Key, ReaderKind, SearchKind, WebSettings};
pub use web::Web;
