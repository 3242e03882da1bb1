//! What is remembered of a run: frames within a bound of memory, and the curve of its convergence.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::Frame;
use crate::experiment::Sample;

/// Bytes of the frames that a history keeps.
pub const HISTORY_BYTES: usize = 32 << 20;

/// The most points of a curve.
const POINTS: usize = 1024;

/// Frames of one run by generation. When they fill the memory that is set, every second goes: those left lie at even
/// distances, about, and what lay between is found again by replaying from the seed.
pub(super) struct History {
    frames: BTreeMap<u64, Arc<Frame>>,
    bytes: usize,
    most: usize,
}

impl History {
    /// A history of at most this many bytes, about; one frame is always kept.
    pub(super) fn new(most: usize) -> Self {
        Self { frames: BTreeMap::new(), bytes: 0, most }
    }

    pub(super) fn keep(&mut self, frame: &Arc<Frame>) {
        let before = self.frames.insert(frame.generation, Arc::clone(frame));
        self.bytes = self.bytes + frame.bytes() - before.map_or(0, |before| before.bytes());
        while self.bytes > self.most && self.frames.len() > 1 {
            thin(&mut self.frames);
            self.bytes = self.frames.values().map(|frame| frame.bytes()).sum();
        }
    }

    /// The bytes that it may take.
    pub(super) fn most(&self) -> usize {
        self.most
    }

    /// The frame of a generation.
    pub(super) fn get(&self, generation: u64) -> Option<&Arc<Frame>> {
        self.frames.get(&generation)
    }

    /// The last frame up to a generation, else the first after it.
    pub(super) fn near(&self, generation: u64) -> Option<&Arc<Frame>> {
        let before = self.frames.range(..=generation).next_back();
        let (_, frame) = before.or_else(|| self.frames.range(generation..).next())?;
        Some(frame)
    }
}

/// Samples of one run by generation, at most [`POINTS`].
#[derive(Default)]
pub(super) struct GenerationCurve(BTreeMap<u64, Sample>);

impl GenerationCurve {
    pub(super) fn add(&mut self, samples: impl Iterator<Item = Sample>) {
        for sample in samples {
            self.0.insert(sample.generation, sample);
        }
        while self.0.len() > POINTS {
            thin(&mut self.0);
        }
    }

    pub(super) fn samples(&self) -> Vec<Sample> {
        self.0.values().copied().collect()
    }
}

/// Removes every second entry, from the second on.
fn thin<T>(of: &mut BTreeMap<u64, T>) {
    let mut is_kept = false;
    of.retain(|_, _| {
        is_kept = !is_kept;
        is_kept
    });
}
