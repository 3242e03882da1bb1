//! The tables of a study of hardness.

use serde_json::{Value, json};

use crate::table::{Cell, Column, Table};
use crate::{decimal, range, rounded};
use kenga_core::sort::sort_by;
use kenga_lab::study::hardness::{Hardness, TimeModel};
use kenga_stats::Estimate;

/// A table with its name in files and objects.
pub type NamedTable = (&'static str, Table);

/// The groups of features of each setting that a terminal shows.
const SHOWN: usize = 6;

/// What a person reads on a terminal: how well times are predicted, what a selector gains, where settings are good, and the
/// most important features of each setting.
pub fn overview(found: &Hardness) -> Vec<Table> {
    let mut tables = vec![quality(found)];
    tables.extend(selector(found));
    for setting in &found.settings {
        if is_shown(setting) {
            let title =
                format!("What predictions of `{}` lose when a feature is permuted", setting.times.name);
            tables.push(losses(found, std::slice::from_ref(setting), SHOWN).titled(title));
        }
    }
    tables.push(footprints(found));
    tables
}

/// Whether features are shown to predict the times of a setting at all, without which no importance is a finding.
pub(super) fn is_shown(setting: &TimeModel) -> bool {
    setting.quality.as_ref().is_some_and(|quality| quality.r2.interval.low > 0.0)
}

/// The tables in full.
pub fn tables(found: &Hardness) -> Vec<NamedTable> {
    let mut tables = vec![("quality", quality(found))];
    tables.extend(selector(found).map(|table| ("selector", table)));
    let importance = losses(found, &found.settings, usize::MAX)
        .titled("What predictions lose when a feature, and those that go with it, are permuted");
    tables.push(("importance", importance));
    tables.push(("calibration", calibration(found)));
    tables.push(("footprints", footprints(found)));
    tables
}

/// What these tables are made from: every puzzle, every column, every axis.
pub fn details(found: &Hardness) -> Vec<NamedTable> {
    vec![("predictions", predictions(found)), ("columns", columns(found)), ("axes", axes(found))]
}

/// Models predict the decimal logarithm of the calls.
pub(super) fn calls(decades: f64) -> f64 {
    10f64.powf(decades)
}

/// A number with its interval, and its three values; empty where it is unknown.
fn estimate(of: Option<Estimate>, words: impl Fn(f64) -> String) -> Cell {
    let Some(Estimate { value, interval }) = of else { return Cell::default() };
    let text = format!("{} ({})", words(value), range(interval, &words));
    Cell::new(text, [json!(value), json!(interval.low), json!(interval.high)])
}

/// A number with two decimals.
fn plain(number: f64) -> String {
    match decimal(number, 2).as_str() {
        "inf" => "∞".to_owned(),
        text => text.replace('-', "−").replace("inf", "∞"),
    }
}

fn real(number: f64) -> Cell {
    // A negative zero becomes a plain one.
    Cell::new(plain(number), [json!(number + 0.0)])
}

fn word(name: &str) -> Column {
    Column::words(name, name)
}

fn number(name: &str) -> Column {
    Column::numbers(name, &[name])
}

/// How well the times of each setting are predicted.
fn quality(found: &Hardness) -> Table {
    let mut table = Table::new([
        word("setting"),
        number("puzzles").priority(4),
        Column::numbers("budget, calls", &["budget"]).priority(5),
        Column::estimate("R² (95 %)", "r2"),
        Column::estimate("RMSE, log10 (95 %)", "rmse"),
        Column::estimate("baseline, the mean (95 %)", "rmse_of_mean").priority(2),
        Column::estimate("rho (95 %)", "rho"),
        Column::estimate("slope (95 %)", "slope").priority(3),
    ])
    .titled("How well the times of puzzles that a model has not seen are predicted");
    for setting in &found.settings {
        let quality = setting.quality.as_ref();
        table.push([
            Cell::words(&*setting.times.name),
            Cell::count(found.puzzles.len() as u64),
            Cell::new(rounded(setting.times.budget), [json!(setting.times.budget)]),
            estimate(quality.map(|one| one.r2), plain),
            estimate(quality.map(|one| one.rmse), plain),
            estimate(quality.map(|one| one.rmse_of_mean), plain),
            estimate(quality.and_then(|one| one.rho), plain),
            estimate(quality.and_then(|one| one.slope), plain),
        ]);
    }
    table.whole()
}

/// The selector between the single and the virtual best, where there is something to select.
fn selector(found: &Hardness) -> Option<Table> {
    let selection = found.selection.as_ref()?;
    let mut table = Table::new([
        word("who"),
        Column::estimate("PAR-10, calls (95 %)", "par10"),
        Column::estimate("gap closed (95 %)", "closed"),
    ])
    .titled("What choosing a setting for each puzzle gains");
    // The ends of the scale, where the gap between them is known.
    let [zero, one] =
        if selection.closed.is_some() { [real(0.0), real(1.0)] } else { [Cell::default(), Cell::default()] };
    table.push([Cell::words("single best"), estimate(Some(selection.of_single), rounded), zero]);
    table.push([
        Cell::words("selector"),
        estimate(Some(selection.of_selector), rounded),
        estimate(selection.closed, plain),
    ]);
    table.push([Cell::words("virtual best"), estimate(Some(selection.of_best), rounded), one]);
    Some(table.whole())
}

/// The name of a group by its first feature, and the others; for people, two of them and how many more.
fn group(found: &Hardness, index: usize) -> (String, Cell) {
    let names: Vec<&str> =
        found.groups[index].iter().map(|feature| &*found.columns.used[*feature].name).collect();
    let (first, others) = names.split_first().expect("a group has a feature");
    let text = match others {
        [one, two, rest @ ..] if !rest.is_empty() => format!("{one}, {two} and {} more", rest.len()),
        few => few.join(", "),
    };
    ((*first).to_owned(), Cell::new(text, [json!(others.join(" "))]))
}

/// The groups of a setting, the most important first.
pub(super) fn by_importance(setting: &TimeModel) -> Vec<usize> {
    let mut order: Vec<usize> = (0..setting.importance.len()).collect();
    sort_by(&mut order, |a, b| setting.importance[*b].value.total_cmp(&setting.importance[*a].value));
    order
}

/// The most important groups of features of some settings; of one, its name is left to the title.
fn losses(found: &Hardness, settings: &[TimeModel], most: usize) -> Table {
    let several = settings.len() > 1;
    let mut columns = vec![
        word("feature"),
        Column::words("together with", "with").priority(1),
        Column::estimate("loss of R² (95 %)", "loss"),
    ];
    if several {
        columns.insert(0, word("setting"));
    }
    let mut table = Table::new(columns);
    for setting in settings {
        for index in by_importance(setting).into_iter().take(most) {
            let (first, others) = group(found, index);
            let mut row = vec![Cell::words(first), others, estimate(Some(setting.importance[index]), plain)];
            if several {
                row.insert(0, Cell::words(&*setting.times.name));
            }
            table.push(row);
        }
    }
    table.whole()
}

fn calibration(found: &Hardness) -> Table {
    let mut table = Table::new([
        word("setting"),
        number("puzzles"),
        Column::numbers("predicted, calls", &["predicted"]),
        Column::estimate("measured, calls (95 %)", "measured"),
    ])
    .titled("Puzzles by predicted time: geometric means");
    for setting in &found.settings {
        for bin in &setting.calibration {
            let predicted = calls(bin.predicted);
            let interval = bin.measured.interval;
            let measured = [bin.measured.value, interval.low, interval.high].map(calls);
            let [value, low, high] = measured.map(rounded);
            table.push([
                Cell::words(&*setting.times.name),
                Cell::count(bin.puzzles as u64),
                Cell::new(rounded(predicted), [json!(predicted)]),
                Cell::new(format!("{value} ({low} to {high})"), measured.map(|calls| json!(calls))),
            ]);
        }
    }
    table.whole()
}

fn footprints(found: &Hardness) -> Table {
    let mut table = Table::new([
        word("setting"),
        number("good"),
        Column::numbers("area", &["area"]),
        Column::numbers("puzzles inside", &["inside"]),
        Column::numbers("purity", &["purity"]),
    ])
    .titled(format!("Where settings are good: solved, within {} times the best", found.options.factor));
    for (setting, footprint) in found.settings.iter().zip(&found.footprints) {
        table.push([
            Cell::words(&*setting.times.name),
            Cell::count(footprint.good.iter().filter(|good| **good).count() as u64),
            real(footprint.area),
            Cell::count(footprint.inside as u64),
            footprint.purity.map_or_else(Cell::default, real),
        ]);
    }
    table.whole()
}

/// A row for each puzzle and setting.
fn predictions(found: &Hardness) -> Table {
    let names = [
        "puzzle",
        "fold",
        "x",
        "y",
        "setting",
        "par10",
        "solved",
        "par10_cut",
        "predicted",
        "expected",
        "selected",
        "single",
        "best",
        "good",
    ];
    let mut table = Table::new(names.map(word));
    for puzzle in 0..found.puzzles.len() {
        for setting in 0..found.settings.len() {
            table.push(prediction(found, puzzle, setting));
        }
    }
    table
}

/// A setting on a puzzle.
fn prediction(found: &Hardness, puzzle: usize, setting: usize) -> impl IntoIterator<Item = Cell> {
    let selection = found.selection.as_ref();
    let (point, of) = (found.projection.points[puzzle], &found.settings[setting]);
    [
        Cell::words(&*found.puzzles[puzzle]),
        Cell::count(found.folds[puzzle] as u64),
        real(point.0),
        real(point.1),
        Cell::words(&*of.times.name),
        real(of.times.own.par10[puzzle]),
        real(of.times.own.solved[puzzle]),
        real(of.times.cut.par10[puzzle]),
        real(calls(of.predicted[puzzle])),
        real(of.expected[puzzle]),
        flag(selection.map(|one| one.selected[puzzle] == setting)),
        flag(selection.map(|one| one.single[puzzle] == setting)),
        flag(selection.map(|one| one.best[puzzle].contains(&setting))),
        flag(Some(found.footprints[setting].good[puzzle])),
    ]
}

fn flag(of: Option<bool>) -> Cell {
    Cell::new("", [json!(of)])
}

/// What became of each column of the features.
fn columns(found: &Hardness) -> Table {
    let mut table = Table::new(["column", "use", "unknown", "group"].map(word));
    let mut row = |name: &str, what: &str, unknown: Value, group: Value| {
        table.push([Cell::words(name), Cell::words(what), Cell::new("", [unknown]), Cell::new("", [group])]);
    };
    for (index, feature) in found.columns.used.iter().enumerate() {
        let group = found.groups.iter().position(|group| group.contains(&index));
        row(&feature.name, "used", json!(feature.unknown()), json!(group));
    }
    let left_out = [
        (&found.columns.constant, "constant"),
        (&found.columns.empty, "empty"),
        (&found.columns.words, "words"),
    ];
    for (names, what) in left_out {
        for name in names {
            row(name, what, Value::Null, Value::Null);
        }
    }
    table
}

/// How much each feature adds to the axes of the plane.
fn axes(found: &Hardness) -> Table {
    let mut table = Table::new(["feature", "x", "y"].map(word));
    let [x, y] = &found.projection.weights;
    for (feature, weight) in x {
        let other = y.iter().find(|(index, _)| index == feature).map_or(0.0, |(_, weight)| *weight);
        table.push([Cell::words(&*found.columns.used[*feature].name), real(*weight), real(other)]);
    }
    table
}
