//! Landscapes: the same bytes for any number of threads, filters, configurations, folders, and what predicts running time.

use crate::lab::Lab;

/// Few samples, so that it takes no time.
const FEW: [&str; 8] = ["--samples", "20", "--walks", "6", "--length", "20", "--limit", "10"];

const HEAD: &str = "puzzle,encoding,neighbourhood,fitness,measure,value,low,high,samples";

fn measured(lab: &Lab, args: &[&str]) -> String {
    let ended = lab.kenga(&[&["landscape"], args, &FEW].concat());
    assert_eq!((ended.code, ended.complaints().as_str()), (0, ""), "{args:?}");
    ended.stdout
}

fn refused(lab: &Lab, args: &[&str]) -> String {
    let ended = lab.kenga(&[&["landscape"], args].concat());
    assert_eq!(ended.code, 2, "{args:?}");
    ended.stderr
}

#[test]
fn every_landscape_has_every_measure_and_the_same_bytes_for_any_threads() {
    let lab = Lab::new();
    let one = measured(&lab, &["4x4.txt", "--csv", "--jobs", "1"]);
    assert_eq!(one, measured(&lab, &["4x4.txt", "--csv", "--jobs", "4"]));
    assert_ne!(one, measured(&lab, &["4x4.txt", "--csv", "--seed", "2"]));
    assert_eq!(one.lines().next(), Some(HEAD));
    for encoding in ["cells,redraw", "rows,swap", "cages,redraw"] {
        for fitness in ["binary", "gap", "weights"] {
            let start = format!("4x4,{encoding},{fitness},");
            let rows = one.lines().filter(|line| line.starts_with(&start)).count();
            assert_eq!(rows, (one.lines().count() - 1) / 9, "{start}");
        }
    }
    assert!(one.contains("\n4x4,rows,swap,gap,epistasis_outside,0.0,0.0,"), "{one}");
    let only =
        measured(&lab, &["4x4.txt", "--csv", "--encoding", "rows", "--fitness", "gap", "--measure", "fdc"]);
    assert_eq!(only.lines().count(), 6, "{only}");
    assert!(only.lines().skip(1).all(|line| one.contains(line)), "what is left out changes nothing");
}

#[test]
fn a_terminal_shows_a_table_of_each_encoding_within_its_width() {
    let lab = Lab::new();
    let shown = measured(&lab, &["4x4.txt"]);
    assert!(shown.lines().all(|line| line.chars().count() <= 80), "{shown}");
    for words in ["4x4, rows (swap), 1 solution", "rho_random", "binary", "weights", "±"] {
        assert!(shown.contains(words), "{words}\n{shown}");
    }
    let json = measured(&lab, &["4x4.txt", "--json", "--measure", "rho_random", "--encoding", "rows"]);
    let rows: serde_json::Value = serde_json::from_str(&json).expect("JSON");
    assert_eq!(rows[0]["measure"], "rho_random");
    assert!(rows[2]["low"].as_f64() <= rows[2]["value"].as_f64());
}

#[test]
fn a_configuration_brings_its_puzzles_its_encoding_and_its_guide() {
    let lab = Lab::new();
    lab.write(
        "tabu.toml",
        "puzzles = [\"4x4.txt\"]\nbudget.moves = 1\n[algorithm]\nname = \"tabu\"\nencoding = \"rows\"\nguide = { cages = \"gap\" }\n",
    );
    let of_config = measured(&lab, &["tabu.toml", "--csv"]);
    let of_puzzle = measured(&lab, &["4x4.txt", "--csv", "--encoding", "rows", "--fitness", "gap"]);
    assert_eq!(of_config.replace(",configured,", ",gap,"), of_puzzle);
    let genetic = measured(&lab, &["ga.toml", "--csv", "--measure", "density"]);
    assert_eq!(genetic.lines().count(), 4, "{genetic}");
    assert!(genetic.contains("\n4x4,cells,redraw,configured,density_mean,"), "{genetic}");
    assert!(refused(&lab, &["ga.toml", "4x4.txt"]).contains("brings its own puzzles"));
}

#[test]
fn a_folder_has_tables_and_figures_that_are_not_overwritten() {
    let lab = Lab::new();
    let args = ["4x4.txt", "--encoding", "cages", "--fitness", "gap", "--out", "o"];
    measured(&lab, &args);
    assert!(lab.read("o/landscape.csv").starts_with(HEAD));
    for (name, column) in [
        ("density.csv", "value,genomes"),
        ("walks.csv", "walk,lag,autocorrelation"),
        ("distances.csv", "sample,value,cells,moves"),
        ("levels.csv", "from,to,genomes,better,value,neighbours"),
    ] {
        let text = lab.read(&format!("o/{name}"));
        assert!(text.starts_with(&format!("puzzle,encoding,neighbourhood,fitness,{column}\n")), "{name}");
        assert!(text.lines().count() > 2, "{name}");
    }
    assert!(lab.read("o/4x4-cages-gap.svg").contains("How common values are"));
    assert!(lab.bytes("o/4x4-cages-gap.pdf").starts_with(b"%PDF"));
    let said = refused(&lab, &[&args[..], &FEW].concat());
    assert!(said.contains("already exists"), "{said}");
    measured(&lab, &[&args[..], &["--force"]].concat());
}

#[test]
fn runs_say_which_measure_goes_with_running_time() {
    let lab = Lab::new();
    lab.kenga(&[
        "generate",
        "--kind",
        "kenken",
        "--size",
        "3",
        "--count",
        "6",
        "--seed",
        "1",
        "-o",
        "six.jsonl",
    ]);
    lab.write(
        "climb.toml",
        "puzzles = [\"six.jsonl\"]\nreplicates = 5\nbudget.moves = 3000\n[algorithm]\nname = \"hill_climbing\"\nencoding = \"rows\"\n",
    );
    lab.run(&["--config", "climb.toml", "--out", "runs", "--quiet"]);
    let args = ["six.jsonl", "--encoding", "rows", "--runs", "runs"];
    let shown = measured(&lab, &args);
    for words in ["rho (95 %)", "Holm", "Spearman's"] {
        assert!(shown.contains(words), "{words}\n{shown}");
    }
    let csv = measured(&lab, &[&args[..], &["--csv"]].concat());
    assert_eq!(
        csv.lines().next(),
        Some("encoding,fitness,measure,setting,rho,rho_low,rho_high,p,p_holm,puzzles,unsolved")
    );
    let rows: Vec<Vec<&str>> = csv.lines().skip(1).map(|line| line.split(',').collect()).collect();
    let number = |row: &Vec<&str>, column: usize| row[column].parse::<f64>().expect("a number");
    assert!(rows.len() > 20, "{csv}");
    assert!(rows.windows(2).all(|two| number(&two[0], 4).abs() >= number(&two[1], 4).abs()), "{csv}");
    assert!(rows.iter().all(|row| number(row, 7) <= number(row, 8) && number(row, 9) <= 6.0), "{csv}");
}

#[test]
fn what_is_bad_is_named_and_the_rest_is_measured() {
    let lab = Lab::new();
    assert!(refused(&lab, &["4x4.txt", "--encoding", "row"]).contains("rows"));
    assert!(refused(&lab, &["4x4.txt", "--measure", "fcd"]).contains("fdc"));
    assert!(refused(&lab, &["4x4.txt", "--samples", "0"]).contains("from 1"));
    assert!(refused(&lab, &["4x4.txt", "--runs", "nowhere"]).contains("nowhere"));
    let said = refused(&lab, &["4x4.txt", "--walks", "1e6", "--length", "1e7"]);
    assert!(said.contains("too many moves") && said.contains("50 000 000"), "{said}");
    lab.write("two.jsonl", "{\"size\": 0}\n{\"id\":\"x\",\"size\":1,\"cages\":[{\"op\":\"+\",\"target\":1,\"cells\":[[0,0]]}]}\n");
    let args = ["landscape", "two.jsonl", "--csv", "--measure", "density"];
    let ended = lab.kenga(&[&args[..], &FEW].concat());
    assert_eq!(ended.code, 2);
    assert!(ended.stdout.contains("\nx,rows,swap,gap,density_mean,"), "{}", ended.stdout);
}
