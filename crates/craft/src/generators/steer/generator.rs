//! What the kinds have in common whose puzzles are steered towards an order.

use kenga_core::budget::Interrupt;
use kenga_core::puzzle::Puzzle;
use kenga_core::rng::RunRng;
use kenga_core::spec::{Spec, SpecError};

use super::super::order::Requirements;
use super::super::outlines::Symmetry;
use super::super::{Evolver, Generator, Shortfall, key};
use super::{Evolution, Steering};

/// A kind with the rules `R`, as it was ordered.
pub(in crate::generators) struct Steered<R> {
    stem: String,
    /// What keys the random numbers.
    pub(in crate::generators) stream: String,
    /// The order and the rules, or why they do not go together.
    parts: Result<(Requirements, R), SpecError>,
    make: Make<R>,
}

/// Makes a puzzle of a kind.
type Make<R> = fn(&R, Steering<'_>) -> Result<Puzzle, Shortfall>;

impl<R> Steered<R> {
    /// The kind that a resolved spec names, of a size in words: `9`, `12x10`. `rules` tells its rules from the order.
    pub(in crate::generators) fn new(
        spec: &Spec,
        size: &str,
        rules: impl FnOnce(&Requirements, Symmetry) -> Result<R, SpecError>,
        make: Make<R>,
    ) -> Self {
        let has_outlines = spec.entry("symmetry").is_some();
        let symmetry = if has_outlines { Symmetry::named(spec.text("symmetry")) } else { Symmetry::None };
        // An error waits for `check`: ids are asked for before.
        let parts = match Requirements::of(spec) {
            Ok(order) => rules(&order, symmetry).map(|rules| (order, rules)),
            Err(error) => Err(error),
        };
        let difficulty = parts.as_ref().map_or("", |(order, _)| order.stem());
        let stem = format!("{}-{size}{difficulty}{}", spec.name, symmetry.stem());
        Self { stem, stream: key(spec), parts, make }
    }

    /// Says whether the order asks for a grade.
    pub(in crate::generators) fn is_graded(&self) -> bool {
        self.parts.as_ref().is_ok_and(|(order, _)| order.is_graded())
    }
}

impl<R: Send + Sync> Generator for Steered<R> {
    fn stem(&self) -> String {
        self.stem.clone()
    }

    fn stream(&self) -> String {
        self.stream.clone()
    }

    fn check(&self) -> Result<(), SpecError> {
        match &self.parts {
            Ok(_) => Ok(()),
            Err(error) => Err(error.clone()),
        }
    }

    fn make(&self, rng: &mut RunRng, interrupt: &Interrupt) -> Result<Puzzle, Shortfall> {
        let (order, rules) = self.parts.as_ref().expect("the order was checked");
        (self.make)(rules, Steering::new(order, rng, interrupt))
    }

    fn evolver(&self) -> Option<&dyn Evolver> {
        Some(self)
    }
}

impl<R: Send + Sync> Evolver for Steered<R> {
    fn evolve(
        &self,
        evolution: &Evolution<'_>,
        rng: &mut RunRng,
        interrupt: &Interrupt,
    ) -> Result<Puzzle, Shortfall> {
        let (order, rules) = self.parts.as_ref().expect("the order was checked");
        (self.make)(rules, Steering::new(order, rng, interrupt).evolving(evolution))
    }
}
