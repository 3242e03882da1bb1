//! A picture as SVG: in a page, with a style sheet for the classes, or as a file, with the style at every shape.

use std::fmt::Write;

use maud::{DOCTYPE, Markup, PreEscaped, html};

use super::style::{
    FONTS, Look, SIZE, Theme, channels, dashes, look, style_sheet, style_sheet_of, text_width, wrapped,
};
use super::{Anchor, Element, Frame, GENERATOR, Geometry, Graphic, Text, coordinate};

/// The height of a title of one line above a picture in a file.
const HEAD: f64 = 30.0;

/// The largest and the smallest size of a title, and the largest in print: 9 points.
const TITLE: f64 = 15.0;
const PRINTED_TITLE: f64 = 13.5;
const SMALL_TITLE: f64 = 11.0;

/// Where the style of shapes is.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Home {
    /// In the style sheet.
    Page,
    /// At every shape, in the colours of a theme.
    File(Theme),
}

impl Graphic {
    /// The picture as an element of a page, with a name for screen readers; `class` distinguishes pictures for wide and for
    /// narrow screens.
    pub(crate) fn inline(&self, name: &str, class: &str) -> String {
        let (width, height, name) = (coordinate(self.width), coordinate(self.height), escaped(name));
        format!(
            "<svg class=\"figure{class}\" role=\"img\" aria-label=\"{name}\" viewBox=\"0 0 {width} {height}\" width=\"{width}\" height=\"{height}\">\n{}</svg>",
            self.elements(Home::Page)
        )
    }

    /// The picture as a file, with its title above it; the first line says that kenga made it.
    pub(crate) fn svg_file(&self, title: &str) -> String {
        self.themed_svg_file(title, Theme::Print)
    }

    /// The picture as a file in the colours of a theme, with its title above it; without room for an empty one.
    pub(crate) fn themed_svg_file(&self, title: &str, theme: Theme) -> String {
        let (home, head) = (Home::File(theme), self.head(title));
        let [width, height] = [self.width, self.height + head.height].map(coordinate);
        let [wide, high] = [self.width, self.height + head.height].map(|length| self.length(length));
        let elements = self.elements(home);
        let name =
            if title.is_empty() { String::new() } else { format!("<title>{}</title>\n", escaped(title)) };
        let body = match head.height {
            0.0 => elements,
            height => format!("<g transform=\"translate(0 {height})\">\n{elements}</g>\n"),
        };
        format!(
            "<!-- {GENERATOR} -->\n<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" width=\"{wide}\" height=\"{high}\" font-family=\"{FONTS}\">\n{name}{}{body}</svg>\n",
            head.elements(home),
        )
    }

    /// A length of a file: in pixels, in millimetres where it is made for print.
    fn length(&self, pixels: f64) -> String {
        if self.is_printed {
            return format!("{}mm", coordinate(pixels * self.points() / 72.0 * 25.4));
        }
        coordinate(pixels)
    }

    /// What stands above a picture in a file: its title, on the background of the whole.
    pub(super) fn head(&self, title: &str) -> Self {
        let largest = if self.is_printed { PRINTED_TITLE } else { TITLE };
        let (lines, size) = title_lines(title, self.width - 16.0, largest);
        let step = size * 1.3;
        let height = lines.len().checked_sub(1).map_or(0.0, |more| HEAD + step * more as f64);
        let mut head = Self::new(self.width, height);
        head.rect("page", (0.0, 0.0), (self.width, self.height + height));
        for (index, line) in lines.iter().enumerate() {
            let at = (8.0, 20.0 + step * index as f64);
            head.sized_text("heading", at, Anchor::Start, size, line);
        }
        head
    }

    /// The shapes as elements of a page, one text each.
    pub(super) fn page_elements(&self) -> Vec<String> {
        self.shapes.iter().map(|shape| shape.element(Home::Page)).collect()
    }

    fn elements(&self, home: Home) -> String {
        let mut text = String::new();
        for shape in &self.shapes {
            let element = shape.element(home);
            if !element.is_empty() {
                text += &element;
                text.push('\n');
            }
        }
        text
    }
}

impl Element {
    fn element(&self, home: Home) -> String {
        let attributes = self.attributes(home);
        let short = |name: &str, geometry: String| {
            if self.says.is_empty() {
                format!("<{name}{attributes}{geometry}/>")
            } else {
                format!("<{name}{attributes}{geometry}><title>{}</title></{name}>", escaped(&self.says))
            }
        };
        match &self.form {
            Geometry::Line(from, to) => {
                let [x1, y1, x2, y2] = [from.0, from.1, to.0, to.1].map(coordinate);
                short("line", format!(r#" x1="{x1}" y1="{y1}" x2="{x2}" y2="{y2}""#))
            }
            Geometry::Path(path) => short("path", format!(r#" d="{path}""#)),
            Geometry::Rect(at, size) => {
                let [x, y, width, height] = [at.0, at.1, size.0, size.1].map(coordinate);
                short("rect", format!(r#" x="{x}" y="{y}" width="{width}" height="{height}""#))
            }
            Geometry::Circle(at, radius) => {
                let [x, y, radius] = [at.0, at.1, *radius].map(coordinate);
                short("circle", format!(r#" cx="{x}" cy="{y}" r="{radius}""#))
            }
            Geometry::Text(text) => text.element(&attributes),
            Geometry::Begin(series) if home == Home::Page => {
                format!(r#"<g class="{}" data-series="{}">"#, self.class, escaped(series))
            }
            Geometry::End if home == Home::Page => "</g>".to_owned(),
            Geometry::Chart(frame) if home == Home::Page => chart(frame),
            Geometry::Begin(_) | Geometry::End | Geometry::Chart(_) => String::new(),
        }
    }

    /// The attributes: the class, or the style that it stands for.
    fn attributes(&self, home: Home) -> String {
        let is_text = matches!(self.form, Geometry::Text(_));
        match home {
            Home::Page => {
                let share =
                    self.share.map_or_else(String::new, |share| format!(r#" fill-opacity="{share:.2}""#));
                let size = match &self.form {
                    Geometry::Text(Text { size: Some(size), .. }) => {
                        format!(r#" font-size="{}""#, coordinate(*size))
                    }
                    _ => String::new(),
                };
                format!(r#" class="{}"{size}{share}"#, self.class)
            }
            Home::File(theme) => literal(theme, &look(&self.class), is_text, self.form.size(), self.share),
        }
    }
}

impl Geometry {
    /// The size of a text, where it has its own.
    fn size(&self) -> Option<f64> {
        if let Self::Text(text) = self { text.size } else { None }
    }
}

impl Text {
    fn element(&self, attributes: &str) -> String {
        let [x, y] = [self.at.0, self.at.1].map(coordinate);
        let anchor = match self.anchor {
            Anchor::Start => "",
            Anchor::Middle => r#" text-anchor="middle""#,
            Anchor::End => r#" text-anchor="end""#,
        };
        let turn =
            if self.runs_upward { format!(r#" transform="rotate(-90 {x} {y})""#) } else { String::new() };
        format!(r#"<text{attributes} x="{x}" y="{y}"{anchor}{turn}>{}</text>"#, escaped(&self.words))
    }
}

/// A title in lines that fit so much room, and their size: in one line where that is not too small.
fn title_lines(title: &str, room: f64, largest: f64) -> (Vec<String>, f64) {
    let size = (largest * room / text_width(title, largest).max(1.0)).min(largest);
    if size >= SMALL_TITLE && !title.is_empty() {
        return (vec![title.to_owned()], size);
    }
    (wrapped(title, SMALL_TITLE, room), SMALL_TITLE)
}

/// A page for pictures in it, which loads nothing: in one theme, or light and dark as the reader's screen is. `rules` follow
/// the style sheet of the pictures.
pub(crate) fn page(title: &str, generator: &str, theme: Option<Theme>, rules: &str, body: &Markup) -> String {
    let style = theme.map_or_else(style_sheet, style_sheet_of);
    let page = html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta name="generator" content=(generator);
                meta name="viewport" content="width=device-width, initial-scale=1";
                meta name="color-scheme" content=[theme.is_none().then_some("light dark")];
                title { (title) }
                style { (PreEscaped(style)) (PreEscaped(rules)) }
            }
            body { (body) }
        }
    };
    // The page may be large, and rarely needs a replacement.
    let page = page.into_string();
    let is_sound = page.chars().all(|c| printable(c) == c);
    if is_sound { page } else { page.chars().map(printable).collect() }
}

/// A style as attributes, in the colours of a theme. Defaults are written too, and opacity only as a part of a colour: some
/// programs take missing attributes from the previous shape, and know no other opacity.
fn literal(theme: Theme, look: &Look, is_text: bool, size: Option<f64>, share: Option<f64>) -> String {
    let colour = |name: &str| match (share, look.opacity) {
        (Some(share), _) => mixed(theme.colour(name), theme.colour("page"), share),
        (None, Some(opacity)) => {
            let [red, green, blue] = channels(theme.colour(name));
            format!("rgba({red},{green},{blue},{opacity})")
        }
        (None, None) => theme.colour(name).to_owned(),
    };
    let fill = look.fill.or(is_text.then_some("ink")).map_or("none".to_owned(), colour);
    let stroke = look.stroke.filter(|_| !is_text);
    let mut text = format!(r#" fill="{fill}" stroke="{}""#, stroke.map_or("none".to_owned(), colour));
    if is_text {
        let _ = write!(text, r#" font-size="{}""#, coordinate(size.or(look.size).unwrap_or(SIZE)));
        text += if look.is_bold { r#" font-weight="bold""# } else { "" };
    }
    if stroke.is_some() {
        let _ = write!(text, r#" stroke-width="{}" stroke-linejoin="round""#, look.width.unwrap_or(1.0));
        if !look.dash.is_empty() {
            let _ = write!(text, r#" stroke-dasharray="{}""#, dashes(look.dash));
        }
        if let Some(cap) = look.cap {
            let _ = write!(text, r#" stroke-linecap="{cap}""#);
        }
    }
    text
}

/// The blend of a share of a colour over another.
fn mixed(over: &str, under: &str, share: f64) -> String {
    let (over, under) = (channels(over), channels(under));
    let mixed = |at: usize| share * f64::from(over[at]) + (1.0 - share) * f64::from(under[at]);
    let [red, green, blue] = [0, 1, 2].map(|at| mixed(at).round() as u8);
    format!("#{red:02x}{green:02x}{blue:02x}")
}

/// The frame and the scales of a chart, for the script of the page.
fn chart(frame: &Frame) -> String {
    let [x, y, width, height] = [frame.left, frame.top, frame.width, frame.height].map(coordinate);
    format!(
        r#"<rect class="chart" data-x="{}" data-y="{}" x="{x}" y="{y}" width="{width}" height="{height}"/>"#,
        frame.x.range(),
        frame.y.range()
    )
}

/// Text with markup escaped, and characters replaced that XML forbids.
pub(super) fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '&' => out.push_str("&amp;"),
            '"' => out.push_str("&quot;"),
            other => out.push(printable(other)),
        }
    }
    out
}

/// The character, or the replacement character for those that XML forbids: most control characters and two noncharacters.
pub(crate) fn printable(character: char) -> char {
    match character {
        '\n' | '\t' => character,
        '\u{fffe}' | '\u{ffff}' => '\u{fffd}',
        other if other.is_control() => '\u{fffd}',
        other => other,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_title_that_would_be_too_small_stands_in_lines() {
        assert_eq!(title_lines("", 100.0, TITLE).0, [""; 0]);
        assert_eq!(title_lines("short", 100.0, TITLE), (vec!["short".to_owned()], TITLE));
        let (lines, size) = title_lines("the cage 12× at B2 has one combination left", 100.0, TITLE);
        assert_eq!((lines.join(" "), size), ("the cage 12× at B2 has one combination left".to_owned(), 11.0));
        assert!(lines.len() > 1 && lines.iter().all(|line| text_width(line, size) <= 100.0), "{lines:?}");
        let (lines, _) = title_lines("aVeryLongNameWithoutAnyBlank", 60.0, TITLE);
        assert!(lines.len() == 1 && lines[0].contains('…'), "{lines:?}");
    }

    #[test]
    fn markup_and_control_characters_in_text_are_escaped() {
        let mut graphic = Graphic::new(10.0, 10.0);
        graphic.text("tick", (1.0, 2.0), Anchor::End, "<b>&\"\u{1}\u{1b}\u{ffff}\r");
        graphic.heat("heat", (0.0, 0.0), (1.0, 1.0), 0.5, "a\u{0}b");
        for text in [graphic.inline("a \"name\"\u{7f}", ""), graphic.svg_file("a \"name\"\u{fffe}")] {
            assert!(text.contains("&lt;b&gt;&amp;&quot;\u{fffd}\u{fffd}\u{fffd}\u{fffd}</text>"), "{text}");
            assert!(text.contains("a &quot;name&quot;\u{fffd}") && text.contains("a\u{fffd}b"), "{text}");
            assert!(text.chars().all(|character| character == printable(character)), "{text}");
        }
    }

    #[test]
    fn a_file_has_literal_colours_and_fonts_alone() {
        let mut graphic = Graphic::new(300.0, 100.0);
        graphic.series("curve", "0", |graphic| {
            graphic.line("series s1", (0.0, 0.0), (10.0, 10.0));
            graphic.text("tick", (5.0, 5.0), Anchor::Start, "5");
            graphic.heat("heat", (0.0, 0.0), (1.0, 1.0), 1.0, "");
            graphic.rect("band c0", (0.0, 0.0), (1.0, 1.0));
        });
        let file = graphic.svg_file("Success <by> setting");
        let head = format!("<!-- {GENERATOR} -->\n<svg xmlns=\"http://www.w3.org/2000/svg\"");
        assert!(file.starts_with(&head) && file.contains("Success &lt;by&gt; setting</text>"), "{file}");
        let line = "<line fill=\"none\" stroke=\"#d55e00\" stroke-width=\"1.8\" stroke-linejoin=\"round\" stroke-dasharray=\"7 3\" x1=\"0\" y1=\"0\" x2=\"10\" y2=\"10\"/>";
        assert!(file.contains(line), "{file}");
        assert!(
            file.contains("<text fill=\"#333333\" stroke=\"none\" font-size=\"11\" x=\"5\" y=\"5\">5</text>"),
            "{file}"
        );
        assert!(file.contains("<rect fill=\"#0072b2\" stroke=\"none\""), "{file}");
        assert!(file.contains("<rect fill=\"rgba(0,114,178,0.16)\" stroke=\"none\""), "{file}");
        assert_eq!(mixed("#0072b2", "#ffffff", 0.5), "#80b9d9");
        for style in ["class", "var(", "<style", "@media"] {
            assert!(!file.contains(style), "{style}: {file}");
        }
    }
}
