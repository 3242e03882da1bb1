//! Canonical labellings of graphs with coloured vertices: isomorphic graphs get the same edges between the same places.
//!
//! ```text
//! refine: vertices of one colour differ when their neighbours' colours do, until none does
//! every vertex has a colour of its own: a leaf, which orders the vertices
//! else take the first of the smallest colours that several vertices have
//!     for each of them: give it a colour of its own, and descend
//! the least leaf, by what refinement saw on the way and then by its edges, is the labelling
//! ```
//!
//! Two leaves with the same edges are an automorphism: what it maps onto what has been seen is left out.
//!
//! Source: individualisation and refinement, B. D. McKay and A. Piperno, "Practical graph isomorphism, II", 2014,
//! doi:10.1016/j.jsc.2013.09.003, without most of its refinements of the search.

use std::cmp::Ordering;
use std::collections::BTreeMap;

use kenga_core::sort::{sort_by, sort_by_key};

/// Vertices and edges looked at before a labelling is given up.
const MOST_WORK: u64 = 100_000_000;

/// A graph; vertices count from 0.
#[derive(Clone, Debug, Default)]
pub(super) struct Graph {
    colors: Vec<u32>,
    neighbours: Vec<Vec<u32>>,
}

impl Graph {
    /// Adds a vertex; isomorphisms keep colours.
    pub(super) fn vertex(&mut self, color: u32) -> usize {
        self.colors.push(color);
        self.neighbours.push(Vec::new());
        self.colors.len() - 1
    }

    /// Adds vertices of one colour; returns the first.
    pub(super) fn vertices(&mut self, count: usize, color: u32) -> usize {
        let first = self.colors.len();
        for _ in 0..count {
            self.vertex(color);
        }
        first
    }

    /// Adds an edge between two different vertices, which no earlier one joins.
    pub(super) fn join(&mut self, one: usize, other: usize) {
        self.neighbours[one].push(other as u32);
        self.neighbours[other].push(one as u32);
    }

    /// The place of every vertex in the canonical order, from 0; `None` when a graph as symmetric as this one takes too
    /// long, or `stop` gives it up.
    pub(super) fn labelling(mut self, stop: &dyn Fn() -> bool) -> Option<Vec<u32>> {
        for list in &mut self.neighbours {
            list.sort_unstable();
        }
        let (quotient, classes) = self.quotient();
        let mut search = LabelSearch { graph: &quotient, best: None, automorphisms: vec![], work: 0, stop };
        let (start, trace) = quotient.refined(quotient.colors.clone(), &mut search.work, stop);
        search.descend(&start, &mut Vec::new(), &mut vec![trace]);
        // A search that was cut short has seen some leaves, and perhaps not the least.
        if search.work > MOST_WORK || stop() {
            return None;
        }
        Some(expanded(&search.best?.places, &classes, self.colors.len()))
    }

    /// The graph with one vertex for all that have the same colour and neighbours, and those classes: their members are
    /// interchangeable.
    fn quotient(&self) -> (Self, Vec<Vec<usize>>) {
        let mut twins: BTreeMap<(u32, &[u32]), Vec<usize>> = BTreeMap::new();
        for vertex in 0..self.colors.len() {
            twins.entry((self.colors[vertex], &self.neighbours[vertex])).or_default().push(vertex);
        }
        let classes: Vec<Vec<usize>> = twins.into_values().collect();
        let mut class_of = vec![0; self.colors.len()];
        for (class, members) in classes.iter().enumerate() {
            for member in members {
                class_of[*member] = class as u32;
            }
        }
        // Classes of different sizes are no images of each other, whatever their colour.
        let (mut keys, mut neighbours) = (Vec::new(), Vec::new());
        for members in &classes {
            keys.push((self.colors[members[0]], members.len()));
            let mut list = Vec::new();
            for other in &self.neighbours[members[0]] {
                list.push(class_of[*other as usize]);
            }
            list.sort_unstable();
            list.dedup();
            neighbours.push(list);
        }
        (Self { colors: ranks(&keys), neighbours }, classes)
    }

    /// The coarsest colouring at least as fine in which equal colours have equally coloured neighbours, and a number that
    /// is the same for isomorphic colourings. A colour is the number of vertices with lesser colours.
    ///
    /// Signatures are sums of 64-bit hashes: two that are equal by accident leave the colouring coarser, never wrong.
    fn refined(&self, mut colors: Vec<u32>, work: &mut u64, stop: &dyn Fn() -> bool) -> (Vec<u32>, u64) {
        let mut keys: Vec<(u32, u64, u32)> = Vec::with_capacity(colors.len());
        let (mut cells, mut trace) = (0, 0_u64);
        loop {
            keys.clear();
            for vertex in 0..colors.len() {
                let mut signature = 0_u64;
                for other in &self.neighbours[vertex] {
                    signature = signature.wrapping_add(mixed(u64::from(colors[*other as usize]) + 1));
                }
                keys.push((colors[vertex], signature, vertex as u32));
                *work += 1 + self.neighbours[vertex].len() as u64;
            }
            keys.sort_unstable();
            let mut now = 0;
            let mut start = 0;
            for (place, key) in keys.iter().enumerate() {
                if place == 0 || (key.0, key.1) != (keys[place - 1].0, keys[place - 1].1) {
                    (start, now) = (place as u32, now + 1);
                    trace = mixed(trace.wrapping_add(u64::from(start)).wrapping_add(mixed(key.1)));
                }
                colors[key.2 as usize] = start;
            }
            // Colours are only ever split: as many as before are the same ones. A long path takes as many rounds as half of it.
            if now == cells || *work > MOST_WORK || stop() {
                return (colors, trace);
            }
            cells = now;
        }
    }

    /// The edges between the places of a leaf, in order.
    fn edges(&self, places: &[u32]) -> Vec<(u32, u32)> {
        let mut edges = Vec::new();
        for vertex in 0..places.len() {
            for other in &self.neighbours[vertex] {
                let (one, other) = (places[vertex], places[*other as usize]);
                if one < other {
                    edges.push((one, other));
                }
            }
        }
        edges.sort_unstable();
        edges
    }
}

/// The ranks of keys among each other, equals alike.
fn ranks(keys: &[(u32, usize)]) -> Vec<u32> {
    let mut sorted = keys.to_vec();
    sort_by(&mut sorted, Ord::cmp);
    sorted.dedup();
    keys.iter().map(|key| sorted.partition_point(|other| other < key) as u32).collect()
}

/// The places of all vertices from those of their classes; members of a class in any order.
fn expanded(places: &[u32], classes: &[Vec<usize>], vertices: usize) -> Vec<u32> {
    let mut order: Vec<usize> = (0..classes.len()).collect();
    sort_by_key(&mut order, |class| places[*class]);
    let mut expanded = vec![0; vertices];
    let mut place = 0;
    for class in order {
        for vertex in &classes[class] {
            expanded[*vertex] = place;
            place += 1;
        }
    }
    expanded
}

/// A bijection of 64-bit numbers that mixes their bits (S. Vigna's SplitMix64, after G. L. Steele, D. Lea and C. H. Flood
/// 2014, doi:10.1145/2714064.2660195).
fn mixed(number: u64) -> u64 {
    let z = number.wrapping_mul(0x9E37_79B9_7F4A_7C15);
    let z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    let z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    z ^ (z >> 31)
}

/// The least leaf so far.
struct Leaf {
    /// The vertices that were given a colour of their own.
    path: Vec<u32>,
    trace: Vec<u64>,
    places: Vec<u32>,
    edges: Vec<(u32, u32)>,
}

struct LabelSearch<'a> {
    graph: &'a Graph,
    best: Option<Leaf>,
    /// What each maps every vertex to.
    automorphisms: Vec<Vec<u32>>,
    work: u64,
    stop: &'a dyn Fn() -> bool,
}

impl LabelSearch<'_> {
    /// Looks at all leaves below a colouring; the depth to go back to, where an automorphism maps what is left onto what
    /// has been seen.
    fn descend(&mut self, colors: &[u32], path: &mut Vec<u32>, trace: &mut Vec<u64>) -> Option<usize> {
        // A trace that is greater so far leads to greater leaves alone.
        let is_greater = |best: &Leaf| trace[..] > best.trace[..trace.len().min(best.trace.len())];
        if self.work > MOST_WORK || (self.stop)() || self.best.as_ref().is_some_and(is_greater) {
            return None;
        }
        let Some(members) = smallest_cell(colors) else { return self.leaf(colors, path, trace) };
        let mut explored: Vec<u32> = Vec::new();
        for vertex in members {
            if self.is_like_one_of(&explored, vertex, path) {
                continue;
            }
            explored.push(vertex);
            // The vertex keeps the colour; all others that had it get the next.
            let mut finer = colors.to_vec();
            for (other, color) in finer.iter_mut().enumerate() {
                *color += u32::from(other as u32 != vertex && *color == colors[vertex as usize]);
            }
            let (finer, seen) = self.graph.refined(finer, &mut self.work, self.stop);
            path.push(vertex);
            trace.push(seen);
            let back = self.descend(&finer, path, trace);
            path.pop();
            trace.pop();
            if back.is_some_and(|depth| depth < path.len()) {
                return back;
            }
        }
        None
    }

    /// Compares a leaf with the best; an automorphism sends the search back to where their paths part.
    fn leaf(&mut self, places: &[u32], path: &[u32], trace: &[u64]) -> Option<usize> {
        let edges = self.graph.edges(places);
        if let Some(best) = &self.best {
            match (trace, &edges).cmp(&(&best.trace, &best.edges)) {
                Ordering::Less => {}
                Ordering::Greater => return None,
                Ordering::Equal => {
                    // Equal edges: each vertex of the best leaf is the image of the one at its place here.
                    let mut vertex_at = vec![0; places.len()];
                    for vertex in 0..places.len() {
                        vertex_at[places[vertex] as usize] = vertex as u32;
                    }
                    let image = best.places.iter().map(|place| vertex_at[*place as usize]).collect();
                    self.automorphisms.push(image);
                    let mut depth = 0;
                    while depth < path.len().min(best.path.len()) && path[depth] == best.path[depth] {
                        depth += 1;
                    }
                    return Some(depth);
                }
            }
        }
        self.best = Some(Leaf { path: path.to_vec(), trace: trace.to_vec(), places: places.to_vec(), edges });
        None
    }

    /// Says whether the known automorphisms that leave the path alone map one of the explored vertices onto this one.
    fn is_like_one_of(&self, explored: &[u32], vertex: u32, path: &[u32]) -> bool {
        if explored.is_empty() {
            return false;
        }
        let mut fixing: Vec<&Vec<u32>> = self.automorphisms.iter().collect();
        fixing.retain(|image| path.iter().all(|fixed| image[*fixed as usize] == *fixed));
        // All that they map the vertex to, breadth first.
        let mut orbit = vec![vertex];
        let mut next = 0;
        while next < orbit.len() {
            for image in &fixing {
                let other = image[orbit[next] as usize];
                if explored.contains(&other) {
                    return true;
                }
                if !orbit.contains(&other) {
                    orbit.push(other);
                }
            }
            next += 1;
        }
        false
    }
}

/// The members of the first of the smallest colours that several vertices have; `None` where there is none.
fn smallest_cell(colors: &[u32]) -> Option<Vec<u32>> {
    let mut sizes = vec![0_u32; colors.len()];
    for color in colors {
        sizes[*color as usize] += 1;
    }
    let several = (0..sizes.len()).filter(|color| sizes[*color] > 1);
    let cell = several.min_by_key(|color| sizes[*color])? as u32;
    Some((0..colors.len() as u32).filter(|vertex| colors[*vertex as usize] == cell).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use kenga_core::rng::{RunRng, StreamKey};

    fn graph(vertices: usize, edges: &[(usize, usize)]) -> Graph {
        let mut graph = Graph::default();
        graph.vertices(vertices, 0);
        edges.iter().for_each(|(one, other)| graph.join(*one, *other));
        graph
    }

    /// The edges under the labelling.
    fn form(vertices: usize, edges: &[(usize, usize)]) -> Vec<(u32, u32)> {
        let graph = graph(vertices, edges);
        graph.edges(&graph.clone().labelling(&|| false).expect("a small graph"))
    }

    fn shuffled(vertices: usize, edges: &[(usize, usize)], rng: &mut RunRng) -> Vec<(usize, usize)> {
        let mut names: Vec<usize> = (0..vertices).collect();
        rng.shuffle(&mut names);
        edges.iter().map(|(one, other)| (names[*one], names[*other])).collect()
    }

    /// All graphs of five vertices: 34 but for the names of the vertices (OEIS A000088).
    #[test]
    fn graphs_have_one_form_exactly_when_they_are_isomorphic() {
        for (vertices, classes) in [(1, 1), (2, 2), (3, 4), (4, 11), (5, 34)] {
            let pairs: Vec<(usize, usize)> =
                (0..vertices).flat_map(|one| (one + 1..vertices).map(move |other| (one, other))).collect();
            let edges = |set: u32| {
                pairs
                    .iter()
                    .enumerate()
                    .filter(move |(index, _)| set >> index & 1 == 1)
                    .map(|(_, pair)| *pair)
            };
            let mut forms: Vec<_> = (0..1_u32 << pairs.len())
                .map(|set| form(vertices, &edges(set).collect::<Vec<_>>()))
                .collect();
            forms.sort();
            forms.dedup();
            assert_eq!(forms.len(), classes, "{vertices}");
        }
    }

    #[test]
    fn colours_are_kept() {
        let form = |colors: [u32; 3]| {
            let mut graph = Graph::default();
            colors.iter().for_each(|color| {
                graph.vertex(*color);
            });
            graph.join(0, 1);
            graph.clone().labelling(&|| false).map(|places| graph.edges(&places))
        };
        assert_eq!(form([0, 0, 1]), form([0, 0, 7]));
        assert_eq!(form([0, 0, 1]), Some(vec![(0, 1)]));
        assert_eq!(form([1, 1, 0]), Some(vec![(1, 2)]));
        assert_eq!(form([1, 0, 0]), form([0, 1, 0]));
    }

    /// Refinement alone tells none of them from the others: every vertex has three neighbours.
    #[test]
    fn regular_graphs_are_told_apart() {
        let mut rng = StreamKey::run(1, "labelling", 0).rng();
        let ring = |n: usize| (0..n).map(move |at| (at, (at + 1) % n));
        let petersen: Vec<(usize, usize)> = ring(5)
            .chain((0..5).map(|at| (at, at + 5)))
            .chain((0..5).map(|at| (at + 5, (at + 2) % 5 + 5)))
            .collect();
        let prism: Vec<(usize, usize)> = ring(5)
            .chain((0..5).map(|at| (at, at + 5)))
            .chain((0..5).map(|at| (at + 5, (at + 1) % 5 + 5)))
            .collect();
        let moebius: Vec<(usize, usize)> = ring(10).chain((0..5).map(|at| (at, at + 5))).collect();
        let graphs = [petersen, prism, moebius];
        for (index, edges) in graphs.iter().enumerate() {
            for _ in 0..10 {
                assert_eq!(form(10, &shuffled(10, edges, &mut rng)), form(10, edges));
            }
            assert!(graphs[..index].iter().all(|other| form(10, other) != form(10, edges)));
        }
    }

    #[test]
    fn very_symmetric_graphs_take_little_work() {
        let grid = |n: usize| {
            let cell = move |row: usize, column: usize| row % n * n + column % n;
            let cells = (0..n * n).map(move |cell| (cell / n, cell % n));
            cells.flat_map(move |(row, column)| {
                [(cell(row, column), cell(row + 1, column)), (cell(row, column), cell(row, column + 1))]
            })
        };
        let torus: Vec<(usize, usize)> = grid(12).collect();
        let complete: Vec<(usize, usize)> =
            (0..40).flat_map(|one| (one + 1..40).map(move |other| (one, other))).collect();
        for (vertices, edges) in [(144, torus), (40, complete), (5000, vec![])] {
            assert!(graph(vertices, &edges).labelling(&|| false).is_some(), "{vertices}");
        }
    }
}
