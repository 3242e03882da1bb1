//! Chains of cells with two candidates.
//!
//! A cell with the candidates a and b holds b if it does not hold a. Then a neighbour with b and c holds c, and so on. If the
//! chain ends with a, either the first cell or the last holds a, so that a leaves every cell that must differ from both.
//! Found breadth first, so that no chain is longer than it must be.

use crate::ladder::{Candidates, FoundSteps, Score, StepReason, Technique};
use kenga_core::problem::bits;

pub static CHAIN: Technique = Technique {
    name: "chain",
    about: "a chain of cells with two candidates ends in the digit it began with: cells that see both ends lose it",
    source: "forcing chains of Keen by S. Tatham (Simon Tatham's Portable Puzzle Collection), extreme",
    picture: "\
{1 2} - {2 3} - {3 1}, {1 4} sees both ends      {4}",
    score: Score(58),
    of_cages: false,
    find,
};

fn find(candidates: &Candidates<'_>, found: &mut FoundSteps) {
    let mut is_linked = vec![false; candidates.masks().len()];
    for first in candidates.open_cells() {
        if !is_pair(candidates, first) {
            continue;
        }
        if candidates.frame.is_interrupted() {
            return;
        }
        // A chain may end with either digit of the first cell.
        for ends in bits(candidates.mask(first)) {
            for link in from(candidates, first, 1 << ends, &mut is_linked, found) {
                is_linked[usize::from(link.cell)] = false;
            }
        }
    }
}

fn is_pair(candidates: &Candidates<'_>, cell: u16) -> bool {
    candidates.mask(cell).count_ones() == 2 && !candidates.is_filled(cell)
}

/// A cell of a chain: the digit that it holds if the first cell does not hold the chain's, and the link before it.
struct ChainLink {
    cell: u16,
    holds: u32,
    before: Option<usize>,
}

/// The chains from a cell that does not hold `digit`; marks the cells of their links in `is_linked`.
fn from(
    candidates: &Candidates<'_>,
    first: u16,
    digit: u32,
    is_linked: &mut [bool],
    found: &mut FoundSteps,
) -> Vec<ChainLink> {
    let mut links = vec![ChainLink { cell: first, holds: candidates.mask(first) & !digit, before: None }];
    is_linked[usize::from(first)] = true;
    let mut next = 0;
    // Breadth first, and a cell once: the chain to it is as short as can be.
    while let Some(ChainLink { cell, holds, .. }) = links.get(next) {
        let (cell, holds) = (*cell, *holds);
        for peer in candidates.frame.peers(cell) {
            let mask = candidates.mask(*peer);
            if mask & holds == 0 || is_linked[usize::from(*peer)] || !is_pair(candidates, *peer) {
                continue;
            }
            is_linked[usize::from(*peer)] = true;
            links.push(ChainLink { cell: *peer, holds: mask & !holds, before: Some(next) });
            if mask & !holds == digit {
                close(candidates, &links, digit, found);
            }
        }
        next += 1;
    }
    links
}

/// A chain whose last link holds the digit of the first cell.
fn close(candidates: &Candidates<'_>, links: &[ChainLink], digit: u32, found: &mut FoundSteps) {
    let frame = candidates.frame;
    let (first, last) = (links[0].cell, links[links.len() - 1].cell);
    // One of the two ends holds the digit: a cell that sees both cannot.
    let others = frame.peers(last);
    let mut seen = frame.peers(first).to_vec();
    seen.retain(|cell| candidates.mask(*cell) & digit != 0 && others.binary_search(cell).is_ok());
    found.remove_from(candidates, &seen, digit, &|| {
        let cells = cells(links);
        let mut groups = Vec::new();
        // Each link rests on the group in which two cells differ.
        for pair in cells.windows(2) {
            groups.extend(frame.joint(pair[0], pair[1]));
        }
        for cell in &seen {
            groups.extend(frame.joint(first, *cell));
            groups.extend(frame.joint(last, *cell));
        }
        let (names, digit) = (candidates.names(&cells), candidates.digits(digit));
        let (first, last) = (candidates.name(first), candidates.name(last));
        StepReason::new(&groups, &cells, format!("along {names}, either {first} or {last} is {digit}"))
    });
}

/// The cells from the first link to the last.
fn cells(links: &[ChainLink]) -> Vec<u16> {
    let mut cells = Vec::new();
    let mut next = links.last();
    while let Some(link) = next {
        cells.push(link.cell);
        next = link.before.map(|before| &links[before]);
    }
    cells.reverse();
    cells
}
