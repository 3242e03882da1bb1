//! Methods: how the points of a sweep are chosen.
//!
//! A new method is a function that makes points, its entry, and a line in [`METHODS`]. **Invariant.** The points of a seed are
//! part of what a sweep gives: keep the order of draws.

use sobol_burley::sample;

use crate::experiment::RaceRules;
use kenga_core::rng::RunRng;
use kenga_core::spec::{
    Builder, Catalog, Family, Member, Named, Param, ParamKind, Place, Spec, SpecError, Value,
};

/// Chooses points of the unit cube, one coordinate from 0 to 1 an axis. An axis of `n` values takes its `i`-th one from
/// `i / n` to `(i + 1) / n`.
#[derive(Debug)]
pub struct Method {
    choose: Choose,
    /// How many points are asked for; 0 where all are taken.
    points: usize,
    place: Place,
    /// How settings are dropped while the sweep runs, if they are.
    pub(super) race: Option<RaceRules>,
}

/// The points of a method; the second argument says of every axis how many values it takes, `None` for any number in
/// between.
type Choose = for<'a> fn(&Method, &[Option<usize>], &'a mut RunRng) -> Result<Points<'a>, SpecError>;

/// Points, one after the other.
pub(super) type Points<'a> = Box<dyn Iterator<Item = Vec<f64>> + 'a>;

/// The methods.
pub static METHODS: Family<Method> = Family::new(
    "sweep_method",
    "how the settings of a sweep are chosen",
    &[&GRID, &RANDOM, &LATIN_HYPERCUBE, &SOBOL, &RACE],
);

/// How many settings a method chooses that does not take them all.
const POINTS: Param = Param::integer("points", 1..=100_000, 32)
    .about("number of points; points that conditions make equal are one setting");

static GRID: Builder<Method> = Member::new("grid")
    .about("every combination of values")
    .build(|spec| Method { choose: grid, points: 0, place: spec.place, race: None });

static RANDOM: Builder<Method> = Member::new("random")
    .about("points drawn independently")
    .source("Bergstra, Bengio 2012")
    .params(&[POINTS])
    .build(|spec| Method::new(random, spec));

static LATIN_HYPERCUBE: Builder<Method> = Member::new("latin_hypercube")
    .about("as many points as strata, one in every stratum of every axis")
    .source("McKay, Beckman, Conover 1979, doi:10.1080/00401706.1979.10489755")
    .params(&[POINTS])
    .build(|spec| Method::new(latin_hypercube, spec));

static SOBOL: Builder<Method> = Member::new("sobol")
    .about("points that fill the space of settings evenly")
    .source("Sobol 1967, doi:10.1016/0041-5553(67)90144-9; Burley 2020")
    .params(&[Param { kind: ParamKind::Integer(1, 1 << 16), ..POINTS }])
    .build(|spec| Method::new(sobol, spec));

static RACE: Builder<Method> = Member::new("race")
    .about("drops settings shown to be worse, block by block (a block: one puzzle, one replicate)")
    .source(
        "Birattari, Stützle, Paquete, Varrentrapp 2002; irace, López-Ibáñez et al. 2016, \
         doi:10.1016/j.orp.2016.09.002",
    )
    .params(&[
        Param::member("of", &METHODS, "grid").about("the method that chooses the settings"),
        Param::integer("first", 2..=1_000_000, 6)
            .about("blocks before the first look; fewer than 9 can show nothing at 5 %"),
        Param::optional("last", ParamKind::Integer(2, 1_000_000)).about(
            "the block that ends the race: `alpha` is spent up to it, which finds smaller differences",
        ),
        Param::probability("alpha", 0.05)
            .about("the chance to drop a setting that is no worse, over the whole race"),
    ])
    .build(|spec| {
        let last = spec.size_or_absent("last").map(|last| last as u64);
        let rules = RaceRules { first: spec.count("first"), last, alpha: spec.real("alpha") };
        Method { race: Some(rules), ..METHODS.build(spec.spec("of")) }
    });

impl Method {
    fn new(choose: Choose, spec: &Spec) -> Self {
        Self { choose, points: spec.size("points"), place: spec.place, race: None }
    }

    /// The method that a sweep names; a grid where it names none.
    pub(super) fn read(sweep: &Spec) -> Result<Self, SpecError> {
        let grid = Named::new("method", Value::Text("grid".to_owned()), sweep.place);
        let named = sweep.entry("method").unwrap_or(&grid);
        let spec = match &named.value {
            Value::Spec(spec) => spec.clone(),
            Value::Text(name) => Spec { place: named.place, ..Spec::named(name) },
            other => {
                let expected = "a name from `kenga list sweep_method`, or a table with one".to_owned();
                let (key, found) = (named.key.clone(), other.kind().to_owned());
                return Err(SpecError::Value { key, expected, found, place: named.place });
            }
        };
        let method = METHODS.build(&METHODS.resolve(&spec, named.key_place)?);
        if let Some(RaceRules { first, last: Some(last), .. }) = method.race
            && last < first
        {
            let message = format!("the race ends at block {last}, before its first look at block {first}");
            let help = "make `last` the most blocks that you will run: puzzles times replicates";
            return Self { place: spec.place, ..method }.refuse(message, help);
        }
        Ok(method)
    }

    /// The points; `levels` says of every axis how many values it takes, `None` for any number in between.
    ///
    /// # Errors
    /// Axes that the method cannot take.
    pub(super) fn points<'a>(
        &self,
        levels: &[Option<usize>],
        rng: &'a mut RunRng,
    ) -> Result<Points<'a>, SpecError> {
        (self.choose)(self, levels, rng)
    }

    fn refuse<T>(&self, message: String, help: &str) -> Result<T, SpecError> {
        Err(SpecError::Conflict { message, help: help.to_owned(), place: self.place })
    }
}

/// Every combination of values; the first axis changes slowest.
fn grid<'a>(
    method: &Method,
    levels: &[Option<usize>],
    _rng: &'a mut RunRng,
) -> Result<Points<'a>, SpecError> {
    let Some(levels) = levels.iter().copied().collect::<Option<Vec<usize>>>() else {
        let help = "give every range its `points`, or choose another method";
        return method.refuse("a grid needs a finite list of values for every key".to_owned(), help);
    };
    let mut all = 1_usize;
    for levels in &levels {
        all = all.saturating_mul(*levels);
    }
    Ok(Box::new((0..all).map(move |index| {
        // The digits of the index in mixed radix, the last axis first.
        let mut rest = index;
        let mut point = vec![0.0; levels.len()];
        for (coordinate, levels) in point.iter_mut().zip(&levels).rev() {
            *coordinate = ((rest % levels) as f64 + 0.5) / *levels as f64;
            rest /= levels;
        }
        point
    })))
}

/// Points drawn independently, each coordinate uniform.
///
/// Source: J. Bergstra, Y. Bengio 2012, Random search for hyper-parameter optimization, Journal of Machine Learning
/// Research 13, 281-305.
fn random<'a>(
    method: &Method,
    levels: &[Option<usize>],
    rng: &'a mut RunRng,
) -> Result<Points<'a>, SpecError> {
    let axes = levels.len();
    Ok(Box::new((0..method.points).map(move |_| (0..axes).map(|_| rng.unit()).collect())))
}

/// Latin hypercube: `n` points of which every axis has one in each of its `n` equal strata.
///
/// Source: M. D. McKay, R. J. Beckman, W. J. Conover 1979, A comparison of three methods for selecting values of input
/// variables in the analysis of output from a computer code, doi:10.1080/00401706.1979.10489755.
fn latin_hypercube<'a>(
    method: &Method,
    levels: &[Option<usize>],
    rng: &'a mut RunRng,
) -> Result<Points<'a>, SpecError> {
    let points = method.points;
    let mut axes: Vec<Vec<f64>> = Vec::new();
    for _ in levels {
        // One number in each of the strata, in random order.
        let mut strata: Vec<usize> = (0..points).collect();
        rng.shuffle(&mut strata);
        let draw = |stratum| (stratum as f64 + rng.unit()) / points as f64;
        axes.push(strata.into_iter().map(draw).collect());
    }
    Ok(Box::new((0..points).map(move |point| axes.iter().map(|axis| axis[point]).collect())))
}

/// Sobol's sequence: points that fill the cube evenly, however many are taken; scrambled.
///
/// Source: I. M. Sobol 1967, On the distribution of points in a cube and the approximate evaluation of integrals,
/// doi:10.1016/0041-5553(67)90144-9; the scrambling is hash-based, B. Burley 2020, Practical hash-based Owen scrambling.
fn sobol<'a>(
    method: &Method,
    levels: &[Option<usize>],
    rng: &'a mut RunRng,
) -> Result<Points<'a>, SpecError> {
    let (axes, most) = (levels.len() as u32, sobol_burley::NUM_DIMENSIONS);
    if axes > most {
        let message = format!("Sobol's sequence has {most} dimensions, the sweep {axes} keys");
        return method.refuse(message, "choose another method");
    }
    // One draw, however many points are taken: more of them change none before.
    let seed = rng.bits();
    let point = move |point| (0..axes).map(|axis| f64::from(sample(point as u32, axis, seed))).collect();
    Ok(Box::new((0..method.points).map(point)))
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use kenga_core::rng::StreamKey;
    use kenga_core::spec::record_reads;

    fn points(choose: Choose, points: usize, levels: &[Option<usize>]) -> Result<Vec<Vec<f64>>, SpecError> {
        let method = Method { choose, points, place: Place::default(), race: None };
        let mut rng = StreamKey::run(1, "", 0).rng();
        Ok(method.points(levels, &mut rng)?.collect())
    }

    #[test]
    fn each_key_of_a_method_is_read_as_what_it_is() {
        for entry in METHODS.entries() {
            let member = entry.member();
            // It has no default.
            let last = member.params.iter().any(|param| param.name == "last");
            let last = last.then(|| Named::new("last", Value::Integer(9), Place::default()));
            let spec =
                METHODS.resolve(&Spec::named(member.name).with(last), Place::default()).expect("sound");
            let (_, reads) = record_reads(|| METHODS.build(&spec));
            for (param, named) in member.params.iter().zip(&spec.values) {
                let mut readings = reads.iter().filter(|(read, _)| Arc::ptr_eq(read, named));
                let is_read = readings.next().is_some_and(|(_, reading)| reading.suits(&param.kind));
                assert!(is_read, "{}.{}", member.name, param.name);
            }
        }
    }

    #[test]
    fn the_first_axis_changes_slowest() {
        let all = points(grid, 0, &[Some(2), Some(1), Some(2)]).expect("a grid");
        let wanted = [[0.25, 0.5, 0.25], [0.25, 0.5, 0.75], [0.75, 0.5, 0.25], [0.75, 0.5, 0.75]];
        assert_eq!(all, wanted.map(|point| point.to_vec()));
    }

    #[test]
    fn numbers_in_between_are_no_grid() {
        assert!(points(grid, 0, &[Some(2), None]).is_err());
    }

    #[test]
    fn a_latin_hypercube_and_16_points_of_sobol_have_one_point_in_every_stratum() {
        for (choose, count) in [(latin_hypercube as Choose, 7), (sobol as Choose, 16)] {
            let points = points(choose, count, &[None; 4]).expect("points");
            for axis in 0..4 {
                let stratum = |point: &Vec<f64>| (point[axis] * count as f64) as usize;
                let mut strata: Vec<usize> = points.iter().map(stratum).collect();
                strata.sort_unstable();
                assert_eq!(strata, (0..count).collect::<Vec<_>>());
            }
        }
    }
}
