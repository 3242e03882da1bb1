//! The microscope: how an individual came to be, step by step.

use serde_json::{Map, Value, json};

use super::view::{broken, genome, terms};
use kenga_core::fitness::Fitness;
use kenga_core::puzzle::Puzzle;
use kenga_core::search::Birth;
use kenga_lab::experiment::BrokenGroup;
use kenga_lab::playback::{Frame, Origin};

/// How the individual in a row of an island came to be; `None` where it was not noted.
pub(crate) fn origin(
    frame: &Frame,
    (island, row): (usize, usize),
    fitness: &Fitness,
    puzzle: &Puzzle,
) -> Option<Value> {
    let own = frame.islands.get(island).filter(|rows| row < rows.len())?.genome(row);
    let lens = Lens { fitness, puzzle };
    let (kind, mut object) = match frame.origin(island, row)? {
        Origin::Random => ("random", Map::new()),
        Origin::Stayed => ("stayed", Map::new()),
        Origin::Unknown => ("unknown", Map::new()),
        Origin::Moved(from, _) => ("moved", lens.moved(from, own)),
        Origin::Born(birth) => ("born", lens.born(&birth)),
    };
    object.insert("generation".to_owned(), json!(frame.generation));
    object.insert("origin".to_owned(), json!(kind));
    object.insert("individual".to_owned(), lens.whole(own));
    Some(object.into())
}

/// What genomes are looked at with.
struct Lens<'a> {
    fitness: &'a Fitness,
    puzzle: &'a Puzzle,
}

impl Lens<'_> {
    /// A genome with its fitness.
    fn bare(&self, ranks: &[u8]) -> Value {
        json!({"genome": genome(ranks), "fitness": self.fitness.evaluate(ranks)})
    }

    /// A genome with all that it is worth.
    fn whole(&self, ranks: &[u8]) -> Value {
        let all = BrokenGroup::of(self.fitness, ranks);
        json!({
            "genome": genome(ranks),
            "fitness": self.fitness.evaluate(ranks),
            "terms": terms(&self.fitness.terms(ranks)),
            "broken": all.iter().map(|group| broken(group, self.puzzle)).collect::<Vec<_>>(),
        })
    }

    /// What a local search has changed.
    fn moved(&self, from: &[u8], own: &[u8]) -> Map<String, Value> {
        let mut object = Map::new();
        object.insert("from".to_owned(), self.bare(from));
        object.insert("changed".to_owned(), changed(from, own));
        self.compare(from, own, &mut object);
        object
    }

    /// What crossover, mutation and improvement have made.
    fn born(&self, birth: &Birth<'_>) -> Map<String, Value> {
        let [first, second] = birth.parents;
        let parent = |index: usize| {
            let mut parent = self.bare(birth.parents[index]);
            parent["place"] = json!(birth.places[index]);
            parent
        };
        let better = if self.fitness.evaluate(second) < self.fitness.evaluate(first) { 1 } else { 0 };
        let improved = (birth.child != birth.mutated).then(|| {
            let mut improved = self.bare(birth.child);
            improved["changed"] = changed(birth.mutated, birth.child);
            improved
        });
        let (mut crossed, mut mutated) = (self.bare(birth.crossed), self.bare(birth.mutated));
        crossed["operator"] = json!(birth.crossover);
        crossed["sides"] = json!(sides(birth));
        mutated["operator"] = json!(birth.mutation);
        mutated["changed"] = changed(birth.crossed, birth.mutated);
        let mut object = Map::new();
        object.insert("parents".to_owned(), json!([parent(0), parent(1)]));
        object.insert("better".to_owned(), json!(better));
        object.extend([("crossed".to_owned(), crossed), ("mutated".to_owned(), mutated)]);
        object.insert("improved".to_owned(), json!(improved));
        self.compare(birth.parents[better], birth.child, &mut object);
        object
    }

    /// The groups that are broken before and not after, and the other way round.
    fn compare(&self, before: &[u8], after: &[u8], object: &mut Map<String, Value>) {
        let [was, is] = [before, after].map(|ranks| BrokenGroup::of(self.fitness, ranks));
        let only = |some: &[BrokenGroup], others: &[BrokenGroup]| -> Vec<Value> {
            let is_new = |group: &&BrokenGroup| others.iter().all(|other| other.group != group.group);
            some.iter().filter(is_new).map(|group| broken(group, self.puzzle)).collect()
        };
        object.insert("repaired".to_owned(), json!(only(&was, &is)));
        object.insert("broke".to_owned(), json!(only(&is, &was)));
    }
}

/// The genes in which two genomes differ.
fn changed(before: &[u8], after: &[u8]) -> Value {
    let differs = |(gene, (before, after)): (usize, (&u8, &u8))| (before != after).then_some(gene);
    before.iter().zip(after).enumerate().filter_map(differs).collect::<Vec<_>>().into()
}

/// Of every gene after crossover the parent that has it: `0`, `1`, `=` for both, `?` for neither.
fn sides(birth: &Birth<'_>) -> String {
    let [first, second] = birth.parents;
    let side = |(gene, (first, second)): (&u8, (&u8, &u8))| match (gene == first, gene == second) {
        (true, true) => '=',
        (true, false) => '0',
        (false, true) => '1',
        (false, false) => '?',
    };
    birth.crossed.iter().zip(first.iter().zip(second)).map(side).collect()
}
