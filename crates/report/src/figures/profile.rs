//! Performance profiles: the share of puzzles on which a setting is within a factor of the best one.

use super::super::graphic::{Frame, Graphic, Scale, steps};
use super::super::measurements::Measurements;
use super::{Drawn, Figure, ShownSettings};
use kenga_stats::performance_profile;

pub(super) const FIGURE: Figure = Figure { id: "profile", title: "Performance profiles", draw };

const HEIGHT: f64 = 320.0;

/// The least puzzles of a profile.
const PUZZLES: usize = 3;

/// The factor at the right end; beyond it nobody looks.
const MOST: f64 = 1e4;

fn draw(measurements: &Measurements<'_>) -> Result<Drawn, String> {
    if measurements.puzzles < PUZZLES || measurements.arms.len() < 2 {
        return Err(String::new());
    }
    let of = |puzzle: &str| -> Option<Vec<f64>> {
        let side =
            |side: &kenga_lab::study::SettingStats| side.on(puzzle)?.ert.map(|expected| expected.value);
        measurements.sides().iter().map(side).collect()
    };
    let puzzles: Vec<Vec<f64>> =
        measurements.spread(measurements.puzzles).iter().filter_map(|puzzle| of(puzzle)).collect();
    if puzzles.len() < PUZZLES {
        return Err("Performance profiles are left out: fewer than three puzzles have runs of all settings."
            .to_owned());
    }
    let costs: Vec<Vec<f64>> = (0..measurements.arms.len())
        .map(|setting| puzzles.iter().map(|costs| costs[setting]).collect())
        .collect();
    let profiles = performance_profile(&costs);
    if profiles.iter().all(Vec::is_empty) {
        return Err("Performance profiles are left out: no run has solved any of the puzzles.".to_owned());
    }
    let shown = ShownSettings::choose(measurements, |_| true);
    let caption = format!(
        "The share of the {} puzzles on which the expected calls of a setting (ERT) are at most a factor above those of the best setting on that puzzle (Dolan and Moré). At factor 1: how often a setting is the best; at the right: how often it solves at all. With three settings or more only the height at 1 ranks all of them, because factors are those to the best.{}",
        puzzles.len(),
        shown.in_words()
    );
    Ok(Drawn::one("profile", "Puzzles within a factor of the best", caption, |width| {
        chart(&profiles, &shown, width)
    }))
}

fn chart(profiles: &[Vec<(f64, f64)>], shown: &ShownSettings, width: f64) -> Graphic {
    let mut graphic = Graphic::new(width, 0.0);
    let top = shown.legend(&mut graphic, width);
    graphic.set_height(top + HEIGHT);
    let most = profiles.iter().flatten().map(|point| point.0).fold(2.0, f64::max);
    let x = Scale::log(1.0, (most * 1.1).min(MOST));
    let frame = Frame::within((0.0, top), (width, HEIGHT), x, Scale::linear(0.0, 1.0));
    frame.chart(&mut graphic, "factor of the best expected calls (logarithmic)", "share of puzzles");
    let stairs = |setting: usize| -> Vec<(f64, f64)> {
        let mut points = vec![(frame.left, frame.y.at(0.0))];
        let within = profiles[setting].iter().take_while(|(factor, _)| *factor <= MOST);
        points.extend(within.map(|(factor, share)| frame.at(*factor, *share)));
        points.push((frame.right(), points[points.len() - 1].1));
        steps(&points)
    };
    shown.others(&mut graphic, width, stairs);
    shown.lines(&mut graphic, (5, 2), stairs);
    graphic
}
