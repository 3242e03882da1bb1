//! The violation or fitness of every genome of a small space.

use rayon::prelude::*;

use crate::landscape::Landscape;
use kenga_core::budget::Interrupt;
use kenga_core::search::encodings::Encoding;
use kenga_core::search::neighbourhood::Neighbourhood;

use super::{MOST_LEVELS, Numbering, SpaceError};

/// The violation of every genome of a landscape, and which of its variables are in conflict.
pub struct Surface {
    numbering: Numbering,
    /// The violations that there are, ascending.
    levels: Vec<u32>,
    /// The place of the violation of each genome in `levels`.
    level: Vec<u16>,
    /// A bit for each variable in conflict.
    conflicts: Vec<u64>,
}

/// What a genome is worth, and a bit for each variable in conflict.
#[derive(Clone, Copy, Default)]
struct GenomeWorth {
    worth: u32,
    conflicts: u64,
}

/// Genomes that one thread measures at a time.
const CHUNK: usize = 1024;

/// The most variables that a mask holds. A space of at most 2^20 genomes has no more: a free gene of a line doubles it at
/// least every second time, a part every time.
const MOST_VARIABLES: usize = u64::BITS as usize;

impl Surface {
    /// Measures the violation of every genome of a landscape, on the threads of the current pool; `None` where it was
    /// interrupted.
    ///
    /// # Errors
    /// [`SpaceError`] where there are too many, or too many different values.
    pub fn new<E: Encoding>(
        landscape: &Landscape<E>,
        interrupt: &Interrupt,
    ) -> Result<Option<Self>, SpaceError> {
        Self::measure(landscape, interrupt, |near| near.tally().violation() as u32)
    }

    /// Measures the fitness of every genome, as [`new`](Self::new) does the violation.
    ///
    /// # Errors
    /// [`SpaceError`] where there are too many, or too many different values.
    pub fn of_fitness<E: Encoding>(
        landscape: &Landscape<E>,
        interrupt: &Interrupt,
    ) -> Result<Option<Self>, SpaceError> {
        Self::measure(landscape, interrupt, |near| landscape.encoding().evaluate(near.tally().ranks()))
    }

    fn measure<E: Encoding>(
        landscape: &Landscape<E>,
        interrupt: &Interrupt,
        worth: impl Fn(&E::Near) -> u32 + Sync,
    ) -> Result<Option<Self>, SpaceError> {
        let numbering = Numbering::new(landscape)?;
        assert!(numbering.variables.len() <= MOST_VARIABLES, "a small space has few variables");
        let mut measured = vec![GenomeWorth::default(); numbering.genomes()];
        // A place on the landscape for each thread.
        let start = || (landscape.neighbourhood(), vec![0; landscape.problem().cells()]);
        let chunks = measured.par_chunks_mut(CHUNK).enumerate();
        chunks.for_each_init(start, |(near, genome), (chunk, out)| {
            for (offset, measured) in out.iter_mut().enumerate() {
                if interrupt.is_raised() {
                    return;
                }
                numbering.write(chunk * CHUNK + offset, genome);
                near.place(genome);
                *measured = GenomeWorth { worth: worth(near), conflicts: conflicts(near) };
            }
        });
        if interrupt.is_raised() {
            return Ok(None);
        }
        let mut levels: Vec<u32> = measured.iter().map(|genome| genome.worth).collect();
        levels.sort_unstable();
        levels.dedup();
        if levels.len() > MOST_LEVELS {
            return Err(SpaceError::Levels(levels.len()));
        }
        let mut level = Vec::with_capacity(measured.len());
        let mut conflicts = Vec::with_capacity(measured.len());
        for genome in &measured {
            level.push(levels.partition_point(|level| *level < genome.worth) as u16);
            conflicts.push(genome.conflicts);
        }
        Ok(Some(Self { numbering, levels, level, conflicts }))
    }

    /// The genomes and their moves.
    pub fn numbering(&self) -> &Numbering {
        &self.numbering
    }

    /// The violation of a genome.
    pub fn violation(&self, genome: usize) -> u32 {
        self.levels[usize::from(self.level[genome])]
    }

    /// The violations that there are, ascending.
    pub fn levels(&self) -> &[u32] {
        &self.levels
    }

    /// The place of the violation of a genome among all.
    #[inline]
    pub(super) fn level(&self, genome: usize) -> usize {
        usize::from(self.level[genome])
    }

    /// How many genomes have each violation.
    pub fn density(&self) -> Vec<u64> {
        let mut counts = vec![0; self.levels.len()];
        for level in &self.level {
            counts[usize::from(*level)] += 1;
        }
        counts
    }

    /// The variables in conflict in a genome, a bit each.
    #[inline]
    pub(super) fn conflicts(&self, genome: usize) -> u64 {
        self.conflicts[genome]
    }

    /// A genome has no violation.
    #[inline]
    pub fn is_solution(&self, genome: usize) -> bool {
        self.level[genome] == 0 && self.levels[0] == 0
    }

    /// The solutions, ascending.
    pub fn solutions(&self) -> Vec<usize> {
        (0..self.numbering.genomes()).filter(|genome| self.is_solution(*genome)).collect()
    }
}

/// The variables in conflict, a bit each.
fn conflicts(near: &impl Neighbourhood) -> u64 {
    let mut mask = 0;
    for variable in 0..near.variables() {
        if near.is_conflicted(variable) {
            mask |= 1 << variable;
        }
    }
    mask
}
