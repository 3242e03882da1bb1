//! Checks of the rows of `populations.csv` against each other, the puzzle and the run's row.

use super::super::rows::{Numbered, PopulationRow, RowProblem, RunRow};
use super::{Check, first_problem, problem_at};
use crate::experiment::RunId;

impl Check<'_> {
    pub(super) fn lacks_populations(&self, row: &RunRow) -> Option<&'static str> {
        (row.generations > 0).then_some("no populations")
    }

    /// The first line of a run's individuals that does not hold, and why.
    pub(super) fn problem_of_populations(
        &self,
        row: &RunRow,
        of_run: &[Numbered<PopulationRow>],
    ) -> Option<RowProblem> {
        let id = self.plan.id(row.run);
        let problem = first_problem(of_run, |before, individual| {
            let problem = self.problem_of_individual(id, row, individual);
            problem.or_else(|| self.problem_of_place(row, individual, before))
        });
        if problem.is_some() {
            return problem;
        }
        let Numbered { line, row: last } = of_run.last()?;
        if last.generation == row.generations {
            return None;
        }
        problem_at(
            *line,
            format!("it ends at generation {}, the run at {}", last.generation, row.generations),
        )
    }

    /// What is wrong with an individual. What it is worth in a problem of the user's own only a replay can tell.
    fn problem_of_individual(&self, id: RunId, row: &RunRow, individual: &PopulationRow) -> Option<String> {
        let problem = self.runner.problem(id.puzzle);
        let Some(ranks) = individual.ranks(problem.cells(), problem.values()) else {
            return Some("the genome does not fit this puzzle".to_owned());
        };
        let claimed = individual.fitness;
        // Genomes of an own problem would have to be evaluated by its program.
        if self.plan.puzzles[id.puzzle].genome().is_none() {
            let fitness = self.runner.fitness(id).evaluate(&ranks);
            if fitness != claimed {
                return Some(format!("fitness is {fitness}, not {claimed}"));
            }
        }
        let best = row.best_fitness.filter(|best| claimed < *best)?;
        Some(format!("fitness {claimed} is below best_fitness {best}"))
    }

    /// What is wrong with the generation or the island of an individual.
    fn problem_of_place(
        &self,
        row: &RunRow,
        individual: &PopulationRow,
        before: Option<&PopulationRow>,
    ) -> Option<String> {
        let PopulationRow { generation, island, .. } = *individual;
        let is_recorded = self.plan.config.record_populations.may_record(generation);
        if generation > row.generations || !is_recorded && generation != row.generations {
            return Some(format!("generation {generation} is not one that is recorded"));
        }
        if self.runner.islands(self.plan.id(row.run)).is_some_and(|islands| island >= islands) {
            return Some(format!("there is no island {island}"));
        }
        let follows = match before {
            None => generation == 0,
            Some(before) => (before.generation, before.island) <= (generation, island),
        };
        if follows { None } else { Some("generations and islands do not grow from generation 0".to_owned()) }
    }
}
