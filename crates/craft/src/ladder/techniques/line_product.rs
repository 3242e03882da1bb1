//! The product of houses: each has every digit, so that what is inside has a known product.

use crate::ladder::{Candidates, Found, Score, Technique};

use super::areas::{ANY, Area, Part, Report, for_areas};

pub static PRODUCT: Technique = Technique {
    name: "line_product",
    about: "the digits of houses have a known product: where all other cages in them have one product each, the rest is known",
    source: "kenga's own: the 45 rule of Killer players, for products",
    picture: "\
row of 1 to 4:  2* . | {1 2 3 4} {1 2 3 4} -> the product of the two is 12:  {3 4} {3 4}",
    score: Score(67),
    of_cages: true,
    find,
};

fn find(candidates: &Candidates<'_>, found: &mut Found) {
    let values = candidates.frame.problem.values().iter();
    let house = values.map(|value| u128::from(*value)).try_fold(1, u128::checked_mul);
    for_areas(candidates, ANY, &mut |area| {
        let total = house.and_then(|house| house.checked_pow(area.houses.len() as u32));
        if let Some(total) = total.filter(|total| *total > 0) {
            in_area(candidates, area, total, found);
        }
    });
}

fn in_area(candidates: &Candidates<'_>, area: &Area, total: u128, found: &mut Found) {
    let products: Vec<Option<u128>> = area.parts.iter().map(|part| only_product(candidates, part)).collect();
    let mut open = products.iter().enumerate().filter(|(_, product)| product.is_none());
    let (Some((index, _)), None) = (open.next(), open.next()) else { return };
    let known = products.iter().flatten().try_fold(1, |all: u128, product| all.checked_mul(*product));
    let Some(known) = known.filter(|known| *known > 0) else { return };
    let is_rest = |product: u128| known.checked_mul(product) == Some(total);
    let words = |part: &str, houses: &str| {
        format!("the product of {houses} is {total}, so that what {part} has there makes {}", total / known)
    };
    let step = |product, rank| times(candidates, product, rank);
    area.parts[index].keep(candidates, true, 1, step, is_rest, Report { found, area, words: &words });
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
