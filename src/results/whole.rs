//! Which runs a folder holds whole, whatever killed the program that wrote it, and which bytes are theirs.

use std::collections::BTreeSet;
use std::path::Path;

use super::ResultsError;
use super::files::{CONVERGENCE, GROUPS, OPERATORS, RUNS};
use super::growing::{Growing, kept};
use super::pieces::{Pieces, number, records};
use super::rows::RunRow;
use crate::experiment::{Plan, Shard};

/// What the growing files of a folder hold whole.
pub(super) struct Whole {
    /// The runs that are whole in all files, up to the first that is not.
    pub(super) runs: BTreeSet<u64>,
    /// For each growing file that is kept the bytes of its header and of these runs; 0 where the header itself is torn.
    pub(super) lengths: Vec<u64>,
    /// Some file ends with these runs or in the next one, as one does whose end was lost.
    pub(super) is_cut_short: bool,
}

/// Where the runs of a growing file end.
#[derive(Default)]
struct Ends {
    /// Bytes of the header.
    header: u64,
    /// Of every run its number, the bytes up to its end, and its last generation where the file tells it.
    runs: Vec<(u64, u64, Option<u64>)>,
    /// Of `runs.csv`, of every run in the same order, its setting, and whether its best breaks nothing.
    rows: Vec<(u64, bool)>,
    is_torn: bool,
}

/// Finds what is whole; a file that is not there holds nothing.
///
/// The row in `runs.csv` is written last, but a crash of the system may lose what was written first: the ends of the
/// other files are checked too. Of `convergence.csv` the last generation of a run tells, of groups and operators that a run has
/// any; of migrants only a torn line, for a run may have none.
///
/// # Errors
/// [`ResultsError::Damaged`] for another header and for a row of a run that cannot be read, [`ResultsError::Io`].
pub(super) fn whole(folder: &Path, plan: &Plan, shard: Shard) -> Result<Whole, ResultsError> {
    let files: Vec<(&Growing, Ends)> = kept(&plan.config)
        .map(|file| Ok((file, Ends::of(folder, plan, file)?)))
        .collect::<Result<_, ResultsError>>()?;
    let of = |name: &str| files.iter().find(|(file, _)| file.name == name).map(|(_, ends)| ends);
    let (rows, reached) = (of(RUNS).expect("it is kept"), of(CONVERGENCE).expect("it is kept"));
    let torn_from = files.iter().filter(|(file, _)| file.is_sparse).filter_map(|(_, ends)| ends.torn_from());
    let torn_from = torn_from.min();
    let last = reached.runs.last().map(|(run, ..)| *run);
    let mut shown = reached.runs.iter().peekable();
    let mut is_whole = |run: u64, generations: Option<u64>| {
        // What has rows of convergence but none in runs.csv ends what is whole.
        if shown.peek().is_some_and(|(shown, ..)| *shown < run) {
            return false;
        }
        let generation = shown.next_if(|(shown, ..)| *shown == run).map(|(.., generation)| *generation);
        let has_rows = plan.config.record_every.is_never()
            || Some(run) < last
            || generation.is_some_and(|generation| generation == generations);
        has_rows && torn_from.is_none_or(|torn| run < torn)
    };
    // Runs of a setting have the same operators, and one that is not solved breaks a group.
    let (groups, operators) = (of(GROUPS), of(OPERATORS));
    let with_operators: BTreeSet<u64> = operators.map_or_else(BTreeSet::new, |operators| {
        let of_runs = rows.runs.iter().zip(&rows.rows);
        of_runs.filter(|((run, ..), _)| operators.has(*run)).map(|(_, (setting, _))| *setting).collect()
    });
    let has_what_is_asked = |place: usize, run: u64| {
        let (setting, breaks_nothing) = rows.rows[place];
        groups.is_none_or(|groups| breaks_nothing || groups.has(run))
            && operators.is_none_or(|operators| !with_operators.contains(&setting) || operators.has(run))
    };
    // A race leaves runs out.
    let follows =
        |place: usize, run: u64| plan.settings.race.is_some() || run == shard.index + place as u64 * shard.of;
    let runs: BTreeSet<u64> = rows
        .runs
        .iter()
        .enumerate()
        .take_while(|(place, (run, _, generations))| {
            follows(*place, *run) && has_what_is_asked(*place, *run) && is_whole(*run, *generations)
        })
        .map(|(_, (run, ..))| *run)
        .collect();
    let lengths = files.iter().map(|(_, ends)| ends.length(&runs)).collect();
    let is_cut_short = is_cut_short(plan, &files, runs.last().copied());
    Ok(Whole { runs, lengths, is_cut_short })
}

/// Some file ends with the last whole run or in the one behind it.
fn is_cut_short(plan: &Plan, files: &[(&Growing, Ends)], last: Option<u64>) -> bool {
    let has_every_run = |file: &Growing| {
        file.name == RUNS || file.name == CONVERGENCE && !plan.config.record_every.is_never()
    };
    let full = || files.iter().filter(|(file, _)| has_every_run(file)).map(|(_, ends)| ends);
    let behind = |ends: &Ends| ends.runs.iter().map(|(run, ..)| *run).find(|run| Some(*run) > last);
    let next = full().filter_map(behind).min();
    let ends_there = |ends: &Ends| {
        let end = ends.runs.last().map(|(run, ..)| *run);
        next.is_none() || end <= next
    };
    let asked = files.iter().filter(|(file, _)| file.is_sparse).map(|(_, ends)| ends);
    full().any(|ends| ends.is_torn || ends_there(ends))
        || asked.into_iter().any(|ends| !ends.is_whole_to(next))
}

impl Ends {
    /// The file goes on beyond the run, or may: nothing says that it was cut there.
    fn is_whole_to(&self, next: Option<u64>) -> bool {
        !self.is_torn && self.runs.last().is_none_or(|(run, ..)| Some(*run) > next)
    }

    /// The run has rows.
    fn has(&self, run: u64) -> bool {
        self.runs.binary_search_by_key(&run, |(run, ..)| *run).is_ok()
    }

    fn of(folder: &Path, plan: &Plan, file: &Growing) -> Result<Self, ResultsError> {
        let path = folder.join(file.file(&plan.config));
        if !path.exists() {
            return Ok(Self { is_torn: true, ..Self::default() });
        }
        let mut pieces = Pieces::open(&path, Some(&(file.header)(plan)))?;
        let mut ends = Self { header: pieces.header(), ..Self::default() };
        while let Some(piece) = pieces.next()? {
            let (run, end) = (piece.run, piece.end);
            let generation = match file.name {
                CONVERGENCE => records(&piece.text).last().and_then(|row| number(row, 1)),
                RUNS => {
                    let rows = pieces.rows::<RunRow>()?;
                    ends.rows.extend(rows.last().map(|(_, row)| (row.setting, row.best_fitness == 0)));
                    rows.last().map(|(_, row)| row.generations)
                }
                _ => None,
            };
            ends.runs.push((run, end, generation));
        }
        ends.is_torn = pieces.is_torn();
        Ok(ends)
    }

    /// The first run that a torn end of the file may belong to.
    fn torn_from(&self) -> Option<u64> {
        self.is_torn.then(|| self.runs.last().map_or(0, |(run, ..)| *run))
    }

    /// The bytes of the header and of the runs up to the first that is not among these.
    fn length(&self, whole: &BTreeSet<u64>) -> u64 {
        let kept = self.runs.iter().take_while(|(run, ..)| whole.contains(run));
        kept.last().map_or(self.header, |(_, end, _)| *end)
    }
}

#[cfg(test)]
mod tests {
    use super::super::growing::named;
    use super::super::pieces::kept_as;
    use super::*;
    use crate::experiment::Draft;
    use crate::puzzle::formats;

    /// A plan that records every second generation, or none.
    fn plan(every: u64, gzip: bool) -> Plan {
        let text = format!(
            "budget.evaluations = 9\nrecord = {{ every = {every}, gzip = {gzip}, migrations = true }}\n"
        );
        let settings = Draft::read("a.toml", &text).expect("TOML").settings().expect("a sound configuration");
        let puzzle = br#"{"id":"p","size":1,"cages":[{"op":"+","target":1,"cells":[[0,0]]}]}"#;
        let puzzles = formats::read("p", puzzle).into_iter().collect::<Result<_, _>>();
        Plan::new(settings, puzzles.expect("a sound puzzle"))
    }

    struct Lab {
        folder: tempfile::TempDir,
        plan: Plan,
    }

    impl Lab {
        fn new(every: u64, gzip: bool) -> Self {
            Self { folder: tempfile::tempdir().expect("a folder"), plan: plan(every, gzip) }
        }

        /// Writes a growing file: the header, every run's lines, and bytes that were torn.
        fn write(&self, name: &str, runs: &[&[String]], torn: &str) {
            let file = named(name).expect("a growing file");
            let name = file.file(&self.plan.config);
            let mut bytes = kept_as(name, (file.header)(&self.plan));
            for lines in runs {
                bytes.extend(kept_as(name, lines.concat().into_bytes()));
            }
            let torn_bytes = kept_as(name, torn.as_bytes().to_vec());
            let kept = torn_bytes.len() - usize::from(!torn.is_empty());
            bytes.extend(&torn_bytes[..kept]);
            std::fs::write(self.folder.path().join(name), bytes).expect("the folder can be written");
        }

        fn whole(&self) -> Vec<u64> {
            let whole = whole(self.folder.path(), &self.plan, Shard::WHOLE).expect("sound rows");
            whole.runs.into_iter().collect()
        }
    }

    /// Three runs of 2, 2 and 0 generations, the convergence of which holds the given rows; a run and its generation.
    fn lab(samples: &[(u64, u64)], torn: &str, every: u64, gzip: bool) -> Lab {
        let lab = Lab::new(every, gzip);
        let row = |run: u64, generations: u64| {
            vec![format!("{run},p,0,{run},false,false,,9,0,{generations},4,1,0,evaluations,,,1 2/2 1\n")]
        };
        lab.write(RUNS, &[&row(0, 2), &row(1, 2), &row(2, 0)], "");
        lab.write("migrations.csv", &[], "");
        let sample =
            |(run, generation): &(u64, u64)| format!("{run},{generation},8,0,4,4,4,0,0,0,0,0,0,0,,0\n");
        let of_run = |rows: &[(u64, u64)]| rows.iter().map(sample).collect::<Vec<_>>();
        let runs: Vec<Vec<String>> = samples.chunk_by(|a, b| a.0 == b.0).map(of_run).collect();
        lab.write(CONVERGENCE, &runs.iter().map(Vec::as_slice).collect::<Vec<_>>(), torn);
        lab
    }

    #[test]
    fn a_run_whose_convergence_is_torn_is_not_whole() {
        for gzip in [false, true] {
            let whole = |samples: &[(u64, u64)], torn| lab(samples, torn, 2, gzip).whole();
            assert_eq!(whole(&[(0, 0), (0, 2), (1, 0), (1, 2), (2, 0)], ""), [0, 1, 2]);
            assert_eq!(whole(&[(0, 0), (0, 2), (1, 0), (1, 2)], "2,0,8\n"), [0, 1]);
            assert_eq!(whole(&[(0, 0), (0, 2), (1, 0)], ""), [0]);
            assert_eq!(whole(&[(0, 0)], ""), [0u64; 0]);
            assert_eq!(whole(&[], "0,0,8\n"), [0u64; 0]);
        }
    }

    #[test]
    fn a_run_whose_migrants_are_torn_is_not_whole() {
        for gzip in [false, true] {
            let lab = lab(&[(0, 0), (0, 2), (1, 0), (1, 2), (2, 0)], "", 2, gzip);
            let migrants = ["0,1,60,0,0,1,9\n".to_owned(), "0,2,90,0,1,0,9\n".to_owned()];
            let torn = |runs: &[&[String]], torn| {
                lab.write("migrations.csv", runs, torn);
                lab.whole()
            };
            assert_eq!(torn(&[&migrants], ""), [0, 1, 2]);
            assert_eq!(torn(&[&migrants, &["1,1,60,0,0,1,9\n".to_owned()]], "1,2,12\n"), [0]);
            assert_eq!(torn(&[], "0,1,6\n"), [0u64; 0]);
        }
    }

    #[test]
    fn without_convergence_the_rows_of_runs_decide() {
        assert_eq!(lab(&[], "", 0, false).whole(), [0, 1, 2]);
    }

    #[test]
    fn a_run_whose_row_is_gone_ends_what_is_whole() {
        let lab = lab(&[(0, 0), (0, 2), (1, 0), (1, 2), (2, 0)], "", 2, false);
        let runs = std::fs::read_to_string(lab.folder.path().join(RUNS)).expect("it is there");
        let without: String =
            runs.lines().filter(|row| !row.starts_with("1,")).map(|row| format!("{row}\n")).collect();
        std::fs::write(lab.folder.path().join(RUNS), without).expect("it can be written");
        assert_eq!(lab.whole(), [0]);
    }

    #[test]
    fn lengths_are_those_of_the_runs_that_are_whole() {
        for gzip in [false, true] {
            let lab = lab(&[(0, 0), (0, 2), (1, 0), (1, 2), (2, 0)], "", 2, gzip);
            let whole = whole(lab.folder.path(), &lab.plan, Shard::WHOLE).expect("sound rows");
            let length =
                |name: &str| std::fs::metadata(lab.folder.path().join(name)).expect("it is there").len();
            let convergence = named(CONVERGENCE).expect("a growing file").file(&lab.plan.config);
            let place = |name| kept(&lab.plan.config).position(|file| file.name == name).expect("it is kept");
            assert_eq!(whole.lengths[place(CONVERGENCE)], length(convergence));
            assert_eq!(whole.lengths[place(RUNS)], length(RUNS));
        }
    }

    #[test]
    fn a_line_break_in_quotes_ends_no_line() {
        let lab = lab(&[(0, 0), (0, 2)], "", 2, false);
        let quoted = "0,\"p\nq\",0,0,false,false,,9,0,2,4,1,0,evaluations,,,1 2/2 1\n".to_owned();
        lab.write(RUNS, &[&[quoted]], "1,\"p\n");
        assert_eq!(lab.whole(), [0]);
    }
}
