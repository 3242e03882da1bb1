//! The tables behind `kenga list`: every algorithm, operator, generator and technique.

use serde_json::{Value, json};

use kenga_core::search::encodings::ENCODINGS;
use kenga_core::spec::{Catalog, Member, Param, ParamKind};
use kenga_craft::GENERATORS;
use kenga_craft::ladder::{Score, TECHNIQUES, Technique};
use kenga_lab::experiment::{CONFIG, PRESETS, families};

/// A family with all its members.
pub struct FamilyListing {
    /// The name that configurations use.
    pub name: &'static str,
    /// What its members do, in a few words.
    pub about: &'static str,
    /// Its members, in the order of its table.
    pub members: Vec<Member>,
    /// How hard each member is; empty where that means nothing.
    pub scores: Vec<Score>,
}

impl FamilyListing {
    /// Every family, that of generators, the keys of a configuration, the presets and the techniques of the ladder.
    pub fn all() -> Vec<Self> {
        let generators: &dyn Catalog = &GENERATORS;
        let mut listings = Vec::new();
        for family in families().into_iter().chain([generators]) {
            listings.push(Self {
                name: family.family(),
                about: family.about(),
                members: family.members().into_iter().copied().collect(),
                scores: Vec::new(),
            });
        }
        listings.push(configuration());
        listings.push(Self {
            name: "preset",
            about: "configurations to start from (`preset = \"name\"`)",
            members: PRESETS.iter().map(|preset| Member::new(preset.name).about(preset.about)).collect(),
            scores: Vec::new(),
        });
        listings.push(techniques());
        listings
    }

    /// How hard a member is.
    pub fn score(&self, member: &Member) -> Option<Score> {
        let index = self.members.iter().position(|other| other.name == member.name);
        index.and_then(|index| self.scores.get(index).copied())
    }

    /// Some of its members do not work on every encoding.
    pub fn by_encoding(&self) -> bool {
        self.members.iter().any(|member| !member.encodings.is_empty())
    }

    /// The encodings that a member works on, all by name; none where no member of the family depends on them.
    pub fn encodings(&self, member: &Member) -> Option<Vec<&'static str>> {
        if !self.by_encoding() {
            return None;
        }
        if member.encodings.is_empty() {
            return Some(ENCODINGS.members().into_iter().map(|encoding| encoding.name).collect());
        }
        Some(member.encodings.to_vec())
    }

    /// The object of `kenga list --json`.
    pub fn json(&self, member: &Member) -> Value {
        json!({
            "family": self.name,
            "name": member.name,
            "about": member.about,
            "encodings": self.encodings(member),
            "params": member.params.iter().map(param_json).collect::<Vec<_>>(),
            "source": member.source,
            "score": self.score(member).map(Score::number),
        })
    }
}

/// A parameter: what it takes in words, and in parts for programs.
fn param_json(param: &Param) -> Value {
    json!({
        "name": param.name,
        "takes": param.expected(),
        "default": param.default_in_words(),
        "about": param.about,
        "values": values_json(&param.kind),
    })
}

/// The values that a parameter takes; a bound that does not bind is null.
fn values_json(kind: &ParamKind) -> Value {
    // The ends of a type stand for no bound.
    let least = |low: f64| (low > f64::MIN).then_some(low);
    let most = |high: f64| (high < f64::MAX).then_some(high);
    let up_to = |high: i64| (high < i64::MAX).then_some(high);
    match *kind {
        ParamKind::Integer(low, high) => json!({"kind": "integer", "least": low, "most": up_to(high)}),
        ParamKind::Real(low, high) => json!({"kind": "real", "least": least(low), "most": most(high)}),
        ParamKind::Scheduled(low, high, family) => {
            json!({"kind": "real", "least": least(low), "most": most(high), "family": family.family()})
        }
        ParamKind::Choice(words) => json!({"kind": "choice", "words": words}),
        ParamKind::ChoiceOrInteger(words, low, high) => {
            json!({"kind": "choice", "words": words, "least": low, "most": up_to(high)})
        }
        ParamKind::Choices(words) => json!({"kind": "choices", "words": words}),
        ParamKind::Flag => json!({"kind": "flag"}),
        ParamKind::Text => json!({"kind": "text"}),
        ParamKind::Texts => json!({"kind": "texts"}),
        ParamKind::List => json!({"kind": "list"}),
        ParamKind::Member(family) => json!({"kind": "member", "family": family.family()}),
        ParamKind::Members(family) => json!({"kind": "members", "family": family.family()}),
        ParamKind::Section(params) => {
            json!({"kind": "section", "params": params.iter().map(param_json).collect::<Vec<_>>()})
        }
        ParamKind::Table => json!({"kind": "table"}),
    }
}

/// The keys of a configuration: those at its top, and those of its tables.
fn configuration() -> FamilyListing {
    let mut members = vec![Member::new("experiment").about("what is run").params(CONFIG)];
    add_tables(CONFIG, &mut members);
    FamilyListing { name: "configuration", about: "the keys of a configuration", members, scores: Vec::new() }
}

fn add_tables(params: &'static [Param], members: &mut Vec<Member>) {
    for param in params {
        if let ParamKind::Section(inner) = param.kind {
            members.push(Member::new(param.name).about(param.about).params(inner));
            add_tables(inner, members);
        }
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
