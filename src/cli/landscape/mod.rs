//! `kenga landscape`: what the search space of a puzzle looks like to a local search.
//!
//! Measures are members of [`MEASURES`]; a new one needs nothing here. **Invariant**: a landscape draws from a stream of its
//! own, so that a value depends neither on what else is measured nor on the number of threads.

mod exhaustive;
mod folder;
mod subjects;

use std::path::PathBuf;
use std::sync::{Arc, OnceLock};

use clap::builder::TypedValueParser;
use miette::{Report, miette};

use self::exhaustive::ExhaustiveArgs;
use self::folder::CurveFolder;
use self::subjects::{LandscapeSubject, Subjects};
use super::experiment::{Jobs, ProgramsArgs};
use super::io::exit::{CommandResult, Exit, print_note};
use super::io::input::{self, one_of, whole};
use super::io::output::{TableForm, print};
use super::io::progress::Counter;
use super::io::signals;
use super::io::terminal;
use kenga_core::budget::{Guard, Interrupt};
use kenga_core::fitness::Halted;
use kenga_core::problem::Problem;
use kenga_core::puzzle::Puzzle;
use kenga_core::search::encodings::of_puzzles;
use kenga_core::solver;
use kenga_core::spec::Member;
use kenga_core::text::nearest;
use kenga_lab::experiment::{ExactLimits, Truth};
use kenga_lab::landscape::measures::{Effort, Finding, MEASURES, Measure, Survey};
use kenga_lab::landscape::{Curves, FitnessKind, Sheet, Targets};
use kenga_lab::study::{self, Feature, Prediction, Study};
use kenga_report::landscape::{features, overview, predictions, values, verdict};
use kenga_report::{Table, TableFormat, counted, wrap};

/// Measure the fitness landscapes of puzzles
///
/// A landscape is an encoding, its moves, and what is minimised. Its measures are taken from random samples, each with a 95 %
/// interval, and distances are to the nearest of all solutions, which the exact solver finds. Puzzles are
/// measured in every encoding, with three fitnesses: unsatisfied clues count 1 (binary), or their distance from the target (gap),
/// or the weights of the default fitness (weights). The puzzles of a configuration, a TOML file, are measured with the encoding
/// and guide of its algorithm. The command takes one with a `[problem]` too. Measures about solutions are then empty, because
/// the best genomes are not known. docs/landscape.md says what each measure is.
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Args {
    /// A configuration (.toml), or puzzles: one in any known format, or many; `-` is standard input
    #[arg(required = true, value_name = "CONFIG|FILE")]
    files: Vec<String>,
    #[command(flatten)]
    sampling: Sampling,
    #[command(flatten)]
    jobs: Jobs,
    #[command(flatten)]
    programs: ProgramsArgs,
    /// Also write all values, what figures show, and figures as SVG and PDF into this folder
    #[arg(short, long, value_name = "DIR", alias = "output")]
    out: Option<PathBuf>,
    /// Overwrite files in DIR, or that of --network
    #[arg(long)]
    force: bool,
    /// Print how each measure correlates with the running times in these folders of `kenga run`, over the puzzles that both
    /// have, instead of the values
    #[arg(long, value_name = "DIR", num_args = 1..)]
    runs: Vec<PathBuf>,
    #[command(flatten)]
    form: TableForm,
    #[command(flatten)]
    exhaustive: ExhaustiveArgs,
}

/// What is measured, and how thoroughly.
#[derive(clap::Args)]
#[group(multiple = true)]
struct Sampling {
    /// Only this encoding; repeatable
    #[arg(long = "encoding", value_name = "NAME", value_parser = encoding_names(), hide_possible_values = true)]
    encodings: Vec<&'static str>,
    /// Only this fitness: binary, gap, weights; of a configuration, in place of its own; repeatable
    #[arg(long = "fitness", value_name = "NAME", value_parser = fitness_kinds(), hide_possible_values = true)]
    fitness: Vec<FitnessKind>,
    /// Only this measure, or this quantity of one; repeatable
    #[arg(long = "measure", value_name = "NAME", value_parser = known_measure)]
    measures: Vec<String>,
    /// Random genomes
    #[arg(long, value_name = "N", default_value = "1000", value_parser = whole(1..=10_000_000_usize))]
    samples: usize,
    /// Random walks, adaptive walks and descents, as many of each
    #[arg(long, value_name = "N", default_value = "200", value_parser = whole(1..=1_000_000_usize))]
    walks: usize,
    /// Moves of a random walk; of all walks together at most 5e7
    #[arg(long, value_name = "N", default_value = "1000", value_parser = whole(1..=10_000_000_usize))]
    length: usize,
    /// The most genomes to explore of a plateau or basin
    #[arg(long, value_name = "N", default_value = "200", value_parser = whole(1..=1_000_000_usize))]
    limit: usize,
    /// The most solutions to measure distances to
    #[arg(long, value_name = "N", default_value = "1000", value_parser = whole(1..=1_000_000_u64))]
    solutions: u64,
    /// Decisions of the exact solver for each puzzle
    #[arg(long, value_name = "N", default_value = "1e6", value_parser = whole(0..=i64::MAX as u64))]
    nodes: u64,
    /// The seed that all randomness derives from
    #[arg(long, value_name = "N", default_value = "1", value_parser = whole(0..=i64::MAX as u64))]
    seed: u64,
}

const EXAMPLES: &str = "\
Examples:
  kenga landscape puzzle.txt
  kenga landscape puzzle.txt --encoding rows --fitness gap
  kenga landscape book.jsonl --csv > landscapes.csv
  kenga landscape lesson.toml --measure fdc --measure depth
  kenga landscape tsp.toml --measure optima      a problem of your own
  kenga landscape puzzle.txt --out landscape     tables and figures
  kenga landscape book.jsonl --runs results/tabu results/ga
  kenga landscape --exhaustive exhaustive.toml --against 1000

Exit code: 0 done; 1 runs and the exact numbers disagree; 2 bad input; 130 after
Ctrl-C, with the landscapes that were finished.";

/// Reads the name of an encoding.
pub(super) fn encoding_names() -> impl TypedValueParser<Value = &'static str> {
    one_of(of_puzzles(), |member: &'static Member| [member.name, member.about]).map(|member| member.name)
}

/// Reads what is minimised.
pub(super) fn fitness_kinds() -> impl TypedValueParser<Value = FitnessKind> {
    one_of(FitnessKind::ALL, |kind| [kind.name(), ""])
}

/// The name of a measure or a quantity.
fn known_measure(name: &str) -> Result<String, String> {
    let mut known: Vec<&str> = MEASURES.iter().map(|measure| measure.name).collect();
    for measure in MEASURES {
        known.extend(measure.quantities.iter().map(|quantity| quantity.name));
    }
    if !known.contains(&name) {
        return Err(format!("expected a measure: {}", nearest(name, known).join(", ")));
    }
    Ok(name.to_owned())
}

pub(super) fn run(args: &Args) -> CommandResult {
    if args.exhaustive.exhaustive {
        let (jobs, format) = (args.jobs.count(), args.form.format());
        return exhaustive::run(&args.exhaustive, &args.files, jobs, args.force, format);
    }
    check_walks(&args.sampling)?;
    let subjects = Subjects::read(args)?;
    // Said before the work is done.
    let study = if args.runs.is_empty() { None } else { Some(input::study(&args.runs, &[])?.0) };
    if subjects.all.is_empty() {
        return Err(miette!("nothing to measure: no landscape is left by --encoding"));
    }
    let mut folder = args.out.as_deref().map(|path| CurveFolder::begin(path, args.force)).transpose()?;
    let interrupt = signals::interrupt()?;
    let (sheets, skipped) = survey_all(args, &subjects, &interrupt, &mut folder)?;
    for note in skipped {
        print_note(&format!("note: {note}"));
    }
    let predicted = study.map(|study| predict(args, &study, &sheets)).transpose()?;
    // Files of some of the landscapes would look like those of all.
    if let Some(folder) = folder.filter(|_| !interrupt.is_raised()) {
        folder.finish(&sheets, predicted.as_ref())?;
    }
    let view = terminal::view();
    let text = match (args.form.format(), &predicted) {
        (TableFormat::Text, None) => overview(&sheets, &view),
        (format, None) => values(&sheets).render(format, &view),
        (TableFormat::Text, Some(found)) => {
            let table = found.table(SHOWN).render(TableFormat::Text, &view);
            table + &wrap(&format!("\n{}", verdict(&found.all, SHOWN)), view.width)
        }
        (format, Some(found)) => found.table(usize::MAX).render(format, &view),
    };
    Ok(print(&text)?.and(Exit::of(&interrupt)).and(subjects.exit))
}

/// The most moves of all random walks of a landscape: their values take 8 bytes each.
const MOST_WALKED: usize = 50_000_000;

fn check_walks(args: &Sampling) -> Result<(), Report> {
    let all = args.walks.saturating_mul(args.length);
    if all <= MOST_WALKED {
        return Ok(());
    }
    let help = format!("expected a product of at most {}", counted(MOST_WALKED as u64));
    Err(miette!(help = help, "--walks {} of --length {}: too many moves", args.walks, args.length))
}

/// Correlations that a terminal shows.
const SHOWN: usize = 20;

/// The correlations of measures with running times.
struct Predicted {
    features: Vec<Feature>,
    all: Vec<Prediction>,
}

impl Predicted {
    fn table(&self, most: usize) -> Table {
        predictions(&self.all, &self.features, most)
    }
}

/// Correlates what was measured with the runs of a study.
fn predict(args: &Args, study: &Study, sheets: &[Sheet]) -> Result<Predicted, Report> {
    let settings = study.joined_settings(&[]);
    if settings.is_empty() {
        return Err(input::no_runs(study, &args.runs));
    }
    let features = features(sheets);
    let all = study::predictions(study, &settings, &features)
        .map_err(|error| miette!(help = input::unfinished(study, &args.runs), "{error}"))?;
    Ok(Predicted { features, all })
}

/// A puzzle with what all its landscapes share, made on first use.
struct Subjected {
    puzzle: Puzzle,
    shared: OnceLock<(Problem, Targets)>,
}

/// Surveys every landscape of every puzzle; returns what was found, and why some have no such landscape.
fn survey_all(
    args: &Args,
    subjects: &Subjects,
    interrupt: &Interrupt,
    folder: &mut Option<CurveFolder>,
) -> Result<(Vec<Sheet>, Vec<String>), Report> {
    let count = subjects.puzzles.len() * subjects.all.len();
    let counter = Counter::start("landscapes", Some(count as u64));
    let puzzles = subjects
        .puzzles
        .iter()
        .map(|puzzle| Arc::new(Subjected { puzzle: puzzle.clone(), shared: OnceLock::new() }));
    let work =
        puzzles.flat_map(|puzzle| subjects.all.iter().map(move |subject| (Arc::clone(&puzzle), subject)));
    let (mut sheets, mut skipped) = (Vec::new(), Vec::new());
    args.jobs.in_order(
        work,
        interrupt,
        |(puzzle, subject)| survey(args, &puzzle, subject, interrupt),
        |made: Result<Option<Sheet>, NoSheet>| -> Result<(), Report> {
            counter.advance();
            match made {
                Ok(Some(mut sheet)) => {
                    if let Some(folder) = folder {
                        folder.take(&mut sheet)?;
                    }
                    sheets.push(sheet);
                }
                // What an interrupt has cut short says nothing.
                Ok(None) => {}
                Err(NoSheet::Skipped(note)) => skipped.push(note),
                Err(NoSheet::Failed(report)) => return Err(report),
            }
            Ok(())
        },
    )?;
    Ok((sheets, skipped))
}

/// Why a landscape was not surveyed.
enum NoSheet {
    /// The puzzle has no such landscape: a sentence.
    Skipped(String),
    /// The program of a problem failed.
    Failed(Report),
}

/// Surveys one landscape; none when interrupted.
fn survey(
    args: &Args,
    of: &Subjected,
    subject: &LandscapeSubject,
    interrupt: &Interrupt,
) -> Result<Option<Sheet>, NoSheet> {
    let (problem, targets) = of.shared.get_or_init(|| known(&args.sampling, &of.puzzle, interrupt));
    let spec = &subject.spec;
    let fitness = subject.own.as_ref().and_then(|config| {
        let programs = args.programs.beside(args.files.first().map(String::as_str));
        config.measured_fitness(&of.puzzle, Guard::start(interrupt, None), programs).map(Arc::new)
    });
    let landscape = match &fitness {
        Some(fitness) => spec.measured_landscape(Arc::clone(fitness)),
        None if subject.propagate => spec.landscape(problem.restrict(&solver::propagate(problem))),
        None => spec.landscape(problem.clone()),
    };
    let landscape = landscape.map_err(|error| {
        let (puzzle, encoding) = (&of.puzzle.id, &spec.encoding);
        NoSheet::Skipped(format!("puzzle `{puzzle}` has no landscape of `{encoding}`: {error}"))
    })?;
    let key = spec.stream(args.sampling.seed, &of.puzzle.canonical_text());
    let scale = fitness.as_ref().and_then(|fitness| fitness.scale().copied());
    let mut survey = Survey::new(landscape.explorer(), targets, args.sampling.effort(), key)
        .from_bound(scale.is_some_and(|scale| !scale.is_optimum))
        .interrupted_by(interrupt);
    let findings = findings(&args.sampling, &mut survey, interrupt);
    if let Some(Halted::Failed(failure)) = fitness.as_ref().and_then(|fitness| fitness.halted()) {
        let (help, reason) = (failure.stderr.clone(), &failure.reason);
        return Err(NoSheet::Failed(miette!(
            help = help,
            "the program of `{}` failed: {reason}",
            of.puzzle.id
        )));
    }
    let Some(findings) = findings else { return Ok(None) };
    let curves = args.out.is_some().then(|| Curves::of(&mut survey));
    if interrupt.is_raised() {
        return Ok(None);
    }
    Ok(Some(Sheet {
        puzzle: of.puzzle.id.clone(),
        encoding: spec.encoding.clone(),
        neighbourhood: landscape.neighbourhood(),
        fitness: spec.fitness.clone(),
        solutions: targets.solutions.len(),
        is_complete: targets.is_complete,
        scale,
        findings,
        curves,
    }))
}

/// The compiled puzzle and its solutions.
fn known(args: &Sampling, puzzle: &Puzzle, interrupt: &Interrupt) -> (Problem, Targets) {
    let problem = Problem::compile(puzzle);
    if puzzle.genome().is_some() {
        return (problem, Targets::default());
    }
    let limits = ExactLimits { nodes: args.nodes, solutions: args.solutions };
    let Truth { solutions, all_known, .. } = Truth::find(&problem, &limits, interrupt);
    (problem, Targets { solutions, is_complete: all_known })
}

/// The quantities that are asked for; `None` when interrupted.
fn findings(args: &Sampling, survey: &mut Survey<'_>, interrupt: &Interrupt) -> Option<Vec<Finding>> {
    let mut findings = Vec::new();
    for measure in MEASURES {
        if !args.wants(measure) {
            continue;
        }
        if interrupt.is_raised() {
            return None;
        }
        let taken = measure.take(survey).into_iter();
        findings.extend(taken.filter(|finding| args.wants_quantity(measure, finding.quantity.name)));
    }
    (!interrupt.is_raised()).then_some(findings)
}

impl Sampling {
    fn effort(&self) -> Effort {
        let Self { samples, walks, length, limit, .. } = *self;
        Effort { samples, walks, length, limit, ..Effort::default() }
    }

    fn wants(&self, measure: &Measure) -> bool {
        measure.quantities.iter().any(|quantity| self.wants_quantity(measure, quantity.name))
    }

    fn wants_quantity(&self, measure: &Measure, quantity: &str) -> bool {
        self.measures.is_empty() || self.measures.iter().any(|name| name == measure.name || name == quantity)
    }
}
