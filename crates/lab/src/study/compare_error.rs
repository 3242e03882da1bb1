//! Why settings cannot be compared.

/// Why settings cannot be compared.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum CompareError {
    /// There is no setting.
    #[error("no run has ended")]
    NoSetting,
    /// There is only one setting.
    #[error("there is only one setting to compare: {0}")]
    OneSide(String),
    /// A setting has no run.
    #[error("{0} has no run")]
    NoRun(String),
    /// A run has no value of the metric.
    #[error("run {run} of {setting} has no {metric}")]
    NoValue {
        /// The index of the run.
        run: u64,
        /// The setting.
        setting: String,
        /// The metric.
        metric: &'static str,
    },
    /// No run spent any of the metric.
    #[error("no run has spent any {0}")]
    NoneMade(&'static str),
    /// No setting has the name of the baseline.
    #[error("no setting is named `{0}`")]
    NoBaseline(String),
}
