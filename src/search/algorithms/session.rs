//! A run whose algorithm is elsewhere, in another program or another language: it asks for fitness and shows its
//! populations; here the budget is kept, every genome is checked, and the best is known.

use thiserror::Error;

use crate::budget::{Spent, StopReason};
use crate::fitness::{Scratch, Terms};
use crate::problem::bits;
use crate::search::encodings::AnyEncoding;
use crate::search::space::Change;
use crate::search::{Best, Census, Closure, Observer, Population, Space, Task};

use super::RunState;

/// Populations without an evaluation between them that end a run: it would never end by itself.
const MOST_IDLE: u64 = 1000;

/// The rank of what is no digit of the puzzle.
const NO_RANK: u8 = u8::MAX;

/// A run that is asked for evaluations.
///
/// A genome is a digit a gene; genes are the cells that hold digits, row by row.
pub struct Session {
    encoding: AnyEncoding,
    run: RunState,
    /// What the operators elsewhere can make of a population, where that is known.
    closure: Option<Closure>,
    /// The rank of every digit.
    ranks: [u8; 256],
    /// The first digit, where the digits are consecutive.
    first: Option<u8>,
    /// The genes that may not hold every digit.
    narrow: Vec<u16>,
    /// The genomes of a request, in ranks.
    genomes: Vec<u8>,
    values: Vec<u32>,
    terms: Vec<Terms>,
    scratch: Scratch,
    population: Population,
    idle: u64,
}

/// The answer to a request for evaluations: the genomes that the budget reached, in their order.
#[derive(Clone, Copy, Debug)]
pub struct Evaluated<'a> {
    /// The fitness of each.
    pub fitness: &'a [u32],
    /// The terms of each, unweighted, where they were asked for.
    pub terms: Option<&'a [Terms]>,
    /// How many evaluations are left; `None` where nothing bounds them.
    pub left: Option<u64>,
    /// Why the run is over, if it is.
    pub done: Option<StopReason>,
}

/// A genome that the encoding does not have; genomes and genes count from 0.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum GenomeError {
    /// There is no genome.
    #[error("there is none")]
    None,
    /// The puzzle has no cell.
    #[error("the puzzle has no cell that holds a digit")]
    NoGenes,
    /// It has too few or too many digits.
    #[error("genome {genome} has {found} digits, not {expected}")]
    Length {
        /// Which.
        genome: usize,
        /// How many it has.
        found: usize,
        /// How many it should have.
        expected: usize,
    },
    /// A digit that its gene may not hold.
    #[error("gene {gene} of genome {genome} is {digit}; its candidates are {candidates}")]
    Digit {
        /// Which genome.
        genome: usize,
        /// Which gene.
        gene: usize,
        /// Its digit.
        digit: u8,
        /// What it may be, in words.
        candidates: String,
    },
    /// A line that is no permutation.
    #[error("genome {genome} has the digit {digit} twice in the genes {genes}, which hold every digit once")]
    Line {
        /// Which genome.
        genome: usize,
        /// The digit.
        digit: u8,
        /// The genes of the line, in words.
        genes: String,
    },
    /// A cage without one of its tuples.
    #[error("genome {genome} has none of their tuples in the genes {genes}")]
    Tuple {
        /// Which genome.
        genome: usize,
        /// The genes of the cage, in words.
        genes: String,
    },
    /// A population, and nothing evaluated.
    #[error("nothing was evaluated before it")]
    NoneEvaluated,
    /// An individual that is better than all that was evaluated.
    #[error("it has an individual of fitness {fitness}, but the best that was evaluated is {best}")]
    NotEvaluated {
        /// Its fitness.
        fitness: u32,
        /// The lowest fitness that was evaluated.
        best: u32,
    },
    /// Populations, and nothing evaluated.
    #[error("it is one of more than {MOST_IDLE} without an evaluation")]
    Idle,
}

impl Session {
    /// A run of a task that has not begun, with genomes of an encoding.
    pub fn new(encoding: AnyEncoding, closure: Option<Closure>, task: &Task) -> Self {
        let (space, mut ranks) = (encoding.space(), [NO_RANK; 256]);
        for (rank, digit) in space.problem().values().iter().enumerate() {
            ranks[usize::from(*digit)] = rank as u8;
        }
        let values = space.problem().values();
        let is_narrow = |gene: &u16| space.candidates[usize::from(*gene)] != space.problem().all_digits();
        Self {
            first: values.first().copied().filter(|_| values.windows(2).all(|pair| pair[0] + 1 == pair[1])),
            narrow: (0..space.genes() as u16).filter(is_narrow).collect(),
            run: RunState::new(task, space),
            population: Population::new(0, space.genes()),
            closure,
            ranks,
            genomes: Vec::new(),
            values: Vec::new(),
            terms: Vec::new(),
            scratch: Scratch::default(),
            idle: 0,
            encoding,
        }
    }

    /// What genomes may be.
    pub fn space(&self) -> &Space {
        self.encoding.space()
    }

    /// The genes that hold one of some tuples together, with these tuples in ranks.
    pub fn tuples(&self) -> impl Iterator<Item = (&[u16], impl Iterator<Item = &[u8]>)> {
        let choices = match &self.encoding {
            AnyEncoding::Tuples(encoding) if self.space().change == Change::Tuples => {
                Some(encoding.choices())
            }
            _ => None,
        };
        choices.into_iter().flat_map(|choices| {
            let parts = (0..choices.len()).map(|part| (choices.cells.get(part), choices.ranks(part)));
            parts
                .filter(|(genes, _)| genes.len() > 1)
                .map(|(genes, ranks)| (genes, ranks.chunks_exact(genes.len())))
        })
    }

    /// The genes that hold every digit once, line by line.
    pub fn lines(&self) -> impl Iterator<Item = &[u16]> {
        let is_permuted = self.encoding.is_permuted();
        self.space().rows.iter().filter(move |_| is_permuted)
    }

    /// Evaluates genomes of digits, one after the other, until the budget is spent or one solves the puzzle.
    ///
    /// # Errors
    /// [`GenomeError`] for one that the encoding does not have; nothing is evaluated then.
    pub fn evaluate(&mut self, digits: &[u8], with_terms: bool) -> Result<Evaluated<'_>, GenomeError> {
        let asked = self.read(digits)?;
        let within = if self.ended().is_some() { 0 } else { self.run.within(asked) };
        self.measure(within, with_terms);
        let mut answered = 0;
        let width = self.encoding.space().genes();
        for (genome, fitness) in self.genomes.chunks_exact(width).zip(&self.values) {
            self.run.count(genome, *fitness);
            answered += 1;
            if *fitness == 0 {
                break;
            }
        }
        self.idle = 0;
        Ok(Evaluated {
            fitness: &self.values[..answered],
            terms: with_terms.then(|| &self.terms[..answered]),
            left: self.run.budget.evaluations.map(|_| self.run.evaluations_left()),
            done: self.run.stopped(),
        })
    }

    /// Takes genomes of digits for the population of a complete generation and shows it to the observer. The first one is
    /// generation 0. Returns its number.
    ///
    /// # Errors
    /// [`GenomeError`] for genomes that the encoding does not have, and for one that is better than all that was
    /// evaluated.
    pub fn show(&mut self, digits: &[u8], observer: &mut dyn Observer) -> Result<u64, GenomeError> {
        let count = self.read(digits)?;
        if self.run.spent.evaluations == 0 {
            return Err(GenomeError::NoneEvaluated);
        }
        self.measure(count, false);
        let (best, lowest) = (self.run.best.fitness, self.values.iter().copied().min().unwrap_or(u32::MAX));
        if lowest < best {
            return Err(GenomeError::NotEvaluated { fitness: lowest, best });
        }
        self.idle += 1;
        if self.idle > MOST_IDLE {
            return Err(GenomeError::Idle);
        }
        if self.population.len() != count {
            self.population = Population::new(count, self.encoding.space().genes());
        }
        for (index, fitness) in self.values.iter().enumerate() {
            let genome = self.population.genome_mut(index);
            genome.copy_from_slice(&self.genomes[index * genome.len()..][..genome.len()]);
            self.population.set_fitness(index, *fitness);
        }
        self.run.spent.generations += u64::from(self.run.has_begun());
        self.run.show(observer, |census| census.add(&self.population));
        let may_be_dead = self.closure.is_some() && self.run.best.fitness > 0;
        if may_be_dead && observer.gives_up(self.run.spent, &[&[&self.population]]) {
            self.run.stop = Some(StopReason::Dead);
        }
        Ok(self.run.spent.generations)
    }

    /// Ends the run for a reason of the algorithm's own, unless it has ended.
    pub fn stop(&mut self, reason: StopReason) {
        if self.run.stopped().is_none() {
            self.run.stop = Some(reason);
        }
    }

    /// Why the run is over, if it is; a look at the guard.
    pub fn ended(&mut self) -> Option<StopReason> {
        self.run.ended()
    }

    /// As [`ended`](Self::ended), without a look at the guard.
    pub fn stopped(&self) -> Option<StopReason> {
        self.run.stopped()
    }

    /// What was spent.
    pub fn spent(&self) -> Spent {
        self.run.spent
    }

    /// The best individual so far.
    pub fn best(&self) -> &Best {
        &self.run.best
    }

    /// What the operators can make of a population, where that is known.
    pub fn closure(&self) -> Option<&Closure> {
        self.closure.as_ref()
    }

    /// Adds the last population to a census; what had been spent then is returned.
    pub fn census(&self, census: &mut Census) -> Spent {
        if self.run.has_begun() {
            census.add(&self.population);
        }
        self.run.complete
    }

    /// Checks genomes of digits and keeps their ranks; their number is returned.
    fn read(&mut self, digits: &[u8]) -> Result<usize, GenomeError> {
        let space = self.encoding.space();
        let width = space.genes();
        if width == 0 {
            return Err(GenomeError::NoGenes);
        }
        if digits.is_empty() {
            return Err(GenomeError::None);
        }
        if !digits.len().is_multiple_of(width) {
            let (genome, found) = (digits.len() / width, digits.len() % width);
            return Err(GenomeError::Length { genome, found, expected: width });
        }
        self.genomes.clear();
        match self.first {
            // Without a table many are converted at once.
            Some(first) => self.genomes.extend(digits.iter().map(|digit| digit.wrapping_sub(first))),
            None => self.genomes.extend(digits.iter().map(|digit| self.ranks[usize::from(*digit)])),
        }
        let highest = self.genomes.iter().fold(0, |highest, rank| highest.max(*rank));
        let are_digits = usize::from(highest) < space.digits;
        for (index, genome) in self.genomes.chunks_exact(width).enumerate() {
            let may = |gene: usize| genome[gene] < 32 && space.candidates[gene] >> genome[gene] & 1 == 1;
            let fits = are_digits && self.narrow.iter().all(|gene| may(usize::from(*gene)));
            if !fits && let Some(gene) = (0..width).find(|gene| !may(*gene)) {
                let candidates = self.in_words(bits(space.candidates[gene]).map(|rank| rank as u8));
                let digit = digits[index * width + gene];
                return Err(GenomeError::Digit { genome: index, gene, digit, candidates });
            }
            self.check_structure(index, genome)?;
        }
        Ok(digits.len() / width)
    }

    /// Checks what the encoding asks of genes together.
    fn check_structure(&self, index: usize, genome: &[u8]) -> Result<(), GenomeError> {
        let in_words = |genes: &[u16]| genes.iter().map(u16::to_string).collect::<Vec<_>>().join(", ");
        match &self.encoding {
            AnyEncoding::Rows(_) => {
                let full = self.space().problem().all_digits();
                let held =
                    |line: &[u16]| line.iter().fold(0, |held, gene| held | 1 << genome[usize::from(*gene)]);
                for line in self.lines().filter(|line| held(line) != full) {
                    let mut seen = 0u32;
                    for gene in line {
                        let rank = genome[usize::from(*gene)];
                        if seen >> rank & 1 == 1 {
                            let digit = self.space().problem().values()[usize::from(rank)];
                            return Err(GenomeError::Line { genome: index, digit, genes: in_words(line) });
                        }
                        seen |= 1 << rank;
                    }
                }
            }
            AnyEncoding::Tuples(encoding) if self.space().change == Change::Tuples => {
                let choices = encoding.choices();
                let lacks = |part: &usize| choices.find(*part, genome).is_none();
                if let Some(part) = (0..choices.len()).find(lacks) {
                    return Err(GenomeError::Tuple {
                        genome: index,
                        genes: in_words(choices.cells.get(part)),
                    });
                }
            }
            AnyEncoding::Tuples(_) => {}
        }
        Ok(())
    }

    fn in_words(&self, ranks: impl Iterator<Item = u8>) -> String {
        let values = self.space().problem().values();
        ranks.map(|rank| values[usize::from(rank)].to_string()).collect::<Vec<_>>().join(", ")
    }

    /// Writes the fitness of the first genomes of the request, and their terms.
    fn measure(&mut self, count: usize, with_terms: bool) {
        let genomes = &self.genomes[..count * self.encoding.space().genes()];
        self.values.clear();
        self.values.resize(count, 0);
        if with_terms {
            self.terms.clear();
            self.terms.resize(count, Terms::default());
            self.encoding.terms_each(genomes, &mut self.terms, &mut self.scratch);
            let weights = self.encoding.space().fitness.weights();
            self.values
                .iter_mut()
                .zip(&self.terms)
                .for_each(|(value, terms)| *value = terms.weighted(weights));
        } else {
            self.encoding.evaluate_each(genomes, &mut self.values, &mut self.scratch);
        }
    }
}
