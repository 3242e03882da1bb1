//! The protocol of problems, version 1: JSON lines, described in `docs/protocol.md`.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value as Json};

use crate::problem::GenomeShape;
use crate::search::programs::beginning_of;

use super::ObjectiveStart;

/// The version that a greeting names.
const VERSION: u32 = 1;

/// The first line that a program reads: the shape of genomes, the names of the terms it is to send, and the options.
pub(super) fn greeting(start: &ObjectiveStart, terms: &[String]) -> Vec<u8> {
    #[derive(Serialize)]
    struct Greeting<'a> {
        kenga: &'a str,
        problem: u32,
        genes: usize,
        #[serde(skip_serializing_if = "Option::is_none")]
        values: Option<&'a [[u8; 2]]>,
        #[serde(skip_serializing_if = "Option::is_none")]
        permutations: Option<&'a [usize]>,
        #[serde(skip_serializing_if = "<[String]>::is_empty")]
        terms: &'a [String],
        options: &'a Map<String, Json>,
    }
    let (values, permutations) = match &start.shape {
        GenomeShape::Values(ranges) => (Some(&ranges[..]), None),
        GenomeShape::Permutations(lengths) => (None, Some(&lengths[..])),
    };
    let kenga = env!("CARGO_PKG_VERSION");
    let genes = start.shape.genes();
    let greeting =
        Greeting { kenga, problem: VERSION, genes, values, permutations, terms, options: &start.options };
    let mut line = serde_json::to_vec(&greeting).expect("what is sent has JSON");
    line.push(b'\n');
    line
}

/// The line that asks for the values of genomes: `genes` bytes each, one genome after the other.
pub(super) fn request(genomes: &[u8], genes: usize) -> Vec<u8> {
    let mut line = Vec::with_capacity(4 * genomes.len() + 32);
    line.extend_from_slice(b"{\"evaluate\":[");
    for (index, genome) in genomes.chunks_exact(genes).enumerate() {
        line.extend_from_slice(if index == 0 { b"[" } else { b",[" });
        for (gene, value) in genome.iter().enumerate() {
            if gene > 0 {
                line.push(b',');
            }
            push_number(*value, &mut line);
        }
        line.push(b']');
    }
    line.extend_from_slice(b"]}\n");
    line
}

/// Writes a byte as a number. Most of the time of a request is spent here.
fn push_number(value: u8, line: &mut Vec<u8>) {
    if value >= 100 {
        line.push(b'0' + value / 100);
    }
    if value >= 10 {
        line.push(b'0' + value / 10 % 10);
    }
    line.push(b'0' + value % 10);
}

/// What a program answers.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Answer {
    /// The value of every genome.
    pub(super) fitness: Vec<f64>,
    /// The terms of every genome, in the order of their names; empty for a problem without terms.
    #[serde(default)]
    pub(super) terms: Vec<Vec<f64>>,
    /// Seconds of CPU time since the greeting, outside the process group of the program.
    pub(super) cpu_s: Option<f64>,
}

/// Reads the answer to a request for the values of so many genomes, with so many terms each; what is wrong with it is said
/// in a sentence.
pub(super) fn answer(text: &[u8], count: usize, terms: usize) -> Result<Answer, String> {
    // A list would be taken for the values of an answer.
    if !text.trim_ascii_start().starts_with(b"{") {
        return Err(format!(
            "it sent {}: an answer is a JSON object, {{\"fitness\": […]}}",
            beginning_of(text)
        ));
    }
    let answer: Answer = serde_json::from_slice(text).map_err(|error| {
        // Python's json.dumps writes both.
        let word = ["NaN", "Infinity"]
            .into_iter()
            .find(|word| text.windows(word.len()).any(|part| part == word.as_bytes()));
        let sent = beginning_of(text);
        match word {
            Some(word) => format!(
                "it sent {sent}: JSON has no {word}: give an invalid genome a finite value worse than any valid one"
            ),
            None => format!("it sent {sent}: {error}"),
        }
    })?;
    let found = answer.fitness.len();
    if found != count {
        return Err(format!("it answered with {found} values for {count} genomes"));
    }
    if let Some(cpu_s) = answer.cpu_s
        && cpu_s < 0.0
    {
        return Err(format!("it sent a `cpu_s` of {cpu_s}: seconds are expected"));
    }
    let listed = answer.terms.len();
    if terms == 0 && listed > 0 {
        return Err("it answered with `terms`, which [problem] has no names for".to_owned());
    }
    if terms > 0 && listed != count {
        return Err(format!("it answered with `terms` of {listed} genomes, not of {count}"));
    }
    if let Some(other) = answer.terms.iter().find(|of_genome| of_genome.len() != terms) {
        return Err(format!("it answered with {} terms of a genome, not {terms}", other.len()));
    }
    Ok(answer)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_request_lists_every_genome() {
        let line = request(&[0, 9, 10, 99, 100, 255], 3);
        assert_eq!(line, b"{\"evaluate\":[[0,9,10],[99,100,255]]}\n");
    }

    #[test]
    fn an_answer_has_a_number_for_each_genome() {
        let read = |text: &str| answer(text.as_bytes(), 2, 0).map(|answer| answer.fitness);
        assert_eq!(read(r#"{"fitness":[1,-2.5]}"#), Ok(vec![1.0, -2.5]));
        for (text, said) in [
            ("3 4\n", "it sent `3 4`: an answer is a JSON object"),
            (r#"{"fitness":[1]}"#, "it answered with 1 values for 2 genomes"),
            (r#"{"fitness":[1,2],"cpu_s":-1}"#, "it sent a `cpu_s` of -1: seconds are expected"),
            (r#"{"fitness":[1,NaN]}"#, "it sent `{\"fitness\":[1,NaN]}`: JSON has no NaN"),
            (r#"{"fitness":[1,-Infinity]}"#, "JSON has no Infinity"),
            (r#"{"fitness":[1,2],"x":1}"#, "unknown field `x`"),
            (
                r#"{"fitness":[1,2],"terms":[[1],[2]]}"#,
                "it answered with `terms`, which [problem] has no names for",
            ),
        ] {
            let error = read(text).expect_err("a bad answer");
            assert!(error.contains(said), "{error}");
        }
    }

    #[test]
    fn an_answer_has_the_terms_that_were_asked_for() {
        let read = |text: &str| answer(text.as_bytes(), 2, 3).map(|answer| answer.terms);
        let sound = r#"{"fitness":[1,2],"terms":[[1,2,3],[4,5,-6.5]]}"#;
        assert_eq!(read(sound), Ok(vec![vec![1.0, 2.0, 3.0], vec![4.0, 5.0, -6.5]]));
        for (text, said) in [
            (r#"{"fitness":[1,2]}"#, "it answered with `terms` of 0 genomes, not of 2"),
            (r#"{"fitness":[1,2],"terms":[[1,2,3]]}"#, "`terms` of 1 genomes, not of 2"),
            (r#"{"fitness":[1,2],"terms":[[1,2,3],[4,5]]}"#, "it answered with 2 terms of a genome, not 3"),
            (r#"{"fitness":[1,2],"terms":[[1,2,null],[4,5,6]]}"#, "invalid type: null"),
        ] {
            let error = read(text).expect_err("a bad answer");
            assert!(error.contains(said), "{error}");
        }
    }
}
