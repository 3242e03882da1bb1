//! The genomes of a problem of the user's own, as results folders keep them:
//! `{"kind":"problem","genes":30,"values":[0,1]}`, `{"kind":"problem","values":[[0,1],[0,9]]}`,
//! `{"kind":"problem","permutations":[12]}`; its options and what is known of it stand in `meta`.

use serde_json::{Map, Value, json};

use super::super::super::{GenomeShape, MAX_CELLS, Puzzle};
use super::super::error::Fault;
use super::super::node::{JsonNode, Keys};

/// Reads the genomes of a problem.
pub(super) fn read(keys: &Keys<'_>) -> Result<Puzzle, Fault> {
    const EITHER: &str = "either `values` or `permutations`";
    let node = keys.need_one(&["values", "permutations"])?;
    let shape = match (keys.get("values"), keys.get("genes")) {
        (None, None) => {
            let mut lengths = Vec::new();
            for length in node.list("a list of lengths")? {
                lengths.push(length.number("a number of genes")?);
            }
            GenomeShape::Permutations(lengths)
        }
        (None, Some(genes)) => return Err(genes.unexpected(EITHER)),
        (Some(values), Some(genes)) => {
            let count = genes.number("a number of genes")?;
            if count > MAX_CELLS {
                return Err(genes.unexpected("a number of genes up to 65536"));
            }
            GenomeShape::Values(vec![range(values)?; count])
        }
        (Some(values), None) => {
            let mut ranges = Vec::new();
            for item in values.list("a list of ranges")? {
                ranges.push(range(item)?);
            }
            GenomeShape::Values(ranges)
        }
    };
    Puzzle::of_genome(shape).map_err(|flaw| node.unexpected(&format!("other genomes: {flaw}")))
}

/// The least and the greatest value of a gene.
fn range(node: JsonNode<'_>) -> Result<[u8; 2], Fault> {
    const RANGE: &str = "the least and the greatest value, from 0 to 255: [0, 1]";
    let [least, most] = node.array(RANGE)?;
    Ok([least.digit(RANGE)?, most.digit(RANGE)?])
}

/// Adds the genomes of a problem.
pub(super) fn add(object: &mut Map<String, Value>, puzzle: &Puzzle) {
    match puzzle.genome() {
        None => {}
        Some(GenomeShape::Permutations(lengths)) => {
            object.insert("permutations".to_owned(), json!(lengths));
        }
        Some(GenomeShape::Values(ranges)) if ranges.iter().all(|range| *range == ranges[0]) => {
            object.insert("genes".to_owned(), json!(ranges.len()));
            object.insert("values".to_owned(), json!(ranges[0]));
        }
        Some(GenomeShape::Values(ranges)) => {
            object.insert("values".to_owned(), json!(ranges));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::super::error::Malformed;
    use super::super::super::{canonical, read, read_with_problems};

    #[test]
    fn genomes_are_read_back_as_they_were_written() {
        for text in [
            r#"{"id":"a","kind":"problem","genes":30,"values":[0,1]}"#,
            r#"{"id":"b","kind":"problem","values":[[0,1],[3,9]],"meta":{"options":{"seed":4},"optimum":0.5}}"#,
            r#"{"id":"c","kind":"problem","permutations":[12,256]}"#,
        ] {
            let puzzle =
                read_with_problems("p", text.as_bytes()).remove(0).unwrap_or_else(|error| panic!("{error}"));
            assert_eq!(canonical(&puzzle), text);
            let refused = read("p", text.as_bytes()).remove(0).expect_err("no file of puzzles holds one");
            assert_eq!(refused.what(), &Malformed::OwnProblem);
        }
    }

    #[test]
    fn what_is_no_genome_is_refused() {
        for text in [
            r#"{"kind":"problem"}"#,
            r#"{"kind":"problem","genes":4}"#,
            r#"{"kind":"problem","genes":4,"permutations":[4]}"#,
            r#"{"kind":"problem","genes":70000,"values":[0,1]}"#,
            r#"{"kind":"problem","genes":4,"values":[0,256]}"#,
            r#"{"kind":"problem","permutations":[]}"#,
        ] {
            assert!(read_with_problems("p", text.as_bytes()).remove(0).is_err(), "{text}");
        }
    }
}
