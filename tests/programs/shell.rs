//! A shell on a real terminal, that of tmux; without tmux tests say so and do nothing.

use std::fs;
use std::process::{Command, Output};
use std::time::Duration;

use crate::lab::Lab;

/// A shell in a terminal of tmux, on a server of its own.
pub struct Shell<'a> {
    lab: &'a Lab,
    socket: String,
}

impl<'a> Shell<'a> {
    /// A shell in the lab's folder; none where tmux is missing.
    pub fn start(lab: &'a Lab, name: &str) -> Option<Self> {
        if Command::new("tmux").arg("-V").output().is_err() {
            eprintln!("tmux is missing: nothing is tested on a terminal");
            return None;
        }
        let shell = Self { lab, socket: format!("kenga-{name}-{}", std::process::id()) };
        let folder = lab.path("").display().to_string();
        shell.tmux(&["new-session", "-d", "-x", "80", "-y", "24", "-c", &folder, "env", "PS1=ready ", "sh"]);
        Some(shell)
    }

    pub fn tmux(&self, args: &[&str]) -> Output {
        let mut command = Command::new("tmux");
        command.args(["-L", &self.socket, "-f", "/dev/null"]).args(args);
        command.env_remove("NO_COLOR").output().expect("there is a tmux")
    }

    /// Presses keys, by their names in tmux.
    pub fn press(&self, keys: &[&str]) {
        self.tmux(&[&["send-keys"], keys].concat());
    }

    /// Types a line.
    pub fn line(&self, text: &str) {
        self.tmux(&["send-keys", "-l", text]);
        self.press(&["Enter"]);
    }

    /// What it shows.
    pub fn screen(&self) -> String {
        String::from_utf8_lossy(&self.tmux(&["capture-pane", "-p"]).stdout).into_owned()
    }

    /// Waits until it shows what is wanted, however slow the machine is.
    pub fn wait(&self, what: &str, shows: impl Fn(&str) -> bool) -> String {
        for _ in 0..1200 {
            let screen = self.screen();
            if shows(&screen) {
                return screen;
            }
            std::thread::sleep(Duration::from_millis(50));
        }
        panic!("it never shows {what}:\n{}", self.screen());
    }

    pub fn wait_for(&self, words: &str) -> String {
        self.wait(words, |screen| screen.contains(words))
    }

    /// Runs `kenga` with words between two looks at the terminal's settings.
    pub fn kenga(&self, words: &str) {
        let kenga = env!("CARGO_BIN_EXE_kenga");
        self.line(&format!(
            "stty -a > before; {kenga} {words}; echo code=$? > code; stty -a > after; echo do''ne"
        ));
    }

    /// Ends the program with these words by SIGTERM.
    pub fn terminate(&self, words: &str) {
        let pid =
            Command::new("pgrep").args(["-f", &format!("{words}$")]).output().expect("there is a pgrep");
        for pid in String::from_utf8_lossy(&pid.stdout).split_whitespace() {
            let command = fs::read_to_string(format!("/proc/{pid}/comm")).unwrap_or_default();
            if command.trim() == "kenga" {
                let status = Command::new("kill").args(["-TERM", pid]).status();
                assert!(status.expect("there is a kill").success());
            }
        }
    }

    /// The exit code of that; the terminal is as it was.
    pub fn ended(&self) -> String {
        let screen = self.wait_for("done");
        let is_face = |line: &str| line.starts_with("kenga watch  ") || line.starts_with("kenga solve  ");
        assert!(!screen.lines().any(is_face), "the screen is that of the shell again:\n{screen}");
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
