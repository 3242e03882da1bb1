//! Counting by dynamic programming: part after part, the numbers of multisets of the parts so far for every smaller sum
//! or product.
//!
//! A table entry is one sum, or one divisor of a product; with a number of cells there is a layer for every number of
//! parts. The numbers are sums, so that saturating addition is exact until the result itself does not fit. Multisets of
//! a given number of cells whose parts have no upper bound are counted as partitions into parts of at most that size
//! (the conjugate; Andrews 1976, theorem 1.4), which needs no layers.
//!
//! # Prime factors and divisors of 64-bit numbers
//!
//! Small primes by trial division, the rest split by the rho method (Pollard 1975, doi 10.1007/BF01933667) until each
//! part passes the strong pseudoprime test (Miller 1976; Rabin 1980, doi 10.1016/0022-314X(80)90084-0), which to the
//! first twelve primes as bases is a proof below 3.18e23 (Sorenson and Webster 2017, doi 10.1090/mcom/3134).

use kenga_core::puzzle::operators::{Fold, common_divisor};

use super::{Query, QueryError};

/// The most entries of a table: 64 MiB.
pub(super) const MOST_ENTRIES: u128 = 1 << 22;

/// Counts the multisets; `None` when `should_stop` said yes.
pub(super) fn count(
    query: &Query,
    should_stop: &mut dyn FnMut() -> bool,
) -> Result<Option<u128>, QueryError> {
    let counted = match query.fold {
        _ if !query.has_parts() => {
            Some(u128::from(query.cells.is_none() && query.number == super::neutral(query.fold)))
        }
        Fold::Sum => sums(query, should_stop)?,
        Fold::Product if query.is_zero_product() => Some(zero_products(query)),
        Fold::Product => products(query, should_stop)?,
    };
    if counted == Some(u128::MAX) { Err(QueryError::Overflow) } else { Ok(counted) }
}

/// The numbers of multisets by sum or product, and by number of parts where that matters.
struct CountTable {
    counts: Vec<u128>,
    /// The entries of a layer.
    width: usize,
    /// The most parts; `None` when their number does not matter.
    parts: Option<usize>,
    distinct: bool,
}

impl CountTable {
    fn new(width: u128, parts: Option<usize>, distinct: bool) -> Result<Self, QueryError> {
        let entries = width.saturating_mul(parts.map_or(1, |parts| parts as u128 + 1));
        if entries > MOST_ENTRIES {
            return Err(QueryError::Table { entries });
        }
        let mut counts = vec![0; entries as usize];
        counts[0] = 1;
        Ok(Self { counts, width: width as usize, parts, distinct })
    }

    /// Adds a part that leads from each of `sources` (ascending) to the entry `shift` further on.
    fn add(&mut self, shift: usize, sources: impl DoubleEndedIterator<Item = usize> + Clone) {
        let Some(parts) = self.parts else {
            if self.distinct {
                for source in sources.rev() {
                    self.lead(source, source + shift);
                }
            } else {
                // In ascending order an entry that the part has reached is a source again: the part may repeat.
                for source in sources {
                    self.lead(source, source + shift);
                }
            }
            return;
        };
        // The same by layers: from the last one down, none that the part has reached is a source again.
        for layer in 0..parts {
            let layer = if self.distinct { parts - 1 - layer } else { layer };
            let below = layer * self.width;
            for source in sources.clone() {
                self.lead(below + source, below + self.width + source + shift);
            }
        }
    }

    fn lead(&mut self, from: usize, to: usize) {
        self.counts[to] = self.counts[to].saturating_add(self.counts[from]);
    }

    /// The number of multisets that make the whole. With `cells`, neutral parts, which the table does not count, fill
    /// the cells up when `filled`: any number of them where parts may repeat, else at most one.
    fn whole(&self, cells: Option<usize>, filled: bool) -> u128 {
        let (Some(parts), Some(cells)) = (self.parts, cells) else { return self.counts[self.width - 1] };
        let most = match (filled, self.distinct) {
            (false, _) => 0,
            (true, true) => 1,
            (true, false) => usize::MAX,
        };
        let mut sum = 0_u128;
        for parts in 0..=parts.min(cells) {
            if cells - parts <= most {
                sum = sum.saturating_add(self.counts[(parts + 1) * self.width - 1]);
            }
        }
        sum
    }
}

fn sums(query: &Query, should_stop: &mut dyn FnMut() -> bool) -> Result<Option<u128>, QueryError> {
    let Some(cells) = query.cells else {
        let table = CountTable::new(u128::from(query.number) + 1, None, query.distinct)?;
        return Ok(add_sums(table, parts_of(query, 0), None, should_stop));
    };
    // Every part counts as its excess over the least part.
    let least = query.least(cells as u64, query.min);
    // Fewer than the least sum.
    let Some(above) = u128::from(query.number).checked_sub(least) else { return Ok(Some(0)) };
    // Different parts are at least 1 apart, so that the last exceeds the first by the number of others.
    let steps = if query.distinct { cells as u128 - 1 } else { 0 };
    if query.without.is_empty() && u128::from(query.max - query.min) >= above + steps {
        let table = CountTable::new(above + 1, None, false)?;
        return Ok(add_sums(table, 1..=cells as u64, None, should_stop));
    }
    let above = above + query.staircase(cells as u64);
    let most = u128::min(above, cells as u128) as usize;
    let table = CountTable::new(above + 1, Some(most), query.distinct)?;
    Ok(add_sums(table, parts_of(query, query.min).filter(|part| *part > 0), Some(cells), should_stop))
}

/// The parts that are not excluded, less `base`.
fn parts_of(query: &Query, base: u64) -> impl Iterator<Item = u64> {
    (query.min..=query.max).filter(|part| !query.is_excluded(*part)).map(move |part| part - base)
}

/// Adds parts, ascending; those that are 0 and fill the cells up are not among them.
fn add_sums(
    mut table: CountTable,
    parts: impl Iterator<Item = u64>,
    cells: Option<usize>,
    should_stop: &mut dyn FnMut() -> bool,
) -> Option<u128> {
    let width = table.width;
    for part in parts {
        if part >= width as u64 || table.whole(cells, true) == u128::MAX {
            break;
        }
        if should_stop() {
            return None;
        }
        table.add(part as usize, 0..width - part as usize);
    }
    Some(table.whole(cells, true))
}

/// Counts products. The entries are the divisors, numbered by their exponents as digits of mixed radix.
fn products(query: &Query, should_stop: &mut dyn FnMut() -> bool) -> Result<Option<u128>, QueryError> {
    let factors = factorise(query.number);
    let width: usize = factors.iter().map(|(_, exponent)| *exponent as usize + 1).product();
    let primes: u32 = factors.iter().map(|(_, exponent)| exponent).sum();
    // Only ones can be more than the prime factors. They change no product, and fill the cells that are left in
    // the end.
    let parts = query.cells.map(|cells| cells.min(primes as usize));
    let mut table = CountTable::new(width as u128, parts, query.distinct)?;
    for part in divisors(&factors) {
        if part == 1 || !query.allows(part) {
            continue;
        }
        if should_stop() {
            return Ok(None);
        }
        let (shift, sources) = multiples(&factors, part);
        table.add(shift, sources.into_iter());
    }
    Ok(Some(table.whole(query.cells, query.allows(1))))
}

/// The entry of a divisor, and the entries of the divisors whose product with it divides the number, ascending.
fn multiples(factors: &[(u64, u32)], divisor: u64) -> (usize, Vec<usize>) {
    let (mut entry, mut rest, mut sources) = (0, divisor, vec![0]);
    for &(prime, exponent) in factors {
        let mut used = 0;
        while rest.is_multiple_of(prime) {
            rest /= prime;
            used += 1;
        }
        let radix = exponent as usize + 1;
        entry = entry * radix + used;
        let mut longer = Vec::with_capacity(sources.len() * (radix - used));
        for source in sources {
            for digit in 0..radix - used {
                longer.push(source * radix + digit);
            }
        }
        sources = longer;
    }
    (entry, sources)
}

/// Counts products that are 0: a part is 0, the others are any that are not excluded.
fn zero_products(query: &Query) -> u128 {
    let Some(others) = query.cells.map(|cells| cells as u128 - 1) else { return 0 };
    if !query.allows(0) {
        return 0;
    }
    let wanted = u128::from(query.max) + 1 - query.without.len() as u128;
    if query.distinct { choices(wanted - 1, others) } else { choices(wanted + others - 1, others) }
}

/// The number of ways to choose so many of so many, saturating.
fn choices(of: u128, many: u128) -> u128 {
    let many = if many > of { return 0 } else { many.min(of - many) };
    let mut ways: u128 = 1;
    for step in 1..=many {
        // After every step the ways are a whole number and no less than before, so an overflow is final.
        let factor = of - many + step;
        let rest = ways % step * factor / step;
        let Some(next) = (ways / step).checked_mul(factor).and_then(|ways| ways.checked_add(rest)) else {
            return u128::MAX;
        };
        ways = next;
    }
    ways
}

/// The bases of the primality test, and the primes tried first.
const BASES: [u64; 12] = [2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37];

/// The prime factors of `number`, ascending, each with its exponent; none of 1.
///
/// # Panics
/// When `number` is 0.
pub(super) fn factorise(number: u64) -> Vec<(u64, u32)> {
    assert!(number > 0, "every number divides 0");
    let mut primes = Vec::new();
    let mut rest = number;
    for prime in BASES {
        while rest.is_multiple_of(prime) {
            primes.push(prime);
            rest /= prime;
        }
    }
    let mut parts = vec![rest];
    while let Some(part) = parts.pop() {
        if is_prime(part) {
            primes.push(part);
        } else if part > 1 {
            let divisor = split(part);
            parts.extend([divisor, part / divisor]);
        }
    }
    // Splitting finds large primes in any order.
    primes.sort_unstable();
    primes.chunk_by(|a, b| a == b).map(|equal| (equal[0], equal.len() as u32)).collect()
}

/// The divisors of the number with these prime factors, ascending. A 64-bit number has at most 103,680.
pub(super) fn divisors(factors: &[(u64, u32)]) -> Vec<u64> {
    let mut divisors = vec![1];
    for &(prime, exponent) in factors {
        for index in 0..divisors.len() * exponent as usize {
            divisors.push(divisors[index] * prime);
        }
    }
    divisors.sort_unstable();
    divisors
}

fn is_prime(number: u64) -> bool {
    if number < 2 || BASES.iter().any(|base| number.is_multiple_of(*base)) {
        return BASES.contains(&number);
    }
    let twos = (number - 1).trailing_zeros();
    let odd = (number - 1) >> twos;
    BASES.iter().all(|base| {
        let mut power = power_mod(*base, odd, number);
        // Of a prime the roots of 1 are 1 and -1: squaring on the way to 1 meets -1, unless it begins with 1.
        let mut passes = power == 1;
        for _ in 0..twos {
            passes |= power == number - 1;
            power = times_mod(power, power, number);
        }
        passes
    })
}

/// A divisor of a composite number other than 1 and itself.
fn split(number: u64) -> u64 {
    let root = number.isqrt();
    if root * root == number {
        return root;
    }
    for constant in 1.. {
        if let Some(divisor) = rho(number, constant) {
            return divisor;
        }
    }
    unreachable!("for some constant the cycles modulo two of its primes differ")
}

/// Floyd's cycle search on `x * x + constant`; `None` when the cycle closes for the number itself.
fn rho(number: u64, constant: u64) -> Option<u64> {
    let (mut slow, mut fast) = (2, 2);
    loop {
        slow = square_plus(slow, constant, number);
        fast = square_plus(square_plus(fast, constant, number), constant, number);
        match common_divisor(slow.abs_diff(fast), number) {
            1 => {}
            divisor => return (divisor != number).then_some(divisor),
        }
    }
}

fn square_plus(x: u64, constant: u64, modulus: u64) -> u64 {
    ((u128::from(times_mod(x, x, modulus)) + u128::from(constant)) % u128::from(modulus)) as u64
}

fn times_mod(a: u64, b: u64, modulus: u64) -> u64 {
    (u128::from(a) * u128::from(b) % u128::from(modulus)) as u64
}

fn power_mod(base: u64, mut exponent: u64, modulus: u64) -> u64 {
    let (mut square, mut power) = (base % modulus, 1);
    while exponent > 0 {
        if exponent & 1 == 1 {
            power = times_mod(power, square, modulus);
        }
        square = times_mod(square, square, modulus);
        exponent >>= 1;
    }
    power
}

#[cfg(test)]
mod tests {
    use super::*;

    fn product(factors: &[(u64, u32)]) -> u64 {
        factors.iter().map(|&(prime, exponent)| prime.pow(exponent)).product()
    }

    #[test]
    fn factors_and_divisors_are_those_of_trial_division() {
        for number in 1..3000 {
            let factors = factorise(number);
            assert_eq!(product(&factors), number);
            assert!(factors.iter().all(|(prime, _)| (2..*prime).all(|d| prime % d != 0)), "{number}");
            let naive: Vec<u64> = (1..=number).filter(|d| number % d == 0).collect();
            assert_eq!(divisors(&factors), naive);
        }
    }

    #[test]
    fn the_largest_and_hardest_numbers_are_factorised() {
        let cases: [(u64, &[(u64, u32)]); 7] = [
            (u64::MAX, &[(3, 1), (5, 1), (17, 1), (257, 1), (641, 1), (65_537, 1), (6_700_417, 1)]),
            (18_446_744_073_709_551_557, &[(18_446_744_073_709_551_557, 1)]),
            (18_446_744_030_759_878_681, &[(4_294_967_291, 2)]),
            (4_294_967_291 * 4_294_967_279, &[(4_294_967_279, 1), (4_294_967_291, 1)]),
            (1 << 63, &[(2, 63)]),
            (41 * 41 * 41 * 43, &[(41, 3), (43, 1)]),
            (3_825_123_056_546_413_051, &[(149_491, 1), (747_451, 1), (34_233_211, 1)]),
        ];
        for (number, expected) in cases {
            assert_eq!(factorise(number), expected);
        }
        assert_eq!(divisors(&factorise(897_612_484_786_617_600)).len(), 103_680);
    }
}
