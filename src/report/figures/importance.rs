//! Which parameters matter.

use super::super::material::{Factor, Material};
use super::super::svg::{Anchor, Frame, Scale, Svg, WIDTH, shortened, text_width};
use super::{Drawn, Figure, percent};
use crate::stats::{Importance, importance};

pub(super) const FIGURE: Figure = Figure { id: "importance", title: "Which parameters matter", draw };

const ROW: f64 = 30.0;

/// The room of the key above the bars.
const HEAD: f64 = 26.0;

/// Bars of pairs.
const PAIRS: usize = 6;

fn draw(material: &Material<'_>) -> Result<Drawn, String> {
    let factors = material.labels.factors();
    if factors.len() < 2 {
        return Err(
            "The importance of parameters is left out: it needs two or more that were varied.".to_owned()
        );
    }
    let levels: Vec<usize> = factors.iter().map(|factor| factor.levels.len()).collect();
    let settings: Vec<usize> = (0..material.settings.len())
        .flat_map(|setting| factors.iter().map(move |factor| factor.of[setting]))
        .collect();
    let of = |response: &dyn Fn(usize) -> f64| {
        let responses: Vec<f64> = (0..material.settings.len()).map(response).collect();
        importance(&levels, &settings, &responses).map_err(|why| {
            format!("The importance of parameters is left out: {}.", in_words(&why.to_string(), &factors))
        })
    };
    let success = of(&|setting| material.settings[setting].rate())?;
    let calls = of(&|setting| material.settings[setting].par10)?;
    if success.variance == 0.0 && calls.variance == 0.0 {
        return Err("The importance of parameters is left out: all settings did alike.".to_owned());
    }
    let caption = "The share of the variance between settings that each parameter explains alone, and pairs beyond their two parameters, by a functional analysis of variance over the full grid; the upper bar of the share of runs solved, the lower of the penalised average calls, PAR-10. The shares of either sum to 100 %; chance alone gives every part some share, so that small ones mean little.".to_owned();
    Ok(Drawn::one(
        "importance",
        "Variance explained by parameters",
        caption,
        bars(&factors, &success, &calls),
    ))
}

/// The reason with the setting that is missing by its values.
fn in_words(why: &str, factors: &[Factor]) -> String {
    let names: Vec<&str> = factors.iter().map(|factor| factor.name.as_str()).collect();
    format!("{why} (of {})", names.join(", "))
}

fn bars(factors: &[Factor], success: &Importance, calls: &Importance) -> Svg {
    let mut rows: Vec<(String, f64, f64)> = factors
        .iter()
        .enumerate()
        .map(|(index, factor)| (factor.name.clone(), success.main[index], calls.main[index]))
        .collect();
    rows.sort_by(|a, b| (b.1 + b.2).total_cmp(&(a.1 + a.2)));
    let name = |a: usize, b: usize| format!("{} × {}", factors[a].name, factors[b].name);
    let pairs = success.pairs.iter().zip(&calls.pairs);
    let mut pairs: Vec<(String, f64, f64)> =
        pairs.map(|(one, two)| (name(one.0, one.1), one.2, two.2)).collect();
    pairs.sort_by(|a, b| (b.1 + b.2).total_cmp(&(a.1 + a.2)));
    let rest = pairs
        .iter()
        .skip(PAIRS)
        .fold((success.higher, calls.higher), |sum, pair| (sum.0 + pair.1, sum.1 + pair.2));
    pairs.truncate(PAIRS);
    rows.extend(pairs);
    if factors.len() > 2 {
        rows.push(("everything else".to_owned(), rest.0, rest.1));
    }

    let names = rows.iter().map(|row| text_width(&row.0, 12.0)).fold(60.0, f64::max).min(300.0);
    let left = names + 18.0;
    let height = ROW * rows.len() as f64 + 4.0;
    let mut svg = Svg::new(WIDTH, HEAD + height + 46.0);
    key(&mut svg, left);
    let frame = Frame::exact(
        (left, HEAD),
        (WIDTH - left - 60.0, height),
        Scale::linear(0.0, 1.0),
        Scale::linear(0.0, 1.0),
    );
    frame.x_axis(&mut svg, "share of the variance explained");
    svg.line("axis", (left, HEAD), (left, HEAD + height));
    for (index, (name, success, calls)) in rows.iter().enumerate() {
        let y = HEAD + 2.0 + ROW * index as f64;
        svg.text("label", (left - 8.0, y + 19.0), Anchor::End, &shortened(name, 12.0, names));
        for (share, class, dy) in [(success, "c0", 2.0), (calls, "c1", 14.0)] {
            let end = frame.x.at(*share);
            svg.rect(class, (left, y + dy), ((end - left).max(1.0), 11.0));
            svg.text("tick", (end + 5.0, y + dy + 9.5), Anchor::Start, &percent(*share));
        }
    }
    svg
}

/// Says which bar is which.
fn key(svg: &mut Svg, left: f64) {
    let mut x = left;
    for (class, words) in [("c0", "of the share of runs solved"), ("c1", "of PAR-10")] {
        svg.rect(class, (x, 4.0), (18.0, 11.0));
        svg.text("legend", (x + 24.0, 14.0), Anchor::Start, words);
        x += 24.0 + text_width(words, 12.0) + 20.0;
    }
}
