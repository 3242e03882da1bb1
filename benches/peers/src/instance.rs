//! The three puzzles: canonical JSON files that this program and `deap_ga.py` both read.

use std::path::{Path, PathBuf};

use kenga::puzzle::{Cage, Square, Puzzle, operators};
use serde::Deserialize;

/// A puzzle and how long a measure on it is.
pub struct Instance {
    /// Its size, as `4x4`.
    pub name: &'static str,
    /// Where its JSON stands.
    pub path: PathBuf,
    /// The puzzle.
    pub puzzle: Puzzle,
    /// Runs of [`crate::peer::GENERATIONS`] in one measure of a compiled peer: about three seconds.
    pub runs: u64,
    /// Generations in one measure of an interpreted peer: about three seconds.
    pub interpreted_generations: u64,
}

#[derive(Deserialize)]
struct Document {
    size: usize,
    cages: Vec<CageDocument>,
}

#[derive(Deserialize)]
struct CageDocument {
    op: String,
    target: i64,
    cells: Vec<(usize, usize)>,
}

impl Instance {
    /// Reads the three puzzles beside this package's manifest.
    pub fn all() -> Result<Vec<Self>, String> {
        let lengths = [("4x4", 64, 1500), ("6x6", 48, 1000), ("9x9", 32, 600)];
        lengths.into_iter().map(|(name, runs, generations)| Self::read(name, runs, generations)).collect()
    }

    fn read(name: &'static str, runs: u64, interpreted_generations: u64) -> Result<Self, String> {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("puzzles").join(format!("{name}.json"));
        let text = std::fs::read_to_string(&path).map_err(|error| format!("{}: {error}", path.display()))?;
        let puzzle = parse(&text).map_err(|error| format!("{}: {error}", path.display()))?;
        Ok(Self { name, path, puzzle, runs, interpreted_generations })
    }
}

fn parse(text: &str) -> Result<Puzzle, String> {
    let document: Document = serde_json::from_str(text).map_err(|error| error.to_string())?;
    let cages: Result<Vec<Cage>, String> = document.cages.into_iter().map(cage).collect();
    Square::kenken(document.size, cages?).build().map_err(|error| error.to_string())
}

fn cage(document: CageDocument) -> Result<Cage, String> {
    let operator = operators::find(&document.op).ok_or(format!("unknown operator {}", document.op))?;
    Ok(Cage::new(operator, document.target, document.cells))
}
