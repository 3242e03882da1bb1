//! `kenga list`: every algorithm, operator, generator and technique.

use miette::{Report, miette};

use super::io::exit::CommandResult;
use super::io::output::{TableForm, print};
use super::io::terminal;
use kenga_core::spec::{Member, Param};
use kenga_core::text::nearest;
use kenga_report::answers::FamilyListing;
use kenga_report::{Cell, Column, Table, TableFormat, View, wrap};

/// List every algorithm, operator, generator and technique
///
/// Names are those that configurations and `kenga generate` use. Without FAMILY, lists all.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  kenga list                    everything
  kenga list crossover          one family, with parameters and sources
  kenga list --csv              two tables, a blank line between
  kenga list --json | jq .      for programs, one object per member")]
pub(super) struct Args {
    /// A family such as `selection`, or `preset`
    family: Option<String>,
    #[command(flatten)]
    form: TableForm,
}

pub(super) fn run(args: &Args) -> CommandResult {
    let listed = select(args.family.as_deref())?;
    let view = terminal::view();
    print(&match args.form.format() {
        TableFormat::Json => listed.iter().map(json_lines).collect(),
        TableFormat::Text => listed.iter().map(|family| text(family, &view)).collect::<Vec<_>>().join("\n"),
        format => {
            format!("{}\n{}", members(&listed).render(format, &view), params(&listed).render(format, &view))
        }
    })
}

fn select(name: Option<&str>) -> Result<Vec<FamilyListing>, Report> {
    let mut all = FamilyListing::all();
    let Some(name) = name else { return Ok(all) };
    match all.iter().position(|family| [name, singular(name)].contains(&family.name)) {
        Some(index) => Ok(vec![all.swap_remove(index)]),
        None => {
            let known = nearest(name, all.iter().map(|family| family.name));
            let help = format!("did you mean `{}`? Known: {}", known[0], known.join(", "));
            Err(miette!(help = help, "there is no family `{name}`"))
        }
    }
}

/// The name of a family that was asked for in the plural, `techniques`.
fn singular(name: &str) -> &str {
    name.strip_suffix('s').unwrap_or(name)
}

/// A family for people: its members, their parameters, and where they are described.
fn text(family: &FamilyListing, view: &View) -> String {
    let by_encoding = family.by_encoding();
    let encodings_column = by_encoding.then(|| Column::words("encodings", "encodings"));
    let score_column = (!family.scores.is_empty()).then(|| Column::words("score", "score"));
    let columns = [Column::words("name", "name"), Column::words("what it does", "about")];
    let mut members = Table::new(columns.into_iter().chain(encodings_column).chain(score_column)).whole();
    let mut params = Table::new([
        Column::words("of", "of"),
        Column::words("key", "key"),
        Column::words("default", "default"),
        Column::words("values and meaning", "takes"),
    ])
    .whole();
    let mut sources = String::new();
    for member in &family.members {
        let cells = [Cell::words(member.name).strong(), Cell::words(member.about)];
        let fitting = || {
            Cell::words(if member.encodings.is_empty() {
                "all".to_owned()
            } else {
                member.encodings.join(", ")
            })
        };
        let score = family.score(member).map(|score| Cell::words(score.to_string()));
        members.push(cells.into_iter().chain(by_encoding.then(fitting)).chain(score));
        for (index, param) in member.params.iter().enumerate() {
            let of = if index == 0 { Cell::words(member.name).strong() } else { Cell::default() };
            let [key, default, takes, about] = param_texts(param);
            params.push([
                of,
                Cell::words(key),
                Cell::words(default),
                Cell::words(format!("{takes}; {about}")),
            ]);
        }
        if !member.source.is_empty() {
            sources += &format!("  {}: {}\n", member.name, member.source);
        }
    }
    let mut text = format!("{}: {}\n\n", family.name, family.about);
    text += &members.render(TableFormat::Text, view);
    if !params.is_empty() {
        text += &format!("\n{}", params.render(TableFormat::Text, view));
    }
    if !sources.is_empty() {
        text += &format!("\nSources\n{sources}");
    }
    wrap(&text, view.width)
}

/// A parameter's key, default, values and meaning.
fn param_texts(param: &Param) -> [String; 4] {
    [param.name.to_owned(), param.default_in_words(), param.expected(), param.about.to_owned()]
}

/// All members for programs.
fn members(listed: &[FamilyListing]) -> Table {
    let columns = ["family", "name", "about", "encodings", "source", "score"];
    let mut table = Table::new(columns.map(|name| Column::words(name, name)));
    for (family, member) in pairs(listed) {
        let encodings = Cell::words(family.encodings(member).unwrap_or_default().join(" "));
        let family_score = family.score(member).map_or_else(String::new, |score| score.to_string());
        let [family, name, about, source] =
            [family.name, member.name, member.about, member.source].map(Cell::words);
        let score = Cell::words(family_score);
        table.push([family, name, about, encodings, source, score]);
    }
    table
}

/// All parameters for programs.
fn params(listed: &[FamilyListing]) -> Table {
    let columns = ["family", "name", "key", "default", "takes", "about"];
    let mut table = Table::new(columns.map(|name| Column::words(name, name)));
    for (family, member) in pairs(listed) {
        for param in member.params {
            table.push(
                [Cell::words(family.name), Cell::words(member.name)]
                    .into_iter()
                    .chain(param_texts(param).map(Cell::words)),
            );
        }
    }
    table
}

fn pairs(listed: &[FamilyListing]) -> impl Iterator<Item = (&FamilyListing, &Member)> {
    listed.iter().flat_map(|family| family.members.iter().map(move |member| (family, member)))
}

fn json_lines(family: &FamilyListing) -> String {
    family.members.iter().map(|member| format!("{}\n", family.json(member))).collect()
}
