//! A topology given as a list of pairs.
//!
//! ```text
//! pairs = ["0-1", "0-2", "2-0"]        0 -> 1,  0 <-> 2
//! ```
//!
//! A pair is a sender and a receiver; an exchange takes two pairs.

use crate::spec::{Builder, Member, Param, ParamKind, SpecError};

use super::{Topology, TopologyError, TopologyResult};

pub(super) static ENTRY: Builder<TopologyResult> = Member::new("edges")
    .about("each island sends where a list of pairs says")
    .source(
        "F. Biscani, D. Izzo 2020, A parallel global multiobjective framework for optimization: pagmo, \
                 doi:10.21105/joss.02338",
    )
    .params(&[Param::required("pairs", ParamKind::Texts)
        .about("pairs of islands, counted from 0: \"0-1\" lets island 0 send to island 1")])
    .build(|spec| {
        let mut edges = Edges { pairs: Vec::new() };
        for text in spec.texts("pairs") {
            edges.add(&text).map_err(|message| SpecError::Conflict {
                message,
                help: "write each pair of islands once, sender first, such as \"0-1\"".to_owned(),
                place: spec.place_of("pairs"),
            })?;
        }
        Ok(Box::new(edges))
    });

/// Pairs of sender and receiver, each once.
struct Edges {
    pairs: Vec<(usize, usize)>,
}

impl Edges {
    fn add(&mut self, text: &str) -> Result<(), String> {
        let Some(pair) = parse(text) else {
            return Err(format!("`{text}` in `pairs` is not a pair of islands"));
        };
        if pair.0 == pair.1 {
            return Err(format!("`{text}` in `pairs` lets an island send to itself"));
        }
        if self.pairs.contains(&pair) {
            return Err(format!("`{text}` stands twice in `pairs`"));
        }
        self.pairs.push(pair);
        Ok(())
    }
}

fn parse(text: &str) -> Option<(usize, usize)> {
    let (from, to) = text.split_once('-')?;
    Some((island(from.trim())?, island(to.trim())?))
}

/// The number of an island; unlike `parse` alone it takes no sign.
fn island(text: &str) -> Option<usize> {
    if text.is_empty() || !text.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    text.parse().ok()
}

impl Topology for Edges {
    fn check(&self, islands: usize) -> Result<(), TopologyError> {
        for (from, to) in &self.pairs {
            let island = *from.max(to);
            if island >= islands {
                let pair = format!("{from}-{to}");
                return Err(TopologyError::NoSuchIsland { pair, island, count: islands });
            }
        }
        Ok(())
    }

    fn targets(&self, from: usize, _islands: usize) -> Vec<usize> {
        let mut targets: Vec<usize> =
            self.pairs.iter().filter(|(sender, _)| *sender == from).map(|(_, to)| *to).collect();
        targets.sort_unstable();
        targets
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn edges(pairs: &[&str]) -> Result<Edges, String> {
        let mut edges = Edges { pairs: Vec::new() };
        pairs.iter().try_for_each(|pair| edges.add(pair)).map(|()| edges)
    }

    #[test]
    fn the_first_of_a_pair_sends_to_the_second() {
        let edges = edges(&["0-2", "0 - 1", "2-0"]).expect("sound pairs");
        assert_eq!(
            (0..3).map(|from| edges.targets(from, 3)).collect::<Vec<_>>(),
            [vec![1, 2], vec![], vec![0]]
        );
    }

    #[test]
    fn texts_that_are_no_pairs_are_refused() {
        for bad in ["", "0", "0-", "-1", "0-1-2", "a-b", "0-+1", "0>1", "1-99999999999999999999"] {
            assert_eq!(edges(&[bad]).err(), Some(format!("`{bad}` in `pairs` is not a pair of islands")));
        }
        assert_eq!(edges(&["1-1"]).err().as_deref(), Some("`1-1` in `pairs` lets an island send to itself"));
        assert_eq!(edges(&["0-1", "0-1"]).err().as_deref(), Some("`0-1` stands twice in `pairs`"));
    }

    #[test]
    fn an_island_that_does_not_exist_is_named() {
        let error = edges(&["0-1", "3-1"]).expect("sound pairs").check(3).expect_err("three islands");
        assert_eq!(error.to_string(), "`3-1` in `pairs` names island 3, and `count` is 3: the last one is 2");
    }
}
