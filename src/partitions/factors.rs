//! Prime factors and divisors of 64-bit numbers.
//!
//! Small primes by trial division, the rest split by the rho method (Pollard 1975, doi 10.1007/BF01933667) until each
//! part passes the strong pseudoprime test (Miller 1976; Rabin 1980, doi 10.1016/0022-314X(80)90084-0), which to the
//! first twelve primes as bases is a proof below 3.18e23 (Sorenson and Webster 2017, doi 10.1090/mcom/3134).

use crate::puzzle::operators::common_divisor;

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
    while let Some(part) = parts.pop().filter(|part| *part > 1).or_else(|| parts.pop()) {
        if is_prime(part) {
            primes.push(part);
        } else if part > 1 {
            let divisor = split(part);
            parts.extend([divisor, part / divisor]);
        }
    }
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
        power == 1
            || (0..twos).any(|_| {
                let passes = power == number - 1;
                power = times_mod(power, power, number);
                passes
            })
    })
}

/// A divisor of a composite number other than 1 and itself.
fn split(number: u64) -> u64 {
    let root = number.isqrt();
    if root * root == number {
        return root;
    }
    let found = (1..number).find_map(|constant| rho(number, constant));
    found.expect("for some constant the cycles modulo two of its primes differ")
}

/// Floyd's cycle search on `x * x + constant`; `None` when the cycle closes for the number itself.
fn rho(number: u64, constant: u64) -> Option<u64> {
    let step = |x| ((u128::from(times_mod(x, x, number)) + u128::from(constant)) % u128::from(number)) as u64;
    let (mut slow, mut fast) = (2, 2);
    loop {
        slow = step(slow);
        fast = step(step(fast));
        match common_divisor(slow.abs_diff(fast), number) {
            1 => {}
            divisor => return (divisor != number).then_some(divisor),
        }
    }
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
