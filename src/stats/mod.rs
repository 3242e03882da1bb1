//! Pure statistics: numbers in, numbers out.

mod interval;
mod median;
mod proportion;

pub use interval::Interval;
pub use median::{Median, median};
pub use proportion::wilson;

/// The standard normal quantile of 97.5 %, for two-sided intervals of 95 %.
pub const Z_95: f64 = 1.959_963_984_540_054;
