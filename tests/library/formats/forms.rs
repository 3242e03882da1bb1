//! The forms in which others write puzzles, in small examples of our own: each is read, with so many solutions, or a
//! sentence refuses it.

use kenga::budget::Interrupt;
use kenga::problem::Problem;
use kenga::solver::{self, Limits};

use super::*;

/// What becomes of a text.
enum Outcome {
    /// Its first puzzle is of this kind, with so many solutions.
    Read(&'static str, usize),
    /// The error or its help says this.
    Refused(&'static str),
}

use Outcome::{Read, Refused};

/// The form, a text, and what becomes of it. `@` stands for the 81 cells of a Sudoku, `$` for those of its solution.
const FORMS: &[(&str, &str, Outcome)] = &[
    ("rows of digits as JSON", "[[1,0,0,0],[0,0,3,0],[0,4,0,0],[0,0,0,2]]", Read("sudoku", 1)),
    (
        "rows of texts, null and blanks as JSON",
        r#"[["1","",null,"."],["","","3",""],["","4","",""],["","","","2"]]"#,
        Read("sudoku", 1),
    ),
    (
        "a key for the grid",
        r#"{"board":[[1,0,0,0],[0,0,3,0],[0,4,0,0],[0,0,0,2]],"difficulty":3}"#,
        Read("sudoku", 1),
    ),
    (
        "a key with texts",
        r#"{"puzzle":["1...","..3.",".4..","...2"],"solution":"1324423124133142","rating":1.5}"#,
        Read("sudoku", 1),
    ),
    ("a key with one text", r#"{"grid":"1.....3..4.....2","size":4}"#, Read("sudoku", 1)),
    ("clues of a model", r#"{"n":4,"clues":[[1,0,0,0],[0,0,3,0],[0,4,0,0],[0,0,0,2]]}"#, Read("sudoku", 1)),
    (
        "a Latin square with its kind",
        r#"{"kind":"latin","n":3,"clues":[[1,-1,-1],[-1,3,-1],[-1,-1,-1]]}"#,
        Read("latin", 1),
    ),
    (
        "-1 without a kind",
        r#"{"n":4,"clues":[[1,-1,-1,-1],[-1,-1,3,-1],[-1,4,-1,-1],[-1,-1,-1,2]]}"#,
        Refused("where `kind` is given"),
    ),
    ("a size without boxes", "[[1,0,0],[0,0,0],[0,0,0]]", Refused(r#"{"kind": "latin", "grid": …}"#)),
    ("a row that is too short", "[[1,0,0,0],[0,0,3],[0,4,0,0],[0,0,0,2]]", Refused("4 cells in row 2")),
    ("a table with a head", "id,puzzle,solution,difficulty\n7,@,$,1.2\n", Read("sudoku", 1)),
    ("a table with quotes and tabs", "\"quizzes\"\t\"level\"\n\"@\"\t\"2\"\n", Read("sudoku", 1)),
    ("an exchange bank", "0123456789ab @  1.2\n", Read("sudoku", 1)),
    ("a link with 81 cells", "https://sudoku.example/play?s=@&theme=dark\n", Read("sudoku", 1)),
    (
        "XML with 81 cells",
        "<?xml version=\"1.0\"?>\n<games>\n  <game level=\"1\" data=\"@\"/>\n</games>\n",
        Read("sudoku", 1),
    ),
    ("81 cells with dashes", "%", Read("sudoku", 1)),
    (".sdk that begins with its puzzle", "[Puzzle]\n1...\n..3.\n.4..\n...2\n", Read("sudoku", 1)),
    (
        ".sdk that begins with its state",
        "#A kenga\n[State]\n1234\n3412\n[Puzzle]\n1...\n..3.\n.4..\n...2\n",
        Read("sudoku", 1),
    ),
    (
        "cages with sums",
        r#"{"kind":"killer","size":4,"cages":[{"sum":3,"cells":[[0,0],[0,1]]},{"total":7,"coords":[[0,2],[0,3]]}]}"#,
        Read("killer", 48),
    ),
    (
        "sums without a kind",
        r#"{"size":2,"cages":[{"sum":3,"cells":[[0,0],[0,1]]}]}"#,
        Refused(r#"says "kind": "killer""#),
    ),
    (
        "f-puzzles with a cage in two parts",
        r#"{"size":4,"grid":[[{},{},{},{}],[{},{},{},{}],[{},{},{},{}],[{},{},{},{}]],"killercage":[{"cells":["R1C1","R4C4"],"value":"5"}]}"#,
        Read("grid", 72),
    ),
    (
        "f-puzzles with cages that overlap",
        r#"{"size":4,"grid":[[{},{},{},{}],[{},{},{},{}],[{},{},{},{}],[{},{},{},{}]],"killercage":[{"cells":["R1C1","R1C2"],"value":"3"},{"cells":["R1C2","R1C3"],"value":"5"}]}"#,
        Read("grid", 24),
    ),
    (
        "SudokuPad with cages that overlap",
        r#"{"cells":[[{},{}],[{},{}]],"cages":[{"cells":[[0,0],[0,1]],"value":"3"},{"cells":[[0,0],[1,1]],"value":"2"}]}"#,
        Read("grid", 0),
    ),
    (
        "a jigsaw of SumoCue",
        "SumoCueV1=1J0=0J0=0J1=0J1=0J0=0J2=3J1=0J1=0J0=0J2=0J2=0J3=0J2=0J3=0J3=2J3\n",
        Read("latin", 3),
    ),
    ("a Killer of SumoCue", "SumoCueV1=3+0=8=0=0=4+2=0=3+8+2=0=7+12=0=1\n", Read("killer", 4)),
    (
        "a Killer of SumoCue without all its cells",
        "SumoCueV1=5+0=0=0=5+0\n",
        Refused("a square number of cells"),
    ),
    ("a jigsaw Killer of SumoCue", "SumoCueV1=3J0+0J0=1J0=2J1+3J1=0J2=0J1=0J2=0J2\n", Read("killer", 0)),
    ("diagonals of SumoCue", "SumoCueV1D=1=0=0=0=0=0=0=0=0=0=0=0=0=0=0=0\n", Read("sudoku", 12)),
    (
        "a cage of SumoCue that begins nowhere",
        "SumoCueV1=3+1=0+0\n",
        Refused("in which a cage with a sum has begun"),
    ),
    ("Solo", "2x2:1b3_4c2g\n", Read("sudoku", 3)),
    ("Solo with wide blocks and diagonals", "2x3xdu:1zd\n3x2:1zi\n", Refused("36 cells")),
    (
        "a save file of a jigsaw of Solo",
        "SAVEFILE:1:x\nGAME    :4:Solo\nPARAMS  :2:4j\nDESC    :1:p,a\n",
        Refused("jigsaws are not read"),
    ),
    ("a Killer of Solo", "2x2k:p,a\n", Refused("jigsaws and Killers of Solo are not read")),
    (
        "a save file of Solo",
        "SAVEFILE:1:x\nGAME    :4:Solo\nPARAMS  :3:2x2\nDESC    :1:1b3_4c2g\n",
        Read("sudoku", 3),
    ),
    (
        "a save file of Keen",
        "SAVEFILE:41:Simon Tatham's Portable Puzzle Collection\nVERSION :1:1\nGAME    :4:Keen\nPARAMS  :1:4\nCPARAMS :1:4\nDESC    :25:b_a4_a_6aa,m8s1a6s1m4a3d2\nNSTATES :1:1\nSTATEPOS:1:1\n",
        Read("kenken", 1),
    ),
    (
        "a save file of Unequal",
        "SAVEFILE:1:x\nGAME:7:Unequal\nPARAMS:1:3\nDESC:1:0R,0,0,0,2U,0,0,0,0U,\n",
        Read("futoshiki", 1),
    ),
    (
        "a save file of another game",
        "SAVEFILE:1:x\nGAME    :4:Loopy\nPARAMS  :1:3\nDESC    :1:a\n",
        Refused("a game that kenga knows (Keen, Unequal, Solo), found `Loopy`"),
    ),
    (
        "kendoku of janko.at",
        "[begin]\npuzzle kendoku\nsize 3\n[problem]\n3+ . 5+\n5+ 1 .\n. 4+ .\n[areas]\n1 1 2\n3 4 2\n3 5 5\n[solution]\n1 2 3\n3 1 2\n2 3 1\n[end]\n",
        Read("kenken", 1),
    ),
    (
        "a Sudoku of janko.at",
        "[begin]\npuzzle sudoku\n[problem]\n1 - - -\n- - 3 -\n- 4 - -\n- - - 2\n[end]\n",
        Read("sudoku", 1),
    ),
    (
        "another puzzle of janko.at",
        "[begin]\npuzzle heyawake\n[problem]\n- -\n- -\n[end]\n",
        Refused("a puzzle of janko.at that kenga knows (kendoku, sudoku), found `heyawake`"),
    ),
    ("pairs before their clue", "# 2\n(0,0) (0,1) + 3\n(1,0) (1,1): 1-\n", Read("kenken", 2)),
    ("lists of pairs", "2\n[(0,0),(0,1)] mult 2\n[(1,0),(1,1)] sub 1\n", Read("kenken", 2)),
    ("pairs without a size", "[(1, 1), (1, 2)] + 3\n[(2, 1), (2, 2)] - 1\n", Read("kenken", 2)),
    ("counted cages", "2\n2\n2 0 0 0 1 + 3\n2 1 0 1 1 - 1\n", Read("kenken", 2)),
    ("counted cages on a line, from 1", "2 3 2 1 1 1 2 + 3 1 2 1 = 2 1 2 2 ! 1", Read("kenken", 1)),
    (
        "many puzzles with names",
        ".KK \"one\"\nAAB\nC1B\nCDD\n\nA 3+\nB 5+\nC 5+\nD 4+\n\n.KK \"two\"\nAA\nBB\n\nA 3+\nB 1-\n",
        Read("kenken", 1),
    ),
    ("a Kakuro with letters", "3,3\n*,C4,C3\nF3,?,?\nF4,?,?\n", Read("kakuro", 1)),
    (
        "a Kakuro with both letters in a cell",
        "3,3\n*,C6,*\nF3,?,?\n*,?,C4F9\n",
        Refused("a clue only where a white cell"),
    ),
    ("a Kakuro whose column has no clue", "\\,6\\,\\\n\\3,_,_\n\\7,_,_\n", Read("kakuro", 1)),
    ("the same with 0 for none", "\\,6\\,0\\\n\\3,_,_\n\\7,_,_\n", Read("kakuro", 1)),
    ("the same in tokens", "- 6, 0,\n,3 0 0\n,7 0 0\n", Read("kakuro", 1)),
    ("the same as an address", "https://puzz.link/p?kakuro/2/2/n6-37", Read("kakuro", 1)),
    ("the same as a file", "pzprv3/kakuro/2/2/0 6 0 /3 . . /7 . . /", Read("kakuro", 1)),
    (
        "a Futoshiki as rows of cells and signs",
        r#"[[1,"<","","",""],["","","","",""],["","","","",3],["^","","","",""],["","","","",""]]"#,
        Read("futoshiki", 1),
    ),
    (
        "the same with a sign for each cell between rows",
        r#"{"grid":[[0,"<",3],["v",""],[0,"",0]]}"#,
        Refused("a digit from 1 to 2"),
    ),
    (
        "rows of cells and signs of other lengths",
        r#"[[0,"<",0],["v"],[0,"",0]]"#,
        Refused("3 rows of 3 cells and signs"),
    ),
    ("a Futoshiki with blanks for open cells", "  < \n^   \n  > \n", Read("futoshiki", 1)),
    ("the same with cells close together", "1<\n\n   <\n^\n3\n", Read("futoshiki", 1)),
    ("a Futoshiki with blanks between two places", "   < \n^   \n  > \n", Refused("a row with its cells")),
    (
        "an entry in two lines",
        r#"{"kind":"grid","rows":2,"cols":2,"digits":[1,2],"groups":[{"role":"entry","cells":[[0,0],[1,1]]}]}"#,
        Refused("the cells of an entry lie in one line"),
    ),
    (
        "another link",
        "https://example.com/#m=edit&p=7VRNb5tAEL37V1h7",
        Refused("the nearest forms that kenga reads:\npuzz_link: "),
    ),
    ("another kind of puzz.link", "https://puzz.link/p?nurikabe/3/3/i2i", Refused("a kind that kenga knows")),
    (
        "a text in words",
        "Add the digits of each cage.\n",
        Refused("the nearest forms that kenga reads:\ncage_list: "),
    ),
];

/// The 81 cells of a Sudoku with one solution, and of the solution.
fn sudoku() -> [String; 2] {
    let puzzle = only(include_str!("../../../puzzles/family/sudoku-9x9.json"));
    let solution = puzzle.solution.as_ref().expect("a solution").to_string();
    let cells = formats::write(&puzzle, format("sudoku")).expect("a Sudoku");
    [cells.trim().to_owned(), solution.replace([' ', '/'], "")]
}

fn solutions(puzzle: &Puzzle) -> usize {
    let problem = Problem::compile(puzzle);
    let limits = Limits { solutions: 1000, ..Limits::default() };
    let mut count = 0;
    solver::solve(&problem, &limits, &Interrupt::default(), &mut |_| count += 1);
    count
}

#[test]
fn the_forms_of_others_are_read_or_refused_in_a_sentence() {
    let [cells, solution] = sudoku();
    let mut others = Vec::new();
    for (form, text, outcome) in FORMS {
        let text = text.replace('@', &cells).replace('$', &solution).replace('%', &cells.replace('.', "-"));
        let became = match formats::read("x", text.as_bytes()).remove(0) {
            Ok(puzzle) => {
                let again = only(&formats::canonical(&puzzle));
                assert_eq!(again.canonical_text(), puzzle.canonical_text(), "{form}");
                format!("{} with {} solutions", puzzle.kind.name(), solutions(&puzzle))
            }
            Err(error) => {
                let help = miette::Diagnostic::help(&error).map_or_else(String::new, |help| help.to_string());
                format!("{error}\n{help}")
            }
        };
        let expected = match outcome {
            Read(kind, count) => format!("{kind} with {count} solutions"),
            Refused(sentence) => (*sentence).to_owned(),
        };
        if !became.contains(&expected) {
            others.push(format!("{form}: expected {expected}, not {became}"));
        }
    }
    assert!(others.is_empty(), "{}", others.join("\n"));
}

#[test]
fn tables_keep_solutions_and_ids() {
    let [cells, solution] = sudoku();
    let table = read(&format!("puzzle,solution\n{cells},{solution}\n{cells},{solution}\n"));
    assert_eq!(table.len(), 2);
    for puzzle in &table {
        assert!(check(puzzle, puzzle.solution.as_ref().expect("a solution")).is_solution());
    }
    let bank = only(&format!("0123456789ab {cells}  1.2\n"));
    assert_eq!(bank.id, "0123456789ab");
    assert_eq!(read(&format!("<a><b x=\"{cells}\"/><b x=\"{cells}\"/></a>\n")).len(), 2);
}

#[test]
fn a_run_of_a_kakuro_without_a_clue_is_the_same_in_every_format() {
    let text = "\\,6\\,\\\n\\3,_,_\n\\7,_,_\n";
    let puzzle = only(text);
    for name in ["json", "kakuro_grid", "kakuro_tokens", "puzz_link"] {
        let written = formats::write(&puzzle, format(name)).expect("every format holds it");
        assert_eq!(only(&written).canonical_text(), puzzle.canonical_text(), "{written}");
    }
    assert_eq!(formats::write(&puzzle, format("kakuro_grid")).as_deref(), Ok(text));
    // A reader would take the sum 0 for none.
    let zero = only(r#"{"kind":"kakuro","rows":2,"cols":2,"runs":[{"target":0,"cells":[[1,1]]}]}"#);
    assert!(formats::write(&zero, format("kakuro_grid")).is_err());
}

#[test]
fn an_object_is_no_head_of_a_table() {
    let results = formats::read("x", b"rubbish\n{\"kind\":\"latin\",\"grid\"\n:[[1,2],[2,1]]}\n");
    assert!(results.len() == 2 && results[1].is_ok());
}

#[test]
fn a_drawing_says_nothing_of_an_entry_without_a_clue() {
    let puzzle = only("\\,6\\,\\\n\\3,_,_\n\\7,_,_\n");
    let drawn = kenga::report::draw(&puzzle, &Grid::empty(3, 3), &[]);
    assert!(!drawn.contains("not in a black cell"), "{drawn}");
}
