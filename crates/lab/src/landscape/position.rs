//! A place on a landscape: its value, the values around it, and the ways that lead on.

use std::cmp::Reverse;
use std::collections::{BTreeSet, BinaryHeap};

use kenga_core::budget::Interrupt;
use kenga_core::rng::RunRng;
use kenga_core::search::Space;
use kenga_core::search::encodings::Encoding;
use kenga_core::search::neighbourhood::Neighbourhood;

use super::Landscape;

/// A place on a landscape of any encoding.
///
/// The value is the violation: lower is better, 0 a solution. A *random move* is the one that local searches draw: of a
/// uniform part a uniform other tuple, or a uniform exchange of all. It is as likely as its reversal, so
/// that a random walk visits all genomes it can reach equally often.
pub trait Explorer: Send {
    /// What operators may do to genomes.
    fn space(&self) -> &Space;

    /// The value of the place.
    fn value(&self) -> i64;

    /// The genome of the place: a rank a cell.
    fn genome(&self) -> &[u8];

    /// Goes to a genome of the encoding.
    fn place(&mut self, genome: &[u8]);

    /// Goes to a random genome.
    fn randomize(&mut self, rng: &mut RunRng);

    /// Makes a random move; `false` where there is none at all.
    fn random_move(&mut self, rng: &mut RunRng) -> bool;

    /// Calls `see` with what every neighbour's value adds to that of the place, each neighbour once.
    fn each_neighbour(&mut self, see: &mut dyn FnMut(i64));

    /// Makes the best improving move, of equals a random one; `false` on a local optimum, which has none.
    fn descend(&mut self, rng: &mut RunRng) -> bool;

    /// Makes a uniform improving move; `false` on a local optimum, which has none.
    fn improve(&mut self, rng: &mut RunRng) -> bool;

    /// Explores the neighbours of equal value, their neighbours of equal value, and so on: the plateau of the place, up to
    /// `limit` genomes. Ends where it began.
    fn plateau(&mut self, limit: usize, interrupt: &Interrupt) -> Flood;

    /// Explores what can be reached by climbing least, up to `limit` genomes, until one has a lower value. The height is
    /// then how far above the place a way to a better one must lead. Ends where it began.
    fn flood(&mut self, limit: usize, interrupt: &Interrupt) -> Flood;

    /// Draws two moves that change different genes, and says what they do alone and together. `None` where two were not
    /// found.
    fn move_pair(&mut self, rng: &mut RunRng) -> Option<MovePair>;
}

/// What an exploration from a place has found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Flood {
    /// The genomes that were visited, that of the place included.
    pub genomes: usize,
    /// The limit ended it, or the interrupt.
    pub is_cut: bool,
    /// The highest value on the way, above that of the place.
    pub height: i64,
    /// The lowest value found, below that of the place or 0.
    pub drop: i64,
}

/// Two moves from one place that change different genes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MovePair {
    /// What either move alone adds to the value.
    pub alone: [i64; 2],
    /// What both together add.
    pub both: i64,
    /// A gene of one and a gene of the other are in one distinct group or clue that is not satisfied by construction.
    pub interact: bool,
}

/// A place on the landscape of one encoding.
pub struct Position<'a, E: Encoding> {
    landscape: &'a Landscape<E>,
    near: E::Near,
    genome: Vec<u8>,
    /// When each slot was last shown, to show it once.
    shown: Vec<u32>,
    now: u32,
}

impl<'a, E: Encoding> Position<'a, E> {
    /// A place that is undefined until it is placed.
    pub fn new(landscape: &'a Landscape<E>) -> Self {
        let near = landscape.neighbourhood();
        let (genome, shown) = (vec![0; landscape.problem().cells()], vec![0; near.slots()]);
        Self { landscape, near, genome, shown, now: 0 }
    }

    /// Calls `see` with the move to every neighbour, or to every better one, and what it adds, each neighbour once.
    fn each(&mut self, only_improving: bool, mut see: impl FnMut(<E::Near as Neighbourhood>::Move, i64)) {
        self.now = self.now.wrapping_add(1);
        // After 2^32 calls the marks of old ones would count again.
        if self.now == 0 {
            self.shown.fill(0);
            self.now = 1;
        }
        self.near.foresee(u64::MAX);
        for variable in 0..self.near.variables() {
            // No move of a variable without conflict improves anything.
            if only_improving && !self.near.is_conflicted(variable) {
                continue;
            }
            let (shown, now) = (&mut self.shown, self.now);
            self.near.scan(variable, u64::MAX, |step, slot, difference| {
                // Both variables of an exchange show it.
                let is_new = std::mem::replace(&mut shown[slot], now) != now;
                if is_new && (difference < 0 || !only_improving) {
                    see(step, difference);
                }
            });
        }
    }

    /// Makes a uniform one of the improving moves, or of the best of them.
    fn go_down(&mut self, rng: &mut RunRng, takes_best: bool) -> bool {
        let (mut chosen, mut lowest, mut equals) = (None, 0, 0);
        self.each(true, |step, difference| {
            // Where any improvement will do, all count as equally good.
            let rank = if takes_best { difference } else { -1 };
            if rank > lowest {
                return;
            }
            equals = if rank < lowest { 1 } else { equals + 1 };
            lowest = rank;
            // Of the equals seen so far each is chosen with the same probability. The first draws nothing.
            if equals == 1 || rng.below(equals) == 0 {
                chosen = Some(step);
            }
        });
        let Some(step) = chosen else { return false };
        self.near.apply(step);
        true
    }

    /// Explores from the place, the lowest known value next, over neighbours whose height above the place is wanted.
    fn explore(&mut self, limit: usize, interrupt: &Interrupt, wants: impl Fn(i64) -> bool) -> Flood {
        let (start, origin) = (self.value(), self.genome().to_vec());
        let mut flood = Flood { genomes: 1, is_cut: false, height: 0, drop: 0 };
        let mut seen = BTreeSet::from([origin.clone()]);
        let mut places = vec![origin];
        // Steps that were found, each with the place where it begins, and their heights, the lowest first.
        let (mut steps, mut open) = (Vec::new(), BinaryHeap::new());
        loop {
            let height = self.value() - start;
            self.each(false, |step, difference| {
                if wants(height + difference) {
                    open.push(Reverse((height + difference, steps.len())));
                    steps.push((places.len() - 1, step));
                }
            });
            let Some(height) = self.go_to_unseen(&places, &steps, &mut open, &seen) else { break };
            if height < 0 {
                flood.drop = height;
                break;
            }
            if flood.genomes == limit || interrupt.is_raised() {
                flood.is_cut = true;
                break;
            }
            flood.height = flood.height.max(height);
            flood.genomes += 1;
            seen.insert(self.genome().to_vec());
            places.push(self.genome().to_vec());
        }
        self.near.place(&places[0]);
        flood
    }

    /// Makes the lowest open step that leads to a new genome; returns its height, or `None` where there is none.
    fn go_to_unseen(
        &mut self,
        places: &[Vec<u8>],
        steps: &[(usize, <E::Near as Neighbourhood>::Move)],
        open: &mut BinaryHeap<Reverse<(i64, usize)>>,
        seen: &BTreeSet<Vec<u8>>,
    ) -> Option<i64> {
        while let Some(Reverse((height, step))) = open.pop() {
            let (from, step) = steps[step];
            self.near.place(&places[from]);
            self.near.apply(step);
            if !seen.contains(self.genome()) {
                return Some(height);
            }
        }
        None
    }

    /// The genes in which the place differs from a genome.
    fn changed(&self, from: &[u8]) -> Vec<usize> {
        let genome = self.near.tally().ranks();
        (0..from.len()).filter(|gene| from[*gene] != genome[*gene]).collect()
    }

    fn interact(&self, first: &[usize], second: &[usize]) -> bool {
        for gene in first {
            for other in second {
                if self.near.tally().interact(*gene, *other) {
                    return true;
                }
            }
        }
        false
    }
}

/// Draws of two moves until they change different genes.
const TRIES: usize = 50;

impl<E: Encoding> Explorer for Position<'_, E> {
    fn space(&self) -> &Space {
        self.landscape.encoding().space()
    }

    fn value(&self) -> i64 {
        self.near.tally().violation()
    }

    fn genome(&self) -> &[u8] {
        self.near.tally().ranks()
    }

    fn place(&mut self, genome: &[u8]) {
        self.near.place(genome);
    }

    fn randomize(&mut self, rng: &mut RunRng) {
        self.landscape.encoding().init(&mut self.genome, rng);
        self.near.place(&self.genome);
    }

    fn random_move(&mut self, rng: &mut RunRng) -> bool {
        let Some(step) = self.near.random(rng) else { return false };
        self.near.apply(step);
        true
    }

    fn each_neighbour(&mut self, see: &mut dyn FnMut(i64)) {
        self.each(false, |_, difference| see(difference));
    }

    fn descend(&mut self, rng: &mut RunRng) -> bool {
        self.go_down(rng, true)
    }

    fn improve(&mut self, rng: &mut RunRng) -> bool {
        self.go_down(rng, false)
    }

    fn plateau(&mut self, limit: usize, interrupt: &Interrupt) -> Flood {
        self.explore(limit, interrupt, |height| height == 0)
    }

    fn flood(&mut self, limit: usize, interrupt: &Interrupt) -> Flood {
        self.explore(limit, interrupt, |_| true)
    }

    fn move_pair(&mut self, rng: &mut RunRng) -> Option<MovePair> {
        let (start, origin) = (self.value(), self.genome().to_vec());
        for _ in 0..TRIES {
            let (first, second) = (self.near.random(rng)?, self.near.random(rng)?);
            let alone = [self.near.difference(first), self.near.difference(second)];
            self.near.apply(first);
            let genes = self.changed(&origin);
            let between = self.genome().to_vec();
            // A move keeps its meaning where the other has changed none of its genes.
            self.near.apply(second);
            let others = self.changed(&between);
            let both = self.value() - start;
            self.near.place(&origin);
            self.near.apply(second);
            // What a move does may depend on digits that the first has changed.
            let is_second = self.changed(&origin) == others;
            self.near.place(&origin);
            let is_apart = others.iter().all(|gene| !genes.contains(gene));
            if is_second && is_apart && !genes.is_empty() && !others.is_empty() {
                return Some(MovePair { alone, both, interact: self.interact(&genes, &others) });
            }
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::landscape::samples::landscapes;
    use kenga_core::rng::StreamKey;

    /// The genomes one move away, found by a walk alone.
    fn neighbours(at: &mut dyn Explorer, rng: &mut RunRng) -> BTreeSet<Vec<u8>> {
        let origin = at.genome().to_vec();
        let mut found = BTreeSet::new();
        for _ in 0..20_000 {
            at.place(&origin);
            at.random_move(rng);
            found.insert(at.genome().to_vec());
        }
        at.place(&origin);
        found
    }

    #[test]
    fn a_look_shows_every_neighbour_once() {
        let mut rng = StreamKey::run(1, "look", 0).rng();
        for landscape in landscapes(3, &mut rng) {
            let mut at = landscape.explorer();
            at.randomize(&mut rng);
            let (origin, start, mut seen) = (at.genome().to_vec(), at.value(), Vec::new());
            at.each_neighbour(&mut |difference| seen.push(difference));
            let mut expected: Vec<i64> = Vec::new();
            for genome in neighbours(&mut *at, &mut rng) {
                at.place(&genome);
                expected.push(at.value() - start);
            }
            at.place(&origin);
            seen.sort_unstable();
            expected.sort_unstable();
            assert_eq!(seen, expected);
        }
    }

    #[test]
    fn descents_end_where_no_neighbour_is_better() {
        let mut rng = StreamKey::run(1, "descent", 0).rng();
        for landscape in landscapes(5, &mut rng) {
            let mut at = landscape.explorer();
            for steepest in [true, false] {
                at.randomize(&mut rng);
                let mut value = at.value();
                while if steepest { at.descend(&mut rng) } else { at.improve(&mut rng) } {
                    assert!(at.value() < value);
                    value = at.value();
                }
                at.each_neighbour(&mut |difference| assert!(difference >= 0));
            }
        }
    }

    /// What a flood finds, by looking at every genome that can be reached.
    #[test]
    fn floods_climb_no_higher_than_they_must() {
        let mut rng = StreamKey::run(1, "flood", 0).rng();
        let never = Interrupt::default();
        for landscape in landscapes(2, &mut rng) {
            let mut at = landscape.explorer();
            at.randomize(&mut rng);
            let origin = at.genome().to_vec();
            let (plateau, flood) = (at.plateau(usize::MAX, &never), at.flood(usize::MAX, &never));
            assert_eq!(at.genome(), origin, "an exploration ends where it began");
            assert!(!flood.is_cut && flood.drop <= 0 && flood.height >= 0);
            assert!(plateau.height == 0 && plateau.genomes >= 1);
            if flood.drop < 0 {
                assert!(at.flood(flood.genomes, &never).drop < 0, "that many genomes suffice");
            }
        }
    }

    #[test]
    fn moves_that_share_no_group_add_up() {
        let mut rng = StreamKey::run(1, "pair", 0).rng();
        let (mut apart, mut together) = (0, 0);
        for landscape in landscapes(6, &mut rng) {
            let mut at = landscape.explorer();
            for _ in 0..300 {
                at.randomize(&mut rng);
                let value = at.value();
                let Some(pair) = at.move_pair(&mut rng) else { continue };
                assert_eq!(at.value(), value, "the place is left as it was");
                let [first, second] = pair.alone;
                if pair.interact {
                    together += u32::from(first + second != pair.both);
                } else {
                    assert_eq!(first + second, pair.both);
                    apart += 1;
                }
            }
        }
        assert!(apart > 100 && together > 100, "{apart} {together}");
    }
}
