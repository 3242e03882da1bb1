//! `kenga study hardness`: which features of puzzles predict the running time of settings.

use std::path::{Path, PathBuf};

use miette::{Report, miette};
use serde_json::{Map, Value};

use crate::cli::experiment::Jobs;
use crate::cli::io::exit::{CommandResult, Exit, print_note};
use crate::cli::io::input::{self, whole};
use crate::cli::io::output::{TableForm, make_folder, print, write_figures, write_table};
use crate::cli::io::progress::Counter;
use crate::cli::io::signals;
use crate::cli::io::terminal;
use kenga_lab::experiment::on_cores;
use kenga_lab::study::Study;
use kenga_lab::study::hardness::{FeatureTable, Hardness, HardnessError, HardnessOptions, hardness};
use kenga_report::hardness::{budgets_differ, details, figures, headline, overview, remarks, tables};
use kenga_report::{Table, TableFormat, View, wrap};

/// Say which features of puzzles predict running time
///
/// For each setting, a random forest predicts the logarithm of PAR-10 (mean calls, a failed run counting ten budgets) from
/// the features of a puzzle, and is tested on puzzles that it has not seen. kenga prints how good the predictions are against
/// the mean, which features matter, what choosing a setting for each puzzle gains, and where in a map of the puzzles each
/// setting is good. At least 20 puzzles are needed. docs/features.md says how each number is computed.
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub(in crate::cli) struct Args {
    /// Folders that `kenga run` or `kenga sweep` has written
    #[arg(required = true, value_name = "DIR")]
    dirs: Vec<PathBuf>,
    /// Features of their puzzles: a CSV file, as `kenga features -o FILE` writes; `-` is standard input
    #[arg(long, value_name = "FILE")]
    features: String,
    /// Keep puzzles together that agree in this column of the features, such as a family that a generator made
    #[arg(long, value_name = "COLUMN")]
    group: Option<String>,
    /// Folds of the cross-validation
    #[arg(long, value_name = "N", default_value = "10", value_parser = whole(2..=1000_usize))]
    folds: usize,
    /// A setting is good on a puzzle within this factor of the best time
    #[arg(long, value_name = "FACTOR", default_value = "2", value_parser = factor)]
    factor: f64,
    /// The seed that all randomness derives from
    #[arg(long, value_name = "N", default_value = "1", value_parser = whole(0..=i64::MAX as u64))]
    seed: u64,
    #[command(flatten)]
    jobs: Jobs,
    /// Also write all tables as CSV, and figures as SVG and PDF, into this folder
    #[arg(short, long, value_name = "DIR", alias = "output")]
    out: Option<PathBuf>,
    /// Overwrite files in DIR
    #[arg(long)]
    force: bool,
    #[command(flatten)]
    form: TableForm,
}

const EXAMPLES: &str = "\
Examples:
  kenga features book.jsonl -o features.csv
  kenga study hardness --features features.csv results/ga results/tabu
  kenga study hardness --features features.csv results/sweep --out hardness
  kenga study hardness --features features.csv results/sweep --group family
  kenga study hardness --features features.csv results/sweep --json
  kenga study hardness --features features.csv results/sweep --csv

Exit code: 0 done; 2 bad input, too few puzzles among it; 130 after Ctrl-C.";

fn factor(text: &str) -> Result<f64, String> {
    match text.parse() {
        Ok(number) if (1.0..=1e9).contains(&number) => Ok(number),
        _ => Err("expected a number from 1 up, such as 2 or 1.5".to_owned()),
    }
}

/// What the features are.
const FEATURES: &str = "name a file that `kenga features -o FILE` has written, or one like it";

pub(in crate::cli) fn run(args: &Args) -> CommandResult {
    let interrupt = signals::interrupt()?;
    let table = read(args)?;
    let counter = Counter::start("studying", None);
    let (study, _) = input::study(&args.dirs, &[])?;
    if study.counted_runs().next().is_none() {
        return Err(input::no_runs(&study, &args.dirs));
    }
    let options = HardnessOptions { seed: args.seed, folds: args.folds, factor: args.factor };
    let settings = study.joined_settings(&[]);
    let found = on_cores(args.jobs.count(), || hardness(&study, &settings, &table, options, &interrupt));
    drop(counter);
    let Some(found) = found.map_err(|error| refusal(&error, args, &study))? else {
        return Ok(Exit::Signal(interrupt.signal()));
    };
    if let Some(out) = &args.out {
        write_folder(out, &found, args.force)?;
    }
    // Sentences for people have it among them.
    if let Some(note) = budgets_differ(&found).filter(|_| args.form.format() != TableFormat::Text) {
        print_note(&format!("note: {note}"));
    }
    print(&text(&found, args.form.format(), &terminal::view()))
}

fn read(args: &Args) -> Result<FeatureTable, Report> {
    let (name, text) = input::read_text(&args.features, FEATURES)?;
    let table = FeatureTable::read(&text, args.group.as_deref());
    table.map_err(|error| miette!(help = FEATURES, "{name}: {error}"))
}

/// Why nothing can be said, and what to do.
fn refusal(error: &HardnessError, args: &Args, study: &Study) -> Report {
    let help = match error {
        HardnessError::TooFew { with_runs, with_features, .. } => format!(
            "{with_runs} of {} puzzles have runs of every setting, {with_features} have features; ids must agree, and one puzzle under \
             several ids counts once",
            study.puzzles().len()
        ),
        HardnessError::TooFewGroups { .. } => {
            "--group names a column with more values, and without it puzzles are drawn one by one".to_owned()
        }
        HardnessError::TooManyFeatures(_) => "leave columns out of the file of features".to_owned(),
        HardnessError::NoFeature => FEATURES.to_owned(),
        HardnessError::NoBudget(_) => "run it with budget.evaluations or budget.moves".to_owned(),
        HardnessError::Compare(_) => input::unfinished(study, &args.dirs),
    };
    miette!(help = help, "{error}")
}

/// The tables in a form; what is for people has sentences too.
fn text(found: &Hardness, format: TableFormat, view: &View) -> String {
    match format {
        TableFormat::Json => json(found),
        TableFormat::Text => {
            let mut text = format!("{}\n\n", wrap(&headline(found), view.width));
            text += &joined(overview(found), format, view);
            text += "\n";
            for remark in remarks(found) {
                text += &format!("{}\n", wrap(&remark, view.width));
            }
            text
        }
        _ => joined(tables(found).into_iter().map(|(_, table)| table), format, view),
    }
}

/// Tables with a blank line between them.
fn joined(tables: impl IntoIterator<Item = Table>, format: TableFormat, view: &View) -> String {
    let texts: Vec<String> = tables.into_iter().map(|table| table.render(format, view)).collect();
    texts.join("\n")
}

/// Every table as one object.
fn json(found: &Hardness) -> String {
    let mut object = Map::new();
    for (name, table) in tables(found).into_iter().chain(details(found)) {
        object.insert(name.to_owned(), table.json());
    }
    object.insert("headline".to_owned(), headline(found).into());
    object.insert("remarks".to_owned(), remarks(found).into());
    format!("{}\n", Value::Object(object))
}

/// Writes every table and figure.
fn write_folder(path: &Path, found: &Hardness, force: bool) -> Result<(), Report> {
    make_folder(path)?;
    for (name, table) in tables(found).into_iter().chain(details(found)) {
        write_table(&path.join(format!("{name}.csv")), &table, force)?;
    }
    write_figures(path, &figures(found), force)
}
