//! What a report does in a browser: modules as they are served, and joined into one script.

/// The style of what the script makes.
pub(super) const STYLE: &str = include_str!("script/script.css");

/// The files by their names: modules, each after those that it imports, and the style sheets of a report.
pub const SCRIPTS: &[(&str, &str)] = &[
    ("report/dom.js", include_str!("script/dom.js")),
    ("report/tables.js", include_str!("script/tables.js")),
    ("report/filters.js", include_str!("script/filters.js")),
    ("report/download.js", include_str!("script/download.js")),
    ("report/legends.js", include_str!("script/legends.js")),
    ("report/axes.js", include_str!("script/axes.js")),
    ("report/curves.js", include_str!("script/curves.js")),
    ("report/charts.js", include_str!("script/charts.js")),
    ("report/begin.js", include_str!("script/begin.js")),
    ("report/script.css", STYLE),
    ("report/page.css", super::PAGE_STYLE),
];

/// The modules as one script that begins with the whole page: without comments on their own lines, imports and exports.
pub(super) fn joined() -> String {
    let modules = SCRIPTS.iter().filter(|(name, _)| name.ends_with(".js"));
    let lines = modules.flat_map(|(_, text)| text.lines());
    let mut script = String::from("(() => {\n'use strict';\n");
    let mut is_comment = false;
    for line in lines {
        let bare = line.trim();
        // A type before code in brackets is not on a line of its own.
        is_comment |=
            bare.starts_with("/**") && bare.split_once("*/").is_none_or(|(_, code)| code.is_empty());
        if !is_comment && !bare.is_empty() && !bare.starts_with("//") && !bare.starts_with("import ") {
            script += line.strip_prefix("export ").unwrap_or(line).trim_end();
            script.push('\n');
        }
        is_comment &= !bare.ends_with("*/");
    }
    script + "begin(document.body);\n})();\n"
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_joined_script_imports_nothing_and_declares_each_name_once() {
        let script = joined();
        let words = ["import ", "export ", "</", "//"];
        assert!(words.iter().all(|word| !script.contains(word)), "{script}");
        let mut names: Vec<&str> = script
            .lines()
            .filter_map(|line| {
                ["function ", "class ", "const "].iter().find_map(|word| line.strip_prefix(word))
            })
            .filter_map(|rest| rest.split(|c: char| !c.is_alphanumeric()).next())
            .collect();
        assert!(names.contains(&"begin") && names.len() > 10, "{names:?}");
        let count = names.len();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), count, "{names:?}");
    }

    #[test]
    fn every_module_is_named_after_those_that_it_imports() {
        for (index, (name, text)) in SCRIPTS.iter().enumerate() {
            for line in text.lines().filter(|line| line.starts_with("import ")) {
                let (_, path) = line.split_once("'./").expect("a module beside it");
                let wanted = format!("report/{}", path.trim_end_matches("';"));
                assert!(SCRIPTS[..index].iter().any(|(other, _)| *other == wanted), "{name}: {line}");
            }
        }
    }
}
