//! `POST births`: how an individual of a run that is played came to be.

use std::sync::Arc;
use std::thread::sleep;
use std::time::Duration;

use super::frames::PLAY;
use super::schema::{Schema, any_list, any_object, field, integer, list, maybe, object, one_of};
use super::{Answer, Code, Endpoint, Handler, Refusal, RequestFields, ServerState};
use crate::play::{BirthView, Play};
use kenga_core::spec::{Param, ParamKind};
use kenga_lab::playback::{Frame, PlayerCommand};

pub(super) static ENDPOINT: Endpoint = Endpoint::new(
    "births",
    "how an individual came to be: its parents, what crossover, mutation and improvement made, what was repaired and broken",
    PARAMS,
    answers,
    Handler::Post(run),
);

const PARAMS: &[Param] = &[
    PLAY,
    Param::optional("generation", ParamKind::Integer(0, i64::MAX))
        .about("the generation that is meant; refused where another one is shown"),
    Param::integer("population", 0..=i64::MAX, 0).about("which population, from 0"),
    Param::integer("individual", 0..=i64::MAX, 0).about("its row in the frame, from 0: best first"),
];

/// How often, and how far apart, is looked for a generation that is made once more.
const LOOKS: u32 = 100;
const BETWEEN_LOOKS: Duration = Duration::from_millis(20);

fn run(fields: &RequestFields, shared: &ServerState) -> Answer {
    let play = shared.plays.find(fields.text("play"))?;
    let view = play.view()?;
    let mut frame = view.frame.ok_or_else(preparing)?;
    // A page may be a moment behind: of another generation the row would be another individual.
    let wanted = fields.count_or_absent("generation");
    if wanted.is_some_and(|wanted| wanted != frame.generation) {
        let message = format!("generation {} is shown", frame.generation);
        return Err(Refusal::new(Code::NotShown, message, "pause, and ask again"));
    }
    let (island, row) = (fields.size("population"), fields.size("individual"));
    if frame.islands.get(island).is_none_or(|rows| row >= rows.len()) {
        return Err(Refusal::new(Code::NotShown, "no such individual is shown", ""));
    }
    if frame.origin(island, row).is_none() {
        frame = with_origins(&play, &frame)?;
    }
    let puzzle = &play.plan.puzzles[play.plan.id(view.run).puzzle];
    if puzzle.genome().is_some() {
        let message = "births are told of runs on puzzles alone";
        return Err(Refusal::new(
            Code::NotShown,
            message,
            "only the program of a problem knows what genomes are worth",
        ));
    }
    let fitness = view.fitness.ok_or_else(preparing)?;
    BirthView { fitness: &fitness, puzzle }.origin(&frame, island, row).ok_or_else(preparing)
}

fn preparing() -> Refusal {
    Refusal::new(Code::Busy, "the run is being replayed", "ask again in a second")
}

/// The moment with what was not noted of it: its generation is made once more, from the start of the run.
fn with_origins(play: &Play, wanted: &Frame) -> Result<Arc<Frame>, Refusal> {
    // A command would cut the replay that is under way.
    if play.view()?.replays.is_none() {
        play.player.command(PlayerCommand::FindOrigins);
    }
    for _ in 0..LOOKS {
        sleep(BETWEEN_LOOKS);
        let frame = play.view()?.frame.ok_or_else(preparing)?;
        if frame.generation == wanted.generation && !frame.origins.is_empty() {
            return Ok(frame);
        }
    }
    Err(preparing())
}

fn answers() -> Schema {
    let origin = one_of(&["random", "born", "stayed", "moved", "unknown"]).about(
        "stayed: it was in the population before; moved: a local search came from another position; \
         unknown: the algorithm does not say",
    );
    let individual = any_object().about("genome, fitness, terms, and the groups that are broken");
    let parents = any_list().of_length(2).about("first the one that it takes after");
    let step = any_object().or_null().about("the genome after this step, and its fitness");
    let groups = list(any_object()).about("groups with name and cells");
    object(&[
        field("generation", integer()),
        field("origin", origin),
        field("individual", individual),
        maybe("parents", parents),
        maybe("better", integer().about("which parent is the better one: 0 or 1")),
        maybe("crossed", step.clone()),
        maybe("mutated", step.clone()),
        maybe("improved", step.clone()),
        maybe("from", step),
        maybe("repaired", groups.clone()),
        maybe("broke", groups),
    ])
}
