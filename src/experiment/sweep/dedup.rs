//! The points of a sweep that are settings: each configuration once.

use std::collections::BTreeSet;

use sha2::{Digest, Sha256};

use super::Point;
use crate::experiment::config::Config;
use crate::experiment::resolved::{canonical, value_as_json};

/// The settings as far as points were drawn.
#[derive(Default)]
pub(super) struct Chosen {
    /// Points with their configurations, no two of which are equal.
    pub(super) kept: Vec<(Point, Config)>,
    /// Points drawn.
    pub(super) drawn: usize,
    /// Points that came out the same as others, though no condition left a key out.
    merged: usize,
    points: BTreeSet<Mark>,
    configs: BTreeSet<Mark>,
}

/// What stands for a text: 16 bytes of its SHA-256.
type Mark = [u8; 16];

fn mark(text: &str) -> Mark {
    let digest = Sha256::digest(text);
    std::array::from_fn(|byte| digest[byte])
}

impl Chosen {
    /// A point was drawn; it is not one of those before.
    pub(super) fn is_new(&mut self, point: &Point) -> bool {
        self.drawn += 1;
        let is_new = self.points.insert(mark(&in_text(point)));
        // That the same is left without a key is what conditions are for.
        self.merged += usize::from(!is_new && point.iter().all(Option::is_some));
        is_new
    }

    /// Keeps a point, unless one before it has the same configuration.
    pub(super) fn keep(&mut self, point: Point, mut config: Config) {
        let text = canonical(&serde_json::Value::Object(config.resolved.object()));
        if !self.configs.insert(mark(&text)) {
            self.merged += 1;
            return;
        }
        if let Some((_, first)) = self.kept.first() {
            config.share(first);
        }
        self.kept.push((point, config));
    }

    /// What a person should know of the points, if anything.
    pub(super) fn note(&self) -> Option<String> {
        let (merged, drawn, left) = (self.merged, self.drawn, self.kept.len());
        let note = || {
            let left = if left == 1 { "1 setting is".to_owned() } else { format!("{left} settings are") };
            format!("{merged} of {drawn} points come out the same as others; {left} left")
        };
        (merged > 0).then(note)
    }
}

/// A point as a text that tells it from others.
fn in_text(point: &Point) -> String {
    let text = |value| canonical(&value_as_json(value));
    let values = point.iter().map(|value| value.as_ref().map_or(String::new(), text));
    values.collect::<Vec<_>>().join(" ")
}
