//! The style of shapes and the width of texts: colours that colour-blind readers can distinguish, for light and dark screens
//! and for paper.
//!
//! The two tables below are the only source. A page has them as a style sheet, with colours for light and dark; a file has
//! the colours of one theme at every shape, since few programs except browsers know style sheets.
//!
//! Source: M. Okabe, K. Ito 2008, Color universal design; blue and vermilion are lighter on dark screens.

use kenga_core::text::joined;
use std::fmt::Write;

/// Which colours a picture has.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Theme {
    /// For light screens.
    #[default]
    Light,
    /// For dark screens.
    Dark,
    /// For paper: black on white.
    Print,
    /// For paper, with little ink: no dark areas.
    Sparing,
}

/// A colour by its name: on a light screen, on a dark one, on paper, on paper with little ink.
struct Colour(&'static str, [&'static str; 4]);

const COLOURS: &[Colour] = &[
    Colour("page", ["#ffffff", "#15181c", "#ffffff", "#ffffff"]),
    Colour("ink", ["#1b1e23", "#e8eaed", "#000000", "#000000"]),
    Colour("soft", ["#5b626c", "#a9b0ba", "#333333", "#333333"]),
    Colour("rule", ["#e3e6ea", "#2b3037", "#dddddd", "#dddddd"]),
    Colour("edge", ["#8b929c", "#79818c", "#666666", "#666666"]),
    Colour("faint", ["#b9bfc7", "#59616b", "#aaaaaa", "#aaaaaa"]),
    Colour("heat", ["#0072b2", "#6cc0f0", "#0072b2", "#0072b2"]),
    Colour("cost", ["#b34a00", "#f2a05c", "#b34a00", "#b34a00"]),
    Colour("over", ["#ffffff", "#0c0e10", "#ffffff", "#ffffff"]),
    Colour("between", ["#1b1e23", "#0c0e10", "#000000", "#000000"]),
    Colour("shade", ["#3a3f47", "#4a515b", "#3a3f47", "#e4e4e4"]),
    Colour("on-shade", ["#ffffff", "#ffffff", "#ffffff", "#000000"]),
    Colour("c0", ["#0072b2", "#4aa8e8", "#0072b2", "#0072b2"]),
    Colour("c1", ["#d55e00", "#f0803c", "#d55e00", "#d55e00"]),
    Colour("c2", ["#009e73", "#2fc49a", "#009e73", "#009e73"]),
    Colour("c3", ["#b0598a", "#dd93bd", "#b0598a", "#b0598a"]),
    Colour("c4", ["#c98a00", "#f0b429", "#c98a00", "#c98a00"]),
    Colour("c5", ["#3d9bd1", "#9ad4f5", "#3d9bd1", "#3d9bd1"]),
    Colour("tint0", ["#dbeafc", "#1c3350", "#e8e8e8", "#ffffff"]),
    Colour("tint1", ["#fde6cf", "#4a3018", "#ffffff", "#ffffff"]),
    Colour("tint2", ["#dcf2dc", "#1d3d26", "#d6d6d6", "#ffffff"]),
    Colour("tint3", ["#f6dcec", "#452439", "#f4f4f4", "#ffffff"]),
    Colour("tint4", ["#fbf6c8", "#403b12", "#c8c8c8", "#ffffff"]),
    Colour("tint5", ["#d6f3f3", "#15393c", "#dfdfdf", "#ffffff"]),
    Colour("rests", ["#d3e7fb", "#16395c", "#d9e8f6", "#eef5fb"]),
    Colour("removed", ["#fde0c8", "#54301a", "#fae3d0", "#fdf3ea"]),
    Colour("placed", ["#cdf0de", "#14432f", "#d2eee1", "#edf8f3"]),
    Colour("wrong", ["#f9d0d4", "#5c1a22", "#f6d3d6", "#fbecee"]),
    Colour("right", ["#007a59", "#4fd8ae", "#006b4e", "#006b4e"]),
    Colour("bad", ["#c4162a", "#ff7b86", "#b00d20", "#b00d20"]),
    Colour("square", ["#eceff3", "#20252b", "#eeeeee", "#ffffff"]),
    Colour("pencil", ["#4a5059", "#b4bac3", "#333333", "#333333"]),
    Colour("c6", ["#1b1e23", "#e8eaed", "#000000", "#000000"]),
];

/// The fonts of a picture; the first one available is used.
pub(crate) const FONTS: &str = "Helvetica, Arial, 'Liberation Sans', sans-serif";

/// The default size of a text.
pub(crate) const SIZE: f64 = 12.0;

/// The look of the shapes of a class; unset fields come from another class of the shape, or are not drawn.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Look {
    class: &'static str,
    /// The name of a colour.
    pub(crate) fill: Option<&'static str>,
    /// The name of a colour, with the width in pixels.
    pub(crate) stroke: Option<&'static str>,
    pub(crate) width: Option<f64>,
    pub(crate) dash: &'static [f64],
    pub(crate) opacity: Option<f64>,
    /// The size of a text, and whether it is bold.
    pub(crate) size: Option<f64>,
    pub(crate) is_bold: bool,
    /// How lines end: `butt`, `round` or `square`.
    pub(crate) cap: Option<&'static str>,
}

const fn filled(class: &'static str, colour: &'static str) -> Look {
    Look {
        class,
        fill: Some(colour),
        stroke: None,
        width: None,
        dash: &[],
        opacity: None,
        size: None,
        is_bold: false,
        cap: None,
    }
}

const fn drawn(class: &'static str, colour: &'static str, width: f64) -> Look {
    Look { fill: None, stroke: Some(colour), width: Some(width), ..filled(class, colour) }
}

/// The colour and the dashes of a series.
const fn series(class: &'static str, colour: &'static str, dash: &'static [f64]) -> Look {
    Look { width: None, dash, ..drawn(class, colour, 0.0) }
}

/// Every class. Where a shape has several, later ones in this table override earlier ones.
const LOOKS: &[Look] = &[
    filled("page", "page"),
    Look { size: Some(15.0), is_bold: true, ..filled("heading", "ink") },
    Look { size: Some(11.0), ..filled("tick", "soft") },
    filled("axis-title", "soft"),
    filled("legend-heading", "soft"),
    filled("legend", "ink"),
    filled("label", "ink"),
    filled("value", "ink"),
    filled("note", "soft"),
    Look { is_bold: true, ..filled("panel", "ink") },
    Look { is_bold: true, ..filled("given", "ink") },
    filled("over", "over"),
    filled("between", "between"),
    filled("on-shade", "on-shade"),
    drawn("grid", "rule", 1.0),
    drawn("axis", "edge", 1.0),
    drawn("series", "ink", 1.8),
    drawn("others", "faint", 0.8),
    drawn("whisker", "ink", 1.5),
    Look { fill: Some("c0"), ..drawn("dot", "page", 1.0) },
    Look { fill: Some("page"), ..drawn("hollow", "c0", 1.6) },
    Look { cap: Some("round"), ..drawn("joined", "c0", 3.2) },
    drawn("leader", "edge", 1.0),
    drawn("mark", "page", 1.0),
    filled("heat", "heat"),
    filled("cost", "cost"),
    Look { dash: &[2.0, 2.0], ..drawn("never", "edge", 1.0) },
    drawn("cell", "rule", 1.0),
    drawn("thin", "faint", 0.7),
    Look { cap: Some("square"), ..drawn("cage", "ink", 1.7) },
    Look { cap: Some("square"), ..drawn("box", "ink", 2.8) },
    filled("shade", "shade"),
    Look { opacity: Some(0.6), ..drawn("on-shade-line", "on-shade", 0.7) },
    // Puzzles: vertices, cages in colours, and cells that a step marks.
    Look { fill: Some("page"), ..drawn("vertex", "ink", 1.2) },
    filled("tint0", "tint0"),
    filled("tint1", "tint1"),
    filled("tint2", "tint2"),
    filled("tint3", "tint3"),
    filled("tint4", "tint4"),
    filled("tint5", "tint5"),
    filled("rests", "rests"),
    filled("removed", "removed"),
    filled("placed", "placed"),
    filled("wrong", "wrong"),
    drawn("rests-frame", "c0", 2.2),
    Look { dash: &[4.0, 3.0], ..drawn("removed-frame", "c1", 2.2) },
    drawn("placed-frame", "right", 3.4),
    drawn("wrong-frame", "bad", 2.2),
    filled("pencil", "pencil"),
    Look { is_bold: true, ..filled("pencil-rests", "over") },
    filled("pencil-removed", "c1"),
    Look { is_bold: true, ..filled("pencil-placed", "over") },
    Look { is_bold: true, ..filled("pencil-wrong", "over") },
    filled("spot-rests", "c0"),
    filled("spot-placed", "right"),
    filled("spot-wrong", "bad"),
    drawn("strike", "c1", 1.4),
    Look { is_bold: true, ..filled("digit-placed", "right") },
    Look { is_bold: true, ..filled("digit-wrong", "bad") },
    Look { dash: &[4.0, 2.6], ..drawn("dashed", "soft", 1.1) },
    filled("dark-square", "square"),
    filled("queen", "soft"),
    series("s0", "c0", &[]),
    series("s1", "c1", &[7.0, 3.0]),
    series("s2", "c2", &[2.0, 2.5]),
    series("s3", "c3", &[10.0, 3.0, 2.0, 3.0]),
    series("s4", "c4", &[14.0, 4.0]),
    series("s5", "c5", &[5.0, 2.0, 1.0, 2.0, 1.0, 2.0]),
    series("s6", "c6", &[4.0, 4.0]),
    series("t0", "c0", &[]),
    series("t1", "c1", &[]),
    series("t2", "c2", &[]),
    series("t3", "c3", &[]),
    series("t4", "c4", &[]),
    series("t5", "c5", &[]),
    series("t6", "c6", &[]),
    filled("c0", "c0"),
    filled("c1", "c1"),
    filled("c2", "c2"),
    filled("c3", "c3"),
    filled("c4", "c4"),
    filled("c5", "c5"),
    filled("c6", "c6"),
    Look { fill: None, opacity: Some(0.16), ..filled("band", "c0") },
];

/// The look of a shape with some classes, separated by spaces.
pub(crate) fn look(classes: &str) -> Look {
    let mut look = Look { fill: None, ..filled("", "ink") };
    for above in LOOKS {
        if !classes.split(' ').any(|class| class == above.class) {
            continue;
        }
        look = Look {
            class: above.class,
            fill: above.fill.or(look.fill),
            stroke: above.stroke.or(look.stroke),
            width: above.width.or(look.width),
            dash: if above.dash.is_empty() { look.dash } else { above.dash },
            opacity: above.opacity.or(look.opacity),
            size: above.size.or(look.size),
            is_bold: above.is_bold || look.is_bold,
            cap: above.cap.or(look.cap),
        };
    }
    look
}

impl Theme {
    /// The value of a colour, as `#rrggbb`.
    ///
    /// # Panics
    /// When the table has no colour of this name.
    pub(crate) fn colour(self, name: &str) -> &'static str {
        let colour = COLOURS.iter().find(|colour| colour.0 == name);
        colour.map(|colour| colour.1[self as usize]).expect("looks name colours of the table")
    }

    /// The values of all colours, for a style sheet.
    fn variables(self) -> String {
        let mut set = Vec::new();
        for Colour(name, values) in COLOURS {
            set.push(format!("--{name}:{}", values[self as usize]));
        }
        format!(":root{{{}}}", set.join(";"))
    }
}

/// Red, green and blue of `#rrggbb`.
pub(crate) fn channels(colour: &str) -> [u8; 3] {
    let number = u32::from_str_radix(&colour[1..], 16).expect("colours of the table are hexadecimal");
    let [_, red, green, blue] = number.to_be_bytes();
    [red, green, blue]
}

/// The style sheet of a page that adapts: light or dark on screens, black on white on paper.
pub fn style_sheet() -> String {
    let mut css = Theme::Light.variables();
    let _ = write!(css, "\n@media (prefers-color-scheme:dark){{{}}}", Theme::Dark.variables());
    let _ = write!(css, "\n@media print{{{}}}", Theme::Print.variables());
    css + &class_rules()
}

/// The style sheet of a page in one theme on every screen; on paper never that for dark screens.
pub(crate) fn style_sheet_of(theme: Theme) -> String {
    let on_paper = if theme == Theme::Sparing { theme } else { Theme::Print };
    format!("{}\n@media print{{{}}}{}", theme.variables(), on_paper.variables(), class_rules())
}

/// The rules of all classes.
fn class_rules() -> String {
    let mut css = String::new();
    let _ = write!(css, "\nsvg.figure{{font-family:{FONTS};font-size:{SIZE}px;max-width:100%;height:auto}}");
    css += "\n.figure path,.figure line,.figure rect,.figure circle{fill:none;stroke-linejoin:round}";
    css += "\n.figure text{fill:var(--ink)}";
    for look in LOOKS {
        let _ = write!(css, "\n.figure .{}{{{}}}", look.class, declarations(look));
        // A text with a size of its own keeps it.
        if let Some(size) = look.size {
            let _ = write!(css, "\n.figure .{}:not([font-size]){{font-size:{size}px}}", look.class);
        }
    }
    css + "\n"
}

fn declarations(look: &Look) -> String {
    let set = [
        look.fill.map(|name| format!("fill:var(--{name})")),
        look.stroke.map(|name| format!("stroke:var(--{name})")),
        look.width.map(|width| format!("stroke-width:{width}")),
        (!look.dash.is_empty()).then(|| format!("stroke-dasharray:{}", dashes(look.dash))),
        look.opacity.map(|opacity| format!("opacity:{opacity}")),
        look.is_bold.then(|| "font-weight:bold".to_owned()),
        look.cap.map(|cap| format!("stroke-linecap:{cap}")),
    ];
    set.into_iter().flatten().collect::<Vec<_>>().join(";")
}

/// Lengths separated by spaces.
pub(crate) fn dashes(lengths: &[f64]) -> String {
    joined(lengths, " ")
}

/// The approximate width of a text, in the unit of its size. Widths are those of DejaVu Sans, wider than Helvetica and
/// Arial, so that texts do not overlap on any screen.
pub(crate) fn text_width(text: &str, size: f64) -> f64 {
    text.chars().map(advance).sum::<f64>() * size
}

/// The width of the widest of some texts, `least` or more.
pub(crate) fn widest<'a>(texts: impl IntoIterator<Item = &'a String>, size: f64, least: f64) -> f64 {
    let mut widest = least;
    for text in texts {
        widest = widest.max(text_width(text, size));
    }
    widest
}

fn advance(character: char) -> f64 {
    match character {
        'i' | 'j' | 'l' | '\'' | '|' => 0.29,
        ' ' | 'I' | '.' | ',' | ':' | ';' | '/' => 0.34,
        'f' | 't' | '!' | '(' | ')' | '[' | ']' | '·' | '-' => 0.40,
        'r' | '"' | '*' => 0.46,
        'm' | 'w' | 'M' | 'W' | '%' | '@' | '…' | '—' => 0.98,
        'A'..='Z' | '+' | '=' | '<' | '>' | '&' | '×' => 0.76,
        '\0'..='\u{24f}' => 0.63,
        _ => 1.0,
    }
}

/// A text, cut in the middle where it is wider than `room`.
pub(crate) fn shortened(text: &str, size: f64, room: f64) -> String {
    if text_width(text, size) <= room {
        return text.to_owned();
    }
    let characters: Vec<char> = text.chars().collect();
    for kept in (0..characters.len()).rev() {
        let mut cut: String = characters[..kept.div_ceil(2)].iter().collect();
        cut.push('…');
        cut.extend(&characters[characters.len() - kept / 2..]);
        if text_width(&cut, size) <= room {
            return cut;
        }
    }
    String::new()
}

/// A text in lines that fit so much room; a word that does not is cut.
pub(crate) fn wrapped(text: &str, size: f64, room: f64) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for word in text.split_whitespace() {
        match lines.last_mut() {
            Some(line) if text_width(&format!("{line} {word}"), size) <= room => {
                *line += " ";
                *line += word;
            }
            _ => lines.push(word.to_owned()),
        }
    }
    lines.iter().map(|line| shortened(line, size, room)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_look_names_colours_of_the_table() {
        for look in LOOKS {
            for name in [look.fill, look.stroke].into_iter().flatten() {
                for theme in [Theme::Light, Theme::Dark, Theme::Print, Theme::Sparing] {
                    let value = theme.colour(name);
                    assert_eq!((value.len(), &value[..1]), (7, "#"), "{name}");
                }
            }
            assert_eq!(LOOKS.iter().filter(|other| other.class == look.class).count(), 1, "{}", look.class);
        }
    }

    #[test]
    fn the_later_class_decides() {
        let curve = look("series s1");
        assert_eq!((curve.stroke, curve.width, curve.dash), (Some("c1"), Some(1.8), &[7.0, 3.0][..]));
        assert_eq!((look("band c2").fill, look("band c2").opacity), (Some("c2"), Some(0.16)));
        assert_eq!(look("s1 series"), look("series s1"));
    }

    #[test]
    fn the_style_sheet_has_every_colour_three_times() {
        let sheet = style_sheet();
        assert_eq!(sheet.matches("--c3:").count(), 3);
        assert!(sheet.contains(".figure .s1{stroke:var(--c1);stroke-dasharray:7 3}"), "{sheet}");
    }

    #[test]
    fn a_text_is_cut_in_the_middle_to_its_room() {
        assert_eq!(shortened("short", 12.0, 100.0), "short");
        let cut = shortened("algorithm.mutation.rate = 0.02", 12.0, 80.0);
        assert!(cut.starts_with("algo") && cut.ends_with("0.02") && cut.contains('…'), "{cut}");
        assert!(text_width(&cut, 12.0) <= 80.0);
        assert_eq!(shortened("anything", 12.0, 1.0), "");
    }
}
