//! Chains of cells with two candidates.
//!
//! A cell with the candidates a and b holds b if it does not hold a. Then a neighbour with b and c holds c, and so on. If the
//! chain ends with a, either the first cell or the last holds a, so that a leaves every cell that must differ from both.
//! Found breadth first, so that no chain is longer than it must be.

use crate::craft::ladder::{Candidates, Found, Ground, Score, Technique};

pub static CHAIN: Technique = Technique {
    name: "chain",
    about: "a chain of cells with two candidates ends in the digit it began with: cells that see both ends lose it",
    source: "",
    picture: "\
{1 2} - {2 3} - {3 1}, {1 4} sees both ends      {4}",
    score: Score(58),
    find,
};

fn find(candidates: &Candidates<'_>, found: &mut Found) {
    let pairs: Vec<u16> =
        candidates.open_cells().filter(|cell| candidates.mask(*cell).count_ones() == 2).collect();
    for first in &pairs {
        for ends in crate::problem::bits(candidates.mask(*first)) {
            from(candidates, *first, 1 << ends, &pairs, found);
        }
    }
}

/// A cell of a chain: the digit that it holds if the first cell does not hold the chain's, and the link before it.
struct Link {
    cell: u16,
    holds: u32,
    before: Option<usize>,
}

/// The chains from a cell that does not hold `digit`.
fn from(candidates: &Candidates<'_>, first: u16, digit: u32, pairs: &[u16], found: &mut Found) {
    let mut links = vec![Link { cell: first, holds: candidates.mask(first) & !digit, before: None }];
    let mut next = 0;
    while let Some(Link { cell, holds, .. }) = links.get(next) {
        let (cell, holds) = (*cell, *holds);
        for peer in candidates.frame.peers(cell).iter().filter(|peer| pairs.contains(peer)) {
            let mask = candidates.mask(*peer);
            if mask & holds == 0 || links.iter().any(|link| link.cell == *peer) {
                continue;
            }
            links.push(Link { cell: *peer, holds: mask & !holds, before: Some(next) });
            if mask & !holds == digit {
                close(candidates, &links, digit, found);
            }
        }
        next += 1;
    }
}

/// A chain whose last link holds the digit of the first cell.
fn close(candidates: &Candidates<'_>, links: &[Link], digit: u32, found: &mut Found) {
    let mut chain = vec![links.len() - 1];
    while let Some(before) = links[chain[chain.len() - 1]].before {
        chain.push(before);
    }
    let cells: Vec<u16> = chain.iter().rev().map(|index| links[*index].cell).collect();
    let (first, last) = (cells[0], cells[cells.len() - 1]);
    let seen =
        candidates.frame.peers(first).iter().filter(|cell| candidates.frame.peers(last).contains(cell));
    let groups: Vec<usize> =
        cells.windows(2).flat_map(|pair| candidates.frame.joint(pair[0], pair[1])).collect();
    let ends =
        seen.clone().flat_map(|cell| [first, last].map(|end| candidates.frame.joint(end, *cell))).flatten();
    let groups: Vec<usize> = groups.into_iter().chain(ends).collect();
    found.remove(candidates, seen.map(|cell| (*cell, digit)), &Ground(&groups, &cells), || {
        let (names, digit) = (candidates.names(cells.iter().copied()), candidates.digits(digit));
        let name = |cell: u16| candidates.name(cell);
        format!("along {names}, either {} or {} is {digit}", name(first), name(last))
    });
}
