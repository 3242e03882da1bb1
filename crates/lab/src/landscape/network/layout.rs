//! Places for the nodes of a network: edges pull, nodes push.
//!
//! Source: T. M. J. Fruchterman, E. M. Reingold 1991, doi:10.1002/spe.4380211102. The first places are on a spiral, by the
//! golden angle, so that nothing is random.

use super::Network;

impl Network {
    /// A place in the unit square for each node.
    pub fn layout(&self) -> Vec<(f64, f64)> {
        const ROUNDS: usize = 300;
        let count = self.nodes.len();
        let ideal = (1.0 / count.max(1) as f64).sqrt();
        let mut places: Vec<(f64, f64)> = (0..count).map(|node| spiral(node, count)).collect();
        let mut heaviest = 0.0_f64;
        for edge in &self.edges {
            heaviest = heaviest.max(edge.weight);
        }
        for round in 0..ROUNDS {
            let mut forces = vec![(0.0, 0.0); count];
            for a in 0..count {
                for b in a + 1..count {
                    let (x, y) = (places[a].0 - places[b].0, places[a].1 - places[b].1);
                    let push = ideal * ideal / (x * x + y * y).max(1e-9);
                    forces[a] = (forces[a].0 + x * push, forces[a].1 + y * push);
                    forces[b] = (forces[b].0 - x * push, forces[b].1 - y * push);
                }
            }
            for edge in &self.edges {
                let (a, b) = (edge.from as usize, edge.to as usize);
                if a == b {
                    continue;
                }
                let (x, y) = (places[a].0 - places[b].0, places[a].1 - places[b].1);
                let pull = (x * x + y * y).sqrt() / ideal * (edge.weight / heaviest).sqrt();
                forces[a] = (forces[a].0 - x * pull, forces[a].1 - y * pull);
                forces[b] = (forces[b].0 + x * pull, forces[b].1 + y * pull);
            }
            // Steps become shorter, so that the places settle.
            let heat = 0.1 * (1.0 - round as f64 / ROUNDS as f64);
            for (place, force) in places.iter_mut().zip(&forces) {
                // What holds the parts of a network together that no edge joins.
                let force = (force.0 - (place.0 - 0.5) * 0.1, force.1 - (place.1 - 0.5) * 0.1);
                let length = (force.0 * force.0 + force.1 * force.1).sqrt().max(1e-12);
                let step = length.min(heat) / length;
                *place = (place.0 + force.0 * step, place.1 + force.1 * step);
            }
        }
        into_unit_square(places)
    }
}

fn spiral(node: usize, of: usize) -> (f64, f64) {
    let angle = node as f64 * 2.399_963_229_728_653;
    let radius = 0.5 * ((node as f64 + 0.5) / of as f64).sqrt();
    (0.5 + radius * angle.cos(), 0.5 + radius * angle.sin())
}

/// Scales places by one factor for both directions, and centres them.
fn into_unit_square(mut places: Vec<(f64, f64)>) -> Vec<(f64, f64)> {
    let (mut low, mut high) = ((f64::MAX, f64::MAX), (f64::MIN, f64::MIN));
    for (x, y) in &places {
        low = (low.0.min(*x), low.1.min(*y));
        high = (high.0.max(*x), high.1.max(*y));
    }
    let size = (high.0 - low.0).max(high.1 - low.1).max(1e-9);
    let x_by = (size - (high.0 - low.0)) / 2.0 - low.0;
    let y_by = (size - (high.1 - low.1)) / 2.0 - low.1;
    for (x, y) in &mut places {
        *x = (*x + x_by) / size;
        *y = (*y + y_by) / size;
    }
    places
}

#[cfg(test)]
mod tests {
    use super::super::tests::network;

    #[test]
    fn places_lie_in_the_square_apart_and_are_always_the_same() {
        let places = network().layout();
        assert!(places.iter().all(|place| (0.0..=1.0).contains(&place.0) && (0.0..=1.0).contains(&place.1)));
        let apart = |a: (f64, f64), b: (f64, f64)| (a.0 - b.0).hypot(a.1 - b.1);
        assert!((1..4).all(|node| apart(places[0], places[node]) > 0.05), "{places:?}");
        assert_eq!(places, network().layout());
    }
}
