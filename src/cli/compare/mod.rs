//! `kenga compare`: what the difference between settings is, and whether it is real.

mod question;

use std::collections::BTreeSet;
use std::path::PathBuf;

use super::io::exit::CommandResult;
use super::io::input::whole;
use super::io::output::{TableForm, print};
use super::io::progress::Counter;
use super::io::signals::end_at_signal;
use super::io::{input, terminal};
use clap::builder::TypedValueParser;
use kenga_core::text::{joined, nearest};
use kenga_lab::experiment::on_all_cores;
use kenga_lab::study::{
    Anytime, AreaAxes, Comparison, JoinedSettings, Metric, NoAnytime, Region, RunSubject, Smallest, Study,
    practical,
};
use kenga_report::answers::{ComparisonOrder, compared, groups_of, keep_puzzles, study_of};
use kenga_report::anytime::{self, AnytimeQuestion};
use kenga_report::compare::{as_json, comparisons, in_words, next_puzzle, settings};
use kenga_report::{Table, TableFormat, View};
use miette::{Report, miette};
pub(super) use question::AskedQuestion;
use question::planned;

/// Compare the settings of a sweep, or of several results folders
///
/// Prints a table of settings with intervals, a verdict in words, and the tests that it rests on. The settings are ordered and
/// compared by the calls that a solution costs with restarts, or by their values where no optimum is known. Two settings are
/// compared on the puzzles, seeds and replicates that both have. Each puzzle counts alike.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  kenga compare results/sweep
  kenga compare results/sweep --by algorithm.mutation.rate
  kenga compare results/ga results/tabu --by algorithm
  kenga compare results/sweep --by algorithm.population --baseline 80
  kenga compare results/sweep --puzzle 4x4
  kenga compare results/sweep --group size      sizes are the sample
  kenga compare results/sweep --smallest 1.5    what ratio matters?
  kenga compare results/sweep --rope 5%     is the difference worth it?
  kenga compare results/sweep --anytime linear --targets 10,1,0
  kenga compare results/sweep --budgets 1e3,1e4,1e5 --latex > table.tex
  kenga compare results/sweep --latex --columns solved,calls,p
  kenga compare results/sweep --csv     tables, a blank line between
  kenga compare results/sweep --json | jq -r .verdict[]")]
pub(super) struct Args {
    /// Folders that `kenga run` or `kenga sweep` has written
    #[arg(required = true)]
    dirs: Vec<PathBuf>,
    /// Group settings by the value of this key; repeatable
    #[arg(long, value_name = "KEY")]
    by: Vec<String>,
    /// What to compare: calls, evaluations, moves, cpu_s, best_fitness, distance [default: calls; best_fitness where the best
    /// value of a problem of your own is unknown]
    #[arg(long, value_name = "METRIC", value_parser = metrics(), hide_possible_values = true)]
    metric: Option<Metric>,
    /// Use only this puzzle; repeatable
    #[arg(long = "puzzle", value_name = "ID")]
    puzzles: Vec<String>,
    /// Significance level, over all pairs together
    #[arg(long, value_name = "P", default_value_t = ALPHA, value_parser = input::parse_share)]
    alpha: f64,
    /// Compare every setting with this one only
    #[arg(long, value_name = "NAME")]
    baseline: Option<String>,
    /// The smallest ratio of two costs that matters: how many runs would show it, and whether settings are equivalent but for it
    #[arg(long, value_name = "RATIO", default_value_t = Smallest::default().ratio, value_parser = parse_ratio)]
    smallest: f64,
    /// Take families of puzzles for the sample of their kind: those with the same `kind`, `size` or value of this key of their
    /// `meta`, or of this column of the file --features
    #[arg(long, value_name = "COLUMN")]
    group: Option<String>,
    /// Features of the puzzles, as `kenga features -o FILE` writes them; `-` is standard input
    #[arg(long, value_name = "FILE", requires = "group")]
    features: Option<String>,
    /// Take keys, metric, baseline, level and smallest difference from this plan of `kenga sweep plan`
    #[arg(long, value_name = "PLAN", conflicts_with_all = ["by", "metric", "baseline", "alpha", "smallest"])]
    plan: Option<PathBuf>,
    /// Add the probabilities that a setting is better, practically the same or worse (Bayesian signed-rank test). REGION is
    /// what counts as the same: a percentage for times, a difference for values, fitness and distance
    #[arg(long, value_name = "REGION", value_parser = parse_region)]
    rope: Option<Region>,
    /// Add the area over the convergence curve; AXES are linear, log-calls, log-fitness or log (both logarithmic)
    #[arg(long, value_name = "AXES", value_parser = input::one_of(AXES, |axes| [axes.0, ""]), hide_possible_values = true)]
    anytime: Option<&'static NamedAxes>,
    /// The fitness, or value of a problem of your own, from which on the area counts nothing [default: the worst at the first
    /// record, puzzle by puzzle]
    #[arg(long, value_name = "VALUE", requires = "anytime", value_parser = parse_finite, allow_negative_numbers = true)]
    worst: Option<f64>,
    /// Add the calls to attain these fitnesses, as in 10,1,0, or values of a problem of your own
    #[arg(long, value_name = "LIST", value_delimiter = ',', value_parser = parse_finite, allow_hyphen_values = true)]
    targets: Vec<f64>,
    /// Add the best fitness or value within these numbers of calls, as in 1e3,1e4
    #[arg(long, value_name = "LIST", value_delimiter = ',', value_parser = whole(1..=u64::MAX))]
    budgets: Vec<u64>,
    /// Print only the tables that have some of these columns, and of them only these, as in solved,calls,p: a column of --csv,
    /// or the first word of a heading
    #[arg(long, value_name = "LIST", value_delimiter = ',', conflicts_with = "json")]
    columns: Vec<String>,
    #[command(flatten)]
    form: TableForm,
}

/// The axes of the area with their name.
type NamedAxes = (&'static str, AreaAxes);

/// Every choice of axes.
static AXES: &[NamedAxes] = &[
    ("linear", AreaAxes { log_calls: false, log_fitness: false }),
    ("log-calls", AreaAxes { log_calls: true, log_fitness: false }),
    ("log-fitness", AreaAxes { log_calls: false, log_fitness: true }),
    ("log", AreaAxes { log_calls: true, log_fitness: true }),
];

/// Reads a region of practical equivalence.
fn parse_region(text: &str) -> Result<Region, String> {
    // A percentage is of times, a difference of anything else: `suits` refuses the wrong one.
    let (number, is_percentage) = match text.strip_suffix('%') {
        Some(number) => (number, true),
        None => (text, false),
    };
    match number.trim().parse() {
        Ok(percent) if is_percentage && percent > 0.0 && percent < 1e9 => Ok(Region::Share(percent / 100.0)),
        Ok(difference) if !is_percentage && (0.0..1e9).contains(&difference) => {
            Ok(Region::Difference(difference))
        }
        _ => Err("expected a percentage such as 5%, or a difference such as 1".to_owned()),
    }
}

/// Reads a fitness or a value.
fn parse_finite(text: &str) -> Result<f64, String> {
    match text.parse() {
        Ok(number) if f64::is_finite(number) => Ok(number),
        _ => Err("expected a number".to_owned()),
    }
}

/// What a file of features is.
const FEATURES: &str = "name a file that `kenga features -o FILE` has written";

/// Reads a ratio above 1.
pub(super) fn parse_ratio(text: &str) -> Result<f64, String> {
    match text.parse() {
        Ok(ratio) if (1.001..=1e6).contains(&ratio) => Ok(ratio),
        _ => Err("expected a ratio above 1, such as 1.25".to_owned()),
    }
}

pub(super) fn metrics() -> impl TypedValueParser<Value = Metric> {
    input::one_of(Metric::ALL, |metric| [metric.name(), ""])
}

pub(super) fn run(args: &Args) -> CommandResult {
    end_at_signal()?;
    let progress = Counter::start("comparing", None);
    let asked = question(args)?;
    let study = input::study(&args.dirs, &asked.by)?;
    let (found, further) = compared_as_asked(args, &asked, study)?;
    drop(progress);
    print(&in_form(args, &found, &further, &terminal::view())?)
}

/// A comparison for a program that prints nothing: the Python package.
#[doc(hidden)]
pub struct ComparisonTexts {
    /// What `--json` prints.
    pub json: String,
    /// What the command prints without `--json`.
    pub words: String,
    /// Which rows are not used, a sentence each.
    pub notes: Vec<String>,
}

/// The comparison that arguments ask for, with words that are this wide.
///
/// # Errors
/// Why there is none.
pub(super) fn texts(args: &Args, view: &View) -> Result<ComparisonTexts, Report> {
    let asked = question(args)?;
    let (study, by) = study_of(&args.dirs, &asked.by)?;
    let notes = study.partial().collect();
    let (found, further) = compared_as_asked(args, &asked, (study, by))?;
    Ok(ComparisonTexts { json: json(&found, &further), words: in_form(args, &found, &further, view)?, notes })
}

/// The tables that are asked for beside the comparison, with their names for programs.
type FurtherTables = Vec<(&'static str, Table)>;

/// The question that arguments ask, or the plan that they name.
fn question(args: &Args) -> Result<AskedQuestion, Report> {
    match &args.plan {
        Some(plan) => planned(plan),
        None => Ok(AskedQuestion {
            metric: args.metric.map(|metric| metric.name().to_owned()),
            baseline: args.baseline.clone(),
            by: args.by.clone(),
            alpha: args.alpha,
            smallest: args.smallest,
        }),
    }
}

/// Compares the settings of a study, which has the keys that group them beside it.
fn compared_as_asked(
    args: &Args,
    asked: &AskedQuestion,
    (mut study, by): (Study, Vec<String>),
) -> Result<(Comparison, FurtherTables), Report> {
    keep_puzzles(&mut study, &args.puzzles)?;
    let joined = study.joined_settings(&by);
    let features = args.features.as_deref().map(|file| input::read_text(file, FEATURES)).transpose()?;
    let groups = match &args.group {
        Some(column) => Some(groups_of(&study, column, features.as_ref().map(|(_, text)| &**text))?),
        None => None,
    };
    let metric =
        asked.metric.as_deref().and_then(|name| Metric::ALL.into_iter().find(|one| one.name() == name));
    let order = ComparisonOrder {
        metric: metric.unwrap_or_else(|| Metric::usual(&study)),
        alpha: asked.alpha,
        baseline: asked.baseline.as_deref(),
        groups,
        smallest: Smallest { ratio: asked.smallest },
    };
    let found = on_all_cores(|| compared(&study, &joined, &order, &input::unfinished(&study, &args.dirs)))?;
    let further = on_all_cores(|| further(args, &study, &joined, &found))?;
    Ok((found, further))
}

/// The comparison in the form and with the columns that arguments ask for.
fn in_form(
    args: &Args,
    found: &Comparison,
    further: &[(&str, Table)],
    view: &View,
) -> Result<String, Report> {
    let format = args.form.format();
    if args.columns.is_empty() {
        return Ok(text(found, further, format, view));
    }
    let tables = chosen(tables(found, further), &args.columns)?;
    Ok(joined(tables.iter().map(|table| table.render(format, view)), "\n"))
}

/// The tables of a comparison, for other programs and papers.
fn tables(found: &Comparison, further: &[(&str, Table)]) -> Vec<Table> {
    let mut tables = vec![settings(found).titled("The settings, from best to worst:").labelled("settings")];
    tables.push(comparisons(found).labelled("comparison"));
    tables.extend(next_puzzle(found).map(|table| table.labelled("next")));
    tables.extend(further.iter().map(|(name, table)| table.clone().labelled(name)));
    tables
}

/// The tables that have some of the columns, with these alone.
fn chosen(mut tables: Vec<Table>, columns: &[String]) -> Result<Vec<Table>, Report> {
    for name in columns {
        if tables.iter().all(|table| table.column(name).is_none()) {
            let known: BTreeSet<&str> = tables.iter().flat_map(Table::column_names).collect();
            let near = nearest(name, known.iter().copied());
            let help = format!("did you mean `{}`? There are {}", near[0], joined(known, ", "));
            return Err(miette!(help = help, "no table has the column `{name}`"));
        }
    }
    tables.retain_mut(|table| table.keep_columns(columns));
    Ok(tables)
}

/// The comparison with further tables in a form.
fn text(found: &Comparison, further: &[(&str, Table)], format: TableFormat, view: &View) -> String {
    match format {
        TableFormat::Json => json(found, further),
        TableFormat::Text => {
            let further = further.iter().map(|(_, table)| format!("\n{}", table.render(format, view)));
            in_words(found, view) + &further.collect::<String>()
        }
        // Tables for other programs stand one after the other, without sentences between them.
        _ => joined(tables(found, further).iter().map(|table| table.render(format, view)), "\n"),
    }
}

/// What this command prints for a paper, in every form.
pub(super) struct PaperTables {
    /// The options that it was given.
    pub(super) words: &'static [&'static str],
    /// The texts, in the order of [`FORMS`](kenga_report::bundle::FORMS).
    pub(super) texts: Vec<String>,
}

/// What this command prints of all settings, with areas over the curves where they are recorded; `None` with one setting.
///
/// # Errors
/// Why the settings cannot be compared.
pub(super) fn for_paper(study: &Study) -> Result<Option<PaperTables>, Report> {
    let joined = study.joined_settings(&[]);
    if joined.len() < 2 || joined.iter().any(|setting| setting.runs().len() == 0) {
        return Ok(None);
    }
    let order = ComparisonOrder::plain(Metric::usual(study), ALPHA);
    // Runs that spent nothing have no times to compare.
    let Ok(found) = compared(study, &joined, &order, "") else { return Ok(None) };
    let question = AnytimeQuestion { areas: Some(AreaAxes::default()), ..AnytimeQuestion::default() };
    let (words, further): (&[&str], _) = match Anytime::read(study, &joined) {
        Ok(known) => (&["--anytime", "linear"], anytime::tables(&known, &question, &found.order)),
        Err(NoAnytime::NotRecorded(_)) => (&[], Vec::new()),
        Err(error) => return Err(unknown(error)),
    };
    let view = View { width: 80, colour: false };
    let forms =
        [TableFormat::Text, TableFormat::Latex, TableFormat::Markdown, TableFormat::Csv, TableFormat::Json];
    let texts = forms.map(|form| text(&found, &further, form, &view)).to_vec();
    Ok(Some(PaperTables { words, texts }))
}

/// The significance level, unless another is asked for.
const ALPHA: f64 = 0.05;

/// The tables that are asked for beside the comparison, with their names for programs.
fn further(
    args: &Args,
    study: &Study,
    joined: &[JoinedSettings],
    found: &Comparison,
) -> Result<FurtherTables, Report> {
    let mut tables = Vec::new();
    if let Some(region) = args.rope {
        suits(region, study, found.metric)?;
        let samples = joined
            .iter()
            .map(|setting| setting.sample(study, found.metric, None))
            .collect::<Result<Vec<_>, _>>();
        // The runs were compared before, so that all have a value of the metric.
        let samples = samples.map_err(|error| miette!("{error}"))?;
        let answers = practical(&samples, found, region.in_units(study, found.metric));
        tables.push(("practical", anytime::practical(found, region, &answers)));
    }
    let question = AnytimeQuestion {
        areas: args.anytime.map(|axes| axes.1),
        worst: args.worst,
        targets: args.targets.clone(),
        budgets: args.budgets.clone(),
    };
    if !question.is_empty() {
        let known = Anytime::read(study, joined).map_err(unknown)?;
        question.check(&known).map_err(|reason| miette!("{reason}"))?;
        tables.extend(anytime::tables(&known, &question, &found.order));
    }
    Ok(tables)
}

/// Refuses a percentage of what may be 0 or is a value, and a difference of times.
fn suits(region: Region, study: &Study, metric: Metric) -> Result<(), Report> {
    let name = metric.name();
    let are_values = metric == Metric::BestFitness && RunSubject::of(study).is_own_problem;
    match (region, metric.is_time()) {
        (Region::Share(_), false) if are_values => Err(miette!(
            help = "`--rope 0.01` is a difference of 0.01 in the values of your problem",
            "values are compared by their difference, not by a percentage"
        )),
        (Region::Share(_), false) => Err(miette!(
            help = "--rope 1 is a difference of 1",
            "{name} may be 0, so a percentage of it is not defined"
        )),
        (Region::Difference(_), true) => Err(miette!(
            help = "--rope 5% is a factor of 1.05",
            "times such as {name} are compared by their ratio"
        )),
        _ => Ok(()),
    }
}

fn unknown(error: NoAnytime) -> Report {
    match error {
        NoAnytime::NotRecorded(_) => miette!(
            help = "make it again with --set record.every=1, or leave out --anytime, --targets and --budgets",
            "{error}"
        ),
        NoAnytime::Results(error) => error.into(),
    }
}

fn json(found: &Comparison, further: &[(&str, Table)]) -> String {
    let mut object = as_json(found);
    for (name, table) in further {
        object[*name] = table.json();
    }
    format!("{object}\n")
}
