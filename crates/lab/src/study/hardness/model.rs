//! The model of a setting, cross-validated: a forest for every fold, grown on the other folds.

use super::folds::Folds;
use super::quality::Predictions;
use super::table::UsedFeature;
use kenga_core::budget::Interrupt;
use kenga_core::rng::StreamKey;
use kenga_stats::Forest;

/// Trees of a forest: as many as are common, not tuned.
const TREES: usize = 200;

/// Forests that have not seen the puzzles that they predict.
pub(super) struct CrossValidated {
    pub(super) predictions: Predictions,
    folds: Vec<FoldModel>,
}

/// The forest of a fold.
struct FoldModel {
    forest: Forest,
    /// The puzzles that it has not seen.
    held_out: Vec<usize>,
    /// The features of all puzzles, unknown values as in training.
    rows: Vec<Vec<f64>>,
}

impl CrossValidated {
    /// Grows the forests for targets, one a puzzle. The streams of the folds are children of `key`.
    /// `None` when interrupted.
    pub(super) fn grow(
        features: &[UsedFeature],
        targets: &[f64],
        folds: &Folds,
        key: &StreamKey,
        interrupt: &Interrupt,
    ) -> Option<Self> {
        let mut predictions = Predictions {
            measured: targets.to_vec(),
            predicted: vec![0.0; targets.len()],
            mean: vec![0.0; targets.len()],
        };
        let mut models = Vec::with_capacity(folds.count());
        for fold in 0..folds.count() {
            if interrupt.is_raised() {
                return None;
            }
            // What replaces unknown values must not come from the puzzles that are held out.
            let rows = rows(features, |puzzle| folds.of(puzzle) != fold);
            let (mut held_out, mut known, mut seen) = (Vec::new(), Vec::new(), Vec::new());
            for puzzle in 0..targets.len() {
                if folds.of(puzzle) == fold {
                    held_out.push(puzzle);
                } else {
                    known.push(targets[puzzle]);
                    seen.push(rows[puzzle].clone());
                }
            }
            // A stream for each fold, so that no forest depends on the others.
            let mut rng = key.child(&format!("fold {fold}")).rng();
            let forest = Forest::grow(TREES, &seen, &known, &mut |n| rng.below(n));
            let asked: Vec<Vec<f64>> = held_out.iter().map(|puzzle| rows[*puzzle].clone()).collect();
            let mean = known.iter().sum::<f64>() / known.len() as f64;
            for (puzzle, predicted) in held_out.iter().zip(forest.predict(&asked)) {
                (predictions.predicted[*puzzle], predictions.mean[*puzzle]) = (predicted, mean);
            }
            models.push(FoldModel { forest, held_out, rows });
        }
        Some(Self { predictions, folds: models })
    }

    /// The predictions for all puzzles, each by the forest that has not seen it, where each has the values of another for
    /// some features: that of `donors`.
    pub(super) fn predict_with(&self, features: &[usize], donors: &[usize]) -> Vec<f64> {
        let mut predicted = vec![0.0; donors.len()];
        for FoldModel { forest, held_out, rows } in &self.folds {
            let mut asked = Vec::with_capacity(held_out.len());
            for puzzle in held_out {
                let mut row = rows[*puzzle].clone();
                for feature in features {
                    row[*feature] = rows[donors[*puzzle]][*feature];
                }
                asked.push(row);
            }
            for (puzzle, found) in held_out.iter().zip(forest.predict(&asked)) {
                predicted[*puzzle] = found;
            }
        }
        predicted
    }
}

/// The features of every puzzle, unknown ones as the median of the puzzles that count.
fn rows(features: &[UsedFeature], counts: impl Fn(usize) -> bool) -> Vec<Vec<f64>> {
    let columns: Vec<Vec<f64>> = features.iter().map(|feature| feature.filled(&counts)).collect();
    let puzzles = columns.first().map_or(0, Vec::len);
    (0..puzzles).map(|puzzle| columns.iter().map(|column| column[puzzle]).collect()).collect()
}
