//! Features that go together, which no measure of importance can tell apart.
//!
//! Two features go together where Spearman's correlation over the puzzles is at least 0.8 or at most -0.8. Groups are
//! joined as long as all pairs of two of them go together (complete linkage), the strongest first. Running times have no
//! part in it.
//!
//! Source: L. Toloşi, T. Lengauer 2011, Classification with correlated features: unreliability of feature ranking and
//! solutions, doi:10.1093/bioinformatics/btr300.

use super::table::UsedFeature;
use kenga_core::budget::Interrupt;
use kenga_stats::spearman;

/// The least correlation of two features of a group, with either sign.
const TOGETHER: f64 = 0.8;

/// The groups of features, each ascending, in the order of their first members; `None` when interrupted.
pub(super) fn groups(features: &[UsedFeature], interrupt: &Interrupt) -> Option<Vec<Vec<usize>>> {
    let mut linkage = linkage(features, interrupt)?;
    let mut groups: Vec<Vec<usize>> = (0..features.len()).map(|feature| vec![feature]).collect();
    while let Some((first, second)) = closest(&linkage) {
        if interrupt.is_raised() {
            return None;
        }
        let (joined, weaker) = (groups.remove(second), linkage.remove(second));
        for row in &mut linkage {
            row.remove(second);
        }
        groups[first].extend(joined);
        groups[first].sort_unstable();
        // The row that was removed still counts the group that was removed.
        let others = (0..=groups.len()).filter(|other| *other != second);
        for (other, before) in others.enumerate() {
            let weakest = linkage[first][other].min(weaker[before]);
            (linkage[first][other], linkage[other][first]) = (weakest, weakest);
        }
    }
    Some(groups)
}

/// The weakest correlation between two groups of one feature each; `None` when interrupted.
fn linkage(features: &[UsedFeature], interrupt: &Interrupt) -> Option<Vec<Vec<f64>>> {
    let values: Vec<Vec<f64>> = features.iter().map(|feature| feature.filled(|_| true)).collect();
    let mut linkage = vec![vec![1.0; values.len()]; values.len()];
    for second in 1..values.len() {
        if interrupt.is_raised() {
            return None;
        }
        for first in 0..second {
            let found = correlation(&values[first], &values[second]);
            (linkage[first][second], linkage[second][first]) = (found, found);
        }
    }
    Some(linkage)
}

fn correlation(a: &[f64], b: &[f64]) -> f64 {
    let pairs: Vec<(f64, f64)> = a.iter().copied().zip(b.iter().copied()).collect();
    spearman(&pairs).map_or(0.0, f64::abs)
}

/// The two groups whose weakest pair is the strongest, the first below the second; `None` where no two go together.
fn closest(linkage: &[Vec<f64>]) -> Option<(usize, usize)> {
    let (mut strongest, mut closest) = (TOGETHER, None);
    for (second, row) in linkage.iter().enumerate() {
        for (first, found) in row[..second].iter().copied().enumerate() {
            if found > strongest || (found == TOGETHER && closest.is_none()) {
                (strongest, closest) = (found, Some((first, second)));
            }
        }
    }
    closest
}

#[cfg(test)]
mod tests {
    use super::*;
    use kenga_core::rng::StreamKey;

    #[test]
    fn what_rises_or_falls_together_is_a_group() {
        let feature = |of: fn(f64) -> f64| {
            let values = (0..20).map(|at| Some(of(f64::from(at)))).collect();
            UsedFeature { name: String::new(), values }
        };
        let features =
            [feature(|x| x), feature(|x| (x * 7.0) % 20.0), feature(|x| -x * x * x), feature(|x| x + 1.0)];
        let interrupt = Interrupt::default();
        assert_eq!(groups(&features, &interrupt), Some(vec![vec![0, 2, 3], vec![1]]));
        assert_eq!(groups(&[], &interrupt), Some(Vec::new()));
        interrupt.raise(2);
        assert_eq!(groups(&features, &interrupt), None);
    }

    /// Groups by the weakest pair of all, without anything remembered.
    fn plainly(features: &[UsedFeature]) -> Vec<Vec<usize>> {
        let strength = linkage(features, &Interrupt::default()).expect("nothing interrupts");
        let weakest = |a: &[usize], b: &[usize]| {
            a.iter().flat_map(|one| b.iter().map(|other| strength[*one][*other])).fold(1.0, f64::min)
        };
        let mut groups: Vec<Vec<usize>> = (0..features.len()).map(|feature| vec![feature]).collect();
        loop {
            let of = |a: &Vec<usize>| groups.iter().map(|b| weakest(a, b)).collect();
            let all: Vec<Vec<f64>> = groups.iter().map(of).collect();
            let Some((first, second)) = closest(&all) else { return groups };
            let joined = groups.remove(second);
            groups[first].extend(joined);
            groups[first].sort_unstable();
        }
    }

    #[test]
    fn remembered_linkages_are_those_of_all_pairs() {
        let mut rng = StreamKey::run(1, "groups", 0).rng();
        let base: Vec<Vec<f64>> = (0..4).map(|_| (0..30).map(|_| rng.unit()).collect()).collect();
        let mut feature = |at: usize| {
            let values = base[at % 4].iter().map(|value| Some(value + 0.5 * rng.unit())).collect();
            UsedFeature { name: String::new(), values }
        };
        let features: Vec<UsedFeature> = (0..40).map(&mut feature).collect();
        let found = groups(&features, &Interrupt::default()).expect("nothing interrupts");
        assert!(found.len() > 4 && found.iter().any(|group| group.len() > 2), "{found:?}");
        assert_eq!(found, plainly(&features));
    }
}
