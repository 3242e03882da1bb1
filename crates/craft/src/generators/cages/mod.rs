//! Puzzles of cages under construction: a solution, a layout of cages, and a clue for each that the solution satisfies.
//!
//! What can be changed is changed at random, near given cells: the operator of a cage, or its cells (`layout.rs`). No change
//! makes a clue that the solution breaks, a cage of a size that was not ordered, or one whose clue says nothing.
//!
//! **Invariant**: what is drawn, and in which order, is part of the format: the same seed gives the same puzzle. A draft always has
//! its solution. Weights, numbers of tries and rules of quality may be changed with a line in the changelog.

mod exchange;
mod layout;
mod mix;
mod quality;
mod start;

use std::sync::Arc;

use kenga_core::puzzle::operators::Operator;
use kenga_core::puzzle::{Cage, Clue, Kind, Puzzle, Square};
use kenga_core::rng::RunRng;
use kenga_core::spec::{Param, ParamKind, Spec, SpecError};

use super::fill::region_square;
use super::order::Wish;
use super::outlines::Symmetry;
use super::steer::{Flaws, PuzzleDraft, Steering, differing};
use super::{Shortfall, conflict, digits_of, latin_square, solved};
use layout::{CageLayout, Edit, neighbours};
pub(super) use mix::{OperatorMix, SizeMix};

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
    size: usize,
    /// The rows and columns of a box of a Killer; none in a KenKen.
    boxes: Option<(usize, usize)>,
    sizes: SizeMix,
    /// The most one-cell cages, as a share of all cages.
    singles: f64,
    operators: OperatorMix,
    /// What keeps the outlines as they are: see [`Symmetry::maps`].
    maps: Vec<Vec<u16>>,
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
        boxes: Option<(usize, usize)>,
        symmetry: Symmetry,
    ) -> Result<Self, SpecError> {
        let size = spec.size("size");
        // Sizes that were not ordered are the usual ones, which depend on what else was.
        let sizes = SizeMix::parse(spec.entry("cages").map_or(usual, |_| spec.text("cages")))?;
        let singles = spec.real_or_absent("singles").unwrap_or_else(|| sizes.singles());
        let rules = Self { size, boxes, sizes, singles, operators, maps: symmetry.maps(size, size) };
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
        // Whether cages of these sizes have so many cells together.
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
            size => (size * size - 1).min(mix::LARGEST),
        }
    }

    /// No cage holds a digit twice.
    fn is_distinct(&self) -> bool {
        self.boxes.is_some()
    }

    /// Says whether a cage may hold these digits, whatever its clue.
    fn may_hold(&self, digits: &[u8]) -> bool {
        !self.is_distinct() || !repeats(digits)
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
    layout: CageLayout,
    /// The clue of every cage, at its first cell.
    clues: Vec<Clue>,
}

/// The kinds of changes.
#[derive(Clone, Copy)]
enum CageChange {
    Operator,
    HandOver,
    Recut,
    Merge,
    Split,
}

impl CageChange {
    const ALL: [Self; 5] = [Self::Operator, Self::HandOver, Self::Recut, Self::Merge, Self::Split];

    /// Draws a change that tends to what is wished for.
    fn draw(wish: Wish, rng: &mut RunRng) -> Self {
        // In the order of `ALL`: a merged cage says less than its parts, the parts of a split more than the whole.
        let weights = match wish {
            Wish::Tighter => [5.0, 4.0, 3.0, 0.0, 3.0],
            Wish::Smaller => [3.0, 2.0, 2.0, 0.0, 6.0],
            Wish::Looser => [3.0, 3.0, 2.0, 5.0, 0.0],
            Wish::Other => [4.0, 4.0, 2.0, 2.0, 2.0],
        };
        Self::ALL[mix::draw_index(&weights, rng).expect("there are weights")]
    }
}

/// Makes a puzzle of cages.
///
/// # Errors
/// As [`Steering::run`].
pub(super) fn make(rules: &CageRules, steering: Steering<'_>) -> Result<Puzzle, Shortfall> {
    steering.run(&|rng: &mut RunRng| {
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
    fn excludes(&self, grid: &[u8]) -> bool {
        for cells in self.layout.cages() {
            let held = digits_of(grid, cells);
            if !self.clue(cells).holds(&held) || !self.rules.may_hold(&held) {
                return true;
            }
        }
        false
    }

    /// A change at random in or beside the cage of a cell; none where what was drawn cannot be.
    fn changed(&self, cell: u16, change: CageChange, rng: &mut RunRng) -> Option<Self> {
        let cage = self.layout.owner(cell);
        let cells = self.layout.cages()[cage].len();
        let edit = match change {
            CageChange::Operator => return self.with_other_clue(cage, rng),
            CageChange::HandOver => {
                let other = self.draw_beside(cell, rng)?;
                // Either of the two cells may change sides.
                if rng.coin(0.5) {
                    self.layout.hand_over(cell, self.layout.owner(other))
                } else {
                    self.layout.hand_over(other, cage)
                }
            }
            CageChange::Recut => {
                let owner = self.layout.owner(self.draw_beside(cell, rng)?);
                let part = 1 + rng.below(cells + self.layout.cages()[owner].len() - 1);
                self.layout.recut(cage, owner, part, rng)
            }
            CageChange::Merge => {
                let owner = self.layout.owner(self.draw_beside(cell, rng)?);
                Some(self.layout.merge(cage, owner))
            }
            CageChange::Split => {
                let part = 1 + rng.below(cells);
                self.layout.split(cage, part, rng)
            }
        };
        self.edited(edit?, rng)
    }

    /// Draws a neighbour of a cell; none where it belongs to the same cage.
    fn draw_beside(&self, cell: u16, rng: &mut RunRng) -> Option<u16> {
        let others: Vec<u16> = neighbours(self.rules.size, cell).collect();
        if others.is_empty() {
            // A grid of one cell has no neighbours.
            return None;
        }
        let other = others[rng.below(others.len())];
        (self.layout.owner(other) != self.layout.owner(cell)).then_some(other)
    }

    /// The draft after an edit with its images, with clues for the cages that are new.
    fn edited(&self, edit: Edit, rng: &mut RunRng) -> Option<Self> {
        let edit = self.layout.with_images(edit, &self.rules.maps)?;
        for cells in &edit.fresh {
            if !self.rules.allows(cells.len()) || !self.rules.may_hold(&self.digits(cells)) {
                return None;
            }
        }
        let mut next = self.clone();
        next.layout.apply(&edit);
        for cells in &edit.fresh {
            next.set_clue(cells, None, rng)?;
        }
        // A draft that began with too many one-cell cages may keep them, but get no more.
        let most = self.rules.most_singles(next.layout.cages().len()).max(self.layout.lone_cells().len());
        (next.layout.lone_cells().len() <= most).then_some(next)
    }

    /// Draws a clue for a cage, with this operator if its digits go with it; none where they go with no operator, or the clue would say
    /// nothing.
    fn set_clue(&mut self, cells: &[u16], operator: Option<Operator>, rng: &mut RunRng) -> Option<()> {
        let digits = self.digits(cells);
        let clue = if let [digit] = *digits {
            mix::given(digit)
        } else {
            let clues = self.rules.operators.clues(&digits);
            let mut alike = clues.clone();
            alike.retain(|weighted| Some(weighted.clue.operator) == operator);
            mix::draw_clue(if alike.is_empty() { &clues } else { &alike }, rng)?
        };
        self.clues[usize::from(cells[0])] = clue;
        (!quality::is_vacuous(self.rules, cells, clue)).then_some(())
    }

    /// The draft with another clue for a cage; none where there is no other.
    fn with_other_clue(&self, cage: usize, rng: &mut RunRng) -> Option<Self> {
        let cells = &self.layout.cages()[cage];
        let digits = self.digits(cells);
        // A given has no other clue.
        if digits.len() == 1 {
            return None;
        }
        let mut clues = self.rules.operators.clues(&digits);
        clues.retain(|weighted| weighted.clue != self.clue(cells));
        let clue = mix::draw_clue(&clues, rng)?;
        if quality::is_vacuous(self.rules, cells, clue) {
            return None;
        }
        let mut next = self.clone();
        next.clues[usize::from(cells[0])] = clue;
        Some(next)
    }
}

impl PuzzleDraft for CageDraft<'_> {
    const NOT_BEGUN: &'static str = "no grid could be divided into such cages";

    fn puzzle(&self) -> Puzzle {
        let CageRules { size, boxes, .. } = *self.rules;
        let mut cages = Vec::new();
        for cells in self.layout.cages() {
            let Clue { operator, target } = self.clue(cells);
            let places = cells.iter().map(|cell| (usize::from(*cell) / size, usize::from(*cell) % size));
            let cage = Cage::new(operator, target, places.collect());
            cages.push(Cage { repeats: !self.rules.is_distinct(), ..cage });
        }
        let kind = if boxes.is_some() { Kind::Killer } else { Kind::KenKen };
        let square = Square { kind, boxes, ..Square::kenken(size, cages) };
        solved(square.build().expect("a draft keeps its cages sound"), &self.solution)
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
            let change = CageChange::draw(wish, rng);
            if let Some(next) = self.changed(cell, change, rng) {
                *self = next;
                return true;
            }
        }
        false
    }

    fn exclude(&mut self, others: &[Vec<u8>], rng: &mut RunRng) -> bool {
        // Near the cells of the latest: the others were excluded before, and only must stay so.
        let Some(last) = others.last() else { return true };
        let near = differing(last, &self.solution);
        for _ in 0..TRIES {
            let cell = near[rng.below(near.len())];
            let change = CageChange::draw(Wish::Tighter, rng);
            let Some(next) = self.changed(cell, change, rng) else { continue };
            if others.iter().all(|other| next.excludes(other)) {
                *self = next;
                return true;
            }
        }
        false
    }

    fn exchange(&mut self, rng: &mut RunRng) -> bool {
        for _ in 0..TRIES {
            if let Some(next) = self.exchanged(rng) {
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

/// Says whether a digit stands twice among some.
fn repeats(digits: &[u8]) -> bool {
    let mut seen = 0_u64;
    for digit in digits {
        if seen >> digit & 1 == 1 {
            return true;
        }
        seen |= 1 << digit;
    }
    false
}
