//! `kenga list`: every algorithm, operator, generator and technique.

use miette::{Report, miette};

use super::io::exit::CommandResult;
use super::io::output::{TableForm, print};
use super::io::terminal;
use kenga_core::spec::Param;
use kenga_core::text::{joined, meant, nearest};
use kenga_report::answers::FamilyListing;
use kenga_report::{Cell, Column, Table, TableFormat, View, wrap};

/// List every algorithm, operator, generator and technique
///
/// Names are those that configurations and `kenga generate` use. Without NAME, lists all.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  kenga list                    everything
  kenga list crossover          one family, with parameters and sources
  kenga list swap               every name that contains swap
  kenga list --csv              two tables, a blank line between
  kenga list --json | jq .      for programs, one object per member")]
pub(super) struct Args {
    /// A family such as `selection` or `preset`, or a part of the names of its members
    name: Option<String>,
    #[command(flatten)]
    form: TableForm,
}

pub(super) fn run(args: &Args) -> CommandResult {
    let listed = select(args.name.as_deref())?;
    let view = terminal::view();
    print(&match args.form.format() {
        TableFormat::Json => listed.iter().map(json_lines).collect(),
        TableFormat::Text => joined(listed.iter().map(|family| text(family, &view)), "\n"),
        format => {
            format!("{}\n{}", members(&listed).render(format, &view), params(&listed).render(format, &view))
        }
    })
}

/// The family of a name, or else what has the name in its own.
fn select(name: Option<&str>) -> Result<Vec<FamilyListing>, Report> {
    let mut all = FamilyListing::all();
    let Some(name) = name else { return Ok(all) };
    // `kenga list crossovers` is what people type.
    if let Some(index) = all.iter().position(|family| [name, singular(name)].contains(&family.name)) {
        return Ok(vec![all.swap_remove(index)]);
    }
    let mut found = Vec::new();
    for family in &all {
        found.extend(part_named(family, name));
    }
    if !found.is_empty() {
        return Ok(found);
    }
    let families = nearest(name, all.iter().map(|family| family.name));
    let members = all.iter().flat_map(|family| &family.members).map(|member| member.name);
    let mut help = format!("families: {}", families.join(", "));
    if let Some(known) = meant(name, members.chain(all.iter().map(|family| family.name))) {
        help = format!("did you mean `{known}`? Families: {}", families.join(", "));
    }
    Err(miette!(help = help, "there is no family `{name}`, and no name that contains it"))
}

/// The members of a family whose names contain a text; none where no name does.
fn part_named(family: &FamilyListing, text: &str) -> Option<FamilyListing> {
    let mut part =
        FamilyListing { name: family.name, about: family.about, members: Vec::new(), scores: Vec::new() };
    for member in &family.members {
        if member.name.contains(text) {
            part.members.push(*member);
            // The score of a technique has the same index as the technique.
            part.scores.extend(family.score(member));
        }
    }
    (!part.members.is_empty() && !text.is_empty()).then_some(part)
}

/// The name of a family that was asked for in the plural, `techniques`.
fn singular(name: &str) -> &str {
    name.strip_suffix('s').unwrap_or(name)
}

/// A family for people: its members, their parameters, and where they are described.
fn text(family: &FamilyListing, view: &View) -> String {
    let by_encoding = family.by_encoding();
    let mut columns = vec![Column::words("name", "name"), Column::words("what it does", "about")];
    if by_encoding {
        columns.push(Column::words("encodings", "encodings"));
    }
    if !family.scores.is_empty() {
        columns.push(Column::words("score", "score"));
    }
    let mut members = Table::new(columns).whole();
    let mut params = Table::new([
        Column::words("of", "of"),
        Column::words("key", "key"),
        Column::words("default", "default"),
        Column::words("values and meaning", "takes"),
    ])
    .whole();
    let mut sources = String::new();
    for member in &family.members {
        let mut cells = vec![Cell::words(member.name).strong(), Cell::words(member.about)];
        if by_encoding {
            let all = member.encodings.is_empty();
            cells.push(Cell::words(if all { "all".to_owned() } else { member.encodings.join(", ") }));
        }
        cells.extend(family.score(member).map(|score| Cell::words(score.to_string())));
        members.push(cells);
        let mut of = Cell::words(member.name).strong();
        for param in member.params {
            let [key, mut default, takes, about] = param_texts(param);
            let mut meaning = format!("{takes}; {about}");
            // A default that depends on the encoding would leave no room for the meaning.
            if default.contains("; on ") || default.contains(" or ") {
                meaning += &format!("; default: {default}");
                default = format!("{} …", default.split([';', ' ']).next().unwrap_or_default());
            }
            // Only the first parameter stands beside the name of its member.
            params.push([
                std::mem::take(&mut of),
                Cell::words(key),
                Cell::words(default),
                Cell::words(meaning),
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
    for family in listed {
        for member in &family.members {
            let encodings = family.encodings(member).unwrap_or_default().join(" ");
            let score = family.score(member).map_or_else(String::new, |score| score.to_string());
            table.push([
                Cell::words(family.name),
                Cell::words(member.name),
                Cell::words(member.about),
                Cell::words(encodings),
                Cell::words(member.source),
                Cell::words(score),
            ]);
        }
    }
    table
}

/// All parameters for programs.
fn params(listed: &[FamilyListing]) -> Table {
    let columns = ["family", "name", "key", "default", "takes", "about"];
    let mut table = Table::new(columns.map(|name| Column::words(name, name)));
    for family in listed {
        for member in &family.members {
            for param in member.params {
                let mut cells = vec![Cell::words(family.name), Cell::words(member.name)];
                cells.extend(param_texts(param).map(Cell::words));
                table.push(cells);
            }
        }
    }
    table
}

fn json_lines(family: &FamilyListing) -> String {
    family.members.iter().map(|member| format!("{}\n", family.json(member))).collect()
}
