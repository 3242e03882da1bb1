//! The known solutions of a puzzle, and how far a genome is from the nearest.

use kenga_core::search::{Change, Space};

/// Known solutions, each a rank a cell.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Targets {
    /// The solutions, each `cells` ranks.
    pub solutions: Vec<Vec<u8>>,
    /// There are no others.
    pub is_complete: bool,
}

impl Targets {
    /// The fewest cells in which a genome differs from a solution; `None` where none is known.
    pub fn cells(&self, genome: &[u8]) -> Option<u32> {
        let cells = self.solutions.iter().map(|solution| differing(solution, genome)).min()?;
        Some(cells as u32)
    }

    /// The fewest moves of the encoding's neighbourhood that lead from a genome to a solution; `None` where none is known.
    ///
    /// An exchange of two digits joins or splits cycles: a line whose digits are those of the solution in another order
    /// needs as many exchanges as it has free genes, less the cycles of that order. Other moves give a part, which is a cell
    /// or a cage, all its digits at once: as many are needed as there are parts that differ.
    pub fn moves(&self, genome: &[u8], space: &Space) -> Option<u32> {
        let moves = self.solutions.iter().map(|solution| moves(solution, genome, space)).min()?;
        Some(moves as u32)
    }
}

/// The cells in which a genome differs from a solution.
fn differing(solution: &[u8], genome: &[u8]) -> usize {
    solution.iter().zip(genome).filter(|(a, b)| a != b).count()
}

/// The fewest moves from a genome to a solution.
fn moves(solution: &[u8], genome: &[u8], space: &Space) -> usize {
    let mut moves = 0;
    match space.change {
        Change::Exchanges => {
            for segment in space.segments.iter() {
                moves += exchanges(segment, genome, solution);
            }
        }
        Change::Digits => moves = differing(solution, genome),
        Change::Tuples => {
            for part in space.cages.iter() {
                if part.iter().any(|gene| at(genome, *gene) != at(solution, *gene)) {
                    moves += 1;
                }
            }
        }
    }
    moves
}

fn at(genome: &[u8], gene: u16) -> u8 {
    genome[usize::from(gene)]
}

/// The fewest exchanges that put the digits of a segment, all different, in the order of a solution: its genes less the
/// cycles of the permutation.
fn exchanges(segment: &[u16], genome: &[u8], solution: &[u8]) -> usize {
    // An exchange splits one cycle at the most, and a segment in order has a cycle for each gene.
    let (mut seen, mut cycles) = (0u64, 0);
    for start in 0..segment.len() {
        if seen >> start & 1 == 1 {
            continue;
        }
        cycles += 1;
        let mut place = start;
        while seen >> place & 1 == 0 {
            seen |= 1 << place;
            let wanted = at(solution, segment[place]);
            place = segment.iter().position(|gene| at(genome, *gene) == wanted).unwrap_or(place);
        }
    }
    segment.len() - cycles
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn exchanges_are_genes_less_cycles() {
        let segment: Vec<u16> = (0..6).collect();
        let identity = [0, 1, 2, 3, 4, 5];
        for (genome, moves) in [
            ([0, 1, 2, 3, 4, 5], 0),
            ([1, 0, 2, 3, 4, 5], 1),
            ([1, 0, 3, 2, 5, 4], 3),
            ([1, 2, 0, 3, 4, 5], 2),
            ([1, 2, 3, 4, 5, 0], 5),
        ] {
            assert_eq!(exchanges(&segment, &genome, &identity), moves, "{genome:?}");
            assert_eq!(exchanges(&segment, &identity, &genome), moves, "{genome:?}");
        }
        assert_eq!(exchanges(&[1, 4], &[9, 4, 9, 9, 1], &[9, 1, 9, 9, 4]), 1);
    }

    #[test]
    fn the_nearest_of_all_solutions_counts() {
        let targets = Targets { solutions: vec![vec![0, 1, 2], vec![2, 2, 2]], is_complete: true };
        assert_eq!(targets.cells(&[2, 2, 0]), Some(1));
        assert_eq!(Targets::default().cells(&[0]), None);
    }
}
