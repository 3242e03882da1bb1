//! Which parameters matter.

use super::super::graphic::{Anchor, Frame, Graphic, Scale, shortened, text_width};
use super::super::measurements::{Factor, Measurements};
use super::{Drawing, Drawn, Figure, panel_width, percent};
use kenga_core::rng::StreamKey;
use kenga_core::sort::sort_by;
use kenga_lab::study::OfPuzzle;
use kenga_stats::{Importance, ImportanceError, importance, importance_by_chance};

pub(super) const FIGURE: Figure = Figure { id: "importance", title: "Which parameters matter", draw };

/// About how many steps the shuffles take.
const STEPS: usize = 20_000_000;

/// The most pairs with bars.
const PAIRS: usize = 6;

fn draw(measurements: &Measurements<'_>) -> Result<Drawn, String> {
    let factors = measurements.labels.factors();
    if factors.len() < 2 {
        return Err(String::new());
    }
    let found: Vec<Result<Drawing, String>> =
        (0..measurements.parts.len()).map(|part| of_part(measurements, part, &factors)).collect();
    let drawings: Vec<Drawing> = found.iter().filter_map(|one| one.as_ref().ok().cloned()).collect();
    let why = |(part, one): (usize, &Result<Drawing, String>)| {
        let why = one.as_ref().err()?;
        Some(match measurements.puzzles {
            1 => format!("The importance of parameters is left out: {why}."),
            _ => format!("{} is left out: {why}.", measurements.parts[part]),
        })
    };
    let mut remarks: Vec<String> = found.iter().enumerate().filter_map(why).collect();
    match drawings.is_empty() {
        true => Err(remarks.into_iter().next().unwrap_or_default()),
        false => {
            remarks.extend(measurements.parts_note());
            Ok(Drawn { remarks, ..Drawn::of(drawings) })
        }
    }
}

/// The bars of one puzzle, or why there are none.
fn of_part(measurements: &Measurements<'_>, part: usize, factors: &[Factor]) -> Result<Drawing, String> {
    let levels: Vec<usize> = factors.iter().map(|factor| factor.levels.len()).collect();
    let run: Vec<(usize, &OfPuzzle)> = (0..measurements.arms.len())
        .filter_map(|setting| Some((setting, measurements.numbers(setting, part)?)))
        .collect();
    let settings: Vec<usize> =
        run.iter().flat_map(|(setting, _)| factors.iter().map(move |factor| factor.of[*setting])).collect();
    let of = |response: &dyn Fn(&OfPuzzle) -> f64| {
        let responses: Vec<f64> = run.iter().map(|(_, one)| response(one)).collect();
        let mut rng = StreamKey::run(0, "importance", 0).child(&measurements.parts[part]).rng();
        let shuffles = (STEPS / (levels.len().pow(2) * run.len()).max(1)).clamp(39, 199);
        let found = importance(&levels, &settings, &responses);
        let chance = importance_by_chance(&levels, &settings, &responses, shuffles, &mut |n| rng.below(n));
        let both = found.and_then(|found| Ok((found, chance?)));
        both.map_err(|why| in_words(&why, factors))
    };
    let (success, success_chance) = of(&|one| one.share.value)?;
    let (calls, calls_chance) = of(&OfPuzzle::par10_value)?;
    if success.variance == 0.0 && calls.variance == 0.0 {
        return Err("all settings gave equal results".to_owned());
    }
    let floors = factors.iter().zip(success_chance.main.iter().zip(&calls_chance.main));
    let floor = |(factor, (success, calls)): (&Factor, (&f64, &f64))| {
        format!("{} {} and {}", factor.name, percent(*success), percent(*calls))
    };
    let floors: Vec<String> = floors.map(floor).collect();
    let caption = format!(
        "The share of the variance between settings that each parameter explains alone, and pairs beyond their two parameters, by a functional analysis of variance over the full grid; the upper bar of the share of runs solved, the lower of the penalised average calls, PAR-10. The shares of either sum to 100 %; chance alone exceeds, once in 20 times, these shares of either by a parameter that does nothing: {}.",
        floors.join("; ")
    );
    let names = measurements.part_names("importance", "Variance explained by parameters", part);
    let draw = |width| shares(factors, &success, &calls, width);
    Ok(Drawing::new(names, caption, panel_width(measurements), draw))
}

/// Why there is no importance, with the values of a setting that is missing.
fn in_words(why: &ImportanceError, factors: &[Factor]) -> String {
    match why {
        ImportanceError::Missing { levels } => {
            let value =
                |(factor, level): (&Factor, &usize)| format!("{} = {}", factor.name, factor.levels[*level]);
            let values: Vec<String> = factors.iter().zip(levels).map(value).collect();
            format!("the grid is not full: no run with {}", values.join(", "))
        }
        ImportanceError::Infinite { .. } => "without a budget PAR-10 is unknown".to_owned(),
        other => other.to_string(),
    }
}

fn shares(factors: &[Factor], success: &Importance, calls: &Importance, width: f64) -> Graphic {
    let mut rows: Vec<BarPair> = factors
        .iter()
        .enumerate()
        .map(|(index, factor)| (factor.name.clone(), success.main[index], calls.main[index]))
        .collect();
    sort_by(&mut rows, |a, b| (b.1 + b.2).total_cmp(&(a.1 + a.2)));
    let name = |a: usize, b: usize| format!("{} × {}", factors[a].name, factors[b].name);
    let pairs = success.pairs.iter().zip(&calls.pairs);
    let mut pairs: Vec<BarPair> = pairs.map(|(one, two)| (name(one.0, one.1), one.2, two.2)).collect();
    sort_by(&mut pairs, |a, b| (b.1 + b.2).total_cmp(&(a.1 + a.2)));
    let rest = pairs
        .iter()
        .skip(PAIRS)
        .fold((success.higher, calls.higher), |sum, pair| (sum.0 + pair.1, sum.1 + pair.2));
    pairs.truncate(PAIRS);
    rows.extend(pairs);
    if factors.len() > 2 {
        rows.push(("everything else".to_owned(), rest.0, rest.1));
    }

    bars(&rows, ["of the share solved", "of PAR-10"], ("share of the variance explained", 1.0), width)
}

/// The height of a pair of bars.
const ROW: f64 = 30.0;

/// The height of the key above the bars, and of one line of it.
const HEAD: f64 = 26.0;
const LINE: f64 = 18.0;

/// A name with its two shares.
pub(super) type BarPair = (String, f64, f64);

/// Draws a pair of bars in each row. `keys` names the upper and the lower bars; the axis has a title and ends at `top`.
pub(super) fn bars(rows: &[BarPair], keys: [&str; 2], (title, top): (&str, f64), width: f64) -> Graphic {
    let names = rows.iter().map(|row| text_width(&row.0, 12.0)).fold(60.0, f64::max).min(width * 0.4);
    let left = names + 18.0;
    let height = ROW * rows.len() as f64 + 4.0;
    let mut graphic = Graphic::new(width, 0.0);
    let head = key(&mut graphic, keys, left, width);
    graphic.set_height(head + height + 46.0);
    let size = (width - left - 60.0, height);
    let frame = Frame::exact((left, head), size, Scale::linear(0.0, top), Scale::linear(0.0, 1.0));
    frame.x_axis(&mut graphic, title);
    graphic.line("axis", (left, head), (left, head + height));
    for (index, (name, upper, lower)) in rows.iter().enumerate() {
        let y = head + 2.0 + ROW * index as f64;
        graphic.text("label", (left - 8.0, y + 19.0), Anchor::End, &shortened(name, 12.0, names));
        for ((share, class, dy), of) in [(upper, "c0", 2.0), (lower, "c1", 14.0)].into_iter().zip(keys) {
            let end = frame.x.at(*share);
            graphic.rect(class, (left, y + dy), ((end - left).max(1.0), 11.0));
            graphic.says(&format!("{name}: {} {of}", percent(*share)));
            graphic.text("tick", (end + 5.0, y + dy + 9.5), Anchor::Start, &percent(*share));
        }
    }
    graphic
}

/// Draws the key of the bars and returns its height.
fn key(graphic: &mut Graphic, keys: [&str; 2], left: f64, width: f64) -> f64 {
    let room = |words: &str| 24.0 + text_width(words, 12.0) + 20.0;
    let in_one_line = left + keys.map(room).iter().sum::<f64>() <= width;
    let (mut x, mut y) = if in_one_line { (left, 4.0) } else { (8.0, 4.0) };
    for (class, words) in ["c0", "c1"].into_iter().zip(keys) {
        graphic.rect(class, (x, y), (18.0, 11.0));
        graphic.text("legend", (x + 24.0, y + 10.0), Anchor::Start, words);
        if in_one_line { x += room(words) } else { y += LINE }
    }
    if in_one_line { HEAD } else { y + 6.0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_missing_setting_is_named_by_its_values() {
        let factor = |name: &str, levels: [&str; 2]| Factor {
            name: name.to_owned(),
            levels: levels.map(str::to_owned).to_vec(),
            of: Vec::new(),
        };
        let factors = [factor("rate", ["0.1", "0.2"]), factor("population", ["10", "20"])];
        let why = ImportanceError::Missing { levels: vec![1, 0] };
        assert_eq!(in_words(&why, &factors), "the grid is not full: no run with rate = 0.2, population = 10");
    }
}
