//! The network of search trajectories: locations that several runs pass are one node.
//!
//! Source: G. Ochoa, K. M. Malan, C. Blum 2021, doi:10.1016/j.asoc.2021.107492.

use std::collections::BTreeMap;

use super::{Edge, Network, Node};

/// The kinds of locations, the first that holds: of the least fitness of all, where a run begins, where one ends, between.
const KINDS: [&str; 4] = ["best", "start", "end", "way"];

/// Where a run is at one of its steps: fitness and genome.
type Location = (u32, String);

impl Network {
    /// The network of the trajectories of some settings, each a list of runs, each a list of locations: fitness and genome.
    ///
    /// The weight of a node is the number of runs that pass it, that of an edge the number of steps. A node belongs to the
    /// only setting whose runs pass it, by index, or to none. Nodes are in the order in which the runs, one after another,
    /// first pass them.
    pub fn of_trajectories(settings: &[Vec<Vec<(u32, String)>>]) -> Self {
        let mut builder = NetworkBuilder::default();
        for (setting, runs) in settings.iter().enumerate() {
            for run in runs {
                builder.add(setting, run);
            }
        }
        builder.network()
    }
}

/// A network that grows by runs.
#[derive(Default)]
struct NetworkBuilder<'a> {
    nodes: Vec<Node>,
    places: BTreeMap<&'a str, u32>,
    edges: BTreeMap<(u32, u32), f64>,
}

impl<'a> NetworkBuilder<'a> {
    fn add(&mut self, setting: usize, run: &'a [Location]) {
        let mut before = None;
        for (step, location) in run.iter().enumerate() {
            let kind = if step == 0 {
                "start"
            } else if step + 1 == run.len() {
                "end"
            } else {
                "way"
            };
            let place = self.pass(setting, location, kind);
            // An edge weighs how often it was taken, by one run or by several.
            if let Some(before) = before.replace(place) {
                *self.edges.entry((before, place)).or_default() += 1.0;
            }
        }
    }

    /// Counts one more run at a location; its index.
    fn pass(&mut self, setting: usize, location: &'a Location, kind: &'static str) -> u32 {
        let (fitness, genome) = location;
        let new = self.nodes.len() as u32;
        let place = *self.places.entry(genome).or_insert(new);
        if place == new {
            let name = genome.clone();
            self.nodes.push(Node { name, fitness: *fitness, weight: 0.0, kind, setting: Some(setting) });
        }
        let node = &mut self.nodes[place as usize];
        node.weight += 1.0;
        // A place that two settings pass belongs to neither, whatever comes after.
        if node.setting != Some(setting) {
            node.setting = None;
        }
        node.kind = KINDS.into_iter().find(|one| [node.kind, kind].contains(one)).unwrap_or(kind);
        place
    }

    fn network(self) -> Network {
        let mut network = Network { nodes: self.nodes, edges: Vec::new() };
        for ((from, to), weight) in self.edges {
            network.edges.push(Edge { from, to, weight });
        }
        let best = network.best_fitness();
        for node in &mut network.nodes {
            if Some(node.fitness) == best {
                node.kind = KINDS[0];
            }
        }
        network
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn locations_that_several_runs_pass_are_one_node() {
        let run =
            |way: &[(u32, &str)]| way.iter().map(|(at, name)| (*at, (*name).to_owned())).collect::<Vec<_>>();
        let first = vec![run(&[(9, "a"), (4, "b"), (0, "c")]), run(&[(9, "a"), (4, "b")])];
        let second = vec![run(&[(7, "d"), (4, "b"), (0, "c")]), run(&[(3, "e")])];
        let network = Network::of_trajectories(&[first, second]);
        let nodes: Vec<(&str, f64, &str, Option<usize>)> =
            network.nodes.iter().map(|node| (&*node.name, node.weight, node.kind, node.setting)).collect();
        assert_eq!(
            nodes,
            [
                ("a", 2.0, "start", Some(0)),
                ("b", 3.0, "end", None),
                ("c", 2.0, "best", None),
                ("d", 1.0, "start", Some(1)),
                ("e", 1.0, "start", Some(1)),
            ]
        );
        let edges: Vec<(u32, u32, f64)> =
            network.edges.iter().map(|edge| (edge.from, edge.to, edge.weight)).collect();
        assert_eq!(edges, [(0, 1, 2.0), (1, 2, 2.0), (3, 1, 1.0)]);
        assert_eq!(Network::of_trajectories(&[vec![Vec::new()]]), Network::default());
    }
}
