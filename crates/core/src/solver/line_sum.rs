//! Sums over several cages in lines: what remains for the cells outside them.
//!
//! The digits of a full line, one with as many cells as digits, have a known sum, and so have those of several full lines
//! without a common cell. Of a cage whose tuples all have one sum, the lines either contain all cells, or the cage stands
//! for its cells inside by its sum without those outside, whichever leaves fewer terms. Left is an equation
//!
//! ```text
//! cells of the lines outside cages - cells of cages outside the lines = a constant
//! ```
//!
//! and, where it has few tuples, a table of its own. The lines begin with each alone; others join it, the next always that
//! which leaves the fewest terms.
//!
//! Consistency: generalised arc consistency on each such equation together with "cells that share a line differ", under
//! what is known without decisions. They follow from the other rules, so they are added late: puzzles that the plain search
//! solves at once do without.
//! Cost: lines^2 x cells to choose the lines, then the tables, as those of cages.
//!
//! Source: the 45 rule, innies and outies, folklore of Killer players, as in Djape, "The Rule of 45 of Killer Sudoku"
//! (2005); implied linear constraints over cells and cages in H. Simonis, "Sudoku as a constraint problem", CP 2005
//! workshop on modelling and reformulating constraint satisfaction problems.

use crate::problem::{bits, mask_of};

use super::engine::{Engine, Propagator};
use super::observer::{RemovalCause, SearchObserver};
use super::space::Conflict;

/// The most terms of an equation.
const MOST_TERMS: usize = 6;

/// The most lines of an equation.
const MOST_LINES: usize = 4;

/// The most tuples of an equation's table.
const MOST_TUPLES: usize = 2000;

/// A cage whose tuples all have one sum.
struct CageSum {
    /// The number of its propagator.
    number: usize,
    cells: Vec<u16>,
    sum: i64,
}

/// A cell of an equation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct EquationTerm {
    cell: u16,
    /// 1 or -1.
    sign: i64,
}

/// Cells with signs that have a constant sum.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Equation {
    /// Ascending.
    terms: Vec<EquationTerm>,
    sum: i64,
    /// The lines and cages that it follows from.
    lines: Vec<u32>,
    cages: Vec<usize>,
}

impl Engine {
    /// Adds the tables of line sums, at the most as many as numbers are reserved for them, and propagates. There must be
    /// no decision; a second call does nothing.
    ///
    /// # Errors
    /// [`Conflict`] when there is no solution.
    pub(super) fn add_line_sums(&mut self, observer: &mut impl SearchObserver) -> Result<(), Conflict> {
        let mut numbers = std::mem::take(&mut self.line_sums);
        if numbers.is_empty() {
            return Ok(());
        }
        let cages = cage_sums(self);
        for equation in equations(self, &cages) {
            // Under the candidates of now: equations before it may have removed some.
            let Some(tuples) = tuples(self, &equation) else { continue };
            let Some(number) = numbers.next() else { break };
            observer.derived(number, &self.sources(&equation));
            let cells: Vec<u16> = equation.terms.iter().map(|term| term.cell).collect();
            let (from, cause) = (self.space.now(), RemovalCause::Propagator(number));
            let table = self.tables.add(&cells, &tuples, &mut self.space);
            observer.changed(&self.space, cause, from);
            let table = table.inspect_err(|Conflict| observer.failed(cause))?;
            self.install(number, Propagator::Table(table));
        }
        self.fixpoint(observer)
    }
}

impl Engine {
    /// The numbers of the propagators that an equation's tuples follow from: its lines first, then its cages, then the
    /// lines in which its terms differ.
    fn sources(&self, equation: &Equation) -> Vec<usize> {
        let mut sources = Vec::new();
        for line in &equation.lines {
            sources.push(self.singles_of(*line));
        }
        sources.extend_from_slice(&equation.cages);
        for line in 0..self.lines.len() as u32 {
            let cells = self.lines.cells(line);
            let shared = equation.terms.iter().filter(|term| cells.binary_search(&term.cell).is_ok());
            if shared.count() > 1 {
                sources.push(self.singles_of(line));
            }
        }
        sources
    }

    /// The number of the cheap part of a line.
    fn singles_of(&self, line: u32) -> usize {
        let mut all = self.propagators.iter();
        let place = all.position(|other| matches!(other, Propagator::Singles(own) if *own == line));
        place.expect("every line has its singles")
    }
}

/// The cages whose live tuples all have one sum.
fn cage_sums(engine: &Engine) -> Vec<CageSum> {
    let mut cages = Vec::new();
    for (number, propagator) in engine.propagators.iter().enumerate() {
        let (cells, sum) = match propagator {
            Propagator::Table(table) => {
                let sum = engine.tables.constant_sum(*table, &engine.values, &engine.space);
                (engine.tables.cells(*table), sum)
            }
            // A chain adds up by its clue, whatever its candidates; a table of another operator may happen to,
            // once most of its tuples are struck.
            Propagator::Sum(sum) => (sum.cells(), Some(sum.target())),
            Propagator::Combination(sum) => (sum.cells(), Some(sum.target())),
            _ => continue,
        };
        if let Some(sum) = sum.and_then(|sum| i64::try_from(sum).ok()) {
            cages.push(CageSum { number, cells: cells.to_vec(), sum });
        }
    }
    cages
}

/// The equations of each full line alone and with others, those with the fewest terms first.
fn equations(engine: &Engine, cages: &[CageSum]) -> Vec<Equation> {
    let mut full: Vec<u32> = (0..engine.lines.len() as u32).collect();
    full.retain(|line| engine.lines.cells(*line).len() == engine.digits());
    let mut found: Vec<Equation> = Vec::new();
    for first in &full {
        let mut equation = equation(engine, cages, vec![*first]);
        loop {
            // Different lines may leave the same equation.
            let is_new = !found.iter().any(|other| other.terms == equation.terms);
            if is_new && (1..=MOST_TERMS).contains(&equation.terms.len()) {
                found.push(equation.clone());
            }
            if equation.lines.len() == MOST_LINES {
                break;
            }
            let Some(next) = join(engine, cages, &full, &equation.lines) else { break };
            equation = next;
        }
    }
    found.sort_by_key(|equation| equation.terms.len());
    found
}

/// The equation with the fewest terms of some lines and another without a common cell.
fn join(engine: &Engine, cages: &[CageSum], full: &[u32], lines: &[u32]) -> Option<Equation> {
    let mut fewest: Option<Equation> = None;
    for line in full {
        if lines.iter().any(|other| meet(engine, *line, *other)) {
            continue;
        }
        let joined = equation(engine, cages, [lines, &[*line]].concat());
        if fewest.as_ref().is_none_or(|fewest| joined.terms.len() < fewest.terms.len()) {
            fewest = Some(joined);
        }
    }
    fewest
}

/// Two lines have a common cell.
fn meet(engine: &Engine, line: u32, other: u32) -> bool {
    let cells = engine.lines.cells(other);
    engine.lines.cells(line).iter().any(|cell| cells.binary_search(cell).is_ok())
}

/// What remains of the sum of some lines without a common cell.
fn equation(engine: &Engine, cages: &[CageSum], lines: Vec<u32>) -> Equation {
    let mut open = vec![false; engine.weights.len()];
    for line in &lines {
        for cell in engine.lines.cells(*line) {
            open[usize::from(*cell)] = true;
        }
    }
    let line_sum: i64 = engine.values.iter().map(|value| i64::from(*value)).sum();
    let mut equation =
        Equation { terms: Vec::new(), sum: line_sum * lines.len() as i64, lines, cages: Vec::new() };
    // Cages may overlap in their cells outside: those of earlier ones are out of bounds.
    let mut outside = vec![false; open.len()];
    for cage in cages {
        let inside = cage.cells.iter().filter(|cell| open[usize::from(**cell)]).count();
        let is_free = !cage.cells.iter().any(|cell| outside[usize::from(*cell)]);
        let out = cage.cells.len() - inside;
        // A cage with more cells outside would leave more terms than it takes.
        if inside == 0 || out >= inside || !is_free {
            continue;
        }
        equation.sum -= cage.sum;
        equation.cages.push(cage.number);
        for cell in &cage.cells {
            if !std::mem::replace(&mut open[usize::from(*cell)], false) {
                outside[usize::from(*cell)] = true;
                equation.terms.push(EquationTerm { cell: *cell, sign: -1 });
            }
        }
    }
    for (cell, open) in (0..).zip(open) {
        if open {
            equation.terms.push(EquationTerm { cell, sign: 1 });
        }
    }
    // Cells that hold their digit already are part of the constant.
    let mut fixed = 0;
    equation.terms.retain(|term| {
        let mask = engine.space.mask(term.cell);
        let is_open = !mask.is_power_of_two();
        if !is_open {
            fixed += term.sign * i64::from(engine.values[mask.trailing_zeros() as usize]);
        }
        is_open
    });
    equation.sum -= fixed;
    equation.terms.sort_unstable();
    equation
}

/// The tuples of an equation under the present candidates; `None` where there are too many.
fn tuples(engine: &Engine, equation: &Equation) -> Option<Vec<u8>> {
    let terms = &equation.terms;
    // Without bounds and clashes the enumeration would walk through millions of assignments that no tuple
    // follows from.
    let mut bounds = vec![(0, 0); terms.len() + 1];
    for (index, term) in terms.iter().enumerate().rev() {
        let mask = engine.space.mask(term.cell);
        let low = term.sign * i64::from(engine.values[mask.trailing_zeros() as usize]);
        let high = term.sign * i64::from(engine.values[mask.ilog2() as usize]);
        let (least, greatest) = bounds[index + 1];
        bounds[index] = (least + low.min(high), greatest + low.max(high));
    }
    let mut clashes = Vec::with_capacity(terms.len());
    for (index, term) in terms.iter().enumerate() {
        let mut clash = 0;
        for (place, earlier) in terms[..index].iter().enumerate() {
            clash |= u32::from(share_a_line(engine, term.cell, earlier.cell)) << place;
        }
        clashes.push(clash);
    }
    let mut enumeration = Enumeration { engine, terms, bounds, clashes, ranks: Vec::new(), out: Vec::new() };
    enumeration.extend(equation.sum).then_some(enumeration.out)
}

/// Some line has both cells.
fn share_a_line(engine: &Engine, a: u16, b: u16) -> bool {
    (0..engine.lines.len() as u32).any(|line| {
        let cells = engine.lines.cells(line);
        cells.binary_search(&a).is_ok() && cells.binary_search(&b).is_ok()
    })
}

/// The enumeration of an equation's tuples.
struct Enumeration<'a> {
    engine: &'a Engine,
    terms: &'a [EquationTerm],
    /// The least and the greatest that the terms from each on make together.
    bounds: Vec<(i64, i64)>,
    /// The earlier terms that each must differ from.
    clashes: Vec<u32>,
    ranks: Vec<u8>,
    out: Vec<u8>,
}

impl Enumeration<'_> {
    /// Adds the tuples that begin with `ranks`, after which `rest` is left; false when there are too many.
    fn extend(&mut self, rest: i64) -> bool {
        let index = self.ranks.len();
        let (least, greatest) = self.bounds[index];
        if !(least..=greatest).contains(&rest) {
            return true;
        }
        let Some(EquationTerm { cell, sign }) = self.terms.get(index) else {
            self.out.extend_from_slice(&self.ranks);
            return self.out.len() <= MOST_TUPLES * self.terms.len();
        };
        // Terms in one line differ.
        let taken = mask_of(bits(self.clashes[index]).map(|earlier| u32::from(self.ranks[earlier as usize])));
        for rank in bits(self.engine.space.mask(*cell) & !taken) {
            self.ranks.push(rank as u8);
            let is_within = self.extend(rest - sign * i64::from(self.engine.values[rank as usize]));
            self.ranks.pop();
            if !is_within {
                return false;
            }
        }
        true
    }
}

#[cfg(test)]
mod tests {
    use super::super::build::build;
    use super::*;
    use crate::problem::Problem;
    use crate::puzzle::{Cage, Square, operators};
    use crate::rng::{RunRng, StreamKey};

    /// A 5x5 grid of cages of random shapes with a sum or a product each, and one of its solutions.
    fn random(rng: &mut RunRng) -> (Problem, Vec<u8>) {
        let mut order: Vec<usize> = (0..5).collect();
        rng.shuffle(&mut order);
        let digit = |row: usize, column: usize| ((order[row] + column) % 5) as u8 + 1;
        let mut cages: Vec<Vec<(usize, usize)>> = Vec::new();
        for (row, column) in (0..25).map(|place| (place / 5, place % 5)) {
            let beside = |cage: &&mut Vec<(usize, usize)>| {
                cage.len() < 4 && cage.iter().any(|cell| cell.0.abs_diff(row) + cell.1.abs_diff(column) == 1)
            };
            match cages.iter_mut().find(beside).filter(|_| rng.coin(0.7)) {
                Some(cage) => cage.push((row, column)),
                None => cages.push(vec![(row, column)]),
            }
        }
        let clued = cages.into_iter().map(|cells| {
            let values: Vec<i64> = cells.iter().map(|(row, column)| digit(*row, *column).into()).collect();
            let is_sum = rng.coin(0.8);
            let target = if is_sum { values.iter().sum() } else { values.iter().product() };
            let symbol = if is_sum { "+" } else { "*" };
            Cage::new(operators::find(symbol).expect("a known operator"), target, cells)
        });
        let clued = clued.collect();
        let problem = Problem::compile(&Square::kenken(5, clued).build().expect("a sound puzzle"));
        let ranks = (0..25).map(|cell| digit(cell / 5, cell % 5) - 1).collect();
        (problem, ranks)
    }

    #[test]
    fn a_solution_satisfies_every_equation_and_is_among_its_tuples() {
        let mut rng = StreamKey::run(3, "line sums", 0).rng();
        let mut checked = 0;
        for _ in 0..300 {
            let (problem, ranks) = random(&mut rng);
            let engine = build(&problem, &|| false, &mut ()).expect("a solution");
            for equation in equations(&engine, &cage_sums(&engine)) {
                let cells: Vec<u8> =
                    equation.terms.iter().map(|term| ranks[usize::from(term.cell)]).collect();
                let terms = equation.terms.iter().zip(&cells);
                let sum: i64 = terms.map(|(term, rank)| term.sign * (i64::from(*rank) + 1)).sum();
                assert_eq!(sum, equation.sum);
                let tuples = tuples(&engine, &equation).expect("few tuples");
                assert!(tuples.chunks_exact(cells.len()).any(|tuple| tuple == cells));
                checked += 1;
            }
        }
        assert!(checked > 300, "{checked}");
    }

    #[test]
    fn an_equation_removes_what_a_line_and_its_cages_do_not_show_alone() {
        let sum = |target, cells: &[(usize, usize)]| {
            Cage::new(operators::find("+").expect("a known operator"), target, cells.to_vec())
        };
        // Row 1 makes 15, so that A4 and A5 make 7, and B5, with which they make 9, is 2.
        let rest: Vec<(usize, usize)> =
            (5..25).map(|place| (place / 5, place % 5)).filter(|cell| *cell != (1, 4)).collect();
        let cages =
            vec![sum(8, &[(0, 0), (0, 1), (0, 2)]), sum(9, &[(0, 3), (0, 4), (1, 4)]), sum(58, &rest)];
        let problem = Problem::compile(&Square::kenken(5, cages).build().expect("a sound puzzle"));
        let mut engine = build(&problem, &|| false, &mut ()).expect("a solution");
        engine.add_line_sums(&mut ()).expect("a solution");
        assert_eq!(engine.space.mask(9), 0b00010);
    }
}
