//! Questions to results folders: which settings are asked about, and what is compared.

use std::path::PathBuf;

use miette::{Report, miette};

use crate::prose::all_of;
use kenga_core::text::{joined, meant, nearest};
use kenga_lab::study::hardness::FeatureTable;
use kenga_lab::study::{
    CompareError, Comparison, Groups, JoinedSettings, Metric, Question, Smallest, Study, compare_settings,
};

/// What is compared, and how.
pub struct ComparisonOrder<'a> {
    /// The metric.
    pub metric: Metric,
    /// The significance level, over all pairs together.
    pub alpha: f64,
    /// The name of the setting that all others are compared with, if not the best.
    pub baseline: Option<&'a str>,
    /// The families of puzzles that are the sample of their kind, if not the puzzles.
    pub groups: Option<Groups>,
    /// The smallest difference that matters.
    pub smallest: Smallest,
}

impl ComparisonOrder<'_> {
    /// Compares a metric at a level, with the best as the reference.
    pub fn plain(metric: Metric, alpha: f64) -> Self {
        Self { metric, alpha, baseline: None, groups: None, smallest: Smallest::default() }
    }
}

/// The families of the puzzles of a study by a column of a file of features if there is one, else by `kind`, `size` or a key of
/// their `meta`.
///
/// # Errors
/// A file of features that cannot be read, and a column that no puzzle has.
pub fn groups_of(study: &Study, column: &str, features: Option<&str>) -> Result<Groups, Report> {
    if let Some(text) = features {
        let table = FeatureTable::read(text, Some(column)).map_err(|error| miette!("{error}"))?;
        let families = table.group.map(|group| group.of).unwrap_or_default();
        if !study.puzzles().iter().any(|puzzle| families.contains_key(&puzzle.id)) {
            return Err(miette!(
                help = "`kenga features -o FILE` writes the ids of the puzzles",
                "no puzzle of the results has a `{column}` in the file of features"
            ));
        }
        return Ok(Groups { name: column.to_owned(), families });
    }
    if let Some(groups) = Groups::by(study, column) {
        return Ok(groups);
    }
    let mut known: Vec<&str> = vec!["kind", "size"];
    for puzzle in study.puzzles() {
        known.extend(puzzle.meta.keys().map(String::as_str).filter(|key| *key != "solution"));
    }
    known.sort_unstable();
    known.dedup();
    let help =
        format!("known: {}; or name a column of a file: `--group COLUMN --features FILE`", known.join(", "));
    Err(miette!(help = help, "no puzzle has `{column}` in its meta"))
}

/// Reads folders whose settings have the keys. The keys come back as dotted paths: a key may be given as tables shorten it.
///
/// # Errors
/// A folder that cannot be read, or a key that no setting has.
pub fn study_of(folders: &[PathBuf], keys: &[String]) -> Result<(Study, Vec<String>), Report> {
    let study = Study::read(folders)?;
    let keys = keys.iter().map(|key| key_of(&study, key)).collect::<Result<_, _>>()?;
    Ok((study, keys))
}

/// The dotted path of a key.
///
/// # Errors
/// No setting has it.
pub fn key_of(study: &Study, key: &str) -> Result<String, Report> {
    if let Some(key) = study.key(key) {
        return Ok(key.to_owned());
    }
    // What settings differ in is meant more often than what they share.
    let differing = study.keys.iter().map(String::as_str);
    let others = study.settings.iter().flat_map(|one| one.values.keys().map(String::as_str));
    let mut help = Vec::new();
    if let Some(known) = meant(key, differing.chain(others)) {
        help.push(format!("did you mean `{known}`?"));
    }
    if !study.keys.is_empty() {
        help.push(format!("settings differ in {}", study.keys.join(", ")));
    }
    if help.is_empty() {
        help.push("`kenga list configuration` shows the keys".to_owned());
    }
    Err(miette!(help = help.join(" "), "no setting has the key `{key}`"))
}

/// Drops the runs of all puzzles but these; without any it keeps all.
///
/// # Errors
/// An id that no puzzle has.
pub fn keep_puzzles(study: &mut Study, ids: &[String]) -> Result<(), Report> {
    let known: Vec<&str> = study.puzzles().into_iter().map(|puzzle| &*puzzle.id).collect();
    if let Some(id) = ids.iter().find(|id| !known.contains(&id.as_str())) {
        let help = format!("known: {}", known.join(", "));
        return Err(miette!(help = help, "the results have no puzzle `{id}`"));
    }
    if !ids.is_empty() {
        study.keep_puzzles(ids);
    }
    Ok(())
}

/// The error of a study whose runs all failed; `None` where some run has a result.
pub fn all_failed(study: &Study) -> Option<Report> {
    let runs = all_of(study.all_failed()?, "run");
    let names = joined(study.folders.iter().map(|folder| folder.path.display()), ", ");
    let help = format!("{} says why", study.folders[0].path.join("failures.csv").display());
    Some(miette!(help = help, "{names}: there is no result. {runs} failed"))
}

/// Keeps the settings whose names are listed, in this order, with those joined that have the same values of `by`; commas
/// separate names, and may be within one.
///
/// # Errors
/// A name that no setting has.
pub fn choose_settings(study: &mut Study, by: &[String], names: &str) -> Result<(), Report> {
    let settings = study.joined_settings(by);
    let (mut chosen, mut rest) = (Vec::new(), names);
    while !rest.is_empty() {
        // The longest: a name may begin with another.
        let begins =
            |name: &str| rest.strip_prefix(name).is_some_and(|end| end.is_empty() || end.starts_with(','));
        let listed = settings.iter().filter(|setting| begins(&setting.name)).max_by_key(|one| one.name.len());
        let Some(setting) = listed else {
            let near = nearest(rest, settings.iter().map(|setting| setting.name.as_str()));
            return Err(miette!(
                help = format!("did you mean `{}`?", near[0]),
                "no setting is called `{rest}`"
            ));
        };
        chosen.extend(setting.settings.iter().filter(|place| !chosen.contains(*place)).collect::<Vec<_>>());
        rest = rest[setting.name.len()..].trim_start_matches([',', ' ']);
    }
    study.choose_settings(&chosen);
    Ok(())
}

/// Compares settings; `unfinished` says what to do about runs that have not ended.
///
/// # Errors
/// Why they cannot be compared.
pub fn compared(
    study: &Study,
    settings: &[JoinedSettings],
    order: &ComparisonOrder<'_>,
    unfinished: &str,
) -> Result<Comparison, Report> {
    if let Some(error) = all_failed(study) {
        return Err(error);
    }
    let mut question = Question::plain(order.metric, order.alpha)
        .about(study, settings, None)
        .from_baseline(order.baseline)
        .with_smallest(order.smallest);
    if let Some(groups) = &order.groups {
        question = question.in_groups(groups.clone());
    }
    compare_settings(study, settings, &question).map_err(|error| {
        let help = match &error {
            CompareError::NoRun(_) | CompareError::NoSetting => unfinished.to_owned(),
            error => help(error, study, settings),
        };
        miette!(help = help, "{error}")
    })
}

fn help(error: &CompareError, study: &Study, settings: &[JoinedSettings]) -> String {
    match error {
        CompareError::OneSide(_) if study.keys.is_empty() => {
            "compare needs two settings: name a second folder, or one with a sweep; `kenga report` shows one setting on all its puzzles".to_owned()
        }
        CompareError::OneSide(_) => {
            format!("the settings differ in {}: compare by one of these keys, or without --by", study.keys.join(", "))
        }
        CompareError::NoBaseline(name) => {
            let known = nearest(name, settings.iter().map(|setting| setting.name.as_str()));
            format!("did you mean `{}`?", known[0])
        }
        _ => "choose another metric".to_owned(),
    }
}
