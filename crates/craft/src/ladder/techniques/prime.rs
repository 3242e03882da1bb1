//! How often a digit stands in houses: once in each. Cages that must have it leave none to the others.
//!
//! Of a prime whose double is no digit, a product says exactly how often its cage has it.

use crate::ladder::{Candidates, FoundSteps, Score, Technique};
use kenga_core::problem::bits;

use super::areas::{ANY, Area, CagePart, PartWords, Report, Value, alternatives, for_areas};

pub static PRIME: Technique = Technique {
    name: "prime_placement",
    about: "a prime such as 5 or 7 stands once in each house: cages whose products have it leave none to others",
    source: "folklore of KenKen players",
    picture: "\
rows A and B of 1 to 6:  20× and 30× inside have both 5s:  no other cell has 5",
    score: Score(63),
    of_cages: true,
    find: |candidates, found| find(candidates, true, found),
};

pub static COUNT: Technique = Technique {
    name: "digit_count",
    about: "any digit stands once in each house: cages that must have it leave none to others",
    source: "kenga's own: prime_placement, for any digit",
    picture: "\
rows A and B:  two cages inside need a 4 each:  no other cell has 4",
    score: Score(68),
    of_cages: true,
    find: |candidates, found| find(candidates, false, found),
};

/// Says whether a digit is a prime of which no other digit is a multiple.
fn is_lone_prime(candidates: &Candidates<'_>, rank: u32) -> bool {
    let (digit, values) = (candidates.digit(rank), candidates.frame.problem.values());
    // A digit that is a multiple of it would have the prime, too: products could not tell them apart.
    digit > 1
        && !(2..digit).any(|by| digit.is_multiple_of(by))
        && !values.iter().any(|value| *value > digit && value.is_multiple_of(digit))
}

/// Counts the digits that are lone primes, or those that are none.
fn find(candidates: &Candidates<'_>, primes: bool, found: &mut FoundSteps) {
    let mut ranks: Vec<u32> = bits(candidates.frame.problem.all_digits()).collect();
    ranks.retain(|rank| is_lone_prime(candidates, *rank) == primes);
    for_areas(candidates, ANY, &mut |area| {
        for rank in &ranks {
            of_digit(candidates, area, *rank, found);
        }
    });
}

fn of_digit(candidates: &Candidates<'_>, area: &Area, rank: u32, found: &mut FoundSteps) {
    let (mut counts, mut least, mut most) = (Vec::new(), 0, 0);
    for part in &area.parts {
        let of_part = DigitCounts::of(candidates, part, rank);
        least += of_part.least;
        most += of_part.most;
        counts.push(of_part);
    }
    let houses = area.houses.len() as i64;
    for (part, counts) in area.parts.iter().zip(counts) {
        // What the other parts have at the most and at the least leaves this one.
        let (fewest, highest) = (houses - (most - counts.most), houses - (least - counts.least));
        if fewest <= counts.least && counts.most <= highest {
            continue;
        }
        let words = |about: &PartWords| {
            let left = counts.least.max(fewest)..=counts.most.min(highest);
            let digit = candidates.digit(rank);
            let each = if about.is_one_house { "" } else { "each of " };
            let can = if *left.end() <= 0 {
                "cannot hold it".to_owned()
            } else {
                format!("{} it {}", about.verb("holds", "hold"), times(left))
            };
            format!("{digit} stands once in {each}{}, so {} {can}", about.houses, about.part)
        };
        let report = Report { found, area, words: &words };
        let is_allowed = |count: u128| (fewest..=highest).contains(&(count as i64));
        part.keep(candidates, true, Value::Count(rank), &is_allowed, report);
    }
}

/// How often, in words.
fn times(counts: std::ops::RangeInclusive<i64>) -> String {
    let mut times = Vec::new();
    for count in counts {
        times.push(match count {
            ..=0 => "never".to_owned(),
            1 => "once".to_owned(),
            count => format!("{count} times"),
        });
    }
    alternatives(&times)
}

/// How often a digit can stand in a part.
struct DigitCounts {
    least: i64,
    most: i64,
}

impl DigitCounts {
    fn of(candidates: &Candidates<'_>, part: &CagePart, rank: u32) -> Self {
        let (mut least, mut most) = (i64::MAX, 0);
        part.for_values(candidates, Value::Count(rank), &mut |count| {
            (least, most) = (least.min(count as i64), most.max(count as i64));
        });
        Self { least: least.min(most), most }
    }
}
