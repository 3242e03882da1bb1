//! A network as GraphML, which igraph, networkx and Gephi read.
//!
//! Source: U. Brandes, M. Eiglsperger, I. Herman, M. Himsolt, M. S. Marshall 2002, GraphML progress report,
//! doi:10.1007/3-540-45848-4_59.

use std::fmt::Write as _;

use super::{Edge, Network, Node};

impl Network {
    /// The network as GraphML: `name`, `fitness`, `size`, `kind` and, of places of trajectories, `setting` of nodes, `weight` of
    /// edges.
    pub fn graphml(&self) -> String {
        let mut text = String::from(concat!(
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n",
            "<graphml xmlns=\"http://graphml.graphdrawing.org/xmlns\">\n",
            "  <key id=\"name\" for=\"node\" attr.name=\"name\" attr.type=\"string\"/>\n",
            "  <key id=\"fitness\" for=\"node\" attr.name=\"fitness\" attr.type=\"int\"/>\n",
            "  <key id=\"size\" for=\"node\" attr.name=\"size\" attr.type=\"double\"/>\n",
            "  <key id=\"kind\" for=\"node\" attr.name=\"kind\" attr.type=\"string\"/>\n",
            "  <key id=\"setting\" for=\"node\" attr.name=\"setting\" attr.type=\"int\"/>\n",
            "  <key id=\"weight\" for=\"edge\" attr.name=\"weight\" attr.type=\"double\"/>\n",
            "  <graph edgedefault=\"directed\">\n",
        ));
        for (index, node) in self.nodes.iter().enumerate() {
            let name = node.name.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;");
            let Node { fitness, weight, kind, .. } = node;
            let setting = node
                .setting
                .map_or_else(String::new, |setting| format!("<data key=\"setting\">{setting}</data>"));
            // Writing to a text never fails.
            let _ = writeln!(
                text,
                "    <node id=\"n{index}\"><data key=\"name\">{name}</data><data key=\"fitness\">{fitness}</data>\
                 <data key=\"size\">{weight}</data><data key=\"kind\">{kind}</data>{setting}</node>"
            );
        }
        for Edge { from, to, weight } in &self.edges {
            let _ = writeln!(
                text,
                "    <edge source=\"n{from}\" target=\"n{to}\"><data key=\"weight\">{weight}</data></edge>"
            );
        }
        text + "  </graph>\n</graphml>\n"
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::network;

    #[test]
    fn graphml_has_every_node_and_edge() {
        let text = network().graphml();
        assert_eq!((text.matches("<node ").count(), text.matches("<edge ").count()), (4, 6));
        assert!(text.contains("b &amp; c") && text.ends_with("</graphml>\n"), "{text}");
    }
}
