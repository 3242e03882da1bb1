//! Hill climbing from every genome at once: what each of its steps costs, and where it leads.
//!
//! A *stretch* is what lies between two starts. From a genome, the algorithm looks at the moves of variables in conflict,
//! and takes the best, or the first that improves in a random order of the variables; in a local optimum it has looked at
//! all and starts again. Violation falls with every step, so that a stretch is short: mass flows from genome to genome,
//! call by call, until all of it has come to a solution or to a local optimum.
//!
//! An evaluation is made of the start, and of every genome whose violation is lower than all before in the whole run. What a
//! stretch costs therefore depends on the lowest violation before it, here its *record*.

use super::{CallUnit, Progress, Surface};

/// What becomes of a stretch: probabilities by calls, its start included.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Stretch {
    /// It ends with a solution.
    pub(super) solved: Vec<f64>,
    /// It ends in a local optimum, from which the next begins, by the record then.
    pub(super) ended: Vec<Vec<f64>>,
    /// It ends where no variable in conflict has a move, and the run with it.
    pub(super) stuck: Vec<f64>,
}

/// The steps of hill climbing.
pub(super) struct Descent<'a> {
    surface: &'a Surface,
    takes_first: bool,
}

/// A step: where it leads, with what probability, and what the moves cost that were looked at.
#[derive(Default)]
struct Step {
    targets: Vec<(u32, f64, usize)>,
    /// What comes before a target's own cost, with what probability.
    before: Vec<(usize, f64)>,
    /// What it costs to find out that there is none.
    all: usize,
}

/// Genomes between two looks at the interrupt.
const GENOMES_A_LOOK: usize = 4096;

impl<'a> Descent<'a> {
    pub(super) fn new(surface: &'a Surface, takes_first: bool) -> Self {
        Self { surface, takes_first }
    }

    /// A stretch from a uniform genome, when `record` is the lowest level before (one more than all there are for the
    /// first); `None` where it was interrupted.
    pub(super) fn stretch(&self, unit: CallUnit, record: usize, progress: &Progress<'_>) -> Option<Stretch> {
        let (numbering, evaluation) = (self.surface.numbering(), unit.evaluation());
        let genomes = numbering.genomes();
        let mut flow = Flow::new(genomes, numbering.moves() + evaluation + 1);
        let share = 1.0 / genomes as f64;
        (0..genomes).for_each(|genome| flow.send(evaluation, genome, share));
        let (mut stretch, mut step) = (Stretch::default(), Step::default());
        stretch.ended = vec![Vec::new(); self.surface.levels().len() + 1];
        let mut looks = 0;
        while let Some((now, arrived)) = flow.next() {
            for (genome, mass) in arrived {
                looks += 1;
                if looks % GENOMES_A_LOOK == 0 && progress.is_cut() {
                    return None;
                }
                let level = self.surface.level(genome as usize);
                if self.surface.is_solution(genome as usize) {
                    add(&mut stretch.solved, now, mass);
                    continue;
                }
                self.step(genome as usize, &mut step);
                if step.all == 0 {
                    add(&mut stretch.stuck, now, mass);
                } else if step.targets.is_empty() {
                    add(&mut stretch.ended[record.min(level)], now + step.all, mass);
                }
                for (target, chance, own) in &step.targets {
                    let is_record = self.surface.level(*target as usize) < record;
                    let evaluated = if is_record { evaluation } else { 0 };
                    for (before, share) in &step.before {
                        let cost = before + own + evaluated;
                        flow.send(now + cost, *target as usize, mass * chance * share);
                    }
                }
            }
        }
        Some(stretch)
    }

    /// Writes where a step leads, with what probability; nothing where no move improves.
    pub(super) fn successors(&self, genome: usize, into: &mut Vec<(u32, f64)>) {
        let mut step = Step::default();
        self.step(genome, &mut step);
        into.clear();
        into.extend(step.targets.iter().map(|(target, chance, _)| (*target, *chance)));
    }

    fn step(&self, genome: usize, step: &mut Step) {
        step.targets.clear();
        step.before.clear();
        step.all = 0;
        if self.takes_first { self.first(genome, step) } else { self.best(genome, step) }
    }

    /// The variables in conflict.
    fn conflicted(&self, genome: usize) -> impl Iterator<Item = usize> + '_ {
        let mask = self.surface.conflicts(genome);
        (0..self.surface.numbering().variables.len()).filter(move |variable| mask >> variable & 1 == 1)
    }

    /// All moves are looked at; of the best that improve each is as likely, as often as it was shown.
    fn best(&self, genome: usize, step: &mut Step) {
        let numbering = self.surface.numbering();
        let mut lowest = self.surface.level(genome);
        for variable in self.conflicted(genome) {
            step.all += numbering.variables[variable].shown;
            for target in numbering.targets(variable, genome) {
                let level = self.surface.level(target);
                if level < lowest {
                    lowest = level;
                    step.targets.clear();
                }
                if level == lowest && level < self.surface.level(genome) {
                    step.targets.push((target as u32, 0.0, step.all));
                }
            }
        }
        let chance = 1.0 / step.targets.len() as f64;
        step.targets.iter_mut().for_each(|target| (target.1, target.2) = (chance, step.all));
        step.before.push((0, 1.0));
    }

    /// Variables are looked at in random order, until one has a move that improves.
    fn first(&self, genome: usize, step: &mut Step) {
        let numbering = self.surface.numbering();
        let level = self.surface.level(genome);
        // The costs of variables that improve nothing.
        let mut vain = Vec::new();
        for variable in self.conflicted(genome) {
            let shown = numbering.variables[variable].shown;
            step.all += shown;
            match numbering.targets(variable, genome).find(|target| self.surface.level(*target) < level) {
                Some(target) => step.targets.push((target as u32, 0.0, shown)),
                None => vain.push(shown),
            }
        }
        let good = step.targets.len();
        step.targets.iter_mut().for_each(|target| target.1 = 1.0 / good as f64);
        if good > 0 {
            step.before = cost_before(good, &vain);
        }
    }
}

/// In a random order of `good` variables and these others, what the others cost that come before the first good one.
///
/// Of N variables, a given set of j others comes first, in any order, and then a good one, with probability
/// j! good (N - j - 1)! / N!.
fn cost_before(good: usize, others: &[usize]) -> Vec<(usize, f64)> {
    let most: usize = others.iter().sum();
    // How many sets of so many others cost so much.
    let mut sets = vec![vec![0.0; most + 1]; others.len() + 1];
    sets[0][0] = 1.0;
    for (seen, cost) in others.iter().enumerate() {
        for size in (0..=seen).rev() {
            for sum in 0..=most - cost {
                let more = sets[size][sum];
                sets[size + 1][sum + cost] += more;
            }
        }
    }
    let mut costs = vec![0.0; most + 1];
    let mut weight = 1.0;
    let all = (good + others.len()) as f64;
    for (size, sets) in sets.iter().enumerate() {
        let first_good = good as f64 / (all - size as f64);
        costs.iter_mut().zip(sets).for_each(|(cost, sets)| *cost += sets * weight * first_good);
        // One more of the others in front, whichever: (size + 1) orders.
        weight *= (size + 1) as f64 / (all - size as f64);
    }
    costs.into_iter().enumerate().filter(|(_, chance)| *chance > 0.0).collect()
}

fn add(by_calls: &mut Vec<f64>, calls: usize, mass: f64) {
    if by_calls.len() <= calls {
        by_calls.resize(calls + 1, 0.0);
    }
    by_calls[calls] += mass;
}

/// Probability on its way to genomes, where it arrives after so many calls.
struct Flow {
    /// What is on its way, by the call at which it arrives, in a ring.
    ring: Vec<Vec<(u32, f64)>>,
    now: usize,
    waiting: usize,
    /// The sum for each genome that is arrived at.
    sums: Vec<f64>,
}

impl Flow {
    fn new(genomes: usize, longest: usize) -> Self {
        Self { ring: vec![Vec::new(); longest + 1], now: 0, waiting: 0, sums: vec![0.0; genomes] }
    }

    fn send(&mut self, at: usize, genome: usize, mass: f64) {
        let length = self.ring.len();
        self.ring[at % length].push((genome as u32, mass));
        self.waiting += 1;
    }

    /// What arrives next, each genome once; nothing is sent for a call that has passed.
    fn next(&mut self) -> Option<(usize, Vec<(u32, f64)>)> {
        while self.waiting > 0 {
            let (now, length) = (self.now, self.ring.len());
            let mut arrived = std::mem::take(&mut self.ring[now % length]);
            self.now += 1;
            self.waiting -= arrived.len();
            if arrived.is_empty() {
                continue;
            }
            arrived.iter().for_each(|(genome, mass)| self.sums[*genome as usize] += mass);
            arrived.retain_mut(|(genome, mass)| {
                *mass = std::mem::take(&mut self.sums[*genome as usize]);
                *mass > 0.0
            });
            return Some((now, arrived));
        }
        None
    }
}
