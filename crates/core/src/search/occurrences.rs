//! How often each digit stands in each cell of a population, sixteen cells at a time.

use wide::u8x16;

use super::Population;

const LANES: usize = 16;

/// Digits counted at a time: their sums stay in registers.
const AT_ONCE: usize = 8;

/// The most individuals that sums in bytes can count.
const MOST: usize = u8::MAX as usize;

/// Fewer individuals are counted gene by gene.
const FEW: usize = 24;

/// Adds how often each digit stands in each cell to `occurrences`, `cells * digits` numbers, sixteen cells at a time.
///
/// ```text
/// genomes   1 3 2 …        is it 1   1 0 0 …     is it 2   0 0 1 …
///           1 2 2 …                  1 0 0 …               0 1 1 …
///           2 1 3 …                  0 1 0 …               1 0 0 …
///                          sum       2 1 0 …     sum       1 1 2 …
/// ```
///
/// A pass over the genomes counts up to eight digits. The last digit gets the rest and needs no pass.
pub(super) fn count_digits(population: &Population, digits: usize, occurrences: &mut [u32]) {
    let width = population.width();
    // A pass over few genomes costs more than it saves.
    if population.len() < FEW || width < LANES {
        return count_one_by_one(population, digits, occurrences);
    }
    let genes = population.genes();
    for genomes in genes.chunks(MOST * width) {
        for start in (0..width).step_by(LANES) {
            // The last block begins within the one before, whose cells have been counted.
            let first = start.min(width - LANES);
            let counts = &mut occurrences[start * digits..(first + LANES) * digits];
            count_block(genomes, width, first, start - first, digits, counts);
        }
    }
}

fn count_one_by_one(population: &Population, digits: usize, occurrences: &mut [u32]) {
    for genome in population.genomes() {
        for (counts, rank) in occurrences.chunks_exact_mut(digits).zip(genome) {
            counts[usize::from(*rank)] += 1;
        }
    }
}

/// Counts the sixteen cells from `first` on, but for the first `skipped`.
fn count_block(
    genomes: &[u8],
    width: usize,
    first: usize,
    skipped: usize,
    digits: usize,
    counts: &mut [u32],
) {
    let last = digits - 1;
    // Every individual has some digit in every cell: the last digit has what the others leave.
    let mut rest = [(genomes.len() / width) as u8; LANES];
    for from in (0..last).step_by(AT_ONCE) {
        let sums = match last - from {
            1 => pass::<1>(genomes, width, first, from),
            2 => pass::<2>(genomes, width, first, from),
            3 => pass::<3>(genomes, width, first, from),
            4 => pass::<4>(genomes, width, first, from),
            5 => pass::<5>(genomes, width, first, from),
            6 => pass::<6>(genomes, width, first, from),
            7 => pass::<7>(genomes, width, first, from),
            _ => pass::<AT_ONCE>(genomes, width, first, from),
        };
        for (digit, sums) in (from..last).zip(sums) {
            for (rest, sum) in rest.iter_mut().zip(sums) {
                *rest -= sum;
            }
            add(counts, digits, digit, &sums[skipped..]);
        }
    }
    add(counts, digits, last, &rest[skipped..]);
}

fn add(counts: &mut [u32], digits: usize, digit: usize, sums: &[u8]) {
    for (counts, sum) in counts.chunks_exact_mut(digits).zip(sums) {
        counts[digit] += u32::from(*sum);
    }
}

/// How often each of the digits from `from` on stands in each of sixteen cells.
#[inline(always)]
fn pass<const DIGITS: usize>(
    genomes: &[u8],
    width: usize,
    first: usize,
    from: usize,
) -> [[u8; LANES]; AT_ONCE] {
    let wanted: [u8x16; DIGITS] = std::array::from_fn(|digit| u8x16::splat((from + digit) as u8));
    let mut sums = [u8x16::ZERO; DIGITS];
    for genome in genomes.chunks_exact(width) {
        let cells =
            u8x16::from(*genome[first..].first_chunk::<LANES>().expect("sixteen cells from there on"));
        for (sum, wanted) in sums.iter_mut().zip(wanted) {
            *sum -= cells.simd_eq(wanted);
        }
    }
    let mut counted = [[0; LANES]; AT_ONCE];
    for (counted, sums) in counted.iter_mut().zip(sums) {
        *counted = sums.to_array();
    }
    counted
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rng::StreamKey;

    #[test]
    fn sixteen_cells_at_a_time_are_counted_as_one_by_one() {
        let mut rng = StreamKey::run(1, "digits", 0).rng();
        for (width, digits) in
            [(1, 1), (9, 3), (16, 1), (16, 4), (25, 5), (36, 6), (81, 9), (256, 16), (625, 25)]
        {
            for len in [1, FEW - 1, FEW, 100, MOST, MOST + 1, 2 * MOST + 7] {
                let mut population = Population::new(len, width);
                for index in 0..len {
                    population.genome_mut(index).fill_with(|| rng.below(digits) as u8);
                }
                let (mut fast, mut slow) = (vec![1; width * digits], vec![1; width * digits]);
                count_digits(&population, digits, &mut fast);
                count_one_by_one(&population, digits, &mut slow);
                assert_eq!(fast, slow, "{len} of {width} cells, {digits} digits");
            }
        }
    }
}
