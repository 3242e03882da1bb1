//! The names of settings: the values that distinguish them, or the names of their folders where values do not.

use std::collections::{BTreeMap, BTreeSet};

use super::values::is_of_search;
use super::{Study, Values};
use crate::experiment::{is_inside, short_key};

/// The most keys in the name of a setting; the folder names one that differs in more.
const MOST: usize = 3;

impl Study {
    /// Gives folders that share the last part of their paths the whole paths as names.
    pub(super) fn name_folders(&mut self) {
        // Tables and exports tell folders apart by their names alone.
        let names: Vec<String> = self.folders.iter().map(|folder| folder.name.clone()).collect();
        for folder in &mut self.folders {
            if names.iter().filter(|name| **name == folder.name).count() > 1 {
                folder.name = folder.path.display().to_string();
            }
        }
    }

    /// The swept keys of one folder, or the keys of the search whose values differ between the settings of several.
    pub(super) fn distinguishing_keys(&self) -> Vec<String> {
        if let [only] = &self.folders[..] {
            return only.plan.settings.keys.clone();
        }
        // What surrounds the search, such as the seed, differs between most folders and tells no settings apart.
        let all: BTreeSet<&String> = self.settings.iter().flat_map(|setting| setting.values.keys()).collect();
        let mut keys = Vec::new();
        for key in all {
            let mut values = self.settings.iter().map(|setting| setting.values.get(key));
            let first = values.next();
            if is_of_search(key) && values.any(|value| Some(value) != first) {
                keys.push(key.clone());
            }
        }
        keys
    }

    /// Labels settings with their given names, or their swept values, after the folder where there are several.
    pub(super) fn label_by_folder(&mut self) {
        let several = self.folders.len() > 1;
        let mut names: BTreeMap<String, u64> = BTreeMap::new();
        for setting in &self.settings {
            let plan = &self.folders[setting.folder].plan;
            if let Some(name) = &plan.settings.all[setting.setting as usize].name {
                *names.entry(name.clone()).or_default() += 1;
            }
        }
        for setting in &mut self.settings {
            let folder = &self.folders[setting.folder];
            let index = setting.setting as usize;
            // In two folders a label may name the same algorithm.
            if let Some(name) = folder.plan.settings.all[index].name.as_ref().filter(|name| names[*name] == 1)
            {
                setting.label.clone_from(name);
                setting.is_named = true;
                continue;
            }
            let words = folder.plan.settings.describe(index);
            setting.label = match (several, words.is_empty()) {
                (true, true) => folder.name.clone(),
                (true, false) => format!("{}: {words}", folder.name),
                (false, true) => folder.plan.settings.all[index].config.algorithm_name(),
                (false, false) => words,
            };
        }
    }

    /// Labels the settings of several folders with the values in which they differ, where few keys tell all of them apart;
    /// `alike` holds settings whose runs are the same, by index.
    pub(super) fn label_by_difference(&mut self, alike: &[Vec<usize>]) {
        // Folders of one setting each have the names that somebody gave them, unless kenga numbered one.
        let is_numbered = |name: &str| {
            let base = name.rsplit_once('-').filter(|(_, number)| number.parse::<u64>().is_ok());
            base.is_some_and(|(base, _)| self.folders.iter().any(|folder| folder.name == base))
        };
        if self.settings.len() == self.folders.len()
            && !self.folders.iter().any(|folder| is_numbered(&folder.name))
        {
            return;
        }
        let twins: usize = alike.iter().map(|settings| settings.len() - 1).sum();
        let are_named = self.settings.iter().any(|setting| setting.is_named);
        for with_budgets in [false, true] {
            let keys = self.few_keys(with_budgets);
            let labels: Vec<String> =
                self.settings.iter().map(|setting| label(&keys, &setting.values)).collect();
            let distinct: BTreeSet<&String> = labels.iter().filter(|label| !label.is_empty()).collect();
            if keys.len() <= MOST && distinct.len() + twins == self.settings.len() && !are_named {
                for (setting, label) in self.settings.iter_mut().zip(labels) {
                    setting.label = label;
                }
                self.naming = keys;
                return;
            }
        }
        // Runs of one setting stay together whichever folder holds them.
        for settings in alike {
            for other in &settings[1..] {
                self.settings[*other].label = self.settings[settings[0]].label.clone();
            }
        }
    }

    /// The distinguishing keys without those that follow from another, such as a parameter that no folder sweeps of a member
    /// that differs itself.
    fn few_keys(&self, with_budgets: bool) -> Vec<String> {
        let swept = self.swept_keys();
        let mut keys = self.keys.clone();
        keys.retain(|key| {
            let follows = self.keys.iter().any(|other| is_inside(key, other));
            let is_swept = swept.contains(key) && !key.ends_with(".name");
            is_swept || !follows && (with_budgets || !key.starts_with("budget."))
        });
        keys
    }
}

/// The values of some keys in words; that of the algorithm is a name by itself.
fn label(keys: &[String], values: &Values) -> String {
    let mut words = Vec::new();
    for key in keys {
        match values.get(key) {
            Some(value) if key == "algorithm" => words.push(value.clone()),
            Some(value) => words.push(format!("{} = {value}", short_key(key))),
            None => {}
        }
    }
    words.join(", ")
}
