//! Problems of the user's own: a genome is worth the same in every call, and has a fitness on the scale.

use std::sync::Arc;
use std::thread;

use kenga_core::budget::Guard;
use kenga_core::fitness::{Fitness, Halted, Objective, Scale};
use kenga_core::problem::{GenomeShape, Problem};
use kenga_core::puzzle::Puzzle;
use kenga_core::rng::RunRng;
use kenga_core::search::algorithms::{ALGORITHMS, Programs};
use kenga_core::search::encodings::{ENCODINGS, encoding_of_genomes};
use kenga_core::search::objectives::{
    Instance, OBJECTIVES, ObjectiveRecipe, ObjectiveStart, instances, scale, terms,
};
use kenga_core::spec::{Catalog, Spec, Value};

use super::Field;
use super::algorithm::{has_encoding, on_encoding, within};
use super::setup::{has_defaults, least_genome, resolve, rng, spec};

/// Genomes that are drawn at random for an instance.
const DRAWN: usize = 30;

/// A problem with its parameters, on one of its instances.
struct Trial<'a> {
    spec: &'a Spec,
    instance: &'a Instance,
    recipe: &'a dyn ObjectiveRecipe,
    scale: Scale,
}

/// Every instance of a resolved problem keeps what [`Objective`] promises.
pub(super) fn check(spec: &Spec) {
    let recipe = OBJECTIVES.build(spec).unwrap_or_else(|error| panic!("problem {}: {error}", spec.name));
    let all = instances(spec).unwrap_or_else(|error| panic!("problem {}: {error}", spec.name));
    for instance in &all {
        let scale = scale(spec, instance.optimum, instance.bound);
        let trial = Trial { spec, instance, recipe: &*recipe, scale };
        trial.check_values();
        trial.check_searches();
    }
}

impl Trial<'_> {
    fn start(&self) -> Arc<dyn Objective> {
        let mut options = self.spec.spec("options").as_json();
        options.extend(self.instance.options.clone());
        let (shape, programs) = (self.instance.shape.clone(), Arc::new(Programs::default()));
        self.recipe.start(ObjectiveStart { shape, options, guard: Guard::default(), programs })
    }

    /// What a promise is broken by, and with which parameters.
    fn broken(&self, promise: &str, how: &str) -> ! {
        let (name, id) = (&self.spec.name, &self.instance.id);
        let params: Vec<String> =
            self.spec.as_json().iter().map(|(key, value)| format!("{key} = {value}")).collect();
        panic!("problem {name}, instance {id}: {promise}: {how}; its parameters: {}", params.join(", "));
    }

    fn values(&self, objective: &dyn Objective, genomes: &[u8]) -> Vec<f64> {
        let mut values = vec![f64::NAN; genomes.len() / self.instance.shape.genes()];
        if let Err(halted) = objective.evaluate(genomes, &mut values) {
            let how = match halted {
                Halted::Failed(failure) => format!("{} {}", failure.reason, failure.stderr),
                Halted::Cut => "it was cut, and nothing cut it".to_owned(),
            };
            self.broken("it has a value for every genome", how.trim());
        }
        values
    }

    /// The terms of a genome are as many finite numbers as they have names, the same whenever they are asked for.
    fn check_terms(&self, genome: &[u8]) {
        let names = terms(self.spec);
        if names.is_empty() {
            return;
        }
        let promise = "a genome has a term for every name";
        let objective = self.start();
        let [Ok(first), Ok(again)] = [objective.terms(genome), objective.terms(genome)] else {
            self.broken(promise, &format!("{genome:?} has none"));
        };
        if first.len() != names.len() || first.iter().any(|term| !term.is_finite()) || first != again {
            self.broken(
                promise,
                &format!("{genome:?} has {first:?}, then {again:?} for {}", names.join(", ")),
            );
        }
    }

    fn check_values(&self) {
        let genes = self.instance.shape.genes();
        let genomes = genomes(&self.instance.shape, &mut rng(&self.instance.id));
        let objective = self.start();
        self.check_terms(&genomes[..genes]);
        self.values(&*objective, &[]);
        let mut alone = Vec::new();
        for genome in genomes.chunks_exact(genes) {
            alone.extend(self.values(&*objective, genome));
        }
        for (genome, value) in genomes.chunks_exact(genes).zip(&alone) {
            if let Err(how) = self.scale.fitness(*value) {
                self.broken("every value has a fitness", &format!("{genome:?}: {how}"));
            }
        }
        let one_value = "a genome has one value";
        self.compare(one_value, "in a batch", &genomes, &alone, &self.values(&*objective, &genomes));
        let backwards: Vec<u8> = genomes.chunks_exact(genes).rev().flatten().copied().collect();
        let mut values = self.values(&*objective, &backwards);
        values.reverse();
        self.compare(one_value, "in a batch in another order", &genomes, &alone, &values);
        self.compare(one_value, "in another run", &genomes, &alone, &self.values(&*self.start(), &genomes));
        thread::scope(|scope| {
            let ask = || scope.spawn(|| self.values(&*objective, &genomes));
            for thread in [ask(), ask(), ask()] {
                let values = thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic));
                self.compare(one_value, "beside calls of other threads", &genomes, &alone, &values);
            }
        });
    }

    /// Genomes that were asked for one by one have the same values as they have `where_else`.
    fn compare(&self, promise: &str, where_else: &str, genomes: &[u8], alone: &[f64], values: &[f64]) {
        let genes = self.instance.shape.genes();
        for ((genome, alone), value) in genomes.chunks_exact(genes).zip(alone).zip(values) {
            if alone != value {
                self.broken(promise, &format!("{genome:?} is worth {alone} alone, and {value} {where_else}"));
            }
        }
    }

    /// Every algorithm that works on the encoding keeps its budget, and claims what the objective says.
    fn check_searches(&self) {
        let puzzle = Puzzle::of_genome(self.instance.shape.clone()).expect("a sound shape");
        let problem = Problem::compile(&puzzle);
        let fitness = Arc::new(Fitness::of_objective(problem, self.start(), self.scale));
        let field = Field::of_problem(puzzle, fitness);
        let encoding = encoding_of_genomes(&self.instance.shape);
        let encoding = ENCODINGS.member(encoding).expect("an encoding of kenga's");
        for member in ALGORITHMS.members() {
            if !has_encoding(member) || !has_defaults(member) || !member.works_on(encoding) {
                continue;
            }
            let setting = on_encoding(member, encoding);
            let first = field.run_within(&setting, within(200), None);
            let again = field.run_within(&setting, within(200), None);
            if first != again {
                let how = format!("{} ends with {:?}, then with {:?}", member.name, first.0, again.0);
                self.broken("a run repeats itself", &how);
            }
        }
    }
}

/// The lowest genome, the highest, and random ones, one after the other.
fn genomes(shape: &GenomeShape, rng: &mut RunRng) -> Vec<u8> {
    let least = least_genome(shape);
    let mut genomes = least.clone();
    match shape {
        GenomeShape::Values(ranges) => {
            genomes.extend(ranges.iter().map(|range| range[1]));
            for _ in 0..DRAWN {
                for [low, high] in ranges {
                    genomes.push(low + rng.below(usize::from(high - low) + 1) as u8);
                }
            }
        }
        GenomeShape::Permutations(lengths) => {
            for round in 0..=DRAWN {
                let mut rest = &least[..];
                for length in lengths {
                    let (line, others) = rest.split_at(*length);
                    let mut line = line.to_vec();
                    if round == 0 {
                        line.reverse();
                    } else {
                        rng.shuffle(&mut line);
                    }
                    genomes.extend(line);
                    rest = others;
                }
            }
        }
    }
    genomes
}

/// The problem with these parameters.
pub(super) fn resolved(name: &str, keys: &[(&str, Value)]) -> Spec {
    resolve(&OBJECTIVES, &spec(name, keys))
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicU64, Ordering};

    use kenga_core::search::objectives::{GENOME, ObjectiveMaker};
    use kenga_core::spec::{Builder, Member, Param};

    use super::*;
    use crate::objective;

    /// What a genome is worth, when so many genomes were measured before it and so many are asked for with it.
    type ValueOf = fn(&[u8], u64, usize) -> f64;

    struct Measured {
        genes: usize,
        value: ValueOf,
        before: AtomicU64,
    }

    impl Objective for Measured {
        fn evaluate(&self, genomes: &[u8], values: &mut [f64]) -> Result<(), Halted> {
            let batch = values.len();
            for (genome, value) in genomes.chunks_exact(self.genes).zip(values) {
                *value = (self.value)(genome, self.before.fetch_add(1, Ordering::Relaxed), batch);
            }
            Ok(())
        }
    }

    struct Recipe(ValueOf);

    impl ObjectiveRecipe for Recipe {
        fn start(&self, start: ObjectiveStart) -> Arc<dyn Objective> {
            Arc::new(Measured { genes: start.shape.genes(), value: self.0, before: AtomicU64::new(0) })
        }
    }

    fn sum(genome: &[u8]) -> f64 {
        genome.iter().copied().map(f64::from).sum()
    }

    /// A problem that gives such values.
    macro_rules! problem {
        ($entry:ident, $name:literal, $value:expr) => {
            static $entry: Builder<ObjectiveMaker> = Member::new($name)
                .about("a problem of the tests")
                .source("an example")
                .params(&Param::join::<12>(&[Param::flag("own", false).about("a key of its own")], &GENOME))
                .build(|_| Ok(Box::new(Recipe($value))));
        };
    }

    problem!(SUMS, "sums", |genome, _, _| sum(genome));
    problem!(COUNTS, "counts", |genome, before, _| sum(genome) + before as f64);
    problem!(BATCHES, "batches", |genome, _, batch| sum(genome) + f64::from(u8::from(batch > 1)));
    problem!(FRACTIONS, "fractions", |genome, _, _| sum(genome) / 2.0);
    problem!(NEGATIVES, "negatives", |genome, _, _| sum(genome) - 1.0);

    fn check(entry: &'static Builder<ObjectiveMaker>) {
        let range = Value::List(vec![Value::Integer(0), Value::Integer(3)]);
        objective(entry, &[("genes", Value::Integer(6)), ("values", range)]);
        objective(entry, &[("permutation", Value::Integer(5))]);
    }

    #[test]
    fn a_function_of_the_genome_conforms() {
        check(&SUMS);
    }

    #[test]
    #[should_panic(expected = "problem counts, instance problem: a genome has one value: ")]
    fn a_value_that_depends_on_earlier_calls_is_named() {
        check(&COUNTS);
    }

    #[test]
    #[should_panic(expected = "is worth 0 alone, and 1 in a batch; its parameters: name = \"batches\", ")]
    fn a_value_that_depends_on_the_batch_is_named() {
        check(&BATCHES);
    }

    #[test]
    #[should_panic(expected = "every value has a fitness: [")]
    fn a_value_without_a_fitness_is_named() {
        check(&FRACTIONS);
    }

    #[test]
    #[should_panic(expected = "is below 0, the bound: set one that no value passes")]
    fn a_value_better_than_the_best_is_named() {
        check(&NEGATIVES);
    }
}
