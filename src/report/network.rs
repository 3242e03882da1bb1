//! A network drawn: nodes by weight and fitness, edges by weight.

use super::graphic::{Anchor, Graphic, Point};
use super::prose::counted;
use crate::landscape::Network;

/// The side of the square that nodes lie in.
const SIDE: f64 = 700.0;

/// What is around it.
const MARGIN: f64 = 30.0;

/// The largest radius of a node, and the smallest.
const RADII: (f64, f64) = (22.0, 2.5);

/// A network as an SVG file: the area of a node is its weight, and a stronger colour a better fitness; nodes of the best
/// fitness have a colour of their own. Edges that carry less than a hundredth of the heaviest are left out.
pub fn network(network: &Network, title: &str) -> String {
    let places = network.layout();
    let at = |node: usize| -> Point { (MARGIN + SIDE * places[node].0, MARGIN + SIDE * places[node].1) };
    let mut graphic = Graphic::new(SIDE + 2.0 * MARGIN, SIDE + 2.0 * MARGIN + 20.0);
    let heaviest = network.edges.iter().map(|edge| edge.weight).fold(0.0, f64::max);
    for edge in network.edges.iter().filter(|edge| edge.from != edge.to && edge.weight >= heaviest / 100.0) {
        graphic.line("thin", at(edge.from as usize), at(edge.to as usize));
    }
    let largest = network.nodes.iter().map(|node| node.weight).fold(0.0, f64::max);
    let fitness = || network.nodes.iter().map(|node| node.fitness);
    let (best, worst) = (fitness().min().unwrap_or(0), fitness().max().unwrap_or(0));
    // The largest first, so that small ones stay visible.
    let mut order: Vec<usize> = (0..network.nodes.len()).collect();
    order.sort_by(|a, b| network.nodes[*b].weight.total_cmp(&network.nodes[*a].weight).then(a.cmp(b)));
    for index in order {
        let node = &network.nodes[index];
        let radius = (RADII.0 * (node.weight / largest).sqrt()).max(RADII.1);
        let says =
            format!("{}: {}, weight {:.6}, fitness {}", node.kind, node.name, node.weight, node.fitness);
        graphic.circle("vertex", at(index), radius + 0.6);
        if node.fitness == best {
            graphic.disc("spot-placed", at(index), radius, 1.0, &says);
        } else {
            let share = 1.0 - f64::from(node.fitness - best) / f64::from((worst - best).max(1)) * 0.8;
            graphic.disc("heat", at(index), radius, share, &says);
        }
    }
    let words = format!(
        "{} nodes, {} edges; fitness {best} (green) to {worst} (pale)",
        counted(network.nodes.len() as u64),
        counted(network.edges.len() as u64)
    );
    graphic.text("note", (MARGIN, SIDE + 2.0 * MARGIN + 8.0), Anchor::Start, &words);
    graphic.svg_file(title)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::landscape::{Edge, Node};

    #[test]
    fn every_node_is_drawn_and_no_loop() {
        let node =
            |name: &str, fitness, weight| Node { name: name.to_owned(), fitness, weight, kind: "optimum" };
        let nodes = vec![node("1 2", 0, 0.5), node("2 1", 3, 0.5)];
        let edge = |from, to, weight| Edge { from, to, weight };
        let edges = vec![edge(0, 0, 0.9), edge(0, 1, 0.1), edge(1, 0, 0.5)];
        let text = network(&Network { nodes, edges }, "Two optima");
        assert_eq!((text.matches("<circle").count(), text.matches("<line").count()), (4, 2), "{text}");
        assert!(text.contains("optimum: 2 1, weight 0.500000, fitness 3"), "{text}");
    }
}
