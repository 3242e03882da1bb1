//! What puzzles are written as: the formats of the command line, and pictures.

use std::sync::LazyLock;

use kenga_report::answers::OutputFormat;

/// The format of pictures.
pub(super) const SVG: [&str; 2] = ["svg", "a picture of shapes and text"];

/// The names of all that is written.
pub(super) static NAMES: LazyLock<Vec<&str>> =
    LazyLock::new(|| OutputFormat::all().map(OutputFormat::name).chain([SVG[0]]).collect());
