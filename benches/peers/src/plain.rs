//! The fitness that an ordinary careful user of a library writes: count + row pairs + column pairs + 10 x unsatisfied
//! cages, over flat arrays and without allocation, but without tables, bit lanes or a size known to the compiler.

use kenga::puzzle::{Group, Puzzle, Role};

use crate::fitness::Evaluate;

const CAGE_WEIGHT: u32 = 10;

/// The fitness of a KenKen with digits 1 to `size`, at most 9.
#[derive(Clone, Debug)]
pub struct PlainFitness {
    size: usize,
    cages: Vec<Cage>,
}

#[derive(Clone, Debug)]
struct Cage {
    operator: Operator,
    target: u32,
    cells: Vec<usize>,
}

#[derive(Clone, Copy, Debug)]
enum Operator {
    Given,
    Add,
    Multiply,
    Subtract,
    Divide,
}

impl PlainFitness {
    /// Compiles a puzzle.
    ///
    /// # Panics
    /// When the digits go above 9, or a difference or a quotient has more than two cells.
    pub fn new(puzzle: &Puzzle) -> Self {
        assert!(puzzle.rows() <= 9, "an array of ten counts a line's digits");
        Self { size: puzzle.rows(), cages: puzzle.groups_with(Role::Cage).map(Cage::new).collect() }
    }
}

impl Evaluate for PlainFitness {
    fn evaluate(&self, genes: &[u8]) -> u32 {
        let n = self.size;
        let mut occurrences = [0u32; 10];
        let mut pairs = 0;
        for row in 0..n {
            let mut seen = [0u32; 10];
            for column in 0..n {
                let digit = usize::from(genes[row * n + column]);
                pairs += seen[digit];
                seen[digit] += 1;
                occurrences[digit] += 1;
            }
        }
        for column in 0..n {
            let mut seen = [0u32; 10];
            for row in 0..n {
                let digit = usize::from(genes[row * n + column]);
                pairs += seen[digit];
                seen[digit] += 1;
            }
        }
        let count: u32 = occurrences[1..=n].iter().map(|&occurrences| occurrences.abs_diff(n as u32)).sum();
        let unsatisfied = self.cages.iter().filter(|cage| !cage.is_satisfied(genes)).count() as u32;
        count + pairs + CAGE_WEIGHT * unsatisfied
    }
}

impl Cage {
    fn new(group: &Group) -> Self {
        let clue = group.clue.expect("a cage has a clue");
        let operator = match (clue.operator.symbol, group.cells.len()) {
            (_, 1) => Operator::Given,
            ("+", _) => Operator::Add,
            ("*", _) => Operator::Multiply,
            ("-", 2) => Operator::Subtract,
            ("/", 2) => Operator::Divide,
            (other, cells) => panic!("{other} over {cells} cells"),
        };
        Self { operator, target: clue.target as u32, cells: group.cells.clone() }
    }

    fn is_satisfied(&self, genes: &[u8]) -> bool {
        let digit = |cell: &usize| u32::from(genes[*cell]);
        match self.operator {
            Operator::Given => digit(&self.cells[0]) == self.target,
            Operator::Add => self.cells.iter().map(digit).sum::<u32>() == self.target,
            Operator::Multiply => self.cells.iter().map(digit).product::<u32>() == self.target,
            Operator::Subtract => digit(&self.cells[0]).abs_diff(digit(&self.cells[1])) == self.target,
            Operator::Divide => {
                let (a, b) = (digit(&self.cells[0]), digit(&self.cells[1]));
                a == b * self.target || b == a * self.target
            }
        }
    }
}
