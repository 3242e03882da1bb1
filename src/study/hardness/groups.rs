//! Features that go together, which no measure of importance can tell apart.
//!
//! Two features go together where Spearman's correlation over the puzzles is at least 0.8 or at most -0.8. Groups are
//! joined as long as all pairs of two of them go together (complete linkage), the strongest first. Running times have no
//! part in it.
//!
//! Source: L. Toloşi, T. Lengauer 2011, Classification with correlated features: unreliability of feature ranking and
//! solutions, doi:10.1093/bioinformatics/btr300.

use super::table::UsedFeature;
use crate::stats::spearman;

/// The least correlation of two features of a group, with either sign.
const TOGETHER: f64 = 0.8;

/// The groups of features, each ascending, in the order of their first members.
pub(super) fn groups(features: &[UsedFeature]) -> Vec<Vec<usize>> {
    let values: Vec<Vec<f64>> = features.iter().map(|feature| feature.filled(|_| true)).collect();
    let strength: Vec<Vec<f64>> =
        values.iter().map(|a| values.iter().map(|b| correlation(a, b)).collect()).collect();
    let mut groups: Vec<Vec<usize>> = (0..features.len()).map(|feature| vec![feature]).collect();
    while let Some((first, second)) = closest(&groups, &strength) {
        let joined = groups.remove(second);
        groups[first].extend(joined);
        groups[first].sort_unstable();
    }
    groups
}

fn correlation(a: &[f64], b: &[f64]) -> f64 {
    let pairs: Vec<(f64, f64)> = a.iter().copied().zip(b.iter().copied()).collect();
    spearman(&pairs).map_or(0.0, f64::abs)
}

/// The two groups whose weakest pair is the strongest, the first below the second; `None` where no two go together.
fn closest(groups: &[Vec<usize>], strength: &[Vec<f64>]) -> Option<(usize, usize)> {
    let weakest = |a: &[usize], b: &[usize]| {
        a.iter().flat_map(|one| b.iter().map(|other| strength[*one][*other])).fold(1.0, f64::min)
    };
    let mut best = (TOGETHER, None);
    for second in 1..groups.len() {
        for first in 0..second {
            let found = weakest(&groups[first], &groups[second]);
            if found > best.0 || (found == TOGETHER && best.1.is_none()) {
                best = (found, Some((first, second)));
            }
        }
    }
    best.1
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_rises_or_falls_together_is_a_group() {
        let feature = |of: fn(f64) -> f64| {
            let values = (0..20).map(|at| Some(of(f64::from(at)))).collect();
            UsedFeature { name: String::new(), values }
        };
        let found = groups(&[
            feature(|x| x),
            feature(|x| (x * 7.0) % 20.0),
            feature(|x| -x * x * x),
            feature(|x| x + 1.0),
        ]);
        assert_eq!(found, [vec![0, 2, 3], vec![1]]);
        assert!(groups(&[]).is_empty());
    }
}
