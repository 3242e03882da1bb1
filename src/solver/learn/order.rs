//! Which cell to decide on next, and which digit to give it.
//!
//! Cells that took part in recent conflicts come first, the more so the fewer candidates they have; a cell is given
//! again the digit that it had last (VSIDS: M. W. Moskewicz et al., DAC 2001, doi:10.1145/378239.379017; phase saving:
//! K. Pipatsrisawat, A. Darwiche, SAT 2007, doi:10.1007/978-3-540-72788-0_28).

use crate::solver::space::Space;

/// By how much a conflict counts more than the one before it.
const GROWTH: f64 = 1.0 / 0.95;

/// Activities are scaled down when they pass this.
const LARGE: f64 = 1e100;

/// What conflicts have taught about cells.
#[derive(Clone, Debug)]
pub(super) struct Order {
    activity: Vec<f64>,
    step: f64,
    /// The rank that each cell had last.
    last: Vec<u8>,
}

impl Order {
    /// Cells with these activities to begin with.
    pub(super) fn new(activity: Vec<f64>) -> Self {
        let last = vec![u8::MAX; activity.len()];
        Self { activity, step: 1.0, last }
    }

    /// A cell took part in a conflict.
    pub(super) fn bump(&mut self, cell: u16) {
        let activity = &mut self.activity[usize::from(cell)];
        *activity += self.step;
        if *activity > LARGE {
            self.activity.iter_mut().for_each(|activity| *activity /= LARGE);
            self.step /= LARGE;
        }
    }

    /// Later conflicts count more.
    pub(super) fn decay(&mut self) {
        self.step *= GROWTH;
    }

    /// A cell was assigned.
    pub(super) fn remember(&mut self, cell: u16, rank: u32) {
        self.last[usize::from(cell)] = rank as u8;
    }

    /// The open cell to decide on and its digit; `None` when all cells are assigned.
    pub(super) fn choose(&self, space: &Space) -> Option<(u16, u32)> {
        let mut best = None;
        let mut most = -1.0;
        for (cell, activity) in self.activity.iter().enumerate() {
            let mask = space.mask(cell as u16);
            if mask.is_power_of_two() {
                continue;
            }
            let worth = activity / f64::from(mask.count_ones().pow(2));
            if worth > most {
                (best, most) = (Some(cell as u16), worth);
            }
        }
        let cell = best?;
        let (mask, last) = (space.mask(cell), u32::from(self.last[usize::from(cell)]));
        let rank = if last < 32 && mask & 1 << last != 0 { last } else { mask.trailing_zeros() };
        Some((cell, rank))
    }
}
