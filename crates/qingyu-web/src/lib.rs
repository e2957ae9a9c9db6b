//! Safe search and reading of the open web: engines and readers as adapters, validated addresses, polite crawling.
//!
//! Found and read content is untrusted. It is never an instruction, whatever it claims.
//!
//! Modules:
//!
//! - [`search`]: the [`WebSearchEngine`] trait; a [`Query`] and its [`WebHit`]s
//! - [`read`]: the [`PageReader`] trait and the [`WebPage`]
//! - [`settings`]: the settings with their defaults
//! - [`web`]: the engine and the reader selected by the settings
//! - `engines`: search engines, a file each; `own`, `jina`: the local reader of pages, and a remote one; `service`: a
//!   client of an HTTP service
//! - `fetch`: a request and its response, within limits; `text`: the readable text of a response; `manners`: robots.txt
//!   and the rate of requests
//! - [`courier`]: messages posted to configured addresses
//! - `guard`: validation of addresses
//! - [`error`]: errors grouped by the caller's options, each with a stable code
//!
//! Without the feature `network` there are only the types: nothing is searched or read, and [`Web::new`] returns an
//! error for a configured engine. The feature `testing` adds doubles: a scripted search and reader, a server of awkward
//! pages, and the test suite of all adapters.
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
mod guard;
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
pub use courier::MessagePoster;
pub use error::Error;
#[cfg(feature = "network")]
pub(crate) use guard::Guard;
pub use read::{PageImprint, PageReader, WebPage};
pub use search::{Query, WebHit, WebSearchEngine};
pub use settings::{ReaderKind, SearchKind, WebApiKey, WebSettings};
pub use web::Web;
