//! Replacements keep the size of the population, and the best of all.

use kenga_core::budget::Guard;
use kenga_core::rng::RunRng;
use kenga_core::search::Population;
use kenga_core::search::operators::replacement::REPLACEMENT;

use super::setup::rng;
use kenga_core::spec::Spec;

/// Individuals of random fitness whose genomes spell it.
fn population(count: usize, below: usize, rng: &mut RunRng) -> Population {
    let mut population = Population::new(count, 2);
    for index in 0..count {
        let fitness = rng.below(below) as u16;
        population.genome_mut(index).copy_from_slice(&fitness.to_le_bytes());
        population.set_fitness(index, u32::from(fitness));
    }
    population
}

fn sorted(populations: &[&Population]) -> Vec<u32> {
    let mut fitness: Vec<u32> =
        populations.iter().flat_map(|population| population.fitness()).copied().collect();
    fitness.sort_unstable();
    fitness
}

fn is_part_of(part: &[u32], whole: &[u32]) -> bool {
    let mut whole = whole.iter();
    part.iter().all(|fitness| whole.any(|other| other == fitness))
}

/// Size and individuals are kept, and the best where the replacement says so.
pub(super) fn check(settings: &[Spec]) {
    for setting in settings {
        let (mut replacement, mut rng) = (REPLACEMENT.build(setting), rng("replacement"));
        let mut twin = REPLACEMENT.build(setting);
        for (count, below) in [1, 2, 3, 7, 80].into_iter().flat_map(|count| [(count, 3), (count, 1000)]) {
            let offspring = replacement.offspring(count);
            assert!(offspring >= 1, "{setting:?}");
            for _ in 0..50 {
                let (mut old, mut new) =
                    (population(count, below, &mut rng), population(offspring, below, &mut rng));
                for child in 0..offspring {
                    new.set_parents(child, [rng.below(count), rng.below(count)]);
                }
                let both = sorted(&[&old, &new]);
                let mut again = (old.clone(), new.clone(), rng.clone());
                replacement.replace(&mut old, &mut new, &mut rng, &mut Guard::default());
                twin.replace(&mut again.0, &mut again.1, &mut again.2, &mut Guard::default());
                let label = format!("replacement {} with {count}", setting.name);
                assert_eq!((old.len(), old.fitness()), (count, again.0.fitness()), "{label}");
                assert!(is_part_of(&sorted(&[&old]), &both), "{label}");
                let spelt = |index: usize| {
                    u32::from(u16::from_le_bytes([old.genome(index)[0], old.genome(index)[1]]))
                };
                assert!((0..count).all(|index| spelt(index) == old.fitness()[index]), "{label}");
                assert!(!replacement.is_elitist() || old.fitness()[old.best()] == both[0], "{label}");
            }
        }
    }
}
