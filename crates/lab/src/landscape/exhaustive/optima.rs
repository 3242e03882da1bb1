//! Every local optimum of a small space, exact basins, and the network of local optima.
//!
//! A *minimum* is a genome that no move makes better: where hill climbing ends. Minima of equal violation that a move leads
//! between count as one *optimum*. An optimum is *closed* where no way over genomes of equal violation leads to a better one,
//! and *strict* where it is a single genome all of whose neighbours are worse.
//!
//! The *basin* of an optimum is the probability that hill climbing from a uniform genome ends in it: where several moves are
//! equally good, it ends in several optima, and each has its share. The network is that of G. Ochoa, M. Tomassini, S. Vérel,
//! C. Darabos 2008, doi:10.1145/1389095.1389204; escape edges S. Vérel, F. Daolio, G. Ochoa, M. Tomassini 2012,
//! doi:10.1007/978-3-642-35533-2_5; optima of several genomes S. Vérel, G. Ochoa, M. Tomassini 2011,
//! doi:10.1109/TEVC.2010.2046175.

use super::chain::Proposal;
use super::descent::Descent;
use super::proposal::RandomMove;
use super::{Progress, Surface};
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
pub enum Ways {
    /// From a genome of the basin, by one random move, into the other basin.
    Basin,
    /// From a genome of the optimum, by so many random moves and a descent, to the other.
    Escape(u32),
}

/// A local optimum.
#[derive(Clone, Debug, PartialEq)]
pub struct Optimum {
    /// Its genomes, by number.
    pub genomes: Vec<u32>,
    /// Its violation.
    pub violation: u32,
    /// No way over equal genomes leads to a better one.
    pub is_closed: bool,
    /// It is one genome, and all its neighbours are worse.
    pub is_strict: bool,
    /// The probability that hill climbing with the best move ends in it.
    pub basin: f64,
    /// That of hill climbing with the first improving move.
    pub first_basin: f64,
}

/// Every local optimum of a surface.
pub struct Optima<'a> {
    surface: &'a Surface,
    /// The optima, by their first genomes.
    pub optima: Vec<Optimum>,
    /// The optimum of each genome; `NONE` where it is no minimum.
    of: Vec<u32>,
    /// The genomes, the best first.
    order: Vec<u32>,
}

const NONE: u32 = u32::MAX;

/// Genomes between two looks at the interrupt.
const GENOMES_A_LOOK: usize = 4096;

impl<'a> Optima<'a> {
    /// Finds them; `None` where it was interrupted.
    pub fn find(surface: &'a Surface, progress: &Progress<'_>) -> Option<Self> {
        let genomes = surface.numbering().genomes();
        let mut order: Vec<u32> = (0..genomes as u32).collect();
        order.sort_by_key(|genome| surface.level(*genome as usize));
        let mut found = Self { surface, optima: Vec::new(), of: vec![NONE; genomes], order };
        found.gather(progress)?;
        let best = found.basins(false, progress)?;
        let first = found.basins(true, progress)?;
        for (optimum, (basin, first_basin)) in found.optima.iter_mut().zip(best.into_iter().zip(first)) {
            (optimum.basin, optimum.first_basin) = (basin, first_basin);
        }
        Some(found)
    }

    /// The genomes that moves lead to; one that several variables show comes several times.
    fn neighbours(&self, genome: usize) -> impl Iterator<Item = usize> + '_ {
        let numbering = self.surface.numbering();
        (0..numbering.variables.len()).flat_map(move |variable| numbering.targets(variable, genome))
    }

    /// Joins minima to optima.
    fn gather(&mut self, progress: &Progress<'_>) -> Option<()> {
        let genomes = self.of.len();
        let (mut minimum, mut strict) = (vec![true; genomes], vec![true; genomes]);
        // Genomes of equal level that moves join, and among them the minima alone.
        let (mut plateaus, mut optima) = (Groups::new(genomes), Groups::new(genomes));
        for genome in 0..genomes {
            looked(genome, progress)?;
            for target in self.neighbours(genome) {
                match self.surface.level(target).cmp(&self.surface.level(genome)) {
                    std::cmp::Ordering::Less => minimum[genome] = false,
                    std::cmp::Ordering::Equal => {
                        strict[genome] = false;
                        plateaus.join(genome, target);
                    }
                    std::cmp::Ordering::Greater => {}
                }
            }
        }
        let mut has_exit = vec![false; genomes];
        for genome in 0..genomes {
            looked(genome, progress)?;
            if !minimum[genome] {
                has_exit[plateaus.of(genome)] = true;
                continue;
            }
            let level = self.surface.level(genome);
            let equal: Vec<usize> = self
                .neighbours(genome)
                .filter(|target| minimum[*target] && self.surface.level(*target) == level)
                .collect();
            equal.into_iter().for_each(|target| optima.join(genome, target));
        }
        for genome in (0..genomes).filter(|genome| minimum[*genome]) {
            let first = optima.of(genome);
            if first == genome {
                self.of[genome] = self.optima.len() as u32;
                self.optima.push(Optimum {
                    genomes: Vec::new(),
                    violation: self.surface.violation(genome),
                    is_closed: !has_exit[plateaus.of(genome)],
                    is_strict: strict[genome],
                    basin: 0.0,
                    first_basin: 0.0,
                });
            }
            self.of[genome] = self.of[first];
            self.optima[self.of[first] as usize].genomes.push(genome as u32);
        }
        Some(())
    }

    /// The probability of each optimum that hill climbing from a uniform genome ends in it.
    fn basins(&self, takes_first: bool, progress: &Progress<'_>) -> Option<Vec<f64>> {
        let descent = Descent::new(self.surface, takes_first);
        let mut mass = vec![1.0 / self.of.len() as f64; self.of.len()];
        let (mut basins, mut steps) = (vec![0.0; self.optima.len()], Vec::new());
        for (index, genome) in self.order.iter().rev().enumerate() {
            looked(index, progress)?;
            let here = mass[*genome as usize];
            descent.successors(*genome as usize, &mut steps);
            steps.iter().for_each(|(target, chance)| mass[*target as usize] += here * chance);
            if steps.is_empty() {
                basins[self.of[*genome as usize] as usize] += here;
            }
        }
        Some(basins)
    }

    /// The network of the optima; the basins are those of the best move. `None` where it was interrupted.
    ///
    /// # Errors
    /// [`TooManyShares`].
    pub fn network(&self, ways: Ways, progress: &Progress<'_>) -> Result<Option<Network>, TooManyShares> {
        let Some(shares) = Shares::new(self, progress)? else { return Ok(None) };
        let genomes = self.surface.numbering().genomes();
        let mut name = vec![0; self.surface.numbering().genes()];
        let mut nodes = Vec::with_capacity(self.optima.len());
        for optimum in &self.optima {
            self.surface.numbering().write(optimum.genomes[0] as usize, &mut name);
            let digits: Vec<String> = name.iter().map(|rank| (rank + 1).to_string()).collect();
            let kind = if optimum.violation == self.surface.levels()[0] { "best" } else { "optimum" };
            let (fitness, weight) = (optimum.violation, optimum.basin);
            nodes.push(Node { name: digits.join(" "), fitness, weight, kind, setting: None });
        }
        let proposal = RandomMove::new(self.surface.numbering());
        let mut edges = Vec::new();
        let mut row = Row::new(self.optima.len());
        // The genomes of each basin, with their shares in it.
        let mut basins: Vec<Vec<(u32, f64)>> = vec![Vec::new(); self.optima.len()];
        if ways == Ways::Basin {
            for genome in 0..genomes {
                shares
                    .of(genome)
                    .iter()
                    .for_each(|(optimum, share)| basins[*optimum as usize].push((genome as u32, *share)));
            }
        }
        for (from, (optimum, basin)) in self.optima.iter().zip(&basins).enumerate() {
            if progress.is_cut() {
                return Ok(None);
            }
            progress.advance(1);
            match ways {
                Ways::Basin => {
                    let size: f64 = basin.iter().map(|(_, share)| share).sum();
                    for (genome, share) in basin {
                        let mass = share / size;
                        proposal.each(*genome as usize, &mut |target, chance| {
                            row.add(shares.of(target), mass * chance);
                        });
                    }
                }
                Ways::Escape(moves) => {
                    let own = &optimum.genomes;
                    let mass = 1.0 / own.len() as f64;
                    own.iter().for_each(|genome| {
                        escape(&proposal, *genome as usize, moves, mass, &shares, &mut row)
                    });
                }
            }
            row.drain(|to, weight| edges.push(Edge { from: from as u32, to, weight }));
        }
        Ok(Some(Network { nodes, edges }))
    }
}

/// Follows all ways of so many random moves from a genome, and the descents from their ends.
fn escape(proposal: &RandomMove<'_>, genome: usize, moves: u32, mass: f64, shares: &Shares, row: &mut Row) {
    if moves == 0 {
        row.add(shares.of(genome), mass);
    } else {
        proposal.each(genome, &mut |target, chance| {
            escape(proposal, target, moves - 1, mass * chance, shares, row)
        });
    }
}

/// Looks at the interrupt now and then.
fn looked(index: usize, progress: &Progress<'_>) -> Option<()> {
    (!index.is_multiple_of(GENOMES_A_LOOK) || !progress.is_cut()).then_some(())
}

/// Of each genome the optima that a descent with the best moves ends in, each with its probability.
struct Shares {
    starts: Vec<(u32, u32)>,
    shares: Vec<(u32, f64)>,
}

impl Shares {
    fn new(optima: &Optima<'_>, progress: &Progress<'_>) -> Result<Option<Self>, TooManyShares> {
        let descent = Descent::new(optima.surface, false);
        let mut all = Self { starts: vec![(0, 0); optima.of.len()], shares: Vec::new() };
        let (mut steps, mut row) = (Vec::new(), Row::new(optima.optima.len()));
        for (index, genome) in optima.order.iter().enumerate() {
            if looked(index, progress).is_none() {
                return Ok(None);
            }
            let genome = *genome as usize;
            let start = all.shares.len() as u32;
            descent.successors(genome, &mut steps);
            if steps.is_empty() {
                all.shares.push((optima.of[genome], 1.0));
            } else {
                steps.iter().for_each(|(target, chance)| row.add(all.of(*target as usize), *chance));
                row.drain(|optimum, share| all.shares.push((optimum, share)));
            }
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
}

/// A sum over optima.
struct Row {
    sums: Vec<f64>,
    touched: Vec<u32>,
}

impl Row {
    fn new(optima: usize) -> Self {
        Self { sums: vec![0.0; optima], touched: Vec::new() }
    }

    fn add(&mut self, shares: &[(u32, f64)], factor: f64) {
        for (optimum, share) in shares {
            if self.sums[*optimum as usize] == 0.0 {
                self.touched.push(*optimum);
            }
            self.sums[*optimum as usize] += share * factor;
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

/// Sets of genomes that grow together; each is named by its first genome.
struct Groups(Vec<u32>);

impl Groups {
    fn new(genomes: usize) -> Self {
        Self((0..genomes as u32).collect())
    }

    fn of(&mut self, genome: usize) -> usize {
        let mut genome = genome;
        while self.0[genome] as usize != genome {
            self.0[genome] = self.0[self.0[genome] as usize];
            genome = self.0[genome] as usize;
        }
        genome
    }

    fn join(&mut self, a: usize, b: usize) {
        let (a, b) = (self.of(a), self.of(b));
        self.0[a.max(b)] = a.min(b) as u32;
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::{ALGORITHMS, FOUR, THREE, exact, expected, with_progress};
    use super::*;

    /// Calls `check` with the optima of a puzzle on `rows`.
    fn on_optima(text: &str, check: impl Fn(&Optima<'_>, &Progress<'_>)) {
        let exact = exact(text, ALGORITHMS[0]);
        with_progress(|progress| {
            check(&Optima::find(exact.surface(), progress).expect("nothing interrupts"), progress)
        });
    }

    #[test]
    fn optima_are_what_hill_climbing_ends_in() {
        on_optima(THREE, |optima, _| {
            for basins in [|one: &Optimum| one.basin, |one: &Optimum| one.first_basin] {
                let all: f64 = optima.optima.iter().map(basins).sum();
                assert!((all - 1.0).abs() < 1e-12, "{all}");
            }
            // One descent solves the puzzle with the probability of the basins of its solutions.
            for (index, basin) in
                [(0, (|one: &Optimum| one.basin) as fn(&Optimum) -> f64), (1, |one| one.first_basin)]
            {
                let climbing = ALGORITHMS[index].to_owned() + ", restart = 'none'";
                let solved: f64 = optima.optima.iter().filter(|one| one.violation == 0).map(basin).sum();
                let found = expected(&exact(THREE, &climbing)).success;
                assert!((found - solved).abs() < 1e-12, "{found} and {solved}");
            }
            let strict = optima.optima.iter().filter(|one| one.is_strict);
            assert!(strict.clone().all(|one| one.is_closed && one.genomes.len() == 1));
            assert!(optima.optima.iter().filter(|one| one.violation == 0).all(|one| one.is_closed));
        });
    }

    #[test]
    fn what_leaves_an_optimum_ends_somewhere() {
        on_optima(FOUR, |optima, progress| {
            for ways in [Ways::Basin, Ways::Escape(1), Ways::Escape(2)] {
                let network =
                    optima.network(ways, progress).expect("few shares").expect("nothing interrupts");
                assert_eq!(network.nodes.len(), optima.optima.len());
                let mut sums = vec![0.0; network.nodes.len()];
                network.edges.iter().for_each(|edge| sums[edge.from as usize] += edge.weight);
                assert!(sums.iter().all(|sum| (sum - 1.0).abs() < 1e-9), "{ways:?}");
                let ends = |edge: &Edge| (edge.from, edge.to);
                assert!(network.edges.is_sorted_by_key(ends));
                let metrics = network.metrics().expect("there are optima");
                assert!(
                    metrics.best_share > 0.0 && metrics.best_share < 1.0 && metrics.funnels >= 1,
                    "{metrics:?}"
                );
                assert!((0.0..=1.0).contains(&metrics.clustering) && metrics.page_rank < 1.0, "{metrics:?}");
            }
        });
    }
}
