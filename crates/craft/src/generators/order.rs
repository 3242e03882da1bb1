//! What a puzzle is to be, whatever its kind: how many solutions, how hard, with and without which techniques.

use crate::ladder::{Candidates, Climb, Frame, Score, TECHNIQUES, Technique, Tier};
use kenga_core::budget::Interrupt;
use kenga_core::problem::Problem;
use kenga_core::puzzle::Puzzle;
use kenga_core::spec::{Param, ParamKind, Spec, SpecError};
use kenga_core::text::nearest;

use super::{conflict, refused};

/// The parameter of every kind that may have more solutions than one.
pub(super) const MAX_SOLUTIONS: Param =
    Param::integer("max_solutions", 1..=1000, 1).about("how many solutions a puzzle may have");

/// The parameter that asks for puzzles without a clue to spare.
pub(super) const MINIMAL: Param = Param::flag("minimal", false)
    .about("no clue can be left out: without any of them there are more solutions");

/// The parameter that says how hard a puzzle is to be.
pub(super) const DIFFICULTY: Param = Param::optional("difficulty", ParamKind::Text).about(
    "how hard for a person: easy, normal, hard, extreme or unreasonable, or a range: easy..hard, 2.0..3.5",
);

/// The parameter that names techniques to be used.
pub(super) const REQUIRE: Param = Param::optional("require", ParamKind::Text)
    .about("techniques that solving takes, with commas between them");

/// The parameter that names techniques not to be used.
pub(super) const AVOID: Param = Param::optional("avoid", ParamKind::Text)
    .about("techniques that solving does without, with commas between them");

/// How far a puzzle is from an order, for each technique that is missing or not wanted.
const TECHNIQUE: usize = 20;

/// How far a puzzle is from an order where it is too hard, besides its open cells.
const TOO_HARD: usize = 5;

/// What the trials of a grade may look at, in cells of grids: a tenth of what those of `kenga grade` may. A puzzle that takes more
/// is too hard.
const GRADE_EFFORT: u64 = 500_000;

/// The cells of the largest grids in which a score above the least is not looked for where any will do: trials bring all such puzzles
/// to an end, as far as is known, but take much longer than the rest.
const SMALL: usize = 81;

/// What a puzzle is to be.
#[derive(Clone, Debug)]
pub(super) struct Requirements {
    /// The most solutions.
    pub(super) solutions: u64,
    /// No clue can be left out.
    pub(super) minimal: bool,
    least: Score,
    most: Score,
    require: Vec<&'static Technique>,
    avoid: Vec<&'static Technique>,
    /// For an id.
    stem: String,
}

/// What a change should tend to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Wish {
    /// Clues that say more.
    Tighter,
    /// Clues that say more, of fewer cells: for puzzles that are too hard to decide.
    Smaller,
    /// Clues that say less.
    Looser,
    /// Other clues.
    #[default]
    Other,
}

/// How a puzzle compares with an order.
#[derive(Clone, Debug, Default)]
pub(super) struct Appraisal {
    /// 0 where it is what was ordered.
    pub(super) distance: usize,
    /// Cells near which a change may help; anywhere if there are none.
    pub(super) cells: Vec<u16>,
    /// What a change should tend to.
    pub(super) wish: Wish,
    /// Its grade in words: `is easy, with the score 1.2`.
    pub(super) words: String,
    /// What trials looked at, in cells of grids.
    pub(super) effort: u64,
}

impl Appraisal {
    /// That of a puzzle that the solver proves with fewer decisions than one takes that was ordered.
    pub(super) fn without_search(nodes: u64) -> Self {
        let distance = usize::from(u16::MAX) - nodes as usize;
        let words = "takes no trial and error".to_owned();
        Self { distance, wish: Wish::Looser, words, ..Self::default() }
    }
}

impl Requirements {
    /// The order of a resolved spec.
    ///
    /// # Errors
    /// A difficulty or a technique that is not known; a difficulty for puzzles with several solutions.
    pub(super) fn of(spec: &Spec) -> Result<Self, SpecError> {
        let difficulty = text(spec, "difficulty");
        let (least, most) = match difficulty {
            Some(text) => range(text)?,
            // Anything will do.
            None => (Score(0), Score(u16::MAX)),
        };
        let order = Self {
            solutions: spec.integer_or_absent("max_solutions").map_or(1, i64::unsigned_abs),
            minimal: spec.entry("minimal").is_some() && spec.flag("minimal"),
            least,
            most,
            require: techniques("require", text(spec, "require"))?,
            avoid: techniques("avoid", text(spec, "avoid"))?,
            stem: difficulty.map(|text| format!("-{text}")).unwrap_or_default(),
        };
        if order.solutions > 1 && order.is_graded() {
            return Err(conflict(
                "puzzles with several solutions have no grade".to_owned(),
                "leave out --max-solutions, or --difficulty, --require and --avoid",
            ));
        }
        order.check_techniques(true)?;
        Ok(order)
    }

    /// Refuses an order that takes cages where there are none.
    ///
    /// # Errors
    /// As [`check_techniques`](Self::check_techniques).
    pub(super) fn check_without_cages(&self) -> Result<(), SpecError> {
        self.check_techniques(false)
    }

    /// Refuses an order that no puzzle with cages, or without, meets, whatever it looks like.
    ///
    /// # Errors
    /// A technique that is both required and avoided, or scores more than was asked for, or concludes nothing there; no technique that is
    /// left with a score that was asked for.
    fn check_techniques(&self, has_cages: bool) -> Result<(), SpecError> {
        let whose = if has_cages { "" } else { " without cages" };
        for technique in &self.require {
            let Technique { name, score, .. } = technique;
            if self.avoid.contains(technique) {
                let help = "leave it out of --require or of --avoid";
                return Err(conflict(format!("`{name}` is both required and to be avoided"), help));
            }
            // One that scores less than the least is no contradiction: harder ones may come beside it.
            if *score > self.most {
                let message =
                    format!("`{name}` has the score {score}: such a puzzle is harder than {}", self.most);
                let tier = Tier::of(*score).name();
                return Err(conflict(message, format!("ask for --difficulty {tier}, or require another")));
            }
            if technique.of_cages && !has_cages {
                let help = "`kenga list technique` says what each concludes from";
                return Err(conflict(format!("`{name}` concludes nothing in a puzzle{whose}"), help));
            }
        }
        let mut scores = String::new();
        for technique in TECHNIQUES.iter() {
            if technique.of_cages && !has_cages || self.avoid.contains(&technique) {
                continue;
            }
            if (self.least..=self.most).contains(&technique.score) {
                return Ok(());
            }
            scores += &format!(" {}", technique.score);
        }
        let most = self.most.min(greatest());
        Err(conflict(
            format!("no technique{whose} that may be used has a score from {} to {most}", self.least),
            format!("there are the scores{scores}"),
        ))
    }

    /// For an id: the difficulty, where one was asked for.
    pub(super) fn stem(&self) -> &str {
        &self.stem
    }

    /// It depends on the techniques that solving takes.
    pub(super) fn is_graded(&self) -> bool {
        self.least > Score(0) || self.most < Score(u16::MAX) || self.asks_for_techniques()
    }

    /// It asks for puzzles as hard as any above extreme.
    pub(super) fn is_unreasonable(&self) -> bool {
        self.least >= Tier::Unreasonable.least() && self.most >= greatest()
    }

    /// The least tier that it asks for.
    pub(super) fn least_tier(&self) -> Tier {
        Tier::of(self.least)
    }

    /// The greatest tier that it asks for.
    pub(super) fn greatest_tier(&self) -> Tier {
        Tier::of(self.most)
    }

    fn asks_for_techniques(&self) -> bool {
        !self.require.is_empty() || !self.avoid.is_empty()
    }

    /// Compares a puzzle with one solution with the order. After an interrupt the answer means nothing.
    pub(super) fn appraise(&self, puzzle: &Puzzle, problem: &Problem, interrupt: &Interrupt) -> Appraisal {
        if !self.is_graded() {
            return Appraisal::default();
        }
        let frame = Frame::new(puzzle, problem).with_effort(GRADE_EFFORT).interruptible(interrupt);
        // Up to the least score the climb is the same as one to the greatest: a puzzle that is too easy is told here, and soon.
        let below = Score(self.least.0.saturating_sub(1));
        let mut climb = Climb::new(Candidates::new(&frame), below);
        let mut used = Vec::new();
        climb_on(&mut climb, &mut used, interrupt);
        let is_too_easy = climb.candidates.is_solved() && self.least > Score(0);
        // How far beyond the least score a puzzle is need not be known where any score will do.
        let is_open_ended = self.most >= greatest() && !self.asks_for_techniques();
        let is_hard_enough = !is_too_easy && is_open_ended && problem.cells() <= SMALL;
        if !is_too_easy && !is_hard_enough {
            // The same climb goes on: what was found up to the least score stays.
            climb.ceiling = self.most;
            climb_on(&mut climb, &mut used, interrupt);
        }
        let mut appraisal = self.appraise_techniques(&used);
        appraisal.effort = GRADE_EFFORT - frame.effort_left();
        if is_too_easy {
            // In tenths of a score, so that a nearer puzzle is preferred.
            appraisal.distance += usize::from(self.least.0 - greatest_of(&used).0);
            appraisal.wish = Wish::Looser;
        } else if !is_hard_enough && !climb.candidates.is_solved() {
            appraisal.cells = climb.candidates.open_cells().collect();
            appraisal.distance += TOO_HARD + appraisal.cells.len();
            appraisal.wish = Wish::Tighter;
            appraisal.words = if self.most < greatest() {
                format!("is harder than the score {}", self.most)
            } else {
                "takes more trials than are made for a grade".to_owned()
            };
        }
        appraisal
    }

    /// How a puzzle that takes these techniques compares with the order.
    fn appraise_techniques(&self, used: &[&'static Technique]) -> Appraisal {
        let missing = self.require.iter().filter(|technique| !used.contains(technique)).count();
        let unwanted = self.avoid.iter().filter(|technique| used.contains(technique)).count();
        let score = greatest_of(used);
        Appraisal {
            distance: TECHNIQUE * (missing + unwanted),
            wish: if unwanted > 0 { Wish::Tighter } else { Wish::Other },
            words: format!("is {}, with the score {score}", Tier::of(score).name()),
            ..Appraisal::default()
        }
    }
}

/// Climbs as far as the ceiling allows, and adds the techniques used.
fn climb_on(climb: &mut Climb<'_>, used: &mut Vec<&'static Technique>, interrupt: &Interrupt) {
    while !interrupt.is_raised() {
        // Round by round, so that an interrupt ends it soon.
        let end = climb.advance(&mut |_, step| {
            if !used.contains(&step.technique) {
                used.push(step.technique);
            }
        });
        if end.is_some() {
            return;
        }
    }
}

/// The greatest score of a technique.
fn greatest() -> Score {
    let all: Vec<&Technique> = TECHNIQUES.iter().collect();
    greatest_of(&all)
}

/// The greatest score of some techniques; 0 of none.
fn greatest_of(techniques: &[&Technique]) -> Score {
    techniques.iter().map(|technique| technique.score).max().unwrap_or_default()
}

/// The text of a key; none where it is absent or has no such parameter.
fn text<'s>(spec: &'s Spec, key: &str) -> Option<&'s str> {
    spec.entry(key).map(|_| spec.text(key))
}

/// Reads a tier, a score, or a range of two of them, `A..B`.
fn range(text: &str) -> Result<(Score, Score), SpecError> {
    let (first, last) = text.split_once("..").unwrap_or((text, text));
    match (bound(first, Tier::least), bound(last, Tier::most)) {
        (Some(least), Some(most)) if least <= most => Ok((least, most)),
        _ => {
            let tiers = Tier::ALL.map(Tier::name).join(", ");
            let most = greatest();
            let ranges = format!("or a range such as hard..extreme or 2.0..3.5 of scores up to {most}");
            Err(refused("difficulty", format!("{tiers}, {ranges}"), text))
        }
    }
}

/// Reads a score, or a tier, of which it takes this end.
fn bound(text: &str, end: fn(Tier) -> Score) -> Option<Score> {
    let text = text.trim();
    if let Some(tier) = Tier::ALL.into_iter().find(|tier| tier.name() == text) {
        return Some(end(tier));
    }
    let number: f64 = text.parse().ok()?;
    // NaN and scores beyond all techniques are none.
    let is_score = (0.0..=greatest().number()).contains(&number);
    is_score.then(|| Score((number * 10.0).round() as u16))
}

/// The techniques of a list of names.
fn techniques(key: &str, text: Option<&str>) -> Result<Vec<&'static Technique>, SpecError> {
    let mut found = Vec::new();
    for name in text.unwrap_or_default().split(',') {
        let name = name.trim();
        // Commas at the end are no technique.
        if name.is_empty() {
            continue;
        }
        let Some(technique) = TECHNIQUES.find(name) else {
            let known = nearest(name, TECHNIQUES.iter().map(|technique| technique.name));
            let message = format!("--{key}: there is no technique named `{name}`");
            return Err(conflict(message, format!("known: {}", known.join(", "))));
        };
        found.push(technique);
    }
    Ok(found)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_difficulty_is_a_tier_or_a_range_of_tiers_or_scores() {
        let scores = |text: &str| range(text).map(|(least, most)| (least.0, most.0)).ok();
        assert_eq!(scores("easy"), Some((Tier::Easy.least().0, Tier::Easy.most().0)));
        assert_eq!(scores("normal..extreme"), Some((Tier::Normal.least().0, Tier::Extreme.most().0)));
        assert_eq!(scores("2.5..4"), Some((25, 40)));
        for text in ["", "harder", "4..2", "extreme..easy", "1..", "-1..2", "nan"] {
            let error = range(text).expect_err(text).to_string();
            assert!(error.starts_with("`difficulty` takes easy, normal, hard"), "{error}");
        }
    }

    #[test]
    fn a_technique_that_is_not_known_is_named_with_those_that_are() {
        let name = TECHNIQUES.iter().next().expect("a technique").name;
        assert_eq!(techniques("avoid", Some(name)).expect("known").len(), 1);
        let error = techniques("require", Some("naked_pare")).expect_err("unknown");
        assert_eq!(error.to_string(), "--require: there is no technique named `naked_pare`");
        let help = error.help();
        assert!(help.starts_with("known: naked_pair, naked_") && help.contains(name), "{help}");
    }
}
