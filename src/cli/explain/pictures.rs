//! A picture of each step.

use std::path::Path;

use miette::{Report, miette};

use super::ExplanationFormat;
use crate::cli::io::exit::wrote;
use crate::cli::io::output::{Overwrite, make_folder, write_file};
use kenga_core::puzzle::Puzzle;
use kenga_craft::ladder::{Candidates, Step};
use kenga_report::answers::step_marks;
use kenga_report::drawing::{Slide, Style, picture, slides};
use kenga_report::{GENERATOR, several};

/// The pictures of the steps that are shown, drawn while the puzzle is solved.
pub(super) struct Pictures<'a> {
    puzzle: &'a Puzzle,
    only: Option<usize>,
    format: ExplanationFormat,
    count: usize,
    slides: Vec<Slide>,
}

impl<'a> Pictures<'a> {
    /// Pictures of one step, from 0, or of all, if the format shows any.
    pub(super) fn new(puzzle: &'a Puzzle, only: Option<usize>, format: ExplanationFormat) -> Self {
        Self { puzzle, only, format, count: 0, slides: Vec::new() }
    }

    /// Draws a step on the candidates before it; the note says its technique, and whether it was verified.
    pub(super) fn add(&mut self, candidates: &Candidates<'_>, step: &Step, note: &str) {
        let number = self.count;
        self.count += 1;
        if self.format == ExplanationFormat::Text || self.only.is_some_and(|only| only != number) {
            return;
        }
        let style = Style { labels: true, ..Style::default() };
        self.slides.push(Slide {
            heading: format!("Step {}", number + 1),
            note: note.to_owned(),
            words: step.words.clone(),
            picture: picture(self.puzzle, &step_marks(self.puzzle, candidates, Some(step)), &style),
        });
    }

    /// The page of all steps, with the candidates at the end.
    pub(super) fn page(mut self, title: &str, ending: &str, candidates: &Candidates<'_>) -> String {
        if self.only.is_none() {
            let style = Style { labels: true, ..Style::default() };
            self.slides.push(Slide {
                heading: "The end".to_owned(),
                note: String::new(),
                words: ending.to_owned(),
                picture: picture(self.puzzle, &step_marks(self.puzzle, candidates, None), &style),
            });
        }
        slides(title, &self.slides)
    }

    /// The picture of the only step that is shown.
    pub(super) fn only(&self) -> Option<String> {
        let slide = self.slides.first().filter(|_| self.only.is_some())?;
        Some(titled(slide))
    }

    /// Writes a picture a step into a folder.
    ///
    /// # Errors
    /// A report when there is no folder to write to, or a file cannot be written.
    pub(super) fn write_folder(&self, folder: Option<&Path>, force: bool) -> Result<(), Report> {
        let Some(folder) = folder else {
            let help = "name a folder with -o, or one step with --step";
            return Err(miette!(help = help, "every step has a picture of its own"));
        };
        make_folder(folder)?;
        for (index, slide) in self.slides.iter().enumerate() {
            let name = format!("step-{:03}.svg", index + 1);
            write_file(&folder.join(name), titled(slide), Overwrite::own(GENERATOR, force))?;
        }
        wrote(&format!("{} ({})", folder.display(), several(self.slides.len() as u64, "picture")));
        Ok(())
    }
}

/// The picture of a slide, with what is said of it as its title.
fn titled(slide: &Slide) -> String {
    slide.picture.svg(&format!("{} [{}]", slide.words, slide.note))
}
