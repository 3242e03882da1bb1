//! What an event of a search says.

use super::super::event::{Event, Inference, Literal, Reason};
use crate::problem::{LostCandidates, Problem, bits};
use crate::puzzle::Puzzle;

/// How many cells a sentence lists.
const LISTED: usize = 6;

/// The most cells of a set that a sentence names.
const SET: usize = 4;

/// An event in words: `cage 12× at B2 has no digits with 3 in B2`. `before` are the candidates before it, one mask a cell.
///
/// # Panics
/// When the event is of another problem.
pub fn words(puzzle: &Puzzle, problem: &Problem, before: &[u32], event: &Event) -> String {
    let teller = TraceTeller { puzzle, problem, before };
    match event {
        Event::Removal { reason, lost } => teller.removal(reason, lost),
        Event::Conflict { reason } => teller.conflict(reason),
        Event::Fixpoint => "no rule removes more: the search begins".to_owned(),
        Event::Orbit { cells } => {
            format!(
                "digits are interchangeable: {} get the first digits in order",
                teller.cells(cells, "and")
            )
        }
        Event::Decision { cell, rank, depth } => {
            format!("decision {depth}: try {} in {}", teller.digit(*rank), teller.cell(*cell))
        }
        Event::Back { depth: 0 } => "go back to the start".to_owned(),
        Event::Back { depth } => format!("go back to decision {depth}"),
        Event::Restart => "begin anew, and keep what is known".to_owned(),
        Event::Learning => "begin anew, and learn a clause from every conflict".to_owned(),
        Event::Clause { literals, is_solution: false } => format!("learned: {}", teller.clause(literals)),
        Event::Clause { literals, is_solution: true } => {
            format!("no solution twice: {}", teller.clause(literals))
        }
        Event::Solution => "a solution".to_owned(),
        Event::End(status) => format!("the end: {}", status.name()),
    }
}

/// What an event removes candidates by, in a few words: `cage 12× at B2`, `row A`, `decision 3`. Empty for one that removes none.
///
/// # Panics
/// When the event is of another puzzle.
pub fn cause(puzzle: &Puzzle, problem: &Problem, event: &Event) -> String {
    let teller = TraceTeller { puzzle, problem, before: &[] };
    match event {
        Event::Removal { reason, .. } => match reason.inference {
            Inference::Given => "given".to_owned(),
            Inference::Clue => teller.group(reason, 0),
            Inference::Single | Inference::Distinct => teller.line(reason),
            Inference::Crossing => format!("{} and {}", teller.group(reason, 1), teller.group(reason, 0)),
            Inference::LineSum => format!("the sums of {}", teller.line(reason)),
            Inference::Clause => "what was learned".to_owned(),
            Inference::Refuted => "it leads to no other solution".to_owned(),
            Inference::Crowded | Inference::Empty => teller.conflict(reason),
        },
        Event::Orbit { .. } => "digits are interchangeable".to_owned(),
        Event::Decision { depth, .. } => format!("decision {depth}"),
        _ => String::new(),
    }
}

/// What sentences are made of.
struct TraceTeller<'a> {
    puzzle: &'a Puzzle,
    problem: &'a Problem,
    before: &'a [u32],
}

impl TraceTeller<'_> {
    fn removal(&self, reason: &Reason, lost: &[LostCandidates]) -> String {
        match reason.inference {
            Inference::Given => self.group(reason, 0),
            Inference::Clue => format!("{} allows no {}", self.group(reason, 0), self.within(lost)),
            Inference::Single => self.singles(reason, lost),
            Inference::Distinct => self.distinct(reason, lost),
            Inference::Crossing => {
                let (gone, without) = (all_lost(lost), self.listed(lost));
                let (cage, line) = (self.group(reason, 0), self.group(reason, 1));
                format!("{line} has its {} in {cage}: {without}", self.digits(gone, "and"))
            }
            Inference::LineSum => {
                format!("the sums of {} allow no {}", self.line(reason), self.within(lost))
            }
            Inference::Clause => {
                format!("{}, by what was learned", self.listed(lost))
            }
            Inference::Refuted => {
                format!("{}: that leads to no other solution", self.listed(lost))
            }
            Inference::Crowded | Inference::Empty => self.conflict(reason),
        }
    }

    fn conflict(&self, reason: &Reason) -> String {
        let what = match reason.inference {
            Inference::Given | Inference::Clue => format!("no digits are left for {}", self.group(reason, 0)),
            Inference::Single | Inference::Distinct => {
                format!(
                    "{} has too few digits for its cells, or too few cells for its digits",
                    self.group(reason, 0)
                )
            }
            Inference::Crossing => {
                format!("{} and {} do not agree", self.group(reason, 0), self.group(reason, 1))
            }
            Inference::LineSum => format!("the sums of {} do not agree", self.line(reason)),
            Inference::Clause => "what was learned excludes it".to_owned(),
            Inference::Crowded => format!("{} has more cells than there are digits", self.group(reason, 0)),
            Inference::Empty | Inference::Refuted => "a cell has no digit".to_owned(),
        };
        format!("conflict: {what}")
    }

    /// `row A: 3 stands in A2; 5 fits only A4`.
    fn singles(&self, reason: &Reason, lost: &[LostCandidates]) -> String {
        let line = self.problem.cells_of(reason.groups[0]);
        let mut said = Vec::new();
        for rank in bits(all_lost(lost)) {
            if let Some(cell) = self.cell_with(line, lost, rank) {
                said.push(format!("{} stands in {}", self.digit(rank), self.cell(cell)));
            }
        }
        for LostCandidates { cell, ranks } in lost {
            let left = self.after(lost, *cell);
            // It lost digits that stand nowhere else: it was the last place for the one that is left.
            let hidden = bits(*ranks).any(|rank| self.cell_with(line, lost, rank).is_none());
            if hidden && left.is_power_of_two() {
                said.push(format!("{} fits only {}", self.digit(left.trailing_zeros()), self.cell(*cell)));
            }
        }
        let more = said.len().saturating_sub(LISTED);
        said.truncate(LISTED);
        let tail = if more > 0 { format!("; and {more} more") } else { String::new() };
        format!("{}: {}{tail}", self.line(reason), said.join("; "))
    }

    /// The cell of a line that has been assigned a digit.
    fn cell_with(&self, line: &[u16], lost: &[LostCandidates], rank: u32) -> Option<u16> {
        line.iter().copied().find(|cell| self.after(lost, *cell) == 1 << rank)
    }

    fn after(&self, lost: &[LostCandidates], cell: u16) -> u32 {
        let gone = lost.iter().find(|other| other.cell == cell).map_or(0, |lost| lost.ranks);
        self.before[usize::from(cell)] & !gone
    }

    /// `row A: A1 and A3 need 1 and 2: A2 is not 1`.
    fn distinct(&self, reason: &Reason, lost: &[LostCandidates]) -> String {
        let gone = self.listed(lost);
        let line = self.line(reason);
        let set = lost.first().and_then(|first| self.set(reason, first.cell, first.ranks.trailing_zeros()));
        match set {
            Some(NakedSet { cells, ranks }) if cells.len() > 1 => {
                format!("{line}: {} need {}: {gone}", self.cells(&cells, "and"), self.digits(ranks, "and"))
            }
            Some(NakedSet { cells, ranks }) => {
                format!("{line}: {} stands in {}: {gone}", self.digits(ranks, "and"), self.cell(cells[0]))
            }
            None => format!("{line}: its cells can all differ only if {gone}"),
        }
    }

    /// The fewest cells of the line, another than `cell`, that have as many candidates as there are of them, `rank` among
    /// them; `None` beyond `SET` cells.
    fn set(&self, reason: &Reason, cell: u16, rank: u32) -> Option<NakedSet> {
        let mut line = Vec::new();
        for group in &reason.groups {
            line.extend_from_slice(self.problem.cells_of(*group));
        }
        line.sort_unstable();
        line.dedup();
        line.retain(|other| *other != cell);
        for size in 1..=SET {
            // A cell with more candidates cannot belong to a set of this size.
            let mut cells = line.clone();
            cells.retain(|other| self.before[usize::from(*other)].count_ones() as usize <= size);
            let found = self.closed(&cells, size, rank, &mut Vec::new(), 0);
            if found.is_some() {
                return found;
            }
        }
        None
    }

    /// `size` of the cells, those chosen included, with no more candidates than cells and `rank` among them.
    fn closed(
        &self,
        cells: &[u16],
        size: usize,
        rank: u32,
        chosen: &mut Vec<u16>,
        ranks: u32,
    ) -> Option<NakedSet> {
        if ranks.count_ones() as usize > size {
            return None;
        }
        if chosen.len() == size {
            return (ranks >> rank & 1 == 1).then(|| NakedSet { cells: chosen.clone(), ranks });
        }
        for (index, cell) in cells.iter().enumerate() {
            chosen.push(*cell);
            let more = ranks | self.before[usize::from(*cell)];
            let found = self.closed(&cells[index + 1..], size, rank, chosen, more);
            chosen.pop();
            if found.is_some() {
                return found;
            }
        }
        None
    }

    fn clause(&self, literals: &[Literal]) -> String {
        let mut said = Vec::new();
        for literal in literals.iter().take(LISTED) {
            let verb = match (literal.cells.len(), literal.holds) {
                (1, true) => "is",
                (1, false) => "is not",
                (_, true) => "have",
                (_, false) => "have no",
            };
            let joint = if literal.holds { "or" } else { "and" };
            said.push(format!("{} {verb} {}", self.cells(&literal.cells, joint), self.digit(literal.rank)));
        }
        if literals.len() > LISTED {
            said.push(format!("one of {} more", literals.len() - LISTED));
        }
        said.join(", or ")
    }

    /// The first cells with the digits that they lose.
    fn listed(&self, lost: &[LostCandidates]) -> String {
        let mut said = Vec::new();
        for LostCandidates { cell, ranks } in lost.iter().take(LISTED) {
            said.push(format!("{} is not {}", self.cell(*cell), self.digits(*ranks, "or")));
        }
        if lost.len() > LISTED {
            said.push(format!("and {} more cells", lost.len() - LISTED));
        }
        said.join(", ")
    }

    /// The digits that go, with the first of the cells that lose them: `1 or 2 in A1 and A3, 4 in B1`.
    fn within(&self, lost: &[LostCandidates]) -> String {
        let mut alike: Vec<(u32, Vec<u16>)> = Vec::new();
        for LostCandidates { cell, ranks } in lost.iter().take(LISTED) {
            match alike.iter_mut().find(|(other, _)| other == ranks) {
                Some((_, cells)) => cells.push(*cell),
                None => alike.push((*ranks, vec![*cell])),
            }
        }
        let mut said = Vec::new();
        for (ranks, cells) in &alike {
            said.push(format!("{} in {}", self.digits(*ranks, "or"), self.cells(cells, "and")));
        }
        if lost.len() > LISTED {
            said.push(format!("and in {} more cells", lost.len() - LISTED));
        }
        said.join(", ")
    }

    /// The name of a group of the reason.
    fn group(&self, reason: &Reason, index: usize) -> String {
        match reason.groups.get(index) {
            Some(group) => self.puzzle.group_name(&self.puzzle.groups()[*group]),
            None => "a rule".to_owned(),
        }
    }

    /// The name of a line: its group, or the cells of several pairs.
    fn line(&self, reason: &Reason) -> String {
        match reason.groups.len() {
            0 | 1 => self.group(reason, 0),
            pairs => format!("{} and {} more", self.group(reason, 0), pairs - 1),
        }
    }

    fn cell(&self, cell: u16) -> String {
        self.puzzle.cell_name(self.problem.place(usize::from(cell)))
    }

    fn digit(&self, rank: u32) -> u8 {
        self.problem.values()[rank as usize]
    }

    fn cells(&self, cells: &[u16], joint: &str) -> String {
        joined(cells.iter().map(|cell| self.cell(*cell)).collect(), joint)
    }

    fn digits(&self, ranks: u32, joint: &str) -> String {
        joined(bits(ranks).map(|rank| self.digit(rank).to_string()).collect(), joint)
    }
}

/// Cells that have as many candidates as there are of them.
struct NakedSet {
    cells: Vec<u16>,
    ranks: u32,
}

/// All digits that some cells lose.
fn all_lost(lost: &[LostCandidates]) -> u32 {
    lost.iter().fold(0, |gone, lost| gone | lost.ranks)
}

/// `1, 2 or 3`.
fn joined(mut words: Vec<String>, joint: &str) -> String {
    match words.pop() {
        Some(last) if !words.is_empty() => format!("{} {joint} {last}", words.join(", ")),
        last => last.unwrap_or_default(),
    }
}
