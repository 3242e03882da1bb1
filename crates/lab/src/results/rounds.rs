//! Races that shards make together, round by round.
//!
//! No file says which round is to be made: it follows from the runs that all shards have made, so that a shard that is lost,
//! or an older copy of one, makes its round the present one again.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use super::files::MANIFEST;
use super::shards::{check_plan_of, refusal, shard_folder, shards_if_any};
use super::{FolderRows, KnownPlan, ResultsError, read_plan};
use crate::experiment::{Plan, Race, RemainingRuns, Shard};
use kenga_core::text::quoted_path;

/// How far a race is that shards make together.
pub struct RaceProgress {
    /// The race at the beginning of the round that is to be made; it is over when no shard has more to do.
    pub race: Race,
    /// The calls of the runs that are made.
    known: BTreeMap<u64, f64>,
}

/// How far a shard is in a round.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct RoundShare {
    /// How many runs of the round are the shard's.
    pub runs: u64,
    /// Those of them that are made.
    pub made: u64,
}

impl RaceProgress {
    /// Reads the folders of shards, also of those that are being written.
    ///
    /// # Errors
    /// [`ResultsError::Shards`] for a shard of another plan, [`ResultsError::Damaged`], [`ResultsError::Io`].
    ///
    /// # Panics
    /// When the plan is no race.
    pub fn read(plan: &Plan, folders: &[PathBuf]) -> Result<Self, ResultsError> {
        let known_plan = KnownPlan::new(plan);
        let mut known = BTreeMap::new();
        for folder in folders {
            read_calls(&known_plan, folder, &mut known)?;
        }
        Ok(Self::of(plan, known))
    }

    /// The progress with the calls of runs that are known.
    pub(super) fn of(plan: &Plan, known: BTreeMap<u64, f64>) -> Self {
        let race = plan.race().expect("the plan is a race").in_rounds(&known);
        Self { race, known }
    }

    /// How far each of `of` shards is in the present round, or with all of its runs when the race is over.
    pub fn by_shard(&self, plan: &Plan, of: u64) -> Vec<RoundShare> {
        let mut shares = vec![RoundShare::default(); of as usize];
        let deal = plan.share(Shard { index: 0, of });
        if self.race.next().is_none() {
            for run in self.known.keys() {
                let share = &mut shares[deal.shard_of(*run) as usize];
                share.runs += 1;
                share.made += 1;
            }
        }
        for run in self.race.next().unwrap_or_default().filter(|run| self.race.has(*run)) {
            let share = &mut shares[deal.shard_of(run) as usize];
            share.runs += 1;
            share.made += u64::from(self.known.contains_key(&run));
        }
        shares
    }
}

/// The race of a shard's folder in its present round. The folders beside it are those of the others.
///
/// # Errors
/// Those of [`RaceProgress::read`] and [`shards_if_any`]; [`ResultsError::Shards`] when the shard has made later runs than the others let it.
///
/// # Panics
/// When the plan is no race.
pub fn round_of_shard(plan: &Plan, shard: Shard, folder: &Path) -> Result<Race, ResultsError> {
    let place = std::path::absolute(folder).map_err(ResultsError::io("find", folder))?;
    let mut folders = folders_in(place.parent().unwrap_or(&place))?;
    // It may have been renamed.
    if !folders.contains(&place) {
        folders.push(place);
    }
    let RaceProgress { race, known } = RaceProgress::read(plan, &folders)?;
    let done = known.keys().copied().collect();
    let share = plan.share(shard);
    let remaining = RemainingRuns { share: share.clone(), done: &done, race: Some(&race) };
    let next = race.next().unwrap_or_default().find(|run| remaining.has(*run));
    if let Some(next) = next
        && let Some(last) = known.keys().rfind(|run| share.has(**run))
        && *last > next
    {
        let problem = format!(
            "{} has run {last} of a later round, but lacks run {next} of round {}",
            folder.display(),
            race.round()
        );
        let help = format!("remove {}, and run the shard again", quoted_path(folder));
        return Err(refusal(problem, &help));
    }
    Ok(race)
}

fn folders_in(shared: &Path) -> Result<Vec<PathBuf>, ResultsError> {
    let shards = shards_if_any(shared)?;
    Ok(shards.into_iter().map(|shard| shard_folder(shared, shard)).collect())
}

/// Reads the calls of a shard's runs, as far as its ledger lists them.
fn read_calls(
    known: &KnownPlan<'_>,
    folder: &Path,
    calls: &mut BTreeMap<u64, f64>,
) -> Result<(), ResultsError> {
    let plan = known.plan();
    // One that was killed before it had a manifest has no runs.
    if !folder.join(MANIFEST).exists() {
        return Ok(());
    }
    let shard = match known.shard_of(folder) {
        Some(shard) => shard,
        None => {
            check_plan_of(plan, folder)?;
            read_plan(folder)?.1
        }
    };
    let share = plan.share(shard);
    for (run, of_run) in FolderRows::open(folder, plan, shard)?.race_calls()? {
        if share.has(run) {
            calls.insert(run, of_run);
        }
    }
    Ok(())
}
