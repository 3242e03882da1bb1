//! The sum of houses: each has every digit, so that what is inside some of them adds up to a known total.
//!
//! A part of a cage that lies inside the houses has the sums of its combinations. A sum that those of the other parts do not complete
//! to the total goes. With one or two parts whose sum is open these are the *innies* and *outies* of Killer players.

use crate::ladder::{Candidates, FoundSteps, Score, Technique};

use super::areas::{ANY, Area, CagePart, PartWords, Report, SEVERAL, Value, alternatives, for_areas};

pub static ONE_LINE: Technique = Technique {
    name: "line_sum",
    about: "the digits of a house have a known sum: where all other cages in it have one sum each, the rest is known",
    source: "the 45 rule, folklore of Killer players, as in Djape, \"The Rule of 45 of Killer Sudoku\" (2005)",
    picture: "\
row of 1 to 4:  3+ . | {1 2 3 4} {1 2 3 4} -> the two add up to 7:  {3 4} {3 4}",
    score: Score(61),
    of_cages: true,
    find: |candidates, found| {
        find(candidates, &LineSumSearch { sizes: 1..=1, open: 2, whole: false, modulus: None }, found)
    },
};

pub static LINES: Technique = Technique {
    name: "lines_sum",
    about: "as line_sum, over two or three rows or columns side by side",
    source: "innies and outies, folklore of Killer players, as in SudokuWiki.org by A. C. Stuart",
    picture: "\
rows A and B of 1 to 4:  cages inside add up to 17, one cell is left:  it is 3",
    score: Score(64),
    of_cages: true,
    find: |candidates, found| {
        find(candidates, &LineSumSearch { sizes: SEVERAL, open: 2, whole: false, modulus: None }, found)
    },
};

pub static SPLIT: Technique = Technique {
    name: "cage_split",
    about: "where the sum of a cage's part inside houses is known, combinations that split otherwise go",
    source: "cage splitting, folklore of Killer players, as in SudokuWiki.org by A. C. Stuart",
    picture: "\
9+ with two cells in a row that add up to 4:  the cell outside is 5",
    score: Score(65),
    of_cages: true,
    find: |candidates, found| {
        find(candidates, &LineSumSearch { sizes: ANY, open: 2, whole: true, modulus: None }, found)
    },
};

pub static PARITY: Technique = Technique {
    name: "parity",
    about: "the sum of houses is even or odd, and so are those of cages such as 1− and 6+: the rest must agree; so by threes",
    source: "H. Reiter, J. Thornton, P. Vennebush, \"Using KenKen to build reasoning skills\" (2011); remainders by 3 are kenga's own",
    picture: "\
row of 1 to 4 (sum 10):  3− (odd) | {1 2} {3}:  {2} {3}",
    score: Score(66),
    of_cages: true,
    find: |candidates, found| {
        for modulus in [2, 3] {
            let search = LineSumSearch { sizes: ANY, open: usize::MAX, whole: true, modulus: Some(modulus) };
            find(candidates, &search, found);
        }
    },
};

pub static SUMS: Technique = Technique {
    name: "sum_table",
    about: "the sums that each cage can have inside houses: those that the others do not complete go",
    source: "kenga's own: the 45 rule with every sum that a cage can still have",
    picture: "\
row of 1 to 6 (21):  5+ or 7+ | 8+ or 10+ | {1 2 3 4}:  4 would leave 17 = 7 + 10, 1 leaves 20: {4}",
    score: Score(69),
    of_cages: true,
    find: |candidates, found| {
        find(candidates, &LineSumSearch { sizes: ANY, open: usize::MAX, whole: true, modulus: None }, found);
    },
};

/// What one of the techniques looks at.
struct LineSumSearch {
    /// The numbers of houses.
    sizes: std::ops::RangeInclusive<usize>,
    /// The most parts with more than one sum.
    open: usize,
    /// Conclusions about cells outside the houses too.
    whole: bool,
    /// Sums are compared by their remainders when divided by this, 2 or 3.
    modulus: Option<usize>,
}

fn find(candidates: &Candidates<'_>, search: &LineSumSearch, found: &mut FoundSteps) {
    let house: usize = candidates.frame.problem.values().iter().map(|value| usize::from(*value)).sum();
    for_areas(candidates, search.sizes.clone(), &mut |area| {
        in_area(candidates, search, area, &AreaTotals::new(house * area.houses.len(), search.modulus), found);
    });
}

fn in_area(
    candidates: &Candidates<'_>,
    search: &LineSumSearch,
    area: &Area,
    totals: &AreaTotals,
    found: &mut FoundSteps,
) {
    let sums: Vec<Sums> = area.parts.iter().map(|part| totals.of_part(candidates, part)).collect();
    let open: Vec<usize> = (0..sums.len()).filter(|part| totals.in_set(&sums[*part]).len() > 1).collect();
    // A person adds up what is known, and looks at one or two parts that are not.
    if !(1..=search.open).contains(&open.len()) {
        return;
    }
    // The sums of all parts before each one, and of all behind it.
    let before = totals.running(sums.iter());
    let after = totals.running(sums.iter().rev());
    for index in open {
        let (one, other) = (&before[index], &after[sums.len() - 1 - index]);
        let all = totals.in_set(&sums[index]);
        // A sum stays if one of the parts before and one of those behind complete it.
        let mut left = all.clone();
        left.retain(|sum| totals.complete(*sum, one, other));
        if left.len() == all.len() {
            continue;
        }
        let words = |about: &PartWords| totals.words(about, &left);
        let is_left = |sum: u128| left.contains(&totals.folded(sum as usize));
        let report = Report { found, area, words: &words };
        area.parts[index].keep(candidates, search.whole, Value::Sum, &is_left, report);
    }
}

/// A set of sums.
type Sums = Vec<bool>;

/// What the digits of an area add up to: the sum itself, or its remainder.
struct AreaTotals {
    total: usize,
    modulus: Option<usize>,
    /// One more than the greatest sum that is told apart.
    length: usize,
}

impl AreaTotals {
    fn new(total: usize, modulus: Option<usize>) -> Self {
        Self { total, modulus, length: modulus.unwrap_or(total + 1) }
    }

    /// What stands for a sum.
    fn folded(&self, sum: usize) -> usize {
        self.modulus.map_or(sum, |modulus| sum % modulus)
    }

    fn in_set(&self, sums: &Sums) -> Vec<usize> {
        (0..self.length).filter(|sum| sums[*sum]).collect()
    }

    /// The sums of a part.
    fn of_part(&self, candidates: &Candidates<'_>, part: &CagePart) -> Sums {
        let mut sums = vec![false; self.length];
        part.for_values(candidates, Value::Sum, &mut |sum| {
            // A part whose digits may repeat can have more than the total.
            if let Some(there) = sums.get_mut(self.folded(sum as usize)) {
                *there = true;
            }
        });
        sums
    }

    /// The sums of the first 0, 1, 2 … parts.
    fn running<'a>(&self, parts: impl Iterator<Item = &'a Sums>) -> Vec<Sums> {
        let mut start = vec![false; self.length];
        start[0] = true;
        let mut running = vec![start];
        for part in parts {
            let next = self.added(&running[running.len() - 1], part);
            running.push(next);
        }
        running
    }

    /// The sums of one from each of two sets.
    fn added(&self, one: &Sums, other: &Sums) -> Sums {
        let mut sums = vec![false; self.length];
        let others = self.in_set(other);
        for sum in self.in_set(one) {
            for more in &others {
                if let Some(there) = sums.get_mut(self.folded(sum + more)) {
                    *there = true;
                }
            }
        }
        sums
    }

    /// Says whether a sum and one from each of two sets make the total.
    ///
    /// Cost: proportional to the total at most; not to its square.
    fn complete(&self, sum: usize, one: &Sums, other: &Sums) -> bool {
        for more in 0..self.length {
            if !one[more] {
                continue;
            }
            let is_whole = match self.modulus {
                // The rest may be negative: two times the modulus more leaves the remainder as it is.
                Some(modulus) => other[(self.total + 2 * modulus - sum - more) % modulus],
                None => self.total.checked_sub(sum + more).is_some_and(|rest| other[rest]),
            };
            if is_whole {
                return true;
            }
        }
        false
    }

    /// `row B adds up to 21, so the cells of cage 18+ at A6 in it make 13`.
    fn words(&self, about: &PartWords, left: &[usize]) -> String {
        let mut sums = Vec::new();
        for sum in left {
            sums.push(match (self.modulus, sum) {
                (Some(2), 0) => about.verb("even", "an even sum").to_owned(),
                (Some(2), _) => about.verb("odd", "an odd sum").to_owned(),
                (Some(modulus), 0) => format!("a multiple of {modulus}"),
                (Some(modulus), rest) => format!("{rest} more than a multiple of {modulus}"),
                (None, sum) => sum.to_string(),
            });
        }
        let add = if about.is_one_house { "adds" } else { "add" };
        let (houses, part, make) = (&about.houses, &about.part, about.verb("is", "make"));
        format!("{houses} {add} up to {}, so {part} {make} {}", self.total, alternatives(&sums))
    }
}
