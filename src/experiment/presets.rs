//! Presets: configurations to start from, chosen by `preset = "name"`.

/// A named lowest layer of a configuration.
pub struct Preset {
    /// The name.
    pub name: &'static str,
    /// What it sets up, in a sentence.
    pub about: &'static str,
    /// Its TOML.
    pub text: &'static str,
}

/// Every preset.
pub static PRESETS: &[Preset] = &[Preset {
    name: "pyevolve",
    about: "the genetic algorithm of the original experiment, step by step (Pyevolve 0.6, 2012)",
    text: include_str!("presets/pyevolve.toml"),
}];
