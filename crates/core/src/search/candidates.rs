//! What each gene of a genome may hold.

use crate::problem::bits;
use crate::rng::RunRng;

/// The digits that each gene may take, as ranks; never none.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Candidates {
    /// Of a puzzle: a mask a gene.
    Masks(Vec<u32>),
    /// Of a problem of the user's own: the least and the greatest of each gene, and all between.
    Ranges(Vec<[u8; 2]>),
}

impl Candidates {
    /// The number of genes.
    pub fn genes(&self) -> usize {
        match self {
            Self::Masks(masks) => masks.len(),
            Self::Ranges(ranges) => ranges.len(),
        }
    }

    /// How many ranks a gene may take.
    pub fn count(&self, gene: usize) -> usize {
        match self {
            Self::Masks(masks) => masks[gene].count_ones() as usize,
            Self::Ranges(ranges) => usize::from(ranges[gene][1] - ranges[gene][0]) + 1,
        }
    }

    /// Says whether a gene may take a rank.
    pub fn holds(&self, gene: usize, rank: u8) -> bool {
        match self {
            Self::Masks(masks) => rank < 32 && masks[gene] >> rank & 1 == 1,
            Self::Ranges(ranges) => (ranges[gene][0]..=ranges[gene][1]).contains(&rank),
        }
    }

    /// The ranks that a gene may take, ascending.
    pub fn ranks(&self, gene: usize) -> impl Iterator<Item = u8> {
        let (mask, range) = match self {
            Self::Masks(masks) => (masks[gene], None),
            Self::Ranges(ranges) => (0, Some(ranges[gene][0]..=ranges[gene][1])),
        };
        range.into_iter().flatten().chain(bits(mask).map(|rank| rank as u8))
    }

    /// A uniform one of the ranks of a gene.
    #[inline]
    pub fn draw(&self, gene: usize, rng: &mut RunRng) -> u8 {
        match self {
            Self::Masks(masks) => rng.member(masks[gene]),
            Self::Ranges(_) => self.least(gene) + rng.below(self.count(gene)) as u8,
        }
    }

    /// A uniform one of the ranks of a gene other than `rank`; the gene may take several.
    #[inline]
    pub fn draw_other(&self, gene: usize, rank: u8, rng: &mut RunRng) -> u8 {
        match self {
            Self::Masks(masks) => rng.member(masks[gene] & !(1 << rank)),
            Self::Ranges(_) => {
                let drawn = self.least(gene) + rng.below(self.count(gene) - 1) as u8;
                drawn + u8::from(drawn >= rank)
            }
        }
    }

    /// The least rank of a gene.
    pub fn least(&self, gene: usize) -> u8 {
        match self {
            Self::Masks(masks) => masks[gene].trailing_zeros() as u8,
            Self::Ranges(ranges) => ranges[gene][0],
        }
    }

    /// The ranks of a gene as a mask; 0 of a problem of the user's own.
    pub fn mask(&self, gene: usize) -> u32 {
        match self {
            Self::Masks(masks) => masks[gene],
            Self::Ranges(_) => 0,
        }
    }
}
