//! How far the shards in a folder are: which have ended, and which are to be run.

use std::path::{Path, PathBuf};

use miette::Report;

use crate::cli::io::exit::print_error;
use kenga_lab::experiment::{Plan, Race, Shard};
use kenga_lab::results::{
    CHECKSUMS, Folder, FolderKind, KnownPlan, RaceProgress, ResultsError, RoundShare, ShardProgress,
    read_plan, shard_folder, shards_if_any, shards_in,
};

/// What is known of a shard.
pub(super) struct ShardStatus {
    pub(super) shard: Shard,
    /// Runs that have ended, of a race those of the present round.
    pub(super) done: u64,
    /// How many it has, of a race in the present round; unknown where its folder says nothing.
    pub(super) runs: Option<u64>,
    pub(super) state: ShardState,
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum ShardState {
    Finished,
    /// Some of its runs have failed: it tries them again when it is run again.
    Failed,
    /// A program is writing its folder.
    Running,
    Unfinished,
    Missing,
}

impl ShardState {
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Finished => "finished",
            Self::Failed => "failed",
            Self::Running => "running",
            Self::Unfinished => "unfinished",
            Self::Missing => "missing",
        }
    }
}

impl ShardStatus {
    fn missing(shard: Shard) -> Self {
        Self { shard, done: 0, runs: None, state: ShardState::Missing }
    }

    /// It has not ended, and nobody is at it.
    pub(super) fn is_to_run(&self) -> bool {
        !matches!(self.state, ShardState::Finished | ShardState::Running)
    }
}

/// The shards of a split, in their order.
pub(super) struct Statuses {
    /// Those that are there, and the first of those that are missing.
    pub(super) listed: Vec<ShardStatus>,
    /// How many are missing that are not listed.
    pub(super) unlisted: u64,
    /// The plan and the present round, of a race.
    pub(super) race: Option<(Plan, Race)>,
}

impl Statuses {
    /// What is known of every shard of the split in a folder, with at most as many rows of missing ones.
    pub(super) fn read(shared: &Path, most_missing: usize) -> Result<Self, Report> {
        let there = shards_in(shared)?;
        for shard in &there {
            let path = shard_folder(shared, *shard);
            if FolderKind::of(&path) == FolderKind::Tuning {
                return Err(ResultsError::TuningShard { path }.into());
            }
        }
        // One of them says what the plan of all is.
        let plan = there.iter().find_map(|shard| read_plan(&shard_folder(shared, *shard)).ok());
        Self::of(
            shared,
            Split { there: &there, of: there[0].of },
            plan.as_ref().map(|(plan, _)| plan),
            most_missing,
        )
    }

    /// What is known of every shard of a plan; all are missing where a folder has none.
    pub(super) fn of_plan(shared: &Path, plan: &Plan, of: u64) -> Result<Self, Report> {
        let there = shards_if_any(shared)?;
        Self::of(shared, Split { there: &there, of }, Some(plan), usize::MAX)
    }

    fn of(shared: &Path, split: Split<'_>, plan: Option<&Plan>, most_missing: usize) -> Result<Self, Report> {
        let Split { there, of } = split;
        if let Some(plan) = plan.filter(|plan| plan.is_part_of_race(Shard { index: 0, of })) {
            return Self::of_race(shared, split, plan, most_missing);
        }
        let known = plan.map(KnownPlan::new);
        let mut folders = there.iter().peekable();
        let (mut listed, mut missing) = (Vec::new(), 0);
        for index in 0..of {
            let shard = Shard { index, of };
            if folders.next_if_eq(&&shard).is_some() {
                listed.push(status_of(shared, shard, known.as_ref()));
                continue;
            }
            missing += 1;
            if missing <= most_missing {
                listed.push(ShardStatus::missing(shard));
            }
        }
        Ok(Self { listed, unlisted: missing.saturating_sub(most_missing) as u64, race: None })
    }

    /// What is known of the present round of a race.
    fn of_race(shared: &Path, split: Split<'_>, plan: &Plan, most_missing: usize) -> Result<Self, Report> {
        let Split { there, of } = split;
        let progress = RaceProgress::read(plan, &folders_of(shared, there))?;
        let mut folders = there.iter().peekable();
        let (mut listed, mut missing) = (Vec::new(), 0);
        for (index, share) in (0..).zip(progress.by_shard(plan, of)) {
            let shard = Shard { index, of };
            let folder = folders.next_if_eq(&&shard).map(|_| shard_folder(shared, shard));
            let state = state_in_round(folder.as_deref(), share);
            missing += usize::from(state == ShardState::Missing);
            if state != ShardState::Missing || missing <= most_missing {
                listed.push(ShardStatus { shard, done: share.made, runs: Some(share.runs), state });
            }
        }
        let unlisted = missing.saturating_sub(most_missing) as u64;
        Ok(Self { listed, unlisted, race: Some((plan.clone(), progress.race)) })
    }

    /// How many shards are in a state.
    pub(super) fn count(&self, state: ShardState) -> u64 {
        let listed = self.listed.iter().filter(|status| status.state == state).count() as u64;
        if state == ShardState::Missing { listed + self.unlisted } else { listed }
    }

    /// Every shard has ended, and none of its runs has failed; a race is over.
    pub(super) fn are_finished(&self) -> bool {
        self.listed.iter().all(|status| status.state == ShardState::Finished)
    }
}

/// The shards of a split that are there.
#[derive(Clone, Copy)]
struct Split<'a> {
    there: &'a [Shard],
    of: u64,
}

fn folders_of(shared: &Path, there: &[Shard]) -> Vec<PathBuf> {
    there.iter().map(|shard| shard_folder(shared, *shard)).collect()
}

/// The state of a shard, which may have no folder, in the present round of a race. Runs that have failed have decided.
fn state_in_round(folder: Option<&Path>, share: RoundShare) -> ShardState {
    let Some(folder) = folder else {
        return if share.runs == 0 { ShardState::Finished } else { ShardState::Missing };
    };
    if Folder::is_being_written(folder) {
        ShardState::Running
    } else if share.made < share.runs && share.made == 0 {
        ShardState::Missing
    } else if share.made < share.runs || !folder.join(CHECKSUMS).exists() {
        // Its end may have been killed.
        ShardState::Unfinished
    } else {
        ShardState::Finished
    }
}

/// What the folder of a shard says; the error of one that cannot be read goes to standard error, as the others can be.
fn status_of(shared: &Path, shard: Shard, known: Option<&KnownPlan<'_>>) -> ShardStatus {
    let path = shard_folder(shared, shard);
    let is_being_written = Folder::is_being_written(&path);
    let mut status = ShardStatus { shard, done: 0, runs: None, state: ShardState::Unfinished };
    // Without a plan that can be read there are no runs.
    let progress = match known {
        Some(known) => ShardProgress::read(&path, known),
        None => read_plan(&path).and_then(|(plan, _)| ShardProgress::read(&path, &KnownPlan::new(&plan))),
    };
    match progress {
        Ok(progress) => {
            (status.done, status.runs) = (progress.tally.done, Some(progress.runs));
            if progress.has_ended {
                status.state =
                    if progress.tally.failed > 0 { ShardState::Failed } else { ShardState::Finished };
            }
        }
        // A program that was killed, or has only just begun, leaves a folder without a manifest.
        Err(ResultsError::NoResults { .. }) => {}
        Err(error) => print_error(&error.into()),
    }
    if is_being_written {
        status.state = ShardState::Running;
    }
    status
}
