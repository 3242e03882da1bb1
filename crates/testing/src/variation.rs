//! Crossovers and mutations: valid in, valid out, and the same for the same stream; and the genomes that encodings start with.

use kenga_core::problem::Blocks;
use kenga_core::rng::RunRng;
use kenga_core::search::operators::crossover::{CROSSOVER, Crossover, Parent};
use kenga_core::search::operators::mutation::MUTATION;
use kenga_core::search::{Change, Space};
use kenga_core::spec::{Catalog, Spec};

use super::setup::{Ground, grounds, rng};

fn start(ground: &Ground, rng: &mut RunRng) -> Vec<u8> {
    let mut genome = vec![0; ground.encoding.space().genes()];
    ground.encoding.init(&mut genome, rng);
    genome
}

/// How many different digits some genes hold.
fn count_digits(genome: &[u8], genes: &[u16]) -> usize {
    let mut digits: Vec<u8> = genes.iter().map(|gene| genome[usize::from(*gene)]).collect();
    digits.sort_unstable();
    digits.dedup();
    digits.len()
}

/// A change is an exchange within a line.
fn skips_lines(ground: &Ground) -> bool {
    ground.encoding.space().change == Change::Exchanges
}

/// Every gene is one of its candidates; of permutations every line holds as many different digits as it can; of tuples every
/// part holds one of its own, and on `cages` every clue that is a part holds, where its tuples are known.
fn is_valid(ground: &Ground, genome: &[u8]) -> bool {
    let space = ground.encoding.space();
    if genome.len() < space.genes() {
        return false;
    }
    for (gene, rank) in genome[..space.genes()].iter().enumerate() {
        if !space.candidates.holds(gene, *rank) {
            return false;
        }
    }
    match space.change {
        Change::Exchanges => space.rows.iter().all(|line| is_full(space, genome, line)),
        Change::Tuples if ground.member.name == "cages" => clues_hold(ground, genome),
        Change::Tuples => (0..space.choices().len()).all(|part| space.choices().find(part, genome).is_some()),
        Change::Digits => true,
    }
}

/// A line holds as many different digits as its givens, which may be equal, allow.
fn is_full(space: &Space, genome: &[u8], line: &[u16]) -> bool {
    let mut givens = line.to_vec();
    givens.retain(|gene| space.candidates.count(usize::from(*gene)) == 1);
    let expected = count_digits(genome, &givens) + line.len() - givens.len();
    count_digits(genome, line) == expected
}

fn clues_hold(ground: &Ground, genome: &[u8]) -> bool {
    let (fitness, problem) = (ground.encoding.fitness(), ground.encoding.fitness().problem());
    let mut violations = vec![0; problem.groups()];
    fitness.groups(genome, &mut violations);
    let mut parts = 0;
    let mut violated = 0;
    for (group, tuples) in problem.tables().iter().enumerate() {
        // Cages that overlap earlier ones are no parts, and nothing keeps their clues.
        let is_known = tuples.as_ref().is_some_and(|tuples| !tuples.is_empty());
        let cells = problem.cells_of(group);
        if is_known && ground.encoding.space().cages.iter().any(|part| part == cells) {
            parts += 1;
            violated += usize::from(violations[group] > 0);
        }
    }
    assert!(parts > 0 || problem.cells() == 1, "{} has parts", ground.name);
    violated == 0
}

/// Every setting on every ground whose encoding it fits.
fn on_grounds<'a>(
    family: &dyn Catalog,
    settings: &'a [Spec],
    grounds: &'a [Ground],
) -> Vec<(&'a Spec, &'a Ground)> {
    let mut pairs = Vec::new();
    for setting in settings {
        for ground in grounds {
            if family.fits(setting, ground.member).is_ok() {
                pairs.push((setting, ground));
            }
        }
    }
    pairs
}

fn multiset(genome: &[u8]) -> Vec<u8> {
    let mut digits = genome.to_vec();
    digits.sort_unstable();
    digits
}

/// Genomes start valid, and spaces are consistent.
pub(super) fn check_starts(grounds: &[Ground]) {
    let mut rng = rng("start");
    for ground in grounds {
        let space: &Space = ground.encoding.space();
        let all: Vec<u16> = (0..space.genes() as u16).collect();
        assert_eq!(genes_of(&space.rows), all, "{}", ground.name);
        assert_eq!(genes_of(&space.cages), all, "{}", ground.name);
        assert_eq!(genes_of(&space.segments), space.free, "{}", ground.name);
        assert!(space.free.iter().all(|gene| space.segment(*gene).contains(gene)), "{}", ground.name);
        for _ in 0..5 {
            let genome = start(ground, &mut rng);
            assert!(is_valid(ground, &genome), "{} {genome:?}", ground.name);
            let value = ground.encoding.evaluate(&genome);
            assert_eq!(value, ground.encoding.fitness().evaluate(&genome), "{}", ground.name);
        }
    }
}

/// The genes of all lists, ascending.
fn genes_of(lists: &Blocks) -> Vec<u16> {
    let mut genes: Vec<u16> = lists.iter().flatten().copied().collect();
    genes.sort_unstable();
    genes
}

/// Children are valid, the same for the same stream, and made of their parents unless genes come in.
pub(super) fn check_children(settings: &[Spec], grounds: &[Ground]) {
    for (setting, ground) in on_grounds(&CROSSOVER, settings, grounds) {
        let (mut crossover, mut twin) = (CROSSOVER.build(setting), CROSSOVER.build(setting));
        let mut rng = rng(&ground.name);
        let label = format!("crossover {} on {}", setting.name, ground.name);
        for _ in 0..2 {
            let (a, b) = (start(ground, &mut rng), start(ground, &mut rng));
            let mut twin_rng = rng.clone();
            let [c, d] = cross(&mut *crossover, ground, [&a, &b], &mut rng);
            let again = cross(&mut *twin, ground, [&a, &b], &mut twin_rng);
            let twins = [&c, &d] == again.each_ref();
            assert!(twins, "{label}: {a:?} {b:?} {c:?} {d:?}: the same stream gives others");
            let valid = is_valid(ground, &c) && is_valid(ground, &d);
            assert!(valid, "{label}: {a:?} {b:?} {c:?} {d:?}: no genomes of the encoding");
            if skips_lines(ground) || draws_anew(&*crossover, ground) {
                continue;
            }
            for gene in 0..a.len() {
                let (parents, children) = ([a[gene], b[gene]], [c[gene], d[gene]]);
                let inherited = children.iter().all(|digit| parents.contains(digit));
                assert!(inherited, "{label}: {a:?} {b:?} {c:?} {d:?}: a digit is of no parent");
                let crosswise = children == parents || children == [parents[1], parents[0]];
                // What looks at the conflicts of each parent treats each child by its own.
                let is_alike = crossover.reads_conflicts() || crosswise;
                assert!(is_alike, "{label}: {a:?} {b:?} {c:?} {d:?}: the children are not made crosswise");
            }
        }
    }
}

/// No gene of a ground holds it: one that is left out shows.
const NO_DIGIT: u8 = 250;

/// The two children of two parents.
fn cross(
    crossover: &mut dyn Crossover,
    ground: &Ground,
    genomes: [&[u8]; 2],
    rng: &mut RunRng,
) -> [Vec<u8>; 2] {
    let [a, b] = genomes;
    let [of_a, of_b] = genomes.map(|genome| ground.encoding.conflicts(genome));
    let parents = [Parent { genome: a, conflicts: &of_a }, Parent { genome: b, conflicts: &of_b }];
    let [mut c, mut d] = [vec![NO_DIGIT; a.len()], vec![NO_DIGIT; a.len()]];
    crossover.cross(ground.encoding.space(), parents, [&mut c, &mut d], rng);
    [c, d]
}

/// It takes genes from elsewhere than the parents.
fn draws_anew(crossover: &dyn Crossover, ground: &Ground) -> bool {
    crossover.closure(ground.encoding.space()).is_none()
}

/// Equal parents have equal children unless genes come in.
pub(super) fn check_equal_parents(settings: &[Spec], grounds: &[Ground]) {
    for (setting, ground) in on_grounds(&CROSSOVER, settings, grounds) {
        let mut rng = rng(&ground.name);
        let parent = start(ground, &mut rng);
        let mut crossover = CROSSOVER.build(setting);
        if draws_anew(&*crossover, ground) {
            continue;
        }
        for child in cross(&mut *crossover, ground, [&parent, &parent], &mut rng) {
            assert_eq!(child, parent, "crossover {} on {}: equal parents", setting.name, ground.name);
        }
    }
}

/// Mutants are valid, the same for the same stream, and hold the same digits unless digits come in.
pub(super) fn check_mutants(settings: &[Spec], grounds: &[Ground]) {
    for (setting, ground) in on_grounds(&MUTATION, settings, grounds) {
        let (mut mutation, mut twin) = (MUTATION.build(setting), MUTATION.build(setting));
        let mut rng = rng(&ground.name);
        let label = format!("mutation {} on {}", setting.name, ground.name);
        // At the start of a run, halfway and near its end: rates may fall with its progress.
        for round in [0, 5, 9] {
            mutation.prepare(ground.encoding.space(), f64::from(round) / 10.0);
            twin.prepare(ground.encoding.space(), f64::from(round) / 10.0);
            let genome = start(ground, &mut rng);
            let conflicts = ground.encoding.conflicts(&genome);
            let (mut mutant, mut again, mut twin_rng) = (genome.clone(), genome.clone(), rng.clone());
            mutation.mutate(ground.encoding.space(), &mut mutant, &conflicts, &mut rng);
            twin.mutate(ground.encoding.space(), &mut again, &conflicts, &mut twin_rng);
            assert_eq!(mutant, again, "{label}: {genome:?}: the same stream gives another");
            assert!(is_valid(ground, &mutant), "{label}: {genome:?} {mutant:?}: no genome of the encoding");
            let draws_anew = mutation.closure(ground.encoding.space()).is_none();
            let may_differ = !skips_lines(ground) && draws_anew;
            let kept = may_differ || multiset(&mutant) == multiset(&genome);
            assert!(kept, "{label}: {genome:?} {mutant:?}: digits came in, against its closure");
        }
    }
}

/// A rate of zero changes nothing, and every other setting does, where it fits.
pub(super) fn check_rates(settings: &[Spec]) {
    let mut grounds = grounds().iter().filter(|ground| ground.name.starts_with("size 6,"));
    let Some(ground) = grounds.find(|ground| MUTATION.fits(&settings[0], ground.member).is_ok()) else {
        return;
    };
    for (setting, ground) in on_grounds(&MUTATION, settings, std::slice::from_ref(ground)) {
        let (mut mutation, mut rng) = (MUTATION.build(setting), rng("rate"));
        mutation.prepare(ground.encoding.space(), 0.0);
        let genome = start(ground, &mut rng);
        let mut mutant = genome.clone();
        let conflicts = ground.encoding.conflicts(&genome);
        // One mutation may leave a genome as it is, so many together do not.
        for _ in 0..100 {
            mutation.mutate(ground.encoding.space(), &mut mutant, &conflicts, &mut rng);
        }
        let label = format!("mutation {}, 100 times on {}", setting.name, ground.name);
        match setting.real_or_absent("rate") {
            Some(0.0) => assert_eq!(mutant, genome, "{label}, rate 0"),
            _ => assert_ne!(mutant, genome, "{label}"),
        }
    }
}
