//! The network of search trajectories: locations that several runs pass are one node.
//!
//! Source: G. Ochoa, K. M. Malan, C. Blum 2021, doi:10.1016/j.asoc.2021.107492.

use std::collections::BTreeMap;

use super::{Edge, Network, Node};

/// The kinds of locations, the first that holds: of the least fitness of all, where a run begins, where one ends, between.
const KINDS: [&str; 4] = ["best", "start", "end", "way"];

impl Network {
    /// The network of the trajectories of some settings, each a list of runs, each a list of locations: fitness and genome.
    ///
    /// The weight of a node is the number of runs that pass it, that of an edge the number of steps. A node belongs to the
    /// only setting whose runs pass it, by index, or to none. Nodes are in the order in which the runs, one after another,
    /// first pass them.
    pub fn of_trajectories(settings: &[Vec<Vec<(u32, String)>>]) -> Self {
        let mut network = Self::default();
        let mut places: BTreeMap<&str, u32> = BTreeMap::new();
        let mut edges: BTreeMap<(u32, u32), f64> = BTreeMap::new();
        let runs =
            settings.iter().enumerate().flat_map(|(index, runs)| runs.iter().map(move |run| (index, run)));
        for (setting, run) in runs {
            let mut before = None;
            for (step, (fitness, genome)) in run.iter().enumerate() {
                let kind = match step {
                    0 => "start",
                    step if step + 1 == run.len() => "end",
                    _ => "way",
                };
                let place = *places.entry(genome).or_insert_with(|| {
                    network.nodes.push(Node {
                        name: genome.clone(),
                        fitness: *fitness,
                        weight: 0.0,
                        kind,
                        setting: Some(setting),
                    });
                    network.nodes.len() as u32 - 1
                });
                let node = &mut network.nodes[place as usize];
                node.weight += 1.0;
                node.setting = node.setting.filter(|own| *own == setting);
                node.kind = KINDS.into_iter().find(|one| [node.kind, kind].contains(one)).unwrap_or(kind);
                if let Some(before) = before {
                    *edges.entry((before, place)).or_default() += 1.0;
                }
                before = Some(place);
            }
        }
        let best = network.best_fitness();
        network
            .nodes
            .iter_mut()
            .filter(|node| Some(node.fitness) == best)
            .for_each(|node| node.kind = KINDS[0]);
        network.edges = edges.into_iter().map(|((from, to), weight)| Edge { from, to, weight }).collect();
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
