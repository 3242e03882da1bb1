//! The laboratory of kenga: experiments, the results folders that they leave, and what is measured of them.
//!
//! An [`experiment`] makes many runs, checks what they claim, and passes them to [`results`]; a `study` loads, measures and
//! compares folders, `tune` races configurations, [`playback`] replays one run. `features` and `landscape` describe
//! puzzles and their search spaces.

pub mod experiment;

// The program, the Python package and the benches use these; their names may change.
#[doc(hidden)]
pub mod features;
#[doc(hidden)]
pub mod landscape;
#[doc(hidden)]
pub mod playback;
#[doc(hidden)]
pub mod results;
#[doc(hidden)]
pub mod study;
#[doc(hidden)]
pub mod tune;
