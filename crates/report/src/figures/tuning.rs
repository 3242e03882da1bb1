//! The figures of a tuning: candidates left, the best by budget, values by iteration, the ablation path.

use std::collections::BTreeSet;

use super::super::graphic::{
    Anchor, Frame, Graphic, LegendEntry, Point, Scale, WIDTH, legend, marker, shortened, steps, trace, widest,
};
use super::super::measurements::FigureName;
use super::super::{counted, rounded};
use super::{Drawing, PANEL};
use crate::span;
use kenga_lab::experiment::short_key;
use kenga_lab::tune::{Cost, Decision, TuneHistory};

/// The figures that a history has something for; `width` is that of print, in pixels, if one is asked for.
pub(crate) fn tuning_drawings(history: &TuneHistory, width: Option<f64>) -> Vec<Vec<Drawing>> {
    let (wide, panel) = (width.unwrap_or(WIDTH), width.unwrap_or(PANEL));
    let mut found = Vec::new();
    if history.iterations() > 0 {
        found.push(vec![alive(history, wide)]);
        found.push(vec![best(history, wide)]);
        found.push((0..history.space.keys().len()).map(|axis| values(history, axis, panel)).collect());
    }
    if history.ablation.len() > 1 {
        found.push(vec![ablation(history, wide)]);
    }
    found
}

/// How many candidates are left, by calls, as steps: one series an iteration.
fn alive(history: &TuneHistory, wide: f64) -> Drawing {
    let caption = "The candidates left in the race of each iteration, against the calls of all runs. A race begins with the elites of the one before and with new candidates; the last step shows how many become elites.".to_owned();
    Drawing::new(FigureName::new("tuning-alive", "Candidates left"), caption, wide, |width| {
        let races: Vec<Vec<Point>> = (1..=history.iterations()).map(|race| left(history, race)).collect();
        let (_, most) = span(races.iter().flatten().map(|point| point.1));
        let mut graphic = Graphic::new(width, 320.0);
        let x = Scale::linear(0.0, history.used as f64);
        let frame = Frame::within((8.0, 12.0), (width - 16.0, 300.0), x, Scale::fitting(1.0, most.max(1.0)));
        frame.axes(&mut graphic, "calls of all runs", "candidates left");
        for (race, points) in races.iter().enumerate() {
            let drawn: Vec<Point> = points.iter().map(|(x, y)| frame.at(*x, *y)).collect();
            graphic.path(&format!("series s{}", race % 7), trace(steps(&drawn)));
        }
        graphic
    })
}

/// How many are left after every decision of a race, by calls.
fn left(history: &TuneHistory, race: u64) -> Vec<Point> {
    let mut count = history.candidates.iter().filter(|one| one.iteration == race).count();
    let mut before = 0;
    for one in &history.decisions {
        if one.iteration + 1 == race {
            count += usize::from(one.is_elite());
            before = before.max(one.used);
        }
    }
    let mut points = vec![(before as f64, count as f64)];
    let (mut end, mut elites) = (None, 0);
    for one in &history.decisions {
        if one.iteration != race {
            continue;
        }
        end = end.max(Some(one.used));
        if one.is_elite() {
            elites += 1;
        } else {
            count = count.saturating_sub(1);
            points.push((one.used as f64, count as f64));
        }
    }
    let end = end.unwrap_or(before) as f64;
    points.extend([(end, count as f64), (end, f64::from(elites))]);
    points
}

/// The title of an axis of costs.
fn cost_title(history: &TuneHistory) -> &'static str {
    match history.options.cost {
        Cost::Calls => "mean calls, failures tenfold (PAR-10)",
        Cost::BestFitness => "mean best fitness",
        Cost::Reported => "mean cost that the program reports",
        Cost::Place => "mean place of the best value among runs on the instance, 0 best",
    }
}

/// The mean cost of the best at the end of every race, by calls.
fn best(history: &TuneHistory, wide: f64) -> Drawing {
    let caption = format!(
        "The mean cost of the best candidate on the training blocks of its race, at the end of every race. Every race has further blocks, so the line may rise while the candidate stays the same. The held-out {}s show how good the best is.",
        history.options.noun()
    );
    Drawing::new(FigureName::new("tuning-best", "The best by budget"), caption, wide, |width| {
        let is_best = |one: &&Decision| one.is_elite() && one.rank == Some(1.0);
        let points: Vec<&Decision> = history.decisions.iter().filter(is_best).collect();
        let (low, high) = span(points.iter().map(|one| one.cost));
        let mut graphic = Graphic::new(width, 300.0);
        let y = Scale::fitting(low / 1.2, high.max(0.0) * 1.2);
        let x = Scale::linear(0.0, history.used as f64);
        let frame = Frame::within((8.0, 12.0), (width - 16.0, 280.0), x, y);
        frame.axes(&mut graphic, "calls of all runs", cost_title(history));
        let places: Vec<Point> = points.iter().map(|one| frame.at(one.used as f64, one.cost)).collect();
        graphic.path("series s0", trace(places.iter().copied()));
        for (one, at) in points.iter().zip(places) {
            let says = format!(
                "iteration {}: candidate {}, {} over {} blocks",
                one.iteration,
                one.candidate,
                rounded(one.cost),
                counted(one.blocks as u64)
            );
            marker(&mut graphic, 0, at, &says);
        }
        graphic
    })
}

/// The values of a key that every iteration tried, those of its elites marked.
fn values(history: &TuneHistory, axis: usize, wide: f64) -> Drawing {
    let key = history.space.keys().swap_remove(axis);
    let title = short_key(&key).to_owned();
    let caption = "The values of each key in the candidates of every iteration, from left to right in the order in which they were drawn; those that became elites of the iteration are marked. A candidate that has not the key, because of a condition, has no dot.".to_owned();
    let name = format!("tuning-values-{}", axis + 1);
    Drawing::new(FigureName::new(name, title), caption, wide, |width| {
        let mut graphic = Graphic::new(width, 260.0);
        let entries = [LegendEntry::Others("tried"), LegendEntry::Series(0, "elite")];
        let top = legend(&mut graphic, (70.0, 2.0), width - 90.0, "", &entries) + 6.0;
        let last = history.iterations();
        let labels = history.space.axis_labels(axis);
        let room = widest(labels.iter().map(|(_, word)| word), 11.0, 30.0).min(width * 0.3);
        let x = Scale::linear(0.5, last as f64 + 0.5);
        let size = (width - room - 28.0, 210.0 - top);
        let frame = Frame::exact((room + 14.0, top), size, x, Scale::linear(-0.03, 1.03));
        for iteration in 1..=last {
            let word = iteration.to_string();
            graphic.text(
                "tick",
                (frame.x.at(iteration as f64), frame.bottom() + 15.0),
                Anchor::Middle,
                &word,
            );
        }
        graphic.line("axis", (frame.left, frame.bottom()), (frame.right(), frame.bottom()));
        let middle = frame.left + frame.width / 2.0;
        graphic.text("axis-title", (middle, frame.bottom() + 34.0), Anchor::Middle, "iteration");
        for (draw, word) in &labels {
            let y = frame.y.at(*draw);
            graphic.line("grid", (frame.left, y), (frame.right(), y));
            graphic.text("tick", (frame.left - 6.0, y + 4.0), Anchor::End, &shortened(word, 11.0, room));
        }
        dots(history, axis, &frame, &mut graphic);
        graphic
    })
}

fn dots(history: &TuneHistory, axis: usize, frame: &Frame, graphic: &mut Graphic) {
    for iteration in 1..=history.iterations() {
        let mut born = Vec::new();
        for (index, candidate) in history.candidates.iter().enumerate() {
            if candidate.iteration == iteration {
                born.push(index);
            }
        }
        let mut elites = BTreeSet::new();
        for one in &history.decisions {
            if one.is_elite() && one.iteration == iteration {
                elites.insert(one.candidate);
            }
        }
        for (place, index) in born.iter().enumerate() {
            let candidate = &history.candidates[*index];
            let Some(draw) = candidate.draw(axis) else { continue };
            let value = candidate.word(axis).unwrap_or_default();
            let says = format!("candidate {index}: {value}");
            let x = iteration as f64 - 0.35 + 0.7 * (place as f64 + 0.5) / born.len() as f64;
            let at = frame.at(x, draw);
            if elites.contains(index) {
                marker(graphic, 0, at, &says);
            } else {
                graphic.circle("others", at, 1.8);
                graphic.says(&says);
            }
        }
    }
}

/// The path from the default to the best, a bar a step.
fn ablation(history: &TuneHistory, wide: f64) -> Drawing {
    let blocks = history.ablation.first().map_or(0, |step| step.blocks);
    let caption = format!(
        "From the default to the best one change at a time, each time the change with the lowest mean cost on {} training blocks. The best was chosen on these blocks and others.",
        counted(blocks as u64)
    );
    Drawing::new(FigureName::new("tuning-ablation", "The ablation path"), caption, wide, |width| {
        let row = 24.0;
        let room = width * 0.45;
        let height = row * history.ablation.len() as f64;
        let mut graphic = Graphic::new(width, height + 56.0);
        let (_, most) = span(history.ablation.iter().map(|step| step.cost));
        let size = (width - room - 70.0, height);
        let frame =
            Frame::exact((room, 8.0), size, Scale::linear(0.0, most.max(1.0)), Scale::linear(0.0, 1.0));
        frame.x_axis(&mut graphic, cost_title(history));
        graphic.line("axis", (room, 8.0), (room, frame.bottom()));
        for (place, step) in history.ablation.iter().enumerate() {
            let y = 8.0 + row * (place as f64 + 0.5);
            let change = if step.step == 0 { "the default" } else { &step.change };
            graphic.text("label", (room - 8.0, y + 4.0), Anchor::End, &shortened(change, 12.0, room - 16.0));
            graphic.rect("c0", (room, y - 7.0), ((frame.x.at(step.cost) - room).max(1.0), 14.0));
            graphic.says(&format!("{change}: {}", rounded(step.cost)));
            let at = (frame.x.at(step.cost) + 6.0, y + 4.0);
            graphic.text("tick", at, Anchor::Start, &rounded(step.cost));
        }
        graphic
    })
}
