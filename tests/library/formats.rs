//! Every format reads what it writes, and agrees with the others.

mod examples;
mod foreign;
mod forms;

use kenga::puzzle::formats::{self, Format};
use kenga::puzzle::operators::{self, Operator};
use kenga::puzzle::{
    Cage, Coloring, Entry, Futoshiki, Grid, Group, Kakuro, Kind, Magic, Puzzle, Queens, Role, Square, check,
};
use proptest::prelude::*;

const KEEN_SAMPLE: &str = include_str!("../../puzzles/keen-sample.jsonl");
const FOUR: &str = include_str!("../../puzzles/original/4x4.txt");
const SIX: &str = include_str!("../../puzzles/original/6x6.txt");

/// The formats of a KenKen.
const PLAIN: [&str; 4] = ["json", "keen", "cage_list", "cage_ids"];

fn format(name: &str) -> &'static Format {
    formats::find(name).expect("a format of the table")
}

fn read(text: &str) -> Vec<Puzzle> {
    let puzzles = formats::read("test.txt", text.as_bytes());
    puzzles.into_iter().map(|puzzle| puzzle.unwrap_or_else(|error| panic!("{error} in {text}"))).collect()
}

fn only(text: &str) -> Puzzle {
    let mut puzzles = read(text);
    assert_eq!(puzzles.len(), 1);
    puzzles.remove(0)
}

fn is_solved_by(puzzle: &Puzzle, grid: &str) -> bool {
    let grid = Grid::parse(grid, puzzle.rows(), puzzle.cols()).expect("a grid of the puzzle's shape");
    check(puzzle, &grid).is_solution()
}

#[test]
fn the_first_original_puzzle_reads_in_every_format() {
    let puzzle = only(FOUR);
    assert!(is_solved_by(&puzzle, "4 1 2 3 / 1 4 3 2 / 2 3 1 4 / 3 2 4 1"));
    assert_eq!(formats::write(&puzzle, format("keen")), Ok("4:b_a4_a_6aa,m8s1a6s1m4a3d2\n".to_owned()));
    assert_eq!(formats::write(&puzzle, format("cage_ids")), Ok(FOUR.replace("3 +", "3 =")));
    for format in PLAIN.map(format) {
        let text = formats::write(&puzzle, format).expect("every format holds it");
        assert_eq!(only(&text).canonical_text(), puzzle.canonical_text(), "{}", format.name);
    }
}

#[test]
fn the_second_original_puzzle_is_written_as_it_was_read() {
    let puzzle = only(SIX);
    assert!(is_solved_by(&puzzle, "143526/352641/461352/536214/624135/215463"));
    assert_eq!(formats::write(&puzzle, format("cage_list")), Ok(SIX.to_owned()));
}

#[test]
fn the_golden_keen_id_is_read_and_written_back() {
    let id = "6:_a_aa__aa_a__b_aba3_3a_4aa_a_a__b_a,a11d2m20m6s3d3m240m6m6a7m30m6a9a8d2";
    let puzzle = only(id);
    assert!(is_solved_by(&puzzle, "563412/614523/452361/341256/236145/125634"));
    assert_eq!(formats::write(&puzzle, format("keen")), Ok(id.to_owned() + "\n"));
}

#[test]
fn keen_ids_and_cages_of_the_sample_agree() {
    for puzzle in read(KEEN_SAMPLE) {
        let id = puzzle.meta["keen_id"].as_str().expect("a text");
        let from_id = only(id);
        assert_eq!(from_id.canonical_text(), puzzle.canonical_text(), "{id}");
        assert_eq!(formats::write(&puzzle, format("keen")), Ok(id.to_owned() + "\n"));
        assert_eq!(formats::write(&from_id, format("keen")), Ok(id.to_owned() + "\n"));
        assert!(check(&puzzle, puzzle.solution.as_ref().expect("a solution")).is_solution(), "{id}");
    }
}

#[test]
fn kakuro_is_read_however_it_is_laid_out() {
    let grid = only("\\,3\\,4\\\n\\3,_,_\n\\4,_,_\n").canonical_text();
    for text in [
        "3 3\nx,3\\,4\\\n\\3,0,?\n\\4,.,_",
        "\r\n , 3\\ , 4\\\r\n\\3 , 0 , 0\r\n\\4,0,0\r\n",
        "3 3\n- 3, 4,\n,3 0 0\n,4 0 0\n",
        "-  3,  4,\n,3  0  0\n,4  0  0\n",
    ] {
        assert_eq!(only(text).canonical_text(), grid, "{text}");
    }
}

#[test]
fn a_kakuro_without_white_cells_is_read_back() {
    for (rows, cols) in [(1, 1), (2, 3), (4, 4), (6, 6)] {
        let puzzle = Kakuro::new((rows, cols), Vec::new()).build().expect("black cells only");
        for name in ["json", "kakuro_grid", "kakuro_tokens"] {
            let text = formats::write(&puzzle, format(name)).expect("every format holds it");
            assert_eq!(only(&text).canonical_text(), puzzle.canonical_text(), "{text}");
        }
    }
}

#[test]
fn sudoku_is_read_however_it_is_laid_out() {
    let line = "1..........3..2.";
    let plain = only(line).canonical_text();
    for text in [
        "# a remark\n\n1_00000000_3.02.\n# another\n",
        "1...\n....\n...3\n..2.\n",
        "1 0 0 0\r\n0 0 0 0\r\n\r\n0 0 0 3\r\n0 0 2 0",
        "1.|..\n..|..\n-----\n..|.3\n..|2.\n",
        "+---+---+\n|1 .|. .|\n|. .|. .|\n+---+---+\n|. .|. 3|\n|. .|2 .|\n+---+---+",
    ] {
        assert_eq!(only(text).canonical_text(), plain, "{text}");
    }
    assert_eq!(formats::write(&only(line), format("sudoku")), Ok(line.to_owned() + "\n"));
}

#[test]
fn rules_show_the_boxes_of_a_sudoku() {
    let rows = ["1 . . . . .", ". . . . . ."];
    let of = |text: String| only(&text).groups_with(Role::Region).next().expect("a box").cells.clone();
    let open = rows[1];
    assert_eq!(of([&rows, &[open; 4][..]].concat().join("\n")), [0, 1, 2, 6, 7, 8]);
    let (one, two, three) = (rows[0].to_owned(), rows.join("\n"), [rows[0], open, open].join("\n"));
    assert_eq!(of([&*two, &two, &two].join("\n---\n")), [0, 1, 2, 6, 7, 8]);
    assert_eq!(of([&*three, &three].join("\n---\n")), [0, 1, 6, 7, 12, 13]);
    assert_eq!(of([&*one; 6].join("\n---\n")), [0, 1, 2, 3, 4, 5]);
    assert_eq!(of("1 . | . . | . .\n".repeat(6)), [0, 1, 6, 7, 12, 13]);
    assert_eq!(of("1 | . | .\n".repeat(3)), [0, 3, 6]);
}

#[test]
fn a_bad_line_of_a_sudoku_corpus_costs_only_itself() {
    let line = ".".repeat(80);
    let text = format!("# three\n1{line}\n{line}\nrubbish\n2{line}\n\n# the last\nx{line}\n{line}3\n# end\n");
    let results = formats::read("corpus.txt", text.as_bytes());
    let ids: Vec<Option<&str>> =
        results.iter().map(|puzzle| puzzle.as_ref().ok().map(|puzzle| &*puzzle.id)).collect();
    assert_eq!(ids, [Some("corpus"), None, None, Some("corpus-2"), None, Some("corpus-3")]);
}

#[test]
fn many_keen_ids_are_many_puzzles() {
    let puzzles = read("3de:_a_a3_a,s1a4s1m3\r\n\r\n3de:_a_aa_aa,s1s1a7m2\r\n");
    let ids: Vec<&str> = puzzles.iter().map(|puzzle| puzzle.id.as_str()).collect();
    assert_eq!(ids, ["test", "test-2"]);
}

#[test]
fn texts_are_read_however_they_are_laid_out() {
    let plain = only(FOUR).canonical_text();
    let marked = format!("\u{FEFF}\r\n  {}  \r\n\r\n", FOUR.replace('\n', " \t\r\n"));
    assert_eq!(only(&marked).canonical_text(), plain);
    let glued = FOUR.replace("8 *", "8.0×").replace("1 -", "1 −").replace("2 /", "2 ÷").replace("3 +", "3");
    assert_eq!(only(&glued).canonical_text(), plain);
    let blanks = SIX.replace('\t', "  ").replace('A', "a").replace("! 2", "= 2.00");
    assert_eq!(only(&blanks).canonical_text(), only(SIX).canonical_text());
}

#[test]
fn objects_over_several_lines_are_read() {
    let value: serde_json::Value =
        serde_json::from_str(KEEN_SAMPLE.lines().next().expect("a line")).expect("JSON");
    let pretty = serde_json::to_string_pretty(&value).expect("a value");
    let both = format!("{pretty}\n{}\n", pretty.replace("keen-3de-0", "again"));
    let puzzles = read(&both);
    assert_eq!(puzzles.len(), 2);
    assert_eq!(puzzles[0].canonical_text(), puzzles[1].canonical_text());
}

#[test]
fn a_bad_line_costs_one_error_and_the_rest_is_read() {
    let lines: Vec<&str> = KEEN_SAMPLE.lines().take(3).collect();
    let cut = &lines[1][..60];
    let text = format!("{}\n{cut}\nrubbish\n\u{0}\n{}\n", lines[0], lines[2]);
    let good: Vec<bool> = formats::read("x", text.as_bytes()).iter().map(Result::is_ok).collect();
    assert_eq!(good, [true, false, false, false, true]);
}

#[test]
fn bytes_that_are_no_text_cost_their_line_only() {
    let lines: Vec<&str> = KEEN_SAMPLE.lines().take(2).collect();
    let mut bytes = lines[0].as_bytes().to_vec();
    bytes.extend(b"\n{\"id\":\"\xFF\"}\n");
    bytes.extend(lines[1].as_bytes());
    let good: Vec<bool> = formats::read("x", &bytes).iter().map(Result::is_ok).collect();
    assert_eq!(good, [true, false, true]);
}

#[test]
fn puzzles_without_an_id_are_named_after_the_file() {
    let cell = |id: &str| {
        format!("{{{id}\"size\":1,\"cages\":[{{\"op\":\"=\",\"target\":1,\"cells\":[[0,0]]}}]}}\n")
    };
    let text = cell("") + &cell("\"id\":\"test-2\",") + &cell("") + &cell("");
    let ids: Vec<String> = read(&text).into_iter().map(|puzzle| puzzle.id).collect();
    assert_eq!(ids, ["test", "test-2", "test-3", "test-4"]);
}

/// What a random cage is made of.
type Draw = (usize, usize, usize, i64);

fn symbol(cells: usize, choice: usize, symbols: &[&str]) -> Operator {
    let allowed = |operator: &Operator| cells > 1 && operator.cells.contains(&cells);
    let operators: Vec<Operator> =
        symbols.iter().filter_map(|symbol| operators::find(symbol)).filter(allowed).collect();
    operators.get(choice % operators.len().max(1)).copied().unwrap_or(operators::GIVEN)
}

/// Cages grown cell by cell from each cell that is free.
fn cages(size: usize, draws: &[Draw], symbols: &[&str]) -> Vec<Cage> {
    let mut owner = vec![false; size * size];
    let mut cages = Vec::new();
    for start in 0..size * size {
        if std::mem::replace(&mut owner[start], true) {
            continue;
        }
        let (length, way, choice, target) = draws[start % draws.len()];
        let mut cells = vec![(start / size, start % size)];
        while cells.len() < length {
            let (row, column) = cells[way % cells.len()];
            let near = [
                (row, column + 1),
                (row + 1, column),
                (row.wrapping_sub(1), column),
                (row, column.wrapping_sub(1)),
            ];
            let free =
                |cell: &&(usize, usize)| cell.0 < size && cell.1 < size && !owner[cell.0 * size + cell.1];
            let Some(&next) = near.iter().cycle().skip(way % 4).take(4).find(free) else { break };
            owner[next.0 * size + next.1] = true;
            cells.push(next);
        }
        cages.push(Cage::new(symbol(cells.len(), choice, symbols), target, cells));
    }
    cages
}

fn draws() -> impl Strategy<Value = Vec<Draw>> {
    let target = prop_oneof![0..40_i64, Just(i64::MAX), 0..i64::MAX];
    proptest::collection::vec((1..6_usize, any::<usize>(), any::<usize>(), target), 1..20)
}

fn kenken(
    sizes: std::ops::RangeInclusive<usize>,
    symbols: &'static [&'static str],
) -> impl Strategy<Value = Square> {
    (sizes, draws()).prop_map(move |(size, draws)| Square::kenken(size, cages(size, &draws, symbols)))
}

/// With everything that only JSON holds.
fn rich() -> impl Strategy<Value = Puzzle> {
    let parts = (kenken(1..=12, &["+", "-", "*", "/", "?"]), any::<u64>(), 0..255_u8, any::<bool>());
    parts.prop_map(|(mut kenken, bits, digit, extra)| {
        let n = kenken.size;
        for (index, cage) in kenken.cages.iter_mut().enumerate() {
            cage.repeats = bits >> (index % 64) & 1 == 0;
        }
        if extra {
            kenken.digits = Some((0..n as u8).map(|rank| rank * 3).collect());
            kenken.givens = vec![(n - 1, 0, digit), (0, n - 1, digit)];
            let cells = (0..n).map(|step| step * (n + 1)).collect();
            kenken.groups = vec![Group {
                role: [Role::Region, Role::Group][usize::from(digit % 3 == 0)],
                cells,
                distinct: digit % 2 == 0,
                clue: None,
            }];
        }
        let mut puzzle = kenken.build().expect("sound cages");
        puzzle.solution =
            extra.then(|| Grid::from_cells(n, n, vec![Some(digit).filter(|d| d % 3 > 0); n * n]));
        puzzle.meta.insert("note".to_owned(), serde_json::json!([digit, null]));
        puzzle
    })
}

fn round_trips(puzzle: &Puzzle, format: &Format) -> Result<(), TestCaseError> {
    let text = formats::write(puzzle, format).map_err(|error| TestCaseError::fail(error.to_string()))?;
    let again = formats::read("puzzle.txt", text.as_bytes()).remove(0);
    let again = again.map_err(|error| TestCaseError::fail(format!("{error}: {text}")))?;
    prop_assert_eq!(again.canonical_text(), puzzle.canonical_text());
    prop_assert_eq!(formats::write(&again, format), Ok(text));
    Ok(())
}

/// A Kakuro with a black first row and column; where `mask` says so cells are white, and every run has a clue.
fn kakuro() -> impl Strategy<Value = Puzzle> {
    let mask = proptest::collection::vec(any::<bool>(), 49);
    (2..8_usize, 2..8_usize, mask, 1..100_i64).prop_map(|(rows, cols, mask, target)| {
        let white = |row: usize, column: usize| {
            row > 0 && column > 0 && row < rows && column < cols && mask[(row - 1) * 7 + column - 1]
        };
        let mut kakuro = Kakuro::new((rows, cols), Vec::new());
        for (row, column) in (0..rows * cols).map(|cell| (cell / cols, cell % cols)) {
            for (down, across) in [(1, 0), (0, 1)] {
                let line = (1..).map(|step| (row + step * down, column + step * across));
                let cells: Vec<(usize, usize)> = line.take_while(|cell| white(cell.0, cell.1)).collect();
                if !white(row, column) && !cells.is_empty() {
                    kakuro.entries.push(Entry { target: target + row as i64, cells });
                }
            }
            if white(row, column) && (row + column) as i64 % 5 == target % 5 {
                kakuro.givens.push((row, column, 1 + (target % 9) as u8));
            }
        }
        kakuro.build().expect("sound entries")
    })
}

/// A Sudoku of any size and boxes; `bits` says which cells are given.
fn sudoku() -> impl Strategy<Value = Square> {
    (1..=5_usize, 1..=6_usize, proptest::collection::vec(any::<u8>(), 64)).prop_map(|(rows, cols, bits)| {
        let size = rows * cols;
        let given = |cell: usize| {
            let bits = bits[cell % 64].wrapping_mul(1 + (cell / 64) as u8);
            (bits % 3 == 0).then_some((cell / size, cell % size, 1 + bits / 3 % size as u8))
        };
        Square { givens: (0..size * size).filter_map(given).collect(), ..Square::sudoku(size, (rows, cols)) }
    })
}

/// A Sudoku with cages over some cells.
fn killer() -> impl Strategy<Value = Puzzle> {
    (sudoku(), draws(), any::<u32>()).prop_map(|(sudoku, draws, bits)| {
        let cages = cages(sudoku.size, &draws, &["+"]).into_iter().enumerate();
        let cages = cages.filter(|(index, _)| bits >> (index % 32) & 1 == 0).map(|(_, cage)| cage);
        Square { kind: Kind::Killer, cages: cages.collect(), ..sudoku }.build().expect("sound cages")
    })
}

fn coloring() -> impl Strategy<Value = Puzzle> {
    (1..40_usize, 1..=32_usize, proptest::collection::vec((any::<usize>(), any::<usize>()), 0..60)).prop_map(
        |(vertices, colors, draws)| {
            let edges = draws.into_iter().map(|(from, to)| (from % vertices, to % vertices));
            let edges = edges.filter(|(from, to)| from != to).collect();
            Coloring::new(vertices, colors, edges).build().expect("a sound graph")
        },
    )
}

/// A Futoshiki with a random half of the signs, perhaps none, and givens.
fn futoshiki() -> impl Strategy<Value = Puzzle> {
    (2..=12_usize, draws(), any::<u64>()).prop_map(|(size, draws, bits)| {
        let of = |index: usize| draws[index % draws.len()].1 >> (index % 16);
        let mut less = Vec::new();
        for (row, column) in (0..size * size).map(|cell| (cell / size, cell % size)) {
            for (index, other) in [(row, column + 1), (row + 1, column)].into_iter().enumerate() {
                let inside = other.0 < size && other.1 < size;
                if inside && of(2 * (row * size + column) + index) % 4 == 0 {
                    let swapped = bits >> ((row * size + column) % 64) & 1 == 1;
                    less.push(if swapped { [other, (row, column)] } else { [(row, column), other] });
                }
            }
        }
        let givens = vec![(0, size - 1, (bits % size as u64) as u8 + 1)];
        Futoshiki { givens, ..Futoshiki::new(size, less) }.build().expect("a sound Futoshiki")
    })
}

/// A magic square of any sum, perhaps with givens and another group.
fn magic() -> impl Strategy<Value = Puzzle> {
    (1..=5_usize, prop::option::of(0..99_i64), 1..=25_u8).prop_map(|(size, target, digit)| {
        let groups = vec![Group { role: Role::Row, cells: (0..size).collect(), distinct: true, clue: None }];
        let groups = if digit % 2 == 0 { groups } else { Vec::new() };
        let magic = Magic { target, givens: vec![(size - 1, 0, digit)], groups, ..Magic::new(size) };
        magic.build().expect("a sound magic square")
    })
}

/// A KenKen of products.
fn products() -> impl Strategy<Value = Puzzle> {
    let target = prop_oneof![0..40_i64, 0..1_200_000_i64];
    let draws = proptest::collection::vec((1..6_usize, any::<usize>(), any::<usize>(), target), 1..20);
    (1..=12_usize, draws).prop_map(|(size, draws)| {
        Square::kenken(size, cages(size, &draws, &["*"])).build().expect("sound cages")
    })
}

/// A Killer whose cages may have operators, with all kinds of boxes and extra regions; some add up to the sum of a Sudoku.
fn calculated() -> impl Strategy<Value = Puzzle> {
    (sudoku(), draws(), any::<u32>()).prop_map(|(sudoku, draws, bits)| {
        let size = sudoku.size;
        let mut cages = cages(size, &draws, if bits % 2 == 0 { &["+"] } else { &["+", "*", "-"] });
        for (index, cage) in cages.iter_mut().enumerate() {
            cage.target %= 100;
            cage.repeats = cage.operator.symbol != "+" || bits >> (index % 8 + 8) & 1 == 1;
        }
        if bits % 4 == 0 {
            let rest: i64 = cages[1..].iter().map(|cage| cage.target).sum();
            cages[0].target = ((size * size * (size + 1) / 2) as i64 - rest).max(0);
        }
        let diagonal = Group {
            role: Role::Region,
            cells: (0..size).map(|at| at * (size + 1)).collect(),
            distinct: true,
            clue: None,
        };
        let groups = if bits % 8 == 3 { vec![diagonal] } else { Vec::new() };
        let givens = if bits % 3 == 0 { sudoku.givens } else { Vec::new() };
        Square { kind: Kind::Killer, cages, groups, givens, ..sudoku_of(size, sudoku.boxes) }
            .build()
            .expect("sound cages")
    })
}

fn sudoku_of(size: usize, boxes: Option<(usize, usize)>) -> Square {
    Square::sudoku(size, boxes.expect("a Sudoku has boxes"))
}

/// The groups of a puzzle of any other kind, as they are.
fn grid() -> impl Strategy<Value = Puzzle> {
    let others = prop_oneof![
        kenken(1..=9, &["+", "-", "*", "/", "?"]).prop_map(|kenken| kenken.build().expect("sound cages")),
        kakuro(),
        killer(),
        futoshiki(),
        magic(),
        coloring(),
        (1..=9_usize).prop_map(|size| Queens::new(size).build().expect("a sound board")),
    ];
    others.prop_map(|mut puzzle| {
        puzzle.kind = Kind::Grid;
        puzzle
    })
}

/// A puzzle of any kind.
fn family() -> impl Strategy<Value = Puzzle> {
    let latin =
        sudoku().prop_map(|Square { size, givens, .. }| Square { givens, ..Square::latin(size) }.build());
    prop_oneof![
        kenken(1..=12, &["+", "-", "*", "/", "?"]).prop_map(|kenken| kenken.build().expect("sound cages")),
        products(),
        kakuro(),
        sudoku().prop_map(|sudoku| sudoku.build().expect("a sound Sudoku")),
        killer(),
        calculated(),
        latin.prop_map(|latin| latin.expect("a sound Latin square")),
        coloring(),
        futoshiki(),
        magic(),
        (1..=32_usize).prop_map(|size| Queens::new(size).build().expect("a sound board")),
        grid(),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]
    /// No text that one format writes looks like another's, so the order of the table decides nothing here.
    #[test]
    fn every_written_text_is_recognised_as_its_own_format_and_no_other(puzzle in family()) {
        for format in formats::TABLE.iter().filter(|format| format.is_written()) {
            let Ok(text) = formats::write(&puzzle, format) else { continue };
            let taken: Vec<&str> =
                formats::TABLE.iter().filter(|other| other.recognises(&text)).map(|other| other.name).collect();
            prop_assert_eq!(&taken, &[format.name], "{}", text);
            prop_assert_eq!(only(&text).canonical_text(), puzzle.canonical_text(), "{}", text);
            prop_assert_eq!(only(&text).kind, puzzle.kind);
            if format.many {
                prop_assert_eq!(read(&text.replace("\"id\":", "\"ids\":").repeat(3)).len(), 3);
            }
        }
    }

}

proptest! {
    #[test]
    fn col_holds_every_graph(mut puzzle in coloring()) {
        puzzle.id = "puzzle".to_owned();
        round_trips(&puzzle, format("json"))?;
        round_trips(&puzzle, format("col"))?;
    }

    #[test]
    fn its_formats_hold_every_futoshiki_with_signs(mut puzzle in futoshiki()) {
        puzzle.id = "puzzle".to_owned();
        round_trips(&puzzle, format("json"))?;
        round_trips(&puzzle, format("unequal"))?;
        if puzzle.groups().iter().any(|group| group.role == Role::Group) {
            round_trips(&puzzle, format("futoshiki"))?;
        }
    }

    #[test]
    fn json_holds_every_magic_square_and_board(mut puzzle in magic(), size in 1..=32_usize) {
        puzzle.id = "puzzle".to_owned();
        round_trips(&puzzle, format("json"))?;
        let board = Queens { givens: vec![(0, size - 1, 1)], ..Queens::new(size) };
        let mut puzzle = board.build().expect("a sound board");
        puzzle.id = "puzzle".to_owned();
        round_trips(&puzzle, format("json"))?;
    }

    #[test]
    fn json_holds_the_groups_of_every_kind_as_a_grid(mut puzzle in grid()) {
        puzzle.id = "puzzle".to_owned();
        round_trips(&puzzle, format("json"))?;
        let again = only(&formats::canonical(&puzzle));
        prop_assert_eq!(again.groups(), puzzle.groups());
        for other in formats::TABLE.iter().filter(|other| other.name != "json") {
            if other.is_written() {
                prop_assert!(formats::write(&puzzle, other).is_err(), "{}", other.name);
            }
        }
    }

    #[test]
    fn sudoku_holds_every_plain_sudoku(sudoku in sudoku()) {
        round_trips(&sudoku.build().expect("a sound Sudoku"), format("sudoku"))?;
    }

    #[test]
    fn kakuro_formats_hold_every_plain_kakuro(mut puzzle in kakuro()) {
        puzzle.id = "puzzle".to_owned();
        round_trips(&puzzle, format("json"))?;
        round_trips(&puzzle, format("kakuro_grid"))?;
        round_trips(&puzzle, format("kakuro_tokens"))?;
    }

    #[test]
    fn json_holds_every_puzzle(mut puzzle in rich()) {
        puzzle.id = "some id".to_owned();
        round_trips(&puzzle, format("json"))?;
        prop_assert_eq!(only(&formats::canonical(&puzzle)), puzzle);
    }

    #[test]
    fn line_formats_hold_every_plain_puzzle(kenken in kenken(1..=12, &["+", "-", "*", "/", "?"])) {
        let puzzle = kenken.build().expect("sound cages");
        round_trips(&puzzle, format("cage_ids"))?;
        round_trips(&puzzle, format("cage_list"))?;
    }

    #[test]
    fn keen_holds_plain_puzzles_with_narrow_operators(kenken in kenken(3..=9, &["+", "*"])) {
        let minus = operators::find("-").expect("a known operator");
        let cages = kenken.cages.into_iter().map(|cage| match cage.cells.len() {
            2 if cage.target % 2 == 0 => Cage { operator: minus, ..cage },
            _ => cage,
        });
        let puzzle = Square::kenken(kenken.size, cages.collect()).build().expect("sound cages");
        round_trips(&puzzle, format("keen"))?;
    }

    #[test]
    fn no_bytes_make_a_reader_panic(bytes in proptest::collection::vec(any::<u8>(), 0..200)) {
        prop_assert!(!formats::read("x", &bytes).is_empty());
    }

    /// Texts of every format with a piece replaced get much further than random ones.
    #[test]
    fn no_damage_makes_a_reader_panic(
        which in 0..8_usize, at in any::<prop::sample::Index>(), length in 0..6_usize, piece in "[\\PC\n]{0,4}|[0-9a-z:,_#{}\\[\\]\"é.+*/-]{0,3}",
    ) {
        let text = match which {
            0..4 => formats::write(&only(FOUR), format(PLAIN[which])).expect("every format holds it"),
            4 => "1..........3..2.\n# one more\n................\n".to_owned(),
            5 => "+-----+-----+\n| 1 . | . . |\n| . . | . . |\n+-----+-----+\n| . . | . 3 |\n| . . | 2 . |\n".to_owned(),
            6 => "\\,3\\,4\\\n\\3,_,_\n\\4,_,_\n".to_owned(),
            _ => "3 3\n- 3, 4,\n,3 0 0\n,4 0 0\n".to_owned(),
        };
        let start = at.index(text.len());
        let damaged = [&text[..start], &*piece, &text[(start + length).min(text.len())..]].concat();
        for result in formats::read("x", damaged.as_bytes()) {
            if let Err(error) = result {
                let mut shown = String::new();
                miette::GraphicalReportHandler::new().render_report(&mut shown, &error).expect("it renders");
                prop_assert!(shown.contains("[x:"), "no place in {shown}");
            }
        }
    }
}
