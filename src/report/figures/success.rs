//! How many runs of each setting have solved.

use super::super::material::Material;
use super::super::svg::{Anchor, Frame, Scale, Svg, WIDTH, area, shortened, text_width, trace};
use super::{Drawn, Figure};

pub(super) const FIGURE: Figure = Figure { id: "success", title: "Success by setting", draw };

/// Settings that have a line of their own.
const LINES: usize = 40;

const ROW: f64 = 20.0;

/// The room of all columns of labels, the space between two, and the size of their text.
const COLUMNS: f64 = 390.0;
const GAP: f64 = 14.0;
const SIZE: f64 = 12.0;

fn draw(material: &Material<'_>) -> Result<Drawn, String> {
    let svg = if material.settings.len() <= LINES { lines(material) } else { compact(material) };
    let together = match material.puzzles {
        0 | 1 => String::new(),
        count => format!(" Runs of {count} puzzles are taken together."),
    };
    let caption = format!(
        "The share of runs that solved their puzzle, settings sorted from best to worst; ties by the lower expected running time. {} Wilson's 95 % interval.{}",
        if material.settings.len() <= LINES {
            "The whisker is"
        } else {
            "Each setting is a point on the line; the band is"
        },
        together
    );
    Ok(Drawn::one("success", "Share of runs solved", caption, svg))
}

/// A line for each setting: its values in columns, dot and whisker, and the count.
fn lines(material: &Material<'_>) -> Svg {
    let labels = &material.labels;
    let counts: Vec<String> =
        material.settings.iter().map(|one| format!("{} of {}", one.solved, one.runs())).collect();
    let count_room = counts.iter().map(|count| text_width(count, 12.0)).fold(40.0, f64::max);
    let columns = columns(material);
    let left = columns.iter().map(|column| column.1 + GAP).sum::<f64>() + 8.0;
    let head = if labels.heading().is_empty() { 10.0 } else { 26.0 };
    let height = ROW * material.settings.len() as f64 + 6.0;

    let mut svg = Svg::new(WIDTH, head + height + 44.0);
    let size = (WIDTH - left - count_room - 22.0, height);
    let frame = Frame::exact((left, head), size, Scale::linear(0.0, 1.0), Scale::linear(0.0, 1.0));
    frame.x_axis(&mut svg, "share of runs solved");
    svg.line("axis", (left, head), (left, head + height));
    let mut x = 8.0;
    for (column, (name, room)) in columns.iter().enumerate() {
        if head > 20.0 {
            svg.text("legend-heading", (x, 16.0), Anchor::Start, name);
        }
        for (row, setting) in material.order.iter().enumerate() {
            let value = shortened(&labels.rows[*setting][column], SIZE, *room);
            svg.text("label", (x, middle(head, row) + 4.0), Anchor::Start, &value);
        }
        x += room + GAP;
    }
    for (row, setting) in material.order.iter().enumerate() {
        let (one, y) = (&material.settings[*setting], middle(head, row));
        let [low, high] = [one.share.low, one.share.high].map(|share| frame.x.at(share));
        svg.line("whisker", (low, y), (high, y));
        for end in [low, high] {
            svg.line("whisker", (end, y - 3.5), (end, y + 3.5));
        }
        svg.path("dot", &circle((frame.x.at(one.rate()), y)));
        svg.text("label", (WIDTH - 8.0, y + 4.0), Anchor::End, &counts[*setting]);
    }
    svg
}

fn middle(head: f64, row: usize) -> f64 {
    head + 3.0 + ROW * (row as f64 + 0.5)
}

fn circle((x, y): (f64, f64)) -> String {
    format!("M{:.1} {y:.1}a4.2 4.2 0 1 1 8.4 0a4.2 4.2 0 1 1 -8.4 0Z", x - 4.2)
}

/// The columns of labels with their widths, which leave room for the chart: keys lose their tables first, then the widest
/// columns are cut.
fn columns(material: &Material<'_>) -> Vec<(String, f64)> {
    let labels = &material.labels;
    if labels.heading().is_empty() {
        let widest = labels.rows.iter().map(|row| text_width(&row[0], SIZE)).fold(12.0, f64::max);
        return vec![(String::new(), widest.min(COLUMNS))];
    }
    let columns = labels.columns.len();
    let values: Vec<f64> = (0..columns)
        .map(|column| labels.rows.iter().map(|row| text_width(&row[column], SIZE)).fold(12.0, f64::max))
        .collect();
    let widths = |names: &[String]| -> Vec<f64> {
        values.iter().zip(names).map(|(value, name)| value.max(text_width(name, SIZE))).collect()
    };
    let room = COLUMNS - GAP * columns as f64;
    let (mut names, mut wanted) = (labels.columns.clone(), widths(&labels.columns));
    if wanted.iter().sum::<f64>() > room {
        names = last_words(&names);
        wanted = widths(&names);
    }
    let fits = |most: &f64| wanted.iter().map(|width| width.min(*most)).sum::<f64>() <= room;
    let most = (1..=COLUMNS as usize).rev().map(|most| most as f64).find(fits).unwrap_or(1.0);
    let shown = |(name, width): (String, f64)| (shortened(&name, SIZE, width.min(most)), width.min(most));
    names.into_iter().zip(wanted).map(shown).collect()
}

/// Dotted paths without their tables, unless two would be the same.
fn last_words(names: &[String]) -> Vec<String> {
    let last = |name: &String| name.rsplit('.').next().unwrap_or_default().to_owned();
    let short: Vec<String> = names.iter().map(last).collect();
    let is_alone = |word: &String| short.iter().filter(|other| *other == word).count() == 1;
    let word = |(name, word): (&String, &String)| if is_alone(word) { word.clone() } else { name.clone() };
    names.iter().zip(&short).map(word).collect()
}

/// Many settings: the shares as a falling line within the band of their intervals.
fn compact(material: &Material<'_>) -> Svg {
    const HEIGHT: f64 = 300.0;
    let count = material.order.len();
    let mut svg = Svg::new(WIDTH, HEIGHT + 8.0);
    let x = Scale::linear(1.0, count as f64);
    let frame = Frame::within((0.0, 8.0), (WIDTH, HEIGHT), x, Scale::linear(0.0, 1.0));
    frame.axes(&mut svg, "rank of the setting (1 is best)", "share of runs solved");
    let line = |share: &dyn Fn(usize) -> f64| -> Vec<(f64, f64)> {
        let point = |(rank, setting): (usize, &usize)| frame.at((rank + 1) as f64, share(*setting));
        material.order.iter().enumerate().map(point).collect()
    };
    let upper = line(&|setting| material.settings[setting].share.high);
    let lower = line(&|setting| material.settings[setting].share.low);
    svg.path("band c0", &area(&upper, &lower));
    svg.path("series s0", &trace(line(&|setting| material.settings[setting].rate())));
    svg
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_lose_their_tables_unless_they_are_then_the_same() {
        let names = ["mutation.rate", "crossover.rate", "replacement.elitism"].map(str::to_owned);
        assert_eq!(last_words(&names), ["mutation.rate", "crossover.rate", "elitism"]);
    }
}
