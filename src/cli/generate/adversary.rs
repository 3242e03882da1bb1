//! `kenga generate --hard-for`: the algorithms that puzzles are evolved against, and the figures that go with a puzzle.

use std::ops::Range;
use std::path::Path;

use miette::{Report, miette};
use serde_json::json;

use crate::cli::experiment::unrunnable;
use crate::cli::io::input::{self, whole};
use kenga_core::budget::Interrupt;
use kenga_core::problem::Problem;
use kenga_core::puzzle::Puzzle;
use kenga_craft::ladder::{Score, grade};
use kenga_craft::{Advantage, Adversary, Evolution, Measurement, Series, Shortfall};
use kenga_lab::experiment::{ConfigDraft, Contender, Costs, RunError};
use kenga_stats::Interval;

/// What puzzles are evolved against.
#[derive(clap::Args)]
pub(super) struct AdversaryArgs {
    /// Evolve puzzles that an algorithm finds hard: a configuration, as `kenga run` takes it, or `exact` for the exact solver
    #[arg(long, value_name = "CONFIG", help_heading = "Evolution")]
    hard_for: Option<String>,
    /// Make only puzzles that this algorithm solves nearly always, and at less cost; named as for `--hard-for`
    #[arg(long, value_name = "CONFIG", requires = "hard_for", help_heading = "Evolution")]
    easy_for: Option<String>,
    /// Puzzles to measure for each puzzle made
    #[arg(long, value_name = "N", default_value_t = 200, requires = "hard_for", value_parser = whole(1..=1_000_000_u32), help_heading = "Evolution")]
    effort: u32,
    /// Fresh runs of each algorithm on each puzzle made, for the figures in its meta
    #[arg(long, value_name = "N", default_value_t = 50, requires = "hard_for", value_parser = whole(1..=1_000_000_u64), help_heading = "Evolution")]
    runs: u64,
}

impl AdversaryArgs {
    /// The duel that is asked for, if one is.
    ///
    /// # Errors
    /// A configuration that cannot be read or measured, or that stands on both sides.
    pub(super) fn duel(&self, interrupt: &Interrupt) -> Result<Option<Duel>, Report> {
        let Some(hard_for) = &self.hard_for else { return Ok(None) };
        let hard = contender(hard_for)?;
        let easy = self.easy_for.as_deref().map(contender).transpose()?;
        if easy.as_ref().is_some_and(|easy| easy.is(&hard)) {
            let help = "name two that differ in more than their puzzles, records and seeds";
            return Err(miette!(help = help, "--hard-for and --easy-for name the same algorithm"));
        }
        if easy.as_ref().is_some_and(|easy| easy.name == hard.name) {
            let help = "puzzles are named by both: rename one of the files";
            return Err(miette!(help = help, "--hard-for and --easy-for are both called `{}`", hard.name));
        }
        Ok(Some(Duel { hard, easy, effort: self.effort, runs: self.runs, interrupt: interrupt.clone() }))
    }
}

/// The algorithm that an argument names.
fn contender(file: &str) -> Result<Contender, Report> {
    if file == EXACT {
        return Ok(Contender::exact());
    }
    let help = "name a configuration, a TOML file as `kenga init` writes it, or `exact` for the exact solver";
    let (name, text) = input::read_text(file, help)?;
    let mut settings = ConfigDraft::read(&name, &text)?.settings()?;
    if settings.all.len() > 1 {
        let help = "keep one of them, or tune first: `kenga tune` writes the best to best.toml";
        return Err(miette!(help = help, "{name} has {} settings, not one", settings.all.len()));
    }
    let config = settings.all.remove(0).config;
    // It becomes part of the ids of puzzles.
    let stem = part_of_id(&name);
    if stem == EXACT {
        let help = "puzzles are named by their algorithms: rename the file";
        return Err(miette!(help = help, "{name} has the name of the exact solver, `{EXACT}`"));
    }
    Contender::new(stem, config).map_err(|unfit| {
        let help = "bound evaluations and moves in [budget], and leave seconds and programs out";
        miette!(help = help, "puzzles cannot be evolved against {name}: {unfit}")
    })
}

/// What the exact solver is called.
const EXACT: &str = "exact";

/// A file's name without its folder and ending, as a part of an id: ASCII letters, digits, `-`, `_` and `.`; `-` for any other character.
fn part_of_id(name: &str) -> String {
    let stem = Path::new(name).file_stem().map_or_else(|| name.into(), |stem| stem.to_string_lossy());
    stem.trim_matches(['<', '>'])
        .replace(|character: char| !character.is_ascii_alphanumeric() && !"-_.".contains(character), "-")
}

/// The first replicate of the runs by which puzzles are chosen. The replicates from 0 on are those of `kenga run`: the figures come from
/// them, and no choice does.
const CHOOSING: u64 = 1 << 40;

/// The first replicate of the runs by which a puzzle that was chosen is confirmed. That chooses, too, so these are runs of their own.
const CONFIRMING: u64 = 1 << 41;

/// How many they are: as many as it was chosen by.
const CONFIRMATION: u64 = 48;

/// The share of them that the algorithm must solve that should find the puzzle easy: all but two.
const NEARLY_ALWAYS: f64 = 0.95;

/// The standard error of the decimal logarithm of a waiting time without memory, over one run. A heuristic, which decides only how far
/// a puzzle is measured: with failures that count ten budgets the error is larger.
const ERROR: f64 = std::f64::consts::LOG10_E;

/// One algorithm, or two, that puzzles are evolved against.
pub(super) struct Duel {
    hard: Contender,
    easy: Option<Contender>,
    pub(super) effort: u32,
    runs: u64,
    interrupt: Interrupt,
}

impl Duel {
    /// For an id: `hard-tabu-easy-exact`.
    fn name(&self) -> String {
        let easy = self.easy.as_ref().map(|easy| format!("-easy-{}", easy.name)).unwrap_or_default();
        format!("hard-{}{easy}", self.hard.name)
    }

    fn contenders(&self) -> impl Iterator<Item = &Contender> {
        [Some(&self.hard), self.easy.as_ref()].into_iter().flatten()
    }

    /// Refuses a series that cannot be evolved, and algorithms that do not fit its puzzles.
    pub(super) fn check(&self, series: &Series) -> Result<(), Report> {
        series.check_evolution().map_err(|error| miette!(help = error.help(), "{error}"))?;
        // A puzzle that cannot be made is reported when the series reaches it.
        if let Ok(example) = series.make(0, &self.interrupt) {
            self.costs(&example).map_err(|error| unrunnable(&error))?;
        }
        Ok(())
    }

    /// The costs of a puzzle: first of the algorithm that should find it hard.
    fn costs(&self, puzzle: &Puzzle) -> Result<DuelCosts<'_>, RunError> {
        let each = self.contenders().map(|contender| contender.costs(puzzle, &self.interrupt));
        let each = each.collect::<Result<_, _>>()?;
        Ok(DuelCosts { duel: self, each, runs: 0 })
    }

    /// Evolves the puzzle of a series with this number, and measures it anew.
    ///
    /// # Errors
    /// As [`Series::evolve`].
    pub(super) fn evolve(
        &self,
        series: &Series,
        number: usize,
        watch: &(dyn Fn() + Sync),
    ) -> Result<Puzzle, Shortfall> {
        let evolution = Evolution { name: self.name(), adversary: self, effort: self.effort, watch };
        let mut puzzle = series.evolve(number, &evolution, &self.interrupt)?;
        self.describe(&mut puzzle);
        Ok(puzzle)
    }

    /// Puts the figures of a puzzle in its meta, but after an interrupt.
    fn describe(&self, puzzle: &mut Puzzle) -> Option<()> {
        let mut costs = self.costs(puzzle).ok()?;
        costs.measure(0..self.runs)?;
        let hard_for = costs.each[0].figures();
        let easy_for = costs.each.get(1).map(Costs::figures);
        let interval = costs.interval();
        let problem = Problem::compile(puzzle);
        // What the exact solver needs, to compare with what the algorithms need.
        let proof = Contender::exact().costs(puzzle, &self.interrupt).ok()?.figures();
        let grade = grade(puzzle, &problem, Score(u16::MAX), &self.interrupt);
        let meta = &mut puzzle.meta;
        meta.insert("hard_for".to_owned(), hard_for);
        meta.extend(easy_for.map(|easy_for| ("easy_for".to_owned(), easy_for)));
        meta.insert("advantage".to_owned(), json!(costs.log_ratio()));
        meta.extend(interval.map(|ends| ("advantage_95".to_owned(), json!([ends.low, ends.high]))));
        meta.insert("decisions".to_owned(), proof["decisions"].clone());
        meta.insert("grade".to_owned(), json!({"tier": grade.tier().name(), "score": grade.score.number()}));
        Some(())
    }
}

impl Adversary for Duel {
    fn begin<'a>(&'a self, puzzle: &Puzzle) -> Option<Box<dyn Measurement + 'a>> {
        Some(Box::new(self.costs(puzzle).ok()?))
    }
}

/// What a puzzle costs the algorithm that should find it hard, and the one that should find it easy.
struct DuelCosts<'a> {
    duel: &'a Duel,
    each: Vec<Costs<'a>>,
    /// Runs made to choose by.
    runs: u64,
}

impl DuelCosts<'_> {
    fn measure(&mut self, replicates: Range<u64>) -> Option<()> {
        for costs in &mut self.each {
            costs.measure(replicates.clone(), &self.duel.interrupt)?;
        }
        Some(())
    }

    /// By how many powers of ten the one costs more than the other; of one alone, the power that it costs.
    fn log_ratio(&self) -> f64 {
        let hard = self.each[0].mean().log10();
        self.each.get(1).map_or(hard, |easy| hard - easy.mean().log10())
    }

    /// Its 95 % interval, where both count calls.
    fn interval(&self) -> Option<Interval> {
        let [hard, easy] = &self.each[..] else { return None };
        hard.log_ratio(easy).map(|ratio| ratio.interval)
    }

    /// Why the puzzle is not easy for the one and harder for the other, if it is not.
    fn fault(&self) -> Option<String> {
        let [hard, easy] = &self.each[..] else { return None };
        let (runs, solved) = easy.solved()?;
        let [one, other] = [hard, easy].map(Costs::name);
        if (solved as f64) < NEARLY_ALWAYS * runs as f64 {
            return Some(format!("is solved by {other} in only {solved} of {runs} fresh runs"));
        }
        if self.interval().is_none_or(|interval| interval.low > 0.0) {
            return None;
        }
        Some(format!("is not shown to cost {one} more than {other}, in {runs} fresh runs of each"))
    }
}

impl Measurement for DuelCosts<'_> {
    fn advantage(&mut self, runs: u64) -> Option<Advantage> {
        self.measure(CHOOSING + self.runs..CHOOSING + runs)?;
        self.runs = runs;
        // Each contender that draws random numbers adds its own error; the exact solver has none.
        let random = self.duel.contenders().filter(|contender| contender.is_random()).count();
        Some(Advantage { value: self.log_ratio(), error: ERROR * (random as f64 / runs as f64).sqrt() })
    }

    /// What `--easy-for` asks for: its algorithm solves the puzzle nearly always, and the other costs more calls. Calls and decisions
    /// cannot be compared: where the other is `exact`, only the first is asked for. Nothing is where `--easy-for` is `exact` or absent.
    fn confirm(&mut self) -> Option<Result<(), String>> {
        if !self.duel.easy.as_ref().is_some_and(Contender::is_random) {
            return Some(Ok(()));
        }
        for costs in &mut self.each {
            // The runs that chose the puzzle would flatter it: fresh ones confirm.
            costs.forget();
        }
        self.measure(CONFIRMING..CONFIRMING + CONFIRMATION)?;
        Some(self.fault().map_or(Ok(()), Err))
    }
}
