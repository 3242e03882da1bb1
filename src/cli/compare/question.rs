//! The question of a comparison, and plans that have fixed it.

use std::path::Path;

use crate::cli::io::input;
use kenga_lab::study::Metric;
use miette::{Report, miette};
use serde::{Deserialize, Serialize};

/// The question of a comparison, as options have it, and the key `question` of a plan.
#[derive(Serialize, Deserialize)]
pub(in crate::cli) struct AskedQuestion {
    pub(in crate::cli) metric: Option<String>,
    pub(in crate::cli) baseline: Option<String>,
    #[serde(default)]
    pub(in crate::cli) by: Vec<String>,
    pub(in crate::cli) alpha: f64,
    pub(in crate::cli) smallest: f64,
}

/// The question that a plan has fixed.
///
/// # Errors
/// A file that is no plan with a question.
pub(super) fn planned(plan: &Path) -> Result<AskedQuestion, Report> {
    let (name, text) = input::read_text(
        &plan.display().to_string(),
        "name a plan that `kenga sweep plan -o FILE` has written",
    )?;
    let value: Option<serde_json::Value> = serde_json::from_str(&text).ok();
    let question: Option<AskedQuestion> =
        value.and_then(|mut plan| serde_json::from_value(plan.get_mut("question")?.take()).ok());
    let is_sound = |asked: &AskedQuestion| {
        let known = |name: &String| Metric::ALL.iter().any(|metric| metric.name() == name);
        asked.metric.as_ref().is_none_or(known)
            && asked.alpha > 0.0
            && asked.alpha < 1.0
            && asked.smallest > 1.0
    };
    question.filter(is_sound).ok_or_else(|| {
        let help = "`kenga sweep plan -o FILE` writes plans that fix one";
        miette!(help = help, "{name} is no plan that fixes a question")
    })
}
