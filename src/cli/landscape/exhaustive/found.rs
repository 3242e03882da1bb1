//! What was found of a setting on a puzzle: in words, as JSON, and as rows of a table.

use serde_json::{Map, Value, json};

use kenga_lab::landscape::exhaustive::{Agreement, CallUnit, Curve, Exact, Expected};
use kenga_report::{Cell, Column, Table, counted, several};

/// What was found of one setting on one puzzle.
pub(super) struct Found {
    pub(super) puzzle: String,
    pub(super) setting: String,
    pub(super) exact: Exact,
    pub(super) expected: Expected,
    pub(super) curve: Curve,
    pub(super) unit: CallUnit,
    pub(super) points: Vec<usize>,
    pub(super) agreement: Option<Agreement>,
}

/// A table for programs: a row for each number of calls.
pub(super) fn table() -> Table {
    Table::new([
        Column::words("puzzle", "puzzle"),
        Column::words("setting", "setting"),
        Column::numbers("calls", &["calls"]),
        Column::numbers("probability", &["probability"]),
        Column::numbers("solved", &["solved", "runs"]),
        Column::numbers("from", &["low"]),
        Column::numbers("to", &["high"]),
    ])
}

impl Found {
    fn unit(&self) -> &'static str {
        if self.unit == CallUnit::Moves { "moves" } else { "calls" }
    }

    /// For people.
    pub(super) fn text(&self) -> String {
        let surface = self.exact.surface();
        let numbering = surface.numbering();
        let mut text = format!("{}: {}\n", self.puzzle, self.exact.model().words());
        if !self.setting.is_empty() {
            text += &format!("  {}\n", self.setting);
        }
        text += &format!(
            "  {}, {}; violation {} to {}\n",
            several(numbering.genomes() as u64, "genome"),
            several(surface.solutions().len() as u64, "solution"),
            surface.levels()[0],
            surface.levels()[surface.levels().len() - 1],
        );
        text += &format!("  {}\n\n", expectation(&self.expected));
        text += &self.points_text();
        text += "\n";
        for note in self.notes() {
            text += &format!("  {note}\n");
        }
        text + "\n"
    }

    fn points_text(&self) -> String {
        let mut text = format!("  {:>12}  {:>12}", self.unit(), "probability");
        if self.agreement.is_some() {
            text += "    measured   99.9 % interval";
        }
        text += "\n";
        for (index, calls) in self.points.iter().enumerate() {
            text += &format!("  {:>12}  {:>12.8}", counted(*calls as u64), self.curve.at(*calls));
            if let Some(agreement) = &self.agreement {
                let point = agreement.points[index];
                let share = point.solved as f64 / agreement.runs as f64;
                let (low, high) = (point.interval.low, point.interval.high);
                let mark = if point.agrees() { "" } else { "  outside" };
                text += &format!("    {share:.5}    {low:.5} to {high:.5}{mark}");
            }
            text += "\n";
        }
        text
    }

    fn notes(&self) -> Vec<String> {
        let mut notes = Vec::new();
        if let Some(calls) = self.curve.geometric_from {
            let calls = counted(calls as u64);
            notes.push(format!(
                "From {calls} {} on, the remaining probability falls by a constant factor.",
                self.unit()
            ));
        }
        if let Some(agreement) = &self.agreement {
            let runs = several(agreement.runs as u64, "run");
            notes.push(format!(
                "{runs}: the distributions differ by at most {:.5} (Kolmogorov-Smirnov p {:.3}).",
                agreement.distance, agreement.p
            ));
            if !agreement.distributions_agree() {
                notes
                    .push("They disagree: a difference this large has a probability below 0.001.".to_owned());
            }
        }
        notes
    }

    /// For programs, as one object.
    pub(super) fn json(&self) -> Value {
        let surface = self.exact.surface();
        let mut object = Map::new();
        object.insert("id".to_owned(), json!(self.puzzle));
        if !self.setting.is_empty() {
            object.insert("setting".to_owned(), json!(self.setting));
        }
        let levels: Vec<_> = surface.levels().iter().zip(surface.density()).collect();
        let Expected { success, calls, moves, evaluations, residual } = self.expected;
        let rest = json!({
            "law": self.exact.model().words(),
            "genomes": surface.numbering().genomes(),
            "solutions": surface.solutions().len(),
            "violations": levels,
            "success": success,
            "expected_calls": calls,
            "expected_moves": moves,
            "expected_evaluations": evaluations,
            "residual": residual,
            "unit": self.unit(),
            "geometric_from": self.curve.geometric_from,
            "rounding": self.curve.lost,
            "points": self.points.iter().map(|calls| json!([calls, self.curve.at(*calls)])).collect::<Vec<_>>(),
        });
        // A single setting has no name; keys keep their order.
        object.extend(rest.as_object().cloned().unwrap_or_default());
        if let Some(agreement) = &self.agreement {
            let mut points = Vec::new();
            for point in &agreement.points {
                points.push(json!({
                    "calls": point.calls,
                    "exact": point.exact,
                    "solved": point.solved,
                    "low": point.interval.low,
                    "high": point.interval.high,
                    "agrees": point.agrees(),
                }));
            }
            object.insert(
                "against".to_owned(),
                json!({"runs": agreement.runs, "distance": agreement.distance, "p": agreement.p,
                       "agrees": agreement.agrees(), "points": points}),
            );
        }
        Value::Object(object)
    }

    /// For programs, a row for each number of calls.
    pub(super) fn rows(&self, table: &mut Table) {
        for (index, calls) in self.points.iter().enumerate() {
            let mut row = vec![
                Cell::words(&self.puzzle),
                Cell::words(&self.setting),
                Cell::count(*calls as u64),
                probability(self.curve.at(*calls)),
            ];
            row.extend(match &self.agreement {
                None => [
                    // A CSV has the columns for every row.
                    Cell::new("", [Value::Null, Value::Null]),
                    Cell::new("", [Value::Null]),
                    Cell::new("", [Value::Null]),
                ],
                Some(agreement) => {
                    let point = agreement.points[index];
                    let solved = format!("{} of {}", point.solved, agreement.runs);
                    [
                        Cell::new(solved, [json!(point.solved), json!(agreement.runs)]),
                        probability(point.interval.low),
                        probability(point.interval.high),
                    ]
                }
            });
            table.push(row);
        }
    }
}

fn probability(number: f64) -> Cell {
    Cell::new(format!("{number:.8}"), [json!(number)])
}

/// What a run comes to, in words.
fn expectation(expected: &Expected) -> String {
    let Expected { success, calls, moves, evaluations, .. } = *expected;
    let never = success == 0.0;
    let share = if success > 1.0 - 1e-9 { "1".to_owned() } else { format!("{success:.8}") };
    match (never, calls.is_finite()) {
        (true, _) => "a run never solves it".to_owned(),
        (_, false) => format!("a run solves it with probability {share}, and otherwise never ends"),
        _ => format!(
            "a run ever solves it with probability {share}, and ends after {calls:.2} calls on average: {moves:.2} moves and \
             {evaluations:.2} evaluations"
        ),
    }
}
