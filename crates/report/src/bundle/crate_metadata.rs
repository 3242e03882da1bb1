//! `ro-crate-metadata.json`: title, authors, licence and files of the study, for machines.
//!
//! Source: S. Soiland-Reyes and others 2022, Packaging research artefacts with RO-Crate, doi:10.3233/DS-210053; version 1.2 of
//! the specification, doi:10.5281/zenodo.13751027.

use serde_json::{Value, json};

use super::author::{Author, AuthorName};
use super::{AboutStudy, KENGA, Listed};

const CONTEXT: &str = "https://w3id.org/ro/crate/1.2/context";
const SPECIFICATION: &str = "https://w3id.org/ro/crate/1.2";

/// The metadata of a bundle with these files: all that the specification requires.
pub(super) fn text(about: &AboutStudy, all: &[Listed<'_>]) -> String {
    let mut graph = vec![
        json!({
            "@id": "ro-crate-metadata.json",
            "@type": "CreativeWork",
            "about": id("./"),
            "conformsTo": id(SPECIFICATION),
        }),
        root(about, all),
    ];
    for (index, one) in about.authors.iter().enumerate() {
        graph.push(author(index, one));
    }
    graph.extend(about.license.as_deref().map(license));
    for file in all {
        graph.push(json!({ "@id": file.name, "@type": "File", "contentSize": file.size.to_string() }));
    }
    let text = json!({ "@context": CONTEXT, "@graph": graph });
    format!("{}\n", serde_json::to_string_pretty(&text).expect("maps with text keys can be written"))
}

fn id(text: &str) -> Value {
    json!({ "@id": text })
}

/// A list, or the only value of one: JSON-LD in its compact form, which RO-Crate asks for, has no lists of one.
fn list(mut values: Vec<Value>) -> Value {
    if values.len() == 1 { values.remove(0) } else { Value::Array(values) }
}

fn root(about: &AboutStudy, all: &[Listed<'_>]) -> Value {
    let title = &about.title;
    let mut root = json!({
        "@id": "./",
        "@type": "Dataset",
        "name": title,
        "description": format!("{title}: runs of metaheuristics on puzzles by {KENGA}, with configurations, report and a script that repeats them"),
    });
    if let Some(date) = &about.date {
        root["datePublished"] = json!(date);
    }
    if let Some(license) = &about.license {
        root["license"] = id(&spdx(license));
    }
    if !about.authors.is_empty() {
        let mut authors = Vec::new();
        for (index, author) in about.authors.iter().enumerate() {
            authors.push(id(&author_id(index, author)));
        }
        root["author"] = list(authors);
    }
    root["hasPart"] = list(all.iter().map(|file| id(file.name)).collect());
    root
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
