//! IOHprofiler, version 2 of its data format: a folder for each algorithm, with a JSON file and a data file for each
//! function.
//!
//! A setting is an algorithm, a puzzle is a function with as many dimensions as cells that hold digits, a replicate is an
//! instance, from 1, and `raw_y` is the best fitness so far over calls, of a problem of the user's own the best value.
//! C. Doerr, H. Wang, F. Ye, S. van Rijn, T. Bäck, "IOHprofiler: a benchmarking and profiling tool for iterative optimization heuristics", 2018, arXiv 1810.05281.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use super::columns::{KeyColumns, cell_text};
use super::names::Names;
use super::{Export, ExportError, ExportFormat, ExportRows, Files};
use crate::study::Study;
use crate::study::improvements::Improvements;
use kenga_core::puzzle::Puzzle;

/// The format.
pub(super) const FORMAT: ExportFormat = ExportFormat {
    name: "ioh",
    about: "a folder for IOHanalyzer and iohinspector: best fitness, or value of a problem of your own, over calls; one algorithm per setting",
    is_folder: true,
    is_table: false,
    write,
};

/// The version of the format.
const VERSION: &str = "0.3.5";

/// The most functions: their numbers have 16 bits.
const MOST: usize = u16::MAX as usize;

/// The meaning of `evaluations`.
const AXIS: &str = "calls: full evaluations of fitness and moves (differences of fitness computed)";

/// The meaning of the rows.
const STEPS: &str = "call 1: the worst of the first recorded generation, an upper bound; then improvements at the call \
                     where they were recorded, which may be later than they were made; the best of the run: exact";

fn write(export: &Export, _rows: ExportRows, files: &mut dyn Files) -> Result<(), ExportError> {
    export.needs_convergence()?;
    let functions = functions(&export.study)?;
    let mut folders = Names::default();
    // A run may have ended before its first generation.
    let mut improvements = Vec::new();
    improvements.resize_with(export.study.runs.run.len(), Improvements::default);
    for folder in 0..export.study.folders.len() {
        export.read_improvements(folder, &mut improvements)?;
    }
    for (index, setting) in export.study.settings.iter().enumerate() {
        let folder = folders.like(&setting.label);
        for puzzle in &export.study.folders[setting.folder].plan.puzzles {
            let function = &functions[&*puzzle.id];
            let mut runs: Vec<usize> = setting.runs().collect();
            runs.retain(|run| **export.study.puzzle_of(*run) == *puzzle.id);
            if !runs.is_empty() {
                let data = Data { export, setting: index, puzzle, function, runs };
                data.write(&folder, &improvements, files)?;
            }
        }
    }
    Ok(())
}

/// A function: a puzzle with its number and a name for files.
struct Function {
    id: usize,
    name: String,
}

/// The puzzles of all folders as functions, by their ids.
///
/// # Errors
/// [`ExportError::TooManyPuzzles`].
fn functions(study: &Study) -> Result<BTreeMap<&str, Function>, ExportError> {
    let (puzzles, mut names) = (study.puzzles(), Names::default());
    if puzzles.len() > MOST {
        return Err(ExportError::TooManyPuzzles { format: "ioh", count: puzzles.len(), most: MOST });
    }
    let mut functions = BTreeMap::new();
    for (id, puzzle) in (1..).zip(puzzles) {
        functions.insert(&*puzzle.id, Function { id, name: names.like(&puzzle.id) });
    }
    Ok(functions)
}

/// The runs of a setting on a puzzle.
struct Data<'a> {
    export: &'a Export,
    setting: usize,
    puzzle: &'a Puzzle,
    function: &'a Function,
    runs: Vec<usize>,
}

impl Data<'_> {
    fn write(
        &self,
        folder: &str,
        improvements: &[Improvements],
        files: &mut dyn Files,
    ) -> Result<(), ExportError> {
        let Function { id, name } = self.function;
        let path = format!("data_f{id}_{name}/IOHprofiler_f{id}_DIM{}.dat", self.dimension());
        let text =
            serde_json::to_string_pretty(&self.meta(&path)).expect("maps with text keys can be written");
        files.file(&format!("{folder}/IOHprofiler_f{id}_{name}.json"), &mut |out| {
            Ok(writeln!(out, "{text}")?)
        })?;
        files.file(&format!("{folder}/{path}"), &mut |out| {
            for run in self.runs.iter().copied() {
                writeln!(out, "evaluations raw_y")?;
                for (calls, best) in improvements[run].curve(&self.export.study.runs, run) {
                    writeln!(out, "{calls} {}", self.raw_y(run, best))?;
                }
            }
            Ok(())
        })
    }

    /// A fitness as `raw_y`: of a problem of the user's own as a value.
    fn raw_y(&self, run: usize, fitness: u32) -> Value {
        let scale = self.export.study.scale(run);
        scale.map_or(json!(fitness), |scale| json!(scale.value(f64::from(fitness))))
    }

    /// Cells that hold digits.
    fn dimension(&self) -> usize {
        (0..self.puzzle.rows() * self.puzzle.cols()).filter(|cell| !self.puzzle.is_black(*cell)).count()
    }

    /// What the puzzles of the folder are called together.
    fn suite(&self) -> String {
        let folder = self.export.study.settings[self.setting].folder;
        let suite = self.export.study.folders[folder].plan.config.suite();
        suite.unwrap_or_else(|| "kenga".to_owned())
    }

    fn meta(&self, path: &str) -> Value {
        let setting = &self.export.study.settings[self.setting];
        json!({
            "version": VERSION,
            "suite": self.suite(),
            "function_id": self.function.id,
            "function_name": self.function.name,
            "maximization": self.export.study.scale(self.runs[0]).is_some_and(|scale| scale.maximise),
            "algorithm": {
                "name": setting.label,
                "info": format!("kenga {}", env!("CARGO_PKG_VERSION")),
            },
            "experiment_attributes": self.attributes(),
            "run_attributes": ["run", "replicate", "solved"],
            "attributes": ["evaluations", "raw_y"],
            "scenarios": [{
                "dimension": self.dimension(),
                "path": path,
                "runs": self.runs.iter().map(|run| self.run_meta(*run)).collect::<Vec<_>>(),
            }],
        })
    }

    /// The attributes of all runs, each a name with a text.
    ///
    /// Readers in Python evaluate the texts: words are written as literals, so that the id of a puzzle is never executed.
    fn attributes(&self) -> Vec<Value> {
        let setting = &self.export.study.settings[self.setting];
        let folder = &self.export.study.folders[setting.folder];
        let fixed = [
            ("puzzle", self.puzzle.id.as_str().into()),
            ("folder", folder.name.as_str().into()),
            ("setting", json!(setting.setting)),
            ("seed", json!(folder.plan.config.seed)),
            ("evaluations_are", json!(AXIS)),
            ("rows_are", json!(STEPS)),
        ];
        let mut attributes = Vec::new();
        for (name, cell) in &fixed {
            attributes.extend(attribute(name, cell));
        }
        // What tells the algorithms apart is an attribute too, so that readers can group by it.
        let KeyColumns { columns, cells } = &self.export.distinguishing;
        for (column, cell) in columns.iter().zip(&cells[self.setting]) {
            attributes.extend(attribute(&column.name, cell));
        }
        attributes
    }

    fn run_meta(&self, run: usize) -> Value {
        let runs = &self.export.study.runs;
        let grid = runs.grids.get(&run).map_or("", |grid| grid);
        let digits: Vec<u64> = grid.split(['/', ' ']).filter_map(|digit| digit.parse().ok()).collect();
        json!({
            // Runs of one replicate have the same start, whatever the algorithm.
            "instance": runs.replicate[run] + 1,
            "evals": runs.spent(run).max(1),
            "best": {
                "evals": runs.calls_to_best(run).unwrap_or(0).max(1),
                // The format has no unknown value.
                "y": self.raw_y(run, runs.best_fitness[run].unwrap_or(u32::MAX)),
                "x": digits,
            },
            "run": runs.run[run],
            "replicate": runs.replicate[run],
            "solved": runs.solved[run],
        })
    }
}

/// A name with a text; `None` where it is unknown.
fn attribute(name: &str, cell: &Value) -> Option<Value> {
    Some(json!({ name: literal(cell)? }))
}

/// A cell as Python and R would write it.
fn literal(cell: &Value) -> Option<String> {
    match cell {
        Value::Bool(flag) => Some(if *flag { "True" } else { "False" }.to_owned()),
        Value::Number(number) => Some(number.to_string()),
        other => cell_text(other).map(|text| Value::String(text).to_string()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_literals_that_run_nothing() {
        let shown = |cell: Value| literal(&cell).unwrap_or_default();
        assert_eq!(shown(json!("exit()")), "\"exit()\"");
        assert_eq!(shown(json!("\"+exit()+\"\\")), r#""\"+exit()+\"\\""#);
        assert_eq!(shown(json!("a\nb")), r#""a\nb""#);
        assert_eq!(shown(json!(0.0)), "0.0");
        assert_eq!(shown(json!(true)), "True");
    }
}
