//! Hill climbing from every genome at once: what each of its steps costs, and where it leads.
//!
//! A *cycle* is what lies between two starts. From a genome, the algorithm looks at the moves of variables in conflict,
//! and takes the best, or the first that improves in a random order of the variables; in a local optimum it has looked at
//! all and starts again. Violation falls with every step, so that a cycle is short: mass flows from genome to genome,
//! call by call, until all of it has come to a solution or to a local optimum.
//!
//! An evaluation is made of the start, and of every genome whose violation is lower than all before in the whole run. What a
//! cycle costs therefore depends on the lowest violation before it, here its *record*.

use super::{CallUnit, Progress, Surface};

/// How a cycle ends: probabilities by calls, its start included.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Cycle {
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

/// Where a step may lead.
pub(super) struct Successor {
    pub(super) genome: u32,
    pub(super) chance: f64,
    /// The moves of its own that are looked at.
    cost: usize,
}

/// Moves that are looked at with some probability.
struct MoveCost {
    calls: usize,
    chance: f64,
}

/// The steps from a genome.
#[derive(Default)]
struct DescentSteps {
    successors: Vec<Successor>,
    /// What is looked at before the successor's own moves.
    before: Vec<MoveCost>,
    /// What it costs to find out that no move improves.
    all: usize,
}

impl<'a> Descent<'a> {
    pub(super) fn new(surface: &'a Surface, takes_first: bool) -> Self {
        Self { surface, takes_first }
    }

    /// A cycle from a uniform genome, when `record` is the lowest level before (one more than all there are for the
    /// first); `None` where it was interrupted.
    pub(super) fn cycle(&self, unit: CallUnit, record: usize, progress: &Progress<'_>) -> Option<Cycle> {
        let (numbering, evaluation) = (self.surface.numbering(), unit.evaluation());
        let genomes = numbering.genomes();
        // No step costs more than all moves and an evaluation.
        let mut flow = Flow::new(genomes, numbering.moves() + evaluation + 1);
        let share = 1.0 / genomes as f64;
        for genome in 0..genomes {
            flow.send(evaluation, genome, share);
        }
        let ended = vec![Vec::new(); self.surface.levels().len() + 1];
        let mut cycle = Cycle { ended, ..Cycle::default() };
        let (mut steps, mut seen) = (DescentSteps::default(), 0);
        while let Some((now, arrived)) = flow.next() {
            for (genome, mass) in arrived {
                seen += 1;
                progress.check(seen)?;
                let genome = genome as usize;
                if self.surface.is_solution(genome) {
                    add(&mut cycle.solved, now, mass);
                    continue;
                }
                self.find_steps(genome, &mut steps);
                if steps.all == 0 {
                    add(&mut cycle.stuck, now, mass);
                } else if steps.successors.is_empty() {
                    let record = record.min(self.surface.level(genome));
                    add(&mut cycle.ended[record], now + steps.all, mass);
                }
                for successor in &steps.successors {
                    let target = successor.genome as usize;
                    let is_record = self.surface.level(target) < record;
                    let evaluated = if is_record { evaluation } else { 0 };
                    for before in &steps.before {
                        let cost = before.calls + successor.cost + evaluated;
                        flow.send(now + cost, target, mass * successor.chance * before.chance);
                    }
                }
            }
        }
        Some(cycle)
    }

    /// Where a step leads, with what probability; nothing where no move improves.
    pub(super) fn successors(&self, genome: usize) -> Vec<Successor> {
        let mut steps = DescentSteps::default();
        self.find_steps(genome, &mut steps);
        steps.successors
    }

    fn find_steps(&self, genome: usize, steps: &mut DescentSteps) {
        steps.successors.clear();
        steps.before.clear();
        steps.all = 0;
        if self.takes_first { self.find_first(genome, steps) } else { self.find_best(genome, steps) }
    }

    /// All moves are looked at; of the best that improve each is as likely, as often as it was shown.
    fn find_best(&self, genome: usize, steps: &mut DescentSteps) {
        let numbering = self.surface.numbering();
        let level = self.surface.level(genome);
        let mut lowest = level;
        for variable in self.conflicted(genome) {
            steps.all += numbering.variables[variable].shown;
            for target in numbering.targets(variable, genome) {
                let level_there = self.surface.level(target);
                // Those found so far are beaten.
                if level_there < lowest {
                    lowest = level_there;
                    steps.successors.clear();
                }
                if level_there == lowest && lowest < level {
                    steps.successors.push(Successor { genome: target as u32, chance: 0.0, cost: 0 });
                }
            }
        }
        let chance = 1.0 / steps.successors.len() as f64;
        for successor in &mut steps.successors {
            successor.chance = chance;
            successor.cost = steps.all;
        }
        steps.before.push(MoveCost { calls: 0, chance: 1.0 });
    }

    /// Variables are looked at in random order, until one has a move that improves.
    fn find_first(&self, genome: usize, steps: &mut DescentSteps) {
        let numbering = self.surface.numbering();
        let level = self.surface.level(genome);
        // The costs of variables that improve nothing.
        let mut vain = Vec::new();
        for variable in self.conflicted(genome) {
            let cost = numbering.variables[variable].shown;
            steps.all += cost;
            let improving =
                numbering.targets(variable, genome).find(|target| self.surface.level(*target) < level);
            match improving {
                Some(target) => {
                    steps.successors.push(Successor { genome: target as u32, chance: 0.0, cost });
                }
                None => vain.push(cost),
            }
        }
        let good = steps.successors.len();
        for successor in &mut steps.successors {
            successor.chance = 1.0 / good as f64;
        }
        if good > 0 {
            steps.before = cost_before(good, &vain);
        }
    }

    /// The variables in conflict.
    fn conflicted(&self, genome: usize) -> impl Iterator<Item = usize> + '_ {
        let mask = self.surface.conflicts(genome);
        (0..self.surface.numbering().variables.len()).filter(move |variable| mask >> variable & 1 == 1)
    }
}

/// In a random order of `good` variables and these others, what the others cost that come before the first good one.
///
/// Of N variables, a given set of j others comes first, in any order, and then a good one, with probability
/// j! good (N - j - 1)! / N!.
fn cost_before(good: usize, others: &[usize]) -> Vec<MoveCost> {
    let most: usize = others.iter().sum();
    // How many sets of so many others cost so much.
    let mut sets = vec![vec![0.0; most + 1]; others.len() + 1];
    sets[0][0] = 1.0;
    for (seen, cost) in others.iter().enumerate() {
        // From the largest sets down, so that no set holds this one twice.
        for size in (0..=seen).rev() {
            for sum in 0..=most - cost {
                let more = sets[size][sum];
                sets[size + 1][sum + cost] += more;
            }
        }
    }
    let mut chances = vec![0.0; most + 1];
    let mut weight = 1.0;
    let all = (good + others.len()) as f64;
    for (size, sets) in sets.iter().enumerate() {
        let first_good = good as f64 / (all - size as f64);
        for (chance, sets) in chances.iter_mut().zip(sets) {
            *chance += sets * weight * first_good;
        }
        // One more of the others in front, whichever: (size + 1) orders.
        weight *= (size + 1) as f64 / (all - size as f64);
    }
    let mut costs = Vec::new();
    for (calls, chance) in chances.into_iter().enumerate() {
        if chance > 0.0 {
            costs.push(MoveCost { calls, chance });
        }
    }
    costs
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
            for (genome, mass) in &arrived {
                self.sums[*genome as usize] += mass;
            }
            // The first entry of a genome takes the whole sum, the others find nothing left.
            arrived.retain_mut(|(genome, mass)| {
                *mass = std::mem::take(&mut self.sums[*genome as usize]);
                *mass > 0.0
            });
            return Some((now, arrived));
        }
        None
    }
}
