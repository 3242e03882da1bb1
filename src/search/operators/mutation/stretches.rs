//! What the mutations of a stretch share: when they change a genome, and which stretch of it.

use crate::rng::RunRng;
use crate::search::operators::schedule::Rate;
use crate::search::{Closure, Conflicts, Space};
use crate::spec::Spec;

use super::Mutation;

/// Changes two or more genes of the genome that follow each other in one segment; they keep their digits among them.
type Change = fn(&mut [u8], &[u16], &mut RunRng);

/// With probability `rate`, a change of one stretch.
pub(super) struct StretchMutation {
    rate: Rate,
    now: f64,
    change: Change,
    /// The segments of two or more genes.
    segments: Vec<u16>,
}

impl StretchMutation {
    /// The mutation that a spec with a rate describes.
    pub(super) fn boxed(spec: &Spec, change: Change) -> Box<dyn Mutation> {
        Box::new(Self { rate: Rate::of(spec, "rate"), now: 0.0, change, segments: Vec::new() })
    }

    /// Two or more genes that follow each other in a uniform segment, between two different uniform places of it, both
    /// included; none where every segment is too short.
    fn draw<'a>(&self, space: &'a Space, rng: &mut RunRng) -> &'a [u16] {
        if self.segments.is_empty() {
            return &[];
        }
        let segment = space.segments.get(usize::from(self.segments[rng.below(self.segments.len())]));
        let (first, last) = rng.pair(segment.len());
        &segment[first..=last]
    }
}

impl Mutation for StretchMutation {
    fn prepare(&mut self, space: &Space, progress: f64) {
        self.now = self.rate.at(progress);
        if self.segments.is_empty() {
            let long = |index: &u16| space.segments.get(usize::from(*index)).len() > 1;
            self.segments.extend((0..space.segments.len() as u16).filter(long));
        }
    }

    fn mutate(&mut self, space: &Space, genome: &mut [u8], _: &Conflicts, rng: &mut RunRng) {
        if rng.coin(self.now) {
            (self.change)(genome, self.draw(space, rng), rng);
        }
    }

    fn closure(&self, space: &Space) -> Option<Closure> {
        let genes = space.genes();
        Some(if self.rate.is_never() {
            Closure::copies(genes)
        } else {
            Closure::moves(genes, &space.segments)
        })
    }
}
