//! The laboratory of kenga: experiments, the results folders that they leave, and what is measured of them.
//!
//! An [`experiment`] makes many runs, checks what they claim, and passes them to [`results`]; a [`study`] loads, measures and
//! compares folders, [`tune`] races configurations, [`playback`] replays one run. [`features`] and [`landscape`] describe
//! puzzles and their search spaces.

pub mod experiment;
pub mod features;
pub mod landscape;
pub mod playback;
pub mod results;
pub mod study;
pub mod tune;
