//! Local searches ask programs for many genomes at once, with the results of a search that asks for one after the other.

use std::fs;

use crate::lab::{Lab, flat, refused, well};

/// Values of permutations and of other genomes, with two terms. It notes the size of every request.
const PROGRAM: &str = r#"
import json, sys
log = open("requests", "a")
for line in sys.stdin:
    message = json.loads(line)
    if "kenga" in message:
        genes, permuted = message["genes"], "permutations" in message
        continue
    values, terms = [], []
    for genome in message["evaluate"]:
        if permuted:
            steps = [abs(genome[i] - genome[i - 1]) for i in range(genes)]
            value = sum((step - 3) ** 2 * (i % 4 + 1) for i, step in enumerate(steps))
        else:
            value = sum((gene * (i + 3) + genome[i - 1]) % 7 for i, gene in enumerate(genome))
        values.append(value)
        terms.append([value % 5, value // 5])
    print(len(values), file=log, flush=True)
    print(json.dumps({"fitness": values, "terms": terms}), flush=True)
"#;

const TOURS: &str = "tour = { permutation = 9 }\ntours = { permutations = [5, 1, 4] }\n";

const VALUES: &str =
    "bits = { genes = 14, values = [0, 1] }\nmixed = { values = [[0, 9], [3, 3], [0, 1], [1, 6]] }\n";

const ALGORITHMS: &str = r#"
    { label = "random", name = "random", generation = 300 },
    { label = "best", name = "hill_climbing", generation = 300 },
    { label = "first", name = "hill_climbing", pivot = "first" },
    { label = "iterated", name = "iterated" },
    { label = "tabu", name = "tabu", generation = 300 },
    { label = "annealing", name = "annealing" },
    { label = "memetic", name = "memetic", improve_moves = 100, crossover = "order", mutation = "swap" },
    { label = "portfolio", name = "portfolio", stages = ["tabu", "random", "annealing"], calls = 200 },
    { label = "islands", name = "islands", count = 2, island = { name = "tabu" }, interval = 300 },
"#;

/// The checksums that a program with one genome a request gave, when no other was known.
const ONE_BY_ONE: [[&str; 4]; 2] = [
    [
        "d8d50b5ca7b2f5ebe435c51d26f80de9d84a39d0c779481b6255617a9a24737b  runs.csv",
        "47a4b6df6e1e8b7e5d4cd754dc28ba213c9649742974811d71b9a6e0561464d8  convergence.csv",
        "066764b31678127577ba2c354165c9e59844ba08a5b605ee392b4903785963d6  operators.csv",
        "fb034011b515ace1f0e7b70de50a76244458d4586d0feaec93495021d3a0f923  terms.csv",
    ],
    [
        "7a60afcb99148bf91bd888ba692a23c55e7a889673cd46543fa2a11da9d51bb5  runs.csv",
        "3a71d9c1ee9c0791643b2351801430b36020342d97a7e99ce2f1dbf80f33bda8  convergence.csv",
        "cd1b29894de620d3ca24f428b11c59e57cdfdebfc4151eef42d8e1bb63598a0e  operators.csv",
        "2865e256f73526f5c2d363cb6d4a2e3b8b5e21e840908ea85ab973750e38e356  terms.csv",
    ],
];

fn config(instances: &str, algorithms: &str) -> String {
    format!(
        "replicates = 2\nbudget = {{ evaluations = 700, moves = 3001 }}\n[problem]\ncommand = [\"python3\", \"tour.py\"]\n\
         terms = [\"a\", \"b\"]\nbound = -5\n[problem.instances]\n{instances}[sweep]\nmethod = \"grid\"\n\
         algorithm = [{algorithms}]\n[record]\noperators = true\n"
    )
}

fn lab(instances: &str, algorithms: &str) -> Option<Lab> {
    let lab = Lab::with_python()?;
    lab.write("tour.py", PROGRAM);
    lab.write("own.toml", config(instances, algorithms));
    Some(lab)
}

/// The sizes of the requests since the last call.
fn requests(lab: &Lab) -> Vec<usize> {
    let path = lab.path("requests");
    let text = fs::read_to_string(&path).expect("the program was asked");
    fs::remove_file(&path).expect("it was there");
    text.lines().map(|line| line.parse().expect("a number")).collect()
}

#[test]
fn results_are_those_of_one_genome_a_request() {
    for (instances, expected) in [TOURS, VALUES].into_iter().zip(ONE_BY_ONE) {
        let mut algorithms = ALGORITHMS.to_owned();
        if instances == VALUES {
            let operators = "crossover = \"uniform\", mutation = \"reset\"";
            algorithms = algorithms.replace("crossover = \"order\", mutation = \"swap\"", operators);
        }
        let Some(lab) = lab(instances, &algorithms) else { return };
        well(&lab, "run own.toml -o many --quiet");
        let many = requests(&lab);
        well(&lab, "run own.toml -o one --quiet --set problem.batch=1");
        let one = requests(&lab);
        for folder in ["many", "one"] {
            let checksums = lab.read(&format!("{folder}/checksums.txt"));
            for line in expected {
                assert!(checksums.contains(line), "{folder}: {line}\n{checksums}");
            }
        }
        assert!(one.iter().all(|size| *size == 1) && many.iter().sum::<usize>() == one.len());
    }
}

#[test]
fn a_neighbourhood_is_one_request() {
    let alone = |algorithm: &str| {
        let lab = lab("tour = { permutation = 12 }\n", &format!("{{ {algorithm} }}"))?;
        well(&lab, "run own.toml -o r --quiet --runs 1");
        let runs = lab.read("r/runs.csv");
        let spent: Vec<usize> =
            runs.lines().nth(1)?.split(',').filter_map(|cell| cell.parse().ok()).collect();
        assert!(spent.contains(&3001) || spent.contains(&700), "{runs}");
        Some(requests(&lab))
    };
    // 66 exchanges; `first` looks at those of one gene, 11.
    for (algorithm, most, at_least) in [
        ("name = \"tabu\"", 66, 15),
        ("name = \"hill_climbing\"", 66, 15),
        ("name = \"iterated\"", 66, 15),
        ("name = \"memetic\", improve = \"tabu\", improve_moves = 500", 66, 15),
        ("name = \"portfolio\", stages = [\"tabu\"], calls = 1000", 66, 15),
        ("name = \"hill_climbing\", pivot = \"first\"", 11, 100),
        ("name = \"random\"", 256, 1),
    ] {
        let Some(sizes) = alone(algorithm) else { return };
        let large = sizes.iter().filter(|size| **size == most).count();
        assert!(sizes.iter().max() == Some(&most) && large >= at_least, "{algorithm}: {sizes:?}");
    }
    let Some(sizes) = alone("name = \"annealing\"") else { return };
    assert_eq!(sizes.iter().max(), Some(&1), "the next move depends on the one before");
}

#[test]
fn a_program_that_is_too_slow_for_its_batches_is_told_of_them() {
    let Some(lab) = lab("tour = { permutation = 12 }\n", "{ name = \"tabu\" }") else { return };
    let slow = PROGRAM.replace(
        "    values, terms = [], []",
        "    values, terms = [], []\n    import time; time.sleep(0.02 * len(message['evaluate']))",
    );
    lab.write("tour.py", slow);
    lab.kenga(&[
        "run",
        "own.toml",
        "-o",
        "r",
        "--runs",
        "1",
        "--set",
        "problem.timeout=0.7",
        "--set",
        "budget.moves=1000",
    ]);
    let said = lab.read("r/failures.csv");
    assert!(
        said.contains("it sent nothing after a request for 66 genomes, see `batch`, for 0.7 s"),
        "{said}"
    );
    let said = flat(&refused(&lab, "run own.toml --set problem.batch=0"));
    assert!(said.contains("`batch` takes a whole number from 1 to 1000, not 0"), "{said}");
}
