//! Networks of genomes: local optima and how searches pass from one to another, or the locations of search trajectories.
//!
//! Nodes have a fitness and a weight, edges a weight. A network is measured, laid out in the plane, and written as GraphML.
//! Everything is computed in the order of the nodes, so that the same network gives the same numbers and bytes.

mod graphml;
mod layout;
mod trajectories;

use kenga_core::sort::{sort_by, sort_by_key};

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

/// Numbers of a network.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct NetworkMetrics {
    /// Nodes of the best fitness.
    pub best: usize,
    /// The share of their weight in that of all nodes.
    pub best_share: f64,
    /// Groups of nodes of equal fitness, joined by edges, that no edge leaves for a better node: the bottoms of funnels.
    pub funnels: usize,
    /// The share of all weight from which edges that never lead to worse nodes can lead to a best node.
    pub funnel_share: f64,
    /// The mean over nodes of the weighted clustering of Barrat and others, directions and loops left out.
    pub clustering: f64,
    /// The mean length of the shortest path to a best node over the nodes that have one, where the length of an edge is one
    /// over its weight.
    pub path_length: f64,
    /// The share of nodes that have one.
    pub reach: f64,
    /// The sum of the PageRank of the best nodes.
    pub page_rank: f64,
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
        let mut order: Vec<usize> = (0..self.nodes.len()).collect();
        let is_best = |node: usize| Some(self.nodes[node].fitness) == best;
        sort_by(&mut order, |a, b| {
            let (left, right) = (&self.nodes[*a], &self.nodes[*b]);
            is_best(*b).cmp(&is_best(*a)).then(right.weight.total_cmp(&left.weight)).then(a.cmp(b))
        });
        order.truncate(most);
        order.sort_unstable();
        let mut place = vec![None; self.nodes.len()];
        order.iter().enumerate().for_each(|(index, node)| place[*node] = Some(index as u32));
        let edge = |edge: &Edge| {
            let (from, to) = (place[edge.from as usize]?, place[edge.to as usize]?);
            Some(Edge { from, to, weight: edge.weight })
        };
        let nodes = order.iter().map(|node| self.nodes[*node].clone()).collect();
        Self { nodes, edges: self.edges.iter().filter_map(edge).collect() }
    }

    /// Its numbers; `None` without nodes.
    pub fn metrics(&self) -> Option<NetworkMetrics> {
        let best_fitness = self.best_fitness()?;
        let best: Vec<bool> = self.nodes.iter().map(|node| node.fitness == best_fitness).collect();
        let weight: f64 = self.nodes.iter().map(|node| node.weight).sum();
        let share = |holds: &[bool]| {
            let nodes = self.nodes.iter().zip(holds).filter(|(_, holds)| **holds);
            nodes.map(|(node, _)| node.weight).sum::<f64>() / weight
        };
        let lengths = self.path_lengths(&best);
        let found: Vec<f64> = lengths.iter().copied().filter(|length| length.is_finite()).collect();
        let ranks = self.page_ranks();
        let of_best = ranks.iter().zip(&best).filter(|(_, best)| **best);
        Some(NetworkMetrics {
            best: best.iter().filter(|best| **best).count(),
            best_share: share(&best),
            funnels: self.funnels(),
            funnel_share: share(&self.monotonic_reach(&best)),
            clustering: self.clustering(),
            path_length: found.iter().sum::<f64>() / found.len() as f64,
            reach: found.len() as f64 / self.nodes.len() as f64,
            page_rank: of_best.map(|(rank, _)| rank).sum(),
        })
    }

    /// Groups of nodes of equal fitness, joined by edges, that no edge leaves for a node that is no worse.
    ///
    /// Source: G. Ochoa, N. Veerapen 2018, Mapping the global structure of TSP fitness landscapes,
    /// doi:10.1007/s10732-017-9334-0 (monotonic sinks).
    fn funnels(&self) -> usize {
        let mut group: Vec<usize> = (0..self.nodes.len()).collect();
        let fitness = |node: u32| self.nodes[node as usize].fitness;
        for edge in self.edges.iter().filter(|edge| fitness(edge.from) == fitness(edge.to)) {
            let (a, b) = (root(&mut group, edge.from as usize), root(&mut group, edge.to as usize));
            group[a.max(b)] = a.min(b);
        }
        let mut is_sink: Vec<bool> = (0..self.nodes.len()).map(|node| group[node] == node).collect();
        for edge in self.edges.iter().filter(|edge| fitness(edge.to) < fitness(edge.from)) {
            let own = root(&mut group, edge.from as usize);
            is_sink[own] = false;
        }
        is_sink.iter().filter(|is_sink| **is_sink).count()
    }

    /// The nodes from which edges that never lead to worse nodes can lead to one of these.
    fn monotonic_reach(&self, targets: &[bool]) -> Vec<bool> {
        let mut reached = targets.to_vec();
        let mut into: Vec<Vec<u32>> = vec![Vec::new(); self.nodes.len()];
        for edge in &self.edges {
            if self.nodes[edge.to as usize].fitness <= self.nodes[edge.from as usize].fitness {
                into[edge.to as usize].push(edge.from);
            }
        }
        let mut open: Vec<u32> =
            (0..self.nodes.len() as u32).filter(|node| reached[*node as usize]).collect();
        while let Some(node) = open.pop() {
            for from in &into[node as usize] {
                if !std::mem::replace(&mut reached[*from as usize], true) {
                    open.push(*from);
                }
            }
        }
        reached
    }

    /// Of each node the length of the shortest path to one of these; infinite without a path.
    ///
    /// Source: E. W. Dijkstra 1959, doi:10.1007/BF01386390; lengths of G. Ochoa, M. Tomassini, S. Vérel, C. Darabos 2008,
    /// doi:10.1145/1389095.1389204.
    fn path_lengths(&self, targets: &[bool]) -> Vec<f64> {
        let mut into: Vec<Vec<(u32, f64)>> = vec![Vec::new(); self.nodes.len()];
        for edge in self.edges.iter().filter(|edge| edge.from != edge.to && edge.weight > 0.0) {
            into[edge.to as usize].push((edge.from, 1.0 / edge.weight));
        }
        let mut lengths = vec![f64::INFINITY; self.nodes.len()];
        let mut open = std::collections::BinaryHeap::new();
        for node in (0..self.nodes.len()).filter(|node| targets[*node]) {
            lengths[node] = 0.0;
            // The order of numbers that are not negative is that of their bits.
            open.push(std::cmp::Reverse((0_u64, node as u32)));
        }
        while let Some(std::cmp::Reverse((bits, node))) = open.pop() {
            let length = f64::from_bits(bits);
            if length > lengths[node as usize] {
                continue;
            }
            for (from, step) in &into[node as usize] {
                if length + step < lengths[*from as usize] {
                    lengths[*from as usize] = length + step;
                    open.push(std::cmp::Reverse(((length + step).to_bits(), *from)));
                }
            }
        }
        lengths
    }

    /// Source: A. Barrat, M. Barthélemy, R. Pastor-Satorras, A. Vespignani 2004, doi:10.1073/pnas.0400087101.
    fn clustering(&self) -> f64 {
        // Undirected, loops left out: the weight of two nodes is that of both directions.
        let mut ends: Vec<(u32, u32, f64)> = Vec::with_capacity(2 * self.edges.len());
        for edge in self.edges.iter().filter(|edge| edge.from != edge.to) {
            ends.push((edge.from, edge.to, edge.weight));
            ends.push((edge.to, edge.from, edge.weight));
        }
        sort_by_key(&mut ends, |(from, to, _)| (*from, *to));
        ends.dedup_by(|next, kept| {
            let is_same = (next.0, next.1) == (kept.0, kept.1);
            if is_same {
                kept.2 += next.2;
            }
            is_same
        });
        let of = |node: usize| {
            let first = ends.partition_point(|(from, _, _)| (*from as usize) < node);
            let last = ends.partition_point(|(from, _, _)| *from as usize <= node);
            &ends[first..last]
        };
        let mut is_near = vec![false; self.nodes.len()];
        let mut sum = 0.0;
        for node in 0..self.nodes.len() {
            let near = of(node);
            if near.len() < 2 {
                continue;
            }
            near.iter().for_each(|(_, to, _)| is_near[*to as usize] = true);
            let mut closed = 0.0;
            for (_, to, weight) in near {
                let triangles =
                    of(*to as usize).iter().filter(|(_, third, _)| is_near[*third as usize]).count();
                closed += weight * triangles as f64;
            }
            let strength: f64 = near.iter().map(|(_, _, weight)| weight).sum();
            sum += closed / (strength * (near.len() - 1) as f64);
            near.iter().for_each(|(_, to, _)| is_near[*to as usize] = false);
        }
        sum / self.nodes.len() as f64
    }

    /// Of each node its PageRank by weights, with damping 0.85; they sum to 1.
    ///
    /// Source: S. Brin, L. Page 1998, doi:10.1016/S0169-7552(98)00110-X; as a measure of local optima networks S. Herrmann,
    /// G. Ochoa, F. Rothlauf 2016, doi:10.1145/2908812.2908869.
    fn page_ranks(&self) -> Vec<f64> {
        const DAMPING: f64 = 0.85;
        let count = self.nodes.len() as f64;
        let mut strength = vec![0.0; self.nodes.len()];
        self.edges.iter().for_each(|edge| strength[edge.from as usize] += edge.weight);
        let mut ranks = vec![1.0 / count; self.nodes.len()];
        for _ in 0..200 {
            let lost: f64 =
                ranks.iter().zip(&strength).filter(|(_, out)| **out <= 0.0).map(|(rank, _)| rank).sum();
            let mut next = vec![(1.0 - DAMPING + DAMPING * lost) / count; self.nodes.len()];
            for edge in self.edges.iter().filter(|edge| edge.weight > 0.0) {
                next[edge.to as usize] +=
                    DAMPING * ranks[edge.from as usize] * edge.weight / strength[edge.from as usize];
            }
            let change: f64 = next.iter().zip(&ranks).map(|(a, b)| (a - b).abs()).sum();
            ranks = next;
            if change < 1e-14 {
                break;
            }
        }
        ranks
    }
}

fn root(group: &mut [usize], node: usize) -> usize {
    let mut node = node;
    while group[node] != node {
        group[node] = group[group[node]];
        node = group[node];
    }
    node
}

impl Network {
    /// A network of optima by name, fitness and weight, and of edges by ends and weight.
    pub fn of(nodes: &[(&str, u32, f64)], edges: &[(u32, u32, f64)]) -> Self {
        let nodes = nodes.iter().map(|&(name, fitness, weight)| Node {
            name: name.to_owned(),
            fitness,
            weight,
            kind: "optimum",
            setting: None,
        });
        let edges = edges.iter().map(|&(from, to, weight)| Edge { from, to, weight });
        Self { nodes: nodes.collect(), edges: edges.collect() }
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
    fn metrics_are_those_of_the_definitions() {
        let found = network().metrics().expect("there are nodes");
        assert_eq!((found.best, found.funnels), (1, 2));
        assert!(
            (found.best_share - 0.2).abs() < 1e-12 && (found.funnel_share - 0.9).abs() < 1e-12,
            "{found:?}"
        );
        // d 0; b 2; a 4 + 2; e 1 + 6.
        assert!((found.path_length - 15.0 / 4.0).abs() < 1e-12 && found.reach == 1.0, "{found:?}");
        assert_eq!(found.clustering, 0.0);
        let ranks = network().page_ranks();
        assert!((ranks.iter().sum::<f64>() - 1.0).abs() < 1e-12 && ranks[1] > ranks[3], "{ranks:?}");
        assert_eq!(Network::default().metrics(), None);
    }

    #[test]
    fn a_triangle_is_clustered() {
        let mut triangle = network();
        triangle.edges = [(0, 1), (1, 2), (2, 0)].map(|(from, to)| Edge { from, to, weight: 1.0 }).to_vec();
        triangle.nodes.truncate(3);
        assert!((triangle.metrics().expect("there are nodes").clustering - 1.0).abs() < 1e-12);
    }

    #[test]
    fn the_heaviest_keep_the_best_and_the_edges_between() {
        let found = network().heaviest(2);
        let names: Vec<&str> = found.nodes.iter().map(|node| &*node.name).collect();
        assert_eq!((names, found.edges), (vec!["a", "d"], vec![Edge { from: 0, to: 0, weight: 0.5 }]));
    }
}
