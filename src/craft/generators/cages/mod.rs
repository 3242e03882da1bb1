//! Puzzles of cages under construction: a solution, a layout of cages, and a clue for each that the solution satisfies.
//!
//! What can be changed is changed at random, near given cells: the operator of a cage, or its cells (`layout.rs`). No change
//! makes a clue that the solution breaks, a cage of a size that was not ordered, or one whose clue says nothing.

mod layout;
mod operators;
mod quality;
mod sizes;
mod start;

use std::sync::Arc;

use crate::puzzle::{Cage, Clue, Grid, Kind, Puzzle, Square};
use crate::rng::RunRng;
use crate::spec::{Param, ParamKind, Place, Spec, SpecError};

use super::steer::{Draft, Flaws, Wish};
use layout::{Edit, Layout, neighbours};

pub(super) use operators::OperatorMix;
pub(super) use sizes::SizeMix;

/// The parameter that says how many cells cages have.
pub(super) const CAGES: Param = Param::optional("cages", ParamKind::Text).about(
    "numbers of cells of cages, with weights: 1..5, or 2:5,3:4,4:1; without it, what suits the difficulty",
);

/// The parameter that bounds the one-cell cages.
pub(super) const SINGLES: Param = Param::optional("singles", ParamKind::Real(0.0, 1.0))
    .about("most one-cell cages, as a share of all cages; without it, by the weight of size 1");

/// The share of one-cell cages that an order allows.
pub(super) fn singles(spec: &Spec, sizes: &SizeMix) -> f64 {
    spec.real_or_absent("singles").unwrap_or_else(|| sizes.singles())
}

/// Refuses sizes of cages that no number of them makes the area of a square of.
///
/// # Errors
/// What to ask for instead.
pub(super) fn check_area(sizes: &SizeMix, singles: f64, size: usize) -> Result<(), SpecError> {
    let area = size * size;
    let mut is_made = vec![true];
    for cells in 1..=area {
        let with_last = |last: usize| last <= cells && is_made[cells - last] && sizes.allows(last);
        let by_single = (singles > 0.0 || size == 1) && is_made[cells - 1];
        is_made.push((2..=sizes.largest()).any(with_last) || by_single);
    }
    if is_made[area] {
        return Ok(());
    }
    Err(SpecError::Conflict {
        message: format!("cages of these sizes do not fill {area} cells"),
        help: "ask for more sizes, such as 2..4".to_owned(),
        place: Place::default(),
    })
}

/// Changes that are tried until one excludes other solutions.
const TRIES: usize = 60;

/// What the cages of an order may be.
pub(super) struct CageRules {
    /// Rows, columns and digits.
    pub(super) size: usize,
    /// KenKen or Killer.
    pub(super) kind: Kind,
    /// The rows and columns of a box, where the kind has boxes.
    pub(super) boxes: Option<(usize, usize)>,
    /// The sizes of cages.
    pub(super) sizes: SizeMix,
    /// The most one-cell cages, as a share of all cages.
    pub(super) singles: f64,
    /// The operators.
    pub(super) operators: OperatorMix,
    /// What keeps the outlines as they are: see [`Symmetry::maps`](super::symmetry::Symmetry::maps).
    pub(super) maps: Vec<Vec<u16>>,
}

impl CageRules {
    /// No cage holds a digit twice.
    fn is_distinct(&self) -> bool {
        self.kind == Kind::Killer
    }

    /// Says whether a cage may have so many cells.
    fn allows(&self, cells: usize) -> bool {
        if cells == 1 { self.singles > 0.0 || self.size == 1 } else { self.sizes.allows(cells) }
    }

    /// The most one-cell cages among so many.
    fn most_singles(&self, cages: usize) -> usize {
        if self.size == 1 { 1 } else { (self.singles * cages as f64).ceil() as usize }
    }
}

/// A puzzle of cages under construction.
#[derive(Clone)]
pub(super) struct CageDraft<'a> {
    rules: &'a CageRules,
    /// The digits of the solution, row-major.
    solution: Arc<[u8]>,
    layout: Layout,
    /// The clue of every cage, at its first cell.
    clues: Vec<Clue>,
}

/// The kinds of changes.
#[derive(Clone, Copy)]
enum Change {
    Operator,
    HandOver,
    Recut,
    Merge,
    Split,
}

impl Change {
    const ALL: [Self; 5] = [Self::Operator, Self::HandOver, Self::Recut, Self::Merge, Self::Split];

    /// Draws a change that tends to what is wished for.
    fn draw(wish: Wish, rng: &mut RunRng) -> Self {
        let weights: [usize; 5] = match wish {
            Wish::Tighter => [5, 4, 3, 0, 3],
            Wish::Smaller => [3, 2, 2, 0, 6],
            Wish::Looser => [3, 3, 2, 5, 0],
            Wish::Other => [4, 4, 2, 2, 2],
        };
        let mut point = rng.below(weights.iter().sum());
        for (change, weight) in Self::ALL.into_iter().zip(weights) {
            if point < weight {
                return change;
            }
            point -= weight;
        }
        unreachable!("the point is below the sum of the weights")
    }
}

impl CageDraft<'_> {
    /// The clue of a cage.
    fn clue(&self, cells: &[u16]) -> Clue {
        self.clues[usize::from(cells[0])]
    }

    /// The digits of some cells in the solution.
    fn digits(&self, cells: &[u16]) -> Vec<u8> {
        digits_of(&self.solution, cells)
    }

    /// The puzzle with its solution, without an id.
    pub(super) fn puzzle(&self) -> Puzzle {
        let size = self.rules.size;
        let cage = |cells: &layout::Cells| {
            let Clue { operator, target } = self.clue(cells);
            let place = |cell: &u16| (usize::from(*cell) / size, usize::from(*cell) % size);
            let repeats = !self.rules.is_distinct();
            Cage { repeats, ..Cage::new(operator, target, cells.iter().map(place).collect()) }
        };
        let cages = self.layout.cages().iter().map(cage).collect();
        let square = Square { kind: self.rules.kind, boxes: self.rules.boxes, ..Square::kenken(size, cages) };
        let mut puzzle = square.build().expect("a draft keeps its cages sound");
        let digits = self.solution.iter().copied().map(Some).collect();
        puzzle.solution = Some(Grid::from_cells(size, size, digits));
        puzzle
    }

    /// Says whether some cage rules out a grid.
    fn excludes(&self, digits: &[u8]) -> bool {
        let breaks = |cells: &layout::Cells| {
            let held = digits_of(digits, cells);
            !self.clue(cells).holds(&held) || self.rules.is_distinct() && repeats(&held)
        };
        self.layout.cages().iter().any(breaks)
    }

    /// A change at random in or beside the cage of a cell; none where what was drawn cannot be.
    fn changed(&self, cell: u16, change: Change, rng: &mut RunRng) -> Option<Self> {
        let cage = self.layout.owner(cell);
        let cells = self.layout.cages()[cage].len();
        let beside = |rng: &mut RunRng| {
            let others: Vec<u16> = neighbours(self.rules.size, cell).collect();
            // A grid of one cell has no neighbours.
            let other = if others.is_empty() { return None } else { others[rng.below(others.len())] };
            Some((other, self.layout.owner(other))).filter(|(_, owner)| *owner != cage)
        };
        let edit = match change {
            Change::Operator => return self.with_other_clue(cage, rng),
            Change::HandOver => {
                let (other, owner) = beside(rng)?;
                if rng.coin(0.5) {
                    self.layout.hand_over(cell, owner)
                } else {
                    self.layout.hand_over(other, cage)
                }
            }
            Change::Recut => {
                let (_, owner) = beside(rng)?;
                let part = 1 + rng.below(cells + self.layout.cages()[owner].len() - 1);
                self.layout.recut(cage, owner, part, rng)
            }
            Change::Merge => Some(self.layout.merge(cage, beside(rng)?.1)),
            Change::Split => {
                let part = 1 + rng.below(cells);
                self.layout.split(cage, part, rng)
            }
        };
        self.edited(edit?, rng)
    }

    /// The draft after an edit with its images, with clues for the cages that are new.
    fn edited(&self, edit: Edit, rng: &mut RunRng) -> Option<Self> {
        let edit = self.layout.with_images(edit, &self.rules.maps)?;
        let is_allowed = |cells: &layout::Cells| {
            self.rules.allows(cells.len()) && !(self.rules.is_distinct() && repeats(&self.digits(cells)))
        };
        if !edit.fresh.iter().all(is_allowed) {
            return None;
        }
        let mut next = self.clone();
        next.layout.apply(&edit);
        for cells in &edit.fresh {
            next.set_clue(cells, rng)?;
        }
        let singles = |draft: &Self| draft.layout.cages().iter().filter(|cells| cells.len() == 1).count();
        let most = self.rules.most_singles(next.layout.cages().len());
        (singles(&next) <= most.max(singles(self))).then_some(next)
    }

    /// Draws a clue for a cage; none where its digits go with no operator, or the clue would say nothing.
    fn set_clue(&mut self, cells: &[u16], rng: &mut RunRng) -> Option<()> {
        let digits = self.digits(cells);
        let clue = match *digits {
            [digit] => operators::given(digit),
            _ => operators::draw(&self.rules.operators.clues(&digits), rng)?,
        };
        self.clues[usize::from(cells[0])] = clue;
        (!quality::is_vacuous(self.rules, cells, clue)).then_some(())
    }

    /// The draft with another clue for a cage; none where there is no other.
    fn with_other_clue(&self, cage: usize, rng: &mut RunRng) -> Option<Self> {
        let cells = &self.layout.cages()[cage];
        let digits = self.digits(cells);
        if digits.len() == 1 {
            return None;
        }
        let mut clues = self.rules.operators.clues(&digits);
        clues.retain(|(clue, _)| *clue != self.clue(cells));
        let clue = operators::draw(&clues, rng)?;
        if quality::is_vacuous(self.rules, cells, clue) {
            return None;
        }
        let mut next = self.clone();
        next.clues[usize::from(cells[0])] = clue;
        Some(next)
    }
}

impl Draft for CageDraft<'_> {
    fn puzzle(&self) -> Puzzle {
        self.puzzle()
    }

    fn solution(&self) -> &[u8] {
        &self.solution
    }

    fn change(&mut self, near: &[u16], wish: Wish, rng: &mut RunRng) -> bool {
        for _ in 0..TRIES {
            let cell = match near {
                [] => rng.below(self.solution.len()) as u16,
                _ => near[rng.below(near.len())],
            };
            let change = Change::draw(wish, rng);
            if let Some(next) = self.changed(cell, change, rng) {
                *self = next;
                return true;
            }
        }
        false
    }

    fn exclude(&mut self, others: &[Vec<u8>], rng: &mut RunRng) -> bool {
        let Some(last) = others.last() else { return true };
        let differs = |cell: &u16| last[usize::from(*cell)] != self.solution[usize::from(*cell)];
        let near: Vec<u16> = (0..self.solution.len() as u16).filter(differs).collect();
        for _ in 0..TRIES {
            let cell = near[rng.below(near.len())];
            let change = Change::draw(Wish::Tighter, rng);
            let next = self.changed(cell, change, rng);
            if let Some(next) = next.filter(|next| others.iter().all(|other| next.excludes(other))) {
                *self = next;
                return true;
            }
        }
        false
    }

    fn flaws(&self) -> Flaws {
        quality::flaws(self)
    }

    fn parts(&self) -> Vec<Vec<u16>> {
        self.layout.cages().to_vec()
    }
}

fn digits_of(grid: &[u8], cells: &[u16]) -> Vec<u8> {
    cells.iter().map(|cell| grid[usize::from(*cell)]).collect()
}

/// Says whether a digit stands twice among some.
fn repeats(digits: &[u8]) -> bool {
    let mut seen = 0_u64;
    digits.iter().any(|digit| {
        let before = seen;
        seen |= 1 << digit;
        before == seen
    })
}
