//! Pictures as SVG: shapes that are named by class, so that a style sheet gives them their colours.
//!
//! A picture stands in a page, whose style sheet knows the classes, or in a file of its own, which carries the same
//! style. Coordinates are pixels with one decimal; text is escaped here and nowhere else.

mod frame;
mod legend;
mod marker;
mod metrics;
mod path;
mod scale;
mod style;

pub(super) use frame::Frame;
pub(super) use legend::{Entry, legend};
pub(super) use marker::marker;
pub(super) use metrics::{shortened, text_width};
pub(super) use path::{area, steps, trace};
pub(super) use scale::Scale;
pub(super) use style::STYLE;

use std::fmt::Write;

/// How many series can be told apart by colour, dashes and marks.
pub(super) const SERIES: usize = 7;

/// The width of a figure.
pub(super) const WIDTH: f64 = 760.0;

/// Where a text stands relative to its point.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Anchor {
    Start,
    Middle,
    End,
}

/// A picture being drawn.
#[derive(Clone, Debug)]
pub(super) struct Svg {
    width: f64,
    height: f64,
    body: String,
}

impl Svg {
    pub(super) fn new(width: f64, height: f64) -> Self {
        Self { width, height, body: String::new() }
    }

    pub(super) fn set_height(&mut self, height: f64) {
        self.height = height;
    }

    pub(super) fn line(&mut self, class: &str, from: (f64, f64), to: (f64, f64)) {
        let [x1, y1, x2, y2] = [from.0, from.1, to.0, to.1].map(coordinate);
        self.put(format_args!(r#"<line class="{class}" x1="{x1}" y1="{y1}" x2="{x2}" y2="{y2}"/>"#));
    }

    pub(super) fn path(&mut self, class: &str, d: &str) {
        if !d.is_empty() {
            self.put(format_args!(r#"<path class="{class}" d="{d}"/>"#));
        }
    }

    pub(super) fn rect(&mut self, class: &str, at: (f64, f64), size: (f64, f64)) {
        let [x, y, width, height] = [at.0, at.1, size.0, size.1].map(coordinate);
        self.put(format_args!(
            r#"<rect class="{class}" x="{x}" y="{y}" width="{width}" height="{height}"/>"#
        ));
    }

    /// A rectangle filled with a share, 0 to 1, of the colour of heat, and what to say to a pointer that rests on it.
    pub(super) fn heat(&mut self, class: &str, at: (f64, f64), size: (f64, f64), share: f64, says: &str) {
        let [x, y, width, height] = [at.0, at.1, size.0, size.1].map(coordinate);
        let (opacity, says) = (opacity(share), escaped(says));
        self.put(format_args!(
            r#"<rect class="{class}" x="{x}" y="{y}" width="{width}" height="{height}" fill-opacity="{opacity}"><title>{says}</title></rect>"#
        ));
    }

    pub(super) fn text(&mut self, class: &str, at: (f64, f64), anchor: Anchor, text: &str) {
        let [x, y] = [at.0, at.1].map(coordinate);
        let anchor = match anchor {
            Anchor::Start => "",
            Anchor::Middle => r#" text-anchor="middle""#,
            Anchor::End => r#" text-anchor="end""#,
        };
        let text = escaped(text);
        self.put(format_args!(r#"<text class="{class}" x="{x}" y="{y}"{anchor}>{text}</text>"#));
    }

    /// A text of another size than its class has.
    pub(super) fn sized_text(&mut self, class: &str, at: (f64, f64), anchor: Anchor, size: f64, text: &str) {
        let size = coordinate(size);
        let _ = write!(self.body, r#"<g style="font-size:{size}px">"#);
        self.text(class, at, anchor, text);
        self.body.truncate(self.body.trim_end().len());
        self.body.push_str("</g>\n");
    }

    /// A text that runs upwards.
    pub(super) fn upward_text(&mut self, class: &str, at: (f64, f64), text: &str) {
        let [x, y] = [at.0, at.1].map(coordinate);
        let text = escaped(text);
        self.put(format_args!(
            r#"<text class="{class}" x="{x}" y="{y}" text-anchor="middle" transform="rotate(-90 {x} {y})">{text}</text>"#
        ));
    }

    fn put(&mut self, element: std::fmt::Arguments<'_>) {
        let _ = writeln!(self.body, "{element}");
    }

    /// The picture as an element of a page, with a name for those who do not see it.
    pub(super) fn inline(&self, name: &str) -> String {
        let (width, height, name) = (coordinate(self.width), coordinate(self.height), escaped(name));
        format!(
            "<svg class=\"figure\" role=\"img\" aria-label=\"{name}\" viewBox=\"0 0 {width} {height}\" width=\"{width}\" height=\"{height}\">\n{}</svg>",
            self.body
        )
    }

    /// The picture as a file of its own, with its title above it and a word on who made it before all else.
    pub(super) fn file(&self, title: &str) -> String {
        const HEAD: f64 = 30.0;
        let (width, height) = (coordinate(self.width), coordinate(self.height + HEAD));
        let size = (15.0 * (self.width - 16.0) / text_width(title, 15.0)).clamp(6.0, 15.0);
        let mut head = Self::new(0.0, 0.0);
        head.rect("page", (0.0, -HEAD), (self.width, self.height + HEAD));
        head.sized_text("heading", (8.0, 20.0 - HEAD), Anchor::Start, size, title);
        format!(
            "<!-- {GENERATOR} -->\n<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"figure\" role=\"img\" viewBox=\"0 -{} {width} {height}\" width=\"{width}\" height=\"{height}\">\n<title>{}</title>\n<style>{STYLE}</style>\n{}{}</svg>\n",
            coordinate(HEAD),
            escaped(title),
            head.body,
            self.body
        )
    }
}

/// What every figure of kenga's begins with.
pub const GENERATOR: &str = "a figure of kenga's";

/// A coordinate with at most one decimal.
pub(super) fn coordinate(value: f64) -> String {
    let tenths = (value * 10.0).round() as i64;
    match (tenths / 10, tenths % 10) {
        (whole, 0) => whole.to_string(),
        _ => format!("{:.1}", tenths as f64 / 10.0),
    }
}

/// How much of the colour of heat stands for a share, so that the least is still seen; 2 decimals.
fn opacity(share: f64) -> String {
    format!("{:.2}", if share <= 0.0 { 0.0 } else { 0.08 + 0.92 * share.min(1.0) })
}

/// The class of a text over a share of the colour of heat: which ink is read there depends on light and dark.
pub(super) fn ink_over(share: f64) -> &'static str {
    match share {
        share if share > 0.82 => "over",
        share if share > 0.6 => "between",
        _ => "value",
    }
}

/// Text with what would be markup escaped; characters that no XML may hold are replaced.
pub(super) fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '&' => out.push_str("&amp;"),
            '"' => out.push_str("&quot;"),
            other if other.is_control() && !matches!(other, '\n' | '\t') => out.push('\u{fffd}'),
            other => out.push(other),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn coordinates_have_at_most_one_decimal() {
        let shown = [0.0, 12.0, 12.04, 12.06, -0.04, -3.25, 759.99].map(coordinate);
        assert_eq!(shown, ["0", "12", "12", "12.1", "0", "-3.3", "760"]);
    }

    #[test]
    fn markup_in_text_is_escaped() {
        let mut svg = Svg::new(10.0, 10.0);
        svg.text("tick", (1.0, 2.0), Anchor::End, "<b>&\"\u{1}");
        let text = svg.inline("a \"name\"");
        assert!(text.contains("&lt;b&gt;&amp;&quot;\u{fffd}</text>"), "{text}");
        assert!(text.contains("aria-label=\"a &quot;name&quot;\""), "{text}");
    }

    #[test]
    fn a_file_carries_its_style_and_its_title() {
        let file = Svg::new(300.0, 100.0).file("Success <by> setting");
        let head = format!("<!-- {GENERATOR} -->\n<svg xmlns=\"http://www.w3.org/2000/svg\"");
        assert!(file.starts_with(&head), "{file}");
        assert!(file.contains("<style>") && file.contains("Success &lt;by&gt; setting</text>"), "{file}");
    }
}
