//! Crossovers and mutations: valid in, valid out, and the same for the same stream; and the genomes that encodings start with.

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

fn digits_of(genome: &[u8], genes: &[u16]) -> u32 {
    genes.iter().fold(0, |digits, gene| digits | 1 << genome[usize::from(*gene)])
}

/// A change is an exchange within a line.
fn is_permuted(ground: &Ground) -> bool {
    ground.encoding.space().change == Change::Exchanges
}

/// Every gene is one of its candidates; of permutations every line holds as many different digits as it can; of tuples every
/// part holds one of its own, and on `cages` every clue that is a part holds, where its tuples are known.
fn is_valid(ground: &Ground, genome: &[u8]) -> bool {
    let space = ground.encoding.space();
    let candidate = |gene: usize| genome[gene] < 32 && space.candidates[gene] >> genome[gene] & 1 == 1;
    let fixed = |gene: &&u16| space.candidates[usize::from(**gene)].count_ones() == 1;
    let full = |line: &[u16]| {
        let givens: Vec<u16> = line.iter().filter(fixed).copied().collect();
        let expected = digits_of(genome, &givens).count_ones() as usize + line.len() - givens.len();
        digits_of(genome, line).count_ones() as usize == expected
    };
    let holds_tuple = |part: usize| space.choices().find(part, genome).is_some();
    let fits = match space.change {
        Change::Exchanges => space.rows.iter().all(full),
        Change::Tuples if ground.member.name == "cages" => clues_hold(ground, genome),
        Change::Tuples => (0..space.choices().len()).all(holds_tuple),
        Change::Digits => true,
    };
    (0..space.genes()).all(candidate) && fits
}

fn clues_hold(ground: &Ground, genome: &[u8]) -> bool {
    let (fitness, problem) = (ground.encoding.fitness(), ground.encoding.fitness().problem());
    let mut violations = vec![0; problem.groups()];
    fitness.groups(genome, &mut violations);
    let known = |group: usize| problem.tables()[group].as_ref().is_some_and(|tuples| !tuples.is_empty());
    let is_part =
        |group: usize| ground.encoding.space().cages.iter().any(|part| part == problem.cells_of(group));
    let clues = (0..problem.groups()).filter(|group| known(*group) && is_part(*group));
    let count = clues.clone().count();
    assert!(count > 0 || problem.cells() == 1, "{} has parts", ground.name);
    clues.into_iter().all(|group| violations[group] == 0)
}

/// Every setting on every ground whose encoding it fits.
fn on_grounds<'a>(
    family: &'a dyn Catalog,
    settings: &'a [Spec],
    grounds: &'a [Ground],
) -> impl Iterator<Item = (&'a Spec, &'a Ground)> {
    let pairs = settings.iter().flat_map(move |setting| grounds.iter().map(move |ground| (setting, ground)));
    pairs.filter(|(setting, ground)| family.fits(setting, ground.member).is_ok())
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
        let genes = |lists: &kenga_core::problem::Blocks| {
            let mut genes: Vec<u16> = lists.iter().flatten().copied().collect();
            genes.sort_unstable();
            genes
        };
        let all: Vec<u16> = (0..space.genes() as u16).collect();
        assert_eq!((genes(&space.rows), genes(&space.cages)), (all.clone(), all), "{}", ground.name);
        assert_eq!(genes(&space.segments), space.free, "{}", ground.name);
        assert!(space.free.iter().all(|gene| space.segment(*gene).contains(gene)), "{}", ground.name);
        for _ in 0..5 {
            let genome = start(ground, &mut rng);
            assert!(is_valid(ground, &genome), "{} {genome:?}", ground.name);
            let value = ground.encoding.evaluate(&genome);
            assert_eq!(value, ground.encoding.fitness().evaluate(&genome), "{}", ground.name);
        }
    }
}

/// Children are valid, the same for the same stream, and made of their parents unless genes come in.
pub(super) fn check_children(settings: &[Spec], grounds: &[Ground]) {
    for (setting, ground) in on_grounds(&CROSSOVER, settings, grounds) {
        let (mut crossover, mut twin) = (CROSSOVER.build(setting), CROSSOVER.build(setting));
        let mut rng = rng(&ground.name);
        for _ in 0..2 {
            let (a, b) = (start(ground, &mut rng), start(ground, &mut rng));
            let mut children = [vec![99; a.len()], vec![99; a.len()]];
            let mut again = (children.clone(), rng.clone());
            let conflicts = [ground.encoding.conflicts(&a), ground.encoding.conflicts(&b)];
            let cross = |crossover: &mut dyn Crossover, [c, d]: &mut [Vec<u8>; 2], rng: &mut RunRng| {
                let [of_a, of_b] = &conflicts;
                let parents =
                    [Parent { genome: &a, conflicts: of_a }, Parent { genome: &b, conflicts: of_b }];
                crossover.cross(ground.encoding.space(), parents, [c, d], rng);
            };
            cross(&mut *crossover, &mut children, &mut rng);
            cross(&mut *twin, &mut again.0, &mut again.1);
            let label = || format!("crossover {} on {}: {a:?} {b:?} {children:?}", setting.name, ground.name);
            assert_eq!(children, again.0, "{}: the same stream gives others", label());
            let valid = children.iter().all(|child| is_valid(ground, child));
            assert!(valid, "{}: no genomes of the encoding", label());
            if !is_permuted(ground) && !draws_anew(&*crossover, ground) {
                let pair = |gene: usize| [children[0][gene], children[1][gene]];
                let crosswise = |gene: usize| [[a[gene], b[gene]], [b[gene], a[gene]]].contains(&pair(gene));
                let inherited =
                    |gene: usize| pair(gene).iter().all(|digit| [a[gene], b[gene]].contains(digit));
                // What looks at the conflicts of each parent treats each child by its own.
                let is_alike = crossover.reads_conflicts() || (0..a.len()).all(crosswise);
                assert!(is_alike, "{}: the children are not made crosswise", label());
                assert!((0..a.len()).all(inherited), "{}: a digit is of no parent", label());
            }
        }
    }
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
        let conflicts = ground.encoding.conflicts(&parent);
        let (mut c, mut d) = (vec![99; parent.len()], vec![99; parent.len()]);
        let parents = [Parent { genome: &parent, conflicts: &conflicts }; 2];
        let mut crossover = CROSSOVER.build(setting);
        if draws_anew(&*crossover, ground) {
            continue;
        }
        crossover.cross(ground.encoding.space(), parents, [&mut c, &mut d], &mut rng);
        assert_eq!(
            [&c, &d],
            [&parent, &parent],
            "crossover {} on {}: equal parents",
            setting.name,
            ground.name
        );
    }
}

/// Mutants are valid, the same for the same stream, and hold the same digits unless digits come in.
pub(super) fn check_mutants(settings: &[Spec], grounds: &[Ground]) {
    for (setting, ground) in on_grounds(&MUTATION, settings, grounds) {
        let (mut mutation, mut twin) = (MUTATION.build(setting), MUTATION.build(setting));
        let mut rng = rng(&ground.name);
        for round in [0, 5, 9] {
            mutation.prepare(ground.encoding.space(), f64::from(round) / 10.0);
            twin.prepare(ground.encoding.space(), f64::from(round) / 10.0);
            let genome = start(ground, &mut rng);
            let conflicts = ground.encoding.conflicts(&genome);
            let (mut mutant, mut again) = (genome.clone(), (genome.clone(), rng.clone()));
            mutation.mutate(ground.encoding.space(), &mut mutant, &conflicts, &mut rng);
            twin.mutate(ground.encoding.space(), &mut again.0, &conflicts, &mut again.1);
            let label = || format!("mutation {} on {}: {genome:?} {mutant:?}", setting.name, ground.name);
            assert_eq!(mutant, again.0, "{}: the same stream gives another", label());
            assert!(is_valid(ground, &mutant), "{}: no genome of the encoding", label());
            let draws_anew = mutation.closure(ground.encoding.space()).is_none();
            let may_differ = !is_permuted(ground) && draws_anew;
            let kept = may_differ || multiset(&mutant) == multiset(&genome);
            assert!(kept, "{}: digits came in, against its closure", label());
        }
    }
}

/// A rate of zero changes nothing, and every other setting does, where it fits.
pub(super) fn check_rates(settings: &[Spec]) {
    let grounds = grounds().iter().filter(|ground| ground.name.starts_with("size 6,"));
    let Some(ground) = grounds.into_iter().find(|ground| MUTATION.fits(&settings[0], ground.member).is_ok())
    else {
        return;
    };
    for setting in settings.iter().filter(|setting| MUTATION.fits(setting, ground.member).is_ok()) {
        let (mut mutation, mut rng) = (MUTATION.build(setting), rng("rate"));
        mutation.prepare(ground.encoding.space(), 0.0);
        let genome = start(ground, &mut rng);
        let mut mutant = genome.clone();
        let conflicts = ground.encoding.conflicts(&genome);
        (0..100).for_each(|_| mutation.mutate(ground.encoding.space(), &mut mutant, &conflicts, &mut rng));
        let label = format!("mutation {}, 100 times on {}", setting.name, ground.name);
        match setting.real_or_absent("rate") {
            Some(0.0) => assert_eq!(mutant, genome, "{label}, rate 0"),
            _ => assert_ne!(mutant, genome, "{label}"),
        }
    }
}
