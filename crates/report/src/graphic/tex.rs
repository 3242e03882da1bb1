//! A picture as TikZ, for papers in LaTeX: pgf's basic commands alone, with colours and fonts at every shape.
//!
//! Source: T. Tantau, The TikZ and PGF Packages, manual for version 3.1.

use std::collections::BTreeSet;
use std::fmt::Write;

use super::style::{Look, SIZE, Theme, look};
use super::{Anchor, Element, Geometry, Graphic, Path, Point, Segment, Text, coordinate};

/// Points of a pixel.
const POINTS: f64 = 0.75;

impl Graphic {
    /// The picture as a `tikzpicture` with its title above it; without one if it is empty.
    pub(crate) fn tikz(&self, title: &str, theme: Theme) -> String {
        let head = self.head(title);
        let mut all = Self::new(self.width, self.height + head.height);
        let white = theme.colour("page") == "#ffffff";
        all.shapes.extend(head.shapes.into_iter().skip(usize::from(white)));
        all.place((0.0, head.height), self.clone());
        let mut text = String::from("\\begin{tikzpicture}[x=0.75bp,y=-0.75bp]\n");
        for colour in all.colours(theme) {
            let _ =
                writeln!(text, "\\definecolor{{{}}}{{HTML}}{{{}}}", name(colour), colour[1..].to_uppercase());
        }
        let [width, height] = [all.width, all.height].map(coordinate);
        let _ = writeln!(text, "\\useasboundingbox (0,0) rectangle ({width},{height});");
        all.shapes.iter().for_each(|shape| shape.tikz(theme, &mut text));
        text + "\\end{tikzpicture}\n"
    }

    /// The colours in use.
    fn colours(&self, theme: Theme) -> BTreeSet<&'static str> {
        let looks = self.shapes.iter().map(|shape| look(&shape.class));
        let names = looks.flat_map(|look| [look.fill.or(Some("ink")), look.stroke]).flatten();
        names.map(|name| theme.colour(name)).collect()
    }
}

/// The name of a colour in TeX: letters and digits.
fn name(colour: &str) -> String {
    format!("k{}", &colour[1..])
}

impl Element {
    fn tikz(&self, theme: Theme, out: &mut String) {
        let look = look(&self.class);
        let form = match &self.form {
            Geometry::Line(from, to) => format!("{} -- {}", at(*from), at(*to)),
            Geometry::Path(path) => lines(path),
            Geometry::Rect(from, size) => {
                format!("{} rectangle {}", at(*from), at((from.0 + size.0, from.1 + size.1)))
            }
            Geometry::Circle(middle, radius) => {
                format!("{} circle [radius={}bp]", at(*middle), coordinate(radius * POINTS))
            }
            Geometry::Text(text) => return text.tikz(theme, &look, out),
            Geometry::Begin(_) | Geometry::End | Geometry::Chart(_) => return,
        };
        let opacity = self.share.or(look.opacity).filter(|opacity| *opacity < 1.0);
        let mut options: Vec<String> =
            opacity.map(|opacity| format!("opacity={opacity:.2}")).into_iter().collect();
        options.extend(look.fill.map(|fill| format!("fill={}", name(theme.colour(fill)))));
        if let Some(stroke) = look.stroke {
            options.push(format!("draw={}", name(theme.colour(stroke))));
            options.push(format!("line width={}bp", hundredths(look.width.unwrap_or(1.0) * POINTS)));
            options.push("line join=round".to_owned());
            options.extend(
                look.cap.map(|cap| format!("line cap={}", if cap == "square" { "rect" } else { cap })),
            );
            options.extend((!look.dash.is_empty()).then(|| dash_pattern(look.dash)));
        }
        let _ = writeln!(out, "\\path[{}] {form};", options.join(","));
    }
}

/// A dash pattern: lengths on and off in turn.
fn dash_pattern(lengths: &[f64]) -> String {
    let word = |(index, length): (usize, &f64)| {
        format!("{} {}bp", if index % 2 == 0 { "on" } else { "off" }, hundredths(length * POINTS))
    };
    let words: Vec<String> = lengths.iter().enumerate().map(word).collect();
    format!("dash pattern={}", words.join(" "))
}

fn at((x, y): Point) -> String {
    format!("({},{})", coordinate(x), coordinate(y))
}

fn hundredths(value: f64) -> String {
    format!("{value:.2}")
}

fn lines(path: &Path) -> String {
    let segment = |segment: &Segment| match segment {
        Segment::Move(point) => at(*point),
        Segment::Line(point) => format!("-- {}", at(*point)),
        Segment::Close => "-- cycle".to_owned(),
    };
    path.segments().iter().map(segment).collect::<Vec<_>>().join(" ")
}

impl Text {
    fn tikz(&self, theme: Theme, look: &Look, out: &mut String) {
        let anchor = match self.anchor {
            Anchor::Start => "base west",
            Anchor::Middle => "base",
            Anchor::End => "base east",
        };
        let size = hundredths(self.size.or(look.size).unwrap_or(SIZE) * POINTS);
        let turn = if self.runs_upward { ",rotate=90" } else { "" };
        let bold = if look.is_bold { "\\bfseries" } else { "" };
        let colour = name(theme.colour(look.fill.unwrap_or("ink")));
        let _ = writeln!(
            out,
            "\\node[anchor={anchor},inner sep=0pt,outer sep=0pt,text={colour},font=\\fontsize{{{size}bp}}{{{size}bp}}\\selectfont{bold}{turn}] at {} {{{}}};",
            at(self.at),
            escaped(&self.words)
        );
    }
}

/// Text as TeX sets it; what its fonts lack becomes `?`.
pub(super) fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '\\' => out.push_str("\\textbackslash{}"),
            '~' => out.push_str("\\textasciitilde{}"),
            '^' => out.push_str("\\textasciicircum{}"),
            '`' => out.push_str("\\textasciigrave{}"),
            '\'' => out.push_str("\\textquotesingle{}"),
            '{' | '}' | '#' | '$' | '%' | '&' | '_' => out.extend(['\\', character]),
            '<' | '>' | '|' => out += &format!("${character}$"),
            '×' => out.push_str("$\\times$"),
            '÷' => out.push_str("$\\div$"),
            '−' => out.push_str("$-$"),
            '…' => out.push_str("\\dots{}"),
            '–' => out.push_str("--"),
            '—' => out.push_str("---"),
            // Two of these would become one sign.
            '-' | ',' if out.ends_with(character) => out.extend(['{', '}', character]),
            ' '..='~' | '¡'..='ÿ' | '‘' | '’' | '‚' | '“' | '”' | '„' | '€' | '•' => {
                out.push(character)
            }
            'Ħ' | 'ħ' | 'ĸ' | 'Ŀ' | 'ŀ' | 'ŉ' | 'Ŧ' | 'ŧ' => out.push('?'),
            'Ā'..='ž' => out.push(character),
            other if other.is_whitespace() => out.push(' '),
            _ => out.push('?'),
        }
    }
    out
}

/// What stands before the pictures in a file that LaTeX compiles: each, within `drawing`, becomes a page of its own size.
/// The class and the fonts belong to the least installation of LaTeX.
pub const BEGIN: &str = "\
% a figure of kenga's
\\documentclass{article}
\\usepackage[T1]{fontenc}
\\usepackage[utf8]{inputenc}
\\usepackage{lmodern}
\\usepackage{tikz}
\\renewcommand{\\familydefault}{\\sfdefault}
\\ifdefined\\pagewidth\\let\\pdfpagewidth\\pagewidth\\let\\pdfpageheight\\pageheight\\fi
\\hoffset=-1in
\\voffset=-1in
\\newsavebox\\sheet
\\newenvironment{drawing}{\\begin{lrbox}{\\sheet}}{\\end{lrbox}%
  \\pdfpagewidth=\\wd\\sheet \\pdfpageheight=\\dimexpr\\ht\\sheet+\\dp\\sheet\\relax \\shipout\\box\\sheet}
\\begin{document}
";

/// What stands after them.
pub const END: &str = "\\end{document}\n";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shapes_have_colours_widths_and_dashes_of_their_own() {
        let mut graphic = Graphic::new(100.0, 50.0);
        graphic.line("series s1", (0.0, 0.0), (10.0, 10.0));
        graphic.rect("tint0", (1.0, 2.0), (3.0, 4.0));
        graphic.sized_text("given", (5.0, 6.0), Anchor::Middle, 8.0, "3×");
        insta::assert_snapshot!(graphic.tikz("", Theme::Light), @r"
        \begin{tikzpicture}[x=0.75bp,y=-0.75bp]
        \definecolor{k1b1e23}{HTML}{1B1E23}
        \definecolor{kd55e00}{HTML}{D55E00}
        \definecolor{kdbeafc}{HTML}{DBEAFC}
        \useasboundingbox (0,0) rectangle (100,50);
        \path[draw=kd55e00,line width=1.35bp,line join=round,dash pattern=on 5.25bp off 2.25bp] (0,0) -- (10,10);
        \path[fill=kdbeafc] (1,2) rectangle (4,6);
        \node[anchor=base,inner sep=0pt,outer sep=0pt,text=k1b1e23,font=\fontsize{6.00bp}{6.00bp}\selectfont\bfseries] at (5,6) {3$\times$};
        \end{tikzpicture}
        ");
    }

    #[test]
    fn what_tex_would_read_as_commands_is_escaped() {
        assert_eq!(escaped("a_b 50% \\x{é} 3− 数"), "a\\_b 50\\% \\textbackslash{}x\\{é\\} 3$-$ ?");
        assert_eq!(escaped("Łódź--„x” ħ,,'"), "Łódź-{}-„x” ?,{},\\textquotesingle{}");
    }
}
