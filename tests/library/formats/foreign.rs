//! Texts of other programs: every layout says the same puzzle, and what is ambiguous is decided by what follows.

use serde_json::{Value, json};

use super::*;

/// The cages of a plain puzzle with target and symbol, and the index of every cell's cage.
type Clued = (i64, &'static str, Vec<usize>);

fn cages_of(puzzle: &Puzzle) -> (Vec<Clued>, Vec<usize>) {
    let mut owner = vec![0; puzzle.rows() * puzzle.cols()];
    let mut cages = Vec::new();
    for group in puzzle.groups_with(Role::Cage) {
        group.cells.iter().for_each(|cell| owner[*cell] = cages.len());
        let clue = group.clue.expect("a cage has a clue");
        cages.push((clue.target, clue.operator.symbol, group.cells.clone()));
    }
    (cages, owner)
}

/// The text with a line for every row, cells joined.
fn grid(size: usize, between: &str, cell: impl Fn(usize) -> String) -> String {
    let row = |row: usize| (row * size..(row + 1) * size).map(&cell).collect::<Vec<_>>().join(between);
    (0..size).map(row).collect::<Vec<_>>().join("\n") + "\n"
}

fn letter(index: usize) -> String {
    char::from_u32('A' as u32 + index as u32 + if index < 26 { 0 } else { 6 }).expect("a letter").to_string()
}

/// The same puzzle as the texts of other programs.
fn texts(puzzle: &Puzzle) -> Vec<String> {
    let (cages, owner) = cages_of(puzzle);
    let n = puzzle.rows();
    let clue = |index: usize| format!("{}{}", cages[index].0, cages[index].1.replace('=', ""));
    let each = |line: &dyn Fn(usize) -> String, between: &str| {
        (0..cages.len()).map(line).collect::<Vec<_>>().join(between) + "\n"
    };
    let cells = |index: usize| {
        let names = cages[index].2.iter().map(|cell| puzzle.cell_name(*cell)).collect::<Vec<_>>();
        names.join(" ")
    };
    let first = |cell: usize| cages[owner[cell]].2[0] == cell;
    let symbol = |index: usize| cages[index].1;
    let mut texts = vec![
        grid(n, " ", |cell| owner[cell].to_string()) + &each(&|index| clue(index), "\n"),
        format!("{n} {}\n", cages.len())
            + &grid(n, " ", |cell| owner[cell].to_string())
            + &each(&|index| format!("{index} {} {}", symbol(index), cages[index].0), "\n"),
        grid(n, " ", |cell| format!("c{}", owner[cell]))
            + "\n"
            + &each(&|index| format!("c{index}: {}", clue(index)), "\n"),
        grid(n, ",", |cell| {
            let name = format!("r{}", owner[cell] + 1);
            if first(cell) { format!("{name}.{}", clue(owner[cell])) } else { name }
        }),
        format!("{n} {n}\n")
            + &grid(n, " ", |cell| if first(cell) { clue(owner[cell]) } else { ".".to_owned() })
            + &grid(n, " ", |cell| (owner[cell] + 1).to_string()),
        each(&|index| format!("{} {}", clue(index), cells(index)), "\n"),
        each(&|index| format!("{} {};", clue(index), cells(index)), "\n"),
        format!("# {n}\n")
            + &each(
                &|index| format!("{}{} {}", symbol(index), cages[index].0, cells(index).to_lowercase()),
                "\n",
            ),
        format!("{n}\n")
            + &each(
                &|index| format!("{} {} {}", cages[index].0, symbol(index), cells(index).replace(' ', ",")),
                "; ",
            ),
        format!("{n}\n")
            + &each(
                &|index| match symbol(index) {
                    "=" => format!("{}={}", cells(index), cages[index].0),
                    symbol => format!("{}={}", cells(index).replace(' ', symbol), cages[index].0),
                },
                "\n",
            ),
        format!("[{}]", each(&|index| format!("\"{} {}\"", clue(index), cells(index)), ",\n")),
    ];
    if cages.len() <= 52 {
        let rows = grid(n, "", |cell| letter(owner[cell]));
        texts.push(rows.clone() + "\n" + &each(&|index| format!("{} {}", letter(index), clue(index)), "\n"));
        texts.push(
            rows.clone()
                + &each(&|index| format!("{} {} {}", letter(index), symbol(index), cages[index].0), "\n"),
        );
        texts.push(rows + "---\n" + &each(&|index| format!("{}={}", letter(index), clue(index)), " "));
    }
    if cages.len() <= 10 {
        let rows = grid(n, "", |cell| owner[cell].to_string());
        texts.push(rows.clone() + &each(&|index| clue(index), "\n"));
        texts.push(rows + &each(&|index| format!("{index}:{}", clue(index)), " "));
    }
    texts
}

#[test]
fn the_first_original_puzzle_is_read_from_every_text_of_others() {
    let puzzle = only(FOUR);
    for text in texts(&puzzle) {
        assert_eq!(only(&text).canonical_text(), puzzle.canonical_text(), "{text}");
    }
}

#[test]
fn unspaced_digits_are_cage_ids_where_clues_follow_and_a_sudoku_elsewhere() {
    let rows = "0012\n3312\n3344\n5567\n";
    let ids = rows.to_owned() + "3+\n4*\n5+\n12*\n1-\n2/\n3\n4\n";
    assert_eq!(only(&ids).kind.name(), "kenken");
    let sudoku = "1000\n0000\n0003\n0020\n";
    assert_eq!(only(sudoku).kind.name(), "sudoku");
    assert_eq!(read(&(sudoku.to_owned() + sudoku)).len(), 2);
    for after in ["rubbish", "# 2 more", "5", "+---+"] {
        let results = formats::read("x", format!("{sudoku}{after}\n{sudoku}").as_bytes());
        assert!(results[0].as_ref().is_ok_and(|puzzle| puzzle.kind.name() == "sudoku"), "{after}");
    }
    assert_eq!(only("1 2 3 4\n0 0 0 0\n0 0 0 0\n0 0 0 0\n").kind.name(), "sudoku");
}

#[test]
fn digits_among_letters_are_givens_unless_a_clue_names_them() {
    let givens = only("AAB\nA1B\nCC1\nA 5+\nB 3-\nC 1-\n");
    let cells: Vec<&[usize]> = givens.groups_with(Role::Cage).map(|group| &*group.cells).collect();
    assert_eq!(cells, [&[0, 1, 3][..], &[2, 5], &[4], &[6, 7], &[8]]);
    let named = only("AAB\nA1B\nC11\nA 5+\nB 3-\nC 1\n1 6+\n");
    let six =
        named.groups_with(Role::Cage).find(|group| group.cells == [4, 7, 8]).expect("the cage of the ones");
    assert_eq!(six.clue.expect("a clue").to_string(), "6+");
    assert_eq!(named.groups_with(Role::Cage).count(), 4);
}

#[test]
fn ranges_and_calculations_name_the_cells_of_a_cage() {
    let plain = only("8* A1 A2 A3\n9+ B1 C1 B2 B3\n5+ C2 C3\n").canonical_text();
    for text in [
        "8* A1-A3\n9+ B1-C1 B2-B3\n5+ C2-C3\n",
        "8* A3-A1; 9+ B1-C1, B2-B3; 5+ C2-C3",
        "R1C1-R1C3: 8*\n9+ R2C1-R3C1 B2 B3\n5+ C2 C3\n",
        "# 3\nA1*A2*A3=8\nB1 + C1 + B2 + B3 = 9\nC2+C3=5\n",
        "8=A1×A2×A3\n9=B1+C1+B2+B3\n5+ C2 C3\n",
        r#"["8* A1-A3","9+ B1-C1 B2 B3","5+ C2 C3"]"#,
        "[\n{\"op\":\"*\",\"target\":8,\"cells\":[\"A1\",\"A2\",\"A3\"]},\n{\"op\":\"+\",\"target\":9,\"cells\":[[1,0],[2,0],[1,1],[1,2]]},\n{\"clue\":\"5+\",\"cells\":[[2,1],[2,2]]}]\n",
    ] {
        assert_eq!(only(text).canonical_text(), plain, "{text}");
    }
    let turned = only("# letters are columns\n8* A1-A3\n9+ B1-C1 B2-B3\n5+ C2-C3\n");
    let cells: Vec<&[usize]> = turned.groups_with(Role::Cage).map(|cage| &*cage.cells).collect();
    assert_eq!(cells, [&[0, 3, 6][..], &[1, 2, 4, 7], &[5, 8]]);
}

#[test]
fn a_number_alone_in_a_grid_of_clues_hides_its_operator() {
    let puzzle = only("2 2\n3 .\n2 _\n1 1\n2 2\n");
    let symbols: Vec<&str> =
        puzzle.groups_with(Role::Cage).map(|group| group.clue.expect("a clue").operator.symbol).collect();
    assert_eq!(symbols, ["?", "?"]);
    let givens = only("2 2\n2 1\n1 2\n1 2\n3 4\n");
    assert_eq!(givens.groups_with(Role::Cage).count(), 4);
}

#[test]
fn a_bad_first_line_costs_only_itself() {
    let keen = "3de:_a_a3_a,s1a4s1m3\n";
    let sample: String = KEEN_SAMPLE.lines().take(2).map(|line| line.to_owned() + "\n").collect();
    let (line, grid) = (".".repeat(81) + "\n", "1...\n....\n...3\n..2.\n");
    for (corpus, count) in [(keen, 1), (&*sample, 2), (&*line, 1), (grid, 1)] {
        for bad in ["rubbish", "# remark", "1 2 3", "1", "A 8+", "\u{0}", "+ 3 A1", "- 3,", "7,5"] {
            // In a Sudoku these are a remark, a row, and a puzzle.
            if corpus.starts_with(['.', '1']) && ["# remark", "1 2 3", "1"].contains(&bad) {
                continue;
            }
            let results = formats::read("x", format!("{bad}\n{corpus}").as_bytes());
            let good: Vec<bool> = results.iter().map(Result::is_ok).collect();
            assert_eq!(good, [&[false][..], &vec![true; count]].concat(), "{bad}\n{corpus}");
        }
    }
}

#[test]
fn what_is_expected_is_said_as_the_text_says_it() {
    let shown = |text: &str| {
        let error = formats::read("x", text.as_bytes()).remove(0).expect_err("refused");
        let mut shown = String::new();
        miette::GraphicalReportHandler::new().render_report(&mut shown, &error).expect("it renders");
        shown
    };
    let cage = |cell: &str| format!(r#"{{"size":2,"cages":[{{"op":"+","target":6,"cells":[{cell}]}}]}}"#);
    assert!(shown(&cage(r#""A1","A3""#)).contains("A1 or R1C1 is the first"));
    assert!(shown(&cage("[0,0],[0,2]")).contains("rows and columns are counted from 0"));
    for (text, said) in [
        ("8* A1-A3\n5+ B1-C2\n", "found `B1-C2`"),
        ("8* A1-A3\n5+ B1-B999999999\n", "found `B1-B999999999`"),
        ("8* A1-A3\nB1+B2*B3=8\n", "`B1+B2*B3=8`"),
        (r#"["3+ A1 A2"]"#, "expected cages that cover a square, found 2 cells"),
        (r#"[{"size":1,"cages":[]}]"#, "write one puzzle per line, without a list"),
        ("[]", "expected a list with a cage in it"),
    ] {
        let told = shown(text);
        assert!(told.contains(said), "{said}: {told}");
    }
    let rule = shown(r#"{"size":1,"grid":[[{}]],"thermometer":[{"lines":[["R1C1"]]}]}"#);
    assert!(rule.contains("`thermometer`") && rule.contains("a rule that kenga does not know"), "{rule}");
    assert!(!rule.contains("did you mean"), "{rule}");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]
    #[test]
    fn every_plain_puzzle_is_read_from_every_text_of_others(kenken in kenken(2..=9, &["+", "-", "*", "/"])) {
        let puzzle = kenken.build().expect("sound cages");
        // Rows of ids behind which no clue has an operator are a Sudoku.
        prop_assume!(puzzle.groups_with(Role::Cage).any(|cage| cage.cells.len() > 1));
        for text in texts(&puzzle) {
            let read = formats::read("x", text.as_bytes()).remove(0);
            let read = read.map_err(|error| TestCaseError::fail(format!("{error}: {text}")))?;
            prop_assert_eq!(read.canonical_text(), puzzle.canonical_text(), "{}", text);
        }
    }
}

/// The cages of a puzzle as JSON of other programs, one object for each way to say it.
fn objects(puzzle: &Puzzle) -> Vec<Value> {
    let (cages, owner) = cages_of(puzzle);
    let n = puzzle.rows();
    let place = |cell: usize| (cell / n, cell % n);
    let list = |cell: &dyn Fn(usize) -> Value, names: [&str; 2]| -> Value {
        let cage = |(target, symbol, cells): &(i64, &str, Vec<usize>)| {
            let cells: Vec<Value> = cells.iter().map(|index| cell(*index)).collect();
            json!({names[0]: symbol, names[1]: target, "cells": cells})
        };
        cages.iter().map(cage).collect()
    };
    let ours = ["op", "target"];
    let clue = |index: usize| format!("{}{}", cages[index].0, cages[index].1.replace('=', ""));
    let lines: Vec<String> = cages
        .iter()
        .map(|(target, symbol, cells)| {
            let names: Vec<String> = cells.iter().map(|cell| puzzle.cell_name(*cell)).collect();
            format!("{target} {symbol} {}", names.join(" "))
        })
        .collect();
    let wall = |cell: usize, other: Option<usize>| {
        usize::from(other.is_none_or(|other| owner[cell] != owner[other]))
    };
    let right = |cell: usize| wall(cell, Some(cell + 1).filter(|_| cell % n + 1 < n));
    let down = |cell: usize| wall(cell, Some(cell + n).filter(|_| cell / n + 1 < n));
    let left = |cell: usize| wall(cell, cell.checked_sub(1).filter(|_| !cell.is_multiple_of(n)));
    let up = |cell: usize| wall(cell, cell.checked_sub(n));
    let mask = |cell: usize| up(cell) | right(cell) << 1 | down(cell) << 2 | left(cell) << 3;
    let open = |cell: usize| 15 - (left(cell) | up(cell) << 1 | down(cell) << 2 | right(cell) << 3);
    let rows = |cell: &dyn Fn(usize) -> Value| -> Value {
        (0..n).map(|row| (row * n..(row + 1) * n).map(cell).collect::<Value>()).collect()
    };
    let first = |cell: usize| cages[owner[cell]].2[0] == cell;
    let clues = rows(&|cell| if first(cell) { json!(clue(owner[cell])) } else { Value::Null });
    let targets = rows(&|cell| json!(if first(cell) { cages[owner[cell]].0 } else { 0 }));
    let symbols = rows(&|cell| json!(if first(cell) { cages[owner[cell]].1 } else { "" }));
    let vertical: Vec<Vec<usize>> =
        (0..n).map(|row| (0..n - 1).map(|column| right(row * n + column)).collect()).collect();
    let horizontal: Vec<Vec<usize>> =
        (0..n - 1).map(|row| (0..n).map(|column| down(row * n + column)).collect()).collect();
    vec![
        json!({"size": n, "cages": list(&|cell| json!([place(cell).0, place(cell).1]), ["operation", "value"])}),
        json!({"n": n, "cages": list(&|cell| json!([place(cell).0 + 1, place(cell).1 + 1]), ["operator", "result"])}),
        json!({"size": n, "cages": list(&|cell| json!(puzzle.cell_name(cell)), ours), "title": "one", "difficulty": 3}),
        json!({"size": n, "cages": list(&|cell| json!(format!("R{}C{}", place(cell).0 + 1, place(cell).1 + 1)), ours)}),
        json!({"size": n, "cages": list(&|cell| json!({"row": place(cell).0, "col": place(cell).1}), ours)}),
        json!({"size": n, "cages": list(&|cell| json!({"r": place(cell).0 + 1, "c": place(cell).1 + 1}), ours)}),
        json!({"width": n, "height": n, "values": (1..=n).collect::<Vec<_>>(),
            "rules": list(&|cell| json!({"x": place(cell).1, "y": place(cell).0}), ["op", "value"])}),
        json!({"size": n, "cages": list(&|cell| json!(cell), ours)}),
        json!({"size": n, "cages": list(&|cell| json!(cell + 1), ours)}),
        json!({"size": n, "cages": lines}),
        json!({"size": n, "walls": rows(&|cell| json!(mask(cell))), "clues": clues}),
        json!({"size": n, "walls": (0..n * n).map(open).collect::<Vec<_>>(), "targets": targets, "operators": symbols}),
        json!({"size": n, "V": vertical, "H": horizontal, "T": targets, "S": symbols}),
        json!({"size": n, "walls": vertical.iter().chain(&horizontal).flatten().map(usize::to_string).collect::<String>(), "clues": clues}),
    ]
}

#[test]
fn the_first_original_puzzle_is_read_from_the_json_of_others() {
    let puzzle = only(FOUR);
    for object in objects(&puzzle) {
        assert_eq!(only(&object.to_string()).canonical_text(), puzzle.canonical_text(), "{object}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]
    /// Walls may be ambiguous, and are refused then; they never show other cages.
    #[test]
    fn every_plain_puzzle_is_read_from_the_json_of_others(kenken in kenken(2..=9, &["+", "-", "*", "/"])) {
        let puzzle = kenken.build().expect("sound cages");
        for object in objects(&puzzle) {
            let walled = object.get("cages").is_none() && object.get("rules").is_none();
            match formats::read("x", object.to_string().as_bytes()).remove(0) {
                Ok(read) => prop_assert_eq!(read.canonical_text(), puzzle.canonical_text(), "{}", object),
                Err(error) => prop_assert!(walled && error.to_string().contains("one possible reading"), "{}: {}", error, object),
            }
        }
    }
}

/// A Sudoku or Killer as f-puzzles writes it.
fn fpuzzle(puzzle: &Puzzle) -> Value {
    let n = puzzle.rows();
    let name = |cell: usize| format!("R{}C{}", cell / n + 1, cell % n + 1);
    let mut cells = vec![json!({}); n * n];
    for group in puzzle.groups_with(Role::Given) {
        cells[group.cells[0]] = json!({"value": group.clue.expect("a given").target, "given": true});
    }
    let cage = |group: &Group| {
        let cells: Vec<String> = group.cells.iter().map(|cell| name(*cell)).collect();
        json!({"cells": cells, "value": group.clue.expect("a clue").target.to_string(), "outlineC": null})
    };
    let cages: Vec<Value> = puzzle.groups_with(Role::Cage).map(cage).collect();
    json!({"size": n, "title": "one", "grid": cells.chunks(n).collect::<Vec<_>>(), "killercage": cages, "thermometer": []})
}

#[test]
fn the_killer_and_the_sudoku_are_read_as_fpuzzles() {
    for text in [
        include_str!("../../../puzzles/family/killer-6x6.json"),
        include_str!("../../../puzzles/family/sudoku-9x9.json"),
    ] {
        let puzzle = only(text);
        let read = only(&fpuzzle(&puzzle).to_string());
        assert_eq!(read.canonical_text(), puzzle.canonical_text());
        assert_eq!((read.kind, &read.meta["title"]), (puzzle.kind, &json!("one")));
    }
}

#[test]
fn rules_of_fpuzzles_are_groups_and_unknown_ones_are_refused() {
    let cell = |region: usize| json!({"region": region});
    let regions = [[0, 0, 0, 1], [0, 2, 1, 1], [2, 2, 3, 1], [2, 3, 3, 3]];
    let grid: Vec<Vec<Value>> =
        regions.iter().map(|row| row.iter().map(|region| cell(*region)).collect()).collect();
    let jigsaw = json!({"size": 4, "grid": grid, "diagonal+": true, "diagonal-": false, "extraregion": [{"cells": ["R2C2", "R3C3"]}]});
    let puzzle = only(&jigsaw.to_string());
    let groups: Vec<&[usize]> = puzzle.groups_with(Role::Region).map(|group| &*group.cells).collect();
    assert_eq!(puzzle.kind.name(), "latin");
    assert_eq!(groups.len(), 6);
    assert!(groups.contains(&&[3, 6, 9, 12][..]) && groups.contains(&&[0, 1, 2, 4][..]));
    let mut killer = jigsaw.clone();
    killer["killercage"] = json!([{"cells": ["R1C1", "R1C2"], "value": "5"}, {"cells": ["R4C1", "R4C2"]}]);
    let killer = only(&killer.to_string());
    assert_eq!((killer.kind.name(), killer.groups_with(Role::Cage).count()), ("killer", 1));
    let mut other = jigsaw;
    other["thermometer"] = json!([{"lines": [["R1C1", "R1C2"]]}]);
    let error =
        formats::read("x", other.to_string().as_bytes()).remove(0).expect_err("a rule kenga does not know");
    assert_eq!(error.to_string(), "unknown key `thermometer`");
}
