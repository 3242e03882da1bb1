//! The sum of lines: each has every digit, so that what is inside some lines adds up to a known total.
//!
//! A part of a cage that lies inside the lines has the sums of its combinations. A sum that those of the other parts do not complete
//! to the total goes. With one or two parts whose sum is open these are the *innies* and *outies* of Killer players.

use crate::craft::ladder::{Candidates, Found, Score, Technique};

use super::regions::{ANY, Part, Region, Report, SEVERAL, for_regions, parts};

pub static ONE_LINE: Technique = Technique {
    name: "line_sum",
    about: "the digits of a line have a known sum: where all other cages in it have one sum each, the rest is known",
    source: "",
    picture: "\
row of 1 to 4:  3+ . | {1 2 3 4} {1 2 3 4} -> the two add up to 7:  {3 4} {3 4}",
    score: Score(61),
    find: |candidates, found| {
        find(candidates, &Search { sizes: 1..=1, open: 2, whole: false, modulus: None }, found)
    },
};

pub static LINES: Technique = Technique {
    name: "lines_sum",
    about: "as line_sum, over two or three lines side by side",
    source: "",
    picture: "\
rows 1 and 2 of 1 to 4:  cages inside add up to 17, one cell is left:  it is 3",
    score: Score(64),
    find: |candidates, found| {
        find(candidates, &Search { sizes: SEVERAL, open: 2, whole: false, modulus: None }, found)
    },
};

pub static SPLIT: Technique = Technique {
    name: "cage_split",
    about: "where the sum of a cage's part inside lines is known, combinations that split otherwise go",
    source: "",
    picture: "\
9+ with two cells in a row that add up to 4:  the cell outside is 5",
    score: Score(65),
    find: |candidates, found| {
        find(candidates, &Search { sizes: ANY, open: 2, whole: true, modulus: None }, found)
    },
};

pub static PARITY: Technique = Technique {
    name: "parity",
    about: "the sum of lines is even or odd, and so are those of cages such as 1- and 6+: the rest must agree",
    source: "",
    picture: "\
row of 1 to 4 (sum 10):  3- (odd) | {1 2} {3}:  {2} {3}",
    score: Score(66),
    find: |candidates, found| {
        for modulus in [2, 3] {
            let search = Search { sizes: ANY, open: usize::MAX, whole: true, modulus: Some(modulus) };
            find(candidates, &search, found);
        }
    },
};

pub static SUMS: Technique = Technique {
    name: "sum_table",
    about: "the sums that each cage can have inside lines: those that the others do not complete go",
    source: "",
    picture: "\
row of 1 to 6 (21):  5+ or 7+ | 8+ or 10+ | {1 2 3 4}:  4 would leave 17 = 7 + 10, 1 leaves 20: {4}",
    score: Score(69),
    find: |candidates, found| {
        find(candidates, &Search { sizes: ANY, open: usize::MAX, whole: true, modulus: None }, found);
    },
};

/// What one of the techniques looks at.
struct Search {
    /// The numbers of lines.
    sizes: std::ops::RangeInclusive<usize>,
    /// The most parts with more than one sum.
    open: usize,
    /// Conclusions about cells outside the lines too.
    whole: bool,
    /// Sums are compared by their rests when divided by this.
    modulus: Option<usize>,
}

fn find(candidates: &Candidates<'_>, search: &Search, found: &mut Found) {
    let total: usize = candidates.frame.problem.values().iter().map(|value| usize::from(*value)).sum();
    for_regions(candidates, search.sizes.clone(), &mut |region| {
        in_region(candidates, search, region, total * region.houses.len(), found);
    });
}

/// A set of sums.
type Sums = Vec<bool>;

fn in_region(candidates: &Candidates<'_>, search: &Search, region: &Region, total: usize, found: &mut Found) {
    let parts = parts(candidates, region);
    let period = search.modulus;
    let length = period.unwrap_or(total + 1);
    let fold = |sum: usize| period.map_or(sum, |period| sum % period);
    let step = |sum: usize, rank: u32| sum + usize::from(candidates.digit(rank));
    let sums: Vec<Sums> = parts.iter().map(|part| sums_of(candidates, part, length, fold)).collect();
    let is_open = |sums: &Sums| sums.iter().filter(|sum| **sum).count() > 1;
    if !(1..=search.open).contains(&sums.iter().filter(|sums| is_open(sums)).count()) {
        return;
    }
    let before = prefixes(&sums, length, fold);
    let mut after = prefixes(&sums.iter().rev().cloned().collect::<Vec<_>>(), length, fold);
    after.reverse();
    for (index, part) in parts.iter().enumerate().filter(|(index, _)| is_open(&sums[*index])) {
        let others = add(&before[index], &after[index + 1], length, fold);
        let completes = |sum: usize| (0..length).any(|rest| others[rest] && fold(sum + rest) == fold(total));
        if (0..length).all(|sum| !sums[index][sum] || completes(sum)) {
            continue;
        }
        let words = |part: &str, lines: &str| match period {
            Some(period) => {
                format!("{lines} leave {part} only some rests of its sum when divided by {period}")
            }
            None => {
                let left: Vec<String> = (0..length)
                    .filter(|sum| sums[index][*sum] && completes(*sum))
                    .map(|sum| sum.to_string())
                    .collect();
                format!(
                    "{lines} add up to {total}, so that what {part} has there adds up to {}",
                    left.join(" or ")
                )
            }
        };
        let allowed = |sum: usize| sum < length.max(total + 1) && completes(fold(sum));
        let report = Report { found, region, parts: &parts, words: &words };
        part.keep(candidates, search.whole, 0, step, allowed, report);
    }
}

/// The sums of a part.
fn sums_of(candidates: &Candidates<'_>, part: &Part, length: usize, fold: impl Fn(usize) -> usize) -> Sums {
    let mut sums = vec![false; length];
    let step = |sum: usize, rank: u32| sum + usize::from(candidates.digit(rank));
    part.for_values(candidates, 0, step, &mut |sum| {
        if let Some(at) = sums.get_mut(fold(sum)) {
            *at = true;
        }
    });
    sums
}

/// The sums of the first 0, 1, 2 … parts.
fn prefixes(sums: &[Sums], length: usize, fold: impl Fn(usize) -> usize) -> Vec<Sums> {
    let mut start = vec![false; length];
    start[0] = true;
    let mut prefixes = vec![start];
    for more in sums {
        let next = add(&prefixes[prefixes.len() - 1], more, length, &fold);
        prefixes.push(next);
    }
    prefixes
}

/// The sums of one from each of two sets.
fn add(one: &Sums, other: &Sums, length: usize, fold: impl Fn(usize) -> usize) -> Sums {
    let mut sums = vec![false; length];
    let there = |sums: &Sums| (0..length).filter(|sum| sums[*sum]).collect::<Vec<_>>();
    let others = there(other);
    for sum in there(one) {
        for more in &others {
            if let Some(at) = sums.get_mut(fold(sum + more)) {
                *at = true;
            }
        }
    }
    sums
}
