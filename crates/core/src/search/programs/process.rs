//! A child process: lines to it, lines from it, the end of what it writes to standard error, and its death.
//!
//! On Unix each child leads a process group of its own, which is killed as a whole; on Linux all that it has started is.

use std::io::{self, BufRead, BufReader, Read, Write};
use std::path::Path;
use std::process::{Command, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, TryRecvError, TrySendError, sync_channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::Duration;

use crate::budget::{Clock, Guard, process_cpu_s};
use crate::processes::{ProcessMark, kill_descendants};

/// The longest line that a program may send, in bytes.
pub(in crate::search) const LONGEST_LINE: u64 = 64 << 20;

/// How much of standard error is kept: the last bytes.
const STDERR_BYTES: usize = 4096;

/// Between two looks at what can end a wait.
const SLICE: Duration = Duration::from_millis(20);

/// How long a program may take to end once its run is over, in seconds.
const GRACE_S: f64 = 5.0;

/// How long to wait for the rest of what an ended program has written, in seconds: a process that has left its group may
/// hold the pipe open.
const REST_S: f64 = 1.0;

/// Lines that may lie unread by the child before it is said to read nothing.
const UNREAD: usize = 64;

/// A child process.
pub(in crate::search) struct Process {
    pub(in crate::search) child: std::process::Child,
    /// In the environment of the child and of what it starts.
    pub(in crate::search) mark: ProcessMark,
    requests: Receiver<OutputLine>,
    /// A second handle of its output, which tells whether there are bytes that nobody has read.
    #[cfg(unix)]
    output: std::os::fd::OwnedFd,
    /// More bytes came with the line that was read last.
    is_followed: bool,
    /// To the thread that writes; absent once the child's input is closed.
    replies: Option<SyncSender<Vec<u8>>>,
    stderr: Arc<Mutex<Vec<u8>>>,
    stderr_has_ended: Receiver<()>,
    /// Seconds of CPU time that it had used when somebody looked last.
    used_s: f64,
    /// Of those, the seconds that are counted.
    counted_s: f64,
    /// Somebody has waited for the child.
    is_gone: bool,
    /// It has had a run before.
    pub(in crate::search) is_used: bool,
}

/// What the reading thread has read.
enum OutputLine {
    Text { line: Vec<u8>, is_followed: bool },
    TooLong,
}

/// Why no line came.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::search) enum Silence {
    /// The guard cut the wait.
    Cut,
    /// The time is up.
    Timeout,
    /// The output has ended.
    Ended,
    /// The line is longer than [`LONGEST_LINE`].
    TooLong,
}

impl Process {
    pub(in crate::search) fn start(command: &[String], folder: Option<&Path>) -> io::Result<Self> {
        let (program, arguments) = command.split_first().ok_or(io::ErrorKind::InvalidInput)?;
        let folder = folder.filter(|folder| !folder.as_os_str().is_empty());
        let folder = folder.map(Path::canonicalize).transpose()?;
        let mut starts = match &folder {
            // A path is one from the folder, whatever the system makes of it.
            Some(folder) if Path::new(program).components().count() > 1 => Command::new(folder.join(program)),
            _ => Command::new(program),
        };
        if let Some(folder) = folder {
            starts.current_dir(folder);
        }
        starts.args(arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mark = ProcessMark::new();
        mark.set(&mut starts);
        let mut child = group_of_its_own(&mut starts).spawn()?;
        let (stdin, stdout, stderr) = (child.stdin.take(), child.stdout.take(), child.stderr.take());
        let (Some(stdin), Some(stdout), Some(stderr)) = (stdin, stdout, stderr) else {
            unreachable!("all three are pipes")
        };
        #[cfg(unix)]
        let output = std::os::fd::AsFd::as_fd(&stdout).try_clone_to_owned()?;
        let (replies, to_write) = sync_channel::<Vec<u8>>(UNREAD);
        let (read, requests) = sync_channel(1);
        let (stderr_ends, stderr_has_ended) = sync_channel::<()>(0);
        let last = Arc::new(Mutex::new(Vec::new()));
        let kept = Arc::clone(&last);
        let mut process = Self {
            child,
            mark,
            requests,
            #[cfg(unix)]
            output,
            is_followed: false,
            replies: Some(replies),
            stderr: last,
            stderr_has_ended,
            used_s: 0.0,
            counted_s: 0.0,
            is_gone: false,
            is_used: false,
        };
        // A thread for each pipe: a program that writes while nobody reads would stop.
        let threads: [Box<dyn FnOnce() + Send>; 3] = [
            Box::new(move || write_lines(stdin, to_write)),
            Box::new(move || read_lines(stdout, &read)),
            Box::new(move || {
                keep_last(stderr, &kept);
                drop(stderr_ends);
            }),
        ];
        for work in threads {
            if let Err(error) = thread::Builder::new().spawn(work) {
                process.kill();
                return Err(error);
            }
        }
        Ok(process)
    }

    /// It waits for another run: it lives, and has said nothing that nobody asked for. What it wrote to standard error so
    /// far is that of other runs.
    pub(in crate::search) fn is_ready(&mut self) -> bool {
        self.stderr.lock().unwrap_or_else(PoisonError::into_inner).clear();
        let is_silent = !self.is_followed && matches!(self.requests.try_recv(), Err(TryRecvError::Empty));
        is_silent && !has_ended(&mut self.child)
    }

    /// A line that the child has sent before it was asked for one, if there is one by now.
    pub(in crate::search) fn unasked(&mut self) -> Option<Vec<u8>> {
        let wait_s = if self.is_followed || self.has_unread_bytes() { REST_S } else { 0.0 };
        match self.requests.recv_timeout(Duration::from_secs_f64(wait_s)) {
            Ok(OutputLine::Text { line, .. }) => Some(line),
            // The next wait for a line says so.
            Ok(OutputLine::TooLong) | Err(_) => None,
        }
    }

    /// Whether the pipe holds bytes that the reading thread has not taken yet.
    #[cfg(unix)]
    fn has_unread_bytes(&self) -> bool {
        rustix::io::ioctl_fionread(&self.output).is_ok_and(|bytes| bytes > 0)
    }

    #[cfg(not(unix))]
    fn has_unread_bytes(&self) -> bool {
        false
    }

    /// Waits for a line.
    pub(in crate::search) fn line(&mut self, guard: &mut Guard, timeout_s: f64) -> Result<Vec<u8>, Silence> {
        let (clock, mut end) = (Clock::start(), None::<Clock>);
        loop {
            match self.requests.recv_timeout(SLICE) {
                Ok(OutputLine::Text { line, is_followed }) => {
                    self.is_followed = is_followed;
                    return Ok(line);
                }
                Ok(OutputLine::TooLong) => return Err(Silence::TooLong),
                Err(RecvTimeoutError::Disconnected) => return Err(Silence::Ended),
                Err(RecvTimeoutError::Timeout) if guard.cuts() => return Err(Silence::Cut),
                Err(RecvTimeoutError::Timeout) => match &end {
                    Some(end) if end.past(Some(REST_S)) => return Err(Silence::Ended),
                    Some(_) => {}
                    None if has_ended(&mut self.child) => {
                        // What the child has started may hold its output open.
                        self.kill_group();
                        end = Some(Clock::start());
                    }
                    None if clock.past(Some(timeout_s)) => return Err(Silence::Timeout),
                    None => {}
                },
            }
        }
    }

    /// Hands a line over to be written. A child that is gone is found out by the next wait for a line.
    pub(in crate::search) fn send(
        &self,
        line: Vec<u8>,
        guard: &mut Guard,
        timeout_s: f64,
    ) -> Result<(), Silence> {
        let (clock, mut line) = (Clock::start(), line);
        let Some(replies) = &self.replies else { return Ok(()) };
        loop {
            match replies.try_send(line) {
                Ok(()) | Err(TrySendError::Disconnected(_)) => return Ok(()),
                Err(TrySendError::Full(_)) if guard.cuts() => return Err(Silence::Cut),
                Err(TrySendError::Full(_)) if clock.past(Some(timeout_s)) => return Err(Silence::Timeout),
                Err(TrySendError::Full(back)) => line = back,
            }
            thread::sleep(SLICE);
        }
    }

    /// Closes the child's input and waits, not for ever, until it has ended; how it ended is returned, if it has.
    pub(in crate::search) fn finish(&mut self, guard: &mut Guard) -> Option<ExitStatus> {
        self.replies = None;
        let (clock, mut pause) = (Clock::start(), Duration::from_micros(200));
        while !has_ended(&mut self.child) {
            if guard.cuts() || clock.past(Some(GRACE_S)) {
                return None;
            }
            // What it still writes is read, so that it can end.
            if let Err(RecvTimeoutError::Disconnected) = self.requests.recv_timeout(pause) {
                thread::sleep(pause);
            }
            pause = (pause * 2).min(SLICE);
        }
        self.look_at_cpu();
        // What it has started and left behind.
        self.kill_group();
        self.is_gone = true;
        self.child.wait().ok()
    }

    /// Kills the child and its children.
    pub(in crate::search) fn kill(&mut self) {
        self.look_at_cpu();
        self.kill_group();
        self.is_gone = true;
        // It was killed with its group; elsewhere it is killed here.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }

    /// Kills what is left of the group, whose number may be another's once somebody has waited for the child, and what the
    /// child has started outside it.
    fn kill_group(&self) {
        if !self.is_gone {
            // First, while the child still is the parent of what it has started.
            kill_descendants(self.child.id(), &self.mark);
            kill_group(self.child.id());
        }
    }

    /// Seconds of CPU time that the child has used since the last call; 0 where the system does not say.
    pub(in crate::search) fn cpu_s(&mut self) -> f64 {
        self.look_at_cpu();
        let since = self.used_s - self.counted_s;
        self.counted_s = self.used_s;
        since
    }

    fn look_at_cpu(&mut self) {
        self.used_s = process_cpu_s(self.child.id()).unwrap_or(self.used_s).max(self.used_s);
    }

    /// Kills the child and its children; the last lines of standard error, as text.
    pub(in crate::search) fn last_words(&mut self) -> String {
        self.kill();
        let _ = self.stderr_has_ended.recv_timeout(Duration::from_secs_f64(REST_S));
        let bytes = self.stderr.lock().unwrap_or_else(PoisonError::into_inner);
        let text = String::from_utf8_lossy(&bytes);
        // The first line is cut where more was written.
        let whole = match text.split_once('\n') {
            Some((_, rest)) if bytes.len() >= STDERR_BYTES => rest,
            _ => &text,
        };
        whole.trim_end().to_owned()
    }
}

/// Writes lines until there are no more, or nobody reads.
fn write_lines(mut input: impl Write, lines: Receiver<Vec<u8>>) {
    for line in lines {
        if input.write_all(&line).and_then(|()| input.flush()).is_err() {
            return;
        }
    }
}

fn read_lines(output: impl Read, read: &SyncSender<OutputLine>) {
    let mut output = BufReader::with_capacity(1 << 16, output);
    loop {
        let mut line = Vec::new();
        // One byte beyond the limit tells a line that is too long from one that just fits; nothing after it can
        // be understood.
        let length = output.by_ref().take(LONGEST_LINE + 1).read_until(b'\n', &mut line);
        let line = match length {
            Err(_) | Ok(0) => return,
            Ok(_) if line.len() as u64 > LONGEST_LINE => OutputLine::TooLong,
            Ok(_) => OutputLine::Text { line, is_followed: !output.buffer().is_empty() },
        };
        let is_last = matches!(line, OutputLine::TooLong);
        if read.send(line).is_err() || is_last {
            return;
        }
    }
}

/// Reads to the end and keeps the last bytes.
fn keep_last(mut output: impl Read, last: &Mutex<Vec<u8>>) {
    let mut buffer = [0; 4096];
    while let Ok(count @ 1..) = output.read(&mut buffer) {
        let mut last = last.lock().unwrap_or_else(PoisonError::into_inner);
        last.extend_from_slice(&buffer[..count]);
        let over = last.len().saturating_sub(STDERR_BYTES);
        last.drain(..over);
    }
}

#[cfg(unix)]
pub(in crate::search) fn group_of_its_own(command: &mut Command) -> &mut Command {
    std::os::unix::process::CommandExt::process_group(command, 0)
}

#[cfg(not(unix))]
pub(in crate::search) fn group_of_its_own(command: &mut Command) -> &mut Command {
    command
}

#[cfg(unix)]
pub(in crate::search) fn kill_group(id: u32) {
    use rustix::process::{Pid, Signal, kill_process_group};
    if let Some(group) = i32::try_from(id).ok().and_then(Pid::from_raw) {
        // A group that is gone needs no kill.
        let _ = kill_process_group(group, Signal::KILL);
    }
}

#[cfg(not(unix))]
pub(in crate::search) fn kill_group(_id: u32) {}

/// The child has ended; until somebody waits for it, its group keeps its number.
#[cfg(unix)]
fn has_ended(child: &mut std::process::Child) -> bool {
    use rustix::process::{Pid, WaitId, WaitIdOptions, waitid};
    let Some(id) = i32::try_from(child.id()).ok().and_then(Pid::from_raw) else { return true };
    let look = WaitIdOptions::EXITED | WaitIdOptions::NOHANG | WaitIdOptions::NOWAIT;
    !matches!(waitid(WaitId::Pid(id), look), Ok(None))
}

#[cfg(not(unix))]
fn has_ended(child: &mut std::process::Child) -> bool {
    !matches!(child.try_wait(), Ok(None))
}
