//! How often a digit stands in houses: once in each. Cages that must have it leave none to the others.
//!
//! Of a prime whose double is no digit, a product says exactly how often its cage has it.

use crate::ladder::{Candidates, Found, Score, Technique};
use kenga_core::problem::bits;

use super::areas::{ANY, Area, Part, Report, alternatives, for_areas};

pub static PRIME: Technique = Technique {
    name: "prime_placement",
    about: "a prime such as 5 or 7 stands once in each house: cages whose products have it leave none to others",
    source: "folklore of KenKen players",
    picture: "\
rows 1 and 2 of 1 to 6:  20* and 30* inside have both 5s:  no other cell has 5",
    score: Score(63),
    of_cages: true,
    find: |candidates, found| find(candidates, is_lone_prime, found),
};

pub static COUNT: Technique = Technique {
    name: "digit_count",
    about: "any digit stands once in each house: cages that must have it leave none to others",
    source: "kenga's own: prime_placement, for any digit",
    picture: "\
rows 1 and 2:  two cages inside need a 4 each:  no other cell has 4",
    score: Score(68),
    of_cages: true,
    find: |candidates, found| find(candidates, |candidates, rank| !is_lone_prime(candidates, rank), found),
};

/// Says whether a digit is a prime of which no other digit is a multiple.
fn is_lone_prime(candidates: &Candidates<'_>, rank: u32) -> bool {
    let (digit, values) = (candidates.digit(rank), candidates.frame.problem.values());
    let divides = |by: &u8| *by > 1 && *by < digit && digit.is_multiple_of(*by);
    digit > 1
        && !(2..digit).any(|by| divides(&by))
        && !values.iter().any(|value| *value > digit && value.is_multiple_of(digit))
}

fn find(candidates: &Candidates<'_>, counts: fn(&Candidates<'_>, u32) -> bool, found: &mut Found) {
    let ranks: Vec<u32> =
        bits(candidates.frame.problem.all_digits()).filter(|rank| counts(candidates, *rank)).collect();
    for_areas(candidates, ANY, &mut |area| {
        ranks.iter().for_each(|rank| of_digit(candidates, area, *rank, found));
    });
}

fn of_digit(candidates: &Candidates<'_>, area: &Area, rank: u32, found: &mut Found) {
    let step = |count: i32, other: u32| count + i32::from(other == rank);
    let ranges: Vec<(i32, i32)> = area.parts.iter().map(|part| range(candidates, part, rank)).collect();
    let (least, most) = ranges.iter().fold((0, 0), |sum, range| (sum.0 + range.0, sum.1 + range.1));
    let houses = area.houses.len() as i32;
    for (part, (low, high)) in area.parts.iter().zip(ranges) {
        let allowed = houses - (most - high)..=houses - (least - low);
        if allowed.contains(&low) && allowed.contains(&high) {
            continue;
        }
        let words = |part: &str, names: &str| {
            let (digit, left) =
                (candidates.digit(rank), low.max(*allowed.start())..=high.min(*allowed.end()));
            format!("{digit} stands once in each of {names}, so that {part} has it there {}", times(left))
        };
        let report = Report { found, area, words: &words };
        part.keep(candidates, true, 0, step, |count| allowed.contains(&count), report);
    }
}

/// How often, in words.
fn times(counts: std::ops::RangeInclusive<i32>) -> String {
    let times = |count: i32| match count {
        ..=0 => "never".to_owned(),
        1 => "once".to_owned(),
        count => format!("{count} times"),
    };
    alternatives(counts.map(times).collect())
}

/// The least and the greatest number of a digit in a part.
fn range(candidates: &Candidates<'_>, part: &Part, rank: u32) -> (i32, i32) {
    let (mut least, mut most) = (i32::MAX, 0);
    part.for_values(candidates, 0, |count, other| count + i32::from(other == rank), &mut |count| {
        (least, most) = (least.min(count), most.max(count));
    });
    (least.min(most), most)
}
