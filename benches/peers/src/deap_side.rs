//! DEAP (Python): `deap_ga.py` in a process of its own, which takes its own CPU time around its loop.

use std::path::{Path, PathBuf};
use std::process::Command;

use serde::Deserialize;

use crate::instance::Instance;
use crate::peer::{Peer, Sample};

/// DEAP under an interpreter that has it installed.
pub struct Deap {
    /// The interpreter, as `.venv/bin/python`.
    pub python: PathBuf,
}

#[derive(Deserialize)]
struct Report {
    evaluations: u64,
    cpu_s: f64,
}

impl Peer for Deap {
    fn name(&self) -> &str {
        "deap 1.4.4 (Python)"
    }

    fn measure(&self, instance: &Instance, seed: u64) -> Result<Sample, String> {
        let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("deap_ga.py");
        let output = Command::new(&self.python)
            .arg(script)
            .arg(&instance.path)
            .args(["--generations", &instance.interpreted_generations.to_string()])
            .args(["--seed", &seed.to_string(), "--json"])
            .output()
            .map_err(|error| format!("{}: {error}", self.python.display()))?;
        if !output.status.success() {
            return Err(String::from_utf8_lossy(&output.stderr).into_owned());
        }
        let report: Report = serde_json::from_slice(&output.stdout).map_err(|error| error.to_string())?;
        Ok(Sample { evaluations: report.evaluations, cpu_s: report.cpu_s })
    }
}
