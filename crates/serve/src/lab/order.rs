//! The plan that a request asks for: a configuration, and puzzles from files behind the server or from the request itself.

use miette::miette;

use crate::limits::check_plan;
use crate::refusal::{Code, Refusal};
use kenga_core::budget::Interrupt;
use kenga_core::puzzle::Puzzle;
use kenga_core::puzzle::formats::{Ids, Reader};
use kenga_core::spec::{Param, ParamKind, Spec};
use kenga_lab::experiment::{Config, ConfigError, Draft, Plan, Runner, Settings};
use kenga_lab::results::Shelf;

/// The name of a configuration in errors.
const NAME: &str = "config";

/// The parameters of a plan.
pub(crate) const ORDER: [Param; 2] = [
    Param::required("config", ParamKind::Text).about("the configuration, as TOML"),
    Param::optional("puzzles", ParamKind::Texts).about(
        "the puzzles, each as text in any known format or as an object of canonical JSON; without them the configuration names files behind the server",
    ),
];

/// Bytes of all puzzles, cells of one, and puzzles, settings and runs of an experiment.
const BYTES: usize = 16 * 1024 * 1024;
const CELLS: usize = 4096;
const PUZZLES: usize = 10_000;
const SETTINGS: usize = 20_000;
const RUNS: u64 = 100_000_000;

/// A plan, and what is to be said of it.
pub(crate) struct Order {
    /// The plan.
    pub(crate) plan: Plan,
    /// Notes on how settings were chosen.
    pub(crate) notes: Vec<String>,
}

impl Order {
    /// Reads a request, and tries that every algorithm can start on every puzzle.
    ///
    /// # Errors
    /// What is wrong with the configuration or the puzzles; an experiment that is too large for a server, or that starts
    /// programs.
    pub(crate) fn read(shelf: &Shelf, asked: &Spec, interrupt: &Interrupt) -> Result<Self, Refusal> {
        let settings = settings(asked).map_err(|error| Refusal::of(Code::BadConfig, &error.into()))?;
        let notes = settings.notes.clone();
        let puzzles = match asked.entry("puzzles") {
            Some(_) => puzzles(
                asked.texts("puzzles").into_iter().map(|text| Ok(("puzzle".to_owned(), text.into()))),
            )?,
            None => puzzles(files(shelf, &settings.all[0].config))?,
        };
        let plan = Plan::new(settings, puzzles);
        check_plan(&plan)?;
        refuse_large(&plan)?;
        try_out(&plan, interrupt)?;
        Ok(Self { plan, notes })
    }
}

/// The settings of a configuration, with another seed where one is asked for.
///
/// # Errors
/// What is wrong with the configuration.
pub(crate) fn settings(asked: &Spec) -> Result<Settings, ConfigError> {
    let mut draft = Draft::read(NAME, asked.text("config"))?;
    if let Some(seed) = asked.integer_or_absent("seed") {
        draft.set(&format!("seed={seed}"))?;
    }
    draft.settings()
}

/// A name and the text of puzzles.
type Source = Result<(String, Vec<u8>), Refusal>;

/// The files that a configuration names.
fn files(shelf: &Shelf, config: &Config) -> impl Iterator<Item = Source> {
    let read = |name: String| Ok((name.clone(), shelf.read(&name, BYTES).map_err(Refusal::of_shelf)?));
    config.puzzles().into_iter().map(read)
}

/// The puzzles of some texts.
fn puzzles(sources: impl Iterator<Item = Source>) -> Result<Vec<Puzzle>, Refusal> {
    let (mut all, mut ids, mut bytes) = (Vec::new(), Ids::default(), 0);
    for source in sources {
        let (name, text) = source?;
        bytes += text.len();
        if bytes > BYTES {
            return Err(too_large(&format!("the puzzles have more than {BYTES} bytes")));
        }
        let mut reader = Reader::new(&name, text);
        while let Some(puzzle) = reader.next(&mut ids) {
            let puzzle = puzzle.map_err(|error| Refusal::of(Code::BadPuzzle, &error.into()))?;
            let cells = puzzle.rows() * puzzle.cols();
            if cells > CELLS || all.len() == PUZZLES {
                let what = if cells > CELLS {
                    format!("puzzle `{}` has {cells} cells", puzzle.id)
                } else {
                    format!("there are more than {PUZZLES} puzzles")
                };
                return Err(too_large(&what));
            }
            all.push(puzzle);
        }
    }
    if all.is_empty() {
        let help = "name files in `puzzles = [\"…\"]` of the configuration, or send puzzles with it";
        return Err(Refusal::new(Code::BadConfig, "there is no puzzle to run", help));
    }
    Ok(all)
}

fn too_large(what: &str) -> Refusal {
    let help = "`kenga run` has no such limit";
    Refusal::new(Code::BadConfig, format!("{what}: more than this server runs"), help)
}

fn refuse_large(plan: &Plan) -> Result<(), Refusal> {
    let (settings, runs) = (plan.settings.all.len(), plan.runs());
    if settings > SETTINGS {
        return Err(too_large(&format!("there are {settings} settings")));
    }
    if runs > RUNS {
        return Err(too_large(&format!("there are {runs} runs")));
    }
    Ok(())
}

/// Tries that every algorithm can start on every puzzle. The exact solver, which may take long, is not asked for that.
fn try_out(plan: &Plan, interrupt: &Interrupt) -> Result<(), Refusal> {
    let mut plan = plan.clone();
    plan.config.exact.nodes = 0;
    let tried = Runner::prepare(&plan, 1, interrupt).map(drop);
    let help = "choose an encoding and weights that fit the puzzle; see `kenga list encoding`";
    tried.map_err(|error| Refusal::of(Code::BadConfig, &miette!(help = help, "{error}")))
}

/// A plan with more replicates.
pub(super) fn extended(plan: Plan, replicates: Option<u64>) -> Result<Plan, Refusal> {
    let Some(replicates) = replicates else { return Ok(plan) };
    let Plan { mut settings, puzzles, .. } = plan;
    let mut draft = Draft::default();
    let bad = |message: String| Refusal::new(Code::BadConfig, message, "more can be made, not fewer");
    draft.set(&format!("replicates={replicates}")).map_err(|error| bad(error.to_string()))?;
    if let Some(difference) = settings.extend(&draft) {
        return Err(bad(format!("there are {} replicates already, not {}", difference.was, difference.is)));
    }
    let plan = Plan::new(settings, puzzles);
    refuse_large(&plan)?;
    Ok(plan)
}
