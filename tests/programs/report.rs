//! `kenga report` and `kenga plot`: pages that load nothing, figures that are not empty, and bad input.

use std::path::Path;

use serde_json::{Value, json};

use crate::lab::{Lab, forge_again, with_field};

/// Three by two settings, of which some solve.
const SWEEP: &str = "\
puzzles = [\"4x4.txt\"]
seed = 3
replicates = 4
preset = \"pyevolve\"
[budget]
evaluations = 8_000
[sweep]
\"algorithm.population\" = [10, 20, 40]
\"algorithm.mutation.rate\" = [0.02, 0.1]
[record]
every = \"log\"
";

/// A lab with a sweep that was run into the folder `sweep`.
pub fn swept() -> Lab {
    let lab = Lab::new();
    lab.write("sweep.toml", SWEEP);
    lab.run(&["--config", "sweep.toml", "--out", "sweep", "--quiet"]);
    lab
}

/// The page of some folders, which is made without a word.
pub fn page(lab: &Lab, args: &[&str]) -> String {
    page_with_note(lab, args, "")
}

/// The page of some folders, which is made with this note on standard error.
fn page_with_note(lab: &Lab, args: &[&str], note: &str) -> String {
    let ended = lab.kenga(&[&["report"], args, &["-o", "page.html"]].concat());
    assert_eq!((ended.code, &*ended.stdout, &*ended.complaints()), (0, "", note), "{args:?}");
    let page = lab.read("page.html");
    is_sound(&page);
    page
}

/// Markup is balanced where it matters, nothing is loaded, and every figure has something in it.
fn is_sound(page: &str) {
    assert!(page.starts_with("<!DOCTYPE html>"), "{}", &page[..80]);
    for loads in ["http://", "https://", "<link", "@import", "url(", "src=", "fetch(", "import("] {
        assert!(!page.contains(loads), "{loads}");
    }
    let (before, script) = page.split_once("<script>").expect("the page has a script");
    let (_, after) = script.split_once("</script>").expect("which ends");
    let markup = [before, after].concat();
    assert!(!markup.contains("<script"), "there is one script");
    for broken in ["NaN", "inf\"", "-inf", "Infinity"] {
        assert!(!markup.contains(broken), "{broken}");
    }
    is_balanced(&markup);
    for svg in figures(page) {
        let shapes = ["<path", "<rect", "<line", "<text"]
            .iter()
            .map(|shape| svg.matches(shape).count())
            .sum::<usize>();
        assert!(shapes > 3, "an empty figure: {svg}");
    }
}

/// Every element that begins ends, in its place; attributes are in quotes.
fn is_balanced(markup: &str) {
    const VOID: [&str; 4] = ["!DOCTYPE", "meta", "br", "hr"];
    let mut open: Vec<&str> = Vec::new();
    for part in markup.split('<').skip(1) {
        let (tag, _) = part.split_once('>').unwrap_or_else(|| panic!("<{part} does not end"));
        assert_eq!(tag.matches('"').count() % 2, 0, "<{tag}>");
        let name = tag.split([' ', '\n']).next().expect("a part of a split");
        match name.strip_prefix('/') {
            Some(name) => assert_eq!(open.pop(), Some(name), "</{name}> where another ends"),
            None if VOID.contains(&name) || tag.ends_with('/') => {}
            None => open.push(name),
        }
    }
    assert!(open.is_empty(), "{open:?}");
}

/// The pictures of a page.
pub fn figures(page: &str) -> Vec<&str> {
    let parts = page.split("<svg").skip(1);
    parts.map(|part| part.split("</svg>").next().expect("a part of a split")).collect()
}

/// The section of a page with this id.
fn section<'a>(page: &'a str, id: &str) -> &'a str {
    let start = page.find(&format!("<section id=\"{id}\"")).unwrap_or_else(|| panic!("no section {id}"));
    &page[start..start + page[start..].find("</section>").expect("a section ends")]
}

#[test]
fn a_sweep_has_every_figure_with_its_axes() {
    let lab = swept();
    let page = page(&lab, &["sweep", "--figures", "figures", "--title", "A <sweep> & more"]);
    assert!(page.contains("<h1>A &lt;sweep&gt; &amp; more</h1>"));
    for id in
        ["run", "settings", "success", "convergence", "run-length", "heat", "importance", "ranks", "repeat"]
    {
        assert!(section(&page, id).len() > 100, "{id}");
    }
    for (id, axes) in [
        ("success", &["share of runs solved"][..]),
        ("convergence", &["calls (evaluations + moves, logarithmic)", "best fitness (0 is solved)"]),
        ("run-length", &["calls (evaluations + moves, logarithmic)", "share of runs solved"]),
        ("heat", &["population", "mutation.rate"]),
        ("importance", &["share of the variance explained"]),
        ("ranks", &["average rank"]),
    ] {
        let section = section(&page, id);
        assert!(section.contains("<svg") && section.contains("<figcaption>"), "{id}");
        axes.iter().for_each(|axis| assert!(section.contains(axis), "{id}: {axis}"));
    }
    for name in ["puzzle-1", "success", "convergence", "run-length", "heat-success", "importance", "ranks"] {
        let svg = lab.read(&format!("figures/{name}.svg"));
        assert!(
            svg.starts_with("<!-- a figure of kenga's -->\n<svg xmlns=") && svg.ends_with("</svg>\n"),
            "{name}"
        );
        assert!(svg.contains("fill=\"#000000\"") && svg.matches("http").count() == 1, "{name}");
        for style in ["var(", "class=", "<style"] {
            assert!(!svg.contains(style), "{name}: only literal colours are shown everywhere: {style}");
        }
        is_balanced(svg.trim_start_matches("<!-- a figure of kenga's -->\n"));
        let pdf = std::fs::read(lab.path(&format!("figures/{name}.pdf"))).expect("a PDF beside it");
        assert!(pdf.starts_with(b"%PDF-1.") && pdf.ends_with(b"%%EOF"), "{name}");
        let pdf = String::from_utf8_lossy(&pdf);
        // Publishers refuse fonts that are only named.
        assert!(pdf.contains("/FontFile2") && !pdf.contains("/Type1"), "{name}");
    }
    assert!(section(&page, "settings").matches("<tr").count() == 7, "a line a setting, and the head");
}

/// The headings of a page, in their order.
fn headings(page: &str) -> Vec<&str> {
    let mut found = Vec::new();
    for part in page.split("<h").skip(1).filter(|part| part.starts_with(['2', '3'])) {
        found.push(&part[2..part.find("</h").expect("a heading ends")]);
    }
    found
}

#[test]
fn a_report_begins_with_a_picture_or_its_verdict_and_says_no_heading_twice() {
    let lab = swept();
    lab.write("alone.toml", SWEEP.split("[sweep]").next().expect("a part of a split"));
    lab.run(&["--config", "alone.toml", "--runs", "1", "--out", "alone", "--quiet"]);
    for folder in ["sweep", "alone"] {
        let page = page(&lab, &[folder]);
        let place = |id: &str| page.find(&format!("<section id=\"{id}\"")).expect("the section");
        assert!(place("verdict") < place("settings") && place("success") < place("run"), "{folder}");
        let headings = headings(&page);
        let first = if folder == "sweep" { "Share of runs solved by two parameters" } else { "Verdict" };
        assert_eq!(headings[0], first, "{folder}");
        assert!(headings.windows(2).all(|pair| pair[0] != pair[1]), "{headings:?}");
        for part in page.split("<section").skip(1) {
            let body = part.split("</section>").next().expect("a part of a split");
            let has_content = ["<svg", "<table", "<dl", "<pre", "<li"].iter().any(|what| body.contains(what));
            assert!(has_content, "an empty section: {body}");
        }
    }
    let alone = page(&lab, &["alone"]);
    assert!(section(&alone, "verdict").contains("The only run "), "{}", section(&alone, "verdict"));
    // The curves of one run are not those of a population.
    assert!(!alone.contains("--by KEY"), "one setting joins nothing");
}

#[test]
fn floors_of_importance_are_drawn_on_the_bars_and_stand_in_the_json() {
    let lab = Lab::new();
    lab.write("sweep.toml", SWEEP.replace("[record]", "\"algorithm.crossover.rate\" = [0.0, 0.9]\n[record]"));
    lab.run(&["--config", "sweep.toml", "--out", "sweep", "--quiet"]);
    let page = page(&lab, &["sweep"]);
    let figure = section(&page, "importance");
    // A line for each of two bars of three parameters and three pairs, in the wide and in the narrow picture.
    assert_eq!(figure.matches("class=\"whisker\"").count(), 24, "{figure}");
    assert!(figure.contains(", floor ") && figure.contains("in 1 of 20 experiments"), "{figure}");
    let ended = lab.kenga(&["report", "sweep", "--json"]);
    assert_eq!((ended.code, &*ended.stderr), (0, ""));
    let found: Value = serde_json::from_str(&ended.stdout).expect("JSON");
    let parts = found["importance"][0]["parts"].as_array().expect("parts");
    assert_eq!(parts.len(), 6, "{found}");
    for part in parts {
        for of in ["solved", "par10"] {
            let [share, floor] = ["share", "floor"].map(|key| part[of][key].as_f64().expect("a share"));
            assert_eq!(part[of]["exceeds_floor"], share > floor + 1e-9, "{part}");
        }
    }
    assert!(found["comparison"]["settings"].is_array() && found["restarts"].is_array(), "{found}");
}

/// Two by two settings: hardly any run solves without mutation.
const TWO_BY_TWO: &str = "\
puzzles = [\"4x4.txt\"]
budget.evaluations = 3_000
[algorithm]
name = \"genetic\"
encoding = \"rows\"
crossover = { name = \"row\", rate = 0.9 }
mutation = { name = \"row_swap\", rate = 0.1 }
[sweep]
\"algorithm.population\" = [10, 20]
\"algorithm.mutation.rate\" = [0.0, 0.1]
";

/// The figure and the parts of the importance in a sweep of two by two settings with so many runs of each.
fn importance_of_two_by_two(runs: &str) -> (String, Vec<Value>) {
    let lab = Lab::new();
    lab.write("sweep.toml", TWO_BY_TWO);
    lab.run(&["--config", "sweep.toml", "--seed", "1", "--runs", runs, "--out", "sweep", "--quiet"]);
    let ended = lab.kenga(&["report", "sweep", "--json"]);
    let found: Value = serde_json::from_str(&ended.stdout).expect("JSON");
    let parts = found["importance"][0]["parts"].as_array().expect("parts").clone();
    (section(&page(&lab, &["sweep"]), "importance").to_owned(), parts)
}

#[test]
fn a_strong_parameter_exceeds_its_floor_in_a_sweep_of_two_by_two() {
    let (figure, parts) = importance_of_two_by_two("8");
    let exceeding = parts.iter().map(|part| &part["par10"]["exceeds_floor"]);
    assert_eq!(exceeding.collect::<Vec<_>>(), [false, true, false], "{parts:?}");
    assert_eq!(parts[1]["parameters"], json!(["mutation.rate"]));
    assert!(figure.contains("in 1 of 20 experiments") && !figure.contains("too few runs"), "{figure}");
}

#[test]
fn with_one_run_of_each_setting_no_parameter_has_a_floor() {
    let (figure, parts) = importance_of_two_by_two("1");
    for part in parts {
        assert!(part["par10"]["floor"].is_null() && part["par10"]["exceeds_floor"].is_null(), "{part}");
    }
    assert!(figure.contains("too few runs of each setting to tell a parameter from noise"), "{figure}");
    assert!(!figure.contains("whisker"), "{figure}");
}

/// A puzzle of two by two cells, which is soon solved.
const TWO: &str = r#"{"id":"two","size":2,"cages":[{"op":"+","target":3,"cells":[[0,0],[0,1]]},{"op":"+","target":3,"cells":[[1,0],[1,1]]}]}"#;

#[test]
fn puzzles_are_not_mixed() {
    let lab = Lab::new();
    lab.write("sweep.toml", SWEEP);
    lab.write("two.json", TWO);
    let puzzles = ["--puzzle", "4x4.txt", "--puzzle", "two.json"];
    lab.run(&[&["--config", "sweep.toml", "--out", "sweep", "--quiet"], &puzzles[..]].concat());
    let page = page(&lab, &["sweep", "--figures", "figures"]);
    let settings = section(&page, "settings");
    assert!(settings.contains("mean share, %") && settings.contains("On <b>two</b> alone"), "{settings}");
    assert!(section(&page, "success").contains("mean of 2 puzzles"));
    assert!(
        section(&page, "verdict").contains("On <b>two</b>")
            && section(&page, "verdict").contains("over all puzzles")
    );
    for name in
        ["convergence-1", "convergence-2", "run-length-mean", "run-length-2", "importance-1", "heat-success"]
    {
        assert!(lab.read(&format!("figures/{name}.svg")).matches("<text").count() > 4, "{name}");
    }
    for id in ["heat", "time-to-target"] {
        let panels = section(&page, id);
        assert!(panels.contains(">4x4<") && panels.contains(">two<"), "{id}: {panels}");
    }
    let plot = lab.kenga(&["plot", "sweep"]).stdout;
    assert!(plot.contains("4x4: best fitness") && plot.contains("two: best fitness"), "{plot}");
}

#[test]
fn a_race_that_has_ended_is_whole() {
    let lab = Lab::new();
    let race = SWEEP
        .replace("[sweep]", "[sweep]\nmethod = { name = \"race\", of = \"grid\", first = 6, alpha = 0.5 }");
    lab.write("race.toml", race);
    lab.run(&["--config", "race.toml", "--runs", "12", "--out", "race", "--quiet"]);
    let page = page(&lab, &["race"]);
    assert!(page.contains("A race: ") && !page.contains("has not ended"), "{}", section(&page, "run"));
}

/// The p-values of a race are valid at every look; those of `last` up to that block.
#[test]
fn a_race_says_for_which_looks_its_p_values_are_corrected() {
    let lab = Lab::new();
    for (name, last, said) in [
        (
            "open",
            "",
            "are corrected for these looks and for those at blocks that are added later, intervals are not.",
        ),
        ("planned", ", last = 40", "are corrected for all looks up to block 40, intervals are not."),
    ] {
        let method = format!("[sweep]\nmethod = {{ name = \"race\", of = \"grid\"{last} }}");
        lab.write("race.toml", SWEEP.replace("[sweep]", &method));
        lab.run(&["--config", "race.toml", "--runs", "3", "--out", name, "--quiet"]);
        let page = page(&lab, &[name]);
        let told = page.find("A race: ").map(|at| &page[at..page.len().min(at + 400)]);
        assert!(page.contains(said) && !page.contains("optimistic"), "{name}: {told:?}");
    }
}

#[test]
fn the_same_results_give_the_same_bytes() {
    let lab = swept();
    // However the folder is typed.
    let typed = lab.path("sweep").display().to_string();
    let (one, two) = (page(&lab, &["sweep"]), page(&lab, &[&typed]));
    assert_eq!(one, two);
    let printed = lab.kenga(&["report", "sweep", "-o", "-"]);
    assert_eq!((printed.code, printed.stdout), (0, one));
}

#[test]
fn the_printed_configuration_makes_the_same_runs() {
    let lab = swept();
    let page = page(&lab, &["sweep"]);
    let repeat = section(&page, "repeat");
    let start = repeat.find("puzzles = [").expect("the configuration is printed");
    let text = &repeat[start..start + repeat[start..].find("</code>").expect("it ends")];
    lab.write("sweep/again.toml", text.replace("&quot;", "\"").replace("&lt;", "<").replace("&amp;", "&"));
    lab.run(&["--config", "sweep/again.toml", "--out", "again", "--quiet"]);
    assert_eq!(lab.read("again/runs.csv"), lab.read("sweep/runs.csv"));
}

#[test]
fn settings_are_taken_together_by_a_key() {
    let lab = swept();
    let page = page(&lab, &["sweep", "--by", "algorithm.population"]);
    assert!(section(&page, "settings").matches("<tr").count() == 4);
    let parameter = section(&page, "parameter");
    assert!(parameter.contains("Success") && parameter.contains(" by population"), "{parameter}");
    let unknown = lab.kenga(&["report", "sweep", "-o", "x.html", "--by", "algorithm.poplation"]);
    assert_eq!(unknown.code, 2);
    assert!(unknown.stderr.contains("did you mean `algorithm.population`?"), "{}", unknown.stderr);
    assert!(!lab.path("x.html").exists());
}

#[test]
fn several_folders_are_told_apart() {
    let lab = Lab::new();
    lab.run(&["--config", "ga.toml", "--out", "ga", "--quiet"]);
    lab.run(&["--config", "islands.toml", "--out", "islands", "--quiet"]);
    let page = page(&lab, &["ga", "islands"]);
    assert!(page.contains("<h1>ga, islands</h1>"));
    assert!(section(&page, "settings").contains("<td>islands</td>"));
}

#[test]
fn folders_that_end_alike_are_named_by_their_paths() {
    let lab = Lab::new();
    lab.run(&["--config", "ga.toml", "--out", "one/out", "--quiet"]);
    lab.run(&["--config", "ga.toml", "--seed", "9", "--out", "two/out", "--quiet"]);
    let page = page(&lab, &["one/out", "two/out"]);
    let settings = section(&page, "settings");
    assert!(settings.contains("<td>one/out</td>") && settings.contains("<td>two/out</td>"), "{settings}");
}

#[test]
fn of_many_puzzles_twenty_have_a_time_to_target() {
    let lab = Lab::new();
    let puzzles: Vec<String> = (0..30).map(|id| TWO.replace("\"two\"", &format!("\"p{id}\""))).collect();
    lab.write("many.jsonl", puzzles.join("\n"));
    lab.run(&["--config", "ga.toml", "--puzzle", "many.jsonl", "--out", "many", "--runs", "1", "--quiet"]);
    let page = page(&lab, &["many"]);
    let figure = section(&page, "time-to-target");
    assert!(figure.contains("Of 30 puzzles 20 are shown"), "{figure}");
    let names = (0..30).filter(|id| figure.contains(&format!(">p{id}<"))).count();
    assert_eq!(names, 20, "{figure}");
}

#[test]
fn one_run_and_no_success_have_a_page() {
    let lab = Lab::new();
    lab.run(&["--config", "ga.toml", "--out", "one", "--runs", "1", "--quiet"]);
    page(&lab, &["one"]);
    lab.run(&["--config", "ga.toml", "--out", "none", "--set", "budget.evaluations=20", "--quiet"]);
    let page = page(&lab, &["none"]);
    assert!(section(&page, "missing").contains("Run-length distributions are left out: no run has solved"));
    assert!(
        !page.contains("id=\"ranks\"") && !page.contains("id=\"importance\""),
        "of one setting there are none"
    );
    assert!(!page.contains("id=\"time-to-target\""), "on one puzzle there is nothing to compare");
    assert!(section(&page, "settings").contains("never"));
}

#[test]
fn runs_that_the_clock_ended_are_counted() {
    let lab = Lab::new();
    lab.run(&["--config", "ga.toml", "--out", "ga", "--quiet"]);
    lab.change("ga/runs.csv", |text| text.replacen(",evaluations,,", ",seconds,,", 1));
    forge_again(&lab.path("ga"));
    assert!(page(&lab, &["ga"]).contains("1 run was stopped by the time limit"));
}

#[test]
fn results_without_convergence_say_so() {
    let lab = Lab::new();
    lab.run(&["--config", "ga.toml", "--out", "ga", "--set", "record.every=0", "--quiet"]);
    assert!(section(&page(&lab, &["ga"]), "missing").contains("no convergence was recorded"));
    let plot = lab.kenga(&["plot", "ga"]);
    assert_eq!(plot.code, 2);
    assert!(plot.stderr.contains("nothing to plot"), "{}", plot.stderr);
    std::fs::remove_file(lab.path("ga/convergence.csv")).expect("the file is there");
    let note = "ga: differs from its checksums: convergence.csv is missing; `kenga validate` says more\n";
    assert!(section(&page_with_note(&lab, &["ga"], note), "missing").contains("cannot be read"));
}

#[test]
fn an_unfinished_experiment_shows_the_runs_that_are_there() {
    let lab = Lab::new();
    lab.run(&["--config", "ga.toml", "--out", "ga", "--quiet"]);
    lab.change("ga/runs.csv", |text| text.lines().take(4).map(|line| format!("{line}\n")).collect());
    std::fs::remove_file(lab.path("ga/checksums.txt")).expect("the file is there");
    let note = "ga has not ended: only its finished runs count\n";
    assert!(page_with_note(&lab, &["ga"], note).contains("3 of 6 runs are complete"));
    // The rows of the last run may be torn where the program was killed.
    lab.change("ga/convergence.csv", |text| text[..text.len() - 5].to_owned());
    assert!(section(&page_with_note(&lab, &["ga"], note), "convergence").contains("<svg"));
    lab.change("ga/runs.csv", |text| text.lines().take(1).map(|line| format!("{line}\n")).collect());
    for command in [&["report", "ga", "-o", "x.html"][..], &["plot", "ga"]] {
        let ended = lab.kenga(command);
        assert_eq!(ended.code, 2);
        assert!(ended.stderr.contains("no run has ended"), "{}", ended.stderr);
    }
}

#[test]
fn folders_without_results_are_refused() {
    let lab = Lab::new();
    std::fs::create_dir(lab.path("empty")).expect("a folder in the folder");
    for folder in ["empty", "nowhere"] {
        for command in [&["report", folder, "-o", "x.html"][..], &["plot", folder]] {
            let ended = lab.kenga(command);
            assert_eq!(ended.code, 2);
            assert!(ended.stderr.contains("holds no results"), "{}", ended.stderr);
        }
    }
    assert!(!lab.path("x.html").exists());
    lab.run(&["--config", "ga.toml", "--out", "ga", "--quiet"]);
    let ended = lab.kenga(&["report", "ga", "-o", "no/such/folder.html"]);
    assert_eq!(ended.code, 2);
    assert!(ended.stderr.contains("cannot write no/such/folder.html"), "{}", ended.stderr);
    lab.change("ga/runs.csv", |text| with_field(&text, 2, 4, "perhaps"));
    forge_again(&lab.path("ga"));
    let ended = lab.kenga(&["report", "ga", "-o", "x.html"]);
    assert_eq!(ended.code, 2);
    assert!(ended.stderr.contains("runs.csv, line 3"), "{}", ended.stderr);
}

#[test]
fn names_with_markup_are_text() {
    let lab = Lab::new();
    let puzzle = r#"{"id":"<b>&\"bold\"</b>","size":2,"cages":[{"op":"+","target":3,"cells":[[0,0],[0,1]]},{"op":"+","target":3,"cells":[[1,0],[1,1]]}]}"#;
    lab.write("b.json", puzzle);
    lab.run(&["--config", "ga.toml", "--puzzle", "b.json", "--out", "b<i>", "--quiet"]);
    let page = page(&lab, &["b<i>"]);
    assert!(page.contains("&lt;b&gt;&amp;&quot;bold&quot;&lt;/b&gt;"));
    assert!(!page.contains("<b>&\"") && !page.contains("\"bold\"") && !page.contains("<i>"));
}

#[test]
fn every_kind_and_size_of_puzzle_has_a_picture() {
    let lab = Lab::new();
    for name in
        ["family/kakuro-6x6.json", "family/killer-6x6.json", "family/sudoku-9x9.json", "large-25x25.json"]
    {
        let puzzle = Path::new(env!("CARGO_MANIFEST_DIR")).join("puzzles").join(name);
        let (puzzle, out) = (puzzle.to_str().expect("a path in text"), name.replace(['/', '.'], "-"));
        lab.run(&[
            "--config",
            "ga.toml",
            "--puzzle",
            puzzle,
            "--out",
            &out,
            "--set",
            "exact.nodes=0",
            "--runs",
            "2",
            "--quiet",
        ]);
        let page = page(&lab, &[&out]);
        assert!(section(&page, "run").contains("<svg"), "{name}");
    }
}

#[test]
fn a_plot_has_its_axes_and_no_colour_in_a_pipe() {
    let lab = swept();
    let ended = lab.kenga(&["plot", "sweep", "--width", "72"]);
    assert_eq!((ended.code, &*ended.stderr), (0, ""));
    let text = ended.stdout;
    assert!(text.contains("best fitness") && text.contains("calls (evaluations + moves"), "{text}");
    assert!(!text.contains('\u{1b}'), "{text}");
    assert!(text.lines().take(22).all(|line| line.chars().count() <= 72), "{text}");
    assert!(
        text.chars().filter(|character| ('\u{2801}'..='\u{28ff}').contains(character)).count() > 60,
        "{text}"
    );
    assert_eq!(lab.kenga(&["plot", "sweep", "--width", "72"]).stdout, text);
    assert_eq!(lab.kenga(&["plot", "sweep", "--width", "5"]).code, 2);
}

#[test]
fn trajectories_are_a_network_in_a_file() {
    let lab = swept();
    let of = |file: &str, id: &str| lab.kenga(&["plot", "sweep", "--trajectories", file, "--id", id]);
    let unknown = of("ways.svg", "4x5");
    assert!(unknown.code == 2 && unknown.stderr.contains("4x4"), "{}", unknown.stderr);
    let other = of("ways.gexf", "4x4");
    assert!(other.code == 2 && other.stderr.contains(".svg or .graphml"), "{}", other.stderr);
    lab.run(&["--config", "ga.toml", "--set", "fitness.weights.cage=3", "--out", "heavy", "--quiet"]);
    let mixed = lab.kenga(&["plot", "sweep", "heavy", "--trajectories", "mixed.svg"]);
    assert!(mixed.code == 2 && mixed.stderr.contains("`fitness.weights.cage`"), "{}", mixed.stderr);
    for file in ["ways.SVG", "ways.graphml"] {
        let ended = lab.kenga(&["plot", "sweep", "--trajectories", file]);
        assert_eq!((ended.code, &*ended.stdout), (0, ""), "{}", ended.stderr);
    }
    let (drawing, network) = (lab.read("ways.SVG"), lab.read("ways.graphml"));
    assert!(drawing.contains("several settings") && drawing.contains("search trajectories"), "{drawing}");
    assert!(network.contains(">start</data>") && network.contains("<data key=\"setting\">"), "{network}");
    assert_eq!(of("ways.SVG", "4x4").code, 2, "it is there already");
}

#[test]
fn trajectories_need_runs_that_the_clock_has_not_cut() {
    let lab = swept();
    let end = |lab: &Lab, which: &dyn Fn(usize) -> bool| {
        lab.change("sweep/runs.csv", |text| {
            let lines = text.lines().enumerate();
            let lines = lines.map(|(line, text)| match line > 0 && which(line) {
                true => ["evaluations", "solved"]
                    .iter()
                    .fold(text.to_owned(), |text, reason| text.replace(&format!(",{reason},"), ",seconds,")),
                false => text.to_owned(),
            });
            lines.map(|line| line + "\n").collect()
        });
        forge_again(&lab.path("sweep"));
    };
    end(&lab, &|line| line == 1);
    let some = lab.kenga(&["plot", "sweep", "--trajectories", "some.svg"]);
    assert!(some.code == 0 && some.stderr.contains("1 run that the clock has cut"), "{}", some.stderr);
    end(&lab, &|_| true);
    let none = lab.kenga(&["plot", "sweep", "--trajectories", "none.svg"]);
    assert!(none.code == 2 && none.stderr.contains("the clock has cut all"), "{}", none.stderr);
    assert!(!lab.path("none.svg").exists());
    lab.change("sweep/runs.csv", |text| text.lines().take(1).map(|line| format!("{line}\n")).collect());
    let empty = lab.kenga(&["plot", "sweep", "--trajectories", "none.svg"]);
    assert!(empty.code == 2 && !empty.stderr.contains("clock"), "{}", empty.stderr);
}

/// Islands that record all that a report draws.
const RECORDED: &str = "\
puzzles = [\"4x4.txt\", \"two.json\"]
seed = 3
replicates = 3
[budget]
evaluations = 2_000
[algorithm]
name = \"islands\"
count = 3
interval = 60
[algorithm.island]
name = \"genetic\"
encoding = \"cells\"
population = 10
selection = { name = \"roulette\", scaling = \"sigma\" }
crossover = \"uniform\"
mutation = { name = \"reset\", rate = 0.1 }
[record]
operators = true
migrations = true
";

#[test]
fn a_run_shows_its_solved_grid_its_population_its_operators_and_its_migrants() {
    let lab = Lab::new();
    lab.write("two.json", TWO);
    lab.write("islands.toml", RECORDED);
    lab.run(&["--config", "islands.toml", "--out", "islands", "--quiet"]);
    let page = page(&lab, &["islands", "--figures", "figures"]);
    let run = section(&page, "run");
    let (_, two) = run.split_once("figure-puzzle-2").expect("the puzzle of two by two cells");
    assert!(two.contains("solved by run "), "{two}");
    assert_eq!(two.matches(">1</text>").count() + two.matches(">2</text>").count(), 4, "{two}");
    assert_eq!(two.matches(">3+</text>").count(), 2, "clues stand beside digits: {two}");
    for part in
        ["<b>islands</b>", "island <b>genetic</b>", "selection <b>roulette</b>", "scaling <b>sigma</b>"]
    {
        assert!(run.contains(part), "{part}: {run}");
    }
    assert!(run.contains("<b>uniform</b>") && run.contains("<b>reset</b>"), "{run}");
    for axis in ["mean fitness", "diversity", "entropy"] {
        assert!(section(&page, "population").contains(axis), "{axis}");
    }
    let operators = section(&page, "operators");
    assert!(operators.contains("<td>crossover</td><td>uniform</td>"), "{operators}");
    assert!(section(&page, "migrations").contains("from island 0 to island 1: "));
    for name in ["mean-1", "diversity-1", "entropy-1", "operators", "migrations", "puzzle-2"] {
        assert!(lab.path(&format!("figures/{name}.svg")).exists(), "{name}");
    }
}

#[test]
fn curves_end_where_runs_end_and_every_budget_is_named() {
    let lab = Lab::new();
    let sweep = "[sweep]\n\"budget.evaluations\" = [400, 4_000]\n[record]\nevery = 1\n";
    lab.write("sweep.toml", [SWEEP.split("[sweep]").next().expect("a part"), sweep].concat());
    lab.run(&["--config", "sweep.toml", "--out", "sweep", "--quiet"]);
    let page = page(&lab, &["sweep"]);
    assert!(section(&page, "run").contains("400 or 4 000 evaluations"), "{}", section(&page, "run"));
    let convergence = section(&page, "convergence");
    let end = |series: &str| -> f64 {
        let curve = convergence.split(&format!("<path class=\"series {series}\" d=\"")).nth(1);
        let data = curve.and_then(|rest| rest.split('"').next()).expect("the curve of a setting");
        let last = data.rsplit('L').next().and_then(|point| point.split(' ').next());
        last.and_then(|x| x.parse().ok()).expect("a point")
    };
    assert!(end("s0") + 100.0 < end("s1"), "{} {}", end("s0"), end("s1"));
}

#[test]
fn runs_of_a_puzzle_that_the_folder_lacks_are_refused() {
    let lab = swept();
    lab.change("sweep/runs.csv", |text| with_field(&text, 3, 1, "nowhere"));
    forge_again(&lab.path("sweep"));
    for command in [&["report", "sweep", "-o", "x.html"][..], &["compare", "sweep"], &["plot", "sweep"]] {
        let ended = lab.kenga(command);
        assert_eq!(ended.code, 2, "{command:?}: {}", ended.stderr);
        assert!(ended.stderr.contains("runs.csv") && ended.stderr.contains("nowhere"), "{}", ended.stderr);
    }
}
