//! The options of `kenga generate` that only some kinds take: one for every parameter in the table of generators, those that a
//! program adds among them.

use clap::{Arg, ArgAction, ArgMatches, Command, FromArgMatches, value_parser};

use crate::cli::io::input::whole;
use kenga_core::spec::{Catalog, DefaultValue, Named, Param, ParamKind, Place, Value};
use kenga_craft::GENERATORS;

/// The parameters that are given.
pub(super) struct Parameters(pub(super) Vec<Named>);

/// Options of the command itself. A parameter of such a name gets no option.
const TAKEN: [&str; 14] = [
    "kind", "count", "seed", "jobs", "out", "output", "force", "hard_for", "easy_for", "effort", "runs",
    "color", "help", "version",
];

/// A parameter of some kinds.
struct SharedParameter {
    /// As the first kind has it.
    param: &'static Param,
    meanings: Vec<Meaning>,
}

/// What a parameter means to some kinds.
struct Meaning {
    /// With what it takes, where that is a number or a word.
    words: String,
    kinds: Vec<&'static str>,
}

/// The parameters of all kinds, each once.
fn shared() -> Vec<SharedParameter> {
    let mut all: Vec<SharedParameter> = Vec::new();
    for member in GENERATORS.members() {
        for param in member.params {
            if TAKEN.contains(&param.name) {
                continue;
            }
            let index = match all.iter().position(|known| known.param.name == param.name) {
                Some(index) => index,
                None => {
                    all.push(SharedParameter { param, meanings: Vec::new() });
                    all.len() - 1
                }
            };
            let words = meaning(param);
            let meanings = &mut all[index].meanings;
            match meanings.iter_mut().find(|meaning| meaning.words == words) {
                Some(meaning) => meaning.kinds.push(member.name),
                None => meanings.push(Meaning { words, kinds: vec![member.name] }),
            }
        }
    }
    all
}

/// What a parameter means, and which numbers or words it takes.
fn meaning(param: &Param) -> String {
    match param.kind {
        ParamKind::Integer(..) | ParamKind::Real(..) | ParamKind::Choice(_) => {
            format!("{}: {}", param.about, param.expected())
        }
        _ => param.about.to_owned(),
    }
}

impl SharedParameter {
    fn option(&self) -> Arg {
        let option = Arg::new(self.param.name).long(long(self.param.name)).help(self.help());
        match self.param.kind {
            // Each kind has bounds of its own: those of the table are checked when the kind is known.
            ParamKind::Integer(..) => option.value_name("N").value_parser(whole(0..=u32::MAX)),
            ParamKind::Real(..) => option.value_name("X").value_parser(value_parser!(f64)),
            ParamKind::Flag => option.action(ArgAction::SetTrue),
            ParamKind::Choice(_) => option.value_name("WORD"),
            // Operators may begin with a minus.
            _ => {
                let has_minus = matches!(self.param.default, DefaultValue::Text(text) if text.contains('-'));
                option.value_name("TEXT").allow_hyphen_values(has_minus)
            }
        }
    }

    /// Its meanings, each with the kinds to which it means that.
    fn help(&self) -> String {
        let mut meanings = Vec::new();
        for meaning in &self.meanings {
            meanings.push(format!("{} [{}]", meaning.words, meaning.kinds.join(", ")));
        }
        let help = meanings.join("; ");
        let mut letters = help.chars();
        let first = letters.next().map_or_else(String::new, |first| first.to_uppercase().to_string());
        first + letters.as_str()
    }
}

/// The name of an option: a parameter's with hyphens.
fn long(name: &'static str) -> &'static str {
    // clap keeps names as long as the program runs.
    if name.contains('_') { name.replace('_', "-").leak() } else { name }
}

impl clap::Args for Parameters {
    fn augment_args(mut command: Command) -> Command {
        for parameter in shared() {
            command = command.arg(parameter.option().help_heading("Options of some kinds"));
        }
        command
    }

    fn augment_args_for_update(command: Command) -> Command {
        Self::augment_args(command)
    }
}

impl FromArgMatches for Parameters {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, clap::Error> {
        let mut given = Vec::new();
        for SharedParameter { param, .. } in shared() {
            let value = match param.kind {
                ParamKind::Integer(..) => {
                    matches.get_one::<u32>(param.name).map(|number| Value::Integer((*number).into()))
                }
                ParamKind::Real(..) => matches.get_one::<f64>(param.name).map(|number| Value::Real(*number)),
                ParamKind::Flag => matches.get_flag(param.name).then_some(Value::Flag(true)),
                _ => matches.get_one::<String>(param.name).cloned().map(Value::Text),
            };
            given.extend(value.map(|value| Named::new(param.name, value, Place::default())));
        }
        Ok(Self(given))
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        *self = Self::from_arg_matches(matches)?;
        Ok(())
    }
}
