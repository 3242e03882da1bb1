//! The tuned fitness that the compiled peers are given: count + row pairs + column pairs + 10 x unsatisfied cages.
//!
//! It is written for this comparison as one who wants the utmost speed would write it, so that what is compared is the
//! loops: flat arrays, the size known to the compiler, no allocation, no branch that depends on a digit. A line's digits are counted
//! in 4-bit lanes of one word; a table of 4096 turns three lanes into their pairs of equal digits.

use std::fmt::Debug;

use kenga::puzzle::{Group, Puzzle, Role};

/// Weight of an unsatisfied cage.
const CAGE_WEIGHT: u32 = 10;
/// Low lane of every byte.
const LOW: u64 = 0x0F0F_0F0F_0F0F_0F0F;
/// One in the lane of a digit.
static LANE: [u64; 16] = lanes();
/// Pairs of equal digits in three lanes.
static PAIRS: [u8; 4096] = pairs_of_three_lanes();

/// A fitness that the compiled peers can call.
pub trait Evaluate: Clone + Debug + Send + Sync + 'static {
    /// Computes the fitness of `N * N` digits, row-major: 0 exactly when the puzzle is solved.
    fn evaluate(&self, genes: &[u8]) -> u32;
}

/// The fitness of an `N`x`N` KenKen with digits 1 to `N`, at most 9.
#[derive(Clone, Debug)]
pub struct FlatFitness<const N: usize> {
    two_cells: Vec<TwoCells>,
    sums: Vec<Cage>,
    products: Vec<Cage>,
    cells: Vec<u8>,
}

/// A cage of two cells, whatever its operator: bit `b` of `partners[a]` is set when digits `a`, `b` satisfy it.
#[derive(Clone, Debug)]
struct TwoCells {
    cells: [u8; 2],
    partners: [u16; 16],
}

/// A cage of any length: its cells are `cells[start..end]`.
#[derive(Clone, Debug)]
struct Cage {
    start: u32,
    end: u32,
    target: u32,
}

impl<const N: usize> FlatFitness<N> {
    /// Compiles a puzzle.
    ///
    /// # Panics
    /// When it is not `N`x`N`, or has a difference or quotient of three cells and more.
    pub fn new(puzzle: &Puzzle) -> Self {
        const { assert!(N <= 9, "a line's digits fit into 36 bits, a digit's occurrences into a byte") };
        assert_eq!((puzzle.rows(), puzzle.cols()), (N, N), "the puzzle has the size that was compiled for");
        let (two_cells, sums, products, cells) = Default::default();
        let mut fitness = Self { two_cells, sums, products, cells };
        puzzle.groups_with(Role::Cage).for_each(|group| fitness.add(group));
        fitness
    }

    fn add(&mut self, group: &Group) {
        let clue = group.clue.expect("a cage has a clue");
        let cells = group.cells.iter().map(|&cell| cell as u8);
        if let [a, b] = group.cells[..] {
            let mut partners = [0; 16];
            for (x, y) in (1..=N as u8).flat_map(|x| (1..=N as u8).map(move |y| (x, y))) {
                partners[usize::from(x)] |= u16::from(clue.holds(&[x, y])) << y;
            }
            self.two_cells.push(TwoCells { cells: [a as u8, b as u8], partners });
            return;
        }
        let start = self.cells.len() as u32;
        self.cells.extend(cells);
        let cage = Cage { start, end: self.cells.len() as u32, target: clue.target as u32 };
        match clue.operator.symbol {
            "*" => self.products.push(cage),
            "+" => self.sums.push(cage),
            _ if group.cells.len() == 1 => self.sums.push(cage),
            other => panic!("{other} over {} cells", group.cells.len()),
        }
    }

    #[inline]
    fn lines(genes: &[u8]) -> u32 {
        let mut columns = [0; N];
        let (mut pairs, mut even, mut odd) = (0, 0, 0);
        for row in genes.chunks_exact(N) {
            let mut counted = 0;
            for (column, digit) in columns.iter_mut().zip(row) {
                let lane = LANE[usize::from(digit & 15)];
                counted += lane;
                *column += lane;
            }
            pairs += pairs_of(counted);
            even += counted & LOW;
            odd += counted >> 4 & LOW;
        }
        pairs + columns.into_iter().map(pairs_of).sum::<u32>() + Self::count(even, odd)
    }

    /// Sum over digits of |occurrences - N|, from bytes of occurrences: `even` holds digits 1, 3, 5, 7, 9.
    #[inline]
    fn count(even: u64, odd: u64) -> u32 {
        let occurrences = |rank: usize| ([even, odd][rank % 2] >> (rank / 2 * 8)) as u8;
        (0..N).map(|rank| u32::from(occurrences(rank).abs_diff(N as u8))).sum()
    }

    #[inline]
    fn unsatisfied(&self, genes: &[u8]) -> u32 {
        let digit = |cell: &u8| u32::from(genes[usize::from(*cell)]);
        let cells = |cage: &Cage| self.cells[cage.start as usize..cage.end as usize].iter();
        let mut unsatisfied = 0;
        for TwoCells { cells: [a, b], partners } in &self.two_cells {
            let satisfied = partners[(digit(a) & 15) as usize] >> (digit(b) & 15) & 1;
            unsatisfied += u32::from(satisfied == 0);
        }
        for cage in &self.sums {
            unsatisfied += u32::from(cells(cage).map(digit).sum::<u32>() != cage.target);
        }
        for cage in &self.products {
            unsatisfied += u32::from(cells(cage).map(digit).product::<u32>() != cage.target);
        }
        unsatisfied
    }
}

impl<const N: usize> Evaluate for FlatFitness<N> {
    #[inline]
    fn evaluate(&self, genes: &[u8]) -> u32 {
        Self::lines(genes) + CAGE_WEIGHT * self.unsatisfied(genes)
    }
}

#[inline]
fn pairs_of(lanes: u64) -> u32 {
    let three = |shift: u32| u32::from(PAIRS[(lanes >> shift & 4095) as usize]);
    three(0) + three(12) + three(24)
}

const fn lanes() -> [u64; 16] {
    let mut lanes = [0; 16];
    let mut digit = 1;
    while digit < 16 {
        lanes[digit] = 1 << (4 * (digit - 1));
        digit += 1;
    }
    lanes
}

const fn pairs_of_three_lanes() -> [u8; 4096] {
    let mut table = [0; 4096];
    let mut lanes = 0;
    while lanes < 4096 {
        let (a, b, c) = (lanes & 15, lanes >> 4 & 15, lanes >> 8);
        // Lanes above 9 never occur; their pairs are cut to a byte.
        table[lanes] = ((a * a - a + b * b - b + c * c - c) / 2) as u8;
        lanes += 1;
    }
    table
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::instance::Instance;
    use crate::plain::PlainFitness;
    use kenga::puzzle::{Grid, check};
    use rand::rngs::SmallRng;
    use rand::{Rng, SeedableRng};

    fn slow(puzzle: &Puzzle, genes: &[u8]) -> u32 {
        let n = puzzle.rows();
        let of =
            |digit: u8, cells: &[usize]| cells.iter().filter(|&&cell| genes[cell] == digit).count() as u32;
        let whole: Vec<usize> = (0..n * n).collect();
        let count: u32 = (1..=n as u8).map(|digit| of(digit, &whole).abs_diff(n as u32)).sum();
        let terms = puzzle.groups().iter().map(|group| match group.clue {
            None => {
                (1..=n as u8).map(|digit| of(digit, &group.cells)).map(|k| k * k.saturating_sub(1) / 2).sum()
            }
            Some(clue) => {
                let digits: Vec<u8> = group.cells.iter().map(|&cell| genes[cell]).collect();
                CAGE_WEIGHT * u32::from(!clue.holds(&digits))
            }
        });
        count + terms.sum::<u32>()
    }

    fn solution(instance: &Instance) -> Vec<u8> {
        let text = std::fs::read_to_string(&instance.path).expect("it was read before");
        let document: serde_json::Value = serde_json::from_str(&text).expect("it was parsed before");
        serde_json::from_value::<Vec<Vec<u8>>>(document["solution"].clone()).expect("rows of digits").concat()
    }

    #[expect(clippy::disallowed_methods, reason = "a test of this package seeds for itself")]
    fn agrees<const N: usize>(instance: &Instance) {
        let fitness = FlatFitness::<N>::new(&instance.puzzle);
        let plain = PlainFitness::new(&instance.puzzle);
        let mut genes = solution(instance);
        let mut rng = SmallRng::seed_from_u64(1);
        assert_eq!(fitness.evaluate(&genes), 0, "{}", instance.name);
        for _ in 0..10_000 {
            genes[rng.gen_range(0..N * N)] = rng.gen_range(1..=N as u8);
            assert_eq!(
                fitness.evaluate(&genes),
                slow(&instance.puzzle, &genes),
                "{} {genes:?}",
                instance.name
            );
            assert_eq!(plain.evaluate(&genes), fitness.evaluate(&genes), "{} {genes:?}", instance.name);
            let grid = Grid::from_cells(N, N, genes.iter().copied().map(Some).collect());
            let solved = check(&instance.puzzle, &grid).is_solution();
            assert_eq!(fitness.evaluate(&genes) == 0, solved, "{} {genes:?}", instance.name);
        }
    }

    #[test]
    fn both_fitnesses_are_the_slow_one() {
        let instances = Instance::all().expect("the puzzles stand beside the manifest");
        agrees::<4>(&instances[0]);
        agrees::<6>(&instances[1]);
        agrees::<9>(&instances[2]);
    }

    #[test]
    fn a_grid_of_one_digit_is_counted_without_overflow() {
        let instances = Instance::all().expect("the puzzles stand beside the manifest");
        let fitness = FlatFitness::<9>::new(&instances[2].puzzle);
        for digit in 1..=9 {
            assert_eq!(fitness.evaluate(&[digit; 81]), slow(&instances[2].puzzle, &[digit; 81]));
        }
    }
}
