//! Every column for every kind of puzzle, and values by hand.

use super::*;
use crate::landscape::FitnessKind;
use kenga_core::puzzle::formats;

/// A puzzle of every kind, one without and one with several solutions, with their text.
const PUZZLES: [&str; 9] = [
    "4:b_a4_a_6aa,m8s1a6s1m4a3d2",
    include_str!("../../../../puzzles/family/kakuro-6x6.json"),
    include_str!("../../../../puzzles/family/killer-6x6.json"),
    include_str!("../../../../puzzles/family/futoshiki-6x6.json"),
    include_str!("../../../../puzzles/family/latin-7x7.json"),
    include_str!("../../../../puzzles/family/magic-4x4.json"),
    include_str!("../../../../puzzles/family/queens-8x8.json"),
    include_str!("../../../../puzzles/family/sudoku-9x9.json"),
    r#"{"id":"triangle","kind":"coloring","vertices":3,"colors":2,"edges":[[0,1],[0,2],[1,2]]}"#,
];

fn puzzle(text: &str) -> Puzzle {
    formats::read("sample", text.as_bytes()).remove(0).unwrap_or_else(|error| panic!("{error}"))
}

/// Everything that is fast, with few solutions and no search of grades.
fn order() -> FeatureOrder {
    FeatureOrder {
        families: FAMILIES.iter().copied().filter(|family| !family.is_slow).collect(),
        limits: ExactLimits { nodes: 10_000, solutions: 10 },
        landscapes: Vec::new(),
        effort: Effort { samples: 20, walks: 5, length: 20, limit: 10, ..Effort::default() },
        seed: 1,
    }
}

/// The values of a puzzle by name.
fn found(order: &FeatureOrder, text: &str) -> impl Fn(&str) -> FeatureValue + use<> {
    let values = order.values(&puzzle(text), &Interrupt::default()).expect("nothing interrupts");
    let columns = order.columns();
    move |name| {
        let index = columns.iter().position(|column| column.name == name);
        values[index.unwrap_or_else(|| panic!("no column {name}"))].clone()
    }
}

#[test]
fn every_kind_of_puzzle_has_a_value_of_the_right_kind_or_none_in_every_column() {
    let order = order();
    let columns = order.columns();
    let twice = kenga_testing::size(1, PUZZLES.len());
    for (index, text) in PUZZLES.into_iter().enumerate() {
        let puzzle = puzzle(text);
        let values = order.values(&puzzle, &Interrupt::default()).expect("nothing interrupts");
        assert_eq!(values.len(), columns.len(), "{}", puzzle.id);
        for (column, value) in columns.iter().zip(&values) {
            let fits = *value == FeatureValue::Unknown || column.kind.takes(value);
            assert!(fits, "{}: {} is {value:?}", puzzle.id, column.name);
        }
        if index < twice {
            assert_eq!(order.values(&puzzle, &Interrupt::default()), Some(values), "{}", puzzle.id);
        }
    }
}

#[test]
fn columns_have_names_of_their_own_and_say_what_they_are() {
    let landscapes = LandscapeSpec::all(&FitnessKind::ALL);
    let order = FeatureOrder { families: FAMILIES.to_vec(), landscapes, ..order() };
    let columns = order.columns();
    let mut names: Vec<&str> = columns.iter().map(|column| &*column.name).collect();
    assert!(columns.iter().all(|column| !column.about.is_empty() && !column.about.contains('|')));
    assert!(names.iter().all(|name| name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')));
    let all = names.len();
    names.sort_unstable();
    names.dedup();
    assert_eq!(names.len(), all);
}

#[test]
fn values_are_those_by_hand() {
    let text = r#"{"size":2,"cages":[{"op":"+","target":3,"cells":[[0,0],[0,1]]},{"op":"=","target":1,"cells":[[1,0]]},{"op":"=","target":2,"cells":[[1,1]]}]}"#;
    let of = found(&order(), text);
    let (count, share) = (FeatureValue::Count, FeatureValue::Number);
    assert_eq!([of("cells"), of("digits"), of("cages"), of("lines")], [4, 2, 3, 4].map(count));
    assert_eq!((of("givens"), of("candidates_given")), (share(0.5), share(0.75)));
    assert_eq!((of("cages_covered"), of("cage_size_1")), (share(1.0), share(2.0 / 3.0)));
    assert_eq!((of("cage_size_mean"), of("cage_size_max")), (share(4.0 / 3.0), count(2)));
    // A sum of 3 in a row: 1 2 and 2 1.
    assert_eq!((of("operator_add"), of("operator_mul")), (share(1.0), share(0.0)));
    assert_eq!(
        (of("tuples_known"), of("tuples_mean"), of("tuples_max")),
        (share(1.0), share(4.0 / 3.0), count(2))
    );
    assert_eq!((of("tightness"), of("tightest"), of("loosest")), (share(0.25), share(0.0), share(0.5)));
    let log = |genomes: f64| share(genomes.log10());
    assert_eq!((of("space_cells"), of("space_rows"), of("space_cages")), (log(4.0), log(2.0), log(2.0)));
    // Every cell must differ from the other of its row and of its column, of three cells.
    assert_eq!((of("degree_mean"), of("degree_density")), (share(2.0), share(2.0 / 3.0)));
    // The sum touches a row and two columns, each of the others a row and a column.
    assert_eq!((of("crossed_mean"), of("cages_inside")), (share(7.0 / 3.0), share(1.0)));
    assert_eq!(of("cages_per_line"), share(7.0 / 4.0));
    assert_eq!(
        (of("solutions"), of("solutions_exact"), of("backbone")),
        (count(1), FeatureValue::Flag(true), share(1.0))
    );
    assert_eq!((of("nodes"), of("candidates_left"), of("decided")), (count(0), share(0.5), share(1.0)));
    assert_eq!(
        (of("grade_status"), of("trial")),
        (FeatureValue::Word("unique".to_owned()), FeatureValue::Flag(false))
    );
}

#[test]
fn what_a_puzzle_does_not_have_is_unknown() {
    let sudoku = found(&order(), include_str!("../../../../puzzles/family/sudoku-9x9.json"));
    assert_eq!(sudoku("cages"), FeatureValue::Count(0));
    for name in
        ["cages_inside", "cage_size_1", "cage_size_mean", "operator_add", "tightness", "cages_per_line"]
    {
        assert_eq!(sudoku(name), FeatureValue::Unknown, "{name}");
    }
    let triangle = found(&order(), PUZZLES[8]);
    assert_eq!(
        (triangle("solutions"), triangle("solutions_exact")),
        (FeatureValue::Count(0), FeatureValue::Flag(true))
    );
    assert_eq!((triangle("backbone"), triangle("score")), (FeatureValue::Unknown, FeatureValue::Unknown));
    assert_eq!(triangle("degree_density"), FeatureValue::Number(1.0));
    let blind = FeatureOrder { limits: ExactLimits { nodes: 0, solutions: 1 }, ..order() };
    assert_eq!(found(&blind, PUZZLES[0])("solutions"), FeatureValue::Unknown);
}

#[test]
fn an_interrupt_leaves_no_row() {
    let interrupt = Interrupt::default();
    interrupt.raise(2);
    assert_eq!(order().values(&puzzle(PUZZLES[0]), &interrupt), None);
}

/// A row of the table of docs/features.md.
fn documented(column: &FeatureColumn) -> String {
    format!("| `{}` | {} | {} |", column.name, column.kind.name(), column.about)
}

#[test]
fn the_page_of_features_has_every_column_and_no_other() {
    let page = include_str!("../../../../docs/features.md");
    let is_row = |line: &&str| line.starts_with("| `");
    let mut rows: Vec<&str> = page.lines().filter(is_row).collect();
    let mut expected: Vec<String> = order().columns().iter().map(documented).collect();
    for family in FAMILIES {
        assert!(
            page.contains(&format!("\n### {}\n", family.name)),
            "docs/features.md has no part {}",
            family.name
        );
        assert!(
            page.contains(family.about),
            "docs/features.md does not say of {}: {}",
            family.name,
            family.about
        );
    }
    rows.retain(|row| !row.contains("_<"));
    expected.retain(|row| !rows.contains(&row.as_str()));
    assert!(expected.is_empty(), "docs/features.md has not these rows:\n{}", expected.join("\n"));
    assert_eq!(rows.len(), order().columns().len(), "docs/features.md has rows of no column");
}
