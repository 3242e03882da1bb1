//! Networks of genomes: local optima and how searches pass from one to another, or the locations of search trajectories.
//!
//! Nodes have a fitness and a weight, edges a weight. A network is measured, laid out in the plane, and written as GraphML.
//!
//! **Invariant.** Everything is computed in the order of nodes and edges, so that the same network gives the same numbers and
//! bytes.

mod graphml;
mod layout;
mod metrics;
mod trajectories;

use kenga_core::sort::sort_by;

pub(super) use metrics::DisjointSets;
pub use metrics::NetworkMetrics;

/// A place of a network.
#[derive(Clone, Debug, PartialEq)]
pub struct Node {
    /// What it is called: its genome.
    pub name: String,
    /// Its fitness or violation; lower is better.
    pub fitness: u32,
    /// How much of it there is: the share of its basin, or the visits of trajectories.
    pub weight: f64,
    /// What it is: `best`, `optimum`, `start`, `end`, `way`.
    pub kind: &'static str,
    /// The index of the only setting whose runs pass it, if it is a place of trajectories.
    pub setting: Option<usize>,
}

/// A step from one node to another.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Edge {
    /// The index of the node where it begins.
    pub from: u32,
    /// That of the node where it ends.
    pub to: u32,
    /// How likely or frequent it is.
    pub weight: f64,
}

/// Nodes and directed edges, sorted by their ends, each at most once.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Network {
    /// The nodes.
    pub nodes: Vec<Node>,
    /// The edges.
    pub edges: Vec<Edge>,
}

impl Network {
    /// The lowest fitness of a node.
    pub fn best_fitness(&self) -> Option<u32> {
        self.nodes.iter().map(|node| node.fitness).min()
    }

    /// The heaviest nodes, and all the best, with the edges between them; of equals the first.
    #[must_use]
    pub fn heaviest(&self, most: usize) -> Self {
        let best = self.best_fitness();
        let is_best = |node: &Node| Some(node.fitness) == best;
        let mut order: Vec<usize> = (0..self.nodes.len()).collect();
        sort_by(&mut order, |a, b| {
            let (left, right) = (&self.nodes[*a], &self.nodes[*b]);
            is_best(right).cmp(&is_best(left)).then(right.weight.total_cmp(&left.weight)).then(a.cmp(b))
        });
        order.truncate(most);
        // Nodes keep their order, and with it edges theirs.
        order.sort_unstable();
        let mut places = vec![None; self.nodes.len()];
        let mut heaviest = Self::default();
        for (place, node) in order.into_iter().enumerate() {
            places[node] = Some(place as u32);
            heaviest.nodes.push(self.nodes[node].clone());
        }
        for edge in &self.edges {
            if let (Some(from), Some(to)) = (places[edge.from as usize], places[edge.to as usize]) {
                heaviest.edges.push(Edge { from, to, weight: edge.weight });
            }
        }
        heaviest
    }

    /// A network of optima by name, fitness and weight, and of edges by ends and weight.
    pub fn of(nodes: &[(&str, u32, f64)], edges: &[(u32, u32, f64)]) -> Self {
        let mut network = Self::default();
        for &(name, fitness, weight) in nodes {
            let name = name.to_owned();
            network.nodes.push(Node { name, fitness, weight, kind: "optimum", setting: None });
        }
        for &(from, to, weight) in edges {
            network.edges.push(Edge { from, to, weight });
        }
        network
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A path of three nodes to the best, one that leads nowhere, and a loop.
    pub(super) fn network() -> Network {
        Network::of(
            &[("a", 2, 0.4), ("b & c", 1, 0.3), ("d", 0, 0.2), ("e", 1, 0.1)],
            &[(0, 0, 0.5), (0, 1, 0.25), (0, 3, 0.25), (1, 2, 0.5), (2, 1, 1.0), (3, 0, 1.0)],
        )
    }

    #[test]
    fn the_heaviest_keep_the_best_and_the_edges_between() {
        let found = network().heaviest(2);
        let names: Vec<&str> = found.nodes.iter().map(|node| &*node.name).collect();
        assert_eq!((names, found.edges), (vec!["a", "d"], vec![Edge { from: 0, to: 0, weight: 0.5 }]));
    }
}
