//! What a malformed puzzle gets to read: the line, a caret, what was expected, what to do.

use kenga::puzzle::formats;
use miette::{GraphicalReportHandler, GraphicalTheme};

/// Compares with the snapshot of this name.
fn matches(name: &str, shown: &str) {
    let mut settings = insta::Settings::clone_current();
    settings.set_omit_expression(true);
    settings.set_prepend_module_to_snapshot(false);
    settings.set_snapshot_path("../snapshots/errors");
    settings.bind(|| insta::assert_snapshot!(name, shown));
}

/// The first error of a text, as a terminal without colours shows it.
fn shown(name: &str, text: &[u8]) -> String {
    let error = formats::read(name, text).into_iter().find_map(Result::err).expect("a malformed text");
    let handler = GraphicalReportHandler::new_themed(GraphicalTheme::unicode_nocolor());
    let mut shown = String::new();
    handler.render_report(&mut shown, &error).expect("a report renders");
    shown.lines().map(|line| line.trim_end().to_owned() + "\n").collect()
}

/// Snapshots of several errors in one.
fn all(name: &str, texts: &[&str]) -> String {
    texts.iter().map(|text| shown(name, text.as_bytes())).collect::<Vec<_>>().join("\n")
}

/// A 2x2 puzzle as JSON with one part replaced.
fn json(part: &str, by: &str) -> String {
    let text = r#"{"id":"a","size":2,"cages":[{"op":"+","target":3,"cells":[[0,0],[0,1]]},{"op":"-","target":1,"cells":[[1,0],[1,1]]}]}"#;
    assert!(text.contains(part));
    text.replacen(part, by, 1)
}

fn json_errors(changes: &[(&str, &str)]) -> String {
    let texts: Vec<String> = changes.iter().map(|(part, by)| json(part, by)).collect();
    all("two.jsonl", &texts.iter().map(String::as_str).collect::<Vec<_>>())
}

#[test]
fn texts_that_are_no_puzzle_name_the_known_formats() {
    matches("no_format", &all("a.txt", &["", " \n\n", "\nhello world\nagain\n", "7,5\n1"]));
}

#[test]
fn bytes_that_are_no_text_are_refused() {
    let png = shown("a.png", b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR");
    let wide = shown("a.txt", b"\xFF\xFE1\0 \0");
    matches("no_text", &(png + "\n" + &wide));
}

#[test]
fn json_structure_is_shown_in_place() {
    matches(
        "json_structure",
        &json_errors(&[
            ("[1,0],[1,1]", "[1,0]"),
            ("[1,0],[1,1]", "[1,0],[0,1],[1,1]"),
            (
                "[0,0],[0,1]]},{\"op\":\"-\",\"target\":1,\"cells\":[[1,0],[1,1]",
                "[0,0],[1,1]]},{\"op\":\"-\",\"target\":1,\"cells\":[[1,0],[0,1]",
            ),
            ("[1,0],[1,1]", "[1,0],[1,2]"),
            ("[1,0],[1,1]", ""),
            ("\"+\"", "\"=\""),
            ("\"target\":3", "\"target\":-3"),
        ]),
    );
}

#[test]
fn json_values_are_shown_in_place() {
    matches(
        "json_values",
        &json_errors(&[
            ("\"+\"", "\"~\""),
            ("\"size\":2", "\"size\":0"),
            ("\"size\":2", "\"size\":40"),
            ("\"size\":2", "\"size\":\"2\""),
            ("\"target\":3", "\"target\":3.5"),
            ("\"target\":3", "\"target\":9223372036854775808"),
            ("[0,1]", "[0,1,1]"),
            ("[0,1]", "[0,-1]"),
            ("\"id\":\"a\"", "\"id\":7"),
            ("\"id\":\"a\"", "\"id\":\"\""),
            ("\"size\":2", "\"size\":2,\"digits\":[1,1]"),
            ("\"size\":2", "\"size\":2,\"digits\":[1,300]"),
            ("\"size\":2", "\"size\":2,\"givens\":[[2,0,1]]"),
            ("\"size\":2", "\"size\":2,\"groups\":[{\"cells\":[[0,0],[0,0]]}]"),
            ("\"size\":2", "\"size\":2,\"groups\":[{\"role\":\"box\",\"cells\":[[0,0]]}]"),
            ("\"size\":2", "\"size\":2,\"solution\":[[1,2]]"),
            ("\"size\":2", "\"size\":2,\"solution\":[[1,2],[1]]"),
        ]),
    );
}

#[test]
fn json_keys_are_shown_in_place() {
    matches(
        "json_keys",
        &json_errors(&[
            ("\"cages\"", "\"cage\""),
            ("\"target\"", "\"tagret\""),
            ("\"size\":2,", ""),
            ("\"op\":\"+\",", ""),
            ("\"size\":2", "\"size\":2,\"size\":3"),
            ("\"size\":2", "\"size\":2,\"nsol\":1,\"meta\":{\"nsol\":2}"),
            ("\"size\":2", "\"kind\":\"hitori\",\"size\":2"),
        ]),
    );
}

#[test]
fn broken_json_is_shown_in_place() {
    let whole = json("a", "a");
    let cut = &whole[..60];
    let long = format!("{}\n{}\n", whole, json("\"a\"", &format!("\"{}\",", "b".repeat(300))));
    matches(
        "json_syntax",
        &all("two.jsonl", &[cut, &whole[..6], &long, "[1,2]", "[]", "{\n \"size\": 2\n \"id\": 3\n}"]),
    );
}

#[test]
fn a_repeated_id_names_both_lines() {
    let line = json("a", "a");
    matches("repeated_id", &all("two.jsonl", &[&format!("{line}\n\n{line}\n")]));
}

#[test]
fn cage_ids_are_shown_in_place() {
    matches(
        "cage_ids",
        &all(
            "ids.txt",
            &[
                "1 1\n2\n3 +\n3 +",
                "1 1\n2 x\n3 +\n3 +",
                "1 1\n",
                "1 1\n3 3\n3 +\n3 +\n",
                "1 1\n2 2\n3 +\n",
                "1 1\n2 2\n3 +\n3\n",
                "1 1\n2 2\n3 +\n3 ~ \n",
                "1 1\n2 2\n3 +\n3 + 4\n",
                "1 1\n2 2\n3 +\n3 +\n1 -\n",
                "1 1\n2 2\n3 +\n-3 +\n",
                "1 1\n2 2\n3 +\n3 =\n",
                "1 2\n2 1\n3 +\n3 +\n",
            ],
        ),
    );
    let wide = "1 ".repeat(40);
    matches("cage_ids_of_40", &all("ids.txt", &[&wide]));
}

#[test]
fn cage_lists_are_shown_in_place() {
    matches(
        "cage_list",
        &all(
            "list.txt",
            &[
                "2\n3+ A1-B2\n",
                "# \n+ 3 A1 A2",
                "# 2 3\n+ 3 A1 A2",
                "# 0\n+ 3 A1 A2",
                "#40\n+ 3 A1 A2",
                "# 2\n+ 3 A1 A2\n",
                "# 2\n+ 3 A1 A2\n+ 3 B1 B3",
                "# 2\n+ 3 A1 A2\n+ 3 B1 22",
                "# 2\n+ 3 A1 A2\n+ 3 B1 B2 A1",
                "# 2\n+ 3 A1 A2\n+\n+ 3 B1 B2",
                "# 2\n+ 3 A1 A2\n+ 3",
                "# 2\n+ 3 A1 B2\n+ 3 B1 A2",
                "# 2\n+ 99999999999999999999 A1 A2\n",
                "# 2\n3 + A1 A2\n",
            ],
        ),
    );
}

#[test]
fn keen_ids_are_shown_in_place() {
    matches(
        "keen",
        &all(
            "keen.txt",
            &[
                "2:a,a3",
                "3dn#123456",
                "3dq:_a_a3_a,s1a4s1m3",
                "3mx:_a_a3_a,s1a4s1m3",
                "3:_a_a3_a",
                "3:_a_A3_a,s1a4s1m3",
                "3:_a_a3_,s1a4s1m3",
                "3:_a_a3_aa,s1a4s1m3",
                "3:_a_a0_a,s1a4s1m3",
                "3:_a_a3_a,s1a4s1",
                "3:_a_a3_a,s1a4s1m3m3",
                "3:_a_a3_a,s1x4s1m3",
                "3:_a_a3_a,s1a4sm3",
                "3:_a_a3_a,s1s4s1m3",
                "3:_a_a3_a,s1a99999999999999999999s1m3",
            ],
        ),
    );
}

#[test]
fn kakuro_grids_are_shown_in_place() {
    let comma = [
        "\\,3\\\n\\3,_,_",
        "\\,3\\\n\\3,8y",
        "\\,3\\\n\\4,x",
        "\\,3\\,\\\n\\,_,\\\n\\,\\,_",
        "3 2\n\\,3\\\n\\,_",
    ];
    let tokens = [
        "- 3,\n,3 0 0",
        "- 3,\n,3 x",
        "- 3,\n,4 -",
        "- 3, -\n- 0 -\n- - 0",
        "1 2\n- 3,\n- 0",
        "900 900\n- 3,\n- 0",
    ];
    matches("kakuro_grids", &all("kakuro.txt", &[&comma[..], &tokens].concat()));
}

#[test]
fn sudoku_is_shown_in_place() {
    let lines = [
        format!("{}\n", ".".repeat(16)) + &".".repeat(15),
        format!("{}\n", ".".repeat(16)) + "12.4..5.........",
        format!("{}\n", ".".repeat(16)) + "12.4..x.........",
    ];
    let grids = [
        "1...\n.2..\n..3.\n",
        "1...\n.2..\n...\n....\n",
        "1.|..\n.2|..\n.|3..\n..|..\n",
        "1 . . .\n. 2 . .\n. . x .\n. . . 12\n",
        "1.|..\n----\n..|..\n..|..\n..|..\n",
        "1...\n----\n....\n....\n----\n....\n",
        "1 . .\n. . .\n----\n. . .\n",
        "+--+\n|1 . .|\n|. . .|\n|. . .|\n+--+\n",
        "1.|..|..\n..|..|..\n--------\n..|..|..\n..|..|..\n--------\n..|..|..\n..|..|..\n",
        "+--+\n",
    ];
    let wide = format!("{}\n", ". ".repeat(33));
    let texts: Vec<&str> = lines.iter().map(String::as_str).chain(grids).chain([&*wide]).collect();
    matches("sudoku", &all("sudoku.txt", &texts));
}

#[test]
fn json_of_other_kinds_is_shown_in_place() {
    let kakuro = |runs: &str| format!("{{\"kind\":\"kakuro\",\"rows\":2,\"cols\":3,\"runs\":[{runs}]}}");
    let texts = [
        kakuro("{\"target\":4,\"cells\":[]}"),
        kakuro("{\"target\":4,\"cells\":[[0,0],[0,3]]}"),
        kakuro("{\"target\":4,\"cells\":[[0,0],[1,1]]}"),
        kakuro("{\"target\":-4,\"cells\":[[0,0]]}"),
        kakuro("{\"target\":4,\"sum\":4,\"cells\":[[0,0]]}"),
        kakuro("{\"sum\":4,\"cells\":[[0,0],[0,1]]},{\"sum\":4,\"cells\":[[0,1],[0,2]]}"),
        kakuro("").replace("\"cols\":3", "\"cols\":0"),
        kakuro("").replace("\"cols\":3", "\"cols\":3,\"givens\":[[0,0,1]]"),
        "{\"kind\":\"sudoku\",\"size\":6,\"box\":[2,2]}".to_owned(),
        "{\"kind\":\"sudoku\",\"size\":7}".to_owned(),
        "{\"kind\":\"latin\",\"size\":3,\"box\":[1,3]}".to_owned(),
        "{\"kind\":\"killer\",\"size\":4,\"cages\":[{\"target\":3,\"cells\":[[0,0],[2,2]]}]}".to_owned(),
    ];
    matches("json_kinds", &all("kinds.jsonl", &texts.each_ref().map(String::as_str)));
}

#[test]
fn writers_name_what_they_cannot_hold() {
    let texts = [
        json("\"size\":2", "\"size\":2,\"digits\":[0,1]"),
        json("\"size\":2", "\"size\":2,\"givens\":[[0,1,1]]"),
        json("\"size\":2", "\"size\":2,\"groups\":[{\"cells\":[[0,0],[1,1]]}]"),
        json("[1,1]]", "[1,1]],\"repeats\":false"),
        json("a", "a"),
        "1 1 1\n1 2 2\n2 2 2\n0-\n7?\n".to_owned(),
        "1 1 1\n1 2 2\n2 2 2\n0+\n7?\n".to_owned(),
    ];
    let mut lines = String::new();
    for text in &texts {
        let puzzle = formats::read("x", text.as_bytes()).remove(0).expect("a sound puzzle");
        for format in formats::TABLE.iter().filter(|format| format.is_written()) {
            if let Err(error) = formats::write(&puzzle, format) {
                lines += &format!("{error}\n");
            }
        }
    }
    matches("writers", &lines);
}

#[test]
fn more_rows_than_letters_are_refused_by_the_cage_list() {
    let row: String = (1..=27).map(|id| format!("{id} ")).collect::<String>() + "\n";
    let text = row.repeat(27) + &"378 +\n".repeat(27);
    let puzzle = formats::read("x", text.as_bytes()).remove(0).expect("27 columns as cages");
    let error = formats::write(&puzzle, formats::find("cage_list").expect("a format")).expect_err("27 rows");
    assert_eq!(
        error.to_string(),
        "the format cage_list cannot hold 27 rows: it names at most 26, by letters"
    );
}
