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
        let mut columns = Vec::with_capacity(chosen.len());
        for feature in chosen {
            columns.push(standardised(&features[*feature].filled(|_| true)));
        }
        let Eigen { values, vectors } = eigen(correlations(&columns));
        // Features that never vary have no variance to share out.
        let total = values.iter().sum::<f64>().max(f64::MIN_POSITIVE);
        let mut order: Vec<usize> = (0..values.len()).collect();
        sort_by(&mut order, |a, b| values[*b].total_cmp(&values[*a]));
        // With a single feature there is no second axis.
        let mut axes = [vec![0.0; columns.len()], vec![0.0; columns.len()]];
        let mut explained = [0.0; 2];
        for (place, index) in order.into_iter().take(2).enumerate() {
            axes[place] = pointed(vectors.iter().map(|row| row[index]).collect());
            explained[place] = values[index] / total;
        }
        let mut points = Vec::new();
        for puzzle in 0..columns.first().map_or(0, Vec::len) {
            points.push((along(&axes[0], &columns, puzzle), along(&axes[1], &columns, puzzle)));
        }
        let weights = axes.map(|axis| {
            let mut weights: Vec<(usize, f64)> = chosen.iter().copied().zip(axis).collect();
            sort_by(&mut weights, |a, b| b.1.abs().total_cmp(&a.1.abs()));
            weights
        });
        Self { points, explained, weights }
    }
}

/// Where a puzzle lies along an axis.
fn along(axis: &[f64], columns: &[Vec<f64>], puzzle: usize) -> f64 {
    columns.iter().zip(axis).map(|(column, weight)| column[puzzle] * weight).sum()
}

/// With mean 0 and variance 1.
fn standardised(values: &[f64]) -> Vec<f64> {
    let count = values.len() as f64;
    let mean = values.iter().sum::<f64>() / count;
    let spread = (values.iter().map(|value| (value - mean).powi(2)).sum::<f64>() / count).sqrt();
    values.iter().map(|value| if spread > 0.0 { (value - mean) / spread } else { 0.0 }).collect()
}

fn correlations(columns: &[Vec<f64>]) -> Vec<Vec<f64>> {
    let mut matrix = Vec::with_capacity(columns.len());
    for a in columns {
        let mut row = Vec::with_capacity(columns.len());
        for b in columns {
            row.push(a.iter().zip(b).map(|(x, y)| x * y).sum::<f64>() / a.len() as f64);
        }
        matrix.push(row);
    }
    matrix
}

/// The vector or its opposite: the one whose largest part is positive.
fn pointed(mut vector: Vec<f64>) -> Vec<f64> {
    let mut largest: f64 = 0.0;
    for part in &vector {
        // Of parts that are equal but for rounding, the first decides.
        if part.abs() > largest.abs() + 1e-9 {
            largest = *part;
        }
    }
    if largest < 0.0 {
        for part in &mut vector {
            *part = -*part;
        }
    }
    vector
}

/// Sweeps of Jacobi's method; it converges in far fewer.
const SWEEPS: usize = 60;

/// Eigenvalues, and the eigenvectors as columns.
struct Eigen {
    values: Vec<f64>,
    vectors: Vec<Vec<f64>>,
}

/// The eigenvalues and eigenvectors of a symmetric matrix.
fn eigen(mut matrix: Vec<Vec<f64>>) -> Eigen {
    let size = matrix.len();
    let mut vectors = vec![vec![0.0; size]; size];
    for (index, row) in vectors.iter_mut().enumerate() {
        row[index] = 1.0;
    }
    // Jacobi's method: a rotation makes one entry 0 and disturbs others, but their sum of squares only falls.
    for _ in 0..SWEEPS {
        if below_diagonal(&matrix) < 1e-18 {
            break;
        }
        for row in 1..size {
            for column in 0..row {
                rotate(&mut matrix, &mut vectors, column, row);
            }
        }
    }
    let values = (0..size).map(|index| matrix[index][index]).collect();
    Eigen { values, vectors }
}

/// The sum of the squares below the diagonal.
fn below_diagonal(matrix: &[Vec<f64>]) -> f64 {
    let mut sum = 0.0;
    for (place, row) in matrix.iter().enumerate() {
        for value in &row[..place] {
            sum += value.powi(2);
        }
    }
    sum
}

/// Turns the plane of two axes, `p` below `q`, so that their product becomes 0.
fn rotate(matrix: &mut [Vec<f64>], vectors: &mut [Vec<f64>], p: usize, q: usize) {
    if matrix[p][q].abs() < 1e-15 {
        return;
    }
    // Of the two angles that do, the smaller one: with it the sweeps converge.
    let theta = (matrix[q][q] - matrix[p][p]) / (2.0 * matrix[p][q]);
    let tangent = if theta >= 0.0 { 1.0 } else { -1.0 } / (theta.abs() + theta.hypot(1.0));
    let cosine = 1.0 / tangent.hypot(1.0);
    let sine = tangent * cosine;
    for row in matrix.iter_mut().chain(vectors) {
        (row[p], row[q]) = (cosine * row[p] - sine * row[q], sine * row[p] + cosine * row[q]);
    }
    let (above, below) = matrix.split_at_mut(q);
    for (a, b) in above[p].iter_mut().zip(&mut below[0]) {
        (*a, *b) = (cosine * *a - sine * *b, sine * *a + cosine * *b);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn eigenvectors_are_multiplied_by_their_values() {
        let matrix = vec![vec![4.0, 1.0, 0.5], vec![1.0, 3.0, -1.0], vec![0.5, -1.0, 2.0]];
        let Eigen { values, vectors } = eigen(matrix.clone());
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
