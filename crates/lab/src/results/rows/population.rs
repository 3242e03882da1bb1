//! The rows of `populations.csv`: individuals of whole populations.

use serde::{Deserialize, Serialize};

use super::PlainRow;
use crate::experiment::RecordedPopulation;
use crate::results::files::POPULATIONS;
use kenga_core::puzzle::DigitSet;

/// A row of `populations.csv`: an individual of a generation.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct PopulationRow {
    /// Index of the run.
    pub run: u64,
    /// The generation, 0 the initial population.
    pub generation: u64,
    /// Its island, from 0; 0 where there are none.
    pub island: usize,
    /// Its fitness.
    pub fitness: u32,
    /// Its digits, one for each gene, with spaces between them.
    pub genome: String,
}

impl PlainRow for PopulationRow {
    const FILE: &'static str = POPULATIONS;
}

impl PopulationRow {
    /// The rows of a generation of a run on a puzzle with these digits.
    pub(in crate::results) fn of(
        run: u64,
        recorded: &RecordedPopulation,
        digits: &DigitSet,
    ) -> impl Iterator<Item = Self> {
        let values: Vec<String> = digits.values().iter().map(u8::to_string).collect();
        let generation = recorded.generation;
        recorded.individuals.individuals().map(move |individual| Self {
            run,
            generation,
            island: individual.population,
            fitness: individual.fitness,
            genome: in_words(individual.genome, &values),
        })
    }

    /// The digits of its genome, a gene each; `None` where they are none.
    pub fn digits(&self) -> Option<Vec<u8>> {
        // A puzzle may have no cell that holds a digit.
        if self.genome.is_empty() {
            return Some(Vec::new());
        }
        self.genome.split(' ').map(digit).collect()
    }

    /// The ranks of its genome among the values of digits; `None` where it is none of a problem with so many cells.
    pub(in crate::results) fn ranks(&self, cells: usize, values: &[u8]) -> Option<Vec<u8>> {
        let digits = self.digits().filter(|digits| digits.len() == cells)?;
        let mut ranks = Vec::with_capacity(digits.len());
        for digit in digits {
            ranks.push(values.binary_search(&digit).ok()? as u8);
        }
        Some(ranks)
    }
}

/// A digit as kenga writes it: `01` and `+1` are none.
fn digit(word: &str) -> Option<u8> {
    let is_plain = word == "0" || word.starts_with(|first: char| ('1'..='9').contains(&first));
    word.parse().ok().filter(|_| is_plain)
}

/// The digits of some ranks, with spaces between them.
fn in_words(genome: &[u8], values: &[String]) -> String {
    let mut words = String::with_capacity(2 * genome.len());
    for (gene, rank) in genome.iter().enumerate() {
        if gene > 0 {
            words.push(' ');
        }
        words.push_str(&values[usize::from(*rank)]);
    }
    words
}
