//! Every genome of a small space has a number.
//!
//! A genome falls into *axes*: genes that a move changes together, as a line of `rows` or a part of `cages`. What values an
//! axis has, and where its moves lead, is read from the neighbourhood itself: its moves are made until they lead to nothing
//! new. The number of a genome is that of its values in mixed radix, the last axis first to change.
//!
//! A random start is a uniform genome, and a random move a uniform exchange, or a uniform one of those that a uniform
//! variable shows; tests compare both with what the encoding and the neighbourhood draw.

use std::collections::BTreeSet;

use thiserror::Error;

use crate::landscape::Landscape;
use kenga_core::rng::StreamKey;
use kenga_core::search::Change;
use kenga_core::search::encodings::Encoding;
use kenga_core::search::neighbourhood::Neighbourhood;
use kenga_core::sort::sort_by;

/// The most genomes of a space that is numbered: a 4x4 has 24^4 = 331 776 on `rows`.
pub const MOST_GENOMES: usize = 1 << 20;

/// The most moves from all its genomes together.
pub const MOST_MOVES: usize = 1 << 24;

/// The most values that 16 bits tell apart, of which the greatest stands for none.
pub(super) const MOST_LEVELS: usize = u16::MAX as usize;

/// The most memory that probabilities take, in bytes.
const MOST_BYTES: u64 = 1 << 32;

/// Refuses tables of probabilities, each of so many rows, columns, and so on, that take too much memory.
///
/// # Errors
/// [`SpaceError::Memory`] for more than 4 GiB.
pub(super) fn fits(tables: &[&[usize]]) -> Result<(), SpaceError> {
    let mut numbers = 0.0;
    for table in tables {
        numbers += table.iter().map(|length| *length as f64).product::<f64>();
    }
    let bytes = numbers * size_of::<f64>() as f64;
    if bytes > MOST_BYTES as f64 { Err(SpaceError::Memory(bytes)) } else { Ok(()) }
}

/// The most moves between the values of all axes.
const MOST_AXIS_MOVES: usize = 1 << 22;

/// A space that has too many genomes or moves to look at each.
#[derive(Clone, Copy, Debug, PartialEq, Error)]
pub enum SpaceError {
    /// It has too many genomes.
    #[error("the space has {} genomes: at most {MOST_GENOMES} can be looked at one by one", size(*.0))]
    Genomes(f64),
    /// It has too many moves.
    #[error("the space has {} moves: at most {MOST_MOVES} can be looked at one by one", size(*.0))]
    Moves(f64),
    /// One of its parts has too many.
    #[error("a part of the genome has {0} values with moves between all of them: too many to enumerate")]
    Part(usize),
    /// Its genomes have too many different values.
    #[error("the genomes have {0} different values: at most {MOST_LEVELS} can be told apart")]
    Levels(usize),
    /// That many calls take too much memory; in bytes.
    #[error("computing that many calls takes {} bytes of memory: expected at most {MOST_BYTES}", size(*.0))]
    Memory(f64),
}

/// A number, large ones as powers of ten.
fn size(number: f64) -> String {
    if number < 1e15 { format!("{number:.0}") } else { format!("{number:.2e}") }
}

/// Genes that change together.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Axis {
    genes: Vec<u16>,
    /// The ranks of its values, ascending, one value after the other.
    ranks: Vec<u8>,
    pub(super) values: usize,
    /// What a step to the next value adds to the number of a genome.
    pub(super) stride: usize,
}

/// Moves that are shown together.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Variable {
    pub(super) axis: usize,
    /// How many moves it shows.
    pub(super) shown: usize,
    /// The values that they lead to, in the order in which they are shown, from each value of the axis.
    targets: Vec<u32>,
}

impl Variable {
    /// The values of the axis that its moves lead to from one of them.
    #[inline]
    pub(super) fn targets(&self, value: usize) -> &[u32] {
        &self.targets[value * self.shown..][..self.shown]
    }
}

/// The numbered genomes of a space, and their moves.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Numbering {
    pub(super) axes: Vec<Axis>,
    pub(super) variables: Vec<Variable>,
    /// Moves are exchanges, each shown by both of its genes.
    pub(super) is_exchanged: bool,
    /// A genome; genes of no axis are the same in all.
    template: Vec<u8>,
    genomes: usize,
}

impl Numbering {
    /// Numbers the genomes of a landscape.
    ///
    /// # Errors
    /// [`SpaceError`] where there are too many.
    pub fn new<E: Encoding>(landscape: &Landscape<E>) -> Result<Self, SpaceError> {
        let mut template = vec![0; landscape.encoding().space().genes()];
        // Any genome will do.
        landscape.encoding().init(&mut template, &mut StreamKey::run(0, "numbering", 0).rng());
        let mut prober = Prober { near: landscape.neighbourhood(), genome: template };
        let groups = prober.groups();
        let change = landscape.encoding().space().change;
        prober.check(&groups, change)?;
        let mut axes: Vec<Axis> = groups.iter().map(|group| prober.axis(group)).collect();
        let mut stride = 1;
        for axis in axes.iter_mut().rev() {
            axis.stride = stride;
            stride *= axis.values;
        }
        let mut places = Vec::new();
        for (axis, group) in groups.iter().enumerate() {
            places.extend(group.variables.iter().map(|variable| (*variable, axis)));
        }
        sort_by(&mut places, Ord::cmp);
        let mut variables = Vec::new();
        for (variable, axis) in places {
            variables.push(prober.variable(variable, axis, &axes[axis]));
        }
        let is_exchanged = change == Change::Exchanges;
        Ok(Self { axes, variables, is_exchanged, template: prober.genome, genomes: stride })
    }

    /// How many genomes there are.
    pub fn genomes(&self) -> usize {
        self.genomes
    }

    /// How many genes a genome has.
    pub fn genes(&self) -> usize {
        self.template.len()
    }

    /// How many moves lead from a genome, one that several variables show as often.
    pub fn moves(&self) -> usize {
        self.variables.iter().map(|variable| variable.shown).sum()
    }

    /// Writes the genome of a number.
    pub fn write(&self, number: usize, genome: &mut [u8]) {
        genome.copy_from_slice(&self.template);
        for axis in &self.axes {
            axis.write(self.value(axis, number), genome);
        }
    }

    /// The number of a genome of the space; `None` for one that is not in it.
    pub fn find(&self, genome: &[u8]) -> Option<usize> {
        let mut number = 0;
        for axis in &self.axes {
            number += axis.find(&ranks_of(&axis.genes, genome))? * axis.stride;
        }
        // Genes of no axis may differ.
        let mut written = vec![0; genome.len()];
        self.write(number, &mut written);
        (written == genome).then_some(number)
    }

    /// The value of an axis in a genome.
    #[inline]
    pub(super) fn value(&self, axis: &Axis, number: usize) -> usize {
        number / axis.stride % axis.values
    }

    /// The numbers of the genomes that the moves of a variable lead to, in the order in which it shows them.
    #[inline]
    pub(super) fn targets(&self, variable: usize, number: usize) -> impl Iterator<Item = usize> + '_ {
        let variable = &self.variables[variable];
        let axis = &self.axes[variable.axis];
        let value = self.value(axis, number);
        let base = number - value * axis.stride;
        variable.targets(value).iter().map(move |target| base + *target as usize * axis.stride)
    }
}

impl Axis {
    fn ranks(&self, value: usize) -> &[u8] {
        let width = self.genes.len();
        &self.ranks[value * width..][..width]
    }

    fn write(&self, value: usize, genome: &mut [u8]) {
        write_ranks(&self.genes, self.ranks(value), genome);
    }

    fn find(&self, ranks: &[u8]) -> Option<usize> {
        let (mut low, mut high) = (0, self.values);
        while low < high {
            let middle = usize::midpoint(low, high);
            if self.ranks(middle) < ranks { low = middle + 1 } else { high = middle }
        }
        (low < self.values && self.ranks(low) == ranks).then_some(low)
    }
}

/// The ranks of some genes.
fn ranks_of(genes: &[u16], genome: &[u8]) -> Vec<u8> {
    genes.iter().map(|gene| genome[usize::from(*gene)]).collect()
}

fn write_ranks(genes: &[u16], ranks: &[u8], genome: &mut [u8]) {
    for (gene, rank) in genes.iter().zip(ranks) {
        genome[usize::from(*gene)] = *rank;
    }
}

/// The genes of an axis, and its variables.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
struct AxisGenes {
    genes: Vec<u16>,
    variables: Vec<usize>,
}

/// Makes moves from a genome to see where they lead.
struct Prober<N> {
    near: N,
    /// Where it begins.
    genome: Vec<u8>,
}

impl<N: Neighbourhood> Prober<N> {
    /// The moves of a variable from a genome.
    fn moves(&mut self, variable: usize, genome: &[u8]) -> Vec<N::Move> {
        let mut moves = Vec::new();
        self.near.place(genome);
        self.near.scan(variable, u64::MAX, |step, _, _| moves.push(step));
        moves
    }

    /// How many moves a variable has from the first genome.
    fn shown(&mut self, variable: usize) -> usize {
        let genome = self.genome.clone();
        self.moves(variable, &genome).len()
    }

    /// Calls `see` with every genome that a move of a variable leads to, in order.
    fn each(&mut self, variable: usize, genome: &[u8], mut see: impl FnMut(&[u8])) {
        for step in self.moves(variable, genome) {
            self.near.place(genome);
            self.near.apply(step);
            see(self.near.tally().ranks());
        }
    }

    /// A group for each axis: variables whose moves change the same genes belong together.
    fn groups(&mut self) -> Vec<AxisGenes> {
        let genome = self.genome.clone();
        let mut groups = Vec::<AxisGenes>::new();
        for variable in 0..self.near.variables() {
            let mut genes = BTreeSet::new();
            self.each(variable, &genome, |moved| {
                for gene in 0..genome.len() {
                    if genome[gene] != moved[gene] {
                        genes.insert(gene as u16);
                    }
                }
            });
            let mut variables = vec![variable];
            // It may join groups that were apart before.
            groups.retain(|other| {
                let is_apart = other.genes.iter().all(|gene| !genes.contains(gene));
                if !is_apart {
                    genes.extend(&other.genes);
                    variables.extend(&other.variables);
                }
                is_apart
            });
            variables.sort_unstable();
            groups.push(AxisGenes { genes: genes.into_iter().collect(), variables });
        }
        sort_by(&mut groups, Ord::cmp);
        groups
    }

    /// Refuses what is too much to look at, before any axis is enumerated.
    fn check(&mut self, groups: &[AxisGenes], change: Change) -> Result<(), SpaceError> {
        let mut values: Vec<f64> = Vec::new();
        for group in groups {
            values.push(match change {
                Change::Exchanges => (1..=group.genes.len()).map(|factor| factor as f64).product(),
                Change::Digits | Change::Tuples => self.shown(group.variables[0]) as f64 + 1.0,
            });
        }
        let genomes: f64 = values.iter().product();
        if genomes > MOST_GENOMES as f64 {
            return Err(SpaceError::Genomes(genomes));
        }
        let (mut moves, mut axis_moves) = (0, 0);
        for (group, values) in groups.iter().zip(values) {
            let mut shown = 0;
            for variable in &group.variables {
                shown += self.shown(*variable);
            }
            moves += shown;
            axis_moves += shown * values as usize;
            // A single part may be too much although the whole is small.
            if axis_moves > MOST_AXIS_MOVES {
                return Err(SpaceError::Part(values as usize));
            }
        }
        if genomes * moves as f64 > MOST_MOVES as f64 {
            return Err(SpaceError::Moves(genomes * moves as f64));
        }
        Ok(())
    }

    /// An axis with all its values: moves are made until they lead to nothing new.
    fn axis(&mut self, group: &AxisGenes) -> Axis {
        let genes = &group.genes;
        let mut genome = self.genome.clone();
        let first = ranks_of(genes, &genome);
        // A set in order: the numbers of genomes do not depend on which move found them first.
        let (mut known, mut open) = (BTreeSet::from([first.clone()]), vec![first]);
        while let Some(value) = open.pop() {
            write_ranks(genes, &value, &mut genome);
            for variable in &group.variables {
                self.each(*variable, &genome, |moved| {
                    let ranks = ranks_of(genes, moved);
                    if known.insert(ranks.clone()) {
                        open.push(ranks);
                    }
                });
            }
        }
        let values = known.len();
        Axis { genes: genes.clone(), ranks: known.into_iter().flatten().collect(), values, stride: 1 }
    }

    /// A variable of an axis, with what it shows from every value.
    fn variable(&mut self, variable: usize, index: usize, axis: &Axis) -> Variable {
        let (mut genome, mut targets) = (self.genome.clone(), Vec::new());
        for value in 0..axis.values {
            axis.write(value, &mut genome);
            self.each(variable, &genome, |moved| {
                let target = axis.find(&ranks_of(&axis.genes, moved));
                targets.push(target.expect("every value that a move leads to is known") as u32);
            });
        }
        Variable { axis: index, shown: targets.len() / axis.values, targets }
    }
}
