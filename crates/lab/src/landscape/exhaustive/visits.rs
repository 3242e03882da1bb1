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
fn reaching_solution(chain: &Chain) -> Vec<bool> {
    let mut reaches: Vec<bool> = (0..chain.genomes()).map(|genome| chain.is_solution(genome)).collect();
    let mut open = Vec::new();
    for (genome, is_solution) in reaches.iter().enumerate() {
        if *is_solution {
            open.push(genome as u32);
        }
    }
    // Backwards: a row lists the genomes from which a step leads to its own.
    while let Some(genome) = open.pop() {
        for (from, _) in chain.row(genome as usize) {
            if !std::mem::replace(&mut reaches[from as usize], true) {
                open.push(from);
            }
        }
    }
    reaches
}

/// The visits from a uniform start; `None` where it was interrupted. Where `counts_records`, one system is solved for each
/// record.
pub(super) fn visits(
    chain: &Chain,
    surface: &Surface,
    counts_records: bool,
    progress: &Progress<'_>,
) -> Option<Visits> {
    let genomes = chain.genomes();
    let reaches = reaching_solution(chain);
    let mut found = Visits::default();
    if !reaches.contains(&true) {
        return Some(Visits { steps: f64::INFINITY, records: f64::NAN, ..found });
    }
    // The probability that a genome is the start, or the first of its record.
    let mut source = vec![1.0 / genomes as f64; genomes];
    // Records only fall: what one leads to is known before the next is solved.
    let records: Vec<Option<usize>> =
        if counts_records { (0..surface.levels().len()).rev().map(Some).collect() } else { vec![None] };
    for record in records {
        let mut members = Vec::new();
        let mut own = vec![0.0; genomes];
        for genome in 0..genomes {
            let level = surface.level(genome);
            let is_below = record.is_some_and(|record| level < record);
            if !reaches[genome] || chain.is_solution(genome) || is_below {
                continue;
            }
            members.push(genome as u32);
            if record.is_none_or(|record| level == record) {
                own[genome] = source[genome];
            }
        }
        let system = System::new(surface, members, own);
        let solved = system.solve(chain, progress)?;
        found.steps += solved.visits.iter().sum::<f64>();
        found.residual += solved.residual;
        found.sweeps += solved.sweeps;
        for (genome, source) in source.iter_mut().enumerate() {
            let is_below = record.is_none_or(|record| surface.level(genome) < record);
            if !system.contains(genome) && (is_below || chain.is_solution(genome)) {
                *source += chain.inflow(genome, &solved.visits);
            }
        }
    }
    for (genome, mass) in source.iter().enumerate() {
        if chain.is_solution(genome) {
            found.success += mass;
        }
        found.records += mass;
    }
    if reaches.contains(&false) {
        (found.steps, found.records) = (f64::INFINITY, f64::NAN);
    }
    Some(found)
}

/// The equations over some genomes, its members.
struct System {
    /// The genomes, by level from the highest down.
    members: Vec<u32>,
    /// The number of different levels.
    levels: usize,
    source: Vec<f64>,
    /// The level of each member, counted from the highest; [`OUTSIDE`] for other genomes.
    place: Vec<u16>,
}

/// The place of a genome that is no member. Surfaces have fewer levels.
const OUTSIDE: u16 = u16::MAX;

/// What sweeps have come to.
struct Solved {
    /// The expected visits of every genome.
    visits: Vec<f64>,
    residual: f64,
    sweeps: usize,
}

impl System {
    fn new(surface: &Surface, mut members: Vec<u32>, source: Vec<f64>) -> Self {
        members.sort_by_key(|genome| std::cmp::Reverse(surface.level(*genome as usize)));
        let mut place = vec![OUTSIDE; source.len()];
        let (mut levels, mut last) = (0, None);
        for genome in &members {
            let level = surface.level(*genome as usize);
            if last != Some(level) {
                levels += 1;
                last = Some(level);
            }
            place[*genome as usize] = levels as u16 - 1;
        }
        Self { members, levels, source, place }
    }

    fn contains(&self, genome: usize) -> bool {
        self.place[genome] != OUTSIDE
    }

    /// Solves the equations; `None` where it was interrupted.
    fn solve(&self, chain: &Chain, progress: &Progress<'_>) -> Option<Solved> {
        let mut visits = self.source.clone();
        let start: f64 = self.source.iter().sum();
        if start == 0.0 {
            return Some(Solved { visits, residual: 0.0, sweeps: 0 });
        }
        for sweeps in 1..=MOST_SWEEPS {
            if progress.is_cut() {
                return None;
            }
            self.sweep(chain, &mut visits);
            progress.advance(1);
            if sweeps % SWEEPS_A_BALANCE != 0 {
                continue;
            }
            let residual = self.balance(chain, &mut visits) / start;
            if residual <= RESIDUAL || sweeps == MOST_SWEEPS {
                return Some(Solved { visits, residual, sweeps });
            }
        }
        None
    }

    fn sweep(&self, chain: &Chain, visits: &mut [f64]) {
        for genome in &self.members {
            let genome = *genome as usize;
            visits[genome] = (self.source[genome] + chain.inflow(genome, visits)) / chain.leave(genome);
        }
    }

    /// Scales the visits of every level so that what leaves it is what comes to it; returns how much the visits were off.
    fn balance(&self, chain: &Chain, visits: &mut [f64]) -> f64 {
        let mut flow = LevelFlow::new(self.levels);
        let mut off = 0.0;
        for genome in &self.members {
            let genome = *genome as usize;
            let own = usize::from(self.place[genome]);
            let mut arrived = self.source[genome];
            flow.inflow[own] += self.source[genome];
            for (from, chance) in chain.row(genome) {
                let mass = visits[from as usize] * chance;
                arrived += mass;
                let place = self.place[from as usize];
                if place != OUTSIDE && usize::from(place) != own {
                    flow.between[usize::from(place)][own] += mass;
                }
            }
            flow.leaves[own] += visits[genome] * chain.leave(genome);
            off += (arrived - visits[genome] * chain.leave(genome)).abs();
            // What stays within the level does not leave it.
            for (from, chance) in chain.row(genome) {
                if usize::from(self.place[from as usize]) == own {
                    flow.leaves[own] -= visits[from as usize] * chance;
                }
            }
        }
        if let Some(factors) = flow.factors() {
            for genome in &self.members {
                visits[*genome as usize] *= factors[usize::from(self.place[*genome as usize])];
            }
        }
        off
    }
}

/// The flow of visits between levels.
struct LevelFlow {
    /// What goes from each level to each other one.
    between: Vec<Vec<f64>>,
    /// What comes to each from outside.
    inflow: Vec<f64>,
    /// What leaves each.
    leaves: Vec<f64>,
}

impl LevelFlow {
    fn new(levels: usize) -> Self {
        let zeros = vec![0.0; levels];
        Self { between: vec![zeros.clone(); levels], inflow: zeros.clone(), leaves: zeros }
    }

    /// The factors x with which as much leaves each level as comes to it, by elimination: leaves x = inflow + between x.
    /// `None` where there are none, or not all are above 0.
    fn factors(&self) -> Option<Vec<f64>> {
        let levels = self.leaves.len();
        let mut rows = self.equations();
        for pivot in 0..levels {
            if rows[pivot][pivot].abs() < f64::MIN_POSITIVE {
                return None;
            }
            for row in pivot + 1..levels {
                let factor = rows[row][pivot] / rows[pivot][pivot];
                if factor == 0.0 {
                    continue;
                }
                let (upper, lower) = rows.split_at_mut(row);
                for (number, above) in lower[0].iter_mut().zip(&upper[pivot]) {
                    *number -= factor * above;
                }
            }
        }
        let mut factors = vec![0.0; levels];
        for level in (0..levels).rev() {
            let mut known = 0.0;
            for other in level + 1..levels {
                known += rows[level][other] * factors[other];
            }
            let factor = (rows[level][levels] - known) / rows[level][level];
            // Visits are never negative: plain sweeps go on where scaling would make them so.
            if !factor.is_finite() || factor <= 0.0 {
                return None;
            }
            factors[level] = factor;
        }
        Some(factors)
    }

    /// A row of coefficients for each level, its inflow last.
    fn equations(&self) -> Vec<Vec<f64>> {
        let mut rows = Vec::new();
        for (to, leaves) in self.leaves.iter().enumerate() {
            let mut row: Vec<f64> = self.between.iter().map(|from| -from[to]).collect();
            row[to] = *leaves;
            row.push(self.inflow[to]);
            rows.push(row);
        }
        rows
    }
}
