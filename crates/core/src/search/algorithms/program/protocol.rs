//! The protocol of algorithms, version 1: JSON lines, described in `docs/protocol.md`.

use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use serde_json::{Map, Value as Json};

use crate::budget::StopReason;
use crate::fitness::{Fitness, Term};
use crate::problem::Problem;
use crate::search::Task;
use crate::search::algorithms::session::{Evaluated, GenomeError, Session};
use crate::search::programs::beginning_of;
use crate::spec::Spec;

use super::REPORTS_COST;
use super::genomes::Genomes;

/// The version that a greeting names.
const VERSION: u32 = 1;

/// The first line of a run, to the program.
#[derive(Serialize)]
struct Greeting<'a> {
    kenga: &'a str,
    protocol: u32,
    seed: u32,
    puzzle: &'a RawValue,
    encoding: &'a str,
    genes: usize,
    /// Absent where genomes are those of a problem of the user's own.
    #[serde(skip_serializing_if = "Option::is_none")]
    cells: Option<Vec<[usize; 2]>>,
    candidates: Vec<Vec<u8>>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    lines: Vec<&'a [u16]>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    tuples: Vec<TupleChoice<'a>>,
    /// As [`Self::cells`].
    #[serde(skip_serializing_if = "Option::is_none")]
    fitness: Option<Measure>,
    budget: Bounds,
    options: Map<String, Json>,
    /// Absent where it is not asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    reports_cost: Option<bool>,
}

/// Genes that hold one of some tuples.
#[derive(Serialize)]
struct TupleChoice<'a> {
    genes: &'a [u16],
    tuples: Vec<Vec<u8>>,
}

#[derive(Serialize)]
struct Measure {
    cages: &'static str,
    weights: Map<String, Json>,
}

/// What the run may spend; `None` where nothing bounds it.
#[derive(Serialize)]
struct Bounds {
    evaluations: Option<u64>,
    generations: Option<u64>,
}

/// The first line of a run: all that a program may know of it.
pub(super) fn greeting(task: &Task, session: &Session, spec: &Spec) -> Vec<u8> {
    let (fitness, problem) = (&task.fitness, task.fitness.problem());
    let puzzle = RawValue::from_string(task.puzzle.to_string()).expect("a puzzle is written as JSON");
    let candidates = &session.space().candidates;
    let (mut cells, mut measure) = (None, None);
    if problem.genome().is_none() {
        cells = Some((0..problem.cells()).map(|cell| problem.row_and_column(cell)).collect());
        measure = Some(Measure { cages: fitness.measure().name(), weights: weights(fitness) });
    }
    line(&Greeting {
        kenga: env!("CARGO_PKG_VERSION"),
        protocol: VERSION,
        seed: session.seed(),
        puzzle: &puzzle,
        encoding: &spec.spec("encoding").name,
        genes: problem.cells(),
        cells,
        candidates: (0..problem.cells()).map(|gene| digits(problem, candidates.ranks(gene))).collect(),
        lines: session.lines().collect(),
        tuples: tuple_choices(session),
        fitness: measure,
        budget: Bounds { evaluations: task.budget.evaluations, generations: task.budget.generations },
        options: spec.spec("options").as_json(),
        reports_cost: Some(true).filter(|_| spec.flag(REPORTS_COST)),
    })
}

/// What each kind of violation counts.
fn weights(fitness: &Fitness) -> Map<String, Json> {
    let mut weights = Map::new();
    for term in Term::ALL {
        weights.insert(term.name().to_owned(), fitness.weights().of(term).into());
    }
    weights
}

/// The digits of ranks.
fn digits(problem: &Problem, ranks: impl Iterator<Item = u8>) -> Vec<u8> {
    ranks.map(|rank| problem.values()[usize::from(rank)]).collect()
}

/// The genes that hold one of some tuples together, with these.
fn tuple_choices(session: &Session) -> Vec<TupleChoice<'_>> {
    let mut choices = Vec::new();
    for (genes, tuples) in session.tuples() {
        let problem = session.space().problem();
        let tuples = tuples.map(|tuple| digits(problem, tuple.iter().copied())).collect();
        choices.push(TupleChoice { genes, tuples });
    }
    choices
}

/// A line from a program, read.
pub(super) struct ProgramRequest {
    pub(super) ask: Ask,
    /// The seconds of CPU time that it tells of.
    pub(super) cpu_s: Option<f64>,
}

/// What a program asks.
pub(super) enum Ask {
    /// The fitness of genomes, and their terms where it says so.
    Evaluate { digits: Vec<u8>, with_terms: bool },
    /// To log a population.
    Log { digits: Vec<u8> },
    /// To end the run.
    Stop,
}

/// A line from a program.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Message {
    evaluate: Option<Genomes>,
    population: Option<Genomes>,
    #[serde(default)]
    terms: bool,
    #[serde(default)]
    stop: bool,
    cpu_s: Option<f64>,
}

impl ProgramRequest {
    /// Reads a line whose genomes should have `genes` digits; what is wrong with it is said in a sentence.
    pub(super) fn read(text: &[u8], genes: usize) -> Result<Self, String> {
        // A list would be taken for the values of a message.
        if text.trim_ascii_start().starts_with(b"[") {
            return Err(unexpected(text));
        }
        let message: Message = serde_json::from_slice(text)
            .map_err(|error| format!("it sent {}: {error}", beginning_of(text)))?;
        let cpu_s = message.cpu_s;
        if let Some(cpu_s) = cpu_s
            && cpu_s < 0.0
        {
            return Err(format!("it sent a `cpu_s` of {cpu_s}: seconds are expected"));
        }
        // Exactly one of the three, and `terms` only beside genomes to evaluate.
        let ask = match message {
            Message { evaluate: Some(genomes), population: None, terms, stop: false, .. } => {
                Ask::Evaluate { digits: genomes.of_length(genes).map_err(wrong)?, with_terms: terms }
            }
            Message { evaluate: None, population: Some(genomes), terms: false, stop: false, .. } => {
                Ask::Log { digits: genomes.of_length(genes).map_err(wrong)? }
            }
            Message { evaluate: None, population: None, terms: false, stop: true, .. } => Ask::Stop,
            _ => return Err(unexpected(text)),
        };
        Ok(Self { ask, cpu_s })
    }
}

/// Reads the last line of a run, which says what it has cost; what is wrong with it is said in a sentence.
pub(super) fn reported_cost(text: &[u8]) -> Result<f64, String> {
    #[derive(Deserialize)]
    #[serde(deny_unknown_fields)]
    struct Report {
        cost: f64,
    }
    match serde_json::from_slice::<Report>(text) {
        Ok(report) if text.trim_ascii_start().starts_with(b"{") => Ok(report.cost),
        _ => Err(format!("it sent {}: {{\"cost\": a number}} is expected", beginning_of(text))),
    }
}

/// What is wrong with a line that asks nothing, or several things at once.
fn unexpected(text: &[u8]) -> String {
    format!("it sent {}: one of `evaluate`, `population` and `stop` is expected", beginning_of(text))
}

/// What is wrong with genomes, in a sentence.
pub(super) fn wrong(error: GenomeError) -> String {
    match error {
        GenomeError::None => "it sent no genome".to_owned(),
        GenomeError::NotEvaluated { .. } | GenomeError::NoneEvaluated | GenomeError::Idle => {
            format!("it sent a wrong population: {error}")
        }
        error => format!("it sent a wrong genome: {error}"),
    }
}

/// The answer to an evaluation.
pub(super) fn evaluated(answer: &Evaluated<'_>) -> Vec<u8> {
    #[derive(Serialize)]
    struct Answer<'a> {
        fitness: &'a [u32],
        #[serde(skip_serializing_if = "Option::is_none")]
        terms: Option<Vec<[u32; Term::ALL.len()]>>,
        left: Option<u64>,
        #[serde(skip_serializing_if = "Option::is_none")]
        done: Option<&'static str>,
    }
    line(&Answer {
        fitness: answer.fitness,
        terms: answer.terms.map(|all| all.iter().map(|terms| Term::ALL.map(|term| terms.of(term))).collect()),
        left: answer.left,
        done: answer.done.map(StopReason::name),
    })
}

/// The answer to a population, the number of whose generation is given.
pub(super) fn logged(generation: u64, done: Option<StopReason>) -> Vec<u8> {
    #[derive(Serialize)]
    struct Answer {
        generation: u64,
        #[serde(skip_serializing_if = "Option::is_none")]
        done: Option<&'static str>,
    }
    line(&Answer { generation, done: done.map(StopReason::name) })
}

/// The answer to a program that ends the run.
pub(super) fn stopped(done: StopReason) -> Vec<u8> {
    #[derive(Serialize)]
    struct Answer {
        done: &'static str,
    }
    line(&Answer { done: done.name() })
}

fn line(value: &impl Serialize) -> Vec<u8> {
    let mut line = serde_json::to_vec(value).expect("what is sent has JSON");
    line.push(b'\n');
    line
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<(Vec<u8>, bool), String> {
        match ProgramRequest::read(text.as_bytes(), 4)?.ask {
            Ask::Evaluate { digits, with_terms } => Ok((digits, with_terms)),
            Ask::Log { digits } => Ok((digits, false)),
            Ask::Stop => Ok((Vec::new(), false)),
        }
    }

    #[test]
    fn genomes_are_lists_or_texts() {
        let digits = vec![1, 2, 3, 12, 4, 3, 2, 1];
        assert_eq!(read(r#"{"evaluate":[[1,2,3,12],[4,3,2,1]],"terms":true}"#), Ok((digits.clone(), true)));
        assert_eq!(read(r#"{"population":["123c",[4,3,2,1]]}"#), Ok((digits, false)));
        assert_eq!(read(r#"{"stop":true}"#), Ok((Vec::new(), false)));
    }

    #[test]
    fn a_request_may_tell_of_cpu_time() {
        let cpu_s = |text: &str| ProgramRequest::read(text.as_bytes(), 4).map(|request| request.cpu_s);
        assert_eq!(cpu_s(r#"{"evaluate":["1234"],"cpu_s":0.25}"#), Ok(Some(0.25)));
        assert_eq!(cpu_s(r#"{"stop":true}"#), Ok(None));
        let said = cpu_s(r#"{"stop":true,"cpu_s":-1}"#);
        assert_eq!(said, Err("it sent a `cpu_s` of -1: seconds are expected".to_owned()));
    }

    #[test]
    fn a_cost_is_a_number_and_nothing_else() {
        assert_eq!(reported_cost(b"{\"cost\":-2.5}\n"), Ok(-2.5));
        for bad in ["3", "[3]", "{}", r#"{"cost":null}"#, r#"{"cost":1e999}"#, r#"{"cost":1,"stop":true}"#] {
            let said = reported_cost(bad.as_bytes()).expect_err("no cost");
            assert!(said.ends_with(r#"{"cost": a number} is expected"#), "{said}");
        }
    }

    #[test]
    fn what_is_wrong_is_named() {
        let said = |text: &str| read(text).expect_err("a bad line");
        assert!(
            said("hello\n").starts_with("it sent `hello`: expected value at line 1"),
            "{}",
            said("hello\n")
        );
        assert_eq!(
            said(r#"{"evaluate":[[1,2,3,4],[1,2,3]]}"#),
            "it sent a wrong genome: genome 1 has 3 digits, not 4"
        );
        assert!(said(r#"{"evaluate":[[1,2,3,300]]}"#).contains("integer `300`"));
        assert!(said(r#"{"evaluate":["12A4"]}"#).contains("character `A`"));
        assert!(said(r#"{"evaluate":[[1,2,3,4]],"fitness":[0]}"#).contains("unknown field `fitness`"));
        for text in [
            "[[[1,2,3,4]],null,true,false]",
            "{}",
            r#"{"evaluate":[],"stop":true}"#,
            r#"{"population":[],"terms":true}"#,
        ] {
            assert!(said(text).ends_with("one of `evaluate`, `population` and `stop` is expected"), "{text}");
        }
        let long = said(&"é".repeat(500));
        assert!(long.len() < 200, "{long}");
    }
}
