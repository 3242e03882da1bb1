//! `CITATION.cff`: how to cite the study. Source: Citation File Format 1.2.0, doi:10.5281/zenodo.5171937.

use super::AboutStudy;
use super::author::AuthorName;

pub(super) fn text(about: &AboutStudy) -> String {
    let mut text = format!(
        "cff-version: 1.2.0\nmessage: \"If you use this study, please cite it as below.\"\ntype: dataset\ntitle: {}\nauthors:\n",
        quoted(&about.title)
    );
    if about.authors.is_empty() {
        text += "  - name: anonymous\n";
    }
    for author in &about.authors {
        text += &match &author.name {
            AuthorName::Person { family, given } => {
                format!("  - family-names: {}\n    given-names: {}\n", quoted(family), quoted(given))
            }
            AuthorName::Group(name) => format!("  - name: {}\n", quoted(name)),
        };
        text += &author
            .orcid
            .as_deref()
            .map_or_else(String::new, |orcid| format!("    orcid: {}\n", quoted(orcid)));
    }
    text += &line("license", about.license.as_deref());
    text += &line("date-released", about.date.as_deref());
    text + &format!(
        "references:\n  - type: software\n    title: \"kenga: a laboratory for metaheuristics that knows the answer\"\n    version: {}\n    authors:\n      - name: \"The kenga authors\"\n",
        env!("CARGO_PKG_VERSION")
    )
}

fn line(key: &str, value: Option<&str>) -> String {
    value.map_or_else(String::new, |value| format!("{key}: {}\n", quoted(value)))
}

/// A text of YAML, which reads those of JSON.
fn quoted(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn persons_have_two_names_and_nothing_is_made_up() {
        let about = AboutStudy {
            title: "A \"study\": 1".to_owned(),
            authors: ["Lovelace, Ada (0000-0002-1825-0097)", "A Group"]
                .map(|one| one.parse().expect("an author"))
                .into(),
            ..AboutStudy::default()
        };
        let found = text(&about);
        assert!(found.contains("title: \"A \\\"study\\\": 1\"\n"), "{found}");
        assert!(found.contains("family-names: \"Lovelace\"\n    given-names: \"Ada\"\n"), "{found}");
        assert!(found.contains("    orcid: \"https://orcid.org/0000-0002-1825-0097\"\n"), "{found}");
        assert!(found.contains("  - name: \"A Group\"\n") && !found.contains("license"), "{found}");
        assert!(text(&AboutStudy::default()).contains("  - name: anonymous\n"));
    }
}
