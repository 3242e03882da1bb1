//! Pictures one after the other in one SVG: every shape stands there once, and rules of style show it at its times.
//!
//! No script is needed, so that the file plays wherever pictures are shown. Where a reader prefers less motion, the last picture
//! stands still.

use std::collections::{HashMap, HashSet};
use std::fmt::Write;

use super::style::{FONTS, style_sheet};
use super::svg::escaped;
use super::{GENERATOR, Graphic, coordinate};

/// Pictures of one size, each shown for the same time, the last longer.
#[derive(Clone, Debug)]
pub(crate) struct Film {
    pub(crate) pictures: Vec<Graphic>,
    /// Seconds a picture.
    pub(crate) step_s: f64,
}

/// How many times longer the last picture stands.
const LAST: usize = 5;

impl Film {
    /// How long each picture is shown, in seconds.
    pub(crate) fn seconds(&self, index: usize) -> f64 {
        if index + 1 == self.pictures.len() { self.step_s * LAST as f64 } else { self.step_s }
    }

    /// The time from beginning to end, in seconds.
    fn length(&self) -> f64 {
        self.step_s * (self.pictures.len() + LAST - 1) as f64
    }

    /// The film as a file, for light and dark screens.
    pub(crate) fn svg_file(&self, title: &str) -> String {
        let (width, height) = self.pictures.first().map_or((0.0, 0.0), Graphic::size);
        let [width, height] = [width, height].map(coordinate);
        let (elements, rules) = self.parts();
        let title = escaped(title);
        format!(
            "<!-- {GENERATOR} -->\n<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"figure\" viewBox=\"0 0 {width} {height}\" width=\"{width}\" height=\"{height}\" font-family=\"{FONTS}\">\n<title>{title}</title>\n<style>{}{rules}</style>\n{elements}</svg>\n",
            style_sheet(),
        )
    }

    /// The film as an element of a page with the [`style_sheet`], and the rules that play it.
    pub(crate) fn inline(&self, name: &str) -> (String, String) {
        let (width, height) = self.pictures.first().map_or((0.0, 0.0), Graphic::size);
        let [width, height] = [width, height].map(coordinate);
        let (elements, rules) = self.parts();
        let name = escaped(name);
        let svg = format!(
            "<svg class=\"figure\" role=\"img\" aria-label=\"{name}\" viewBox=\"0 0 {width} {height}\" width=\"{width}\" height=\"{height}\">\n{elements}</svg>"
        );
        (svg, rules)
    }

    /// The shapes, and the rules that show them at their times.
    fn parts(&self) -> (String, String) {
        let shapes = merged(self.pictures.iter().map(Graphic::page_elements));
        let mut names: HashMap<&[bool], usize> = HashMap::new();
        let (mut elements, mut rules) = (String::new(), self.common_rules());
        let mut open: Option<&[bool]> = None;
        for Timed { element, shown } in &shapes {
            // What every picture shows needs no animation.
            let times = Some(shown.as_slice()).filter(|shown| shown.contains(&false));
            if times != open {
                elements += if open.is_some() { "</g>\n" } else { "" };
                if let Some(shown) = times {
                    let next = names.len();
                    let name = *names.entry(shown).or_insert_with(|| {
                        rules += &self.rule(next, shown);
                        next
                    });
                    let _ = write!(elements, "<g class=\"t t{name}\">");
                }
                open = times;
            }
            elements += element;
            elements += if times.is_some() { "" } else { "\n" };
        }
        elements += if open.is_some() { "</g>\n" } else { "" };
        (elements, rules)
    }

    fn common_rules(&self) -> String {
        let length = seconds(self.length());
        let still = seconds(self.length() - self.step_s * LAST as f64 / 2.0);
        format!(
            "\n.t{{animation:{length}s step-end infinite}}\n@media(prefers-reduced-motion:reduce){{.t{{animation-play-state:paused;animation-delay:-{still}s}}}}\n"
        )
    }

    /// The rule of shapes that are shown in some pictures.
    fn rule(&self, name: usize, shown: &[bool]) -> String {
        let mut frames = String::new();
        for (index, is_shown) in shown.iter().enumerate() {
            if index == 0 || shown[index - 1] != *is_shown {
                // A keyframe only where it appears or disappears.
                let share = index as f64 * self.step_s / self.length() * 100.0;
                let value = if *is_shown { "visible" } else { "hidden" };
                let _ = write!(frames, "{}%{{visibility:{value}}}", seconds(share));
            }
        }
        format!(".t{name}{{animation-name:t{name}}}@keyframes t{name}{{{frames}}}\n")
    }
}

/// A number with at most three decimals.
fn seconds(value: f64) -> String {
    let text = format!("{value:.3}");
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

/// A shape and the pictures that it is in.
struct Timed {
    element: String,
    shown: Vec<bool>,
}

/// The shapes of all pictures, each once where their order allows it: in every picture the shapes keep their order.
fn merged(pictures: impl ExactSizeIterator<Item = Vec<String>>) -> Vec<Timed> {
    let count = pictures.len();
    let mut all: Vec<Timed> = Vec::new();
    let mut known: HashSet<String> = HashSet::new();
    for (index, picture) in pictures.enumerate() {
        let mut place = 0;
        for element in picture.into_iter().filter(|element| !element.is_empty()) {
            let found = known
                .contains(&element)
                .then(|| all[place..].iter().position(|shape| shape.element == element));
            // Elements keep the order in which they are drawn, so that what lies above stays above.
            place += found.flatten().unwrap_or_else(|| {
                known.insert(element.clone());
                all.insert(place, Timed { element, shown: vec![false; count] });
                0
            });
            all[place].shown[index] = true;
            place += 1;
        }
    }
    all
}

#[cfg(test)]
mod tests {
    use super::super::Anchor;
    use super::*;

    fn film() -> Film {
        let picture = |words: &[&str]| {
            let mut picture = Graphic::new(30.0, 10.0);
            picture.rect("page", (0.0, 0.0), (30.0, 10.0));
            words.iter().enumerate().for_each(|(at, word)| {
                picture.text("tick", (at as f64 * 10.0, 5.0), Anchor::Start, word);
            });
            picture
        };
        Film { pictures: vec![picture(&["a", "b"]), picture(&["b"]), picture(&["a", "b", "c"])], step_s: 0.5 }
    }

    #[test]
    fn every_picture_has_its_shapes_in_their_order() {
        let film = film();
        let shapes = merged(film.pictures.iter().map(Graphic::page_elements));
        for (index, picture) in film.pictures.iter().enumerate() {
            let shown: Vec<String> =
                shapes.iter().filter(|shape| shape.shown[index]).map(|shape| shape.element.clone()).collect();
            assert_eq!(shown, picture.page_elements());
        }
        assert_eq!(shapes.len(), 5, "the background, a, b twice and c");
    }

    #[test]
    fn a_shape_is_shown_at_its_times() {
        let (elements, rules) = film().parts();
        assert!(elements.starts_with("<rect class=\"page\""), "{elements}");
        assert!(rules.contains(".t{animation:3.5s step-end infinite}"), "{rules}");
        assert!(
            rules.contains("{0%{visibility:visible}14.286%{visibility:hidden}28.571%{visibility:visible}}"),
            "{rules}"
        );
        assert!(rules.contains("animation-delay:-2.25s"), "{rules}");
    }
}
