//! The plan that a request asks for: a configuration, and puzzles from files behind the server or from the request itself.

use miette::miette;

use crate::limits::check_plan;
use crate::refusal::{Code, Refusal};
use kenga_core::budget::Interrupt;
use kenga_core::puzzle::Puzzle;
use kenga_core::puzzle::formats::{Ids, Reader};
use kenga_core::spec::{Param, ParamKind, Spec};
use kenga_lab::experiment::{ConfigDraft, Plan, Runner, Settings};
use kenga_lab::results::ServedFolder;

/// The name of a configuration in errors.
const NAME: &str = "config";

/// The parameters of an experiment.
pub(crate) const REQUEST: [Param; 2] = [
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

/// An experiment that a request describes.
pub(crate) struct ExperimentRequest {
    pub(crate) plan: Plan,
    /// Notes on how settings were chosen.
    pub(crate) notes: Vec<String>,
}

/// Reads a request, and tries that every algorithm can start on every puzzle.
///
/// # Errors
/// What is wrong with the configuration or the puzzles; an experiment that is too large for a server, or that starts
/// programs.
pub(crate) fn read_request(
    served: &ServedFolder,
    fields: &Spec,
    interrupt: &Interrupt,
) -> Result<ExperimentRequest, Refusal> {
    let settings = read_settings(fields)?;
    for setting in &settings.all {
        if setting.config.has_own_problem() {
            let message = "this server runs no [problem]: it starts no programs, which whoever has the token could choose";
            let help = "run it with `kenga run`; its folder is shown, compared and reported here";
            return Err(Refusal::new(Code::BadConfig, message, help));
        }
    }
    let notes = settings.notes.clone();
    let mut puzzles = ExperimentPuzzles::default();
    if fields.entry("puzzles").is_some() {
        for text in fields.texts("puzzles") {
            puzzles.read("puzzle", text.into_bytes())?;
        }
    } else {
        for name in settings.all[0].config.puzzles() {
            let text = served.read(&name, BYTES)?;
            puzzles.read(&name, text)?;
        }
    }
    if puzzles.all.is_empty() {
        let help = "name files in `puzzles = [\"…\"]` of the configuration, or send puzzles with it";
        return Err(Refusal::new(Code::BadConfig, "there is no puzzle to run", help));
    }
    // What is cheap to refuse comes first; trying out compiles every puzzle.
    let plan = Plan::new(settings, puzzles.all);
    check_plan(&plan)?;
    refuse_large(&plan)?;
    try_out(&plan, interrupt)?;
    Ok(ExperimentRequest { plan, notes })
}

/// The settings of a configuration, with another seed where one is asked for.
pub(crate) fn read_settings(fields: &Spec) -> Result<Settings, Refusal> {
    let mut draft = ConfigDraft::read(NAME, fields.text("config"))?;
    if let Some(seed) = fields.integer_or_absent("seed") {
        draft.set(&format!("seed={seed}"))?;
    }
    Ok(draft.settings()?)
}

/// The puzzles of an experiment, read text by text.
#[derive(Default)]
struct ExperimentPuzzles {
    all: Vec<Puzzle>,
    ids: Ids,
    bytes: usize,
}

impl ExperimentPuzzles {
    fn read(&mut self, name: &str, text: Vec<u8>) -> Result<(), Refusal> {
        self.bytes += text.len();
        if self.bytes > BYTES {
            return Err(too_large(&format!("the puzzles have more than {BYTES} bytes")));
        }
        let mut reader = Reader::new(name, text);
        // Limits hold for each as it is read: a file of millions is refused before the end of it.
        while let Some(puzzle) = reader.next(&mut self.ids) {
            let puzzle = puzzle?;
            let cells = puzzle.rows() * puzzle.cols();
            if cells > CELLS {
                return Err(too_large(&format!("puzzle `{}` has {cells} cells", puzzle.id)));
            }
            if self.all.len() == PUZZLES {
                return Err(too_large(&format!("there are more than {PUZZLES} puzzles")));
            }
            self.all.push(puzzle);
        }
        Ok(())
    }
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

/// A plan with more replicates, if they are asked for.
pub(super) fn extended(plan: Plan, replicates: Option<u64>) -> Result<Plan, Refusal> {
    let Some(replicates) = replicates else { return Ok(plan) };
    let Plan { mut settings, puzzles, costs, .. } = plan;
    let mut draft = ConfigDraft::default();
    draft.set(&format!("replicates={replicates}")).map_err(|error| bad_replicates(error.to_string()))?;
    if let Some(difference) = settings.extend(&draft) {
        let message = format!("there are {} replicates already, not {}", difference.was, difference.is);
        return Err(bad_replicates(message));
    }
    let plan = Plan { costs, ..Plan::new(settings, puzzles) };
    refuse_large(&plan)?;
    Ok(plan)
}

fn bad_replicates(message: String) -> Refusal {
    Refusal::new(Code::BadConfig, message, "more can be made, not fewer")
}
