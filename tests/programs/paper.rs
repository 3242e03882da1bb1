//! What goes into a paper: figures for a width in print, tables for a column, and settings with plain names.

use crate::lab::{Lab, flat, refused, well};
use crate::report::{page, swept};

/// The sizes of the texts of an SVG file, in points.
fn sizes(svg: &str) -> Vec<f64> {
    let number = |name: &str| {
        let (_, rest) = svg.split_once(name).expect("the attribute");
        rest.split(['m', ' ', '"']).next().and_then(|text| text.parse::<f64>().ok()).expect("a number")
    };
    let points = number("width=\"") / 25.4 * 72.0 / number("viewBox=\"0 0 ");
    let texts = svg.split("<text").skip(1).map(|text| text.split_once("font-size=\"").expect("a size").1);
    texts
        .map(|text| {
            points * text.split('"').next().and_then(|size| size.parse::<f64>().ok()).expect("a size")
        })
        .collect()
}

#[test]
fn figures_have_the_width_that_is_asked_for_with_texts_of_7_to_9_points() {
    let lab = swept();
    for (width, written) in
        [("85mm", "width=\"85mm\""), ("17.4cm", "width=\"174mm\""), ("252pt", "width=\"88.9mm\"")]
    {
        well(&lab, &format!("report sweep --figures {width} --width {width}"));
        for name in
            ["ranks", "success", "heat-success", "heat-calls", "convergence", "run-length", "importance"]
        {
            let svg = lab.read(&format!("{width}/{name}.svg"));
            assert!(svg.contains(written), "{name}: {}", &svg[..300]);
            let sizes = sizes(&svg);
            assert!(
                !sizes.is_empty() && sizes.iter().all(|size| (6.9..9.1).contains(size)),
                "{name}: {sizes:?}"
            );
        }
    }
    let pdf = lab.bytes("85mm/ranks.pdf");
    assert!(String::from_utf8_lossy(&pdf).contains("/MediaBox [0 0 240.9"));
    assert!(lab.read("85mm/ranks.svg").contains("<title>Average ranks and critical difference</title>"));
    well(&lab, "report sweep --figures bare --width 85mm --no-titles");
    assert!(!lab.read("bare/ranks.svg").contains("Average ranks and critical difference"));
    assert!(!lab.path("page.html").exists(), "figures need no page");
}

#[test]
fn a_width_needs_a_unit_and_figures() {
    let lab = Lab::new();
    for (width, said) in
        [("85", "a number and mm, cm, in or pt"), ("mm", "a number and mm"), ("3mm", "from 50mm to 500mm")]
    {
        let refusal = refused(&lab, &format!("report x --figures f --width {width}"));
        assert!(refusal.contains(said), "{refusal}");
    }
    assert!(refused(&lab, "report x -o x.html --width 85mm").contains("--figures"));
}

#[test]
fn settings_are_chosen_and_shown_in_their_order() {
    let lab = swept();
    well(&lab, "report sweep -o page.html --by population --settings 40,10 --figures figures");
    let success = lab.read("figures/success.svg");
    let place = |name: &str| success.find(&format!(">{name}</text>"));
    assert!(place("40") < place("10") && place("10").is_some() && place("20").is_none(), "{success}");
    assert!(lab.read("page.html").contains("Only a choice of settings or puzzles is shown"));
    assert!(!lab.read("page.html").contains("has not ended"));
    let wrong = refused(&lab, "report sweep -o page.html --by population --settings 40,15");
    assert!(wrong.contains("no setting is called `15`") && wrong.contains("did you mean `10`?"), "{wrong}");
    let name = "mutation.rate = 0.1";
    let all = lab.kenga(&[
        "report",
        "sweep",
        "--figures",
        "f",
        "--settings",
        &format!("population = 20, {name},population = 10, {name}"),
    ]);
    assert_eq!(all.code, 0, "{}", all.stderr);
    // Names in legends are those of the settings alone.
    let legend = lab.read("f/convergence.svg");
    assert!(legend.contains(">20</text>") && !legend.contains("best 1"), "{legend}");
}

#[test]
fn a_critical_difference_diagram_has_its_axis_on_top() {
    let lab = swept();
    well(&lab, "report sweep --figures figures");
    let svg = lab.read("figures/ranks.svg");
    let words: Vec<&str> = svg.split("</text>").filter_map(|part| part.rsplit('>').next()).collect();
    let place = |word: &str| words.iter().position(|other| *other == word);
    assert!(words.iter().any(|word| word.starts_with("CD = ")), "{words:?}");
    assert!(place("1") < place("6") && place("6").is_some(), "{words:?}");
}

#[test]
fn columns_are_chosen_in_every_form_of_a_table() {
    let lab = swept();
    let latex = well(&lab, "compare sweep --latex --columns solved,calls,p");
    for part in [
        "\\caption{Compared with the reference, ",
        "\\label{tab:kenga-settings}",
        "\\label{tab:kenga-comparison}",
    ] {
        assert!(latex.contains(part), "{part}: {latex}");
    }
    assert!(
        latex.contains("\\begin{table}\n") && !latex.contains("table*") && !latex.contains("resizebox"),
        "{latex}"
    );
    assert!(
        !latex.contains(":}\n")
            && latex.contains("\\begin{minipage}{\\linewidth}\\footnotesize\\raggedright"),
        "{latex}"
    );
    assert!(latex.contains("$= 0.02$") && !latex.contains("A12"), "{latex}");
    assert!(well(&lab, "compare sweep --latex").contains("\\begin{table*}\n"));
    assert!(well(&lab, "compare sweep --by population --latex").contains("  $40$ & "));
    let csv = well(&lab, "compare sweep --by population --csv --columns p,solved");
    assert!(
        csv.starts_with("setting,solved,runs\n") && csv.contains("\nsetting,p_holm,share_difference,"),
        "{csv}"
    );
    let markdown = well(&lab, "compare sweep --by population --markdown --columns share");
    assert!(
        markdown.contains("| setting | share % (95 %) |\n") && !markdown.contains("Compared"),
        "{markdown}"
    );
    let wrong = refused(&lab, "compare sweep --csv --columns sovled");
    assert!(
        wrong.contains("no table has the column `sovled`") && wrong.contains("did you mean `solved`?"),
        "{wrong}"
    );
}

const LESSON: &str = "\
puzzles = [\"4x4.txt\"]
seed = 1
replicates = 6
preset = \"pyevolve\"
[budget]
evaluations = 2_000
";

/// A lab with a lesson, its sweep, and the lesson with another rate.
fn lessons() -> Lab {
    let lab = Lab::new();
    lab.write("lesson.toml", format!("{LESSON}[algorithm.mutation]\nname = \"swap\"\nrate = 0.1\n"));
    lab.write("other.toml", format!("{LESSON}[algorithm.mutation]\nname = \"swap\"\nrate = 0.3\n"));
    lab.write("wide.toml", format!("{LESSON}[sweep]\n\"algorithm.mutation.rate\" = [0.02, 0.1]\n"));
    for name in ["lesson", "other", "wide"] {
        well(&lab, &format!("run --config {name}.toml --out {name} --quiet"));
    }
    lab
}

#[test]
fn folders_that_share_a_setting_are_compared_without_the_double_runs() {
    let lab = lessons();
    let alone = well(&lab, "compare wide --csv");
    for folders in ["lesson wide", "wide lesson"] {
        let both = lab.kenga(&[&["compare", "--csv"], &folders.split(' ').collect::<Vec<_>>()[..]].concat());
        let named = folders.replace(' ', " and ");
        assert_eq!(both.code, 0, "{}", both.stderr);
        assert!(
            flat(&both.stderr).contains(&format!("{named} share 6 runs, counted once")),
            "{}",
            both.stderr
        );
        let mut rows: Vec<&str> = both.stdout.lines().take(3).collect();
        rows.sort_unstable();
        let mut expected: Vec<&str> = alone.lines().take(3).collect();
        expected.sort_unstable();
        assert_eq!(rows, expected, "{folders}");
    }
    lab.kenga(&["report", "lesson", "wide", "-o", "page.html"]);
    let page = lab.read("page.html");
    assert!(page.contains("lesson and wide share 6 runs, counted once.") && !page.contains("has not ended"));
    lab.copy("wide", "copy");
    for folders in ["wide wide", "wide copy"] {
        let refusal = refused(&lab, &format!("compare {folders}"));
        assert!(refusal.contains("holds runs that wide also holds"), "{refusal}");
    }
    assert_eq!(lab.kenga(&["compare", "wide", "copy", "other"]).code, 0);
}

#[test]
fn settings_of_several_folders_are_named_by_what_differs() {
    let lab = lessons();
    // Folders that somebody named keep their names; those that kenga numbered differ in their values.
    lab.copy("other", "lesson-2");
    assert!(well(&lab, "compare lesson other --csv").contains("\nother,"));
    let compared = well(&lab, "compare lesson lesson-2 --csv");
    assert!(
        compared.contains("\nmutation.rate = 0.1,") && compared.contains("\nmutation.rate = 0.3,"),
        "{compared}"
    );
    well(&lab, "run --config lesson.toml --seed 2 --out again --quiet");
    let seeds = well(&lab, "compare lesson again --csv");
    assert!(seeds.contains("\nlesson,") && seeds.contains("\nagain,"), "{seeds}");
}

#[test]
fn a_report_of_a_sweep_begins_with_a_picture() {
    let lab = lessons();
    let map = swept();
    for (lab, folder, id, drawing) in
        [(&lab, "wide", "parameter", "parameter"), (&map, "sweep", "picture", "heat-success")]
    {
        let page = page(lab, &[folder]);
        let (before, _) = page.split_once("<section id=\"verdict\"").expect("the verdict");
        assert!(before.contains(&format!("<section id=\"{id}\"")), "{before}");
        assert!(before.contains(&format!("id=\"figure-{drawing}\"")), "{before}");
        assert_eq!(page.matches(&format!("id=\"figure-{drawing}\"")).count(), 1);
    }
}
