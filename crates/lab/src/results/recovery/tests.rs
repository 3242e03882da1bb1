//! Folders of which something was lost.

mod killed;

use std::fs;

use super::*;
use crate::experiment::ConfigDraft;
use crate::results::run_files::run_file;
use crate::results::run_reader::as_stored;
use kenga_core::puzzle::formats;

/// A plan that records every second generation, or none.
fn plan(every: u64, gzip: bool) -> Plan {
    let text = format!(
        "replicates = 3\nbudget.evaluations = 9\nrecord = {{ every = {every}, gzip = {gzip}, migrations = true }}\n"
    );
    let settings =
        ConfigDraft::read("a.toml", &text).expect("TOML").settings().expect("a sound configuration");
    let puzzle = br#"{"id":"p","size":1,"cages":[{"op":"+","target":1,"cells":[[0,0]]}]}"#;
    let puzzles = formats::read("p", puzzle).into_iter().collect::<Result<_, _>>();
    Plan::new(settings, puzzles.expect("a sound puzzle"))
}

struct TestLab {
    folder: tempfile::TempDir,
    plan: Plan,
}

impl TestLab {
    fn new(every: u64, gzip: bool) -> Self {
        Self { folder: tempfile::tempdir().expect("a folder"), plan: plan(every, gzip) }
    }

    /// Writes a growing file: the header, every run's lines, and bytes that were torn.
    fn write(&self, name: &str, runs: &[&[String]], torn: &str) {
        let file = run_file(name).expect("a growing file");
        let name = file.file(&self.plan.config);
        let mut bytes = as_stored(name, (file.header)(&self.plan));
        for lines in runs {
            bytes.extend(as_stored(name, lines.concat().into_bytes()));
        }
        let torn_bytes = as_stored(name, torn.as_bytes().to_vec());
        let kept = torn_bytes.len() - usize::from(!torn.is_empty());
        bytes.extend(&torn_bytes[..kept]);
        fs::write(self.folder.path().join(name), bytes).expect("the folder can be written");
    }

    fn whole(&self) -> Vec<u64> {
        let whole = recover(self.folder.path(), &self.plan, Shard::WHOLE).expect("sound rows");
        whole.runs.into_iter().collect()
    }
}

/// Three runs of 2, 2 and 0 generations, the convergence of which holds the given rows; a run and its generation.
fn lab(samples: &[(u64, u64)], torn: &str, every: u64, gzip: bool) -> TestLab {
    let lab = TestLab::new(every, gzip);
    let row = |run: u64, generations: u64| {
        vec![format!("{run},p,0,{run},false,false,,9,0,{generations},4,1,0,evaluations,,,1 2/2 1\n")]
    };
    lab.write(RUNS, &[&row(0, 2), &row(1, 2), &row(2, 0)], "");
    lab.write("migrations.csv", &[], "");
    let sample = |(run, generation): &(u64, u64)| format!("{run},{generation},8,0,4,4,4,0,0,0,0,0,0,0,,0\n");
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
    let runs = fs::read_to_string(&path).expect("it is there");
    let short = runs.replace("2,p,0,2,false,false,,9,", "2,p,0,2,false,false,,3,");
    assert_ne!(short, runs);
    fs::write(path, short).expect("it can be written");
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
    let found = recover(lab.folder.path(), &lab.plan, Shard::WHOLE).expect("sound rows");
    let unused = found.unused.expect("a run is there twice");
    assert_eq!((found.runs, unused.is_damage), ([0].into(), true));
    assert_eq!(unused.note(), "1 row of runs.csv is not used: run 0 stands where run 1 should");
}

#[test]
fn without_convergence_the_rows_of_runs_decide() {
    assert_eq!(lab(&[], "", 0, false).whole(), [0, 1, 2]);
}

#[test]
fn a_run_whose_row_is_gone_ends_what_is_whole() {
    let lab = lab(&[(0, 0), (0, 2), (1, 0), (1, 2), (2, 0)], "", 2, false);
    let runs = fs::read_to_string(lab.folder.path().join(RUNS)).expect("it is there");
    let without: String =
        runs.lines().filter(|row| !row.starts_with("1,")).map(|row| format!("{row}\n")).collect();
    fs::write(lab.folder.path().join(RUNS), without).expect("it can be written");
    assert_eq!(lab.whole(), [0]);
}

/// What is not used of three runs with another `runs.csv`, and whether that is damage.
fn unused(change: impl Fn(&mut Vec<String>)) -> Option<(u64, String, bool)> {
    let lab = TestLab::new(0, false);
    let row = |run: u64| format!("{run},p,0,{run},false,false,,9,0,0,4,1,0,evaluations,,,1\n");
    let mut rows: Vec<String> = (0..3).map(row).collect();
    change(&mut rows);
    lab.write(RUNS, &[&rows], "");
    lab.write("migrations.csv", &[], "");
    let unused = recover(lab.folder.path(), &lab.plan, Shard::WHOLE).expect("sound rows").unused?;
    Some((unused.rows, unused.reason, unused.is_damage))
}

#[test]
fn what_follows_a_gap_is_named() {
    let said = |rows, reason: &str| Some((rows, reason.to_owned(), true));
    assert_eq!(unused(|_| {}), None);
    assert_eq!(unused(|rows| drop(rows.remove(1))), said(1, "run 1 is missing"));
    assert_eq!(unused(|rows| drop(rows.remove(0))), said(2, "run 0 is missing"));
    assert_eq!(unused(|rows| rows.swap(0, 1)), said(3, "run 0 is missing"));
    assert_eq!(
        unused(|rows| rows[1] = rows[1].replace("1,p,0,", "1,p,18446744073709551615,")),
        said(2, "run 1 is of setting 18446744073709551615, which is not among the folder's settings")
    );
    assert_eq!(
        unused(|rows| rows[2] = rows[2].replace("2,p,", "2,q,")),
        said(1, "run 2 is of `q`, which is not among the folder's puzzles")
    );
    assert_eq!(
        unused(|rows| rows.insert(1, "no row\n".to_owned())),
        said(3, "line 3 is not a row of the next run")
    );
    assert_eq!(
        unused(|rows| rows.push("3,p,0,3,false,false,,9,0,0,4,1,0,evaluations,,,1\n".to_owned())),
        said(1, "run 3 is not one of the plan's, or its race is over")
    );
    assert_eq!(unused(|rows| rows.push("3,p,0".to_owned())), None, "a kill leaves this");
}

#[test]
fn a_folder_that_has_ended_lacks_no_row_of_convergence() {
    for (samples, whole) in [
        (vec![(0, 0), (0, 2), (2, 0), (2, 2)], vec![0]),
        (vec![(0, 0), (0, 2), (1, 0)], vec![0]),
        // Run 2 has no generation.
        (vec![(0, 0), (0, 2), (1, 0), (1, 2)], vec![0, 1, 2]),
        (vec![(0, 0), (0, 2), (1, 0), (1, 2), (2, 0)], vec![0, 1, 2]),
    ] {
        let lab = lab(&samples, "", 2, false);
        let found = recover_finished(lab.folder.path(), &lab.plan, Shard::WHOLE).expect("sound rows");
        assert_eq!(found.runs.into_iter().collect::<Vec<_>>(), whole, "{samples:?}");
    }
}

#[test]
fn lengths_are_those_of_the_runs_that_are_whole() {
    for gzip in [false, true] {
        let lab = lab(&[(0, 0), (0, 2), (1, 0), (1, 2), (2, 0)], "", 2, gzip);
        let whole = recover(lab.folder.path(), &lab.plan, Shard::WHOLE).expect("sound rows");
        let lengths = whole.lengths();
        let length = |name: &str| fs::metadata(lab.folder.path().join(name)).expect("it is there").len();
        let convergence = run_file(CONVERGENCE).expect("a growing file").file(&lab.plan.config);
        let place = |name| run_files_of(&lab.plan).position(|file| file.name == name).expect("it is kept");
        assert_eq!(lengths[place(CONVERGENCE)], length(convergence));
        assert_eq!(lengths[place(RUNS)], length(RUNS));
    }
}

#[test]
fn a_line_break_in_quotes_ends_no_line() {
    let mut lab = lab(&[(0, 0), (0, 2)], "", 2, false);
    lab.plan.puzzles[0].id = "p\nq".to_owned();
    let quoted = "0,\"p\nq\",0,0,false,false,,9,0,2,4,1,0,evaluations,,,1 2/2 1\n".to_owned();
    lab.write(RUNS, &[&[quoted]], "1,\"p\n");
    assert_eq!(lab.whole(), [0]);
}
