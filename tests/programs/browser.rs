//! Reports in a browser: no complaint, and every figure of the page is there with what was drawn.

use std::io::Write;
use std::process::{Command, Stdio};

use crate::lab::Lab;
use crate::report::{figures, page};

/// A browser that can be asked for what it has made of a page.
fn browser() -> Option<&'static str> {
    let found = ["chromium", "chromium-browser", "google-chrome"].into_iter().find(|name| {
        let asked = Command::new(name).arg("--version").stdout(Stdio::null()).stderr(Stdio::null()).status();
        asked.is_ok_and(|status| status.success())
    });
    if found.is_none() {
        // What a macro prints is only seen of tests that fail.
        let _ = writeln!(
            std::io::stderr(),
            "SKIPPED: reports in a browser: neither chromium nor google-chrome is installed"
        );
    }
    found
}

/// The page of a sweep of some settings is the same in the browser as it was written.
fn is_shown(browser: &str, settings: &str) {
    let lab = Lab::new();
    let sweep = format!(
        "puzzles = [\"4x4.txt\"]\nseed = 3\nreplicates = 4\npreset = \"pyevolve\"\n[budget]\nevaluations = 4_000\n{settings}"
    );
    lab.write("sweep.toml", sweep);
    lab.run(&["--config", "sweep.toml", "--out", "sweep", "--quiet"]);
    page(&lab, &["sweep"]);
    let output = Command::new(browser)
        .args(["--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"])
        .arg("--enable-logging=stderr")
        .arg(format!("--user-data-dir={}", lab.path("profile").display()))
        .args(["--dump-dom", &format!("file://{}", lab.path("page.html").display())])
        .output()
        .expect("the browser starts");
    let (dom, log) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert!(output.status.success(), "{log}");
    assert!(!log.contains("CONSOLE"), "{log}");
    let page = lab.read("page.html");
    let shapes = |text: &str| ["<path", "<rect", "<line", "<text"].map(|shape| text.matches(shape).count());
    let shapes_of = |text: &str| figures(text).into_iter().map(shapes).collect::<Vec<_>>();
    assert_eq!(shapes_of(&dom), shapes_of(&page), "the browser reads what was written");
    for figure in figures(&dom) {
        assert!(shapes(figure).iter().sum::<usize>() > 3, "an empty figure: {figure}");
    }
}

#[test]
fn a_browser_shows_pages_of_1_3_and_30_settings_without_a_complaint() {
    let Some(browser) = browser() else { return };
    is_shown(browser, "");
    is_shown(browser, "[sweep]\n\"algorithm.mutation.rate\" = [0.02, 0.05, 0.1]\n");
    is_shown(
        browser,
        "[sweep]\n\"algorithm.mutation.rate\" = [0.01, 0.02, 0.05, 0.1, 0.2]\n\"algorithm.population\" = [4, 6, 10, 20, 30, 40]\n",
    );
}
