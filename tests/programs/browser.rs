//! Reports in a browser: no complaint, every figure of the page is there with what was drawn, and the script does its work.
//!
//! These tests need a browser and are ignored without being asked for, visibly, in the list of tests:
//! `cargo test --test programs browser -- --ignored`. What needs none stands in `report.rs`.

use std::process::{Command, Stdio};

use crate::lab::Lab;
use crate::report::{figures, page};

/// A browser that can be asked for what it has made of a page.
fn browser() -> &'static str {
    let answers = |name: &&str| {
        let asked = Command::new(name).arg("--version").stdout(Stdio::null()).stderr(Stdio::null()).status();
        asked.is_ok_and(|status| status.success())
    };
    let found = ["chromium", "chromium-browser", "google-chrome"].into_iter().find(answers);
    found.expect("chromium or google-chrome is installed")
}

/// A lab with the page of a sweep of some settings.
fn shown(settings: &str) -> Lab {
    let lab = Lab::new();
    let sweep = format!(
        "puzzles = [\"4x4.txt\"]\nseed = 3\nreplicates = 4\npreset = \"pyevolve\"\n[budget]\nevaluations = 4_000\n{settings}"
    );
    lab.write("sweep.toml", sweep);
    lab.run(&["--config", "sweep.toml", "--out", "sweep", "--quiet"]);
    page(&lab, &["sweep"]);
    lab
}

/// What a browser makes of a page, without a complaint.
fn dom(lab: &Lab, name: &str) -> String {
    let output = Command::new(browser())
        .args(["--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--disable-quic"])
        .args(["--no-first-run", "--disable-background-networking", "--disable-component-update"])
        .args(["--disable-sync", "--enable-logging=stderr"])
        .arg(format!("--user-data-dir={}", lab.path("profile").display()))
        .args(["--dump-dom", &format!("file://{}", lab.path(name).display())])
        .output()
        .expect("the browser starts");
    let (dom, log) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert!(output.status.success(), "{log}");
    assert!(!log.contains("CONSOLE"), "{log}");
    dom.into_owned()
}

/// The page of a sweep of some settings is the same in the browser as it was written.
fn is_shown(settings: &str) {
    let lab = shown(settings);
    let (dom, page) = (dom(&lab, "page.html"), lab.read("page.html"));
    let shapes = |text: &str| ["<path", "<rect", "<text"].map(|shape| text.matches(shape).count());
    let shapes_of = |text: &str| figures(text).into_iter().map(shapes).collect::<Vec<_>>();
    assert_eq!(shapes_of(&dom), shapes_of(&page), "the browser reads what was written");
    for figure in figures(&dom) {
        assert!(shapes(figure).iter().sum::<usize>() > 3, "an empty figure: {figure}");
    }
}

#[test]
#[ignore = "needs a browser"]
fn a_browser_shows_pages_of_1_3_and_30_settings_without_a_complaint() {
    is_shown("");
    is_shown("[sweep]\n\"algorithm.mutation.rate\" = [0.02, 0.05, 0.1]\n");
    is_shown(
        "[sweep]\n\"algorithm.mutation.rate\" = [0.01, 0.02, 0.05, 0.1, 0.2]\n\"algorithm.population\" = [4, 6, 10, 20, 30, 40]\n",
    );
}

#[test]
#[ignore = "needs a browser"]
fn headings_sort_legends_hide_and_charts_tell_their_values() {
    let lab = shown("[sweep]\n\"algorithm.mutation.rate\" = [0.02, 0.05, 0.1]\n");
    let hand = "<script>
document.querySelector('#settings th:nth-child(2) button').click();
document.querySelector('#settings th:nth-child(2) button').click();
document.querySelector('#figure-convergence .entry').dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter' }));
const chart = document.querySelector('#figure-convergence .chart');
for (let step = 0; step < 30; step++) chart.dispatchEvent(new KeyboardEvent('keydown', { key: 'ArrowRight' }));
</script></body>";
    lab.write("used.html", lab.read("page.html").replace("</body>", hand));
    let dom = dom(&lab, "used.html");
    assert!(
        dom.contains("aria-sort=\"descending\"><button type=\"button\" class=\"heading\">mutation.rate"),
        "{dom}"
    );
    let place = |rate: &str| dom.find(&format!("<td>{rate}</td>")).expect("a setting");
    assert!(place("0.1") < place("0.05") && place("0.05") < place("0.02"));
    assert!(dom.contains("<g class=\"curve off\" data-series=\"setting-0\">"), "{dom}");
    let values = dom.split("<div class=\"values\"").nth(1).expect("a box with values");
    assert!(values.contains("calls ") && values.contains("0.05: ") && !values.contains("0.02: "), "{values}");
}

#[test]
#[ignore = "needs a browser"]
fn an_animation_goes_to_every_step_and_plays() {
    let lab = Lab::new();
    let puzzle = format!("{}/puzzles/original/6x6.txt", env!("CARGO_MANIFEST_DIR"));
    assert_eq!(lab.kenga(&["solve", &puzzle, "--animate", "page.html", "--steps", "20"]).code, 0);
    let hand = "<script>
const press = key => dispatchEvent(new KeyboardEvent('keydown', { key }));
const numbers = () => [...document.querySelectorAll('svg text')].filter(text => getComputedStyle(text).visibility === 'visible')
  .map(text => text.textContent).filter(text => /^\\d+\\/\\d+$/.test(text)).join();
const seen = [];
press('Home'); seen.push(numbers());
for (let step = 0; step < 5; step++) press('ArrowRight');
seen.push(numbers()); press('End'); seen.push(numbers()); press(' ');
seen.push(numbers(), document.querySelector('#play').textContent); press(' ');
seen.push(document.querySelector('#play').textContent, document.querySelector('[aria-current]').textContent);
document.body.dataset.seen = seen.join('; ');
</script></body>";
    lab.write("used.html", lab.read("page.html").replace("</body>", hand));
    let dom = dom(&lab, "used.html");
    let seen = dom.split("data-seen=\"").nth(1).expect("the script ran").split('"').next().expect("an end");
    assert!(seen.starts_with("1/21; 6/21; 21/21; 1/21; Stop; Play; cage"), "{seen}");
}
