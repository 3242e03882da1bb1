//! What `genetic` does on a problem of the user's own without further keys, and the landscapes of such problems.

use crate::lab::{Lab, flat, refused, well};

/// The disorder of a permutation, or the genes that are 0. With the option `broken` it is none.
const PROGRAM: &str = r#"
import json, sys
for line in sys.stdin:
    message = json.loads(line)
    if "kenga" in message:
        permuted, options = "permutations" in message, message["options"]
        continue
    if options.get("broken"):
        sys.exit("no values today")
    if permuted:
        values = [sum(abs(a - b) - 1 for a, b in zip(g, g[1:])) for g in message["evaluate"]]
    else:
        values = [g.count(0) for g in message["evaluate"]]
    print(json.dumps({"fitness": values}), flush=True)
"#;

fn lab(genomes: &str) -> Option<Lab> {
    let lab = Lab::with_python()?;
    lab.write("own.py", PROGRAM);
    lab.write(
        "own.toml",
        format!(
            "replicates = 2\nbudget.evaluations = 1500\n[problem]\ncommand = [\"python3\", \"own.py\"]\noptimum = 0\n{genomes}\n"
        ),
    );
    Some(lab)
}

#[test]
fn presets_say_what_it_does_without_further_keys() {
    for (preset, genomes) in [("values", "genes = 30\nvalues = [0, 1]"), ("permutation", "permutation = 9")] {
        let Some(lab) = lab(genomes) else { return };
        well(&lab, "run own.toml -o plain --quiet");
        lab.write("preset.toml", format!("preset = \"{preset}\"\n{}", lab.read("own.toml")));
        well(&lab, "run preset.toml -o preset --quiet");
        assert_eq!(lab.read("plain/checksums.txt"), lab.read("preset/checksums.txt"), "{preset}");
        assert!(lab.read("plain/manifest.json").contains("\"plus\""));
        // On puzzles nothing changes.
        let said = flat(&well(&lab, "list genetic --csv"));
        assert!(said.contains("roulette; on values tournament; on permutation tournament"), "{said}");
    }
}

#[test]
fn crossovers_with_random_mates_suit_the_genomes() {
    for genomes in ["genes = 30\nvalues = [0, 1]", "permutations = [7, 4]"] {
        let Some(lab) = lab(genomes) else { return };
        well(&lab, "run own.toml -o r --quiet --set algorithm.crossover=random_mate");
        let nested = "--set algorithm.crossover={name='adaptive',of=['random_mate']}";
        well(&lab, &format!("run own.toml -o nested --quiet {nested}"));
        let said = refused(&lab, "run own.toml --set algorithm.crossover={name='random_mate',of='conflict'}");
        assert!(said.contains("crossover `conflict` does not work on the encoding"), "{said}");
    }
}

#[test]
fn a_landscape_is_measured_by_the_program() {
    let Some(lab) = lab("permutation = 7") else { return };
    let few = "--samples 20 --walks 6 --length 20 --limit 10";
    let one = well(&lab, &format!("landscape own.toml --csv --jobs 1 {few}"));
    assert_eq!(one, well(&lab, &format!("landscape own.toml --csv --jobs 4 {few}")));
    let value = |quantity: &str| {
        let start = format!("problem,permutation,swap,configured,{quantity},");
        let line = one.lines().find_map(|line| line.strip_prefix(&start)).unwrap_or_else(|| panic!("{one}"));
        line.split(',').next().unwrap_or_default().to_owned()
    };
    // The mean distance of two of seven numbers is 8/3: six neighbours are 10 too far apart.
    let mean: f64 = value("density_mean").parse().expect("a number");
    assert!((7.0..13.0).contains(&mean), "{mean}");
    assert!(!value("rho_random").is_empty() && !value("descent_steps").is_empty());
    assert_eq!((value("interacting"), value("epistasis_outside")), ("1.0".to_owned(), String::new()));
    assert_eq!(value("fdc_random_cells"), "", "no solution is known");
    let said = flat(&well(&lab, &format!("landscape own.toml {few}")));
    assert!(said.contains("optimum 0, its genomes unknown"), "{said}");
    assert!(said.contains("Values are distances from the optimum."), "{said}");
    lab.write("beside/own.toml", lab.read("own.toml"));
    well(&lab, &format!("landscape beside/own.toml --programs . --measure density {few}"));
}

#[test]
fn without_an_optimum_a_landscape_says_nothing_of_solutions() {
    let Some(lab) = lab("permutation = 7\nresolution = 1e-3") else { return };
    lab.write("own.toml", lab.read("own.toml").replace("optimum = 0\n", "bound = -1\n"));
    let few = "--measure density --measure optima --samples 20 --walks 6 --length 20 --limit 10";
    let text = well(&lab, &format!("landscape own.toml --csv {few}"));
    for quantity in ["density_depth", "descent_solves"] {
        assert!(text.contains(&format!(",{quantity},,,")), "{text}");
    }
    let said = flat(&well(&lab, &format!("landscape own.toml {few}")));
    assert!(
        said.contains("optimum unknown") && said.contains("from the bound, in units of 0.001."),
        "{said}"
    );
}

#[test]
fn a_landscape_refuses_what_makes_no_sense() {
    let Some(lab) = lab("permutation = 7") else { return };
    let said = flat(&refused(&lab, "landscape own.toml --fitness gap"));
    assert!(said.contains("--fitness is about puzzles"), "{said}");
    let said = flat(&refused(&lab, "landscape --exhaustive own.toml"));
    assert!(
        said.contains("own.toml has a [problem]: only algorithms on puzzles are followed exactly"),
        "{said}"
    );
    lab.write("own.toml", lab.read("own.toml") + "options = { broken = true }\n");
    let said = flat(&refused(&lab, "landscape own.toml --measure density"));
    assert!(said.contains("the program of `problem` failed") && said.contains("no values today"), "{said}");
}
