//! Tests of the check of genomes, against a slow one.

use std::sync::Arc;

use super::check::{GenomeCheck, choices};
use super::tuple_index::{CodedPart, TupleIndex};
use crate::fitness::{CageMeasure, Fitness, Weights};
use crate::problem::{Blocks, Domains, Problem};
use crate::puzzle::{Cage, Square, operators, samples};
use crate::rng::{RunRng, StreamKey};
use crate::search::encodings::{AnyEncoding, Encoding, Rows, TupleEncoding};
use crate::search::space::Choices;

fn encoding(problem: &Problem, name: &str) -> AnyEncoding {
    let fitness = Fitness::new(problem.clone(), Weights::ORIGINAL, CageMeasure::Binary);
    let fitness = Arc::new(fitness.expect("small weights"));
    match name {
        "cells" => AnyEncoding::Tuples(TupleEncoding::of_cells(fitness, true)),
        "cages" => AnyEncoding::Tuples(TupleEncoding::of_cages(fitness)),
        _ => AnyEncoding::Rows(Rows::new(fitness).expect("a square has lines")),
    }
}

/// A Latin square with one clue, which goes down a staircase of this many cells and has few tuples.
fn staircase(size: usize, cells: usize) -> Problem {
    let plus = operators::find("+").expect("a known operator");
    let cells: Vec<_> = (0..cells).map(|step| (step / 2, step.div_ceil(2))).collect();
    let cage = Cage::new(plus, cells.len() as i64 * 3 / 2 + 2, cells);
    let square = Square { cages: vec![cage], ..Square::latin(size) };
    Problem::compile(&square.build().expect("a sound puzzle"))
}

/// Gene by gene and tuple by tuple, whether the encoding has a genome.
fn is_sound(encoding: &AnyEncoding, genome: &[u8]) -> bool {
    let space = encoding.space();
    let lines = if encoding.lines_are_permutations() { space.rows.clone() } else { Blocks::default() };
    let is_line = |line: &[u16]| {
        (0..space.digits).all(|rank| line.iter().any(|gene| usize::from(genome[usize::from(*gene)]) == rank))
    };
    let is_part = |choices: &Choices, part: usize| {
        let genes = choices.cells.get(part);
        let held: Vec<u8> = genes.iter().map(|gene| genome[usize::from(*gene)]).collect();
        choices.ranks(part).chunks_exact(genes.len()).any(|tuple| tuple == held)
    };
    genome.iter().enumerate().all(|(gene, rank)| space.candidates.holds(gene, *rank))
        && lines.iter().all(is_line)
        && choices(encoding).is_none_or(|all| (0..all.len()).all(|part| is_part(all, part)))
}

/// Checks starts of an encoding and what a few changes make of them; counts those that are sound, and the others.
fn tried(encoding: &AnyEncoding, rng: &mut RunRng) -> [usize; 2] {
    let (check, digits, mut counts) = (GenomeCheck::new(encoding), encoding.space().digits, [0; 2]);
    for changes in (0..400).map(|round| round % 4) {
        let mut genome = vec![0; encoding.space().genes()];
        match encoding {
            AnyEncoding::Tuples(encoding) => encoding.init(&mut genome, rng),
            AnyEncoding::Rows(encoding) => encoding.init(&mut genome, rng),
        }
        for _ in 0..changes {
            let (gene, other) = (rng.below(genome.len()), rng.below(genome.len()));
            genome.swap(gene, other);
            genome[gene] = if rng.coin(0.2) { rng.below(256) } else { rng.below(digits) } as u8;
        }
        let expected = is_sound(encoding, &genome);
        assert_eq!(check.holds(&genome), expected, "{genome:?}");
        let values = encoding.space().problem().values();
        let digits: Vec<u8> =
            genome.iter().map(|rank| *values.get(usize::from(*rank)).unwrap_or(&0)).collect();
        assert_eq!(check.read(&digits, &mut Vec::new()).is_ok(), expected, "{genome:?}");
        counts[usize::from(!expected)] += 1;
    }
    counts
}

#[test]
fn genomes_pass_just_when_the_encoding_has_them() {
    let mut rng = StreamKey::run(1, "check", 0).rng();
    let mut problems: Vec<Problem> =
        (2..10).map(|size| Problem::compile(&samples::kenken(size, |n| rng.below(n)))).collect();
    // Candidates with gaps, and some genes with a single one.
    let masks =
        (0..81).map(|cell| if cell % 5 == 0 { 1 << (cell % 9) } else { 0b1_0110_1101 | 1 << (cell % 9) });
    problems.push(problems[7].restrict(&Domains(masks.collect())));
    problems.extend([staircase(8, 5), staircase(8, 7), staircase(20, 15)]);
    for (index, problem) in problems.iter().enumerate() {
        for name in ["cells", "rows", "cages"] {
            let [sound, wrong] = tried(&encoding(problem, name), &mut rng);
            assert!(sound >= 100 && wrong >= 20, "{sound} and {wrong} of problem {index} in {name}");
        }
    }
}

#[test]
fn parts_of_any_width_are_indexed() {
    let index = |size, cells| match encoding(&staircase(size, cells), "cages") {
        AnyEncoding::Tuples(encoding) => TupleIndex::new(encoding.choices(), size),
        AnyEncoding::Rows(_) => unreachable!("cages hold tuples"),
    };
    let (short, long, longest) = (index(8, 5), index(8, 7), index(20, 15));
    assert_eq!((short.parts.len(), short.masks.len(), short.rest.len()), (1, 4096, 0));
    assert!(long.parts.is_empty() && matches!(&*long.rest, [CodedPart { codes: Some(_), .. }]));
    assert!(longest.parts.is_empty() && matches!(&*longest.rest, [CodedPart { codes: None, .. }]));
    for index in [short, long, longest] {
        let (genes, tuples) = index.tuples().next().expect("a clue with few tuples");
        assert_eq!(tuples.count(), index.choices.count(0), "{genes:?}");
    }
}
