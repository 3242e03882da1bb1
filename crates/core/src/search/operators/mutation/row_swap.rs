//! Row swap: two cells of a row exchange their digits.
//!
//! ```text
//! before  1 2 3 4    after  1 4 3 2
//!         4 3 2 1           4 3 2 1
//! ```

use crate::problem::Blocks;
use crate::rng::RunRng;
use crate::search::operators::Variation;
use crate::search::operators::schedule::{Rate, rate};
use crate::search::{Change, Closure, Conflicts, MutationModel, Space};
use crate::spec::{Builder, Member};

use super::{Coins, Mutation, moves_at};

struct RowSwap {
    rate: Rate,
    coins: Coins,
    /// The free genes of every row, of rows with two or more.
    rows: Blocks,
}

pub(super) static ENTRY: Builder<Box<dyn Mutation>> = Member::new("row_swap")
    .about("exchanges two random cells of each row, with probability rate")
    .source("T. Mantere, J. Koljonen 2007, doi:10.1109/CEC.2007.4424632")
    .encodings(&["cells", "rows"])
    .params(&[rate(0.1).about("probability that a row has two cells exchanged")])
    .build(|spec| {
        let (rate, coins) = (Rate::of(spec, "rate"), Coins::default());
        Box::new(RowSwap { rate, coins, rows: Blocks::default() })
    });

/// The free genes of every row, of rows with two or more.
fn free_rows(space: &Space) -> Blocks {
    let mut rows = Blocks::default();
    for row in space.rows.iter() {
        let is_free = |gene: &u16| space.candidates.count(usize::from(*gene)) > 1;
        let free: Vec<u16> = row.iter().copied().filter(is_free).collect();
        if free.len() > 1 {
            rows.push(free);
        }
    }
    rows
}

impl Mutation for RowSwap {
    fn prepare(&mut self, space: &Space, progress: f64) {
        if self.rows.is_empty() {
            self.rows = free_rows(space);
        }
        self.coins.prepare(self.rate.at(progress), self.rows.len());
    }

    fn mutate(&mut self, _space: &Space, genome: &mut [u8], _: &Conflicts, rng: &mut RunRng) {
        self.coins.each(rng, |place, rng| {
            let row = self.rows.get(place);
            let first = rng.below(row.len());
            // From 1 to length - 1 places on, around the end: any other with the same probability.
            let second = (first + 1 + rng.below(row.len() - 1)) % row.len();
            genome.swap(usize::from(row[first]), usize::from(row[second]));
        });
    }

    fn markov_model(&self, space: &Space) -> Option<MutationModel> {
        if space.change != Change::Exchanges {
            return None;
        }
        self.rate.constant().map(MutationModel::LineExchanges)
    }
}

impl Variation for RowSwap {
    fn closure(&self, space: &Space) -> Option<Closure> {
        moves_at(&self.rate, space, &free_rows(space))
    }
}
