//! What the genomes of a problem of the user's own are.

use super::MAX_CELLS;

/// The most values of a gene, and the most genes of a permutation: genes are bytes.
const MAX_VALUES: usize = 256;

/// What the genomes of a problem are.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum GenomeShape {
    /// Whole numbers: the least and the greatest value of every gene.
    Values(Vec<[u8; 2]>),
    /// Permutations, one after the other: the genes of each hold 0 to their number less one, each once.
    Permutations(Vec<usize>),
}

impl GenomeShape {
    /// The number of genes.
    pub fn genes(&self) -> usize {
        match self {
            Self::Values(ranges) => ranges.len(),
            Self::Permutations(lengths) => lengths.iter().sum(),
        }
    }

    /// The least and the greatest value of every gene.
    pub fn ranges(&self) -> Vec<[u8; 2]> {
        match self {
            Self::Values(ranges) => ranges.clone(),
            Self::Permutations(lengths) => {
                let mut ranges = Vec::with_capacity(self.genes());
                for length in lengths {
                    ranges.extend(std::iter::repeat_n([0, (length - 1) as u8], *length));
                }
                ranges
            }
        }
    }

    /// What is wrong with it, if anything, in a sentence.
    pub fn flaw(&self) -> Option<String> {
        if !(1..=MAX_CELLS).contains(&self.genes()) {
            return Some(format!("a genome has 1 to {MAX_CELLS} genes, not {}", self.genes()));
        }
        match self {
            Self::Values(ranges) => {
                let (gene, [least, most]) = (0..).zip(ranges).find(|(_, [least, most])| least > most)?;
                Some(format!("the values of gene {gene} go from {least} to {most}: the least comes first"))
            }
            Self::Permutations(lengths) => {
                let length = lengths.iter().find(|length| !(1..=MAX_VALUES).contains(*length))?;
                Some(format!("a permutation has 1 to {MAX_VALUES} genes, not {length}"))
            }
        }
    }
}
