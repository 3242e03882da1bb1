//! Networks drawn: nodes by weight, and by fitness or setting; edges.

use super::graphic::{Anchor, Graphic, LegendEntry, Point, SERIES, legend};
use super::prose::several;
use crate::span;
use kenga_core::sort::sort_by;
use kenga_lab::landscape::{Network, Node};

/// The side of the square that nodes lie in.
const SIDE: f64 = 700.0;

/// What is around it.
const MARGIN: f64 = 30.0;

/// The largest radius of a node, and the smallest.
const RADII: (f64, f64) = (22.0, 2.5);

/// A network of local optima as an SVG file: the area of a node is its weight, and a stronger colour a better fitness; nodes of
/// the best fitness have a colour of their own. Edges that carry less than a hundredth of the heaviest are left out.
pub fn network(network: &Network, title: &str) -> String {
    let worst = network.nodes.iter().map(|node| node.fitness).max().unwrap_or(0);
    let best = best(network);
    let mut graphic = drawn(network, |graphic, node, at, radius| {
        graphic.circle("vertex", at, radius + 0.6);
        if node.fitness == best {
            graphic.disc("spot-placed", at, radius, 1.0, &says(node));
        } else {
            let share = 1.0 - f64::from(node.fitness - best) / f64::from((worst - best).max(1)) * 0.8;
            graphic.disc("heat", at, radius, share, &says(node));
        }
    });
    let words = format!("{}; fitness {best} (green) to {worst} (pale)", sizes(network));
    graphic.text("note", (MARGIN, SIDE + 2.0 * MARGIN + 8.0), Anchor::Start, &words);
    graphic.svg_file(title)
}

/// A network of search trajectories as an SVG file: places that the runs of one setting alone pass have its colour, starts are
/// hollow, and places of the best fitness are green, as the note below says. The area of a node is the number of runs.
pub fn trajectories(network: &Network, settings: &[String], title: &str) -> String {
    let mut graphic = drawn(network, |graphic, node, at, radius| {
        let class = match (node.kind, node.setting) {
            ("best", _) => "spot-placed".to_owned(),
            (_, Some(setting)) => format!("c{}", setting % SERIES),
            (_, None) => "queen".to_owned(),
        };
        graphic.disc(&class, at, radius, 1.0, &says(node));
        if node.kind == "start" {
            graphic.disc("page", at, radius * 0.55, 1.0, &says(node));
        }
    });
    let words = format!(
        "{}; hollow: starts; green: fitness {}; dark: several settings",
        sizes(network),
        best(network)
    );
    let below = SIDE + 2.0 * MARGIN + 8.0;
    graphic.text("note", (MARGIN, below), Anchor::Start, &words);
    let entries = LegendEntry::all(settings.iter().map(String::as_str));
    let height = legend(&mut graphic, (MARGIN, below + 10.0), SIDE, "", &entries);
    graphic.set_height(below + 10.0 + height);
    graphic.svg_file(title)
}

/// The edges, and the nodes by a function of their places and radii, the largest first, so that small ones stay visible.
fn drawn(network: &Network, mut draw: impl FnMut(&mut Graphic, &Node, Point, f64)) -> Graphic {
    let places = network.layout();
    let at = |node: usize| -> Point { (MARGIN + SIDE * places[node].0, MARGIN + SIDE * places[node].1) };
    let mut graphic = Graphic::new(SIDE + 2.0 * MARGIN, SIDE + 2.0 * MARGIN + 20.0);
    let (_, heaviest) = span(network.edges.iter().map(|edge| edge.weight));
    for edge in &network.edges {
        // Loops, and edges too light to matter, would only darken the picture.
        if edge.from != edge.to && edge.weight >= heaviest / 100.0 {
            graphic.line("thin", at(edge.from as usize), at(edge.to as usize));
        }
    }
    let (_, largest) = span(network.nodes.iter().map(|node| node.weight));
    // Large ones lie below, so that none hides a small one.
    let mut order: Vec<usize> = (0..network.nodes.len()).collect();
    sort_by(&mut order, |a, b| network.nodes[*b].weight.total_cmp(&network.nodes[*a].weight).then(a.cmp(b)));
    for index in order {
        let node = &network.nodes[index];
        draw(&mut graphic, node, at(index), (RADII.0 * (node.weight / largest).sqrt()).max(RADII.1));
    }
    graphic
}

fn says(node: &Node) -> String {
    format!("{}: {}, weight {:.6}, fitness {}", node.kind, node.name, node.weight, node.fitness)
}

fn sizes(network: &Network) -> String {
    let (nodes, edges) = (network.nodes.len(), network.edges.len());
    format!("{}, {}", several(nodes as u64, "node"), several(edges as u64, "edge"))
}

fn best(network: &Network) -> u32 {
    network.best_fitness().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_node_is_drawn_and_no_loop() {
        let two = Network::of(&[("1 2", 0, 0.5), ("2 1", 3, 0.5)], &[(0, 0, 0.9), (0, 1, 0.1), (1, 0, 0.5)]);
        let text = network(&two, "Two optima");
        assert_eq!((text.matches("<circle").count(), text.matches("<line").count()), (4, 2), "{text}");
        assert!(text.contains("optimum: 2 1, weight 0.500000, fitness 3"), "{text}");
    }
}
