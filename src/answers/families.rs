//! The tables behind `kenga list`: every algorithm, operator, generator and technique.

use serde_json::{Value, json};

use crate::craft::GENERATORS;
use crate::craft::ladder::{Score, TECHNIQUES, Technique};
use crate::experiment::{PRESETS, Preset, families};
use crate::search::encodings::ENCODINGS;
use crate::spec::{Catalog, Member, Param};

/// A family with all its members.
pub(crate) struct FamilyListing {
    pub(crate) name: &'static str,
    pub(crate) about: &'static str,
    pub(crate) members: Vec<Member>,
    /// How hard each member is; empty where that means nothing.
    pub(crate) scores: Vec<Score>,
}

impl FamilyListing {
    /// Every family, that of generators, the presets and the techniques of the ladder.
    pub(crate) fn all() -> Vec<Self> {
        let generators: &dyn Catalog = &GENERATORS;
        let families = families().into_iter().chain([generators]).map(|family| Self {
            name: family.family(),
            about: family.about(),
            members: family.members().into_iter().copied().collect(),
            scores: Vec::new(),
        });
        let preset = |preset: &Preset| Member::new(preset.name).about(preset.about);
        let presets = Self {
            name: "preset",
            about: "configurations to start from (`preset = \"name\"`)",
            members: PRESETS.iter().map(preset).collect(),
            scores: Vec::new(),
        };
        families.chain([presets, techniques()]).collect()
    }

    /// How hard a member is.
    pub(crate) fn score(&self, member: &Member) -> Option<Score> {
        let index = self.members.iter().position(|other| other.name == member.name);
        index.and_then(|index| self.scores.get(index).copied())
    }

    /// Some of its members do not work on every encoding.
    pub(crate) fn by_encoding(&self) -> bool {
        self.members.iter().any(|member| !member.encodings.is_empty())
    }

    /// The encodings that a member works on, all by name; none where no member of the family depends on them.
    pub(crate) fn encodings(&self, member: &Member) -> Option<Vec<&'static str>> {
        let every = || ENCODINGS.members().into_iter().map(|encoding| encoding.name).collect();
        self.by_encoding()
            .then(|| if member.encodings.is_empty() { every() } else { member.encodings.to_vec() })
    }

    /// The object of `kenga list --json`.
    pub(crate) fn json(&self, member: &Member) -> Value {
        let param = |param: &Param| {
            json!({
                "name": param.name,
                "takes": param.expected(),
                "default": param.default_in_words(),
                "about": param.about,
            })
        };
        json!({
            "family": self.name,
            "name": member.name,
            "about": member.about,
            "encodings": self.encodings(member),
            "params": member.params.iter().map(param).collect::<Vec<_>>(),
            "source": member.source,
            "score": self.score(member).map(Score::number),
        })
    }
}

/// What a person solves puzzles with, the easiest first.
fn techniques() -> FamilyListing {
    let member =
        |technique: &Technique| Member::new(technique.name).about(technique.about).source(technique.source);
    FamilyListing {
        name: "technique",
        about: "what `kenga grade`, `explain` and `hint` solve puzzles with, with their scores",
        members: TECHNIQUES.iter().map(member).collect(),
        scores: TECHNIQUES.iter().map(|technique| technique.score).collect(),
    }
}
