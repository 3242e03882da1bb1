//! The microscope: how an individual came to be, step by step.

use serde_json::{Value, json};

use super::view::{broken, genome, terms};
use kenga_core::fitness::Fitness;
use kenga_core::puzzle::Puzzle;
use kenga_core::search::Birth;
use kenga_lab::experiment::BrokenGroup;
use kenga_lab::playback::{Frame, Origin};

/// What genomes of a run that is played are looked at with.
pub(crate) struct BirthView<'a> {
    pub(crate) fitness: &'a Fitness,
    pub(crate) puzzle: &'a Puzzle,
}

impl BirthView<'_> {
    /// How the individual in a row of an island came to be; `None` where it was not noted.
    pub(crate) fn origin(&self, frame: &Frame, island: usize, row: usize) -> Option<Value> {
        let rows = frame.islands.get(island)?;
        if row >= rows.len() {
            return None;
        }
        let own = rows.genome(row);
        let (kind, mut object) = match frame.origin(island, row)? {
            Origin::Random => ("random", json!({})),
            Origin::Stayed => ("stayed", json!({})),
            Origin::Unknown => ("unknown", json!({})),
            Origin::Moved(from, _) => ("moved", self.moved(from, own)),
            Origin::Born(birth) => ("born", self.born(&birth)),
        };
        object["generation"] = json!(frame.generation);
        object["origin"] = json!(kind);
        object["individual"] = self.whole(own);
        Some(object)
    }

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
    fn moved(&self, from: &[u8], own: &[u8]) -> Value {
        let mut object = json!({"from": self.bare(from), "changed": changed(from, own)});
        self.compare(from, own, &mut object);
        object
    }

    /// What crossover, mutation and improvement have made.
    fn born(&self, birth: &Birth<'_>) -> Value {
        let [first, second] = birth.parents;
        let mut parents = [self.bare(first), self.bare(second)];
        parents[0]["place"] = json!(birth.places[0]);
        parents[1]["place"] = json!(birth.places[1]);
        // Of two equal parents the first counts, after which the child takes.
        let better = usize::from(self.fitness.evaluate(second) < self.fitness.evaluate(first));
        let mut crossed = self.bare(birth.crossed);
        crossed["operator"] = json!(birth.crossover);
        crossed["sides"] = json!(sides(birth));
        let mut mutated = self.bare(birth.mutated);
        mutated["operator"] = json!(birth.mutation);
        mutated["changed"] = changed(birth.crossed, birth.mutated);
        let mut improved = Value::Null;
        if birth.child != birth.mutated {
            improved = self.bare(birth.child);
            improved["changed"] = changed(birth.mutated, birth.child);
        }
        let mut object = json!({
            "parents": parents, "better": better, "crossed": crossed, "mutated": mutated, "improved": improved,
        });
        self.compare(birth.parents[better], birth.child, &mut object);
        object
    }

    /// Adds the groups that are broken before and not after, and the other way round.
    fn compare(&self, before: &[u8], after: &[u8], object: &mut Value) {
        let was = BrokenGroup::of(self.fitness, before);
        let is = BrokenGroup::of(self.fitness, after);
        object["repaired"] = self.only_in(&was, &is);
        object["broke"] = self.only_in(&is, &was);
    }

    /// The groups of the first list that the second has not.
    fn only_in(&self, some: &[BrokenGroup], others: &[BrokenGroup]) -> Value {
        let mut only = Vec::new();
        for group in some {
            if others.iter().all(|other| other.group != group.group) {
                only.push(broken(group, self.puzzle));
            }
        }
        Value::Array(only)
    }
}

/// The genes in which two genomes differ.
fn changed(before: &[u8], after: &[u8]) -> Value {
    let mut genes = Vec::new();
    for (gene, (before, after)) in before.iter().zip(after).enumerate() {
        if before != after {
            genes.push(gene);
        }
    }
    json!(genes)
}

/// Of every gene after crossover the parent that has it: `0`, `1`, `=` for both, `?` for neither.
fn sides(birth: &Birth<'_>) -> String {
    let [first, second] = birth.parents;
    let mut sides = String::new();
    for (place, gene) in birth.crossed.iter().enumerate() {
        sides.push(match (*gene == first[place], *gene == second[place]) {
            (true, true) => '=',
            (true, false) => '0',
            (false, true) => '1',
            (false, false) => '?',
        });
    }
    sides
}
