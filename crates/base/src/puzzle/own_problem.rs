//! A problem of the user's own as a puzzle: a row of cells without groups, whose worth is said from outside.

use super::{DigitSet, GenomeShape, Kind, Puzzle};

#[doc(hidden)]
impl Puzzle {
    /// The cells of a problem of the user's own, one a gene.
    ///
    /// # Errors
    /// What is wrong with the shape, in a sentence.
    pub fn of_genome(shape: GenomeShape) -> Result<Self, String> {
        if let Some(flaw) = shape.flaw() {
            return Err(flaw);
        }
        let most = shape.ranges().iter().map(|[_, most]| *most).max().unwrap_or(0);
        let (genes, digits) = (shape.genes(), DigitSet::zero_to(most));
        let puzzle = Self::new(Kind::Problem, (1, genes), digits, vec![false; genes], Vec::new());
        let mut puzzle = puzzle.map_err(|defect| defect.to_string())?;
        puzzle.genome = Some(shape);
        Ok(puzzle)
    }

    /// The genomes of a problem of the user's own; `None` of a puzzle.
    pub fn genome(&self) -> Option<&GenomeShape> {
        self.genome.as_ref()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_gene_is_a_cell_that_holds_any_value_up_to_the_greatest() {
        let puzzle = Puzzle::of_genome(GenomeShape::Values(vec![[0, 1], [3, 9]])).expect("a sound shape");
        assert_eq!((puzzle.rows(), puzzle.cols(), puzzle.digits().len()), (1, 2, 10));
        let tours = Puzzle::of_genome(GenomeShape::Permutations(vec![256, 2])).expect("a sound shape");
        assert_eq!((tours.cols(), tours.digits().len()), (258, 256));
        assert_eq!(tours.genome().expect("a problem").ranges()[255..], [[0, 255], [0, 1], [0, 1]]);
    }

    #[test]
    fn shapes_that_no_genome_has_are_refused() {
        for (shape, flaw) in [
            (GenomeShape::Values(Vec::new()), "1 to 65536 genes, not 0"),
            (GenomeShape::Values(vec![[2, 1]]), "gene 0 go from 2 to 1"),
            (GenomeShape::Permutations(vec![257]), "1 to 256 genes, not 257"),
            (GenomeShape::Permutations(vec![3, 0]), "1 to 256 genes, not 0"),
        ] {
            let said = Puzzle::of_genome(shape).expect_err("a bad shape");
            assert!(said.contains(flaw), "{said}");
        }
    }
}
