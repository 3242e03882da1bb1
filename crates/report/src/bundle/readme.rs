//! `README.md` of a bundle.

use super::{AboutStudy, KENGA, Packed, Repetition};
use kenga_core::text::joined;

pub(super) fn text(folders: &[Packed], about: &AboutStudy) -> String {
    let mut text = format!("# {}\n\nMade by {KENGA}.\n\n", one_line(&about.title));
    text += &match &*about.authors {
        [] => "The authors are not named.\n".to_owned(),
        authors => {
            let authors = joined(authors, "; ");
            format!("Authors: {authors}.\n")
        }
    };
    text += &match &about.license {
        None => "No licence is given: ask the authors before any use beyond reading.\n".to_owned(),
        Some(license) => format!("Licence: {license}.\n"),
    };
    text += "\n| file | content |\n|---|---|\n";
    for (file, content) in CONTENT {
        text += &format!("| `{file}` | {content} |\n");
    }
    text += "\n## Folders\n\n";
    for folder in folders {
        text += &format!("- `results/{}`: {} runs{}\n", folder.name, folder.runs, repetition(folder));
    }
    text += &format!(
        "\n## Check and repeat\n\n```\nsha256sum -c checksums.txt              the files are those that were bundled\nkenga validate results/{}     every claim of a folder, without running it all\n./repeat.sh                             every run again, in the folder `again`\n```\n\n`repeat.sh` needs {KENGA} and no other version: it refuses them. `KENGA=/path/to/kenga` names a program that is not on the\npath. It ends with exit code 0 when all bytes are the same: results, report, figures and tables. `timing.csv` holds times of the\nfirst machine and is not compared.\n",
        folders.first().map_or("NAME", |folder| folder.name.as_str())
    );
    text
}

/// The files with their content.
const CONTENT: [(&str, &str); 9] = [
    ("results/NAME/", "results folders as they are, with puzzles, configuration and checksums"),
    ("configs/NAME.toml", "the configuration of each folder, every default filled in"),
    ("report.html", "tables, figures and the verdict, in one page for a browser"),
    ("figures/", "the figures as SVG and PDF"),
    ("tables/", "what `kenga compare` prints: text, LaTeX, Markdown, CSV, JSON (with two settings or more)"),
    ("repeat.sh", "repeats every run and compares the bytes"),
    ("checksums.txt", "SHA-256 of every file"),
    ("ro-crate-metadata.json", "RO-Crate 1.2: title, authors, licence and files, for machines"),
    ("CITATION.cff", "how to cite this"),
];

fn repetition(folder: &Packed) -> String {
    let how = match folder.how {
        Repetition::Run => "",
        Repetition::Replay => {
            "; repeated run by run, because it holds a part of an experiment or no configuration describes its sweep"
        }
        Repetition::Programs => "; its algorithms are programs, which are not in the bundle",
    };
    let clock = match folder.by_the_clock {
        0 => String::new(),
        runs => format!("; {runs} of them ended by time: repeated, they end after another number of calls"),
    };
    format!("{how}{clock}")
}

fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}
