//! What the mutations of a stretch share: which one.

use crate::rng::RunRng;
use crate::search::Space;

/// The segments of two or more genes, from which random stretches are drawn.
#[derive(Default)]
pub(super) struct Stretches {
    segments: Vec<u16>,
}

impl Stretches {
    /// Finds the segments; cheap after the first time.
    pub(super) fn prepare(&mut self, space: &Space) {
        if self.segments.is_empty() {
            let long = |index: &u16| space.segments.get(usize::from(*index)).len() > 1;
            self.segments.extend((0..space.segments.len() as u16).filter(long));
        }
    }

    /// Two or more genes that follow each other in a uniform segment, between two different uniform places of it, both
    /// included; none where every segment is too short.
    pub(super) fn draw<'a>(&self, space: &'a Space, rng: &mut RunRng) -> &'a [u16] {
        if self.segments.is_empty() {
            return &[];
        }
        let segment = space.segments.get(usize::from(self.segments[rng.below(self.segments.len())]));
        let (first, last) = rng.pair(segment.len());
        &segment[first..=last]
    }
}
