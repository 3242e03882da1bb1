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
    let mut fitness = Vec::new();
    for population in populations {
        fitness.extend_from_slice(population.fitness());
    }
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
        let mut rng = rng("replacement");
        for count in [1, 2, 3, 7, 80] {
            for below in [3, 1000] {
                check_size(setting, count, below, &mut rng);
            }
        }
    }
}

/// Populations of `count` individuals whose fitness is less than `below`.
fn check_size(setting: &Spec, count: usize, below: usize, rng: &mut RunRng) {
    let label = format!("replacement {} with {count}", setting.name);
    let (mut replacement, mut twin) = (REPLACEMENT.build(setting), REPLACEMENT.build(setting));
    let offspring = replacement.offspring(count);
    assert!(offspring >= 1, "{label}");
    for _ in 0..50 {
        let (mut old, mut new) = (population(count, below, rng), population(offspring, below, rng));
        for child in 0..offspring {
            new.set_parents(child, [rng.below(count), rng.below(count)]);
        }
        let both = sorted(&[&old, &new]);
        let (mut twin_old, mut twin_new, mut twin_rng) = (old.clone(), new.clone(), rng.clone());
        replacement.replace(&mut old, &mut new, rng, &mut Guard::default());
        twin.replace(&mut twin_old, &mut twin_new, &mut twin_rng, &mut Guard::default());
        assert_eq!(old.len(), count, "{label}");
        assert_eq!(old.fitness(), twin_old.fitness(), "{label}");
        assert!(is_part_of(&sorted(&[&old]), &both), "{label}");
        for (index, fitness) in old.fitness().iter().enumerate() {
            // The genome holds its own fitness: whoever was moved in parts shows it.
            let genome = old.genome(index);
            assert_eq!(u32::from(u16::from_le_bytes([genome[0], genome[1]])), *fitness, "{label}");
        }
        assert!(!replacement.is_elitist() || old.fitness()[old.best()] == both[0], "{label}");
    }
}
