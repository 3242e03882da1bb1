//! The papers of docs/study have the figures and the tables that they name, and every table stands in the text as it was made.

use std::fs;
use std::path::{Path, PathBuf};

fn papers() -> Vec<PathBuf> {
    let study = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/study");
    let folders = fs::read_dir(study).expect("the studies").map(|entry| entry.expect("an entry").path());
    folders.filter(|folder| folder.join("make.sh").is_file() && folder.is_dir()).collect()
}

/// The pieces of a text between two others.
fn between<'a>(text: &'a str, start: &'a str, end: &'a str) -> impl Iterator<Item = &'a str> {
    text.split(start).skip(1).map(move |rest| rest.split(end).next().unwrap_or(rest))
}

#[test]
fn papers_have_the_figures_and_tables_that_they_name() {
    assert!(!papers().is_empty(), "no paper");
    for folder in papers() {
        let text = fs::read_to_string(folder.join("README.md")).expect("the paper");
        for figure in between(&text, "](figures/", ")") {
            let path = folder.join("figures").join(figure);
            assert!(path.is_file(), "{} is not there", path.display());
        }
        for block in between(&text, "<!-- begin table ", "<!-- end -->") {
            let (name, shown) = block.split_once(" -->\n").expect("a name");
            let path = folder.join("tables").join(format!("{name}.md"));
            let made = fs::read_to_string(&path).unwrap_or_default();
            assert!(!made.is_empty() && shown == made, "{} is not what the paper shows", path.display());
        }
    }
}
