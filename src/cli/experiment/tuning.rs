//! The configuration of a tuning: its space, and its options.

use miette::{Report, miette};

use kenga_lab::experiment::{ConfigDraft, Space};
use kenga_lab::tune::{Cost, KEYS, Options, TUNE};

/// The space and the options of a tuning, from the text of its configuration with some keys set.
///
/// # Errors
/// What no tuning can be made of.
pub(in crate::cli) fn tuning_of(name: &str, text: &str, set: &[String]) -> Result<(Space, Options), Report> {
    let mut draft = ConfigDraft::read(name, text)?;
    for assignment in set {
        draft.set(assignment)?;
    }
    let Some(spec) = draft.take_section(TUNE, KEYS)? else {
        let help = "add the table and its budget of calls, such as `tune.budget = 20_000_000`";
        return Err(miette!(help = help, "{name} has no [tune]"));
    };
    // The space takes the draft, whose text the errors of [tune] show.
    let shown = draft.clone();
    let space = draft.space()?;
    refuse_keys(&space)?;
    let options = Options::new(&spec, space.default(), space.keys().len());
    let options = options.map_err(|error| shown.show(&error))?;
    refuse_fitness(&space, options.cost)?;
    space.check()?;
    Ok((space, options))
}

/// Refuses what makes no sense in a tuning.
fn refuse_keys(space: &Space) -> Result<(), Report> {
    if !space.written()["method"].is_null() {
        let help = "leave `method` out: tuning races, and chooses the settings itself";
        return Err(miette!(help = help, "[sweep] of a tuning has a `method`"));
    }
    let keys = space.keys();
    if let Some(key) = keys.iter().find(|key| is_in(key, "budget")) {
        let help = "candidates are compared at the same budget of a run";
        return Err(miette!(help = help, "`{key}` cannot be tuned"));
    }
    if let Some(key) = keys.iter().find(|key| is_in(key, "problem")) {
        let help = "candidates are compared on the same problem: tune keys of [algorithm]";
        return Err(miette!(help = help, "`{key}` cannot be tuned"));
    }
    Ok(())
}

/// Refuses to compare fitness where each candidate has a fitness of its own.
fn refuse_fitness(space: &Space, cost: Cost) -> Result<(), Report> {
    if !matches!(cost, Cost::BestFitness | Cost::Place) {
        return Ok(());
    }
    if let Some(key) = space.keys().iter().find(|key| is_in(key, "fitness")) {
        let help = "another fitness is no better or worse: use `cost = \"calls\"`";
        return Err(miette!(help = help, "`{key}` cannot be tuned by the best fitness"));
    }
    Ok(())
}

/// A key is a table, or one of its keys.
fn is_in(key: &str, table: &str) -> bool {
    key == table || key.starts_with(&format!("{table}."))
}
