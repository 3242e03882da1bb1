//! `kenga list`: every algorithm and operator with its parameters.

use miette::{Diagnostic, Report};
use serde_json::json;
use thiserror::Error;

use super::exit::{CommandResult, Exit};
use super::output::Output;
use crate::experiment::{PRESETS, families};
use crate::spec::{Catalog, Member, Param, nearest};

/// List every algorithm and operator with its parameters
///
/// Names are those that configurations use. Without a family all are listed.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  kenga list                    everything
  kenga list crossover          one family, with parameters and sources
  kenga list --json | jq .      for programs")]
pub(super) struct Args {
    /// A family such as `selection`, or `preset`
    family: Option<String>,
    /// Print one JSON object a member
    #[arg(long)]
    json: bool,
}

/// A family that is not there.
#[derive(Debug, Error, Diagnostic)]
#[error("there is no family `{name}`")]
#[diagnostic(help("did you mean `{}`? Known: {}", known[0], known.join(", ")))]
struct UnknownFamily {
    name: String,
    known: Vec<String>,
}

pub(super) fn run(args: &Args) -> CommandResult {
    let mut output = Output::lock();
    for family in chosen(args.family.as_deref())? {
        for (index, member) in family.members().into_iter().enumerate() {
            let text = match (args.json, index) {
                (true, _) => json_line(family, member),
                (false, 0) => format!("{}: {}\n{}", family.family(), family.about(), shown(member)),
                (false, _) => shown(member),
            };
            output.write(&text)?;
        }
    }
    if matches!(args.family.as_deref(), None | Some("preset")) {
        output.write(&presets(args.json))?;
    }
    output.flush()?;
    Ok(Exit::Done)
}

fn presets(as_json: bool) -> String {
    let mut text = String::new();
    if !as_json {
        text += "preset: configurations to start from (`preset = \"name\"`)\n";
    }
    for preset in PRESETS {
        text += &match as_json {
            true => {
                format!("{}\n", json!({ "family": "preset", "name": preset.name, "about": preset.about }))
            }
            false => format!("  {}  {}\n", preset.name, preset.about),
        };
    }
    text
}

fn chosen(name: Option<&str>) -> Result<Vec<&'static dyn Catalog>, Report> {
    let Some(name) = name else { return Ok(families().to_vec()) };
    let found: Vec<_> = families().into_iter().filter(|family| family.family() == name).collect();
    if found.is_empty() && name != "preset" {
        let names = families().into_iter().map(Catalog::family).chain(["preset"]);
        return Err(UnknownFamily { name: name.to_owned(), known: nearest(name, names) }.into());
    }
    Ok(found)
}

fn shown(member: &Member) -> String {
    let mut text = format!("  {}  {}\n", member.name, member.about);
    if !member.encodings.is_empty() {
        text += &format!("      encodings: {}\n", member.encodings.join(", "));
    }
    for param in member.params {
        text += &format!(
            "      {} = {}  {}; {}\n",
            param.name,
            param.default_in_words(),
            param.expected(),
            param.about
        );
    }
    text + &format!("      source: {}\n", member.source)
}

fn json_line(family: &dyn Catalog, member: &Member) -> String {
    let param = |param: &Param| {
        json!({
            "name": param.name,
            "takes": param.expected(),
            "default": param.default_in_words(),
            "about": param.about,
        })
    };
    let line = json!({
        "family": family.family(),
        "name": member.name,
        "about": member.about,
        "encodings": member.encodings,
        "params": member.params.iter().map(param).collect::<Vec<_>>(),
        "source": member.source,
    });
    format!("{line}\n")
}
