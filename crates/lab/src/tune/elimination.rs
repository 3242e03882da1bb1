//! The tests of a race: which candidates are shown to be worse.
//!
//! Source: M. Birattari, T. Stützle, L. Paquete, K. Varrentrapp 2002, GECCO 2002, 11-18.

use kenga_stats::{paired_differences, signed_ranks, worse_by_ranks};

/// What a test says of the candidates of a race.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct RaceVerdict {
    /// The test: `friedman`, or `wilcoxon` of two.
    pub(super) test: &'static str,
    /// Its p-value.
    pub(super) p: f64,
    /// The average rank of each candidate.
    pub(super) ranks: Vec<f64>,
    /// Of each candidate, whether it is worse than the best.
    pub(super) is_worse: Vec<bool>,
}

/// Tests candidates on the blocks that all have run: `rows` holds one cost a candidate for every block.
pub(super) fn verdict(rows: &[Vec<f64>], alpha: f64) -> RaceVerdict {
    let candidates = rows.first().map_or(0, Vec::len);
    let found = worse_by_ranks(&rows.concat(), candidates, alpha);
    if candidates != 2 {
        return RaceVerdict { test: "friedman", p: found.p, ranks: found.average, is_worse: found.is_worse };
    }
    // Half and double lie equally far from 1; a fitness of 0 has no logarithm.
    let first: Vec<f64> = rows.iter().map(|row| (row[0] + 1.0).ln()).collect();
    let second: Vec<f64> = rows.iter().map(|row| (row[1] + 1.0).ln()).collect();
    let (test, excess) = signed_ranks(&paired_differences(&first, &second));
    // Who wins more blocks by little may lose by signed ranks: the direction is that of the test, not of the average ranks.
    let is_worse = vec![test.p < alpha && excess > 0.0, test.p < alpha && excess < 0.0];
    RaceVerdict { test: "wilcoxon", p: test.p, ranks: found.average, is_worse }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn of_many_the_worse_are_found_and_of_equals_none() {
        let rows: Vec<Vec<f64>> =
            (0..8).map(|block| vec![1.0, 2.0 + f64::from(block % 2), 2.5, 90.0]).collect();
        let found = verdict(&rows, 0.05);
        assert_eq!((found.test, &found.is_worse[..]), ("friedman", &[false, true, true, true][..]));
        assert_eq!(found.ranks[0], 1.0);
        let equal = verdict(&vec![vec![7.0; 4]; 8], 0.05);
        assert_eq!((equal.p, equal.is_worse), (1.0, vec![false; 4]));
    }

    #[test]
    fn two_are_compared_by_signed_ranks() {
        let rows = |blocks: usize| vec![vec![10.0, 20.0]; blocks];
        assert_eq!(verdict(&rows(5), 0.05).is_worse, [false, false]);
        assert_eq!(verdict(&rows(6), 0.05).is_worse, [false, true]);
        assert_eq!(verdict(&rows(6), 0.05).test, "wilcoxon");
    }

    #[test]
    fn many_small_wins_do_not_outweigh_large_losses() {
        // Candidate 0 wins 14 blocks by little and loses 13 by much: its average rank is the better one.
        let won = (0..14).map(|block| vec![1000.0, 1001.0 + f64::from(block)]);
        let lost = (0..13).map(|block| vec![5000.0 + 100.0 * f64::from(block), 1000.0]);
        let rows: Vec<Vec<f64>> = won.chain(lost).collect();
        let found = verdict(&rows, 0.05);
        assert!(found.ranks[0] < found.ranks[1] && (0.04..0.05).contains(&found.p), "{found:?}");
        assert_eq!(found.is_worse, [true, false]);
        let turned: Vec<Vec<f64>> = rows.iter().map(|row| vec![row[1], row[0]]).collect();
        assert_eq!(verdict(&turned, 0.05).is_worse, [false, true]);
    }
}
