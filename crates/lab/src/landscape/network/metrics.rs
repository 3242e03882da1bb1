//! What a network is like, in numbers: best nodes, funnels, paths, clustering, PageRank.

use std::cmp::{Ordering, Reverse};
use std::collections::BinaryHeap;

use kenga_core::sort::sort_by_key;

use super::{Edge, Network};

/// Numbers of a network.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct NetworkMetrics {
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
    /// Its numbers; `None` without nodes.
    pub fn metrics(&self) -> Option<NetworkMetrics> {
        let best_fitness = self.best_fitness()?;
        let is_best: Vec<bool> = self.nodes.iter().map(|node| node.fitness == best_fitness).collect();
        let mut page_rank = 0.0;
        for (rank, is_best) in self.page_ranks().iter().zip(&is_best) {
            page_rank += if *is_best { *rank } else { 0.0 };
        }
        let (mut length, mut reaching) = (0.0, 0);
        for path_length in self.path_lengths(&is_best) {
            if path_length.is_finite() {
                length += path_length;
                reaching += 1;
            }
        }
        Some(NetworkMetrics {
            funnels: self.funnels(),
            funnel_share: self.share_of_weight(&self.monotonic_reach(&is_best)),
            clustering: self.clustering(),
            path_length: length / f64::from(reaching),
            reach: f64::from(reaching) / self.nodes.len() as f64,
            page_rank,
        })
    }

    /// The share of some nodes in the weight of all.
    fn share_of_weight(&self, holds: &[bool]) -> f64 {
        let (mut weight, mut of_these) = (0.0, 0.0);
        for (node, holds) in self.nodes.iter().zip(holds) {
            weight += node.weight;
            of_these += if *holds { node.weight } else { 0.0 };
        }
        of_these / weight
    }

    /// Groups of nodes of equal fitness, joined by edges, that no edge leaves for a better node.
    ///
    /// Source: G. Ochoa, N. Veerapen 2018, Mapping the global structure of TSP fitness landscapes,
    /// doi:10.1007/s10732-017-9334-0 (monotonic sinks).
    fn funnels(&self) -> usize {
        let mut groups = DisjointSets::new(self.nodes.len());
        for edge in &self.edges {
            if self.rise(edge).is_eq() {
                groups.join(edge.from as usize, edge.to as usize);
            }
        }
        // Of a group only the first node is marked, and stands for all.
        let mut is_sink = vec![true; self.nodes.len()];
        for edge in &self.edges {
            if self.rise(edge).is_lt() {
                is_sink[groups.first_of(edge.from as usize)] = false;
            }
        }
        let mut funnels = 0;
        for (node, is_sink) in is_sink.into_iter().enumerate() {
            funnels += usize::from(is_sink && groups.first_of(node) == node);
        }
        funnels
    }

    /// How the end of an edge compares with its beginning: less is better.
    fn rise(&self, edge: &Edge) -> Ordering {
        self.nodes[edge.to as usize].fitness.cmp(&self.nodes[edge.from as usize].fitness)
    }

    /// The nodes from which edges that never lead to worse nodes can lead to one of these.
    fn monotonic_reach(&self, targets: &[bool]) -> Vec<bool> {
        let mut reached = targets.to_vec();
        let mut into: Vec<Vec<usize>> = vec![Vec::new(); self.nodes.len()];
        for edge in &self.edges {
            if self.rise(edge).is_le() {
                into[edge.to as usize].push(edge.from as usize);
            }
        }
        let mut open: Vec<usize> = (0..self.nodes.len()).filter(|node| targets[*node]).collect();
        while let Some(node) = open.pop() {
            for from in &into[node] {
                if !std::mem::replace(&mut reached[*from], true) {
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
        for edge in &self.edges {
            if edge.from != edge.to && edge.weight > 0.0 {
                into[edge.to as usize].push((edge.from, 1.0 / edge.weight));
            }
        }
        let mut lengths = vec![f64::INFINITY; self.nodes.len()];
        let mut open = BinaryHeap::new();
        for (node, is_target) in targets.iter().enumerate() {
            if *is_target {
                lengths[node] = 0.0;
                // The order of numbers that are not negative is that of their bits.
                open.push(Reverse((0_u64, node as u32)));
            }
        }
        while let Some(Reverse((bits, node))) = open.pop() {
            let length = f64::from_bits(bits);
            // A shorter way to it was found after this one.
            if length > lengths[node as usize] {
                continue;
            }
            for (from, step) in &into[node as usize] {
                if length + step < lengths[*from as usize] {
                    lengths[*from as usize] = length + step;
                    open.push(Reverse(((length + step).to_bits(), *from)));
                }
            }
        }
        lengths
    }

    /// The neighbours of each node, ascending, with the weight of both directions; loops are left out.
    fn undirected(&self) -> Vec<Vec<(usize, f64)>> {
        let mut neighbours: Vec<Vec<(usize, f64)>> = vec![Vec::new(); self.nodes.len()];
        for edge in &self.edges {
            let (from, to) = (edge.from as usize, edge.to as usize);
            if from != to {
                neighbours[from].push((to, edge.weight));
                neighbours[to].push((from, edge.weight));
            }
        }
        for near in &mut neighbours {
            sort_by_key(near, |(node, _)| *node);
            // Both directions of an edge are one neighbour with the sum of their weights.
            near.dedup_by(|next, first| {
                if next.0 != first.0 {
                    return false;
                }
                first.1 += next.1;
                true
            });
        }
        neighbours
    }

    /// Source: A. Barrat, M. Barthélemy, R. Pastor-Satorras, A. Vespignani 2004, doi:10.1073/pnas.0400087101.
    fn clustering(&self) -> f64 {
        let neighbours = self.undirected();
        let mut is_near = vec![false; self.nodes.len()];
        let mut sum = 0.0;
        for near in &neighbours {
            if near.len() < 2 {
                continue;
            }
            // Marks in one array, taken away again: sets would cost more than the triangles.
            for (node, _) in near {
                is_near[*node] = true;
            }
            let (mut closed, mut strength) = (0.0, 0.0);
            for (node, weight) in near {
                let triangles = neighbours[*node].iter().filter(|(third, _)| is_near[*third]).count();
                closed += weight * triangles as f64;
                strength += weight;
            }
            sum += closed / (strength * (near.len() - 1) as f64);
            for (node, _) in near {
                is_near[*node] = false;
            }
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
        for edge in &self.edges {
            strength[edge.from as usize] += edge.weight;
        }
        let mut ranks = vec![1.0 / count; self.nodes.len()];
        for _ in 0..200 {
            // Nodes that no edge leaves pass their rank on to all.
            let mut lost = 0.0;
            for (rank, strength) in ranks.iter().zip(&strength) {
                lost += if *strength > 0.0 { 0.0 } else { *rank };
            }
            let mut next = vec![(1.0 - DAMPING + DAMPING * lost) / count; self.nodes.len()];
            for edge in &self.edges {
                if edge.weight > 0.0 {
                    let from = edge.from as usize;
                    next[edge.to as usize] += DAMPING * ranks[from] * edge.weight / strength[from];
                }
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

/// Sets that grow together, each named by its first member (R. E. Tarjan 1975, doi:10.1145/321879.321884).
pub(crate) struct DisjointSets(Vec<u32>);

impl DisjointSets {
    /// Sets of one member each.
    pub(crate) fn new(members: usize) -> Self {
        Self((0..members as u32).collect())
    }

    /// The first member of the set of a member.
    pub(crate) fn first_of(&mut self, member: usize) -> usize {
        let mut member = member;
        while self.0[member] as usize != member {
            self.0[member] = self.0[self.0[member] as usize];
            member = self.0[member] as usize;
        }
        member
    }

    /// Joins the sets of two members.
    pub(crate) fn join(&mut self, a: usize, b: usize) {
        let (a, b) = (self.first_of(a), self.first_of(b));
        self.0[a.max(b)] = a.min(b) as u32;
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::network;
    use super::*;

    #[test]
    fn metrics_are_those_of_the_definitions() {
        let found = network().metrics().expect("there are nodes");
        assert!(found.funnels == 2 && (found.funnel_share - 0.9).abs() < 1e-12, "{found:?}");
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
}
