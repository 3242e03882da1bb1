//! IOHprofiler, version 2 of its data format: a folder for each algorithm, with a JSON file and a data file for each
//! function.
//!
//! A setting is an algorithm, a puzzle is a function with as many dimensions as cells that hold digits, a replicate is an
//! instance, from 1, and `raw_y` is the best fitness so far over calls, of a problem of the user's own the best value.
//! C. Doerr, H. Wang, F. Ye, S. van Rijn, T. Bäck, "IOHprofiler: a benchmarking and profiling tool for iterative optimization heuristics", 2018, arXiv 1810.05281.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use super::columns::{ExportCell, SettingColumns};
use super::names::Names;
use super::{Export, ExportError, ExportFormat, ExportRows, Files};
use crate::study::improvements::Improvements;
use crate::study::{Study, StudyRun};
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
    let (mut folder, mut improvements) = (None, BTreeMap::new());
    for (index, setting) in export.study.settings.iter().enumerate() {
        // The settings of a folder stand together.
        if folder != Some(setting.folder) {
            (folder, improvements) = (Some(setting.folder), export.improvements(setting.folder)?);
        }
        let folder = folders.like(&setting.label);
        for puzzle in &export.study.folders[setting.folder].plan.puzzles {
            let function = &functions[&*puzzle.id];
            let runs: Vec<&StudyRun> =
                setting.runs.iter().filter(|run| run.row.puzzle == puzzle.id).collect();
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
    runs: Vec<&'a StudyRun>,
}

impl Data<'_> {
    fn write(
        &self,
        folder: &str,
        improvements: &BTreeMap<u64, Improvements>,
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
            for run in &self.runs {
                writeln!(out, "evaluations raw_y")?;
                // A run may have ended before its first generation.
                let unrecorded = Improvements::default();
                let improvements = improvements.get(&run.row.run).unwrap_or(&unrecorded);
                for (calls, best) in improvements.curve(&run.row) {
                    writeln!(out, "{calls} {}", self.raw_y(run, best))?;
                }
            }
            Ok(())
        })
    }

    /// A fitness as `raw_y`: of a problem of the user's own as a value.
    fn raw_y(&self, run: &StudyRun, fitness: u32) -> Value {
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
                "runs": self.runs.iter().map(|run| self.run_meta(run)).collect::<Vec<_>>(),
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
            ("puzzle", ExportCell::Text(self.puzzle.id.clone())),
            ("folder", ExportCell::Text(folder.name.clone())),
            ("setting", ExportCell::count(setting.setting)),
            ("seed", ExportCell::count(folder.plan.config.seed)),
            ("evaluations_are", ExportCell::Text(AXIS.to_owned())),
            ("rows_are", ExportCell::Text(STEPS.to_owned())),
        ];
        let mut attributes = Vec::new();
        for (name, cell) in &fixed {
            attributes.extend(attribute(name, cell));
        }
        // What tells the algorithms apart is an attribute too, so that readers can group by it.
        let SettingColumns { columns, cells } = &self.export.distinguishing;
        for (column, cell) in columns.iter().zip(&cells[self.setting]) {
            attributes.extend(attribute(&column.name, cell));
        }
        attributes
    }

    fn run_meta(&self, run: &StudyRun) -> Value {
        let row = &run.row;
        let digits: Vec<u64> = row.grid.split(['/', ' ']).filter_map(|digit| digit.parse().ok()).collect();
        json!({
            // Runs of one replicate have the same start, whatever the algorithm.
            "instance": row.replicate + 1,
            "evals": row.calls().max(1),
            "best": {
                "evals": row.calls_to_best().unwrap_or(0).max(1),
                // The format has no unknown value.
                "y": self.raw_y(run, row.best_fitness.unwrap_or(u32::MAX)),
                "x": digits,
            },
            "run": row.run,
            "replicate": row.replicate,
            "solved": row.solved,
        })
    }
}

/// A name with a text; `None` where it is unknown.
fn attribute(name: &str, cell: &ExportCell) -> Option<Value> {
    Some(json!({ name: literal(cell)? }))
}

/// A cell as Python and R would write it.
fn literal(cell: &ExportCell) -> Option<String> {
    match cell {
        ExportCell::Unknown => None,
        ExportCell::Flag(flag) => Some(if *flag { "True" } else { "False" }.to_owned()),
        ExportCell::Integer(_) | ExportCell::Real(_) => Some(cell.json().to_string()),
        ExportCell::Text(_) | ExportCell::List(_) => cell.text().map(|text| Value::String(text).to_string()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_literals_that_run_nothing() {
        let shown = |cell: ExportCell| literal(&cell).unwrap_or_default();
        assert_eq!(shown(ExportCell::Text("exit()".to_owned())), "\"exit()\"");
        assert_eq!(shown(ExportCell::Text("\"+exit()+\"\\".to_owned())), r#""\"+exit()+\"\\""#);
        assert_eq!(shown(ExportCell::Text("a\nb".to_owned())), r#""a\nb""#);
        assert_eq!(shown(ExportCell::Real(0.0)), "0.0");
        assert_eq!(shown(ExportCell::Flag(true)), "True");
    }
}
