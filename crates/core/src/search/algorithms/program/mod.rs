//! An external program used as the algorithm, in any language.
//!
//! ```text
//! start the program; greet it with the puzzle, the encoding, the budget and a seed
//! repeat
//!     read a request
//!     evaluate its genomes, as far as the budget reaches, or log its population
//!     answer
//! until solved or the budget is spent, or the program breaks the protocol, falls silent or ends
//! ```
//!
//! The protocol is JSON lines over the program's standard streams; `docs/protocol.md` describes it. A program that does
//! not keep to it fails the run, and no other.
//!
//! Source: to measure any algorithm through one interface is the idea of COCO: N. Hansen, A. Auger, R. Ros,
//! O. Mersmann, T. Tušar, D. Brockhoff 2021, doi:10.1080/10556788.2020.1808977.

mod genomes;
mod protocol;

use std::io;
use std::sync::Arc;

use crate::budget::{Clock, Guard, Spent, StopReason};
use crate::search::encodings::{ENCODINGS, EncodingError, encode};
use crate::search::programs::{
    LONGEST_LINE, Process, Silence, check_told_cpu, in_lines, in_short, stray_print, unasked,
};
use crate::search::{Algorithm, Closure, Failure, Observer, Population, RunDetails, RunStatus, Task};
use crate::spec::{Builder, DefaultValue, Member, Param, ParamKind, Spec, SpecError};

use super::session::Session;
use super::{Features, Maker, Recipe};
use protocol::{Ask, ProgramRequest, evaluated, greeting, logged, reported_cost, stopped, wrong};

/// The parameter of a program that says what its runs cost.
pub const REPORTS_COST: &str = "reports_cost";

const CLOSURES: &[&str] = &["open", "genes", "digits"];

pub(super) static ENTRY: Builder<Maker> = Member::new("program")
    .about("a program of your own, in any language: it asks for fitness over its standard streams")
    .source("after COCO: N. Hansen, A. Auger, R. Ros, O. Mersmann, T. Tušar, D. Brockhoff 2021, doi:10.1080/10556788.2020.1808977")
    .params(&[
        Param::required("command", ParamKind::Texts)
            .about("the program and its arguments, started in the folder of the configuration, without a shell"),
        Param::member("encoding", &ENCODINGS, "cells").about("how a genome represents a grid"),
        Param::new("options", ParamKind::Table, DefaultValue::Section)
            .about("any keys, sent to the program in the greeting"),
        Param::flag("reuse", false).about("whether one process takes several runs, one after the other"),
        Param::real("timeout", 0.001..=1e9, 60.0).about("seconds without a request that fail the run"),
        Param::flag(REPORTS_COST, false)
            .about("whether the program says at the end of a run what it has cost, for `kenga tune` and `kenga compare`"),
        Param::choice("closure", CLOSURES, "open").about(
            "what its operators can make of a population, for finding dead runs: any digits (`open`), each gene from the \
             same gene of an individual (`genes`), or each digit from any gene of an individual (`digits`)",
        ),
    ])
    .build(|spec| {
        if spec.texts("command").first().is_none_or(String::is_empty) {
            return Err(SpecError::Conflict {
                message: "`command` is empty".to_owned(),
                help: "name the program and its arguments, such as [\"python3\", \"my_ga.py\"]".to_owned(),
                place: spec.entry("command").map_or(spec.place, |named| named.place),
            });
        }
        Ok(Box::new(ProgramRecipe { spec: spec.clone() }))
    });

struct ProgramRecipe {
    spec: Spec,
}

impl Recipe for ProgramRecipe {
    fn spends(&self) -> Vec<StopReason> {
        vec![StopReason::Evaluations]
    }

    fn features(&self) -> Features {
        Features { can_fail: true, ..Features::default() }
    }

    fn start(&self, task: &Task) -> Result<Box<dyn Algorithm>, EncodingError> {
        let encoding = encode(&self.spec, &task.fitness)?;
        let space = encoding.space();
        let genes = Closure::takes_genes(space.genes());
        let closure = match self.spec.text("closure") {
            "genes" => Some(genes),
            "digits" => Some(genes.and(&Closure::moves(space.genes(), &space.segments))),
            _ => None,
        };
        Ok(Box::new(ProgramRun {
            session: Session::new(encoding, closure, task),
            guard: task.guard.clone(),
            task: task.clone(),
            command: self.spec.texts("command"),
            timeout_s: self.spec.real("timeout"),
            spec: self.spec.clone(),
            process: None,
            failure: None,
            clock: Clock::start(),
            cpu_s: 0.0,
            told_cpu_s: 0.0,
            cost: None,
        }))
    }
}

/// A run of a program.
struct ProgramRun {
    session: Session,
    guard: Guard,
    task: Task,
    spec: Spec,
    command: Vec<String>,
    timeout_s: f64,
    /// The process, while the run goes on.
    process: Option<Process>,
    failure: Option<Failure>,
    /// Since the start of the run.
    clock: Clock,
    /// Seconds of CPU time of its processes.
    cpu_s: f64,
    /// Seconds of CPU time elsewhere, as the program tells.
    told_cpu_s: f64,
    /// What the run has cost, as the program reports at its end.
    cost: Option<f64>,
}

impl ProgramRun {
    /// Greets the program, which has been started.
    fn greet(&mut self, started: io::Result<Process>) -> Result<(), String> {
        let process = started.map_err(|error| format!("`{}` cannot be started: {error}", self.command[0]))?;
        let process = self.process.insert(process);
        let text = greeting(&self.task, &self.session, &self.spec);
        match process.send(text, &mut self.guard, self.timeout_s) {
            Ok(()) => Ok(()),
            Err(silence) => self.excuse(silence, "read nothing"),
        }
    }

    /// Answers requests until a population is logged or the run has ended; what the program does wrong is an error.
    fn serve(&mut self, observer: &mut dyn Observer) -> Result<(), String> {
        while self.session.ended().is_none() {
            let process = self.process.as_mut().expect("it was started");
            let line = process.line(&mut self.guard, self.timeout_s);
            // It was ready when it was taken; what it did in between is about its last run.
            if process.is_used && self.is_of_another_run(&line) {
                self.start_anew()?;
                continue;
            }
            let text = match line {
                Ok(text) => text,
                Err(Silence::Ended) => return self.end(),
                Err(silence) => return self.excuse(silence, "sent nothing"),
            };
            let (answer, is_generation) = self.answer(&text, observer)?;
            let process = self.process.as_mut().expect("it was started");
            // From its first answer on, whatever it does wrong is about this run.
            process.is_used = false;
            if let Some(line) = process.unasked() {
                return Err(unasked(&self.command, &line));
            }
            if let Err(silence) = process.send(answer, &mut self.guard, self.timeout_s) {
                return self.excuse(silence, "read nothing");
            }
            if is_generation {
                break;
            }
        }
        Ok(())
    }

    /// The first line of a process that has had other runs says that it did not wait for this one: it has ended, or sent
    /// what is no request.
    fn is_of_another_run(&self, line: &Result<Vec<u8>, Silence>) -> bool {
        match line {
            Ok(text) => ProgramRequest::read(text, self.session.space().genes()).is_err(),
            Err(silence) => *silence == Silence::Ended,
        }
    }

    /// Lets a new process begin the run.
    fn start_anew(&mut self) -> Result<(), String> {
        let programs = Arc::clone(&self.task.programs);
        if let Some(process) = self.process.take() {
            self.cpu_s += programs.kill(process);
        }
        self.greet(programs.start(&self.command))
    }

    /// The answer to a request, and whether that completes a generation.
    fn answer(&mut self, text: &[u8], observer: &mut dyn Observer) -> Result<(Vec<u8>, bool), String> {
        let request = ProgramRequest::read(text, self.session.space().genes())
            .map_err(|why| stray_print(&self.command, text).unwrap_or(why))?;
        if let Some(told_s) = request.cpu_s {
            self.check_cpu_s(told_s)?;
            self.told_cpu_s = told_s;
        }
        match request.ask {
            Ask::Evaluate { digits, with_terms } => {
                let answer = evaluated(&self.session.evaluate(&digits, with_terms).map_err(wrong)?);
                observer.passed(self.session.spent(), self.session.best().fitness);
                Ok((answer, false))
            }
            Ask::Log { digits } => {
                let generation = self.session.show(&digits, observer).map_err(wrong)?;
                Ok((logged(generation, self.session.stopped()), true))
            }
            // A run has a best individual, and this one would have none.
            Ask::Stop if self.session.spent().evaluations == 0 => {
                Err("it stopped without an evaluation".to_owned())
            }
            Ask::Stop => {
                self.session.stop(StopReason::Stalled);
                Ok((stopped(StopReason::Stalled), false))
            }
        }
    }

    /// Checks that the clock allows the CPU time that the program tells of, with the time that kenga has measured, which is
    /// part of the same number in `timing.csv`.
    fn check_cpu_s(&mut self, told_s: f64) -> Result<(), String> {
        if let Some(process) = &mut self.process {
            self.cpu_s += process.cpu_s();
        }
        check_told_cpu(&self.clock, told_s, self.cpu_s + self.clock.cpu_s())
    }

    /// What the end of the output means: a program that has evaluated something and ends well has given up.
    fn end(&mut self) -> Result<(), String> {
        let process = self.process.as_mut().expect("it was started");
        let status = process.finish(&mut self.guard);
        if self.guard.has_cut() {
            return Ok(());
        }
        let Some(status) = status else { return Err("it closed its standard output".to_owned()) };
        if !status.success() || self.session.spent().evaluations == 0 {
            return Err(format!("it ended before the run did: {status}"));
        }
        self.session.stop(StopReason::Stalled);
        Ok(())
    }

    /// Reads what the run has cost, which a program that reports it sends after the last answer.
    fn take_cost(&mut self) -> Result<(), String> {
        let process = self.process.as_mut().expect("it was started");
        match process.line(&mut self.guard, self.timeout_s) {
            Ok(text) => self.cost = Some(reported_cost(&text)?),
            Err(Silence::Cut) => {}
            Err(Silence::Ended) => return Err("it ended without the `cost` of the run".to_owned()),
            Err(silence) => return self.excuse(silence, "sent no `cost`"),
        }
        Ok(())
    }

    /// What a wait without a line means; `does` says what the program did instead.
    fn excuse(&self, silence: Silence, does: &str) -> Result<(), String> {
        match silence {
            Silence::Cut | Silence::Ended => Ok(()),
            Silence::Timeout => Err(format!("it {does} for {} s", self.timeout_s)),
            Silence::TooLong => Err(format!("it sent a line of more than {} MiB", LONGEST_LINE >> 20)),
        }
    }

    /// Ends the run for what the program did.
    fn fail(&mut self, reason: String) {
        let stderr = self.process.as_mut().map_or(String::new(), Process::last_words);
        self.failure = Some(Failure { reason: in_short(&reason), stderr: in_lines(&stderr) });
    }

    /// Why the run is over, if it is.
    fn stopped(&self) -> Option<StopReason> {
        if self.failure.is_some() {
            return Some(StopReason::Failed);
        }
        self.session.stopped()
    }

    /// Lets the process go once the run is over: it waits for the next one, ends, or is killed.
    fn dismiss(&mut self) {
        let Some(mut process) = self.process.take() else { return };
        // One that failed, or was cut in the middle of a request, cannot be trusted with another run.
        let is_well = self.failure.is_none() && !self.guard.has_cut();
        let programs = &self.task.programs;
        if is_well && self.spec.flag("reuse") {
            self.cpu_s += process.cpu_s();
            programs.keep(&self.command, process);
        } else {
            if is_well {
                process.finish(&mut self.guard);
            }
            self.cpu_s += programs.kill(process);
        }
    }
}

impl Algorithm for ProgramRun {
    fn start(&mut self, _observer: &mut dyn Observer) {
        let started = self.task.programs.take(&self.command);
        if let Err(reason) = self.greet(started) {
            self.fail(reason);
        }
    }

    fn step(&mut self, observer: &mut dyn Observer) -> Option<StopReason> {
        if self.failure.is_none()
            && let Err(reason) = self.serve(observer)
        {
            self.fail(reason);
        }
        let mut stop = self.stopped().or_else(|| self.session.ended());
        if stop.is_some() {
            if self.failure.is_none()
                && self.spec.flag(REPORTS_COST)
                && !self.guard.has_cut()
                && let Err(reason) = self.take_cost()
            {
                self.fail(reason);
                stop = self.stopped();
            }
            self.dismiss();
        }
        stop
    }

    fn status(&self) -> RunStatus<'_> {
        RunStatus { stop: self.stopped(), ..self.session.status() }
    }

    fn populations(&self, see: &mut dyn FnMut(&Population)) -> Spent {
        self.session.populations(see)
    }

    fn details(&self) -> &dyn RunDetails {
        self
    }
}

impl RunDetails for ProgramRun {
    fn closure(&self) -> Option<Vec<Closure>> {
        self.session.closure()
    }

    fn helpers_cpu_s(&self) -> f64 {
        self.cpu_s + self.told_cpu_s
    }

    fn failure(&self) -> Option<&Failure> {
        self.failure.as_ref()
    }

    fn cost(&self) -> Option<f64> {
        self.cost
    }
}

impl Drop for ProgramRun {
    fn drop(&mut self) {
        if let Some(process) = self.process.take() {
            self.task.programs.kill(process);
        }
    }
}

#[cfg(test)]
mod tests;
