//! Migrants between islands.

use std::collections::BTreeMap;

use super::super::graphic::{Anchor, Graphic, ink_over, text_width};
use super::super::measurements::{FigureName, Measurements};
use super::super::{counted, several};
use super::{Drawing, Drawn, Figure, NotDrawn, PANEL};
use kenga_lab::results::{MigrationRow, ResultsError};

pub(super) const FIGURE: Figure = Figure { id: "migrations", title: "Migrants between islands", draw };

/// The most islands of a map.
const ISLANDS: usize = 32;

/// The migrants of a setting.
#[derive(Default)]
struct Migrants {
    /// The number of the migrants from one island to another.
    ways: BTreeMap<(usize, usize), u64>,
    /// The last run with a migrant, and the number of such runs.
    last: Option<u64>,
    runs: u64,
}

impl Migrants {
    fn count(&self) -> u64 {
        self.ways.values().sum()
    }

    fn islands(&self) -> usize {
        self.ways.keys().map(|(from, to)| from.max(to) + 1).max().unwrap_or(0)
    }
}

fn draw(measurements: &Measurements<'_>) -> Result<Drawn, NotDrawn> {
    let all = migrants(measurements)
        .map_err(|why| NotDrawn::Because(format!("The migrants cannot be read: {why}.")))?;
    let Some(best) = measurements.order.iter().copied().find(|setting| all[*setting].count() > 0) else {
        return Err(NotDrawn::Silently);
    };
    let migrants = &all[best];
    let of_best = if measurements.settings.len() > 1 {
        format!(" Shown is the best setting with migrants, {}.", measurements.labels.name(best))
    } else {
        String::new()
    };
    let mut drawn = Drawn::of(Vec::new());
    let about = format!(
        "{} in {}, from migrations.csv.{of_best}",
        several(migrants.count(), "migrant"),
        several(migrants.runs, "run")
    );
    if migrants.islands() <= ISLANDS {
        let name = FigureName::new("migrations", "Migrants from island to island");
        let caption = format!(
            "How many individuals of one island settled on another; islands are numbered from 0. {about}"
        );
        drawn
            .drawings
            .push(Drawing::new(name, caption, measurements.width(PANEL), |width| map(migrants, width)));
    } else {
        drawn.remarks.push(format!("{} islands are too many for a map. {about}", migrants.islands()));
    }
    Ok(drawn)
}

/// A cell for each pair of islands; a stronger colour means more migrants.
fn map(migrants: &Migrants, width: f64) -> Graphic {
    const LEFT: f64 = 52.0;
    let islands = migrants.islands();
    let side = ((width - LEFT - 12.0) / islands as f64).min(56.0);
    let high = side.min(40.0);
    let most = migrants.ways.values().copied().max().unwrap_or(1).max(1);
    let mut graphic = Graphic::new(width, high * islands as f64 + 50.0);
    let (right, bottom) = (LEFT + side * islands as f64, 6.0 + high * islands as f64);
    // In narrow cells numbers would overlap: then only every second, third or later island has its own.
    let step = (26.0 / high.min(side)).ceil().max(1.0) as usize;
    for from in 0..islands {
        let y = 6.0 + high * from as f64;
        if from.is_multiple_of(step) {
            graphic.text("tick", (LEFT - 6.0, y + high / 2.0 + 4.0), Anchor::End, &from.to_string());
            let x = LEFT + side * (from as f64 + 0.5);
            graphic.text("tick", (x, bottom + 15.0), Anchor::Middle, &from.to_string());
        }
        for to in 0..islands {
            let at = (LEFT + side * to as f64, y);
            graphic.rect("cell", at, (side, high));
            let Some(count) = migrants.ways.get(&(from, to)) else { continue };
            let share = *count as f64 / most as f64;
            let says = format!("from island {from} to island {to}: {}", several(*count, "migrant"));
            graphic.heat("heat", (at.0 + 1.0, at.1 + 1.0), (side - 2.0, high - 2.0), share, &says);
            let words = counted(*count);
            let size = (11.5 * (side - 4.0) / text_width(&words, 11.5)).min(11.5);
            // Smaller words cannot be read; the cell says its number when it is pointed at.
            if size >= 7.0 && high >= 12.0 {
                let middle = (at.0 + side / 2.0, at.1 + high / 2.0 + 4.0);
                graphic.sized_text(ink_over(share), middle, Anchor::Middle, size, &words);
            }
        }
    }
    graphic.text(
        "axis-title",
        (f64::midpoint(LEFT, right).max(70.0), bottom + 34.0),
        Anchor::Middle,
        "to island",
    );
    graphic.upward_text("axis-title", (16.0, f64::midpoint(6.0, bottom).max(40.0)), "from island");
    graphic
}

/// The migrants of every setting; none where they were not recorded.
fn migrants(measurements: &Measurements<'_>) -> Result<Vec<Migrants>, ResultsError> {
    let mut all: Vec<Migrants> = Vec::new();
    all.resize_with(measurements.settings.len(), Migrants::default);
    for (folder, of) in measurements.study.folders.iter().enumerate() {
        if !of.plan.config.record_migrations {
            continue;
        }
        let settings = measurements.runs_of(folder);
        of.rows.each(|row: MigrationRow| {
            let Some(setting) = settings.get(&row.run) else { return };
            let migrants = &mut all[*setting];
            *migrants.ways.entry((row.from, row.to)).or_default() += 1;
            // Rows of a run follow each other.
            if migrants.last != Some(row.run) {
                (migrants.last, migrants.runs) = (Some(row.run), migrants.runs + 1);
            }
        })?;
    }
    Ok(all)
}
