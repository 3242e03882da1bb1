//! The processes that a program has started, also those in process groups and sessions of their own.
//!
//! Each program is started with a mark in its environment, which the processes that it starts inherit. Linux tells the
//! environments and the parents of a user's processes; elsewhere only the process group of a program is known.

use std::process::Command;
use std::sync::atomic::{AtomicU64, Ordering};

/// The variable of the mark.
const VARIABLE: &str = "KENGA_PROGRAM";

/// A name in the environment of one program and of what it starts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct ProcessMark(String);

impl ProcessMark {
    /// A mark that no other program of this machine has.
    pub(crate) fn new() -> Self {
        static NEXT: AtomicU64 = AtomicU64::new(0);
        Self(format!("{}-{}", name_of_kenga(), NEXT.fetch_add(1, Ordering::Relaxed)))
    }

    /// The mark that a guardian is told of.
    pub(crate) fn read(text: &str) -> Self {
        Self(text.to_owned())
    }

    pub(crate) fn text(&self) -> &str {
        &self.0
    }

    pub(crate) fn set(&self, command: &mut Command) {
        command.env(VARIABLE, &self.0);
    }
}

/// The number of this process, with its name space and its start: containers have numbers of their own, and numbers return.
fn name_of_kenga() -> String {
    let space = std::fs::read_link("/proc/self/ns/pid").unwrap_or_default();
    let stat = std::fs::read_to_string("/proc/self/stat").unwrap_or_default();
    // The start is the 20th field behind the name in brackets.
    let start =
        stat.rsplit_once(')').and_then(|(_, rest)| rest.split_whitespace().nth(19)).unwrap_or_default();
    format!("{}-{}-{start}", space.display(), std::process::id())
}

/// Kills the processes that a program has started, and the program itself where it still runs.
#[cfg(target_os = "linux")]
pub(crate) fn kill_descendants(program: u32, mark: &ProcessMark) {
    /// Rounds at most: a process may start another while it is killed.
    const ROUNDS: usize = 50;
    let mut tree = std::collections::BTreeSet::from([program]);
    for _ in 0..ROUNDS {
        if !linux::kill_round(&mut tree, &format!("{VARIABLE}={}", mark.text())) {
            return;
        }
        std::thread::sleep(std::time::Duration::from_millis(1));
    }
}

#[cfg(not(target_os = "linux"))]
pub(crate) fn kill_descendants(_program: u32, _mark: &ProcessMark) {}

#[cfg(target_os = "linux")]
mod linux {
    use std::collections::BTreeSet;
    use std::fs;

    use rustix::process::{Pid, PidfdFlags, Signal, pidfd_open, pidfd_send_signal};

    /// Kills each process that has the entry in its environment or a parent in the tree, which then holds it too; says
    /// whether there was one.
    pub(super) fn kill_round(tree: &mut BTreeSet<u32>, entry: &str) -> bool {
        let mut has_killed = false;
        for id in process_ids() {
            if !belongs(id, tree, entry) {
                continue;
            }
            let Some(pid) = i32::try_from(id).ok().and_then(Pid::from_raw) else { continue };
            let Ok(process) = pidfd_open(pid, PidfdFlags::empty()) else { continue };
            // Once more: the number may have become another's before the process was opened.
            if belongs(id, tree, entry) {
                tree.insert(id);
                has_killed |= pidfd_send_signal(&process, Signal::KILL).is_ok();
            }
        }
        has_killed
    }

    fn process_ids() -> Vec<u32> {
        let Ok(entries) = fs::read_dir("/proc") else { return Vec::new() };
        entries.filter_map(|entry| entry.ok()?.file_name().to_str()?.parse().ok()).collect()
    }

    fn belongs(id: u32, tree: &BTreeSet<u32>, entry: &str) -> bool {
        let Ok(stat) = fs::read_to_string(format!("/proc/{id}/stat")) else { return false };
        // The name, in brackets, may hold anything; the state and the parent follow.
        let mut fields = stat.rsplit_once(')').map_or("", |(_, rest)| rest).split_whitespace();
        if matches!(fields.next(), None | Some("Z" | "X")) {
            return false;
        }
        if fields.next().and_then(|parent| parent.parse().ok()).is_some_and(|parent| tree.contains(&parent)) {
            return true;
        }
        let environment = fs::read(format!("/proc/{id}/environ")).unwrap_or_default();
        environment.split(|byte| *byte == 0).any(|variable| variable == entry.as_bytes())
    }
}
