//! The frame of a chart: two axes with ticks, their titles, and the lines across.

use super::{Anchor, Graphic, Scale, text_width};

/// Pixels that an axis and its title need to the left of a chart, and below it.
const LEFT: f64 = 58.0;
const BELOW: f64 = 44.0;

/// Pixels right of a chart.
const MARGIN: f64 = 14.0;

/// A chart's rectangle with its scales.
#[derive(Clone, Copy, Debug)]
pub(in crate::report) struct Frame {
    pub(in crate::report) x: Scale,
    pub(in crate::report) y: Scale,
    pub(in crate::report) left: f64,
    pub(in crate::report) top: f64,
    pub(in crate::report) width: f64,
    pub(in crate::report) height: f64,
}

impl Frame {
    /// A chart within a rectangle that has room for the axes too.
    pub(in crate::report) fn within(at: (f64, f64), size: (f64, f64), x: Scale, y: Scale) -> Self {
        let (left, top) = (at.0 + LEFT, at.1);
        let (width, height) = (size.0 - LEFT - MARGIN, size.1 - BELOW);
        Self::exact((left, top), (width, height), x, y)
    }

    /// A chart that fills a rectangle.
    pub(in crate::report) fn exact(at: (f64, f64), size: (f64, f64), x: Scale, y: Scale) -> Self {
        let ((left, top), (width, height)) = (at, size);
        Self { x: x.over(left, left + width), y: y.over(top + height, top), left, top, width, height }
    }

    pub(in crate::report) fn right(&self) -> f64 {
        self.left + self.width
    }

    pub(in crate::report) fn bottom(&self) -> f64 {
        self.top + self.height
    }

    /// The pixel of a point.
    pub(in crate::report) fn at(&self, x: f64, y: f64) -> (f64, f64) {
        (self.x.at(x), self.y.at(y))
    }

    /// Draws both axes with titles, for curves whose values can be read.
    pub(in crate::report) fn chart(&self, graphic: &mut Graphic, x_title: &str, y_title: &str) {
        self.axes(graphic, x_title, y_title);
        graphic.chart(self);
    }

    /// Draws both axes with titles.
    pub(in crate::report) fn axes(&self, graphic: &mut Graphic, x_title: &str, y_title: &str) {
        self.x_axis(graphic, x_title);
        self.y_axis(graphic, y_title);
    }

    /// Draws the axis below with its title and the lines that rise from it.
    pub(in crate::report) fn x_axis(&self, graphic: &mut Graphic, title: &str) {
        let mut free = f64::NEG_INFINITY;
        for (value, word) in self.x.ticks((self.width / 75.0).max(2.0) as usize) {
            let (x, half) = (self.x.at(value), text_width(&word, 11.0) / 2.0);
            graphic.line("grid", (x, self.top), (x, self.bottom()));
            // The last word does not leave the picture.
            let middle = x.min(self.right() + MARGIN - half);
            if middle - half > free {
                graphic.text("tick", (middle, self.bottom() + 15.0), Anchor::Middle, &word);
                free = middle + half + 6.0;
            }
        }
        graphic.line("axis", (self.left, self.bottom()), (self.right(), self.bottom()));
        let middle = self.left + self.width / 2.0;
        graphic.text("axis-title", (middle, self.bottom() + 34.0), Anchor::Middle, title);
    }

    /// Draws the axis on the left with its title and the lines across.
    pub(in crate::report) fn y_axis(&self, graphic: &mut Graphic, title: &str) {
        for (value, word) in self.y.ticks((self.height / 42.0).max(2.0) as usize) {
            let y = self.y.at(value);
            graphic.line("grid", (self.left, y), (self.right(), y));
            graphic.text("tick", (self.left - 6.0, y + 4.0), Anchor::End, &word);
        }
        graphic.line("axis", (self.left, self.top), (self.left, self.bottom()));
        graphic.upward_text("axis-title", (self.left - 44.0, self.top + self.height / 2.0), title);
    }
}
