//! A program that says what genomes are worth, in any language.
//!
//! ```text
//! start the program; greet it with the genomes of the problem and the options
//! for every batch of genomes
//!     send them, and read a value for each
//! ```
//!
//! The protocol is JSON lines over the program's standard streams; `docs/protocol.md` describes it. A program that does not
//! keep to it fails the run, and no other.

use std::sync::{Arc, Mutex, PoisonError};

use crate::budget::Clock;
use crate::fitness::{Failure, Halted, Objective};
use crate::search::programs::{
    LONGEST_LINE, Process, Silence, check_told_cpu, in_lines, in_short, stray_print, unasked,
};
use crate::spec::{Builder, Member, Param, ParamKind, Spec, SpecError};

use super::protocol::{Answer, answer, greeting, request};
use super::{GENOME, ObjectiveMaker, ObjectiveRecipe, ObjectiveStart, terms};

/// The most genomes of a request, unless `batch` says.
const BATCH: i64 = 1000;

pub(super) static ENTRY: Builder<ObjectiveMaker> = Member::new("program")
    .about("a program of your own, in any language: it reads genomes and answers with their values")
    .source("after COCO: N. Hansen, A. Auger, R. Ros, O. Mersmann, T. Tušar, D. Brockhoff 2021, doi:10.1080/10556788.2020.1808977")
    .params(&Param::join::<15>(
        &[
            Param::required("command", ParamKind::Texts)
                .about("the program and its arguments, started in the folder of the configuration, without a shell"),
            Param::flag("reuse", false).about("whether one process serves several runs, one after the other"),
            Param::real("timeout", 0.001..=1e9, 60.0).about("seconds without an answer that fail the run"),
            Param::optional("batch", ParamKind::Integer(1, BATCH))
                .about("the most genomes of a request, 1000 if absent; fewer for a slow program"),
        ],
        &GENOME,
    ))
    .build(|spec| {
        if spec.texts("command").first().is_none_or(String::is_empty) {
            return Err(SpecError::Conflict {
                message: "`command` is empty".to_owned(),
                help: "name the program and its arguments, such as [\"python3\", \"tsp.py\"]".to_owned(),
                place: spec.place_of("command"),
            });
        }
        Ok(Box::new(ProgramRecipe { spec: spec.clone() }))
    });

struct ProgramRecipe {
    spec: Spec,
}

impl ObjectiveRecipe for ProgramRecipe {
    fn start(&self, start: ObjectiveStart) -> Arc<dyn Objective> {
        Arc::new(ProgramObjective {
            command: self.spec.texts("command"),
            reuses: self.spec.flag("reuse"),
            timeout_s: self.spec.real("timeout"),
            batch: self.spec.integer_or_absent("batch").unwrap_or(BATCH) as usize,
            terms: terms(&self.spec),
            session: Mutex::new(ProgramSession {
                start,
                process: None,
                clock: Clock::start(),
                cpu_s: 0.0,
                told_cpu_s: 0.0,
                is_broken: false,
            }),
        })
    }
}

/// A program that serves one run.
struct ProgramObjective {
    command: Vec<String>,
    reuses: bool,
    timeout_s: f64,
    batch: usize,
    /// The names of the terms that its answers have.
    terms: Vec<String>,
    session: Mutex<ProgramSession>,
}

struct ProgramSession {
    start: ObjectiveStart,
    /// Started by the first evaluation.
    process: Option<Process>,
    /// Since the start of the run.
    clock: Clock,
    /// Seconds of CPU time of its processes.
    cpu_s: f64,
    /// Seconds of CPU time elsewhere, as the program tells.
    told_cpu_s: f64,
    is_broken: bool,
}

impl Objective for ProgramObjective {
    fn evaluate(&self, genomes: &[u8], values: &mut [f64]) -> Result<(), Halted> {
        let mut session = self.session.lock().unwrap_or_else(PoisonError::into_inner);
        let genes = session.start.shape.genes();
        for (genomes, values) in genomes.chunks(self.batch * genes).zip(values.chunks_mut(self.batch)) {
            match session.evaluate(self, genomes, values.len()) {
                Ok(answer) => values.copy_from_slice(&answer.fitness),
                Err(why) => return Err(session.halted(why)),
            }
        }
        Ok(())
    }

    fn terms(&self, genome: &[u8]) -> Result<Vec<f64>, Halted> {
        let mut session = self.session.lock().unwrap_or_else(PoisonError::into_inner);
        match session.evaluate(self, genome, 1) {
            Ok(answer) => Ok(answer.terms.concat()),
            Err(why) => Err(session.halted(why)),
        }
    }

    fn finish(&self) -> Result<(), Halted> {
        let mut session = self.session.lock().unwrap_or_else(PoisonError::into_inner);
        match session.process.as_mut().and_then(Process::unasked) {
            Some(line) => Err(session.halted(NoAnswer::Failed(unasked(&self.command, &line)))),
            None => Ok(()),
        }
    }

    fn helpers_cpu_s(&self) -> f64 {
        let mut session = self.session.lock().unwrap_or_else(PoisonError::into_inner);
        let used = session.process.as_mut().map_or(0.0, Process::cpu_s);
        session.cpu_s += used;
        session.cpu_s + session.told_cpu_s
    }
}

/// Why an evaluation has no values.
enum NoAnswer {
    Cut,
    Failed(String),
}

impl ProgramSession {
    fn evaluate(
        &mut self,
        program: &ProgramObjective,
        genomes: &[u8],
        count: usize,
    ) -> Result<Answer, NoAnswer> {
        let line = request(genomes, self.start.shape.genes());
        if self.process.is_none() {
            let taken = self.start.programs.take(&program.command);
            self.greet(program, taken)?;
        }
        let is_used = self.process.as_ref().is_some_and(|process| process.is_used);
        let mut asked = self.ask(program, line.clone(), count);
        if is_used && matches!(asked, Err(NoAnswer::Failed(_))) {
            // It did not wait for another run: this one begins with a new process.
            if let Some(process) = self.process.take() {
                self.cpu_s += self.start.programs.kill(process);
            }
            let started = self.start.programs.start(&program.command);
            self.greet(program, started)?;
            asked = self.ask(program, line, count);
        }
        // From its first answer on, whatever it does wrong is about this run.
        if let Some(process) = &mut self.process {
            process.is_used = false;
        }
        asked
    }

    /// Greets a program that has been started.
    fn greet(
        &mut self,
        program: &ProgramObjective,
        started: std::io::Result<Process>,
    ) -> Result<(), NoAnswer> {
        let process = started.map_err(|error| {
            NoAnswer::Failed(format!("`{}` cannot be started: {error}", program.command[0]))
        })?;
        let process = self.process.insert(process);
        let sent =
            process.send(greeting(&self.start, &program.terms), &mut self.start.guard, program.timeout_s);
        sent.map_err(|silence| no_answer(silence, program, "read nothing"))
    }

    /// Sends a request and reads the answer.
    fn ask(&mut self, program: &ProgramObjective, line: Vec<u8>, count: usize) -> Result<Answer, NoAnswer> {
        let Self { process, start, .. } = self;
        let process = process.as_mut().expect("it was started");
        // An answer that came too early would be taken for the one to this request, and so on.
        if let Some(line) = process.unasked() {
            return Err(NoAnswer::Failed(unasked(&program.command, &line)));
        }
        let sent = process.send(line, &mut start.guard, program.timeout_s);
        sent.map_err(|silence| no_answer(silence, program, "read nothing"))?;
        match process.line(&mut start.guard, program.timeout_s) {
            Ok(text) => {
                let answer = answer(&text, count, program.terms.len())
                    .map_err(|why| NoAnswer::Failed(stray_print(&program.command, &text).unwrap_or(why)))?;
                if let Some(told_s) = answer.cpu_s {
                    check_told_cpu(&self.clock, told_s, self.cpu_s).map_err(NoAnswer::Failed)?;
                    self.told_cpu_s = told_s;
                }
                Ok(answer)
            }
            Err(Silence::Ended) => {
                let status = process.finish(&mut start.guard);
                let how = status.map_or(String::new(), |status| format!(": {status}"));
                Err(NoAnswer::Failed(format!("it ended before the run did{how}")))
            }
            Err(silence) if count > 1 => {
                let does = format!("sent nothing after a request for {count} genomes, see `batch`,");
                Err(no_answer(silence, program, &does))
            }
            Err(silence) => Err(no_answer(silence, program, "sent nothing")),
        }
    }

    /// Ends what serves a run that goes on no longer.
    fn halted(&mut self, why: NoAnswer) -> Halted {
        self.is_broken = true;
        match why {
            NoAnswer::Cut => Halted::Cut,
            NoAnswer::Failed(reason) => {
                let stderr = self.process.as_mut().map_or(String::new(), Process::last_words);
                Halted::Failed(Failure { reason: in_short(&reason), stderr: in_lines(&stderr) })
            }
        }
    }
}

/// Why there is no answer after a wait without a line; `does` says what the program did in that time.
fn no_answer(silence: Silence, program: &ProgramObjective, does: &str) -> NoAnswer {
    match silence {
        Silence::Cut => NoAnswer::Cut,
        Silence::Ended => NoAnswer::Failed("it ended before the run did".to_owned()),
        Silence::Timeout => NoAnswer::Failed(format!("it {does} for {} s", program.timeout_s)),
        Silence::TooLong => {
            NoAnswer::Failed(format!("it sent a line of more than {} MiB", LONGEST_LINE >> 20))
        }
    }
}

impl Drop for ProgramObjective {
    fn drop(&mut self) {
        let session = self.session.get_mut().unwrap_or_else(PoisonError::into_inner);
        let Some(process) = session.process.take() else { return };
        if self.reuses && !session.is_broken {
            session.start.programs.keep(&self.command, process);
        } else {
            session.start.programs.kill(process);
        }
    }
}
