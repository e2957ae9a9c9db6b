//! Recorded model calls as JSON lines: requests, replies, and the start and end of each run.
//!
//! A cassette holds one or more sessions. A session starts with a [`SessionHeader`] containing the parameters needed to rerun
//! it, followed by its calls in the order of their replies, and by [`CassetteMark`]s, such as the answer of a person or the
//! end. Sessions of several runs in one file (`cat create.jsonl write.jsonl`) are played in sequence. Lines before the
//! first header form a session without a header.
//!
//! The key of a call is a hash of the request without its typed context, which is never sent, and without the name of
//! the call in its run; object keys are sorted, so the hash does not depend on the serialization order of a build. Only
//! calls with a complete or partial reply are recorded. A last line truncated by a crash is removed when reading and
//! before appending.
//!
//! - [`Recorder`]: writes a cassette
//! - [`Cassette`], [`CassetteSession`], [`Recording`]: parse a cassette and replay its calls
//! - [`differences`]: the differences between two values

mod difference;
mod line;
mod record;
mod recording;

pub use difference::{Difference, differences};
pub use line::{CassetteMark, FORMAT, RecordedCall, SessionHeader, key};
pub use record::Recorder;
pub use recording::{Cassette, CassetteSession, LARGEST, Recording, text_of};
