//! Pictures as files.

use super::Graphic;

/// A figure as a file.
pub struct FigureFile {
    /// The name of the file, such as `success.svg`.
    pub name: String,
    /// Its content.
    pub bytes: Vec<u8>,
}

impl FigureFile {
    /// A picture with its title, as SVG and as PDF.
    pub(crate) fn both(name: &str, title: &str, graphic: &Graphic) -> [Self; 2] {
        [
            Self { name: format!("{name}.svg"), bytes: graphic.svg_file(title).into_bytes() },
            Self { name: format!("{name}.pdf"), bytes: graphic.pdf_file(title) },
        ]
    }
}
