//! Problems of the user's own: what an objective function is started with, and the family of them.
//!
//! A new member is a `static ENTRY` whose parameters have [`GENOME`] among them, whose `build` makes an [`ObjectiveRecipe`], and a
//! line in [`OBJECTIVES`].

mod program;
mod protocol;

use std::sync::Arc;

use serde_json::{Map, Value as Json};

use crate::budget::Guard;
use crate::fitness::{Objective, Scale};
use crate::problem::GenomeShape;
use crate::spec::{DefaultValue, Family, Param, ParamKind, Spec, SpecError, Value};
use crate::text::id_flaw;

use super::algorithms::Programs;

/// What an objective is started with.
#[derive(Clone)]
pub struct ObjectiveStart {
    /// What its genomes are.
    pub shape: GenomeShape,
    /// What varies between instances and settings.
    pub options: Map<String, Json>,
    /// What can cut the run from outside.
    pub guard: Guard,
    /// Where programs run.
    pub programs: Arc<Programs>,
}

/// An objective function with its parameters, ready to be started for any run.
pub trait ObjectiveRecipe: Send + Sync {
    /// Starts it for a run. What goes wrong is an error of the first evaluation.
    fn start(&self, start: ObjectiveStart) -> Arc<dyn Objective>;
}

/// A recipe, or why the parameters of a problem do not go together.
pub type ObjectiveMaker = Result<Box<dyn ObjectiveRecipe>, SpecError>;

/// Every kind of problem of the user's own.
pub static OBJECTIVES: Family<ObjectiveMaker> =
    Family::new("problem", "a problem of your own: what its genomes are worth", &[&program::ENTRY]);

/// The kind of a problem that names none.
#[doc(hidden)]
pub fn default_kind() -> &'static str {
    program::ENTRY.member().name
}

/// What every problem has: its genomes, and how values become fitness.
pub const GENOME: [Param; 11] = [
    Param::optional("genes", ParamKind::Integer(1, 65_536)).about("number of genes, each one of `values`"),
    Param::optional("values", ParamKind::List).about(
        "least and greatest value of the genes, 0 to 255, such as [0, 1]; or such a pair for each gene",
    ),
    Param::optional("permutation", ParamKind::Integer(1, 256))
        .about("the genome is a permutation of so many numbers from 0 on"),
    Param::optional("permutations", ParamKind::List).about("the lengths of several permutations"),
    Param::optional("optimum", ANY_NUMBER)
        .about("the best value there is, where it is known: a run that finds it is solved"),
    Param::optional("bound", ANY_NUMBER)
        .about("a value that none passes, where the best is not known; 0 when absent"),
    Param::flag("maximise", false).about("whether the highest value is best, not the lowest"),
    Param::optional("resolution", ParamKind::Real(f64::MIN_POSITIVE, f64::INFINITY))
        .about("the unit in which fitness counts, for values that are not whole numbers"),
    Param::optional("terms", ParamKind::Texts)
        .about("names of what a value consists of: terms.csv has them of the best genome of every run"),
    Param::new("options", ParamKind::Table, DefaultValue::Section)
        .about("any keys, for the objective; a sweep may vary them"),
    Param::optional("instances", ParamKind::Table).about(
        "a table for each instance by its name: options of its own, and the keys from `genes` to `bound`",
    ),
];

const ANY_NUMBER: ParamKind = ParamKind::Real(f64::MIN, f64::MAX);

/// The keys of [`GENOME`] that an instance may set for itself.
const OF_INSTANCE: [&str; 6] = ["genes", "values", "permutation", "permutations", "optimum", "bound"];

/// The keys of [`GENOME`] that all instances share.
const OF_ALL: [&str; 3] = ["maximise", "resolution", "terms"];

/// One of the instances of a problem.
#[doc(hidden)]
#[derive(Clone, Debug, PartialEq)]
pub struct Instance {
    /// Its name; that of the problem where it has one instance alone.
    pub id: String,
    /// What its genomes are.
    pub shape: GenomeShape,
    /// Its own options.
    pub options: Map<String, Json>,
    /// The best value, where it is known.
    pub optimum: Option<f64>,
    /// A value that none passes.
    pub bound: Option<f64>,
}

/// The names of the terms of a problem's values.
#[doc(hidden)]
pub fn terms(problem: &Spec) -> Vec<String> {
    if problem.entry(TERMS).is_some() { problem.texts(TERMS) } else { Vec::new() }
}

/// The key of [`terms`].
const TERMS: &str = "terms";

/// Refuses names of terms that are no ids, or that are the same.
fn check_terms(problem: &Spec) -> Result<(), SpecError> {
    let names = terms(problem);
    for (place, name) in names.iter().enumerate() {
        let mut unsound = if name.is_empty() { Some("is empty") } else { id_flaw(name) };
        if names[..place].contains(name) {
            unsound = Some("is there twice");
        }
        if let Some(unsound) = unsound {
            return Err(conflict(problem, TERMS, format!("the name of the term {name:?} {unsound}")));
        }
    }
    Ok(())
}

/// The scale of a problem's values on an instance with this optimum and this bound, where they are known.
#[doc(hidden)]
pub fn scale(problem: &Spec, optimum: Option<f64>, bound: Option<f64>) -> Scale {
    Scale {
        reference: optimum.or(bound).unwrap_or(0.0),
        is_optimum: optimum.is_some(),
        resolution: problem.real_or_absent("resolution"),
        maximise: problem.flag("maximise"),
    }
}

/// The instances of a resolved problem; one, named `problem`, where it lists none.
///
/// # Errors
/// Genomes that are not said, or said twice; a value of the wrong kind; a highest value without a bound.
#[doc(hidden)]
pub fn instances(problem: &Spec) -> Result<Vec<Instance>, SpecError> {
    check_terms(problem)?;
    let Some(Json::Object(listed)) = problem.get("instances").map(Value::as_json) else {
        return Ok(vec![instance(problem, "problem", &Map::new())?]);
    };
    let mut all = Vec::new();
    for (id, own) in &listed {
        let Json::Object(own) = own else {
            return Err(conflict(problem, "instances", format!("the instance `{id}` is no table")));
        };
        all.push(instance(problem, id, own)?);
    }
    if all.is_empty() {
        return Err(conflict(problem, "instances", "it lists no instance".to_owned()));
    }
    Ok(all)
}

/// An instance with keys of its own.
fn instance(problem: &Spec, id: &str, own: &Map<String, Json>) -> Result<Instance, SpecError> {
    let mut keys = problem.as_json();
    let mut options = Map::new();
    // Genomes of its own replace those of the problem, whatever their kind.
    if ["values", "genes", "permutation", "permutations"].iter().any(|key| own.contains_key(*key)) {
        for key in ["permutation", "permutations"] {
            keys.remove(key);
        }
        if own.contains_key("permutation") || own.contains_key("permutations") {
            keys.remove("values");
            keys.remove("genes");
        }
    }
    for (key, value) in own {
        if OF_INSTANCE.contains(&key.as_str()) {
            keys.insert(key.clone(), value.clone());
        } else if OF_ALL.contains(&key.as_str()) {
            let said = format!("`{key}` is one for all instances: set it in [problem] (instance `{id}`)");
            return Err(conflict(problem, "instances", said));
        } else {
            options.insert(key.clone(), value.clone());
        }
    }
    let flaw = |said: String| {
        conflict(
            problem,
            "instances",
            if own.is_empty() { said } else { format!("{said} (instance `{id}`)") },
        )
    };
    let unsound = if id.is_empty() { Some("is empty") } else { id_flaw(id) };
    if let Some(unsound) = unsound {
        return Err(conflict(problem, "instances", format!("the name of the instance {id:?} {unsound}")));
    }
    let number = |key: &str| match keys.get(key) {
        None => Ok(None),
        Some(value) => match value.as_f64() {
            Some(number) => Ok(Some(number)),
            None => Err(flaw(format!("`{key}` is {value}: a number is expected"))),
        },
    };
    // Fitness counts up from 0, so that a value to be raised needs one that it cannot pass.
    let (optimum, bound) = (number("optimum")?, number("bound")?);
    if problem.flag("maximise") && optimum.or(bound).is_none() {
        return Err(flaw(
            "a highest value counts down from `optimum` or `bound`, and neither is set".to_owned(),
        ));
    }
    let shape = shape(&keys).map_err(&flaw)?;
    if let Some(said) = shape.flaw() {
        return Err(flaw(said));
    }
    Ok(Instance { id: id.to_owned(), shape, options, optimum, bound })
}

/// The genomes that keys describe.
fn shape(keys: &Map<String, Json>) -> Result<GenomeShape, String> {
    let whole = |value: &Json| value.as_u64().map(|number| number as usize);
    let has = |key: &str| keys.contains_key(key);
    match [has("values") || has("genes"), has("permutation"), has("permutations")] {
        [true, false, false] => values(keys),
        [false, true, false] => match whole(&keys["permutation"]) {
            Some(length) => Ok(GenomeShape::Permutations(vec![length])),
            None => Err(format!("`permutation` is {}: a number of genes is expected", keys["permutation"])),
        },
        [false, false, true] => {
            let lengths = keys["permutations"].as_array().map(|list| list.iter().map(whole).collect());
            match lengths {
                Some(Some(lengths)) => Ok(GenomeShape::Permutations(lengths)),
                _ => {
                    Err(format!("`permutations` is {}: a list of lengths is expected", keys["permutations"]))
                }
            }
        }
        [false, false, false] => {
            Err("its genomes are not said: set `genes` and `values`, or `permutation`".to_owned())
        }
        _ => Err("its genomes are said twice: set `genes` and `values`, or `permutation`, or `permutations`"
            .to_owned()),
    }
}

fn values(keys: &Map<String, Json>) -> Result<GenomeShape, String> {
    let genes = keys.get("genes").and_then(Json::as_u64);
    let Some(values) = keys.get("values") else {
        return Err("`genes` needs `values`, such as [0, 1]".to_owned());
    };
    let wrong = || {
        format!(
            "`values` is {values}: the least and the greatest value are expected, 0 to 255, or such a pair for each gene"
        )
    };
    let list = values.as_array().ok_or_else(wrong)?;
    match (range(values), genes) {
        // `values` is one pair for all genes, or a list of pairs, one for each.
        (Some(range), Some(genes)) => Ok(GenomeShape::Values(vec![range; genes as usize])),
        (Some(_), None) => Err("`values` of all genes need `genes`, their number".to_owned()),
        (None, genes) => {
            let ranges: Option<Vec<[u8; 2]>> = list.iter().map(range).collect();
            let ranges = ranges.ok_or_else(wrong)?;
            if genes.is_some_and(|genes| genes as usize != ranges.len()) {
                return Err(format!(
                    "`values` has {} pairs, and `genes` is {}",
                    ranges.len(),
                    genes.unwrap_or(0)
                ));
            }
            Ok(GenomeShape::Values(ranges))
        }
    }
}

/// The least and the greatest of a pair of bytes.
fn range(value: &Json) -> Option<[u8; 2]> {
    let byte = |value: &Json| value.as_u64().and_then(|number| u8::try_from(number).ok());
    match value.as_array()?.as_slice() {
        [least, most] => Some([byte(least)?, byte(most)?]),
        _ => None,
    }
}

fn conflict(problem: &Spec, key: &str, message: String) -> SpecError {
    let help = "`kenga guide problems` shows a problem of your own".to_owned();
    SpecError::Conflict { message: format!("[problem]: {message}"), help, place: problem.place_of(key) }
}

#[cfg(test)]
mod tests;
