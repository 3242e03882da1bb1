//! Puzzles of cages under construction: a solution, a layout of cages, and a clue for each that the solution satisfies.
//!
//! What can be changed is changed at random, near given cells: the operator of a cage, or its cells (`layout.rs`). No change
//! makes a clue that the solution breaks, a cage of a size that was not ordered, or one whose clue says nothing.

mod exchange;
mod layout;
mod operators;
mod quality;
mod sizes;
mod start;

use std::sync::Arc;

use kenga_core::puzzle::operators::Operator;
use kenga_core::puzzle::{Cage, Clue, Grid, Kind, Puzzle, Square};
use kenga_core::rng::RunRng;
use kenga_core::spec::{Param, ParamKind, Spec, SpecError};

use super::order::Wish;
use super::outlines::Symmetry;
use super::region_square::region_square;
use super::steer::{Draft, Flaws, Steering};
use super::{Shortfall, conflict, latin_square, mix};
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
    /// What keeps the outlines as they are: see [`Symmetry::maps`].
    pub(super) maps: Vec<Vec<u16>>,
}

impl CageRules {
    /// The rules of a resolved spec, with these sizes of cages where it names none.
    ///
    /// # Errors
    /// Sizes, operators or shares that do not go together.
    pub(super) fn of(
        spec: &Spec,
        usual: &str,
        operators: OperatorMix,
        (kind, boxes): (Kind, Option<(usize, usize)>),
        symmetry: Symmetry,
    ) -> Result<Self, SpecError> {
        let size = spec.size("size");
        let sizes = SizeMix::parse(spec.entry("cages").map_or(usual, |_| spec.text("cages")))?;
        let singles = spec.real_or_absent("singles").unwrap_or_else(|| sizes.singles());
        let rules = Self { size, kind, boxes, sizes, singles, operators, maps: symmetry.maps(size, size) };
        rules.check()?;
        Ok(rules)
    }

    /// Refuses sizes that no cage can have or that do not fill a square.
    fn check(&self) -> Result<(), SpecError> {
        if self.sizes.largest() > 2 && !self.operators.serves_large_cages() {
            let help = "ask for cages of 1 and 2 cells, or add + or * to the operators";
            return Err(conflict("- and / stand in cages of two cells alone".to_owned(), help));
        }
        if self.size > 1 && self.sizes.largest() == 1 {
            let message = "cages of one cell alone leave nothing to solve".to_owned();
            return Err(conflict(message, "ask for larger cages, too"));
        }
        let (area, most) = (self.size * self.size, self.most_cells());
        let mut is_made = vec![true];
        for cells in 1..=area {
            is_made.push((1..=cells.min(most)).any(|last| is_made[cells - last] && self.allows(last)));
        }
        if is_made[area] {
            return Ok(());
        }
        let help =
            format!("ask for more sizes, such as 2..{}; the largest cage here has {most} cells", most.min(4));
        Err(conflict(format!("cages of these sizes do not fill {area} cells"), help))
    }

    /// The most cells of a cage whose clue says something: one that holds all digits, or is the whole grid, says nothing.
    fn most_cells(&self) -> usize {
        match self.size {
            1 => 1,
            size if self.is_distinct() => size - 1,
            size => (size * size - 1).min(sizes::LARGEST),
        }
    }

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
        let weights = match wish {
            Wish::Tighter => [5.0, 4.0, 3.0, 0.0, 3.0],
            Wish::Smaller => [3.0, 2.0, 2.0, 0.0, 6.0],
            Wish::Looser => [3.0, 3.0, 2.0, 5.0, 0.0],
            Wish::Other => [4.0, 4.0, 2.0, 2.0, 2.0],
        };
        Self::ALL[mix::draw(&weights, rng).expect("there are weights")]
    }
}

/// Makes a puzzle of cages.
///
/// # Errors
/// As [`Steering::run`].
pub(super) fn make(rules: &CageRules, steering: Steering<'_>) -> Result<Puzzle, Shortfall> {
    steering.run(|rng: &mut RunRng| {
        let square = match rules.boxes {
            Some(boxes) => region_square(rules.size, boxes, rng),
            None => latin_square(rules.size, rng),
        };
        CageDraft::begin(rules, square, rng)
    })
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
            next.set_clue(cells, None, rng)?;
        }
        let singles = |draft: &Self| draft.layout.cages().iter().filter(|cells| cells.len() == 1).count();
        let most = self.rules.most_singles(next.layout.cages().len());
        (singles(&next) <= most.max(singles(self))).then_some(next)
    }

    /// Draws a clue for a cage, with this operator if its digits go with it; none where they go with no operator, or the clue would say
    /// nothing.
    fn set_clue(&mut self, cells: &[u16], operator: Option<Operator>, rng: &mut RunRng) -> Option<()> {
        let digits = self.digits(cells);
        let clue = match *digits {
            [digit] => operators::given(digit),
            _ => {
                let mut clues = self.rules.operators.clues(&digits);
                let is_like = |clue: &Clue| Some(clue.operator) == operator;
                if clues.iter().any(|(clue, _)| is_like(clue)) {
                    clues.retain(|(clue, _)| is_like(clue));
                }
                operators::draw(&clues, rng)?
            }
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
    const NOT_BEGUN: &'static str = "no grid could be divided into such cages";

    fn puzzle(&self) -> Puzzle {
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

    fn exchange(&mut self, rng: &mut RunRng) -> bool {
        let next = (0..TRIES).find_map(|_| self.exchanged(rng));
        next.map(|next| *self = next).is_some()
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
