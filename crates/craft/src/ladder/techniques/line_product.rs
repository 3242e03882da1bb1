//! The product of houses: each has every digit, so that what is inside has a known product.

use crate::ladder::{Candidates, FoundSteps, Score, Technique};

use super::areas::{ANY, Area, CagePart, PartWords, Report, Value, for_areas};

pub static PRODUCT: Technique = Technique {
    name: "line_product",
    about: "the digits of houses have a known product: where all other cages in them have one product each, the rest is known",
    source: "kenga's own: the 45 rule of Killer players, for products",
    picture: "\
row of 1 to 4:  2× . | {1 2 3 4} {1 2 3 4} -> the product of the two is 12:  {3 4} {3 4}",
    score: Score(67),
    of_cages: true,
    find,
};

fn find(candidates: &Candidates<'_>, found: &mut FoundSteps) {
    for_areas(candidates, ANY, &mut |area| {
        if let Some(total) = total(candidates, area.houses.len()) {
            in_area(candidates, area, total, found);
        }
    });
}

/// The product of so many houses; none where it is 0 or beyond 128 bits.
fn total(candidates: &Candidates<'_>, houses: usize) -> Option<u128> {
    let mut product = 1_u128;
    for value in candidates.frame.problem.values() {
        product = product.checked_mul(u128::from(*value))?;
    }
    product.checked_pow(houses as u32).filter(|total| *total > 0)
}

fn in_area(candidates: &Candidates<'_>, area: &Area, total: u128, found: &mut FoundSteps) {
    let mut open = None;
    let mut known = 1_u128;
    for part in &area.parts {
        match only_product(candidates, part) {
            Some(product) => {
                let Some(product) = known.checked_mul(product) else { return };
                known = product;
            }
            // Two open parts could share the rest in many ways.
            None if open.is_some() => return,
            None => open = Some(part),
        }
    }
    let Some(open) = open else { return };
    // A digit 0 in a known part tells nothing of the rest.
    if known == 0 {
        return;
    }
    let words = |about: &PartWords| {
        let (houses, part, make) = (&about.houses, &about.part, about.verb("is", "multiply to"));
        format!("the product of {houses} is {total}, so {part} {make} {}", total / known)
    };
    let report = Report { found, area, words: &words };
    open.keep(candidates, true, Value::Product, &|rest| known.checked_mul(rest) == Some(total), report);
}

/// The product of a part, where it has one alone.
fn only_product(candidates: &Candidates<'_>, part: &CagePart) -> Option<u128> {
    let (mut first, mut is_only) = (None, true);
    part.for_values(candidates, Value::Product, &mut |product| {
        is_only &= *first.get_or_insert(product) == product;
    });
    first.filter(|_| is_only)
}
