//! What run lengths are drawn from.

use kenga::rng::RunRng;

/// Evaluations to a solution of 120 runs of the preset `pyevolve` on the 4x4 puzzle, in order; nine failed at 400,080. Made by
///
/// ```text
/// kenga run --config configs/pyevolve-4x4.toml --runs 120 --out real
/// ```
///
/// from the column `evaluations_to_best` of `runs.csv`.
const REAL: [f64; 111] = [
    8_522.0, 11_374.0, 18_078.0, 21_067.0, 21_443.0, 21_932.0, 25_080.0, 28_514.0, 31_521.0, 32_211.0,
    32_463.0, 35_520.0, 36_034.0, 36_580.0, 39_537.0, 42_585.0, 42_775.0, 44_937.0, 47_144.0, 47_536.0,
    49_123.0, 56_420.0, 59_424.0, 59_579.0, 60_098.0, 62_031.0, 62_409.0, 64_136.0, 65_728.0, 66_303.0,
    68_339.0, 70_057.0, 70_363.0, 70_399.0, 72_043.0, 72_631.0, 73_945.0, 74_193.0, 75_531.0, 78_583.0,
    79_142.0, 79_443.0, 79_701.0, 83_124.0, 86_272.0, 87_381.0, 87_645.0, 88_568.0, 90_299.0, 90_394.0,
    103_810.0, 104_331.0, 105_651.0, 115_771.0, 117_283.0, 119_376.0, 119_848.0, 126_060.0, 131_818.0,
    134_070.0, 136_713.0, 136_787.0, 138_175.0, 140_107.0, 140_442.0, 140_753.0, 142_339.0, 144_207.0,
    146_966.0, 149_864.0, 152_991.0, 153_446.0, 153_891.0, 155_478.0, 156_018.0, 157_626.0, 159_667.0,
    161_002.0, 168_560.0, 172_209.0, 173_825.0, 175_288.0, 189_165.0, 198_557.0, 210_058.0, 211_825.0,
    213_636.0, 217_866.0, 229_087.0, 230_825.0, 232_501.0, 233_207.0, 233_437.0, 235_756.0, 238_736.0,
    244_054.0, 248_053.0, 248_932.0, 249_858.0, 264_116.0, 273_571.0, 274_723.0, 293_886.0, 295_748.0,
    306_269.0, 317_224.0, 318_259.0, 342_610.0, 369_091.0, 372_794.0, 383_431.0,
];

/// The share of those runs that solved.
const REAL_SHARE: f64 = 111.0 / 120.0;

/// A distribution of the time to a solution; its scale is about 1.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Law {
    /// Without memory.
    Exponential,
    /// The logarithm is normal with this standard deviation; above 1 the tail is heavy.
    Lognormal(f64),
    /// All about alike.
    Weibull,
    /// A fifth never solves.
    Mixture,
    /// Runs of kenga.
    Real,
    /// Without memory, counted in large steps: many tie.
    Steps,
    /// Nearly always this time, but for a share that never solves.
    Steady { time: f64, fails: f64 },
    /// Without memory, with this mean, but for a share that never solves.
    Quick { mean: f64, fails: f64 },
    /// Any time up to 1 for this share; the others never solve.
    Uniform { share: f64 },
}

impl Law {
    /// The time by which a share `u` of runs has solved.
    pub fn quantile(self, u: f64) -> f64 {
        match self {
            Self::Exponential => -(1.0 - u).ln(),
            Self::Lognormal(deviation) => (deviation * kenga::stats::normal_quantile(u)).exp(),
            Self::Weibull => (-(1.0 - u).ln()).cbrt(),
            Self::Steps => (4.0 * Self::Exponential.quantile(u)).ceil() / 4.0,
            Self::Mixture if u >= 0.8 => f64::INFINITY,
            Self::Mixture => -(1.0 - u / 0.8).ln(),
            Self::Steady { fails, .. } | Self::Quick { fails, .. } if u >= 1.0 - fails => f64::INFINITY,
            Self::Steady { time, fails } => time * (0.97 + 0.06 * u / (1.0 - fails)),
            Self::Quick { mean, fails } => -mean * (1.0 - u / (1.0 - fails)).ln(),
            Self::Uniform { share } if u >= share => f64::INFINITY,
            Self::Uniform { share } => u / share,
            Self::Real if u >= REAL_SHARE => f64::INFINITY,
            Self::Real => {
                let at = u / REAL_SHARE * REAL.len() as f64;
                let (low, high) = (at as usize, (at as usize + 1).min(REAL.len() - 1));
                (REAL[low] + at.fract() * (REAL[high] - REAL[low])) / 130_000.0
            }
        }
    }
}

/// A normal number.
pub fn normal(rng: &mut RunRng) -> f64 {
    kenga::stats::normal_quantile(rng.unit().clamp(1e-12, 1.0 - 1e-12))
}
