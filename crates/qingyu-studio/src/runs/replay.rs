//! Replay of recorded runs: offline and byte for byte, or with another model or other prompts for a comparison.
//!
//! A run is replayed on a stage: a temporary data folder, or the user's folder if the project is kept. All inputs come
//! from the cassette, so a file from another machine replays in an empty folder. The runs of a cassette are replayed in
//! order in the same project.

pub(crate) mod compare;
pub(crate) mod play;
pub(crate) mod report;
pub(crate) mod session;
pub(crate) mod stage;

pub use report::{ChangedPiece, ReplayReport, ReplayRequest, ReplayedRun};
