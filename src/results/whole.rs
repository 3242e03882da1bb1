//! Which runs a folder holds whole, whatever killed the program that wrote it, and which bytes are theirs.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use super::ResultsError;
use super::files::{CONVERGENCE, GROUPS, MIGRATIONS, OPERATORS, RUNS};
use super::growing::{Growing, kept};
use super::pieces::{Piece, Pieces, number, records};
use super::rows::RunRow;
use crate::experiment::{Broken, Plan, Shard};
use crate::puzzle::Grid;

/// What the growing files of a folder hold whole.
pub(super) struct Whole {
    /// The runs that are whole in all files, up to the first that is not.
    pub(super) runs: BTreeSet<u64>,
    /// For each growing file that is kept the bytes of its header and of these runs; 0 where the header itself is torn.
    pub(super) lengths: Vec<u64>,
    /// Some file ends with these runs or in the next one, as one does whose end was lost.
    pub(super) is_cut_short: bool,
}

/// Where a run ends in a growing file.
struct End {
    run: u64,
    /// Bytes of the file up to there.
    bytes: u64,
    /// Its rows.
    rows: usize,
    /// The calls of its first row, and the generation of its last, where rows have them.
    first_calls: u64,
    generation: u64,
}

/// Where the runs of a growing file end.
#[derive(Default)]
struct Ends {
    /// Bytes of the header.
    header: u64,
    runs: Vec<End>,
    is_torn: bool,
}

/// What `runs.csv` says of a run, and decides what it must have elsewhere.
struct Told {
    run: u64,
    setting: u64,
    calls: u64,
    generations: u64,
    breaks_nothing: bool,
}

/// Finds what is whole; a file that is not there holds nothing.
///
/// The row in `runs.csv` is written last, but a crash of the system may lose what was written first: the ends of the
/// other files are checked too. A run that is not known to be whole is made again.
///
/// # Errors
/// [`ResultsError::Damaged`] for another header, for a row of a run that cannot be read and for one that is there twice,
/// [`ResultsError::Io`].
pub(super) fn whole(folder: &Path, plan: &Plan, shard: Shard) -> Result<Whole, ResultsError> {
    let mut told = Vec::new();
    let files: Vec<(&Growing, Ends)> = kept(&plan.config)
        .map(|file| Ok((file, Ends::of(folder, plan, file, &mut told)?)))
        .collect::<Result<_, ResultsError>>()?;
    let of = |name: &str| files.iter().find(|(file, _)| file.name == name).map(|(_, ends)| ends);
    let torn_from = files.iter().filter(|(file, _)| file.is_sparse).filter_map(|(_, ends)| ends.torn_from());
    let torn_from = torn_from.min();
    let has_samples = Samples::of(plan, of(CONVERGENCE).expect("it is kept"));
    let has_groups = of(GROUPS).map(|ends| Groups::of(folder, plan, ends)).transpose()?;
    let has_operators = of(OPERATORS).map(|ends| Operators::of(plan, ends));
    let has_migrants = of(MIGRATIONS).map(|ends| Migrants::of(plan, ends));
    let is_whole = |told: &Told| {
        has_samples.hold(told)
            && has_groups.as_ref().is_none_or(|groups| groups.hold(told))
            && has_operators.as_ref().is_none_or(|operators| operators.hold(told))
            && has_migrants.as_ref().is_none_or(|migrants| migrants.hold(told))
            && torn_from.is_none_or(|torn| told.run < torn)
    };
    // A race leaves runs out.
    let follows =
        |place: usize, run: u64| plan.settings.race.is_some() || run == shard.index + place as u64 * shard.of;
    let runs: BTreeSet<u64> = told
        .iter()
        .enumerate()
        .take_while(|(place, told)| follows(*place, told.run) && is_whole(told))
        .map(|(_, told)| told.run)
        .collect();
    let lengths = files.iter().map(|(_, ends)| ends.length(&runs)).collect();
    let is_cut_short = is_cut_short(plan, &files, runs.last().copied());
    Ok(Whole { runs, lengths, is_cut_short })
}

/// The least number of calls at which runs of a setting have their first row.
fn first_calls(plan: &Plan, ends: &Ends) -> BTreeMap<u64, u64> {
    let mut least = BTreeMap::new();
    for end in &ends.runs {
        let calls = least.entry(plan.id(end.run).setting).or_insert(end.first_calls);
        *calls = end.first_calls.min(*calls);
    }
    least
}

/// Which runs have all their rows of convergence: those before the last that has any, and those that reach the generation
/// that `runs.csv` names, or ended before a first one.
struct Samples<'a> {
    ends: &'a Ends,
    first_calls: BTreeMap<u64, u64>,
    is_never: bool,
}

impl<'a> Samples<'a> {
    fn of(plan: &Plan, ends: &'a Ends) -> Self {
        Self { ends, first_calls: first_calls(plan, ends), is_never: plan.config.record_every.is_never() }
    }

    fn hold(&self, told: &Told) -> bool {
        let Some(end) = self.ends.find(told.run) else {
            let is_short = || self.first_calls.get(&told.setting).is_none_or(|least| told.calls < *least);
            return self.is_never || told.generations == 0 && !self.ends.is_torn && is_short();
        };
        Some(told.run) < self.ends.last() || end.generation == told.generations
    }
}

/// Which runs have all the groups that they break: those before the last that has any, and that one where it has as many
/// as its grid breaks.
struct Groups<'a> {
    ends: &'a Ends,
    /// The last run has not all of its rows.
    lacks_rows: bool,
}

impl<'a> Groups<'a> {
    fn of(folder: &Path, plan: &Plan, ends: &'a Ends) -> Result<Self, ResultsError> {
        let row = ends.last().map(|run| row_of(folder, plan, run)).transpose()?.flatten();
        let broken = row.and_then(|row| {
            let (id, config) = (plan.id(row.run), &plan.setting(plan.id(row.run).setting).config);
            let puzzle = &plan.puzzles[id.puzzle];
            let grid = Grid::parse(&row.grid, puzzle.rows(), puzzle.cols()).ok()?;
            Broken::of_grid(puzzle, config, &grid)
        });
        let has = ends.runs.last().map(|end| end.rows);
        Ok(Self { ends, lacks_rows: broken.is_some_and(|broken| Some(broken.len()) > has) })
    }

    fn hold(&self, told: &Told) -> bool {
        let is_last = Some(told.run) == self.ends.last();
        told.breaks_nothing || self.ends.find(told.run).is_some() && !(is_last && self.lacks_rows)
    }
}

/// Which runs have all their operators: those before the last that has any, and those that have as many as any run of
/// their setting.
struct Operators<'a> {
    ends: &'a Ends,
    /// The most rows of a run, by setting.
    most: BTreeMap<u64, usize>,
}

impl<'a> Operators<'a> {
    fn of(plan: &Plan, ends: &'a Ends) -> Self {
        let mut most = BTreeMap::new();
        for end in &ends.runs {
            let rows = most.entry(plan.id(end.run).setting).or_insert(0);
            *rows = end.rows.max(*rows);
        }
        Self { ends, most }
    }

    fn hold(&self, told: &Told) -> bool {
        let rows = self.ends.find(told.run).map_or(0, |end| end.rows);
        Some(told.run) < self.ends.last() || self.most.get(&told.setting).is_none_or(|most| rows >= *most)
    }
}

/// Which runs have their migrants: those up to the last that has any, and those that ended before the first migration of
/// their setting.
struct Migrants<'a> {
    ends: &'a Ends,
    first_calls: BTreeMap<u64, u64>,
}

impl<'a> Migrants<'a> {
    fn of(plan: &Plan, ends: &'a Ends) -> Self {
        Self { ends, first_calls: first_calls(plan, ends) }
    }

    fn hold(&self, told: &Told) -> bool {
        let is_short = || self.first_calls.get(&told.setting).is_none_or(|least| told.calls < *least);
        Some(told.run) <= self.ends.last() || is_short()
    }
}

/// The row of a run.
fn row_of(folder: &Path, plan: &Plan, run: u64) -> Result<Option<RunRow>, ResultsError> {
    let file = kept(&plan.config).find(|file| file.name == RUNS).expect("it is kept");
    let path = folder.join(file.name);
    if !path.exists() {
        return Ok(None);
    }
    let mut pieces = Pieces::open(&path, Some(&(file.header)(plan)))?;
    while let Some(piece) = pieces.next()? {
        if piece.run == run {
            return Ok(pieces.rows()?.pop().map(|(_, row)| row));
        }
    }
    Ok(None)
}

/// Some file ends with the last whole run or in the one behind it.
fn is_cut_short(plan: &Plan, files: &[(&Growing, Ends)], last: Option<u64>) -> bool {
    let has_every_run = |file: &Growing| {
        file.name == RUNS || file.name == CONVERGENCE && !plan.config.record_every.is_never()
    };
    let full = || files.iter().filter(|(file, _)| has_every_run(file)).map(|(_, ends)| ends);
    let behind = |ends: &Ends| ends.runs.iter().map(|end| end.run).find(|run| Some(*run) > last);
    let next = full().filter_map(behind).min();
    let ends_there = |ends: &Ends| next.is_none() || ends.last() <= next;
    let asked = files.iter().filter(|(file, _)| file.is_sparse).map(|(_, ends)| ends);
    full().any(|ends| ends.is_torn || ends_there(ends))
        || asked.into_iter().any(|ends| !ends.is_whole_to(next))
}

impl Ends {
    /// Reads a file; of `runs.csv`, what it tells too.
    fn of(folder: &Path, plan: &Plan, file: &Growing, told: &mut Vec<Told>) -> Result<Self, ResultsError> {
        let path = folder.join(file.file(&plan.config));
        if !path.exists() {
            return Ok(Self { is_torn: true, ..Self::default() });
        }
        let mut pieces = Pieces::open(&path, Some(&(file.header)(plan)))?;
        let mut ends = Self { header: pieces.header(), ..Self::default() };
        while let Some(piece) = pieces.next()? {
            ends.runs.push(End::of(piece, file.name));
            if file.has_one_row && ends.runs.last().is_some_and(|end| end.rows > 1) {
                return Err(pieces.damaged_here("this run is there twice".to_owned()));
            }
            if file.name == RUNS {
                let row: Option<(u64, RunRow)> = pieces.rows()?.pop();
                told.extend(row.map(|(_, row)| Told::of(&row)));
            }
        }
        ends.is_torn = pieces.is_torn();
        Ok(ends)
    }

    /// The last run that has rows.
    fn last(&self) -> Option<u64> {
        self.runs.last().map(|end| end.run)
    }

    /// Where the rows of a run end, if it has any.
    fn find(&self, run: u64) -> Option<&End> {
        self.runs.binary_search_by_key(&run, |end| end.run).ok().map(|place| &self.runs[place])
    }

    /// The file goes on beyond the run, or may: nothing says that it was cut there.
    fn is_whole_to(&self, next: Option<u64>) -> bool {
        !self.is_torn && self.last().is_none_or(|run| Some(run) > next)
    }

    /// The first run that a torn end of the file may belong to.
    fn torn_from(&self) -> Option<u64> {
        self.is_torn.then(|| self.last().unwrap_or(0))
    }

    /// The bytes of the header and of the runs up to the first that is not among these.
    fn length(&self, whole: &BTreeSet<u64>) -> u64 {
        let kept = self.runs.iter().take_while(|end| whole.contains(&end.run));
        kept.last().map_or(self.header, |end| end.bytes)
    }
}

impl End {
    fn of(piece: &Piece, file: &str) -> Self {
        let field = |row: Option<&[u8]>, field| row.and_then(|row| number(row, field)).unwrap_or(0);
        let first = || records(&piece.text).next();
        let (first_calls, generation) = match file {
            // run, generation or barrier, evaluations, moves
            CONVERGENCE | MIGRATIONS => {
                (field(first(), 2) + field(first(), 3), field(records(&piece.text).last(), 1))
            }
            _ => (0, 0),
        };
        let (run, bytes, rows) = (piece.run, piece.end, records(&piece.text).count());
        Self { run, bytes, rows, first_calls, generation }
    }
}

impl Told {
    fn of(row: &RunRow) -> Self {
        Self {
            run: row.run,
            setting: row.setting,
            calls: row.evaluations.saturating_add(row.moves),
            generations: row.generations,
            breaks_nothing: row.best_fitness == 0,
        }
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
    fn a_run_that_ended_before_its_first_generation_is_whole_without_rows() {
        let lab = lab(&[(0, 0), (0, 2), (1, 0), (1, 2)], "", 2, false);
        assert_eq!(lab.whole(), [0, 1], "it spent as much as others had at theirs");
        let path = lab.folder.path().join(RUNS);
        let runs = std::fs::read_to_string(&path).expect("it is there");
        let short = runs.replace("2,p,0,2,false,false,,9,", "2,p,0,2,false,false,,3,");
        assert_ne!(short, runs);
        std::fs::write(path, short).expect("it can be written");
        assert_eq!(lab.whole(), [0, 1, 2]);
    }

    #[test]
    fn runs_that_lost_all_their_migrants_are_not_whole() {
        let lab = lab(&[(0, 0), (0, 2), (1, 0), (1, 2), (2, 0)], "", 2, false);
        lab.write("migrations.csv", &[&["0,1,5,0,0,1,9\n".to_owned()]], "");
        assert_eq!(lab.whole(), [0], "the others went on beyond the first migration");
        lab.write("migrations.csv", &[&["0,1,10,0,0,1,9\n".to_owned()]], "");
        assert_eq!(lab.whole(), [0, 1, 2], "the others did not come so far");
    }

    #[test]
    fn a_run_that_is_there_twice_is_refused() {
        let lab = lab(&[(0, 0), (0, 2)], "", 2, false);
        let row = "0,p,0,0,false,false,,9,0,2,4,1,0,evaluations,,,1 2/2 1\n".to_owned();
        lab.write(RUNS, &[&[row.clone(), row]], "");
        let error = whole(lab.folder.path(), &lab.plan, Shard::WHOLE).err().expect("a run is there twice");
        assert!(error.to_string().ends_with("runs.csv, line 2: this run is there twice"), "{error}");
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
