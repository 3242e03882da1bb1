//! Why an experiment could not be made or kept.

use std::error::Error;
use std::io;

use kenga_core::puzzle::Puzzle;

/// Why an experiment could not be made or kept.
#[derive(Debug, thiserror::Error)]
pub enum RunError {
    /// A puzzle does not fit the encoding, or makes numbers with the weights that do not fit.
    #[error("puzzle {puzzle}{setting}: {problem}")]
    Unfit {
        /// The id of the puzzle.
        puzzle: String,
        /// The setting in words, if there are several.
        setting: String,
        /// The reason.
        problem: Box<dyn Error + Send + Sync>,
    },
    /// A finished run could not be written.
    #[error("run {run} could not be written")]
    Sink {
        /// The index of the run.
        run: u64,
        /// What went wrong.
        source: io::Error,
    },
}

impl RunError {
    /// The error of a puzzle that does not fit.
    pub(super) fn unfit(puzzle: &Puzzle, setting: &str, problem: impl Error + Send + Sync + 'static) -> Self {
        Self::Unfit { puzzle: puzzle.id.clone(), setting: setting.to_owned(), problem: Box::new(problem) }
    }

    /// The error and what caused it, one after the other.
    pub fn in_full(&self) -> String {
        let mut text = self.to_string();
        let mut cause = self.source();
        while let Some(error) = cause {
            text += &format!(": {error}");
            cause = error.source();
        }
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_error_in_full_names_its_causes() {
        let lost = |run, source| RunError::Sink { run, source };
        let error = lost(3, io::Error::other("the disk is full"));
        let in_full = "run 3 could not be written: the disk is full";
        assert_eq!(error.in_full(), in_full);
        let because = lost(4, io::Error::other(error));
        assert_eq!(because.in_full(), format!("run 4 could not be written: {in_full}"));
    }
}
