//! Algorithms whose next genome depends on the present one alone, as Markov chains.
//!
//! An algorithm whose whole state is one genome is a Markov chain over genomes. Here each says what chain it is; its moves and
//! its random starts are those of its encoding. Others say why they are none.

use thiserror::Error;

/// How an algorithm goes from genome to genome.
#[derive(Clone, Debug, PartialEq)]
pub enum MarkovModel {
    /// Improving moves of variables in conflict until there is none.
    Descent {
        /// The first improving move of the variables in random order; else the best of all, of equals a uniform one.
        takes_first: bool,
        /// A local optimum is followed by another start; else it ends the run.
        restarts: bool,
        /// The moves after which it might start again before it has come to a local optimum.
        patience: u64,
    },
    /// A random move, made where it worsens nothing, else with probability exp(-difference / temperature). No restarts.
    Metropolis {
        /// The temperature.
        temperature: f64,
    },
    /// One individual and one child of it, which takes its place unless its fitness is worse.
    OnePlusOne(MutationModel),
    /// Random genomes, each on its own.
    Sampling,
}

/// How a mutation makes a child.
#[derive(Clone, Debug, PartialEq)]
pub enum MutationModel {
    /// A uniform free gene is exchanged with a uniform one of its segment, which may be itself.
    Exchange,
    /// Every free gene, in order, is exchanged with this probability with a uniform one of its segment.
    Exchanges(f64),
    /// Two different free genes of every line are exchanged with this probability.
    LineExchanges(f64),
    /// Every free gene takes a uniform one of its digits with this probability.
    Resets(f64),
}

/// Why an algorithm is no chain over genomes.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum MarkovError {
    /// Its state is more than one genome, such as a population.
    #[error("the state of the algorithm is more than one genome")]
    Algorithm,
    /// A key has a value with which it does.
    #[error("`algorithm.{key}`: to be followed exactly, it has to be {expected}")]
    Key {
        /// The key.
        key: &'static str,
        /// What its value has to be.
        expected: String,
    },
}

impl MarkovError {
    /// A key that has to be something else.
    pub(super) fn key(key: &'static str, expected: impl Into<String>) -> Self {
        Self::Key { key, expected: expected.into() }
    }
}

impl MarkovModel {
    /// Its steps are evaluations; else moves.
    pub fn evaluates(&self) -> bool {
        matches!(self, Self::OnePlusOne(_) | Self::Sampling)
    }

    /// What it is, in words.
    pub fn words(&self) -> String {
        match self {
            Self::Descent { takes_first, restarts, .. } => {
                let move_made = if *takes_first { "first" } else { "best" };
                let end = if *restarts { "then starts again" } else { "then ends" };
                format!("makes the {move_made} improving move until there is none, {end}")
            }
            Self::Metropolis { temperature } => format!("makes random moves at temperature {temperature}"),
            Self::OnePlusOne(mutation) => format!("a (1+1) algorithm: {}", mutation.words()),
            Self::Sampling => "draws genomes at random".to_owned(),
        }
    }
}

impl MutationModel {
    fn words(&self) -> String {
        match self {
            Self::Exchange => "one exchange a child".to_owned(),
            Self::Exchanges(rate) => format!("each gene is exchanged with probability {rate}"),
            Self::LineExchanges(rate) => {
                format!("two genes of each line are exchanged with probability {rate}")
            }
            Self::Resets(rate) => format!("each gene takes a random digit with probability {rate}"),
        }
    }
}
