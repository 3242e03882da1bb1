//! What a drawing is written as.

use std::path::Path;

use miette::{Report, miette};

use kenga_core::text::meant;
use kenga_report::drawing::{Picture, Theme};

/// The format of a file with drawings.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum DrawingFormat {
    Svg,
    Png,
    Pdf,
    Html,
    Txt,
}

impl DrawingFormat {
    pub(super) const ALL: [Self; 5] = [Self::Svg, Self::Png, Self::Pdf, Self::Html, Self::Txt];

    /// The name, which is the suffix of files.
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Svg => "svg",
            Self::Png => "png",
            Self::Pdf => "pdf",
            Self::Html => "html",
            Self::Txt => "txt",
        }
    }

    pub(super) fn about(self) -> &'static str {
        match self {
            Self::Svg => "a picture of shapes and text",
            Self::Png => "a picture of pixels",
            Self::Pdf => "a picture, or a book to print",
            Self::Html => "a page to read and to print",
            Self::Txt => "text with lines, for terminals",
        }
    }

    /// The format that is asked for, by name or by the suffix of a file; text without any.
    ///
    /// # Errors
    /// A report when the suffix is none of the formats.
    pub(super) fn of(asked: Option<Self>, file: Option<&Path>) -> Result<Self, Report> {
        let file = file.filter(|file| *file != Path::new("-"));
        let (Some(file), None) = (file, asked) else { return Ok(asked.unwrap_or(Self::Txt)) };
        let suffix =
            file.extension().map(|suffix| suffix.to_string_lossy().to_lowercase()).unwrap_or_default();
        let names = Self::ALL.map(Self::name);
        let found = Self::ALL
            .into_iter()
            .find(|format| format.name() == suffix || (suffix == "htm" && *format == Self::Html));
        found.ok_or_else(|| {
            let near = meant(&suffix, names);
            let near = near.map_or(String::new(), |near| format!("; did you mean .{near}?"));
            let help =
                format!("end FILE with one of .{}, or name the format with --to{near}", names.join(" ."));
            miette!(help = help, "{} does not say what to write", file.display())
        })
    }

    /// One file may hold many puzzles.
    pub(super) fn is_many(self) -> bool {
        !matches!(self, Self::Svg | Self::Png)
    }

    /// The file has pages.
    pub(super) fn is_book(self) -> bool {
        matches!(self, Self::Pdf | Self::Html)
    }

    /// The usual theme.
    pub(super) fn theme(self) -> Theme {
        if self == Self::Pdf { Theme::Print } else { Theme::Light }
    }

    /// The bytes of a picture. A PNG has `scale` pixels for one of the picture.
    pub(super) fn write(self, picture: &Picture, title: &str, scale: f64) -> Vec<u8> {
        match self {
            Self::Svg | Self::Html | Self::Txt => picture.svg(title).into_bytes(),
            Self::Pdf => picture.pdf(title),
            Self::Png => picture.png(title, scale),
        }
    }
}
