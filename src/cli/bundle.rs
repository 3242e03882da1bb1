//! `kenga bundle`: a study as one file for others.

use std::fs;
use std::path::{Path, PathBuf};

use miette::{Report, miette};

use super::compare;
use super::io::exit::{CommandResult, Exit, print_note, wrote};
use super::io::input;
use super::io::output::{refuse_existing, unwritable_file};
use super::io::progress::Counter;
use super::io::signals::interrupt;
use kenga_core::sort::sort_by;
use kenga_core::text::{joined, quoted_path};
use kenga_lab::experiment::on_all_cores;
use kenga_lab::results::{Archive, ArchiveEntry, ArchiveError, CHECKSUMS, checksums};
use kenga_lab::study::{Study, StudyFolder};
use kenga_report::bundle::{self, AboutStudy, Author, BundleFile, FORMS, Listed, Packed};
use kenga_report::{FigureOptions, report};

/// Pack results and a script that repeats them into one file
///
/// The ZIP file holds the results folders as they are, their configurations, the report with figures as SVG and PDF, tables as
/// LaTeX, Markdown, CSV and JSON, checksums, `repeat.sh`, which repeats every run and compares the bytes, RO-Crate
/// metadata and CITATION.cff. It contains no time, host name or path of the machine: the same folders and options give the same bytes.
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Args {
    /// Folders that `kenga run` or `kenga sweep` has written
    #[arg(required = true, value_name = "DIR")]
    dirs: Vec<PathBuf>,
    /// The ZIP file to write
    #[arg(short, long, value_name = "FILE", alias = "output")]
    out: PathBuf,
    /// Overwrite FILE
    #[arg(long)]
    force: bool,
    /// The title of the study [default: the names of the folders]
    #[arg(long, value_name = "TEXT")]
    title: Option<String>,
    /// An author, `Family, Given`, with an ORCID in brackets if there is one, or the name of a group; repeatable
    #[arg(long = "author", value_name = "NAME")]
    authors: Vec<Author>,
    /// The licence of the study, an identifier of SPDX such as CC-BY-4.0
    #[arg(long, value_name = "ID", value_parser = license)]
    license: Option<String>,
    /// The day of publication, as 2026-11-23: RO-Crate requires one, and kenga does not look at the clock
    #[arg(long, value_name = "DAY", value_parser = day)]
    date: Option<String>,
    /// Bundle folders whose runs have not all ended
    #[arg(long)]
    unfinished: bool,
}

const EXAMPLES: &str = "\
Examples:
  kenga bundle results/sweep -o study.zip
  kenga bundle results/ga results/tabu -o study.zip --title \"Two searches\" \\
      --author \"Lovelace, Ada (0000-0002-1825-0097)\" \\
      --license CC-BY-4.0 --date 2026-11-23
  unzip study.zip -d study && study/repeat.sh
  unzip study.zip -d study && kenga validate study/results/sweep

The file appears when it is complete. The guide goes from a sweep to a paper.

Exit code: 0 written, 2 bad usage, or a folder that cannot be bundled.";

pub(super) fn run(args: &Args) -> CommandResult {
    let interrupt = interrupt()?;
    if args.out == Path::new("-") {
        let help = "name one that ends in .zip";
        return Err(miette!(help = help, "a bundle is written to a file, not to standard output"));
    }
    refuse_existing(&args.out, args.force)?;
    let progress = Counter::start("measuring", None);
    let (mut study, _) = input::study(&args.dirs, &[])?;
    for folder in &study.folders {
        is_sound(folder, args.unfinished)?;
    }
    let folders = bundle::packed(&mut study);
    let about = args.about(&folders);
    if let Some(orcid) = about.doubled_orcid() {
        return Err(miette!(help = "an ORCID is of one person", "two authors have the ORCID {orcid}"));
    }
    let made = on_all_cores(|| files(&study, &folders, &about))?;
    let made = made.ok_or_else(|| input::no_runs(&study, &args.dirs))?;
    drop(progress);
    // The study is sound: now only reading and writing files can fail.
    let progress = Counter::start("packing", None);
    let mut archive =
        Archive::create(&args.out, &interrupt).map_err(|source| unwritable_file(&args.out, source))?;
    match write(&mut archive, &study, &folders, &about, &made) {
        Ok(()) => archive.commit(args.force).map_err(|source| unwritable_file(&args.out, source))?,
        Err(ArchiveError::Stopped) => return Ok(Exit::Signal(interrupt.signal())),
        Err(ArchiveError::Write(source)) => return Err(unwritable_file(&args.out, source)),
        Err(ArchiveError::Read(error)) => return Err(error.into()),
    }
    drop(progress);
    for warning in folders.iter().filter_map(Packed::warning) {
        print_note(&warning);
    }
    for note in args.unsaid() {
        print_note(note);
    }
    wrote(&args.out.display().to_string());
    Ok(Exit::Done)
}

impl Args {
    fn about(&self, folders: &[Packed]) -> AboutStudy {
        let names = joined(folders.iter().map(|folder| folder.name.as_str()), ", ");
        AboutStudy {
            title: self.title.clone().unwrap_or(names),
            authors: self.authors.clone(),
            license: self.license.clone(),
            date: self.date.clone(),
        }
    }

    /// What the bundle lacks because nobody said it.
    fn unsaid(&self) -> Vec<&'static str> {
        let mut notes = Vec::new();
        if self.authors.is_empty() {
            notes.push("CITATION.cff names no author: --author \"Family, Given\"");
        }
        if self.license.is_none() {
            notes.push("no licence is given, so that others may only read it: --license CC-BY-4.0");
        }
        if self.date.is_none() {
            notes
                .push("ro-crate-metadata.json lacks the day of publication, which RO-Crate requires: --date");
        }
        notes
    }
}

/// Refuses a folder that has not ended, or differs from its checksums.
fn is_sound(folder: &StudyFolder, unfinished: bool) -> Result<(), Report> {
    let path = folder.path.display();
    if !folder.rows.has_checksums {
        let help = format!("finish it with `{}`, or add --unfinished", input::resume(&folder.path));
        return if unfinished { Ok(()) } else { Err(miette!(help = help, "{path} has not ended")) };
    }
    let was = fs::read_to_string(folder.path.join(CHECKSUMS)).unwrap_or_default();
    if checksums(&folder.path)? != was {
        let help = format!("`kenga validate {}` says how", quoted_path(&folder.path));
        return Err(miette!(help = help, "{path} differs from its checksums"));
    }
    Ok(())
}

/// All files but those of the results and those that list the others; `None` without a run.
fn files(study: &Study, folders: &[Packed], about: &AboutStudy) -> Result<Option<Vec<BundleFile>>, Report> {
    let made = report(study, &[], Some(&about.title), FigureOptions::default());
    let Some(page) = made else { return Ok(None) };
    let tables = compare::for_paper(study)?;
    let words = tables.as_ref().map(|tables| tables.words);
    let mut all = bundle::files(folders, about, words);
    all.push(BundleFile::text("report.html", page.page));
    for figure in page.figures {
        let name = format!("figures/{}", figure.name);
        all.push(BundleFile { name, bytes: figure.bytes, is_program: false });
    }
    for ((_, ending), text) in FORMS.iter().zip(tables.map(|tables| tables.texts).unwrap_or_default()) {
        all.push(BundleFile::text(format!("tables/compare.{ending}"), text));
    }
    Ok(Some(all))
}

/// Writes everything: what lists the others comes last.
fn write(
    archive: &mut Archive,
    study: &Study,
    folders: &[Packed],
    about: &AboutStudy,
    made: &[BundleFile],
) -> Result<(), ArchiveError> {
    let mut entries: Vec<ArchiveEntry> = Vec::new();
    for file in made {
        entries.push(archive.text(&file.name, &file.bytes, file.is_program)?);
    }
    for (found, folder) in study.folders.iter().zip(folders) {
        for name in names(&found.path)? {
            let packed = format!("results/{}/{name}", folder.name);
            entries.push(archive.file(&packed, &found.path.join(&name))?);
        }
    }
    let metadata = bundle::metadata(about, &listed(&entries));
    entries.push(archive.text(&metadata.name, &metadata.bytes, false)?);
    let sums = bundle::checksums(&listed(&entries));
    archive.text(&sums.name, &sums.bytes, false).map(drop)
}

fn listed(entries: &[ArchiveEntry]) -> Vec<Listed<'_>> {
    let mut all = Vec::with_capacity(entries.len());
    for ArchiveEntry { name, size, digest } in entries {
        all.push(Listed { name, size: *size, digest });
    }
    all
}

/// The names of the files of a results folder in order, without drafts and what else begins with a dot.
fn names(folder: &Path) -> Result<Vec<String>, ArchiveError> {
    let unread = |source| {
        ArchiveError::Read(kenga_lab::results::ResultsError::Io {
            what: "read",
            path: folder.to_owned(),
            source,
        })
    };
    let mut names = Vec::new();
    for entry in fs::read_dir(folder).map_err(unread)? {
        let entry = entry.map_err(unread)?;
        let name = entry.file_name().to_string_lossy().into_owned();
        if !name.starts_with('.') && entry.file_type().is_ok_and(|kind| kind.is_file()) {
            names.push(name);
        }
    }
    sort_by(&mut names, Ord::cmp);
    Ok(names)
}

/// Reads what may be an identifier of a licence.
fn license(text: &str) -> Result<String, String> {
    if text.is_empty() || !text.chars().all(|c| c.is_ascii_alphanumeric() || "-.+".contains(c)) {
        return Err("expected an identifier of SPDX such as CC-BY-4.0, MIT or CC0-1.0".to_owned());
    }
    Ok(text.to_owned())
}

/// Reads a day of the calendar.
fn day(text: &str) -> Result<String, String> {
    if is_day(text) { Ok(text.to_owned()) } else { Err("expected a day such as 2026-11-23".to_owned()) }
}

fn is_day(text: &str) -> bool {
    let parts: Vec<&str> = text.split('-').collect();
    let [year, month, day] = parts[..] else { return false };
    let (Some(year), Some(month), Some(day)) = (number(year, 4), number(month, 2), number(day, 2)) else {
        return false;
    };
    // The Gregorian calendar.
    let is_leap = year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400));
    let days = match month {
        2 => 28 + u32::from(is_leap),
        4 | 6 | 9 | 11 => 30,
        1..=12 => 31,
        _ => 0,
    };
    (1..=days).contains(&day)
}

/// A number of so many characters.
fn number(text: &str, length: usize) -> Option<u32> {
    if text.len() == length { text.parse().ok() } else { None }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days_are_those_of_the_calendar() {
        for good in ["2026-11-23", "2024-02-29", "2000-02-29"] {
            assert_eq!(day(good).as_deref(), Ok(good));
        }
        for bad in
            ["2026-2-3", "2026-02-29", "1900-02-29", "2026-13-01", "2026-04-31", "today", "2026-11-23T00"]
        {
            assert!(day(bad).is_err(), "{bad}");
        }
    }
}
