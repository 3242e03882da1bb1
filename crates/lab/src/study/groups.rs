//! Families of puzzles, which may be the sample of their kind.

use std::collections::BTreeMap;

use serde_json::Value;

use super::Study;
use kenga_core::puzzle::Puzzle;

/// Families of puzzles that resemble each other, by the id of each puzzle. A puzzle without a family is one of its own.
#[derive(Clone, Debug, Default)]
pub struct Groups {
    /// What the families are called, such as `tier`; empty if they hold the same puzzle under several ids.
    pub name: String,
    /// The family of each puzzle.
    pub families: BTreeMap<String, String>,
}

/// The fewest families that are a sample of their kind.
pub(super) const FEW: usize = 6;

impl Groups {
    /// The puzzles of a study by a column: `kind`, `size`, or a key of their `meta`. `None` if no puzzle has it.
    pub fn by(study: &Study, column: &str) -> Option<Self> {
        let mut groups = Self { name: column.to_owned(), families: BTreeMap::new() };
        for puzzle in study.puzzles() {
            let family = match (column, puzzle.meta.get(column)) {
                (_, Some(Value::String(text))) => text.clone(),
                (_, Some(value)) => value.to_string(),
                ("kind", None) => puzzle.kind.name().to_owned(),
                ("size", None) => format!("{}x{}", puzzle.rows(), puzzle.cols()),
                _ => continue,
            };
            groups.families.insert(puzzle.id.clone(), family);
        }
        (!groups.families.is_empty()).then_some(groups)
    }

    /// Puzzles that are the same under several ids, each with the first of these.
    pub(super) fn of_repeated(puzzles: &[&Puzzle]) -> Self {
        let (mut first_ids, mut groups) = (BTreeMap::new(), Self::default());
        for puzzle in puzzles {
            let first: &mut String =
                first_ids.entry(puzzle.canonical_text()).or_insert_with(|| puzzle.id.clone());
            if *first != puzzle.id {
                groups.families.insert(puzzle.id.clone(), first.clone());
            }
        }
        groups
    }

    /// The family of a puzzle.
    pub(super) fn family<'b>(&'b self, id: &'b str) -> &'b str {
        self.families.get(id).map_or(id, String::as_str)
    }
}
