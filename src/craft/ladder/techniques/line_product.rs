//! The product of lines: each has every digit, so that what is inside has a known product.

use crate::craft::ladder::{Candidates, Found, Score, Technique};

use super::regions::{ANY, Part, Region, Report, for_regions, parts};

pub static PRODUCT: Technique = Technique {
    name: "line_product",
    about: "the digits of lines have a known product: where all other cages in them have one product each, the rest is known",
    source: "",
    picture: "\
row of 1 to 4:  2* . | {1 2 3 4} {1 2 3 4} -> the product of the two is 12:  {3 4} {3 4}",
    score: Score(67),
    find,
};

fn find(candidates: &Candidates<'_>, found: &mut Found) {
    let values = candidates.frame.problem.values().iter();
    let line = values.map(|value| u128::from(*value)).try_fold(1, u128::checked_mul);
    for_regions(candidates, ANY, &mut |region| {
        let total = line.and_then(|line| line.checked_pow(region.houses.len() as u32));
        if let Some(total) = total.filter(|total| *total > 0) {
            in_region(candidates, region, total, found);
        }
    });
}

fn in_region(candidates: &Candidates<'_>, region: &Region, total: u128, found: &mut Found) {
    let parts = parts(candidates, region);
    let products: Vec<Option<u128>> = parts.iter().map(|part| only_product(candidates, part)).collect();
    let mut open = products.iter().enumerate().filter(|(_, product)| product.is_none());
    let (Some((index, _)), None) = (open.next(), open.next()) else { return };
    let known = products.iter().flatten().try_fold(1, |all: u128, product| all.checked_mul(*product));
    let Some(known) = known.filter(|known| *known > 0) else { return };
    let is_rest = |product: u128| known.checked_mul(product) == Some(total);
    let words = |part: &str, lines: &str| {
        format!("the product of {lines} is {total}, so that what {part} has there makes {}", total / known)
    };
    let report = Report { found, region, parts: &parts, words: &words };
    parts[index].keep(candidates, true, 1, |product, rank| times(candidates, product, rank), is_rest, report);
}

fn times(candidates: &Candidates<'_>, product: u128, rank: u32) -> u128 {
    product.saturating_mul(u128::from(candidates.digit(rank)))
}

/// The product of a part, where it has one alone.
fn only_product(candidates: &Candidates<'_>, part: &Part) -> Option<u128> {
    let (mut first, mut is_only) = (None, true);
    part.for_values(candidates, 1, |product, rank| times(candidates, product, rank), &mut |product| {
        is_only &= *first.get_or_insert(product) == product;
    });
    first.filter(|_| is_only)
}
