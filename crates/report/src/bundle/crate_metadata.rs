//! `ro-crate-metadata.json`: the files of the study and how they came about, for machines.
//!
//! Source: S. Soiland-Reyes and others 2022, Packaging research artefacts with RO-Crate, doi:10.3233/DS-210053; version 1.2 of
//! the specification, doi:10.5281/zenodo.13751027.

use serde_json::{Map, Value, json};

use super::author::{Author, AuthorName};
use super::{AboutStudy, KENGA, Listed, Packed};

const CONTEXT: &str = "https://w3id.org/ro/crate/1.2/context";
const SPECIFICATION: &str = "https://w3id.org/ro/crate/1.2";

pub(super) fn text(folders: &[Packed], about: &AboutStudy, all: &[Listed<'_>]) -> String {
    let mut graph = vec![
        json!({
            "@id": "ro-crate-metadata.json",
            "@type": "CreativeWork",
            "about": id("./"),
            "conformsTo": id(SPECIFICATION),
        }),
        root(folders, about, all),
        software(),
    ];
    for (index, one) in about.authors.iter().enumerate() {
        graph.push(author(index, one));
    }
    graph.extend(about.license.as_deref().map(license));
    for folder in folders {
        graph.extend([dataset(folder, all), action(folder)]);
    }
    graph.extend(all.iter().map(file));
    let text = json!({ "@context": CONTEXT, "@graph": graph });
    format!("{}\n", serde_json::to_string_pretty(&text).expect("maps with text keys can be written"))
}

fn id(text: &str) -> Value {
    json!({ "@id": text })
}

/// A list, or the only value of one.
fn list(mut values: Vec<Value>) -> Value {
    // JSON-LD in its compact form, which RO-Crate asks for, has no lists of one.
    if values.len() == 1 { values.remove(0) } else { Value::Array(values) }
}

fn root(folders: &[Packed], about: &AboutStudy, all: &[Listed<'_>]) -> Value {
    let mut parts = Vec::new();
    for file in all {
        // Those of a folder are its parts.
        if !file.name.starts_with("results/") {
            parts.push(id(file.name));
        }
    }
    parts.extend(folders.iter().map(|folder| id(&path(folder))));
    let mut root = Map::new();
    let mut put = |key: &str, value: Value| root.insert(key.to_owned(), value);
    put("@id", "./".into());
    put("@type", "Dataset".into());
    put("name", about.title.clone().into());
    put("description", format!("{}: runs of metaheuristics on puzzles by {KENGA}, with configurations, report and a script that repeats them", about.title).into());
    if let Some(date) = &about.date {
        put("datePublished", date.clone().into());
    }
    if let Some(license) = &about.license {
        put("license", id(&spdx(license)));
    }
    if !about.authors.is_empty() {
        let mut authors = Vec::new();
        for (index, author) in about.authors.iter().enumerate() {
            authors.push(id(&author_id(index, author)));
        }
        put("author", list(authors));
    }
    put("hasPart", list(parts));
    put("mentions", list(folders.iter().map(|one| id(&action_id(one))).collect()));
    Value::Object(root)
}

/// The program. The specification wants an address of software; without one it is described as any other work.
fn software() -> Value {
    let mut software = json!({
        "@id": "#kenga",
        "@type": "CreativeWork",
        "name": "kenga",
        "description": "The program that made the results: a laboratory for metaheuristics that knows the answer",
        "version": env!("CARGO_PKG_VERSION"),
    });
    // RO-Crate wants the address of software: without one it is a work like any other.
    if !env!("CARGO_PKG_REPOSITORY").is_empty() {
        software["@type"] = "SoftwareApplication".into();
        software["url"] = env!("CARGO_PKG_REPOSITORY").into();
    }
    software
}

fn author_id(index: usize, author: &Author) -> String {
    author.orcid.clone().unwrap_or_else(|| format!("#author-{}", index + 1))
}

fn author(index: usize, author: &Author) -> Value {
    let own = author_id(index, author);
    match &author.name {
        AuthorName::Person { family, given } => json!({
            "@id": own,
            "@type": "Person",
            "name": format!("{given} {family}"),
            "familyName": family,
            "givenName": given,
        }),
        AuthorName::Group(name) => json!({ "@id": own, "@type": "Organization", "name": name }),
    }
}

fn spdx(license: &str) -> String {
    format!("https://spdx.org/licenses/{license}")
}

fn license(license: &str) -> Value {
    json!({
        "@id": spdx(license),
        "@type": "CreativeWork",
        "name": license,
        "description": format!("The licence {license} of the SPDX list"),
    })
}

/// The path of a folder in the bundle.
fn path(folder: &Packed) -> String {
    format!("results/{}/", folder.name)
}

fn action_id(folder: &Packed) -> String {
    format!("#run-{}", folder.name)
}

fn dataset(folder: &Packed, all: &[Listed<'_>]) -> Value {
    let path = path(folder);
    let parts = all.iter().filter(|one| one.name.starts_with(&path)).map(|one| id(one.name));
    json!({
        "@id": path,
        "@type": "Dataset",
        "name": folder.name,
        "description": format!("{} runs, with the puzzles and everything recorded of them", folder.runs),
        "hasPart": list(parts.collect()),
    })
}

/// The runs that made a folder.
fn action(folder: &Packed) -> Value {
    json!({
        "@id": action_id(folder),
        "@type": "CreateAction",
        "name": folder.action(),
        "instrument": id("#kenga"),
        "object": [id(&format!("configs/{}.toml", folder.name)), id(&format!("{}puzzles.jsonl", path(folder)))],
        "result": id(&path(folder)),
    })
}

fn file(one: &Listed<'_>) -> Value {
    json!({
        "@id": one.name,
        "@type": "File",
        "name": one.name.rsplit('/').next().unwrap_or_default(),
        "description": about(one.name),
        "encodingFormat": format_of(one.name),
        "contentSize": one.size.to_string(),
    })
}

/// The media type of a file by its ending.
fn format_of(name: &str) -> &'static str {
    match name.rsplit('.').next().unwrap_or_default() {
        "csv" => "text/csv",
        "gz" => "application/gzip",
        "html" => "text/html",
        "json" => "application/json",
        "jsonl" => "application/jsonl",
        "md" => "text/markdown",
        "pdf" => "application/pdf",
        "sh" => "application/x-sh",
        "svg" => "image/svg+xml",
        "tex" => "application/x-tex",
        "toml" => "application/toml",
        "cff" => "application/yaml",
        _ => "text/plain",
    }
}

fn about(name: &str) -> &'static str {
    match name.split('/').collect::<Vec<_>>()[..] {
        ["configs", _] => "a configuration that kenga runs",
        ["figures", _] => "a figure of the report",
        ["tables", _] => "what kenga compare prints",
        ["results", _, "runs.csv"] => "one row per run",
        ["results", _, "convergence.csv" | "convergence.csv.gz"] => "the best fitness over calls",
        ["results", _, "puzzles.jsonl"] => "the puzzles",
        ["results", _, "manifest.json"] => "the configuration as it was resolved",
        ["results", ..] => "a file of a results folder",
        ["report.html"] => "the report, one page",
        ["repeat.sh"] => "a script that repeats all runs and compares the bytes",
        ["README.md"] => "what is in the bundle",
        ["CITATION.cff"] => "how to cite it",
        ["versions.txt"] => "the version of kenga",
        _ => "a file of the bundle",
    }
}
