//! The last open cell of a house or of a cage.

use crate::ladder::{Candidates, Found, Reason, Score, Technique};
use kenga_core::problem::bits;

pub static LAST_CELL: Technique = Technique {
    name: "last_cell",
    about: "the last open cell of a row, column, region or cage takes the digit that is left for it",
    source: "known to every player; the easiest of Sudoku Explainer by N. Juillerat (2006-2007), for houses alone",
    picture: "\
row 1:  3 1 . 4      row 1:  3 1 2 4",
    score: Score(10),
    of_cages: false,
    find,
};

fn find(candidates: &Candidates<'_>, found: &mut Found) {
    let frame = candidates.frame;
    for house in &frame.houses {
        if let Some(cell) = only_open(candidates, *house)
            && let mask = candidates.mask(cell)
            && mask.is_power_of_two()
        {
            found.fill(candidates, (cell, mask.trailing_zeros()), || {
                let words = format!("the last open cell of {}", candidates.group(*house));
                Reason::new([*house], frame.cells(*house), words)
            });
        }
    }
    for cage in &frame.cages {
        if let Some(cell) = only_open(candidates, *cage)
            && let Some(rank) = completion(candidates, *cage, cell)
        {
            found.fill(candidates, (cell, rank), || {
                let words = match frame.cells(*cage).len() {
                    1 => "it is given".to_owned(),
                    _ => format!(
                        "the last open cell of {}, which nothing else completes",
                        candidates.group(*cage)
                    ),
                };
                Reason::new([*cage], frame.cells(*cage), words)
            });
        }
    }
}

/// The cell of a group that is open, where all others are filled in.
fn only_open(candidates: &Candidates<'_>, group: usize) -> Option<u16> {
    let mut open = candidates.frame.cells(group).iter().copied().filter(|cell| !candidates.is_filled(*cell));
    open.next().filter(|_| open.next().is_none())
}

/// The only candidate that completes a cage, where one alone does.
fn completion(candidates: &Candidates<'_>, cage: usize, cell: u16) -> Option<u32> {
    let cells = candidates.frame.cells(cage);
    let clue = candidates.frame.problem.rule(cage).clue?;
    let holds = |rank: &u32| {
        let at = |other: &u16| if *other == cell { *rank } else { candidates.mask(*other).trailing_zeros() };
        let digits: Vec<u8> = cells.iter().map(|other| candidates.digit(at(other))).collect();
        clue.holds(&digits)
    };
    let mut fitting = bits(candidates.mask(cell)).filter(holds);
    fitting.next().filter(|_| fitting.next().is_none())
}
