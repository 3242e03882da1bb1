//! Renders the SVG files of a folder with resvg, which knows no style sheets of pages, and finds the literal colours of
//! every stroke and of every opaque fill in the pixels. Says what is missing, and ends with 1 if anything is.

use std::collections::BTreeSet;
use std::path::Path;
use std::process::ExitCode;
use std::{env, fs};

use resvg::tiny_skia::{Pixmap, Transform};
use resvg::usvg::{Options, Tree};

/// Pixels of a unit: enough that the thinnest line fills some of them.
const SCALE: f32 = 4.0;

/// How far a channel may lie from the colour that was asked for: edges are smoothed.
const NEAR: u8 = 2;

fn main() -> ExitCode {
    let Some(folder) = env::args_os().nth(1) else {
        eprintln!("usage: render FOLDER");
        return ExitCode::from(2);
    };
    match check(Path::new(&folder)) {
        Ok(0) => ExitCode::SUCCESS,
        Ok(_) => ExitCode::FAILURE,
        Err(why) => {
            eprintln!("{why}");
            ExitCode::from(2)
        }
    }
}

/// How many files of the folder lack a colour; at least one file must be there.
fn check(folder: &Path) -> Result<usize, String> {
    let entries = fs::read_dir(folder).map_err(|why| format!("{}: {why}", folder.display()))?;
    let mut paths: Vec<_> = entries.filter_map(|entry| Some(entry.ok()?.path())).collect();
    paths.retain(|path| path.extension().is_some_and(|extension| extension == "svg"));
    paths.sort();
    if paths.is_empty() {
        return Err(format!("{}: no SVG file", folder.display()));
    }
    let mut failed = 0;
    for path in paths {
        let text = fs::read_to_string(&path).map_err(|why| format!("{}: {why}", path.display()))?;
        let missing = missing(&text).map_err(|why| format!("{}: {why}", path.display()))?;
        match missing.is_empty() {
            true => println!("{}: every colour is there", path.display()),
            false => println!("{}: not in the pixels: {}", path.display(), missing.join(" ")),
        }
        failed += usize::from(!missing.is_empty());
    }
    Ok(failed)
}

/// The colours that a picture asks for and its pixels lack.
fn missing(text: &str) -> Result<Vec<String>, String> {
    let tree = Tree::from_str(text, &Options::default()).map_err(|why| why.to_string())?;
    let size = tree.size();
    let (width, height) = ((size.width() * SCALE).ceil() as u32, (size.height() * SCALE).ceil() as u32);
    let mut pixels = Pixmap::new(width, height).ok_or("a picture without a size")?;
    resvg::render(&tree, Transform::from_scale(SCALE, SCALE), &mut pixels.as_mut());
    let seen: BTreeSet<[u8; 3]> =
        pixels.pixels().iter().map(|pixel| [pixel.red(), pixel.green(), pixel.blue()]).collect();
    let is_there = |colour: &[u8; 3]| {
        seen.iter().any(|seen| seen.iter().zip(colour).all(|(a, b)| a.abs_diff(*b) <= NEAR))
    };
    let asked = asked(text);
    if asked.is_empty() {
        return Err("no shape has a colour".to_owned());
    }
    let hex = |[red, green, blue]: [u8; 3]| format!("#{red:02x}{green:02x}{blue:02x}");
    Ok(asked.into_iter().filter(|colour| !is_there(colour)).map(hex).collect())
}

/// The colours of strokes and fills of shapes that nothing is seen through. Texts need fonts, which a machine may lack, and
/// marks have a stroke in the colour of the page.
fn asked(text: &str) -> BTreeSet<[u8; 3]> {
    let shapes = text.lines().filter(|line| {
        let is_shape = ["<line", "<path", "<rect", "<circle"].iter().any(|shape| line.starts_with(shape));
        is_shape && !line.contains("opacity")
    });
    let colours = shapes.flat_map(|shape| {
        [" fill=\"#", " stroke=\"#"].into_iter().filter_map(|name| shape.split_once(name)?.1.get(..6))
    });
    let channel = |hex: &str, at: usize| u8::from_str_radix(hex.get(at..at + 2)?, 16).ok();
    colours.filter_map(|hex| Some([channel(hex, 0)?, channel(hex, 2)?, channel(hex, 4)?])).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_colour_from_a_style_sheet_is_missed() {
        let picture = |stroke: &str| {
            format!("<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"20\" height=\"20\">\n<rect fill=\"#ffffff\" width=\"20\" height=\"20\"/>\n<line stroke=\"#d55e00\" stroke-width=\"1.8\" {stroke} x1=\"2\" y1=\"2\" x2=\"18\" y2=\"11\"/>\n</svg>")
        };
        assert_eq!(missing(&picture("")), Ok(Vec::new()));
        assert_eq!(missing(&picture("style=\"stroke:var(--c1)\"")), Ok(vec!["#d55e00".to_owned()]));
    }
}
