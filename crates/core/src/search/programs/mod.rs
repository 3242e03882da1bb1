//! The programs of an experiment: where they are started, those that wait for another run, and the guardian, a process
//! that kills the groups that are left when kenga itself was killed.

mod process;

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::io::{self, BufRead, Write};
use std::path::{Path, PathBuf};
use std::process::{ChildStdin, Command, Stdio};
use std::sync::{Mutex, MutexGuard, PoisonError};

use crate::budget::{Clock, SLACK_S};
use crate::processes::{ProcessMark, kill_descendants};
use crate::text::printable;
pub(in crate::search) use process::{LONGEST_LINE, Process, Silence};
use process::{group_of_its_own, kill_group};

/// The longest reason of a failure, in characters.
const LONGEST_REASON: usize = 200;

/// The longest part of a line that is quoted, and of a word of a command.
const LONGEST_QUOTE: usize = 60;
const LONGEST_WORD: usize = 24;

/// The processes that stand in for algorithms in one experiment: where they are started, and those that wait for another
/// run.
#[derive(Default)]
pub struct Programs {
    /// Where they are started; the current folder where it is absent.
    folder: Option<PathBuf>,
    /// The command that starts a guardian; none where it is empty.
    guardian: Vec<OsString>,
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    /// Processes that wait for another run, with their commands.
    idle: Vec<(Vec<String>, Process)>,
    /// Where the guardian listens, once it was started.
    guardian: Option<ChildStdin>,
}

/// The most CPUs of one machine: those that a Linux kernel can be built for. A program may compute on another machine, and a
/// run that fails here has to fail everywhere, so that the CPUs of this one do not count.
const MOST_CPUS: f64 = 8192.0;

/// Checks that the wall time of a run allows the CPU time that a program tells of, with further seconds that count for the
/// same run.
///
/// # Errors
/// A sentence about the program. The time of the clock is left out, so that a repeated run fails for the same reason.
pub(in crate::search) fn check_told_cpu(clock: &Clock, told_s: f64, further_s: f64) -> Result<(), String> {
    if told_s + further_s <= (clock.wall_s() + SLACK_S) * MOST_CPUS {
        return Ok(());
    }
    Err(format!("it sent a `cpu_s` of {told_s:?}: the run is too short for so many seconds of CPU time"))
}

impl Programs {
    /// Programs that are started in a folder, and killed by the guardian that a command starts: a program that passes its
    /// standard input to [`run_guardian`].
    pub fn new(folder: Option<PathBuf>, guardian: Vec<OsString>) -> Self {
        Self { folder, guardian, state: Mutex::default() }
    }

    /// A process that runs a command: one that waits, or a new one.
    pub(in crate::search) fn take(&self, command: &[String]) -> io::Result<Process> {
        while let Some(mut process) = self.take_idle(command) {
            if process.is_ready() {
                return Ok(process);
            }
            self.kill(process);
        }
        self.start(command)
    }

    /// A new process that runs a command.
    pub(in crate::search) fn start(&self, command: &[String]) -> io::Result<Process> {
        // The guardian is there before the program, which else outlives a kenga that is killed between the two.
        self.tell("");
        let process = Process::start(command, self.folder.as_deref())?;
        self.tell(&format!("+{} {}\n", process.child.id(), process.mark.text()));
        Ok(process)
    }

    fn take_idle(&self, command: &[String]) -> Option<Process> {
        let idle = &mut self.lock().idle;
        let place = idle.iter().position(|(idle, _)| idle == command)?;
        Some(idle.swap_remove(place).1)
    }

    /// Lets a process wait for another run.
    pub(in crate::search) fn keep(&self, command: &[String], mut process: Process) {
        process.is_used = true;
        self.lock().idle.push((command.to_vec(), process));
    }

    /// Kills a process and all that it has started; the CPU time since it was asked for last is returned, in seconds.
    pub(in crate::search) fn kill(&self, mut process: Process) -> f64 {
        process.kill();
        self.tell(&format!("-{}\n", process.child.id()));
        process.cpu_s()
    }

    /// Tells the guardian, which the first call starts. Without one, children that outlive a killed kenga end when they
    /// read.
    fn tell(&self, line: &str) {
        let mut state = self.lock();
        if state.guardian.is_none()
            && let Some((program, arguments)) = self.guardian.split_first()
        {
            let mut command = Command::new(program);
            command.args(arguments).stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::null());
            state.guardian =
                group_of_its_own(&mut command).spawn().ok().and_then(|mut child| child.stdin.take());
        }
        if let Some(guardian) = &mut state.guardian {
            // A guardian that is gone cannot be helped.
            let _ = guardian.write_all(line.as_bytes());
        }
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Programs {
    fn drop(&mut self) {
        let idle = std::mem::take(&mut self.lock().idle);
        for (_, process) in idle {
            self.kill(process);
        }
    }
}

/// Reads which programs begin (`+ID MARK`: the process group, and the mark of what the program starts) and end (`-ID`), a
/// line each, and kills those that are left when the input ends: when who wrote it is gone.
pub fn run_guardian(input: impl BufRead) {
    let mut programs = BTreeMap::new();
    for line in input.lines().map_while(Result::ok) {
        let (id, mark) = line.split_once(' ').unwrap_or((&line, ""));
        if let Some(id) = id.strip_prefix('-').and_then(|id| id.parse::<u32>().ok()) {
            programs.remove(&id);
        } else if let Some(id) = id.strip_prefix('+').and_then(|id| id.parse::<u32>().ok()) {
            programs.insert(id, ProcessMark::read(mark));
        }
    }
    // Only now: while kenga lives it kills them itself.
    for (id, mark) in programs {
        kill_descendants(id, &mark);
        kill_group(id);
    }
}

/// The beginning of a line of the program's, to be quoted in an error.
pub(in crate::search) fn beginning_of(line: &[u8]) -> String {
    let text = String::from_utf8_lossy(line);
    let text = text.trim_end();
    match text.char_indices().nth(LONGEST_QUOTE) {
        Some((end, _)) => format!("`{}…`", &text[..end]),
        None => format!("`{text}`"),
    }
}

/// What is wrong with a line that is no message at all, such as what a forgotten `print` writes; `None` for one that looks like
/// a message.
pub(in crate::search) fn stray_print(command: &[String], line: &[u8]) -> Option<String> {
    let text = line.trim_ascii();
    if text.starts_with(b"{\"") || text == b"{}" {
        return None;
    }
    let what = if text.is_empty() { "an empty line".to_owned() } else { beginning_of(line) };
    Some(format!(
        "`{}` wrote {what} to standard output, which belongs to the protocol: print to standard error",
        spoken(command)
    ))
}

/// The reason of a run that failed because its program sent a line without being asked.
pub(in crate::search) fn unasked(command: &[String], line: &[u8]) -> String {
    let sent = || format!("it sent {} before it was asked", beginning_of(line));
    stray_print(command, line).unwrap_or_else(sent)
}

/// A command in a sentence: the program and its first argument, without folders.
fn spoken(command: &[String]) -> String {
    let mut words = Vec::new();
    for word in command.iter().take(2) {
        let name = Path::new(word).file_name().map_or(word.as_str().into(), |name| name.to_string_lossy());
        words.push(name.chars().take(LONGEST_WORD).collect::<String>());
    }
    words.join(" ")
}

/// A sentence on one line that may quote the program.
pub(in crate::search) fn in_short(reason: &str) -> String {
    let mut short = String::new();
    for character in reason.chars().take(LONGEST_REASON) {
        short.push(if character.is_control() { char::REPLACEMENT_CHARACTER } else { character });
    }
    let rest = if reason.chars().nth(LONGEST_REASON).is_some() { "…" } else { "" };
    printable(&short).into_owned() + rest
}

/// Lines of the program's that no terminal takes for a command.
pub(in crate::search) fn in_lines(stderr: &str) -> String {
    printable(&stderr.replace("\r\n", "\n")).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_printed_is_told_from_a_message() {
        let told =
            |line: &str| stray_print(&["python3".to_owned(), "/lab/ga.py".to_owned()], line.as_bytes());
        let printed = |what: &str| {
            Some(format!(
                "`python3 ga.py` wrote {what} to standard output, which belongs to the protocol: print to standard error"
            ))
        };
        assert_eq!(told("generation 3\r\n"), printed("`generation 3`"));
        assert_eq!(told("[[1, 2]]\n"), printed("`[[1, 2]]`"));
        assert_eq!(told("{'evaluate': 1}\n"), printed("`{'evaluate': 1}`"), "Python's, not JSON");
        assert_eq!(told(" \n"), printed("an empty line"));
        for message in ["{}", "{\"evaluate\":[[1,2", " {\"evaluat\":[]}\n"] {
            assert_eq!(told(message), None, "{message}");
        }
        let long = stray_print(&vec!["x".repeat(999); 3], "é".repeat(999).as_bytes()).expect("printed");
        assert!(long.chars().count() <= LONGEST_REASON && long.contains("é…`"), "{long}");
    }
}
