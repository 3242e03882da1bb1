//! `kenga watch` on a real terminal, that of tmux; without tmux these tests say so and do nothing.

use std::fs;
use std::process::{Command, Output};
use std::time::Duration;

use crate::lab::Lab;

/// A shell in a terminal of tmux, on a server of its own.
struct Shell<'a> {
    lab: &'a Lab,
    socket: String,
}

impl<'a> Shell<'a> {
    /// A shell in the lab's folder; none where tmux is missing.
    fn start(lab: &'a Lab, name: &str) -> Option<Self> {
        if Command::new("tmux").arg("-V").output().is_err() {
            eprintln!("tmux is missing: kenga watch is not tested on a terminal");
            return None;
        }
        let shell = Self { lab, socket: format!("kenga-{name}-{}", std::process::id()) };
        let folder = lab.path("").display().to_string();
        shell.tmux(&["new-session", "-d", "-x", "80", "-y", "24", "-c", &folder, "env", "PS1=ready ", "sh"]);
        Some(shell)
    }

    fn tmux(&self, args: &[&str]) -> Output {
        let mut command = Command::new("tmux");
        command.args(["-L", &self.socket, "-f", "/dev/null"]).args(args);
        command.env_remove("NO_COLOR").output().expect("there is a tmux")
    }

    /// Presses keys, by their names in tmux.
    fn press(&self, keys: &[&str]) {
        self.tmux(&[&["send-keys"], keys].concat());
    }

    /// Types a line.
    fn line(&self, text: &str) {
        self.tmux(&["send-keys", "-l", text]);
        self.press(&["Enter"]);
    }

    /// What it shows.
    fn screen(&self) -> String {
        String::from_utf8_lossy(&self.tmux(&["capture-pane", "-p"]).stdout).into_owned()
    }

    /// Waits until it shows what is wanted, however slow the machine is.
    fn wait(&self, what: &str, shows: impl Fn(&str) -> bool) -> String {
        for _ in 0..1200 {
            let screen = self.screen();
            if shows(&screen) {
                return screen;
            }
            std::thread::sleep(Duration::from_millis(50));
        }
        panic!("it never shows {what}:\n{}", self.screen());
    }

    fn wait_for(&self, words: &str) -> String {
        self.wait(words, |screen| screen.contains(words))
    }

    /// Runs `kenga` with words between two looks at the terminal's settings.
    fn kenga(&self, words: &str) {
        let kenga = env!("CARGO_BIN_EXE_kenga");
        self.line(&format!(
            "stty -a > before; {kenga} {words}; echo code=$? > code; stty -a > after; echo do''ne"
        ));
    }

    /// The exit code of that; the terminal is as it was.
    fn ended(&self) -> String {
        let screen = self.wait_for("done");
        assert!(!screen.contains("kenga watch  "), "the screen is that of the shell again:\n{screen}");
        let read = |name| fs::read_to_string(self.lab.path(name)).expect("it was written");
        assert_eq!(read("before"), read("after"));
        let code = read("code");
        self.line("rm code before after");
        self.wait("a bare prompt", |screen| {
            let is_bare = screen.split_whitespace().all(|word| word == "ready") && screen.contains("ready");
            if !is_bare {
                self.press(&["-R"]);
                self.press(&["Enter"]);
            }
            is_bare
        });
        code.trim().to_owned()
    }
}

impl Drop for Shell<'_> {
    fn drop(&mut self) {
        self.tmux(&["kill-server"]);
    }
}

/// The generation that a screen shows.
fn generation(screen: &str) -> u64 {
    let (_, behind) = screen.split_once("generation ").expect("a generation");
    let line = screen.lines().find(|line| line.contains("generations/s  generation")).unwrap_or(behind);
    let (_, number) = line.rsplit_once("generation ").expect("a generation");
    number
        .split_whitespace()
        .next()
        .and_then(|number| number.replace(' ', "").parse().ok())
        .expect("a number")
}

#[test]
fn a_run_is_started_paused_stepped_scrubbed_and_left() {
    let lab = Lab::new();
    let Some(shell) = Shell::start(&lab, "keys") else { return };
    lab.write("6x6.txt", include_str!("../../puzzles/original/6x6.txt"));
    shell.kenga("watch ga.toml --set budget.evaluations=100000 --puzzle 6x6.txt");
    let screen = shell.wait("the run, or why there is none", |screen| {
        screen.contains("playing") || screen.contains("code=")
    });
    assert!(screen.contains("kenga watch"), "{screen}");
    shell.press(&["Space"]);
    let paused = generation(&shell.wait_for("paused at"));
    shell.press(&["."]);
    shell.wait("the next generation", |screen| generation(screen) == paused + 1);
    shell.press(&[">"]);
    shell.wait("ten on", |screen| generation(screen) == paused + 11);
    shell.press(&[","]);
    shell.wait("one back", |screen| generation(screen) == paused + 10);
    shell.press(&["Home"]);
    shell.wait("the start", |screen| generation(screen) == 0);
    shell.press(&["?"]);
    shell.wait_for("any key closes this");
    shell.press(&["x"]);
    shell.press(&["Tab"]);
    shell.wait("the cell", |screen| screen.contains("A1 in ") && screen.contains(": digit"));
    shell.press(&["End"]);
    shell.wait_for("ended at");
    shell.press(&["n"]);
    shell.wait_for("run 1 of 6");
    shell.press(&["q"]);
    assert_eq!(shell.ended(), "code=0");
}

#[test]
fn ctrl_c_and_a_signal_give_the_terminal_back() {
    let lab = Lab::new();
    let Some(shell) = Shell::start(&lab, "signals") else { return };
    shell.kenga("watch ga.toml");
    shell.wait_for("generation");
    shell.press(&["C-c"]);
    assert_eq!(shell.ended(), "code=130");
    shell.kenga("watch ga.toml --set seed=41");
    shell.wait_for("generation");
    let pid = Command::new("pgrep")
        .args(["-f", "watch ga.toml --set seed=41$"])
        .output()
        .expect("there is a pgrep");
    for pid in String::from_utf8_lossy(&pid.stdout).split_whitespace() {
        let command = fs::read_to_string(format!("/proc/{pid}/comm")).unwrap_or_default();
        if command.trim() == "kenga" {
            let status = Command::new("kill").args(["-TERM", pid]).status();
            assert!(status.expect("there is a kill").success());
        }
    }
    assert_eq!(shell.ended(), "code=143");
}

#[test]
fn a_folder_is_replayed_and_compared_with_what_it_records() {
    let lab = Lab::new();
    lab.run(&["--config", "islands.toml", "--out", "o"]);
    let Some(shell) = Shell::start(&lab, "folder") else { return };
    shell.kenga("watch o --run 2");
    shell.wait_for("run 2 of 6");
    shell.press(&["End"]);
    shell.wait_for("as recorded");
    shell.press(&["Escape"]);
    assert_eq!(shell.ended(), "code=0");
    let rows = fs::read_to_string(lab.path("o/runs.csv")).expect("rows");
    let changed = rows.replace("0,32,12,464", "0,32,13,464");
    assert_ne!(changed, rows);
    lab.write("o/runs.csv", changed);
    shell.kenga("watch o --run 2");
    shell.wait_for("run 2 of 6");
    shell.press(&["End"]);
    shell.wait_for("not as recorded: best_fitness 12, recorded 13");
    shell.press(&["q"]);
    assert_eq!(shell.ended(), "code=0");
}

#[test]
fn a_terminal_that_cannot_be_drawn_on_is_told_what_to_do_instead() {
    let lab = Lab::new();
    let ended = lab.kenga(&["watch", "ga.toml"]);
    assert_eq!(ended.code, 2);
    for words in ["needs a terminal", "kenga run", "kenga plot"] {
        assert!(ended.stderr.contains(words), "{}", ended.stderr);
    }
    let Some(shell) = Shell::start(&lab, "dumb") else { return };
    shell.line("export TERM=dumb");
    shell.kenga("watch ga.toml");
    shell.wait_for("TERM says this one");
    assert_eq!(shell.ended(), "code=2");
    shell.line("export TERM=screen");
    shell.kenga("watch ga.toml --run 6");
    shell.wait_for("there is no run 6 among 6 runs");
    assert_eq!(shell.ended(), "code=2");
}
