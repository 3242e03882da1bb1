//! `--shard auto`: which shard a task of a job array, or one of several started together, is to make.
//!
//! A new engine is a line in [`ARRAYS`], a new launcher one in [`LAUNCHERS`].

use std::env;

use kenga_core::text::{joined, printable};
use kenga_lab::experiment::{Shard, ShardError};

/// How an engine tells a task of a job array its index.
pub(super) struct Array {
    pub(super) variable: &'static str,
    /// The index of the first task.
    pub(super) first: u64,
    /// What the variable holds in a job that is no array.
    none: &'static str,
}

pub(super) const ARRAYS: [Array; 8] = [
    Array { variable: "SLURM_ARRAY_TASK_ID", first: 0, none: "" },
    // PBS Professional and OpenPBS.
    Array { variable: "PBS_ARRAY_INDEX", first: 0, none: "" },
    // Torque.
    Array { variable: "PBS_ARRAYID", first: 0, none: "" },
    // Their arrays cannot begin at 0.
    Array { variable: "SGE_TASK_ID", first: 1, none: "undefined" },
    Array { variable: "LSB_JOBINDEX", first: 1, none: "0" },
    Array { variable: "AWS_BATCH_JOB_ARRAY_INDEX", first: 0, none: "" },
    // Kubernetes.
    Array { variable: "JOB_COMPLETION_INDEX", first: 0, none: "" },
    // GNU parallel.
    Array { variable: "PARALLEL_SEQ", first: 1, none: "" },
];

/// How a launcher tells tasks that it starts together their rank, from 0, and how many they are.
struct Launcher {
    rank: &'static str,
    size: &'static str,
    /// Without this variable the others say nothing.
    needs: Option<&'static str>,
}

const LAUNCHERS: [Launcher; 4] = [
    // Open MPI.
    Launcher { rank: "OMPI_COMM_WORLD_RANK", size: "OMPI_COMM_WORLD_SIZE", needs: None },
    // MPICH and Intel MPI.
    Launcher { rank: "PMI_RANK", size: "PMI_SIZE", needs: None },
    // MVAPICH.
    Launcher { rank: "MV2_COMM_WORLD_RANK", size: "MV2_COMM_WORLD_SIZE", needs: None },
    // srun. The script of a batch job has a rank too, which is always 0, but is no step.
    Launcher { rank: "SLURM_PROCID", size: "SLURM_NTASKS", needs: Some("SLURM_STEP_ID") },
];

/// The value of an environment variable.
type Variables<'a> = &'a dyn Fn(&str) -> Option<String>;

/// Reads `K/N`, `auto/N` or `auto`.
pub(in crate::cli) fn parse_shard(text: &str) -> Result<Shard, String> {
    let variable = |name: &str| env::var(name).ok();
    match text.strip_prefix("auto") {
        Some("") => automatic(None, &variable),
        Some(of) if of.starts_with('/') => automatic(Some(&of[1..]), &variable),
        _ => text.parse().map_err(|error: ShardError| error.to_string()),
    }
}

/// The shard that the environment says, where `of` is the number of shards that the user has given.
fn automatic(of: Option<&str>, variable: Variables) -> Result<Shard, String> {
    let mut found = Vec::new();
    for array in &ARRAYS {
        if let Some(index) = variable(array.variable).filter(|index| index != array.none) {
            found.push((array, index));
        }
    }
    match &found[..] {
        [] => of_launcher(of, variable),
        [(array, index)] => of_array(array, index, of),
        several => {
            let names = joined(several.iter().map(|(array, _)| array.variable), ", ");
            Err(format!("several indices are set: {names}; give K/N"))
        }
    }
}

fn of_array(array: &Array, index: &str, of: Option<&str>) -> Result<Shard, String> {
    // An array that is submitted again for one task says that it has one.
    let Some(of) = of else {
        return Err("write auto/N with the number of shards: a job array may not know it".to_owned());
    };
    let name = array.variable;
    let from_0 = index.parse::<u64>().ok().and_then(|index| index.checked_sub(array.first));
    let Some(from_0) = from_0 else {
        let (index, first) = (printable(index), array.first);
        return Err(format!("{name} is {index}: expected the index of a task, from {first}"));
    };
    format!("{from_0}/{of}").parse().map_err(|problem: ShardError| format!("{name} is {index}: {problem}"))
}

fn of_launcher(of: Option<&str>, variable: Variables) -> Result<Shard, String> {
    for launcher in &LAUNCHERS {
        if launcher.needs.is_some_and(|needed| variable(needed).is_none()) {
            continue;
        }
        let (Some(rank), Some(size)) = (variable(launcher.rank), variable(launcher.size)) else { continue };
        let (rank, size) = (printable(&rank).into_owned(), printable(&size).into_owned());
        // The tasks that are started together make all shards.
        if of.is_some_and(|of| of != size) {
            let of = printable(of.unwrap_or_default()).into_owned();
            return Err(format!(
                "{} is {size}, not {of}: start as many tasks as there are shards",
                launcher.size
            ));
        }
        return format!("{rank}/{size}").parse().map_err(|problem: ShardError| {
            format!("{} is {rank} and {} is {size}: {problem}", launcher.rank, launcher.size)
        });
    }
    let arrays = joined(ARRAYS.iter().map(|array| array.variable), ", ");
    let launchers = joined(LAUNCHERS.iter().map(|launcher| launcher.rank), ", ");
    Err(format!("no task is known: none of {arrays}, {launchers} is set"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn with(set: &[(&str, &str)], of: Option<&str>) -> Result<Shard, String> {
        automatic(of, &|name| set.iter().find(|(key, _)| *key == name).map(|(_, value)| (*value).to_owned()))
    }

    #[test]
    fn the_index_of_every_engine_counts_from_0() {
        for array in &ARRAYS {
            for (index, shard) in [(array.first, 0), (array.first + 6, 6)] {
                let index = index.to_string();
                let said = with(&[(array.variable, &index)], Some("7"));
                assert_eq!(said, Ok(Shard { index: shard, of: 7 }), "{}", array.variable);
            }
            let behind = (array.first + 7).to_string();
            let said = with(&[(array.variable, &behind)], Some("7")).expect_err("there is none");
            assert!(said.starts_with(array.variable), "{said}");
            assert!(with(&[(array.variable, "1")], None).is_err_and(|said| said.contains("auto/N")));
        }
    }

    #[test]
    fn a_job_that_is_no_array_has_no_index() {
        for set in [&[("SGE_TASK_ID", "undefined")], &[("LSB_JOBINDEX", "0")], &[("SLURM_PROCID", "0")]] {
            assert!(with(set, Some("7")).is_err_and(|said| said.starts_with("no task")), "{set:?}");
        }
        let step = [("LSB_JOBINDEX", "0"), ("OMPI_COMM_WORLD_RANK", "3"), ("OMPI_COMM_WORLD_SIZE", "4")];
        assert_eq!(with(&step, None), Ok(Shard { index: 3, of: 4 }));
    }

    #[test]
    fn a_launcher_says_how_many_tasks_there_are() {
        for launcher in &LAUNCHERS {
            let mut set = vec![(launcher.rank, "2"), (launcher.size, "7")];
            set.extend(launcher.needs.map(|needed| (needed, "0")));
            for of in [None, Some("7")] {
                assert_eq!(with(&set, of), Ok(Shard { index: 2, of: 7 }), "{}", launcher.rank);
            }
            assert!(with(&set, Some("8")).is_err_and(|said| said.starts_with(launcher.size)));
        }
    }

    #[test]
    fn what_is_doubtful_is_refused() {
        let two = [("SLURM_ARRAY_TASK_ID", "2"), ("PBS_ARRAY_INDEX", "2")];
        assert!(with(&two, Some("7")).is_err_and(|said| said.starts_with("several")));
        for index in ["x", "-1", "", "1.5"] {
            assert!(with(&[("PBS_ARRAYID", index)], Some("7")).is_err(), "{index:?}");
        }
        assert!(with(&[("SGE_TASK_ID", "0")], Some("7")).is_err());
        for of in ["0", "x", ""] {
            assert!(with(&[("PBS_ARRAY_INDEX", "0")], Some(of)).is_err(), "{of:?}");
        }
        assert!(parse_shard("auto-7").is_err());
    }
}
