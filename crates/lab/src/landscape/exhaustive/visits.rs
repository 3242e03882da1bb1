//! How often a chain visits each genome before it reaches a solution, and with that how long it takes.
//!
//! The expected visits g solve g = s + g P over the genomes that are no solutions, where s is what the chain starts with;
//! their sum is the expected number of steps. The equations are solved by sweeps of Gauss and Seidel. After each the visits
//! of every level are scaled so that as much leaves it as comes to it, which is what plain sweeps take long to find out
//! (aggregation and disaggregation; W. J. Stewart 1994, Introduction to the Numerical Solution of Markov Chains, section
//! 6.3).

use super::chain::Chain;
use super::{Progress, Surface};

/// What a chain does on average.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Visits {
    /// The probability that it ever reaches a solution.
    pub(super) success: f64,
    /// Steps until it does; infinite where it may not.
    pub(super) steps: f64,
    /// Genomes on the way, start and solution included, with a violation lower than all before.
    pub(super) records: f64,
    /// The sum of all that the equations are off, as a share of what the chain starts with.
    pub(super) residual: f64,
    /// Sweeps over all genomes.
    pub(super) sweeps: usize,
}

/// Sweeps until the visits are taken as they are, with the residual that they have.
const MOST_SWEEPS: usize = 4_000;

/// Sweeps from one scaling to the next.
const SWEEPS_A_BALANCE: usize = 4;

/// The residual at which they are good enough.
const RESIDUAL: f64 = 1e-9;

/// The genomes from which a solution can be reached.
fn hopeful(chain: &Chain) -> Vec<bool> {
    let mut is_hopeful: Vec<bool> = (0..chain.genomes()).map(|genome| chain.is_solution(genome)).collect();
    let mut open: Vec<u32> =
        (0..chain.genomes() as u32).filter(|genome| is_hopeful[*genome as usize]).collect();
    while let Some(genome) = open.pop() {
        for (from, _) in chain.row(genome as usize) {
            if !std::mem::replace(&mut is_hopeful[from as usize], true) {
                open.push(from);
            }
        }
    }
    is_hopeful
}

/// The visits from a uniform start; `None` where it was interrupted. Where `counts_records`, one system is solved for each
/// record.
pub(super) fn visits(
    chain: &Chain,
    surface: &Surface,
    counts_records: bool,
    progress: &Progress<'_>,
) -> Option<Visits> {
    let share = 1.0 / chain.genomes() as f64;
    let is_hopeful = hopeful(chain);
    let mut source: Vec<f64> = vec![share; chain.genomes()];
    let mut found = Visits::default();
    if !is_hopeful.contains(&true) {
        return Some(Visits { steps: f64::INFINITY, records: f64::NAN, ..found });
    }
    let lowest = |record: usize| if counts_records { record } else { 0 };
    let records = if counts_records { (0..surface.levels().len()).rev().collect() } else { vec![0] };
    for record in records {
        let is_in = |genome: usize| {
            is_hopeful[genome] && !chain.is_solution(genome) && surface.level(genome) >= lowest(record)
        };
        let is_source = |genome: usize| !counts_records || surface.level(genome) == record;
        let own = |genome: usize| if is_in(genome) && is_source(genome) { source[genome] } else { 0.0 };
        let system = System::new(chain, surface, (0..chain.genomes()).filter(|genome| is_in(*genome)), own);
        let (visits, residual, sweeps) = system.solve(chain, progress)?;
        found.steps += visits.iter().sum::<f64>();
        found.residual += residual;
        found.sweeps += sweeps;
        for genome in (0..chain.genomes()).filter(|genome| !is_in(*genome)) {
            let is_lower = !counts_records || surface.level(genome) < record;
            if is_lower || chain.is_solution(genome) {
                source[genome] += chain.arrivals(genome, &visits);
            }
        }
    }
    let solutions = (0..chain.genomes()).filter(|genome| chain.is_solution(*genome));
    found.success = solutions.map(|genome| source[genome]).sum();
    found.records = source.iter().sum();
    if is_hopeful.contains(&false) {
        (found.steps, found.records) = (f64::INFINITY, f64::NAN);
    }
    Some(found)
}

/// The equations over some genomes.
struct System {
    /// The genomes, by level from the highest down.
    members: Vec<u32>,
    /// Where in `members` each level begins, and its end.
    levels: Vec<usize>,
    source: Vec<f64>,
    /// The level of each member, counted from the highest; `u16::MAX` for other genomes.
    place: Vec<u16>,
}

impl System {
    fn new(
        chain: &Chain,
        surface: &Surface,
        members: impl Iterator<Item = usize>,
        source: impl Fn(usize) -> f64,
    ) -> Self {
        let mut members: Vec<u32> = members.map(|genome| genome as u32).collect();
        members.sort_by_key(|genome| std::cmp::Reverse(surface.level(*genome as usize)));
        let (mut levels, mut place) = (Vec::new(), vec![u16::MAX; chain.genomes()]);
        for (index, genome) in members.iter().enumerate() {
            let level = surface.level(*genome as usize);
            if index == 0 || surface.level(members[index - 1] as usize) != level {
                levels.push(index);
            }
            place[*genome as usize] = levels.len() as u16 - 1;
        }
        levels.push(members.len());
        let source = (0..chain.genomes()).map(source).collect();
        Self { members, levels, source, place }
    }

    /// The visits of every genome, the residual, and the sweeps that it took.
    fn solve(&self, chain: &Chain, progress: &Progress<'_>) -> Option<(Vec<f64>, f64, usize)> {
        let mut visits = self.source.clone();
        let start: f64 = self.source.iter().sum();
        if start == 0.0 {
            return Some((visits, 0.0, 0));
        }
        for sweep in 1..=MOST_SWEEPS {
            if progress.is_cut() {
                return None;
            }
            self.sweep(chain, &mut visits);
            progress.advance(1);
            if sweep % SWEEPS_A_BALANCE != 0 {
                continue;
            }
            let residual = self.balance(chain, &mut visits) / start;
            if residual <= RESIDUAL || sweep == MOST_SWEEPS {
                return Some((visits, residual, sweep));
            }
        }
        None
    }

    fn sweep(&self, chain: &Chain, visits: &mut [f64]) {
        for genome in &self.members {
            let genome = *genome as usize;
            visits[genome] = (self.source[genome] + chain.arrivals(genome, visits)) / chain.leave(genome);
        }
    }

    /// Scales the visits of every level so that what leaves it is what comes to it; returns how much the visits were off.
    fn balance(&self, chain: &Chain, visits: &mut [f64]) -> f64 {
        let levels = self.levels.len() - 1;
        // What goes from each level to each, and what comes from outside.
        let (mut flow, mut inflow, mut leaves) =
            (vec![vec![0.0; levels]; levels], vec![0.0; levels], vec![0.0; levels]);
        let mut off = 0.0;
        for genome in &self.members {
            let genome = *genome as usize;
            let own = usize::from(self.place[genome]);
            let mut arrived = self.source[genome];
            inflow[own] += self.source[genome];
            for (from, chance) in chain.row(genome) {
                let mass = visits[from as usize] * chance;
                arrived += mass;
                if self.place[from as usize] != u16::MAX && self.place[from as usize] as usize != own {
                    flow[usize::from(self.place[from as usize])][own] += mass;
                }
            }
            leaves[own] += visits[genome] * chain.leave(genome);
            off += (arrived - visits[genome] * chain.leave(genome)).abs();
            // What stays within the level does not leave it.
            for (from, chance) in chain.row(genome) {
                if self.place[from as usize] as usize == own {
                    leaves[own] -= visits[from as usize] * chance;
                }
            }
        }
        if let Some(factors) = factors(&flow, &inflow, &leaves) {
            for genome in &self.members {
                visits[*genome as usize] *= factors[usize::from(self.place[*genome as usize])];
            }
        }
        off
    }
}

/// The factors of levels with which as much leaves each as comes to it: leaves x = inflow + flow x, by elimination.
fn factors(flow: &[Vec<f64>], inflow: &[f64], leaves: &[f64]) -> Option<Vec<f64>> {
    let levels = leaves.len();
    let mut rows: Vec<Vec<f64>> = (0..levels)
        .map(|to| {
            let mut row: Vec<f64> =
                (0..levels).map(|from| if from == to { leaves[to] } else { -flow[from][to] }).collect();
            row.push(inflow[to]);
            row
        })
        .collect();
    for pivot in 0..levels {
        if rows[pivot][pivot].abs() < f64::MIN_POSITIVE {
            return None;
        }
        for row in pivot + 1..levels {
            let factor = rows[row][pivot] / rows[pivot][pivot];
            if factor != 0.0 {
                let (upper, lower) = rows.split_at_mut(row);
                lower[0].iter_mut().zip(&upper[pivot]).for_each(|(a, b)| *a -= factor * b);
            }
        }
    }
    let mut factors = vec![0.0; levels];
    for level in (0..levels).rev() {
        let known: f64 = (level + 1..levels).map(|other| rows[level][other] * factors[other]).sum();
        factors[level] = (rows[level][levels] - known) / rows[level][level];
    }
    factors.iter().all(|factor| factor.is_finite() && *factor > 0.0).then_some(factors)
}
