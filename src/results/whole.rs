//! Which runs a folder holds whole, whatever killed the program that wrote it, and which bytes are theirs.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use super::ResultsError;
use super::files::{CONVERGENCE, RUNS};
use super::growing::{kept, named};
use super::rows::{ConvergenceRow, RunRow, header, read_runs, run_header};
use crate::experiment::{Every, Plan};

/// Every growing file with its header, in the order in which a run is written.
pub(super) fn growing(plan: &Plan) -> Vec<(&'static str, Vec<u8>)> {
    kept(&plan.config).map(|file| (file.name, (file.header)(&plan.settings.keys))).collect()
}

/// The texts of growing files, by name.
#[derive(Default)]
pub(super) struct Grown(pub(super) BTreeMap<&'static str, Vec<u8>>);

impl Grown {
    /// The text of a file, empty where it is not kept.
    pub(super) fn text(&self, name: &str) -> &[u8] {
        self.0.get(name).map_or(&[], |text| &text[..])
    }
}

/// The runs that are whole in all texts, up to the first that is not. `keys` are those that are swept; `every` says
/// which generations are recorded.
///
/// The row in `runs.csv` is written last, but a crash of the system may lose what was written first: the ends of the
/// other files are checked too. Of `convergence.csv` the last generation of a run tells, of others only a torn line.
pub(super) fn whole_runs(
    folder: &Path,
    grown: &Grown,
    keys: &[String],
    every: Every,
) -> Result<BTreeSet<u64>, ResultsError> {
    let (runs, convergence) = (grown.text(RUNS), grown.text(CONVERGENCE));
    let by_tears = grown.0.iter().filter_map(|(name, text)| Some((named(name)?, text)));
    let by_tears = by_tears.filter(|(file, _)| file.only_tears_tell);
    let torn_from = by_tears.filter_map(|(file, text)| torn_from(text, &(file.header)(keys))).min();
    let kept = whole_length(runs, &run_header(keys), |_| true);
    let rows = read_runs(&folder.join(RUNS), &runs[..kept])?;
    let reached = last_generations(convergence);
    let last = reached.keys().next_back().copied();
    let is_whole = |row: &RunRow| match reached.get(&row.run) {
        _ if every.is_never() => true,
        Some(generation) => Some(row.run) < last || *generation == row.generations,
        None => Some(row.run) < last,
    };
    let is_whole = |row: &RunRow| is_whole(row) && torn_from.is_none_or(|torn| row.run < torn);
    Ok(rows.iter().map(|(_, row)| row).take_while(|row| is_whole(row)).map(|row| row.run).collect())
}

/// The first run that a torn end of a file may belong to.
fn torn_from(text: &[u8], header: &[u8]) -> Option<u64> {
    let kept = whole_length(text, header, |_| true);
    if kept > 0 && kept == text.len() {
        return None;
    }
    let lines = text[header.len().min(kept)..kept].split(|byte| *byte == b'\n');
    Some(lines.filter_map(|line| number(line, 0)).next_back().unwrap_or(0))
}

/// The last generation of every run in the whole lines of `convergence.csv`.
fn last_generations(convergence: &[u8]) -> BTreeMap<u64, u64> {
    let header = header::<ConvergenceRow>();
    let kept = whole_length(convergence, &header, |_| true);
    let lines = convergence[header.len().min(kept)..kept].split(|byte| *byte == b'\n');
    lines.filter_map(|line| Some((number(line, 0)?, number(line, 1)?))).collect()
}

/// How many bytes are the header and whole lines of wanted runs; 0 when the header itself is not whole.
pub(super) fn whole_length(text: &[u8], header: &[u8], wanted: impl Fn(u64) -> bool) -> usize {
    if !text.starts_with(header) {
        return 0;
    }
    let mut kept = header.len();
    for line in records(&text[kept..]) {
        let is_closed = line.iter().filter(|byte| **byte == b'"').count().is_multiple_of(2);
        if !(is_closed && line.ends_with(b"\n") && number(line, 0).is_some_and(&wanted)) {
            break;
        }
        kept += line.len();
    }
    kept
}

/// The lines of a CSV text; a line break in quotes, which the id of a puzzle may have, ends none.
pub(super) fn records(text: &[u8]) -> impl Iterator<Item = &[u8]> {
    let mut quoted = false;
    text.split_inclusive(move |byte| {
        quoted ^= *byte == b'"';
        *byte == b'\n' && !quoted
    })
}

/// The number in a field of a line.
pub(super) fn number(line: &[u8], field: usize) -> Option<u64> {
    let field = line.split(|byte| *byte == b',').nth(field)?;
    str::from_utf8(field).ok()?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::super::asked::MigrationRow;
    use super::*;

    #[test]
    fn a_torn_line_and_unwanted_runs_are_cut() {
        let text = b"run,x\n0,1\n1,2\n2,3\n3";
        assert_eq!(whole_length(text, b"run,x\n", |_| true), 18);
        assert_eq!(whole_length(text, b"run,x\n", |run| run < 1), 10);
        assert_eq!(whole_length(b"run", b"run,x\n", |_| true), 0);
    }

    #[test]
    fn a_line_break_in_quotes_ends_no_line() {
        let text = b"run,x\n0,\"a\n1,\"\"\"\n1,\"a\n";
        assert_eq!(whole_length(text, b"run,x\n", |_| true), 17);
    }

    /// Three runs of 2, 2 and 0 generations, the convergence of which ends with the given lines.
    fn whole(convergence: &[&str], every: Every) -> Vec<u64> {
        let line = |run: u64, generations: u64| {
            format!("{run},p,0,{run},false,false,,9,0,{generations},4,1,0,evaluations,,,1 2/2 1\n")
        };
        let text = |header: Vec<u8>, lines: String| [header, lines.into_bytes()].concat();
        let runs = text(run_header(&[]), line(0, 2) + &line(1, 2) + &line(2, 0));
        let samples: String =
            convergence.iter().map(|start| format!("{start},8,0,4,4,4,0,0,0,0,0,0,0,\n")).collect();
        let convergence = text(header::<ConvergenceRow>(), samples);
        let grown = Grown([(RUNS, runs), (CONVERGENCE, convergence)].into());
        whole_runs(Path::new("folder"), &grown, &[], every).expect("sound rows").into_iter().collect()
    }

    #[test]
    fn a_run_whose_migrants_are_torn_is_not_whole() {
        let header = header::<MigrationRow>();
        let torn = |lines: &str| torn_from(&[&header, lines.as_bytes()].concat(), &header);
        assert_eq!(torn(""), None);
        assert_eq!(torn("0,1,60,0,0,1,9\n4,1,60,0,1,0,9\n"), None);
        assert_eq!(torn("0,1,60,0,0,1,9\n4,1,60,0,1,0,9\n4,2,12"), Some(4));
        assert_eq!((torn("0,1,6"), torn_from(b"run,bar", &header)), (Some(0), Some(0)));
    }

    #[test]
    fn a_run_whose_convergence_is_torn_is_not_whole() {
        assert_eq!(whole(&["0,0", "0,2", "1,0", "1,2", "2,0"], Every::Generations(2)), [0, 1, 2]);
        assert_eq!(whole(&["0,0", "0,2", "1,0", "1,2"], Every::Generations(2)), [0, 1]);
        assert_eq!(whole(&["0,0", "0,2", "1,0"], Every::Generations(2)), [0]);
        assert_eq!(whole(&["0,0"], Every::Generations(2)), [0u64; 0]);
        assert_eq!(whole(&[], Every::Generations(2)), [0u64; 0]);
    }

    #[test]
    fn without_convergence_the_rows_of_runs_decide() {
        assert_eq!(whole(&[], Every::Never), [0, 1, 2]);
    }
}
