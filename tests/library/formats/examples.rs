//! An example of every format, in every spelling: each is recognised by its own format alone, and damage does no harm.

use super::*;

/// Format and text.
const EXAMPLES: &[(&str, &str)] = &[
    ("fpuzzles", r#"{"size":2,"grid":[[{"value":1,"given":true},{}],[{},{}]]}"#),
    (
        "fpuzzles",
        r#"{"size":2,"grid":[[{"region":null},{"region":null}],[{"region":null},{"region":null}]],"cage":[{"cells":["R1C1","R1C2"],"value":"3+"},{"cells":["R2C1"],"value":"2"},{"cells":["R2C2"],"value":"1"}]}"#,
    ),
    (
        "sudokupad",
        r#"{"cells":[[{},{}],[{"value":2},{}]],"regions":[],"cages":[{"cells":[[0,0],[0,1]],"value":"3+"},{"cells":[[1,1]],"value":"1"},{"value":"title: two"}]}"#,
    ),
    (
        "json",
        r#"{"size":2,"cages":[{"op":"+","target":3,"cells":[[0,0],[0,1]]},{"op":"-","target":1,"cells":[[1,0],[1,1]]}]}"#,
    ),
    (
        "json",
        r#"{"grid":["AAB","CDB","CDD"],"clues":{"A":"3+","B":"1-","C":{"op":"+","target":5},"D":"5+"}}"#,
    ),
    ("json", r#"{"n":2,"cages":[{"clue":"3+","cells":["A1","A2"]},{"label":"1−","squares":["B1","B2"]}]}"#),
    ("puzz_link", "https://puzz.link/p?factors/4/4/5n0vho83438-128"),
    ("puzz_link", "https://puzz.link/p?kakuro/2/2/n3434"),
    ("puzz_link", "kakuro/v:/2/2/n3434"),
    ("puzz_link", "http://pzv.jp/p.html?sudoku/4/4/1o3h2g"),
    ("pzprv3", "pzprv3\nfactors\n2\n2\n0\n1\n1 1\n2 .\n2 1\n. .\n. .\n"),
    ("pzprv3", "pzprv3/kakuro/2/2/0 3 4 /3 . . /4 . . /. . /. . /"),
    ("pzprv3", "pzprv3.1\nsudoku\n4\n1 . . .\n. . . .\n. . . 3\n. . 2 .\n"),
    ("save_file", "SAVEFILE:1:x\nGAME    :4:Keen\nPARAMS  :1:4\nDESC    :25:b_a4_a_6aa,m8s1a6s1m4a3d2\n"),
    ("solo", "2x2:1b3_4c2g\n"),
    ("sumocue", "SumoCueV1=3+0=8=0=0=4+2=0=3+8+2=0=7+12=0=1\n"),
    ("sumocue", "SumoCueV1=1J0=0J0=0J1=0J1=0J0=0J2=3J1=0J1=0J0=0J2=0J2=0J3=0J2=0J3=0J3=2J3\n"),
    ("janko", "[begin]\npuzzle kendoku\nsize 2\n[problem]\n3+ .\n1- .\n[areas]\n1 1\n2 2\n[end]\n"),
    ("counted_cages", "2\n2\n2 0 0 0 1 + 3\n2 1 0 1 1 - 1\n"),
    ("kk_file", ".KK \"one\"\nAA\nBB\n\nA 3+\nB 1-\n"),
    ("unequal", "3:0R,0,0,0,2U,0,0,0,0U,"),
    ("keen", "4:b_a4_a_6aa,m8s1a6s1m4a3d2"),
    ("futoshiki", ". < .   .   3\n    v       ^\n.   .   . > .\n.   2   .   .\n^\n.   .   . < .\n"),
    ("pls", "order 2\n 0 -1\n-1 -1\n"),
    ("sudoku_instance", "2\n1\n1 -1 -1 -1\n-1 -1 -1 -1\n-1 -1 -1 3\n-1 -1 2 -1\n"),
    ("col", "c colors 3\np edge 4 5\ne 1 2\ne 1 3\ne 1 4\ne 2 3\ne 3 4\n"),
    ("sudoku", "1..........3..2.\n"),
    ("sudoku", "4 4\n1 - - -\n- - - -\n- - - 3\n- - 2 -\n"),
    ("sudoku", "#A kenga\n#D four\n[Puzzle]\n1...\n....\n...3\n..2.\n[State]\n1234\n3412\n4123\n2341\n"),
    ("sudoku", "*-----*\n|1.|..|\n|..|..|\n|--+--|\n|..|.3|\n|..|2.|\n*-----*\n"),
    ("cage_list", "# 2\n+\t3\tA1\tA2\n-\t1\tB1\tB2\n"),
    ("cage_list", "# letters are columns\n3+ A1 B1;\n1- A2 B2;\n"),
    ("cage_list", "+3 (1, 1) (1, 2)\n-1 (2, 1) (2, 2)\n"),
    ("named_regions", "r1.8*,r1,r1,r2.1-\nr3.6+,r4.1-,r4,r2\nr3,r3,r5.4*,r5\nr6.3,r7.2/,r7,r5\n"),
    ("clue_grid", "4 4\n8* . . 1-\n6+ 1- . .\n. . 4* .\n3 2/ . .\n1 1 1 2\n3 4 4 2\n3 3 5 5\n6 7 7 5\n"),
    ("clue_grid", "4 4\n3 . 9 .\n7 . . .\n6 5 . 3\n. . 3 .\n1 1 2 2\n3 3 . 2\n4 5 5 6\n4 . 7 7\n"),
    ("clue_grid", "4\n3,-,9,-\n7,-,-,-\n6,8,-,3\n-,-,3,-\nAABB\nCC.B\nEFFG\nEFHH\n1122\n1122\n3344\n3344\n"),
    ("kakuro_grid", "\\,3\\,4\\\n\\3,_,_\n\\4,_,_\n"),
    ("kakuro_tokens", "3 3\n- 3, 4,\n,3 0 0\n,4 0 0\n"),
    ("cage_ids", "1 1\n2 2\n3 +\n1 -\n"),
    ("cage_ids", "AAAB\nCDDB\nCCEE\nFGGE\n\nA: 8×\nB: 1−\nC: 6+\nD: 1–\nE: 4·\nF: 3.0\nG: 2÷\n"),
    ("cage_ids", "# ours\nA 3+\nB 1-\n\nA A\nB B\n"),
];

/// Texts that hold a link, made by kenga.
fn links() -> Vec<(&'static str, String)> {
    let puzzle = only(EXAMPLES[1].1);
    ["fpuzzles_link", "sudokupad_link"]
        .map(|name| (name, formats::write(&puzzle, format(name)).expect("a KenKen")))
        .to_vec()
}

fn examples() -> Vec<(&'static str, String)> {
    EXAMPLES.iter().map(|(name, text)| (*name, (*text).to_owned())).chain(links()).collect()
}

#[test]
fn every_example_is_recognised_by_its_own_format_alone() {
    for (name, text) in examples() {
        let windows = text.replace('\n', "  \t\r\n");
        for text in [text.clone(), windows, format!("\u{FEFF}\n\n{text}\n\n")] {
            let taken: Vec<&str> = formats::TABLE
                .iter()
                .filter(|format| format.recognises(text.trim_start_matches('\u{FEFF}')))
                .map(|format| format.name)
                .collect();
            assert_eq!(taken, [name], "{text}");
            let read = formats::read("x", text.as_bytes()).remove(0);
            assert!(read.is_ok(), "{name}: {text}: {:?}", read.err().map(|error| error.to_string()));
        }
    }
}

#[test]
fn every_format_has_an_example() {
    let names: Vec<&str> = examples().iter().map(|example| example.0).collect();
    for format in formats::TABLE.iter() {
        assert!(names.contains(&format.name), "{}", format.name);
    }
}

#[test]
fn the_same_puzzle_is_read_from_every_spelling_of_cage_ids() {
    let puzzle = only(FOUR).canonical_text();
    let rows = "AAAB\nCDDB\nCCEE\nFGGE\n";
    let clues = [
        ("A", "8", "*"),
        ("B", "1", "-"),
        ("C", "6", "+"),
        ("D", "1", "-"),
        ("E", "4", "*"),
        ("F", "3", ""),
        ("G", "2", "/"),
    ];
    let each = |line: &dyn Fn(&str, &str, &str) -> String| -> String {
        clues.iter().map(|(id, target, symbol)| line(id, target, symbol) + "\n").collect()
    };
    let lists = [
        each(&|id, n, o| format!("{id}: {n}{o}")),
        each(&|id, n, o| format!("{id} {n}{o}")),
        each(&|id, n, o| format!("{id} {o}{n}")),
        each(&|id, n, o| format!("{id} {n} {o}")),
        each(&|id, n, o| format!("{id}. {n}{o}")),
        each(&|id, n, o| format!("({id}) {n}{o}")),
        each(&|id, n, o| format!("{id} -> {n}{o}")),
        each(&|id, n, o| format!("{id} - {n}{}", if o.is_empty() { "=" } else { o })),
        each(&|id, n, o| format!("{id},{n},{o}")),
        each(&|id, n, o| format!("{n}{o} {id}")),
        each(&|id, n, o| format!("{n} {o} : {id}")),
        each(&|id, n, o| format!("{}: {n}.0{o}", id.to_lowercase())),
        each(&|_, n, o| format!("{n}{o}")),
        each(&|_, n, o| format!("{o}{n}")),
        clues.map(|(_, n, o)| format!("{n}{o}")).join(" ") + "\n",
        clues.map(|(id, n, o)| format!("{id}={n}{o}")).join(", ") + "\n",
    ];
    for list in &lists {
        assert_eq!(only(&format!("{rows}{list}")).canonical_text(), puzzle, "{list}");
        assert_eq!(only(&format!("# ours\n{rows}\n# clues\n{list}")).canonical_text(), puzzle, "{list}");
    }
    for list in [&lists[0], &lists[1], &lists[15]] {
        assert_eq!(only(&format!("{list}\n{rows}")).canonical_text(), puzzle, "{list}");
    }
    let barred: String = rows
        .lines()
        .map(|row| format!("|{}|\n", row.split("").filter(|id| !id.is_empty()).collect::<Vec<_>>().join("|")))
        .collect();
    for rows in
        [barred.clone(), barred.replace('|', ",").replace(",\n", "\n").replace("\n,", "\n")[1..].to_owned()]
    {
        assert_eq!(only(&(rows.clone() + &lists[0])).canonical_text(), puzzle, "{rows}");
    }
}

#[test]
fn addresses_and_files_of_puzz_link_say_the_same() {
    for (address, file) in [
        ("factors/2/2/g822", "pzprv3\nfactors\n2\n2\n1\n0\n0 1\n2 2\n. .\n"),
        ("kakuro/2/2/n3434", "pzprv3/kakuro/2/2/0 3 4 /3 . . /4 . . /"),
        ("sudoku/4/4/1p3h2g", "pzprv3\nsudoku\n4\n1 . . .\n. . . .\n. . . 3\n. . 2 .\n"),
    ] {
        assert_eq!(only(address).canonical_text(), only(file).canonical_text(), "{address}");
        let written = formats::write(&only(file), format("puzz_link"));
        assert_eq!(written, Ok(format!("https://puzz.link/p?{address}\n")));
    }
}

#[test]
fn digits_of_a_run_without_a_clue_differ() {
    let address = "https://puzz.link/p?kakuro/2/2/n34-4\n";
    let puzzle = only(address);
    let is_run = |group: &&Group| group.cells == [4, 5] && group.distinct && group.clue.is_none();
    assert!(puzzle.groups_with(Role::Entry).any(|group| is_run(&group)));
    assert_eq!(formats::write(&puzzle, format("puzz_link")).as_deref(), Ok(address));
    assert_eq!(
        only(&formats::write(&puzzle, format("kakuro_grid")).expect("a Kakuro")).groups(),
        puzzle.groups()
    );
}

#[test]
fn cages_may_have_names_in_json() {
    let text =
        r#"{"size":2,"cages":{"a":{"clue":"3+","cells":["A1","A2"]},"b":{"clue":"1-","cells":["B1","B2"]}}}"#;
    assert_eq!(only(text).canonical_text(), only("1 1\n2 2\n3 +\n1 -\n").canonical_text());
}

#[test]
fn letters_whose_order_is_unclear_are_refused_without_ids() {
    let error = formats::read("x", b"BBA\nCCA\nDDD\n3+\n1-\n4+\n6+\n").remove(0).expect_err("refused");
    assert!(error.to_string().contains("letters in the order of the alphabet"), "{error}");
}

#[test]
fn the_same_puzzle_is_read_from_every_spelling_of_a_cage_list() {
    let puzzle = only(FOUR).canonical_text();
    let cages = [
        ("8", "*", "A1 A2 A3"),
        ("1", "-", "A4 B4"),
        ("6", "+", "B1 C1 C2"),
        ("1", "-", "B2 B3"),
        ("4", "*", "C3 C4 D4"),
        ("3", "", "D1"),
        ("2", "/", "D2 D3"),
    ];
    let named = |cells: &str, name: &dyn Fn(usize, usize) -> String, between: &str| -> String {
        let cell =
            |cell: &str| name(usize::from(cell.as_bytes()[0] - b'A'), usize::from(cell.as_bytes()[1] - b'1'));
        cells.split(' ').map(cell).collect::<Vec<_>>().join(between)
    };
    let each = |line: &dyn Fn(&str, &str, &str) -> String| -> String {
        cages.iter().map(|(target, symbol, cells)| line(target, symbol, cells) + "\n").collect()
    };
    let letter = |index: usize| char::from(b'A' + index as u8);
    let texts = [
        each(&|n, o, cells| format!("{n}{o} {cells};")),
        each(&|n, o, cells| format!("{o}{n} {}", cells.to_lowercase())),
        each(&|n, o, cells| format!("{n}{o}: {cells}")),
        each(&|n, o, cells| format!("{n}{o} : {cells}")),
        each(&|n, o, cells| format!("{n}{o} = {cells}")),
        each(&|n, o, cells| format!("{cells}: {n}{o}")),
        each(&|n, o, cells| format!("{} = {n}{o}", cells.replace(' ', ","))),
        each(&|n, o, cells| format!("{cells} {n}{o}")),
        each(&|n, o, cells| format!("{n}{o} ({})", cells.replace(' ', ", "))),
        each(&|n, o, cells| format!("{n}.0{o} [{}]", cells.replace(' ', ","))),
        each(&|n, o, cells| format!("{n}{o} {}", named(cells, &|r, c| format!("r{}c{}", r + 1, c + 1), " "))),
        each(&|n, o, cells| format!("{n}{o} {}", named(cells, &|r, c| format!("({r}, {c})"), ", "))),
        each(&|n, o, cells| format!("{n}{o} {}", named(cells, &|r, c| format!("{},{}", r + 1, c + 1), " "))),
        "4x4\n".to_owned() + &each(&|n, o, cells| format!("{n}{o} {cells}")),
        "size: 4\n".to_owned() + &each(&|n, o, cells| format!("{n} {o} {cells}")),
        "# Letters are columns.\n".to_owned()
            + &each(&|n, o, cells| {
                format!("{n}{o} {}", named(cells, &|r, c| format!("{}{}", letter(c), r + 1), " "))
            }),
    ];
    for text in texts {
        assert_eq!(only(&text).canonical_text(), puzzle, "{text}");
    }
}

/// A Sudoku of this size whose first cells have these characters, and the digits that they are.
fn large(size: usize, cells: &str, open: &str) -> Puzzle {
    let row = |row: usize| {
        if row == 0 { cells.to_owned() + &open.repeat(size - cells.len()) } else { open.repeat(size) }
    };
    let rows: Vec<String> = (0..size).map(row).collect();
    let line = only(&rows.concat());
    assert_eq!(only(&rows.join("\n")).canonical_text(), line.canonical_text(), "{cells}");
    let spaced =
        rows.iter().map(|row| row.split("").filter(|cell| !cell.is_empty()).collect::<Vec<_>>().join(" "));
    assert_eq!(
        only(&spaced.collect::<Vec<_>>().join("\n")).canonical_text(),
        line.canonical_text(),
        "{cells}"
    );
    line
}

#[test]
fn letters_are_the_digits_of_large_sudoku() {
    let digits = |puzzle: &Puzzle| -> Vec<i64> {
        puzzle.groups_with(Role::Given).map(|group| group.clue.expect("a given").target).collect()
    };
    assert_eq!(digits(&large(16, "19AG", ".")), [1, 9, 10, 16]);
    assert_eq!(digits(&large(16, "19ag", "0")), [1, 9, 10, 16]);
    assert_eq!(digits(&large(16, "0F9A", ".")), [0, 15, 9, 10]);
    assert_eq!(large(16, "0F9A", ".").digits().values()[0], 0);
    assert_eq!(digits(&large(16, "APBC", ".")), [1, 16, 2, 3]);
    assert_eq!(digits(&large(25, "1P9A", ".")), [1, 25, 9, 10]);
    assert_eq!(digits(&large(25, "AYBC", "0")), [1, 25, 2, 3]);
    assert_eq!(digits(&large(12, "1CA2", "_")), [1, 12, 10, 2]);
}

#[test]
fn errors_of_texts_that_resemble_others_say_what_they_were_read_as() {
    let error =
        formats::read("x", b"AAB\nCDB\nCDD\nA: 3+\nB: 1-\n").remove(0).expect_err("clues are missing");
    let mut shown = String::new();
    miette::GraphicalReportHandler::new().render_report(&mut shown, &error).expect("it renders");
    assert!(shown.contains("read as cage_ids: "), "{shown}");
}

#[test]
fn a_link_that_holds_no_puzzle_says_what_to_do() {
    for text in ["https://f-puzzles.com/?id=abc12345", "https://sudokupad.app/abc123"] {
        let error = formats::read("x", text.as_bytes()).remove(0).expect_err("refused");
        assert!(error.to_string().contains("a link that holds the puzzle"), "{error}");
    }
    let mut link = links()[0].1.trim_end().to_owned();
    link.truncate(link.len() - 40);
    let error = formats::read("x", link.as_bytes()).remove(0).expect_err("cut off");
    assert!(error.to_string().contains("unpacked"), "{error}");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(256))]
    #[test]
    fn no_damage_of_an_example_makes_a_reader_panic(
        which in any::<prop::sample::Index>(), at in any::<prop::sample::Index>(), length in 0..6_usize,
        piece in "[\\PC\n]{0,4}|[0-9a-zA-Z:;,_#{}()\\[\\]|\" é×.+*/=%-]{0,3}",
    ) {
        let examples = examples();
        let (_, text) = &examples[which.index(examples.len())];
        let start = text.floor_char_boundary(at.index(text.len()));
        let end = text.floor_char_boundary((start + length).min(text.len()));
        let damaged = [&text[..start], &*piece, &text[end..]].concat();
        for error in formats::read("x", damaged.as_bytes()).into_iter().filter_map(Result::err) {
            let mut shown = String::new();
            miette::GraphicalReportHandler::new().render_report(&mut shown, &error).expect("it renders");
            prop_assert!(shown.contains("[x:"), "no place in {shown}");
        }
    }
}

const EVERY_FIELD: &str = r#"{"id":"a","size":2,"digits":[0,3],"cages":[{"op":"+","target":3,"cells":[[0,0],[0,1]]},{"op":"-","target":3,"cells":[[1,0],[1,1]],"repeats":false}],"givens":[[0,1,3]],"groups":[{"distinct":true,"role":"region","cells":[[0,0],[1,1]]}],"solution":[[0,3],[3,null]],"source":"x","nsol":1,"meta":{"note":[1.5]}}"#;

#[test]
fn every_field_is_read_and_written_back() {
    let puzzle = only(EVERY_FIELD);
    assert_eq!(puzzle.digits().values(), [0, 3]);
    assert_eq!(puzzle.groups_with(Role::Given).count(), 1);
    assert_eq!(puzzle.groups_with(Role::Region).count(), 1);
    assert_eq!(puzzle.solution.as_ref().map(Grid::to_string).as_deref(), Some("0 3/3 ."));
    assert_eq!(puzzle.meta.keys().collect::<Vec<_>>(), ["source", "nsol", "note"]);
    assert_eq!(formats::write(&puzzle, format("json")), Ok(EVERY_FIELD.to_owned() + "\n"));
    assert_eq!(formats::canonical(&puzzle), EVERY_FIELD);
}

#[test]
fn what_is_not_finished_is_a_puzzle() {
    for text in [
        r#"{"id":"a","kind":"latin","size":2,"cages":[{"op":"+","target":3,"cells":[[0,0],[0,1]]}],"groups":[{"distinct":false,"role":"cage","cells":[[1,0]]}]}"#,
        r#"{"id":"a","kind":"kakuro","rows":2,"cols":3,"runs":[],"groups":[{"distinct":true,"role":"entry","cells":[[1,1],[1,2]]}]}"#,
    ] {
        assert_eq!(formats::canonical(&only(text)), text);
    }
    let kakuro = only(
        r#"{"kind":"kakuro","rows":2,"cols":3,"runs":[],"groups":[{"role":"entry","cells":[[1,1],[1,2]]}]}"#,
    );
    assert!(!kakuro.is_black(4) && kakuro.is_black(3));
    let region = r#"{"kind":"kakuro","rows":2,"cols":3,"runs":[],"groups":[{"cells":[[1,1]]}]}"#;
    assert!(formats::read("file.json", region.as_bytes()).remove(0).is_err());
}
