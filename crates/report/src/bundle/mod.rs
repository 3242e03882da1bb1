//! A study as one file for others: what stands in it beside the results folders, the report and its figures.
//!
//! ```text
//! README.md  CITATION.cff  ro-crate-metadata.json  checksums.txt  versions.txt  repeat.sh
//! configs/NAME.toml          the configuration of each folder, every default filled in
//! results/NAME/              the folder as it is, with its puzzles
//! report.html  figures/      what `kenga report` makes of them
//! tables/                    what `kenga compare` prints, in every form
//! ```

mod author;
mod citation;
mod crate_metadata;
mod readme;
mod repeat;

use super::html::configuration;
use super::several;
pub use author::Author;
use kenga_lab::study::{Names, Study};
pub use repeat::FORMS;

/// What the author says about a study; what is not said is not made up.
#[derive(Clone, Debug, Default)]
pub struct AboutStudy {
    /// Its title.
    pub title: String,
    /// Its authors.
    pub authors: Vec<Author>,
    /// The identifier of its licence in the list of SPDX.
    pub license: Option<String>,
    /// The day of its publication, `2026-11-23`.
    pub date: Option<String>,
}

/// A file of the bundle that is no result.
pub struct BundleFile {
    /// Its path.
    pub name: String,
    /// Its content.
    pub bytes: Vec<u8>,
    /// Whether it is a program.
    pub is_program: bool,
}

impl BundleFile {
    /// A text.
    pub fn text(name: impl Into<String>, text: String) -> Self {
        Self { name: name.into(), bytes: text.into_bytes(), is_program: false }
    }
}

/// A file that is in the bundle: its path, its bytes and their SHA-256.
pub struct Listed<'a> {
    /// The path inside the bundle.
    pub name: &'a str,
    /// The number of bytes.
    pub size: u64,
    /// The SHA-256 in hexadecimal.
    pub digest: &'a str,
}

/// A folder of results as the bundle has it.
pub struct Packed {
    /// Its name: that of its configuration, and of its folder below `results`.
    pub name: String,
    configuration: String,
    how: Repetition,
    /// Runs that the clock ended: others end elsewhere.
    by_the_clock: u64,
    runs: u64,
}

/// How the runs of a folder are repeated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Repetition {
    /// By its configuration, all bytes alike.
    Run,
    /// One by one, because it holds a part of an experiment, or a sweep that no configuration describes.
    Replay,
    /// One by one, with the programs that were its algorithms.
    Programs,
}

/// The version of kenga that made the results: no other reads them.
const KENGA: &str = concat!("kenga ", env!("CARGO_PKG_VERSION"));

/// The folders of a study as a bundle has them. From now on the study calls them by their paths in it.
pub fn packed(study: &mut Study) -> Vec<Packed> {
    let mut names = Names::default();
    let all: Vec<Packed> = (0..study.folders.len()).map(|index| of(study, index, &mut names)).collect();
    for (index, packed) in all.iter().enumerate() {
        rename(study, index, &packed.name);
    }
    all
}

/// Gives a folder the name that it has in the bundle, with the labels that hold it: who repeats the report has no other.
fn rename(study: &mut Study, index: usize, name: &str) {
    let folder = &mut study.folders[index];
    let before = std::mem::replace(&mut folder.name, name.to_owned());
    folder.named = name.into();
    // The settings of a single folder do not name it.
    if study.folders.len() == 1 {
        return;
    }
    for setting in study.settings.iter_mut().filter(|setting| setting.folder == index) {
        if let Some(words) = setting.label.strip_prefix(&before) {
            setting.label = format!("{name}{words}");
        }
    }
}

fn of(study: &Study, index: usize, names: &mut Names) -> Packed {
    let folder = &study.folders[index];
    let last = folder.path.canonicalize().unwrap_or_else(|_| folder.path.clone());
    let name = names.like(&last.file_name().unwrap_or_default().to_string_lossy());
    let (configuration, is_whole) =
        configuration(&folder.plan, &format!("../results/{name}/{}", super::html::PUZZLES));
    let how = match folder {
        folder if folder.plan.starts_programs() => Repetition::Programs,
        folder if is_whole && folder.partial().is_none() => Repetition::Run,
        _ => Repetition::Replay,
    };
    let runs: Vec<usize> =
        study.counted_runs().filter(|run| study.runs.folder[*run] as usize == index).collect();
    let by_the_clock = runs.iter().filter(|run| study.runs.was_cut_by_the_clock(**run)).count() as u64;
    Packed { name, configuration, how, by_the_clock, runs: (runs.len() + folder.doubles.len()) as u64 }
}

impl AboutStudy {
    /// An ORCID that two authors have.
    pub fn doubled_orcid(&self) -> Option<&str> {
        let orcids: Vec<&str> = self.authors.iter().filter_map(|author| author.orcid.as_deref()).collect();
        (1..orcids.len()).find(|index| orcids[..*index].contains(&orcids[*index])).map(|index| orcids[index])
    }
}

impl Packed {
    /// A warning about what cannot be repeated; `None` where all can.
    pub fn warning(&self) -> Option<String> {
        let name = &self.name;
        match (self.by_the_clock, self.how) {
            (0, Repetition::Programs) => Some(format!(
                "{name}: its runs need programs that are not in the bundle: `PROGRAMS=DIR ./repeat.sh` names their folder"
            )),
            (0, _) => None,
            // The clock says when they end, and no two machines are equally fast.
            (runs, _) => Some(format!(
                "{name}: {} ended by time: repeated, they end after another number of calls",
                several(runs, "run")
            )),
        }
    }
}

/// The files that go with the results: without the report, the tables, and those that list the others. `tables` are the words
/// of `kenga compare` that made them; `None` without tables.
pub fn files(folders: &[Packed], about: &AboutStudy, tables: Option<&[&str]>) -> Vec<BundleFile> {
    let config =
        |one: &Packed| BundleFile::text(format!("configs/{}.toml", one.name), one.configuration.clone());
    let mut all = vec![
        BundleFile::text("README.md", readme::text(folders, about)),
        BundleFile::text("CITATION.cff", citation::text(about)),
        BundleFile::text("versions.txt", format!("{KENGA}\n")),
        BundleFile {
            name: "repeat.sh".to_owned(),
            bytes: repeat::text(folders, about, tables).into_bytes(),
            is_program: true,
        },
    ];
    all.extend(folders.iter().map(config));
    all
}

/// `ro-crate-metadata.json`, about all files of the bundle but itself and the checksums.
pub fn metadata(about: &AboutStudy, all: &[Listed<'_>]) -> BundleFile {
    BundleFile::text("ro-crate-metadata.json", crate_metadata::text(about, all))
}

/// `checksums.txt`, as `sha256sum -c` reads it.
pub fn checksums(all: &[Listed<'_>]) -> BundleFile {
    let lines = all.iter().map(|one| format!("{}  {}\n", one.digest, one.name)).collect();
    BundleFile::text("checksums.txt", lines)
}
