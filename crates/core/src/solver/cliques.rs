//! Pairs of cells that differ, covered by cliques: cells that all differ from each other are one line, on which
//! all-different sees far more than on each pair.
//!
//! ```text
//! for every pair, in order, that no clique holds yet
//!     clique = the pair
//!     while some cell differs from all of the clique
//!         add the one with the most pairs to the clique that no clique holds yet;
//!         of equals, the one that differs from the most others that could follow; of equals, the first
//! ```
//!
//! Every clique is maximal, so cliques may share pairs. Cost: for every cell added, the neighbours of the cells that could
//! follow.
//!
//! Source: greedy edge clique cover, E. Kellerman 1973; L. Kou, L. Stockmeyer, C. Wong, "Covering edges by cliques with
//! regard to keyword conflicts and intersection graphs", CACM 21, 1978, doi:10.1145/359340.359346.

use std::cmp::Reverse;

use crate::problem::Problem;

/// The pairs of a problem and the cliques that hold them.
#[derive(Debug, Default)]
pub(super) struct CliqueCover {
    /// The cells of every clique, ascending: two or more, and one more than there are digits at most.
    pub(super) cliques: Vec<Vec<u16>>,
    /// The pairs, each with the lower cell first, ascending.
    pairs: Vec<(u16, u16)>,
    /// The first clique that holds each pair; `NO_CLIQUE` for none.
    clique_of: Vec<u32>,
    /// The cells that every cell is in a pair with, ascending.
    neighbours: Vec<Vec<u16>>,
}

const NO_CLIQUE: u32 = u32::MAX;

/// A cell that could join a clique.
struct CliqueCandidate {
    cell: u16,
    /// Its pairs to the clique that no clique holds yet.
    gain: usize,
}

impl CliqueCover {
    /// Covers the pairs of a problem: its distinct groups of two cells without a clue. It ends at a clique with more cells
    /// than there are digits, which refutes the problem.
    pub(super) fn of(problem: &Problem) -> Self {
        let mut pairs: Vec<(u16, u16)> =
            (0..problem.groups()).filter_map(|group| pair(problem, group)).collect();
        if pairs.is_empty() {
            return Self::default();
        }
        pairs.sort_unstable();
        pairs.dedup();
        let mut neighbours = vec![Vec::new(); problem.cells()];
        for &(low, high) in &pairs {
            neighbours[usize::from(low)].push(high);
            neighbours[usize::from(high)].push(low);
        }
        for cells in &mut neighbours {
            cells.sort_unstable();
        }
        let clique_of = vec![NO_CLIQUE; pairs.len()];
        let mut cover = Self { cliques: Vec::new(), pairs, clique_of, neighbours };
        for index in 0..cover.pairs.len() {
            if cover.clique_of[index] == NO_CLIQUE {
                let (low, high) = cover.pairs[index];
                let clique = cover.grow(low, high, problem.digits() + 1);
                // More cells than digits that all differ: no more need be known.
                let is_crowded = clique.len() > problem.digits();
                cover.take(clique);
                if is_crowded {
                    break;
                }
            }
        }
        cover
    }

    /// The clique of a group that is a pair.
    pub(super) fn clique_of(&self, problem: &Problem, group: usize) -> Option<usize> {
        if self.pairs.is_empty() {
            return None;
        }
        let (low, high) = pair(problem, group)?;
        Some(self.clique_of[self.index(low, high)?] as usize)
    }

    fn index(&self, one: u16, other: u16) -> Option<usize> {
        self.pairs.binary_search(&(one.min(other), one.max(other))).ok()
    }

    /// A maximal clique that holds a pair, unless it reaches `most` cells.
    fn grow(&self, low: u16, high: u16, most: usize) -> Vec<u16> {
        // Whatever joins differs from both cells: the neighbours of one are all that need be looked at.
        let mut clique = vec![low, high];
        let mut candidates = Vec::new();
        for &cell in &self.neighbours[usize::from(low)] {
            if self.index(cell, high).is_some() {
                let gain = self.gain(cell, low) + self.gain(cell, high);
                candidates.push(CliqueCandidate { cell, gain });
            }
        }
        while let Some(cell) = self.best(&candidates).filter(|_| clique.len() < most) {
            clique.push(cell);
            candidates.retain_mut(|candidate| {
                candidate.gain += self.gain(candidate.cell, cell);
                self.index(candidate.cell, cell).is_some()
            });
        }
        clique.sort_unstable();
        clique
    }

    /// Counts the pair of two cells if it is one and no clique holds it yet.
    fn gain(&self, one: u16, other: u16) -> usize {
        usize::from(self.index(one, other).is_some_and(|index| self.clique_of[index] == NO_CLIQUE))
    }

    fn best(&self, candidates: &[CliqueCandidate]) -> Option<u16> {
        // Pairs that are covered already count for nothing.
        let most = candidates.iter().map(|candidate| candidate.gain).max()?;
        let best = candidates.iter().filter(|candidate| candidate.gain == most);
        let best = best.max_by_key(|best| (self.count_followers(best.cell, candidates), Reverse(best.cell)));
        best.map(|best| best.cell)
    }

    /// The number of candidates that could still follow a cell.
    fn count_followers(&self, cell: u16, candidates: &[CliqueCandidate]) -> usize {
        candidates.iter().filter(|other| self.index(cell, other.cell).is_some()).count()
    }

    /// Adds a clique and notes the pairs that it is the first to hold.
    fn take(&mut self, clique: Vec<u16>) {
        let number = self.cliques.len() as u32;
        for (position, &low) in clique.iter().enumerate() {
            for &high in &clique[position + 1..] {
                let index = self.index(low, high).expect("all cells of a clique are in pairs");
                if self.clique_of[index] == NO_CLIQUE {
                    self.clique_of[index] = number;
                }
            }
        }
        self.cliques.push(clique);
    }
}

/// The cells of a group that is a pair.
fn pair(problem: &Problem, group: usize) -> Option<(u16, u16)> {
    let rule = problem.rule(group);
    match *problem.cells_of(group) {
        [low, high] if rule.distinct && rule.clue.is_none() => Some((low, high)),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::puzzle::{Coloring, Square};
    use crate::rng::StreamKey;

    fn problem(vertices: usize, colors: usize, edges: &[(usize, usize)]) -> Problem {
        let coloring = Coloring::new(vertices, colors, edges.to_vec());
        Problem::compile(&coloring.build().expect("a sound graph"))
    }

    #[test]
    fn every_pair_lies_in_its_clique_and_every_clique_is_maximal() {
        let mut rng = StreamKey::run(6, "cliques", 0).rng();
        for density in [0.1, 0.4, 0.7, 1.0] {
            let all = (0..20).flat_map(|high| (0..high).map(move |low| (low, high)));
            let edges: Vec<(usize, usize)> = all.filter(|_| rng.coin(density)).collect();
            let problem = problem(20, 32, &edges);
            let cover = CliqueCover::of(&problem);
            let is_edge = |one: u16, other: u16| {
                edges.contains(&(usize::from(one.min(other)), usize::from(one.max(other))))
            };
            for clique in &cover.cliques {
                assert!(clique.is_sorted());
                let joins = |cell: &u16| clique.iter().all(|member| is_edge(*member, *cell));
                assert!(clique.iter().all(|one| clique.iter().all(|two| one == two || is_edge(*one, *two))));
                assert!(!(0..20).any(|cell| joins(&cell)), "{clique:?}");
            }
            for group in 0..problem.groups() {
                let clique = &cover.cliques[cover.clique_of(&problem, group).expect("an edge is a pair")];
                assert!(problem.cells_of(group).iter().all(|cell| clique.contains(cell)));
            }
        }
    }

    #[test]
    fn a_clique_ends_when_it_has_more_cells_than_digits() {
        let edges: Vec<(usize, usize)> =
            (0..9).flat_map(|high| (0..high).map(move |low| (low, high))).collect();
        assert_eq!(CliqueCover::of(&problem(9, 4, &edges)).cliques[0].len(), 5);
        assert_eq!(CliqueCover::of(&problem(9, 9, &edges)).cliques, [[0, 1, 2, 3, 4, 5, 6, 7, 8]]);
    }

    #[test]
    fn the_rows_of_a_queens_graph_are_found() {
        let attack = |one: usize, two: usize| {
            let (rows, columns) = ((one / 5).abs_diff(two / 5), (one % 5).abs_diff(two % 5));
            rows == 0 || columns == 0 || rows == columns
        };
        let all = (0..25).flat_map(|high| (0..high).map(move |low| (low, high)));
        let edges: Vec<(usize, usize)> = all.filter(|(low, high)| attack(*low, *high)).collect();
        let cover = CliqueCover::of(&problem(25, 5, &edges));
        for row in 0..5 {
            assert!(cover.cliques.contains(&(row * 5..row * 5 + 5).collect()), "{:?}", cover.cliques);
        }
    }

    #[test]
    fn puzzles_without_pairs_have_no_cliques() {
        let problem = Problem::compile(&Square::latin(3).build().expect("a sound Latin square"));
        let cover = CliqueCover::of(&problem);
        assert!(cover.cliques.is_empty() && cover.clique_of(&problem, 0).is_none());
    }
}
