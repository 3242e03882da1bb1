//! What a viewer sees of a run under way.

use super::Sample;
use kenga_core::budget::Spent;
use kenga_core::search::Migration;

/// What a viewer asks for and records of a run. It changes nothing of the run.
#[derive(Clone, Debug)]
pub struct LiveView {
    /// Generations between two samples besides those that are recorded, from 1.
    pub every: u64,
    /// A generation of which a sample is asked for besides.
    pub asked: Option<u64>,
    /// Whether usage and gain of the operators are counted, whatever the configuration says; read when the run begins.
    pub operators: bool,
    /// Whether the births of the generation that is made next are asked for.
    pub births: bool,
    /// Samples of the generations that were asked for, and of those that are recorded, until somebody takes them.
    pub samples: Vec<Sample>,
    /// The migrants of the last barrier, in the order in which they settled.
    pub migrations: Vec<Migration>,
    /// Migrants that have settled so far.
    pub migrants: u64,
    /// What had been spent at the last complete generation.
    pub passed: Option<Spent>,
}

impl LiveView {
    /// A view without samples that asks for a sample every so many generations.
    pub fn new(every: u64, operators: bool) -> Self {
        let (samples, migrations) = (Vec::new(), Vec::new());
        Self { every, asked: None, operators, births: false, samples, migrations, migrants: 0, passed: None }
    }

    pub(super) fn wants(&self, generation: u64) -> bool {
        self.asked == Some(generation) || generation.is_multiple_of(self.every)
    }

    pub(super) fn migrated(&mut self, migration: &Migration) {
        if self.migrations.last().is_some_and(|last| last.spent != migration.spent) {
            self.migrations.clear();
        }
        self.migrations.push(*migration);
        self.migrants += 1;
    }
}
