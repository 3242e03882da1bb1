//! How the individuals of a generation came to be, noted where an observer asks for it.

use std::sync::Arc;

use super::Population;

/// The births of one generation of one population: who was there before, and every child on its way.
#[derive(Clone, Debug, PartialEq)]
pub struct Births {
    /// The population that the parents are of.
    before: Population,
    /// The children as they were evaluated, before some of them found a place.
    children: Population,
    /// The genomes of the children right after crossover, or copying, one after the other.
    crossed: Vec<u8>,
    /// Those after mutation.
    mutated: Vec<u8>,
    /// What made each child.
    made_by: Vec<MakerNames>,
}

/// The names of what made a child.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct MakerNames {
    /// `None` for a child that was copied from its parent.
    pub(super) crossover: Option<Arc<str>>,
    pub(super) mutation: Arc<str>,
}

/// The birth of one child. Genomes are a rank a gene.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Birth<'a> {
    /// The indices of the parents in the population before; first the one that the child takes after.
    pub places: [usize; 2],
    /// The genomes of the parents.
    pub parents: [&'a [u8]; 2],
    /// The name of the crossover; `None` for a child that was copied from the first parent.
    pub crossover: Option<&'a str>,
    /// The genome after it.
    pub crossed: &'a [u8],
    /// The name of the mutation.
    pub mutation: &'a str,
    /// The genome after it, also where a duplicate was mutated several times.
    pub mutated: &'a [u8],
    /// The genome that was evaluated; another one where a local search improved the child.
    pub child: &'a [u8],
}

impl Births {
    /// The births of `made_by.len()` children; `crossed` and `mutated` hold a genome for each, or more.
    pub(super) fn new(
        before: Population,
        children: Population,
        crossed: Vec<u8>,
        mutated: Vec<u8>,
        made_by: Vec<MakerNames>,
    ) -> Self {
        Self { before, children, crossed, mutated, made_by }
    }

    /// The first child with this genome; `None` where no child of the generation has it.
    pub fn of(&self, genome: &[u8]) -> Option<Birth<'_>> {
        // Equal children were made more than once: the first stands for all.
        let child = (0..self.made_by.len()).find(|child| self.children.genome(*child) == genome)?;
        let width = self.children.width();
        let places = self.children.parents(child);
        let MakerNames { crossover, mutation } = &self.made_by[child];
        Some(Birth {
            places,
            parents: places.map(|place| self.before.genome(place)),
            crossover: crossover.as_deref(),
            crossed: &self.crossed[child * width..][..width],
            mutation,
            mutated: &self.mutated[child * width..][..width],
            child: self.children.genome(child),
        })
    }

    /// Its bytes in memory, about.
    pub fn bytes(&self) -> usize {
        let individuals = self.before.len() + self.children.len();
        individuals * (self.before.width() + 16)
            + self.crossed.len()
            + self.mutated.len()
            + 32 * self.made_by.len()
    }
}
