//! Every local optimum of a small space, exact basins, and the network of local optima.
//!
//! A *minimum* is a genome that no move makes better: where hill climbing ends. Minima of equal violation that a move leads
//! between count as one *optimum*. An optimum is *closed* where no way over genomes of equal violation leads to a better one,
//! and *strict* where it is a single genome all of whose neighbours are worse.
//!
//! The *basin* of an optimum is the probability that hill climbing from a uniformly random genome ends in it. Where several
//! moves are equally good, one genome may lead to several optima, and counts for each by the probability.
//!
//! Source: optima of several genomes S. Vérel, G. Ochoa, M. Tomassini 2011, doi:10.1109/TEVC.2010.2046175.

use super::descent::Descent;
use super::{Progress, Surface};
use crate::landscape::network::DisjointSets;

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
    pub(super) surface: &'a Surface,
    /// The optima, by their first genomes.
    pub optima: Vec<Optimum>,
    /// The optimum of each genome; [`NONE`] where it is no minimum.
    pub(super) of: Vec<u32>,
    /// The genomes, the best first.
    pub(super) order: Vec<u32>,
}

const NONE: u32 = u32::MAX;

/// How genomes compare with their neighbours.
struct NeighbourComparison {
    /// No neighbour is better.
    is_minimum: Vec<bool>,
    /// No neighbour is as good.
    is_strict: Vec<bool>,
    /// Genomes of equal level that moves join.
    plateaus: DisjointSets,
}

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
        for (index, optimum) in found.optima.iter_mut().enumerate() {
            optimum.basin = best[index];
            optimum.first_basin = first[index];
        }
        Some(found)
    }

    /// The genomes that moves lead to; one that several variables show comes several times.
    fn neighbours(&self, genome: usize) -> impl Iterator<Item = usize> + '_ {
        let numbering = self.surface.numbering();
        (0..numbering.variables.len()).flat_map(move |variable| numbering.targets(variable, genome))
    }

    fn compare(&self, progress: &Progress<'_>) -> Option<NeighbourComparison> {
        let genomes = self.of.len();
        let (mut is_minimum, mut is_strict) = (vec![true; genomes], vec![true; genomes]);
        let mut plateaus = DisjointSets::new(genomes);
        for genome in 0..genomes {
            progress.check(genome)?;
            for target in self.neighbours(genome) {
                match self.surface.level(target).cmp(&self.surface.level(genome)) {
                    std::cmp::Ordering::Less => is_minimum[genome] = false,
                    std::cmp::Ordering::Equal => {
                        is_strict[genome] = false;
                        // Moves lead both ways, so that this finds every pair twice, which costs little.
                        plateaus.join(genome, target);
                    }
                    std::cmp::Ordering::Greater => {}
                }
            }
        }
        Some(NeighbourComparison { is_minimum, is_strict, plateaus })
    }

    /// Joins minima to optima.
    fn gather(&mut self, progress: &Progress<'_>) -> Option<()> {
        let genomes = self.of.len();
        let NeighbourComparison { is_minimum, is_strict, mut plateaus } = self.compare(progress)?;
        // One plateau may hold several optima, with genomes between them that have a better neighbour.
        let mut optima = DisjointSets::new(genomes);
        let mut has_exit = vec![false; genomes];
        for genome in 0..genomes {
            progress.check(genome)?;
            if !is_minimum[genome] {
                has_exit[plateaus.first_of(genome)] = true;
                continue;
            }
            let level = self.surface.level(genome);
            for target in self.neighbours(genome) {
                if is_minimum[target] && self.surface.level(target) == level {
                    optima.join(genome, target);
                }
            }
        }
        for genome in 0..genomes {
            if !is_minimum[genome] {
                continue;
            }
            // Genomes come in order, so that the first of a set makes its optimum.
            let first = optima.first_of(genome);
            if first == genome {
                self.of[genome] = self.optima.len() as u32;
                self.optima.push(Optimum {
                    genomes: Vec::new(),
                    violation: self.surface.violation(genome),
                    is_closed: !has_exit[plateaus.first_of(genome)],
                    is_strict: is_strict[genome],
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
        let mut basins = vec![0.0; self.optima.len()];
        // From the worst genome on: all that comes to a genome has come before it is left.
        for (index, genome) in self.order.iter().rev().enumerate() {
            progress.check(index)?;
            let genome = *genome as usize;
            let successors = descent.successors(genome);
            if successors.is_empty() {
                basins[self.of[genome] as usize] += mass[genome];
            }
            for successor in successors {
                mass[successor.genome as usize] += mass[genome] * successor.chance;
            }
        }
        Some(basins)
    }
}

#[cfg(test)]
mod tests {
    use super::super::EdgeKind;
    use super::super::tests::{ALGORITHMS, FOUR, THREE, exact, expected, with_progress};
    use super::*;
    use crate::landscape::Edge;

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
            for kind in [EdgeKind::Basin, EdgeKind::Escape(1), EdgeKind::Escape(2)] {
                let network =
                    optima.network(kind, progress).expect("few shares").expect("nothing interrupts");
                assert_eq!(network.nodes.len(), optima.optima.len());
                let mut sums = vec![0.0; network.nodes.len()];
                network.edges.iter().for_each(|edge| sums[edge.from as usize] += edge.weight);
                assert!(sums.iter().all(|sum| (sum - 1.0).abs() < 1e-9), "{kind:?}");
                let ends = |edge: &Edge| (edge.from, edge.to);
                assert!(network.edges.is_sorted_by_key(ends));
                let metrics = network.metrics().expect("there are optima");
                assert!(metrics.funnel_share > 0.0 && metrics.funnels >= 1, "{metrics:?}");
                assert!((0.0..=1.0).contains(&metrics.clustering) && metrics.page_rank < 1.0, "{metrics:?}");
            }
        });
    }
}
