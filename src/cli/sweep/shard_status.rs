//! How far the shards in a folder are: which have ended, and which are to be run.

use std::path::Path;

use miette::Report;

use crate::cli::io::exit::print_error;
use kenga_lab::experiment::{Plan, Shard};
use kenga_lab::results::{
    Folder, KnownPlan, ResultsError, ShardProgress, read_plan, shard_folder, shards_in,
};

/// What is known of a shard.
pub(super) struct ShardStatus {
    pub(super) shard: Shard,
    pub(super) done: u64,
    /// How many runs it has; unknown where its folder says nothing.
    pub(super) runs: Option<u64>,
    pub(super) state: State,
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum State {
    Finished,
    /// Some of its runs have failed: it tries them again when it is run again.
    Failed,
    /// A program is writing its folder.
    Running,
    Unfinished,
    Missing,
}

impl State {
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
        Self { shard, done: 0, runs: None, state: State::Missing }
    }

    /// It has not ended, and nobody is at it.
    pub(super) fn is_to_run(&self) -> bool {
        !matches!(self.state, State::Finished | State::Running)
    }
}

/// The shards of a split, in their order.
pub(super) struct Statuses {
    /// Those that are there, and the first of those that are missing.
    pub(super) listed: Vec<ShardStatus>,
    /// How many are missing that are not listed.
    pub(super) unlisted: u64,
}

impl Statuses {
    /// What is known of every shard of the split in a folder, with at most as many rows of missing ones.
    pub(super) fn read(shared: &Path, most_missing: usize) -> Result<Self, Report> {
        let there = shards_in(shared)?;
        // One of them says what the plan of all is.
        let plan = there.iter().find_map(|shard| read_plan(&shard_folder(shared, *shard)).ok());
        Ok(Self::of(shared, &there, plan.as_ref().map(|(plan, _)| plan), most_missing))
    }

    /// What is known of every shard of a plan; all are missing where a folder has none.
    pub(super) fn of_plan(shared: &Path, plan: &Plan, of: u64) -> Result<Self, Report> {
        if !shared.exists() {
            return Ok(Self::all_missing(of));
        }
        match shards_in(shared) {
            Ok(there) => Ok(Self::of(shared, &there, Some(plan), usize::MAX)),
            Err(ResultsError::NoResults { .. }) => Ok(Self::all_missing(of)),
            Err(error) => Err(error.into()),
        }
    }

    fn all_missing(of: u64) -> Self {
        let listed = (0..of).map(|index| ShardStatus::missing(Shard { index, of })).collect();
        Self { listed, unlisted: 0 }
    }

    fn of(shared: &Path, there: &[Shard], plan: Option<&Plan>, most_missing: usize) -> Self {
        let of = there[0].of;
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
        Self { listed, unlisted: missing.saturating_sub(most_missing) as u64 }
    }

    /// How many shards are in a state.
    pub(super) fn count(&self, state: State) -> u64 {
        let listed = self.listed.iter().filter(|status| status.state == state).count() as u64;
        if state == State::Missing { listed + self.unlisted } else { listed }
    }

    /// Every shard has ended, and none of its runs has failed.
    pub(super) fn are_finished(&self) -> bool {
        self.listed.iter().all(|status| status.state == State::Finished)
    }
}

/// What the folder of a shard says; the error of one that cannot be read goes to standard error, as the others can be.
fn status_of(shared: &Path, shard: Shard, known: Option<&KnownPlan<'_>>) -> ShardStatus {
    let path = shard_folder(shared, shard);
    let is_being_written = Folder::is_being_written(&path);
    let mut status = ShardStatus { shard, done: 0, runs: None, state: State::Unfinished };
    // Without a plan that can be read there are no runs.
    let progress = match known {
        Some(known) => ShardProgress::read(&path, known),
        None => read_plan(&path).and_then(|(plan, _)| ShardProgress::read(&path, &KnownPlan::new(&plan))),
    };
    match progress {
        Ok(progress) => {
            (status.done, status.runs) = (progress.tally.done, Some(progress.runs));
            if progress.has_ended {
                status.state = if progress.tally.failed > 0 { State::Failed } else { State::Finished };
            }
        }
        // A program that was killed, or has only just begun, leaves a folder without a manifest.
        Err(ResultsError::NoResults { .. }) => {}
        Err(error) => print_error(&error.into()),
    }
    if is_being_written {
        status.state = State::Running;
    }
    status
}
