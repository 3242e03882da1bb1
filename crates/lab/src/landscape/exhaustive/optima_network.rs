//! The network of the local optima of a small space, without sampling.
//!
//! Sources: G. Ochoa, M. Tomassini, S. Vérel, C. Darabos 2008, doi:10.1145/1389095.1389204; escape edges S. Vérel, F. Daolio,
//! G. Ochoa, M. Tomassini 2012, doi:10.1007/978-3-642-35533-2_5.

use super::Progress;
use super::chain::Proposal;
use super::descent::Descent;
use super::optima::Optima;
use super::proposal::RandomMove;
use crate::landscape::{Edge, Network, Node};

/// The most probabilities of a network that are kept: of each genome to end in each optimum.
pub const MOST_SHARES: usize = 1 << 24;

/// A network that has too many.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "genomes end in so many optima each that more than {MOST_SHARES} probabilities would have to be kept"
)]
pub struct TooManyShares;

/// What leads from one optimum to another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EdgeKind {
    /// From a genome of the basin, by one random move, into the other basin.
    Basin,
    /// From a genome of the optimum, by so many random moves and a descent, to the other.
    Escape(u32),
}

impl Optima<'_> {
    /// The network of the optima; the basins are those of the best move. `None` where it was interrupted.
    ///
    /// # Errors
    /// [`TooManyShares`].
    pub fn network(&self, kind: EdgeKind, progress: &Progress<'_>) -> Result<Option<Network>, TooManyShares> {
        let Some(shares) = BasinShares::new(self, progress)? else { return Ok(None) };
        // Shares say where each genome ends; edges of basins need what ends in each optimum.
        let basins = if kind == EdgeKind::Basin { shares.basins(self.optima.len()) } else { Vec::new() };
        let ways = Transitions { random_move: RandomMove::new(self.surface.numbering()), shares };
        let mut edges = Vec::new();
        let mut row = SparseRow::new(self.optima.len());
        for (from, optimum) in self.optima.iter().enumerate() {
            if progress.is_cut() {
                return Ok(None);
            }
            progress.advance(1);
            match kind {
                EdgeKind::Basin => ways.leave_basin(&basins[from], &mut row),
                EdgeKind::Escape(moves) => {
                    let mass = 1.0 / optimum.genomes.len() as f64;
                    for genome in &optimum.genomes {
                        ways.escape(*genome as usize, moves, mass, &mut row);
                    }
                }
            }
            row.drain(|to, weight| edges.push(Edge { from: from as u32, to, weight }));
        }
        Ok(Some(Network { nodes: self.nodes(), edges }))
    }

    /// A node for each optimum, named by the digits of its first genome.
    fn nodes(&self) -> Vec<Node> {
        let numbering = self.surface.numbering();
        let mut ranks = vec![0; numbering.genes()];
        let mut nodes = Vec::with_capacity(self.optima.len());
        for optimum in &self.optima {
            numbering.write(optimum.genomes[0] as usize, &mut ranks);
            let digits: Vec<String> = ranks.iter().map(|rank| (rank + 1).to_string()).collect();
            let is_best = optimum.violation == self.surface.levels()[0];
            nodes.push(Node {
                name: digits.join(" "),
                fitness: optimum.violation,
                weight: optimum.basin,
                kind: if is_best { "best" } else { "optimum" },
                setting: None,
            });
        }
        nodes
    }
}

/// The ways from one optimum to others.
struct Transitions<'a> {
    random_move: RandomMove<'a>,
    shares: BasinShares,
}

impl Transitions<'_> {
    /// Makes one random move from the genomes of a basin, each with its share in it.
    fn leave_basin(&self, basin: &[(u32, f64)], row: &mut SparseRow) {
        let size: f64 = basin.iter().map(|(_, share)| share).sum();
        for (genome, share) in basin {
            let mass = share / size;
            self.random_move.each(*genome as usize, &mut |target, chance| {
                row.add(self.shares.of(target), mass * chance);
            });
        }
    }

    /// Makes so many random moves from a genome in all ways, and descents from where they end.
    fn escape(&self, genome: usize, moves: u32, mass: f64, row: &mut SparseRow) {
        if moves == 0 {
            return row.add(self.shares.of(genome), mass);
        }
        self.random_move.each(genome, &mut |target, chance| {
            self.escape(target, moves - 1, mass * chance, row);
        });
    }
}

/// Of each genome the optima that a descent with the best moves ends in, each with its probability.
struct BasinShares {
    starts: Vec<(u32, u32)>,
    shares: Vec<(u32, f64)>,
}

impl BasinShares {
    fn new(optima: &Optima<'_>, progress: &Progress<'_>) -> Result<Option<Self>, TooManyShares> {
        let descent = Descent::new(optima.surface, false);
        let mut all = Self { starts: vec![(0, 0); optima.of.len()], shares: Vec::new() };
        let mut row = SparseRow::new(optima.optima.len());
        // From the best genome on: the shares of what a step leads to are known.
        for (index, genome) in optima.order.iter().enumerate() {
            if progress.check(index).is_none() {
                return Ok(None);
            }
            let genome = *genome as usize;
            let start = all.shares.len() as u32;
            let successors = descent.successors(genome);
            if successors.is_empty() {
                all.shares.push((optima.of[genome], 1.0));
            }
            for successor in successors {
                row.add(all.of(successor.genome as usize), successor.chance);
            }
            row.drain(|optimum, share| all.shares.push((optimum, share)));
            all.starts[genome] = (start, all.shares.len() as u32);
            if all.shares.len() > MOST_SHARES {
                return Err(TooManyShares);
            }
        }
        Ok(Some(all))
    }

    fn of(&self, genome: usize) -> &[(u32, f64)] {
        let (start, end) = self.starts[genome];
        &self.shares[start as usize..end as usize]
    }

    /// The genomes of each basin, with their shares in it.
    fn basins(&self, optima: usize) -> Vec<Vec<(u32, f64)>> {
        let mut basins = vec![Vec::new(); optima];
        for genome in 0..self.starts.len() {
            for (optimum, share) in self.of(genome) {
                basins[*optimum as usize].push((genome as u32, *share));
            }
        }
        basins
    }
}

/// A sum over optima of which few are not 0.
struct SparseRow {
    sums: Vec<f64>,
    touched: Vec<u32>,
}

impl SparseRow {
    fn new(optima: usize) -> Self {
        Self { sums: vec![0.0; optima], touched: Vec::new() }
    }

    fn add(&mut self, shares: &[(u32, f64)], factor: f64) {
        for (optimum, share) in shares {
            let sum = &mut self.sums[*optimum as usize];
            if *sum == 0.0 {
                self.touched.push(*optimum);
            }
            *sum += share * factor;
        }
    }

    /// Shows what is not 0, in order, and starts again.
    fn drain(&mut self, mut see: impl FnMut(u32, f64)) {
        self.touched.sort_unstable();
        for optimum in self.touched.drain(..) {
            let sum = std::mem::take(&mut self.sums[optimum as usize]);
            if sum > 0.0 {
                see(optimum, sum);
            }
        }
    }
}
