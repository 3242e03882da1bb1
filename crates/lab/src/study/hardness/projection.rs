//! The puzzles in a plane: principal components of their features.
//!
//! Features are standardised, one for each group that goes together, so that no group counts several times; the two
//! directions are those in which the puzzles vary most. Running times have no part in it. An instance space analysis in
//! the sense of Smith-Miles chooses features and directions by how well times fall off along them; this map does not, and
//! a footprint that is scattered here may be whole there.
//!
//! Sources: K. Pearson 1901, On lines and planes of closest fit, doi:10.1080/14786440109462720; K. Smith-Miles, M. A.
//! Muñoz 2023, Instance space analysis for algorithm testing, doi:10.1145/3572895. Eigenvectors by the method of
//! C. G. J. Jacobi 1846.

use super::table::UsedFeature;
use kenga_core::sort::sort_by;

/// Puzzles as points of a plane.
#[derive(Clone, Debug, PartialEq)]
pub struct Projection {
    /// The point of each puzzle.
    pub points: Vec<(f64, f64)>,
    /// The share of the variance of the features along each axis.
    pub explained: [f64; 2],
    /// How much each feature adds to each axis, the largest first: the index of the feature and its weight, whose squares
    /// sum to 1.
    pub weights: [Vec<(usize, f64)>; 2],
}

impl Projection {
    /// The plane of some of the features, by index.
    pub(super) fn of(features: &[UsedFeature], chosen: &[usize]) -> Self {
        let columns: Vec<Vec<f64>> =
            chosen.iter().map(|feature| standardised(&features[*feature].filled(|_| true))).collect();
        let (values, vectors) = eigen(correlations(&columns));
        let mut order: Vec<usize> = (0..values.len()).collect();
        sort_by(&mut order, |a, b| values[*b].total_cmp(&values[*a]));
        let axis = |place: usize| -> Vec<f64> {
            let vector = order.get(place).map(|index| vectors.iter().map(|row| row[*index]).collect());
            pointed(vector.unwrap_or_else(|| vec![0.0; columns.len()]))
        };
        let axes = [axis(0), axis(1)];
        let along = |axis: &[f64], puzzle: usize| -> f64 {
            columns.iter().zip(axis).map(|(column, weight)| column[puzzle] * weight).sum()
        };
        let puzzles = columns.first().map_or(0, Vec::len);
        let total = values.iter().sum::<f64>().max(f64::MIN_POSITIVE);
        let explained = |place: usize| order.get(place).map_or(0.0, |index| values[*index] / total);
        let weights = |axis: &[f64]| {
            let mut weights: Vec<(usize, f64)> = chosen.iter().copied().zip(axis.iter().copied()).collect();
            sort_by(&mut weights, |a, b| b.1.abs().total_cmp(&a.1.abs()));
            weights
        };
        Self {
            points: (0..puzzles).map(|puzzle| (along(&axes[0], puzzle), along(&axes[1], puzzle))).collect(),
            explained: [explained(0), explained(1)],
            weights: [weights(&axes[0]), weights(&axes[1])],
        }
    }
}

/// With mean 0 and variance 1.
fn standardised(values: &[f64]) -> Vec<f64> {
    let count = values.len() as f64;
    let mean = values.iter().sum::<f64>() / count;
    let spread = (values.iter().map(|value| (value - mean).powi(2)).sum::<f64>() / count).sqrt();
    values.iter().map(|value| if spread > 0.0 { (value - mean) / spread } else { 0.0 }).collect()
}

fn correlations(columns: &[Vec<f64>]) -> Vec<Vec<f64>> {
    let product = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(x, y)| x * y).sum::<f64>() / a.len() as f64;
    columns.iter().map(|a| columns.iter().map(|b| product(a, b)).collect()).collect()
}

/// The vector or its opposite: the one whose largest part is positive.
fn pointed(vector: Vec<f64>) -> Vec<f64> {
    let largest = vector
        .iter()
        .copied()
        .fold(0.0, |most: f64, part| if part.abs() > most.abs() + 1e-9 { part } else { most });
    if largest < 0.0 { vector.into_iter().map(|part| -part).collect() } else { vector }
}

/// Sweeps of Jacobi's method; it converges in far fewer.
const SWEEPS: usize = 60;

/// The eigenvalues of a symmetric matrix, and its eigenvectors as columns.
fn eigen(mut matrix: Vec<Vec<f64>>) -> (Vec<f64>, Vec<Vec<f64>>) {
    let size = matrix.len();
    let mut vectors: Vec<Vec<f64>> =
        (0..size).map(|row| (0..size).map(|column| f64::from(u8::from(row == column))).collect()).collect();
    for _ in 0..SWEEPS {
        let off: f64 = (0..size)
            .flat_map(|row| (0..row).map(move |column| (row, column)))
            .map(|(row, column)| matrix[row][column].powi(2))
            .sum();
        if off < 1e-18 {
            break;
        }
        for row in 1..size {
            for column in 0..row {
                rotate(&mut matrix, &mut vectors, column, row);
            }
        }
    }
    ((0..size).map(|index| matrix[index][index]).collect(), vectors)
}

/// Turns the plane of two axes, `p` below `q`, so that their product becomes 0.
fn rotate(matrix: &mut [Vec<f64>], vectors: &mut [Vec<f64>], p: usize, q: usize) {
    if matrix[p][q].abs() < 1e-15 {
        return;
    }
    let theta = (matrix[q][q] - matrix[p][p]) / (2.0 * matrix[p][q]);
    let tangent = if theta >= 0.0 { 1.0 } else { -1.0 } / (theta.abs() + theta.hypot(1.0));
    let cosine = 1.0 / tangent.hypot(1.0);
    let sine = tangent * cosine;
    let turn = |row: &mut Vec<f64>| {
        (row[p], row[q]) = (cosine * row[p] - sine * row[q], sine * row[p] + cosine * row[q])
    };
    matrix.iter_mut().for_each(turn);
    let (above, below) = matrix.split_at_mut(q);
    for (a, b) in above[p].iter_mut().zip(&mut below[0]) {
        (*a, *b) = (cosine * *a - sine * *b, sine * *a + cosine * *b);
    }
    vectors.iter_mut().for_each(turn);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn eigenvectors_are_multiplied_by_their_values() {
        let matrix = vec![vec![4.0, 1.0, 0.5], vec![1.0, 3.0, -1.0], vec![0.5, -1.0, 2.0]];
        let (values, vectors) = eigen(matrix.clone());
        assert!((values.iter().sum::<f64>() - 9.0).abs() < 1e-9, "the trace is kept: {values:?}");
        for (index, value) in values.iter().enumerate() {
            for (row, parts) in matrix.iter().enumerate() {
                let product: f64 = (0..3).map(|column| parts[column] * vectors[column][index]).sum();
                assert!((product - value * vectors[row][index]).abs() < 1e-9);
            }
        }
    }

    #[test]
    fn the_first_axis_is_that_of_most_variance() {
        let feature = |of: fn(f64) -> f64| {
            let values = (0..24).map(|at| Some(of(f64::from(at)))).collect();
            UsedFeature { name: String::new(), values }
        };
        let features = [feature(|x| x), feature(|x| x + (x * 5.0) % 3.0), feature(|x| (x * 7.0) % 24.0)];
        let found = Projection::of(&features, &[0, 1, 2]);
        assert!(
            found.explained[0] > 0.6 && found.explained[0] + found.explained[1] <= 1.0 + 1e-9,
            "{found:?}"
        );
        assert!(found.weights[0][0].1 > 0.6 && found.weights[0][2].0 == 2, "{:?}", found.weights);
        let rises = found.points.windows(2).filter(|two| two[1].0 > two[0].0).count();
        assert!(rises > 16, "the first two features rise");
        assert_eq!(Projection::of(&features, &[0]).explained, [1.0, 0.0]);
        assert!(Projection::of(&features[..1], &[0]).points.iter().all(|point| point.1 == 0.0));
    }
}
