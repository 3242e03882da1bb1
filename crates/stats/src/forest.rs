//! A random forest for a number: the only file that names the crate which grows it.
//!
//! ```text
//! for every tree
//!     draw as many rows as there are, with replacement
//!     split them by the feature and the threshold with the least squared error, of a random third of the features,
//!     while both sides keep LEAF rows
//! predict the mean over the trees of the mean of the leaf
//! ```
//!
//! The size of leaves and the share of features are those of common use and are not tuned: tuning them on few rows needs
//! folds within folds.
//!
//! Source: L. Breiman 2001, Random forests, doi:10.1023/A:1010933404324.

use smartcore::ensemble::random_forest_regressor::{RandomForestRegressor, RandomForestRegressorParameters};
use smartcore::linalg::basic::matrix::DenseMatrix;

/// The fewest rows of a leaf.
const LEAF: usize = 3;

/// A forest that was grown.
pub struct Forest(RandomForestRegressor<f64, f64, DenseMatrix<f64>, Vec<f64>>);

impl Forest {
    /// Grows so many trees, one at least, on rows of finite features, all of one length that is not 0, with a finite target
    /// each; there is one row at least.
    pub fn grow(trees: usize, rows: &[Vec<f64>], targets: &[f64], seed: u64) -> Self {
        let features = rows.first().map_or(0, Vec::len);
        let parameters = RandomForestRegressorParameters::default()
            .with_n_trees(trees)
            .with_min_samples_leaf(LEAF)
            .with_m(features.div_ceil(3))
            .with_seed(seed);
        let grown = RandomForestRegressor::fit(&matrix(rows), &targets.to_vec(), parameters);
        Self(grown.expect("there are rows of one length, and a target for each"))
    }

    /// The prediction for each row.
    pub fn predict(&self, rows: &[Vec<f64>]) -> Vec<f64> {
        if rows.is_empty() {
            return Vec::new();
        }
        self.0
            .predict(&matrix(rows))
            .expect("the forest is grown, and rows are as long as those it was grown on")
    }
}

fn matrix(rows: &[Vec<f64>]) -> DenseMatrix<f64> {
    let (count, width) = (rows.len(), rows.first().map_or(0, Vec::len));
    DenseMatrix::new(count, width, rows.concat(), false).expect("rows are of one length")
}

#[cfg(test)]
mod tests {
    use super::*;
    use kenga_core::rng::StreamKey;

    #[test]
    fn a_forest_learns_a_step_and_is_the_same_for_the_same_seed() {
        let mut rng = StreamKey::run(1, "forest", 0).rng();
        let rows: Vec<Vec<f64>> = (0..60).map(|_| vec![rng.unit(), rng.unit()]).collect();
        let targets: Vec<f64> = rows.iter().map(|row| if row[0] < 0.5 { 1.0 } else { 4.0 }).collect();
        let ask = [vec![0.1, 0.5], vec![0.9, 0.5]];
        let (one, again) = (Forest::grow(200, &rows, &targets, 7), Forest::grow(200, &rows, &targets, 7));
        let found = one.predict(&ask);
        assert!(found[0] < 1.5 && found[1] > 3.5, "{found:?}");
        assert_eq!(found, again.predict(&ask));
        assert_ne!(found, Forest::grow(200, &rows, &targets, 8).predict(&ask));
        assert!(one.predict(&[]).is_empty());
    }
}
