//! Simulated annealing.
//!
//! ```text
//! repeat
//!     draw a random move
//!     make it if it makes nothing worse, else with probability exp(-difference / temperature)
//!     cool
//! until solved
//! ```
//!
//! Cooling follows the share of the stretch that is spent, from the initial temperature to the final one, by equal
//! factors (`geometric`) or equal differences (`linear`). `reheating` cools by equal factors over `period` moves, and
//! returns to the initial temperature after a period without improvement. A stretch of unknown length is one period
//! long. A share `near` of the moves of large cages changes two cells alone: a random one of thousands of tuples breaks
//! most of what holds.
//!
//! Without `from`, the initial temperature is that at which a share `acceptance` of the worsening moves around the
//! start would be made; without `to`, the final one is the share `fall` of the initial one. How much a move may add and
//! still be made is drawn first: whatever is sure to add more is rejected before all of it is computed.
//!
//! Source: S. Kirkpatrick, C. D. Gelatt, M. P. Vecchi 1983, doi:10.1126/science.220.4598.671; the first temperature by
//! W. Ben-Ameur 2004, doi:10.1023/B:COAP.0000044187.23143.bd; reheating by D. Abramson, M. Krishnamoorthy, H. Dang
//! 1999, Simulated annealing cooling schedules for the school timetabling problem, Asia-Pacific J. of Operational
//! Research 16.

use crate::rng::RunRng;
use crate::search::neighbourhood::Neighbourhood;
use crate::search::operators::restart::RESTART;
use crate::search::{MarkovError, MarkovModel};
use crate::spec::{Builder, Member, Param, ParamKind, Spec};

use super::Maker;
use super::local::{Advance, ENCODING, GENERATION, GUIDE, Record, Walk, WalkEnd, recipe, restart};

/// The fitness of a problem of the user's own may reach 2^32 units of its resolution.
const TEMPERATURE: ParamKind = ParamKind::Real(1e-6, 1e12);

pub(super) static ENTRY: Builder<Maker> = Member::new("annealing")
    .about("simulated annealing: accepts a worsening move with a probability that falls over time")
    .source("S. Kirkpatrick, C. D. Gelatt, M. P. Vecchi 1983, doi:10.1126/science.220.4598.671")
    .params(&[
        ENCODING,
        GUIDE,
        Param::choice("cooling", &["geometric", "linear", "reheating"], "geometric")
            .about("how the temperature falls"),
        Param::optional("from", TEMPERATURE)
            .about("initial temperature; if absent, estimated from random moves"),
        Param::optional("to", TEMPERATURE)
            .about("final temperature; if absent, the share `fall` of the initial one"),
        Param::real("fall", 1e-6..=1.0, 0.5)
            .about("final temperature as a share of the initial one, if `to` is absent"),
        Param::real("acceptance", 1e-6..=0.999, 0.04)
            .about("share of worsening moves accepted at the initial temperature, if `from` is absent"),
        Param::integer("period", 1..=i64::MAX, 1_000_000)
            .about("moves of one cooling if neither budget nor restart limits them, and between reheatings"),
        Param::probability("near", 0.0)
            .about("on the encoding `cages`: share of moves that change only two cells of a large cage"),
        restart("none"),
        GENERATION,
    ])
    .build(|spec| recipe(spec, Annealing::new));

#[derive(Clone, Copy, PartialEq, Eq)]
enum Cooling {
    Geometric,
    Linear,
    Reheating,
}

struct Annealing {
    cooling: Cooling,
    /// The initial and the final temperature, where they are given.
    from: Option<f64>,
    to: Option<f64>,
    acceptance: f64,
    /// The final temperature as a share of the initial one, unless it is given.
    fall: f64,
    period: u64,
    near: f64,
    /// The initial temperature of this stretch, once it is known.
    first: Option<f64>,
    /// Moves over which the temperature falls.
    length: u64,
    /// Moves since it began to fall.
    cooled: u64,
    /// The lowest violation when it began to fall.
    lowest: i64,
    /// The current temperature.
    now: f64,
    /// The chance of a worsening move by its difference, in units of 2^-32.
    chances: Vec<u32>,
}

/// Moves made at one temperature.
const PLATEAU: u64 = 1024;

/// The largest difference whose chance is tabled.
const WORST: usize = 64;

/// Random moves from which the initial temperature is estimated.
const SAMPLE: u64 = 500;

impl Annealing {
    fn new(spec: &Spec) -> Self {
        let cooling = match spec.text("cooling") {
            "geometric" => Cooling::Geometric,
            "linear" => Cooling::Linear,
            _ => Cooling::Reheating,
        };
        Self {
            cooling,
            from: spec.real_or_absent("from"),
            to: spec.real_or_absent("to"),
            acceptance: spec.real("acceptance"),
            fall: spec.real("fall"),
            period: spec.count("period"),
            near: spec.real("near"),
            first: None,
            length: 0,
            cooled: 0,
            lowest: 0,
            now: 1.0,
            chances: Vec::new(),
        }
    }

    #[inline(always)]
    fn draw<N: Neighbourhood>(&self, at: &mut N, rng: &mut RunRng) -> Option<N::Move> {
        if self.near == 0.0 { at.random(rng) } else { self.draw_near(at, rng) }
    }

    /// Not inlined: the loop is slower with both ways to draw in it, and slower still as two loops, each compiled for
    /// one way, because what they share is then no longer inlined in either.
    #[inline(never)]
    fn draw_near<N: Neighbourhood>(&self, at: &mut N, rng: &mut RunRng) -> Option<N::Move> {
        if rng.coin(self.near) { at.random_near(rng) } else { at.random(rng) }
    }

    /// The temperature at which the share `acceptance` of the worsening moves around a position is made, by bisection.
    fn initial<N: Neighbourhood>(&self, at: &mut N, moves: u64, rng: &mut RunRng) -> f64 {
        let mut worse = Vec::new();
        for _ in 0..moves {
            let difference = self.draw(at, rng).map_or(0, |step| at.difference(step));
            if difference > 0 {
                worse.push(difference as f64);
            }
        }
        self.initial_of(&worse)
    }

    /// The initial temperature for worsening moves of these differences.
    fn initial_of(&self, worse: &[f64]) -> f64 {
        if worse.is_empty() {
            return 1.0;
        }
        let share_made = |temperature: f64| {
            let made: f64 = worse.iter().map(|difference| (-difference / temperature).exp()).sum();
            made / worse.len() as f64
        };
        let (mut low, mut high) = (1e-6, 1e6);
        // Values of a fine resolution differ by more; the bounds decide the last bits of the temperature.
        if share_made(high) < self.acceptance {
            (low, high) = (high, 1e12);
        }
        for _ in 0..60 {
            // Temperatures are compared by their ratio: the middle is the geometric one.
            let middle = f64::sqrt(low * high);
            if share_made(middle) < self.acceptance { low = middle } else { high = middle }
        }
        high
    }

    /// The temperature of the current plateau, which does not depend on how a run is cut into chunks.
    fn temperature(&self) -> f64 {
        // Steps of a plateau, so that the chance of a move depends on how many were made and not on chunks.
        let cooled = self.cooled - self.cooled % PLATEAU;
        let progress = (cooled as f64 / self.length as f64).min(1.0);
        let from = self.first.unwrap_or(1.0);
        let to = self.to.unwrap_or(from * self.fall);
        match self.cooling {
            Cooling::Linear => from + (to - from) * progress,
            Cooling::Geometric | Cooling::Reheating => from * (to / from).powf(progress),
        }
    }

    fn cool(&mut self) {
        self.now = self.temperature();
        let now = self.now;
        self.chances.clear();
        self.chances.extend((0..=WORST).map(|difference| chance(difference as f64, now)));
    }

    /// Draws what a move may add and be made: a difference is within it with the probability exp(-difference /
    /// temperature). To draw it first saves the differences of most moves that are not made.
    #[inline(always)]
    fn most(&self, rng: &mut RunRng) -> i64 {
        let bits = rng.bits();
        if bits >= self.chances[1] { 0 } else { self.most_of(bits) }
    }

    #[inline(never)]
    fn most_of(&self, bits: u32) -> i64 {
        let most = self.chances[1..].partition_point(|chance| bits < *chance);
        if most < WORST { most as i64 } else { self.most_far(bits) }
    }

    /// Beyond the table.
    #[cold]
    fn most_far(&self, bits: u32) -> i64 {
        let unit = (f64::from(bits) + 1.0) / 2f64.powi(32);
        ((-self.now * unit.ln()) as i64).max(WORST as i64)
    }

    /// Moves up to the end of the period.
    fn to_end_of_period(&self) -> u64 {
        match self.cooling {
            Cooling::Reheating => self.length - self.cooled % self.length,
            _ => u64::MAX,
        }
    }

    /// Counts moves; cooling begins again at the end of a period without improvement.
    fn pass(&mut self, moves: u64, lowest: i64) {
        self.cooled += moves;
        if self.cooling == Cooling::Reheating && self.cooled.is_multiple_of(self.length) {
            self.cooled = if lowest < self.lowest { self.cooled } else { 0 };
            self.lowest = lowest;
        }
    }
}

/// The chance of a worsening move, in units of 2^-32.
fn chance(difference: f64, temperature: f64) -> u32 {
    ((-difference / temperature).exp() * 2f64.powi(32)).min(f64::from(u32::MAX)) as u32
}

impl Walk for Annealing {
    fn markov_model(spec: &Spec) -> Result<MarkovModel, MarkovError> {
        // The exact chain has one matrix for all steps: nothing may change with time.
        let Some(temperature) = spec.real_or_absent("from") else {
            return Err(MarkovError::key("from", "given, and `algorithm.to` the same"));
        };
        if spec.real_or_absent("to") != Some(temperature) {
            return Err(MarkovError::key("to", format!("{temperature}, as `algorithm.from`")));
        }
        if spec.real("near") > 0.0 {
            return Err(MarkovError::key("near", "0"));
        }
        if !RESTART.build(spec.spec("restart")).is_never() {
            return Err(MarkovError::key("restart", "none"));
        }
        Ok(MarkovModel::Metropolis { temperature })
    }

    fn begin<N: Neighbourhood>(&mut self, at: &mut N, calls: Option<u64>, _rng: &mut RunRng) {
        self.first = self.from;
        self.length = match self.cooling {
            Cooling::Reheating => self.period,
            _ => calls.unwrap_or(self.period).max(1),
        };
        (self.cooled, self.lowest) = (0, at.tally().violation());
    }

    fn advance<N: Neighbourhood>(&mut self, at: &mut N, record: &mut Record, rng: &mut RunRng) -> Advance {
        let (limit, mut spent) = (record.limit, 0);
        if self.first.is_none() {
            // The sample is paid for: each difference is a move.
            spent = SAMPLE.min(limit.most);
            self.first = Some(self.initial(at, spent, rng));
        }
        while spent < limit.enough {
            self.cool();
            let plateau =
                (PLATEAU - self.cooled % PLATEAU).min(self.to_end_of_period()).min(limit.enough - spent);
            for done in 1..=plateau {
                let Some(step) = self.draw(at, rng) else {
                    return Advance { moves: spent, end: WalkEnd::Stuck };
                };
                if let Some(difference) = at.difference_within(step, self.most(rng)) {
                    at.apply(step);
                    if difference < 0 && record.look(at, spent + done) {
                        self.pass(done, record.violation());
                        return Advance::open(spent + done);
                    }
                }
            }
            spent += plateau;
            self.pass(plateau, record.violation());
        }
        Advance::open(spent)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rng::StreamKey;
    use crate::search::algorithms::setup::resolved;
    use crate::spec::Value;

    fn annealing(values: &[(&str, Value)]) -> Annealing {
        Annealing::new(&resolved("annealing", values))
    }

    #[test]
    fn every_difference_has_its_chance_within_the_table_and_beyond() {
        let mut rng = StreamKey::run(1, "annealing", 0).rng();
        for temperature in [0.4, 7.0, 1000.0] {
            let mut hot = annealing(&[("from", Value::Real(temperature)), ("to", Value::Real(temperature))]);
            (hot.first, hot.length) = (hot.from, 1);
            hot.cool();
            let drawn: Vec<i64> = (0..20_000).map(|_| hot.most(&mut rng)).collect();
            assert!(drawn.iter().all(|most| *most >= 0));
            for difference in [1, 2, 9, WORST as i64 - 1, WORST as i64, WORST as i64 + 1, 1000] {
                let made = drawn.iter().filter(|most| difference <= **most).count() as f64 / 20_000.0;
                let expected = (-difference as f64 / temperature).exp();
                assert!((made - expected).abs() < 0.015, "{difference} at {temperature}: {made}");
            }
        }
    }

    #[test]
    fn values_of_a_fine_resolution_have_a_temperature_beyond_a_million() {
        let hot = annealing(&[("from", Value::Real(2e7)), ("to", Value::Real(2e7))]);
        assert_eq!(hot.from, Some(2e7));
        let temperature = annealing(&[]).initial_of(&[3e8; 10]);
        assert!(((-3e8 / temperature).exp() - 0.04).abs() < 1e-9, "{temperature}");
    }

    #[test]
    fn a_period_without_improvement_is_followed_by_reheating() {
        let mut walk = annealing(&[("cooling", Value::Text("reheating".to_owned()))]);
        (walk.length, walk.lowest) = (1500, 9);
        walk.pass(1024, 9);
        assert_eq!((walk.cooled, walk.to_end_of_period()), (1024, 476));
        walk.pass(476, 8);
        assert_eq!((walk.cooled, walk.to_end_of_period()), (1500, 1500), "something better: it stays cold");
        walk.pass(1500, 8);
        assert_eq!(walk.cooled, 0);
    }
}
