//! What a puzzle is to be, whatever its kind: how many solutions, how hard, with and without which techniques.

use crate::craft::ladder::{Candidates, Climb, End, Frame, Score, TECHNIQUES, Technique, Tier};
use crate::problem::Problem;
use crate::puzzle::Puzzle;
use crate::spec::{Param, ParamKind, Place, Spec, SpecError};
use crate::text::nearest;

use super::steer::Wish;

/// The parameter of every kind that may have more solutions than one.
pub(super) const MAX_SOLUTIONS: Param =
    Param::integer("max_solutions", 1..=1000, 1).about("how many solutions a puzzle may have");

/// The parameter that asks for puzzles without a clue to spare.
pub(super) const MINIMAL: Param = Param::flag("minimal", false)
    .about("no clue can be left out: without any of them there are more solutions");

/// The parameter that says how hard a puzzle is to be.
pub(super) const DIFFICULTY: Param = Param::optional("difficulty", ParamKind::Text).about(
    "how hard a puzzle is by the ladder of techniques: a tier, or a range of tiers or scores, 2.0..3.5",
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

/// What a puzzle is to be.
#[derive(Clone, Debug)]
pub(super) struct Order {
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

/// How a puzzle compares with an order.
#[derive(Clone, Debug, Default)]
pub(super) struct Appraisal {
    /// 0 where it is what was ordered.
    pub(super) distance: usize,
    /// Cells near which a change may help; anywhere if there are none.
    pub(super) cells: Vec<u16>,
    /// What a change should tend to.
    pub(super) wish: Wish,
    /// Its grade in words.
    pub(super) words: String,
}

impl Appraisal {
    /// That of a puzzle that the solver proves with fewer decisions than one takes that was ordered.
    pub(super) fn without_search(nodes: u64) -> Self {
        let distance = usize::from(u16::MAX) - nodes as usize;
        Self { distance, cells: Vec::new(), wish: Wish::Looser, words: "one without search".to_owned() }
    }
}

impl Order {
    /// The order of a resolved spec.
    ///
    /// # Errors
    /// A difficulty or a technique that is not known; a difficulty for puzzles with several solutions.
    pub(super) fn of(spec: &Spec) -> Result<Self, SpecError> {
        let text = |key: &str| spec.entry(key).map(|_| spec.text(key));
        let (least, most) = text("difficulty").map_or(Ok((Score(0), Score(u16::MAX))), range)?;
        let order = Self {
            solutions: spec.integer_or_absent("max_solutions").map_or(1, i64::unsigned_abs),
            minimal: spec.entry("minimal").is_some() && spec.flag("minimal"),
            least,
            most,
            require: techniques("require", text("require"))?,
            avoid: techniques("avoid", text("avoid"))?,
            stem: text("difficulty").map(|text| format!("-{text}")).unwrap_or_default(),
        };
        if order.solutions > 1 && order.is_graded() {
            return Err(SpecError::Conflict {
                message: "puzzles with several solutions have no grade".to_owned(),
                help: "leave out --max-solutions, or --difficulty, --require and --avoid".to_owned(),
                place: Place::default(),
            });
        }
        Ok(order)
    }

    /// For an id: the difficulty, where one was asked for.
    pub(super) fn stem(&self) -> &str {
        &self.stem
    }

    /// It depends on the techniques that solving takes.
    pub(super) fn is_graded(&self) -> bool {
        self.least > Score(0) || self.most < Score(u16::MAX) || self.asks_for_techniques()
    }

    /// It asks for puzzles that take trial and error.
    pub(super) fn takes_search(&self) -> bool {
        self.least >= Tier::Unreasonable.least() && self.most >= Tier::Unreasonable.most()
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

    /// Compares a puzzle with one solution with the order.
    pub(super) fn appraise(&self, puzzle: &Puzzle, problem: &Problem) -> Appraisal {
        if !self.is_graded() {
            return Appraisal::default();
        }
        let frame = Frame::new(puzzle, problem);
        let mut used = vec![false; TECHNIQUES.iter().count()];
        // Up to the least score the climb is the same as one to the greatest.
        let below = Score(self.least.0.saturating_sub(1));
        let mut climb = Climb::new(Candidates::new(&frame), below);
        let mut score = self.climb(&mut climb, &mut used);
        if climb.candidates.is_solved() && self.least > Score(0) {
            return Appraisal {
                distance: usize::from(self.least.0 - score.0) + self.faults(&used).0,
                cells: Vec::new(),
                wish: Wish::Looser,
                words: in_words(score),
            };
        }
        if self.most < Score(u16::MAX) || self.asks_for_techniques() {
            climb.ceiling = self.most;
            score = score.max(self.climb(&mut climb, &mut used));
            if !climb.candidates.is_solved() {
                let cells: Vec<u16> = climb.candidates.open_cells().collect();
                let distance = TOO_HARD + cells.len() + self.faults(&used).0;
                let words = format!("harder than {}", in_words(self.most));
                return Appraisal { distance, cells, wish: Wish::Tighter, words };
            }
        }
        let (distance, wish) = self.faults(&used);
        Appraisal { distance, cells: Vec::new(), wish, words: in_words(score) }
    }

    /// Climbs as far as the ceiling allows; marks the techniques used and returns the greatest score.
    fn climb(&self, climb: &mut Climb<'_>, used: &mut [bool]) -> Score {
        let mut score = Score(0);
        let _: End = climb.run(&mut |_, step| {
            score = score.max(step.score());
            let place = TECHNIQUES.iter().position(|technique| technique.name == step.technique.name);
            place.into_iter().for_each(|place| used[place] = true);
        });
        score
    }

    /// The distance that techniques make which are missing or not wanted, and what may help.
    fn faults(&self, used: &[bool]) -> (usize, Wish) {
        let is_used = |asked: &&&'static Technique| {
            TECHNIQUES.iter().zip(used).any(|(technique, used)| *used && technique.name == asked.name)
        };
        let missing = self.require.iter().filter(|technique| !is_used(technique)).count();
        let unwanted = self.avoid.iter().filter(is_used).count();
        let wish = if unwanted > 0 { Wish::Tighter } else { Wish::Other };
        (TECHNIQUE * (missing + unwanted), wish)
    }
}

fn in_words(score: Score) -> String {
    format!("{} with the score {score}", Tier::of(score).name())
}

/// Reads a tier, a score, or a range of two of them, `A..B`.
fn range(text: &str) -> Result<(Score, Score), SpecError> {
    let tiers: Vec<&str> = Tier::ALL.into_iter().map(Tier::name).collect();
    let refusal = || SpecError::Value {
        key: "difficulty".to_owned(),
        expected: format!("{}, or a range such as hard..extreme or 2.0..3.5", tiers.join(", ")),
        found: format!("\"{text}\""),
        place: Place::default(),
    };
    let (first, last) = text.split_once("..").unwrap_or((text, text));
    let bound = |text: &str, end: fn(Tier) -> Score| {
        let tier = Tier::ALL.into_iter().find(|tier| tier.name() == text.trim());
        let number = || text.trim().parse().ok().filter(|number| (0.0..=1000.0).contains(number));
        tier.map(end).or_else(|| number().map(|number: f64| Score((number * 10.0).round() as u16)))
    };
    let range = bound(first, Tier::least).zip(bound(last, Tier::most));
    range.filter(|(least, most)| least <= most).ok_or_else(refusal)
}

/// The techniques of a list of names.
fn techniques(key: &str, text: Option<&str>) -> Result<Vec<&'static Technique>, SpecError> {
    let names =
        text.into_iter().flat_map(|text| text.split(',')).map(str::trim).filter(|name| !name.is_empty());
    let found = |name: &str| {
        TECHNIQUES.find(name).ok_or_else(|| {
            let known = nearest(name, TECHNIQUES.iter().map(|technique| technique.name));
            SpecError::Conflict {
                message: format!("--{key}: there is no technique named `{name}`"),
                help: format!("known: {}", known.join(", ")),
                place: Place::default(),
            }
        })
    };
    names.map(found).collect()
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
