//! The age-layered population structure (ALPS): individuals compete within a layer of their age.
//!
//! ```text
//! population 12, layers 3, gap 10       ages up to 10      up to 20      any
//! layer                                 0  1  2  3         4  5  6  7    8  9 10 11
//! a child of age 14 replaces the worst of 4 to 7 unless it is worse itself; the replaced one tries to replace one of
//! 8 to 11; after every 10 population sizes of children, 0 to 3 try to move up and are re-initialised
//! ```
//!
//! The age of an individual is the time since its oldest genes were made at random, in children divided by the size of
//! the population: a child is as old as the older of its parents. The layers are equal stretches of the population.
//! Their age limits are gap x 1, 2, 4, 9, 16, 25 …; the last has none. An individual that is too old for its layer is
//! replaced before the worst. Parents mate within their own layer and the one below: a second parent from elsewhere is
//! replaced by a uniform one from there. So individuals grown from new random genomes compete with a stalled top layer
//! only when they are ready, and no restart is needed.
//!
//! This is the steady-state form. Every re-initialised individual costs an evaluation. A migrant from another
//! population is as old as the individual that it replaces. Each child costs O(population).

use std::ops::Range;

use crate::budget::Guard;
use crate::rng::RunRng;
use crate::search::Population;
use crate::spec::{Builder, Member, Param};

use super::{CHECK_EVERY, OFFSPRING, Renewal, Replacement};

struct AgeLayers {
    offspring: usize,
    layers: usize,
    gap: u64,
    /// Children made so far.
    now: u64,
    /// When the lowest layer is re-initialised.
    due: u64,
    /// When the oldest genes of each individual were made.
    born: Vec<u64>,
    /// The same for the children of a generation.
    children: Vec<u64>,
}

pub(super) static ENTRY: Builder<Box<dyn Replacement>> = Member::new("age_layers")
    .about("ALPS: a child competes in the layer of its age; the lowest layer is re-initialised regularly")
    .source("G. S. Hornby 2006, ALPS: the age-layered population structure, doi:10.1145/1143997.1144142")
    .params(&[
        OFFSPRING,
        Param::integer("layers", 1..=100, 5).about("number of layers; 1 is a steady-state replacement"),
        Param::count("gap", 10).about(
            "age limit of the lowest layer and time until it is re-initialised, in offspring per individual",
        ),
    ])
    .build(|spec| Box::new(AgeLayers::new(spec.size("offspring"), spec.size("layers"), spec.count("gap"))));

/// The places of one of `layers` layers in a population of `len`.
fn places(layer: usize, layers: usize, len: usize) -> Range<usize> {
    layer * len / layers..(layer + 1) * len / layers
}

/// The age limit of a layer, in gaps.
fn gaps(layer: usize) -> u64 {
    match layer {
        0 => 1,
        1 => 2,
        _ => (layer * layer) as u64,
    }
}

impl AgeLayers {
    fn new(offspring: usize, layers: usize, gap: u64) -> Self {
        Self { offspring, layers, gap, now: 0, due: 0, born: Vec::new(), children: Vec::new() }
    }

    /// The number of layers of a population, none of them empty.
    fn layers(&self, len: usize) -> usize {
        self.layers.min(len)
    }

    /// The layer that a place belongs to.
    fn layer_of(&self, place: usize, len: usize) -> usize {
        let layers = self.layers(len);
        (0..layers)
            .find(|layer| places(*layer, layers, len).contains(&place))
            .expect("layers cover all places")
    }

    /// An individual born then is too old for the layer.
    fn is_too_old(&self, born: u64, layer: usize, len: usize) -> bool {
        layer + 1 < self.layers(len) && self.now - born > gaps(layer) * self.gap * len as u64
    }

    /// The place of the first individual of a layer to be replaced: too old, then worst; of equals a uniform one.
    fn weakest(&self, population: &Population, layer: usize, rng: &mut RunRng) -> usize {
        let len = population.len();
        let key = |place: usize| (self.is_too_old(self.born[place], layer, len), population.guide()[place]);
        let range = places(layer, self.layers(len), len);
        let weakest = range.clone().map(key).max().expect("no layer is empty");
        let equals = || range.clone().filter(|place| key(*place) == weakest);
        equals().nth(rng.below(equals().count())).expect("the index is below their count")
    }

    /// Frees a place: its individual tries to take one in a layer above, whose individual does the same.
    fn move_up(&mut self, population: &mut Population, place: usize, layer: usize, rng: &mut RunRng) {
        let len = population.len();
        let born = self.born[place];
        let above = (layer + 1..self.layers(len)).find(|above| !self.is_too_old(born, *above, len));
        let Some(above) = above else { return };
        let rival = self.weakest(population, above, rng);
        if self.yields(population, rival, above, population.guide()[place]) {
            self.move_up(population, rival, above, rng);
            // The rival has moved on, or is lost.
            population.copy_within(rival, place);
            self.born[rival] = born;
        }
    }

    /// The individual at a place is replaced by one with this guide.
    fn yields(&self, population: &Population, place: usize, layer: usize, guide: u32) -> bool {
        guide <= population.guide()[place] || self.is_too_old(self.born[place], layer, population.len())
    }
}

impl Replacement for AgeLayers {
    fn offspring(&self, _population: usize) -> usize {
        self.offspring
    }

    fn mate(&self, [first, second]: [usize; 2], len: usize, rng: &mut RunRng) -> usize {
        let (layer, layers) = (self.layer_of(first, len), self.layers(len));
        let near = places(layer.saturating_sub(1), layers, len).start..places(layer, layers, len).end;
        if near.contains(&second) { second } else { near.start + rng.below(near.len()) }
    }

    fn begin(&mut self, len: usize) {
        self.born.clear();
        self.born.resize(len, self.now);
        self.due = self.now + self.gap * len as u64;
    }

    fn renewal(&mut self) -> Option<&mut dyn Renewal> {
        Some(self)
    }

    fn replace(
        &mut self,
        population: &mut Population,
        offspring: &mut Population,
        rng: &mut RunRng,
        guard: &mut Guard,
    ) {
        let len = population.len();
        // A replacement may be used without a first population of its own, as in tests of operators.
        if self.born.len() != len {
            self.begin(len);
        }
        self.now += offspring.len() as u64;
        self.children.clear();
        for child in 0..offspring.len() {
            // Before any child takes a place: places still have their parents.
            let [one, other] = offspring.parents(child).map(|parent| self.born[parent]);
            self.children.push(one.min(other));
        }
        for child in 0..offspring.len() {
            if guard.cuts_at(child, CHECK_EVERY) {
                return;
            }
            let born = self.children[child];
            let layer = (0..self.layers(len)).find(|layer| !self.is_too_old(born, *layer, len));
            let layer = layer.expect("the last layer holds any age");
            let place = self.weakest(population, layer, rng);
            if self.yields(population, place, layer, offspring.guide()[child]) {
                self.move_up(population, place, layer, rng);
                population.copy_from(place, offspring, child);
                self.born[place] = born;
            }
        }
    }
}

impl Renewal for AgeLayers {
    fn give_up(&mut self, population: &mut Population, rng: &mut RunRng, guard: &mut Guard) -> usize {
        let len = population.len();
        // A single layer has nobody above: it would forget its best.
        if self.now < self.due || self.layers(len) == 1 {
            return 0;
        }
        self.due = self.now + self.gap * len as u64;
        let lowest = places(0, self.layers(len), len);
        for place in lowest.clone() {
            if guard.cuts_at(place, CHECK_EVERY) {
                return 0;
            }
            self.move_up(population, place, 0, rng);
            self.born[place] = self.now;
        }
        lowest.end
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rng::StreamKey;

    fn rng() -> RunRng {
        StreamKey::run(1, "", 0).rng()
    }

    /// Six individuals in three layers, gap 1: ages up to 6, up to 12, any; 100 children have been made.
    fn layers(ages: [u64; 6]) -> AgeLayers {
        let born = ages.map(|age| 100 - age).to_vec();
        AgeLayers { now: 100, due: 100, born, ..AgeLayers::new(1, 3, 1) }
    }

    /// The population after a child of the individual at `parent` with this fitness, and the ages.
    fn after(fitness: [u32; 6], ages: [u64; 6], parent: usize, child: u32) -> (Vec<u32>, Vec<u64>) {
        let (mut layers, mut parents, mut offspring) =
            (layers(ages), Population::of_fitness(&fitness), Population::of_fitness(&[child]));
        offspring.set_parents(0, [parent; 2]);
        layers.replace(&mut parents, &mut offspring, &mut rng(), &mut Guard::default());
        (parents.fitness().to_vec(), layers.born.iter().map(|born| layers.now - born).collect())
    }

    #[test]
    fn a_child_competes_in_its_layer_and_the_replaced_move_up() {
        // The worst of the lowest layer goes to the middle, whose worst goes to the top.
        let (fitness, ages) = after([7, 9, 10, 11, 12, 3], [1, 1, 8, 8, 30, 40], 0, 5);
        assert_eq!((fitness, ages), (vec![7, 5, 10, 9, 11, 3], vec![2, 2, 9, 2, 9, 41]));
        // An old child goes to the top, and is refused where it is worse.
        assert_eq!(after([7, 9, 10, 11, 12, 3], [1, 1, 8, 8, 30, 40], 4, 5).0, [7, 9, 10, 11, 5, 3]);
        assert_eq!(after([7, 9, 10, 11, 12, 3], [1, 1, 8, 8, 30, 40], 4, 13).0, [7, 9, 10, 11, 12, 3]);
    }

    #[test]
    fn the_too_old_are_replaced_before_the_worst() {
        let (fitness, _) = after([1, 9, 10, 11, 12, 3], [7, 1, 8, 8, 30, 40], 1, 20);
        assert_eq!(fitness, [20, 9, 10, 1, 11, 3]);
    }

    #[test]
    fn the_lowest_layer_moves_up_and_is_renewed() {
        let mut layers = layers([5, 6, 8, 8, 30, 40]);
        let mut population = Population::of_fitness(&[1, 12, 10, 11, 9, 8]);
        assert_eq!(layers.give_up(&mut population, &mut rng(), &mut Guard::default()), 2);
        assert_eq!(population.fitness()[2..], [10, 1, 9, 8]);
        assert_eq!(layers.born, [100, 100, 92, 95, 70, 60]);
        assert_eq!(layers.give_up(&mut population, &mut rng(), &mut Guard::default()), 0);
    }

    #[test]
    fn parents_mate_with_their_layer_and_the_one_below() {
        let (layers, mut rng) = (layers([0; 6]), rng());
        assert_eq!([0, 1, 2, 3].map(|second| layers.mate([2, second], 6, &mut rng)), [0, 1, 2, 3]);
        assert!((0..50).all(|_| layers.mate([3, 5], 6, &mut rng) < 4));
        assert!((0..50).all(|_| layers.mate([0, 2], 6, &mut rng) < 2));
    }
}
