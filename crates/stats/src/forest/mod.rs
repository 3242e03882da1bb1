//! A random forest for a number.
//!
//! ```text
//! for every tree
//!     draw as many rows as there are, with replacement
//!     split them, and both parts again, while that makes the squared error less:
//!         of a random third of the features, drawn anew for every split, the feature and the threshold
//!         with the least squared error, where both parts keep LEAF draws
//! predict the mean over the trees of the mean of the leaf
//! ```
//!
//! The size of leaves and the share of features are those of common use and are not tuned: tuning them on few rows needs
//! folds within folds.
//!
//! **Invariant**: the order of draws and of sums is fixed, so that the same draws give the same bytes. A sum in another
//! order differs in its last bit, and that may decide between two splits.
//!
//! Sources: L. Breiman 2001, Random forests, doi:10.1023/A:1010933404324; the split, L. Breiman, J. H. Friedman,
//! R. A. Olshen, C. J. Stone 1984, Classification and Regression Trees, section 8.4, doi:10.1201/9781315139470.

use std::ops::Range;

/// The fewest draws of a leaf.
const LEAF: u32 = 3;

/// A forest that was grown.
pub struct Forest {
    /// The nodes of all trees.
    nodes: Vec<TreeNode>,
    /// The first node of each tree.
    roots: Vec<usize>,
}

enum TreeNode {
    /// Predicts the mean of the targets that came here.
    Leaf(f64),
    /// Sends rows with at most the threshold to the node `left`, and the others to the one behind it.
    Split { feature: usize, threshold: f64, left: usize },
}

impl Forest {
    /// Grows so many trees, one at least, on rows of finite features, all of one length that is not 0, with a finite target
    /// each; there is one row at least.
    ///
    /// `draw(n)` gives a uniform integer below `n`; nothing else is random.
    pub fn grow(
        trees: usize,
        rows: &[Vec<f64>],
        targets: &[f64],
        draw: &mut dyn FnMut(usize) -> usize,
    ) -> Self {
        let mut sample = TreeSample::new(rows, targets);
        let mut forest = Self { nodes: Vec::new(), roots: Vec::with_capacity(trees) };
        for _ in 0..trees {
            forest.roots.push(forest.nodes.len());
            sample.draw_rows(draw);
            forest.grow_tree(&mut sample, draw);
        }
        forest
    }

    /// The prediction for each row.
    pub fn predict(&self, rows: &[Vec<f64>]) -> Vec<f64> {
        let mut predictions = Vec::with_capacity(rows.len());
        for row in rows {
            let sum: f64 = self.roots.iter().map(|root| self.leaf(*root, row)).sum();
            predictions.push(sum / self.roots.len() as f64);
        }
        predictions
    }

    /// Adds a tree for the rows that were drawn.
    fn grow_tree(&mut self, sample: &mut TreeSample, draw: &mut dyn FnMut(usize) -> usize) {
        // A list of parts and no recursion, because a tree may be as deep as it has leaves.
        let mut open = vec![(self.nodes.len(), 0..sample.features[0].drawn.len())];
        self.nodes.push(TreeNode::Leaf(0.0));
        while let Some((node, part)) = open.pop() {
            let Some(split) = sample.best_split(&part, draw) else {
                self.nodes[node] = TreeNode::Leaf(sample.mean(&part));
                continue;
            };
            let middle = sample.divide(&part, &split);
            let left = self.nodes.len();
            self.nodes[node] = TreeNode::Split { feature: split.feature, threshold: split.threshold, left };
            self.nodes.extend([TreeNode::Leaf(0.0), TreeNode::Leaf(0.0)]);
            open.extend([(left, part.start..middle), (left + 1, middle..part.end)]);
        }
    }

    /// What the tree of a root predicts.
    fn leaf(&self, root: usize, row: &[f64]) -> f64 {
        let mut node = root;
        loop {
            match self.nodes[node] {
                TreeNode::Leaf(mean) => return mean,
                TreeNode::Split { feature, threshold, left } => {
                    node = left + usize::from(row[feature] > threshold);
                }
            }
        }
    }
}

/// The rows that a tree is grown on, and what they are drawn from.
///
/// A part of them, those of a node, is a range of places, and the same range for every feature.
struct TreeSample {
    features: Vec<ForestFeature>,
    /// The mean of all targets. Sums are of differences from it, which lose fewer digits.
    centre: f64,
    targets: Vec<f64>,
    weights: Vec<Weight>,
    /// All features; those that a split may use are put first.
    order: Vec<usize>,
    /// Whether each row goes to the left part, while rows are divided.
    is_left: Vec<bool>,
    /// The rows of the right part meanwhile.
    right: Vec<u32>,
}

/// What a row, or several, count in a tree.
#[derive(Clone, Copy, Default)]
struct Weight {
    draws: u32,
    /// The target, once for every draw.
    sum: f64,
}

struct ForestFeature {
    /// The value of each row.
    values: Vec<f64>,
    /// All rows by ascending value: sorted once for all trees.
    ascending: Vec<u32>,
    /// Those of them that were drawn, each once: first in this order, then so in every part.
    drawn: Vec<u32>,
}

/// Where to divide a part of the rows.
struct Split {
    feature: usize,
    threshold: f64,
    /// How many rows go to the left.
    left: usize,
    /// The squared error that it saves, times the draws of the part.
    gain: f64,
}

impl TreeSample {
    fn new(rows: &[Vec<f64>], targets: &[f64]) -> Self {
        let width = rows.first().map_or(0, Vec::len);
        let centre = targets.iter().sum::<f64>() / targets.len() as f64;
        Self {
            features: (0..width)
                .map(|feature| ForestFeature::new(rows.iter().map(|row| row[feature])))
                .collect(),
            centre,
            targets: targets.iter().map(|target| target - centre).collect(),
            weights: vec![Weight::default(); rows.len()],
            order: (0..width).collect(),
            is_left: vec![false; rows.len()],
            right: vec![0; rows.len()],
        }
    }

    /// Draws as many rows as there are, with replacement.
    fn draw_rows(&mut self, draw: &mut dyn FnMut(usize) -> usize) {
        let rows = self.targets.len();
        self.weights.fill(Weight::default());
        for _ in 0..rows {
            self.weights[draw(rows)].draws += 1;
        }
        for (weight, target) in self.weights.iter_mut().zip(&self.targets) {
            weight.sum = f64::from(weight.draws) * target;
        }
        for feature in &mut self.features {
            // Picked from the rows in their order instead of sorted anew for every tree.
            feature.drawn.clear();
            for row in &feature.ascending {
                if self.weights[*row as usize].draws > 0 {
                    feature.drawn.push(*row);
                }
            }
        }
    }

    /// The best split of a part among those of a random third of the features.
    fn best_split(&mut self, part: &Range<usize>, draw: &mut dyn FnMut(usize) -> usize) -> Option<Split> {
        if self.is_constant(part) {
            return None;
        }
        let whole = self.weight(part);
        let mut best: Option<Split> = None;
        let width = self.order.len();
        for place in 0..width.div_ceil(3) {
            self.order.swap(place, place + draw(width - place));
            // Of equally good ones the first: the order of features is random already.
            let least = best.as_ref().map_or(0.0, |split| split.gain);
            best = self.best_split_by(self.order[place], part, whole, least).or(best);
        }
        best
    }

    /// The best split of a part by one feature, of those that gain more than `least`.
    ///
    /// ```text
    /// saved = (sum left)² / draws left + (sum right)² / draws right - sum² / draws
    ///       = (sum left * draws - sum * draws left)² / (draws left * draws right * draws)
    /// ```
    fn best_split_by(&self, feature: usize, part: &Range<usize>, whole: Weight, least: f64) -> Option<Split> {
        let ForestFeature { values, drawn, .. } = &self.features[feature];
        let rows = &drawn[part.clone()];
        let mut left = Weight::default();
        let mut gain = least;
        let mut best = None;
        for (place, pair) in rows.windows(2).enumerate() {
            let (row, next) = (pair[0] as usize, pair[1] as usize);
            left.draws += self.weights[row].draws;
            left.sum += self.weights[row].sum;
            let draws_right = whole.draws - left.draws;
            // No threshold comes between equal values.
            if values[row] == values[next] || left.draws < LEAF || draws_right < LEAF {
                continue;
            }
            let difference = left.sum * f64::from(whole.draws) - whole.sum * f64::from(left.draws);
            let found = difference * difference / (f64::from(left.draws) * f64::from(draws_right));
            if found > gain {
                gain = found;
                best = Some(place);
            }
        }
        let last = best?;
        let threshold = between(values[rows[last] as usize], values[rows[last + 1] as usize]);
        Some(Split { feature, threshold, left: last + 1, gain })
    }

    /// Puts the rows that go to the left first, for every feature in ascending order; the place where the others begin.
    fn divide(&mut self, part: &Range<usize>, split: &Split) -> usize {
        for (place, row) in self.features[split.feature].drawn[part.clone()].iter().enumerate() {
            self.is_left[*row as usize] = place < split.left;
        }
        for feature in &mut self.features {
            let rows = &mut feature.drawn[part.clone()];
            let (mut left, mut right) = (0, 0);
            for place in 0..rows.len() {
                let row = rows[place];
                let is_left = self.is_left[row as usize];
                // The row is written to both and counts in one: a branch here is guessed wrong half the time.
                rows[left] = row;
                self.right[right] = row;
                left += usize::from(is_left);
                right += usize::from(!is_left);
            }
            rows[left..].copy_from_slice(&self.right[..right]);
        }
        part.start + split.left
    }

    fn rows(&self, part: &Range<usize>) -> &[u32] {
        &self.features[0].drawn[part.clone()]
    }

    fn is_constant(&self, part: &Range<usize>) -> bool {
        let mut targets = self.rows(part).iter().map(|row| self.targets[*row as usize]);
        let first = targets.next();
        targets.all(|target| Some(target) == first)
    }

    /// The weight of all rows of a part.
    fn weight(&self, part: &Range<usize>) -> Weight {
        let mut whole = Weight::default();
        for row in self.rows(part) {
            whole.draws += self.weights[*row as usize].draws;
            whole.sum += self.weights[*row as usize].sum;
        }
        whole
    }

    /// The mean target of a part.
    fn mean(&self, part: &Range<usize>) -> f64 {
        let whole = self.weight(part);
        self.centre + whole.sum / f64::from(whole.draws)
    }
}

impl ForestFeature {
    fn new(column: impl Iterator<Item = f64>) -> Self {
        let values: Vec<f64> = column.collect();
        let mut ascending: Vec<u32> = (0..values.len() as u32).collect();
        ascending.sort_by(|a, b| values[*a as usize].total_cmp(&values[*b as usize]));
        Self { drawn: Vec::with_capacity(values.len()), values, ascending }
    }
}

/// The middle of two numbers; the lower one where rounding would take the middle to the upper one or beyond.
fn between(low: f64, high: f64) -> f64 {
    let middle = low + (high - low) / 2.0;
    if middle < high { middle } else { low }
}

#[cfg(test)]
mod tests;
