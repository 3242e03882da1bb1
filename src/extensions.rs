//! What a program adds to kenga's tables: operators, algorithms, encodings and problems of its own.
//!
//! Members that a program adds are as kenga's own: configurations and errors name them, `kenga list` shows them, results
//! folders record them. No member can take the place of another: a name that stands in a table is refused.

use kenga_core::puzzle::formats::{self, Format};
use kenga_core::puzzle::operators::{self, ClueOperator};
use kenga_core::search::algorithms::{ALGORITHMS, Maker};
use kenga_core::search::encodings::{ENCODINGS, Encoder};
use kenga_core::search::objectives::{OBJECTIVES, ObjectiveMaker};
use kenga_core::search::operators::crossover::{CROSSOVER, Crossover};
use kenga_core::search::operators::mutation::{MUTATION, Mutation};
use kenga_core::search::operators::niching::{NICHING, Niching};
use kenga_core::search::operators::replacement::{REPLACEMENT, Replacement};
use kenga_core::search::operators::restart::{RESTART, Restart};
use kenga_core::search::operators::scaling::{SCALING, Scaling};
use kenga_core::search::operators::schedule::{SCHEDULE, Schedule};
use kenga_core::search::operators::selection::{SELECTION, Selection};
use kenga_core::search::operators::topology::{TOPOLOGY, TopologyResult};
use kenga_core::search::operators::weights::{WEIGHTS, WeightAdaptation};
use kenga_core::spec::Builder;
use kenga_core::table::ExtensionError;
use kenga_craft::{GENERATORS, Generator};

/// Declares [`Extensions`]: a field, a function that sets it, and the table that it extends.
macro_rules! extensions {
    ($($field:ident: $entry:ty => $table:expr, $about:literal;)*) => {
        /// The members that a program adds to kenga's tables.
        ///
        /// ```
        /// use kenga::Extensions;
        /// use kenga::search::operators::mutation::Mutation;
        /// use kenga::spec::Builder;
        ///
        /// const fn with(mutation: &'static [&'static Builder<Box<dyn Mutation>>]) -> Extensions {
        ///     Extensions::new().mutations(mutation)
        /// }
        /// ```
        #[derive(Clone, Copy)]
        pub struct Extensions {
            $($field: &'static [&'static $entry],)*
        }

        impl Extensions {
            /// No members.
            pub const fn new() -> Self {
                Self { $($field: &[],)* }
            }

            $(
                #[doc = $about]
                #[must_use]
                pub const fn $field(self, members: &'static [&'static $entry]) -> Self {
                    Self { $field: members, ..self }
                }
            )*

            /// Adds the members to kenga's tables. Members that stand there already stay where they are, so that it may be
            /// called any number of times, and with extensions that have members in common.
            ///
            /// # Errors
            /// [`ExtensionError`] for the first member without a sound name of its own; nothing is added then.
            pub fn install(&self) -> Result<(), ExtensionError> {
                $($table.check(self.$field)?;)*
                $($table.extend(self.$field)?;)*
                Ok(())
            }
        }
    };
}

extensions! {
    algorithms: Builder<Maker> => ALGORITHMS, "Adds search algorithms.";
    encodings: Builder<Encoder> => ENCODINGS, "Adds encodings.";
    selections: Builder<Box<dyn Selection>> => SELECTION, "Adds selections of parents.";
    scalings: Builder<Box<dyn Scaling>> => SCALING, "Adds scalings of scores.";
    nichings: Builder<Box<dyn Niching>> => NICHING, "Adds nichings.";
    crossovers: Builder<Box<dyn Crossover>> => CROSSOVER, "Adds crossovers.";
    mutations: Builder<Box<dyn Mutation>> => MUTATION, "Adds mutations.";
    replacements: Builder<Box<dyn Replacement>> => REPLACEMENT, "Adds replacements.";
    weights: Builder<Box<dyn WeightAdaptation>> => WEIGHTS, "Adds adaptations of weights.";
    restarts: Builder<Box<dyn Restart>> => RESTART, "Adds restarts.";
    topologies: Builder<TopologyResult> => TOPOLOGY, "Adds topologies of islands.";
    schedules: Builder<Box<dyn Schedule>> => SCHEDULE, "Adds schedules of rates.";
    generators: Builder<Box<dyn Generator>> => GENERATORS, "Adds generators of puzzles.";
    problems: Builder<ObjectiveMaker> => OBJECTIVES, "Adds problems of one's own.";
    clue_operators: ClueOperator => operators::TABLE, "Adds operators of clues.";
    formats: Format => formats::TABLE, "Adds formats of puzzles.";
}

impl Default for Extensions {
    fn default() -> Self {
        Self::new()
    }
}
