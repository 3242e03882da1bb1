//! No member of a family is named outside its file and its table: what the code needs to know of a member, the member
//! says.

use kenga::search::families;

use crate::layers::house;

/// Words that are names of members and mean something else too, and what.
const OTHER_WORDS: [(&[&str], &str); 11] = [
    (&["cage", "cages", "cells", "row", "rows"], "what puzzles consist of: keys of formats, roles, terms"),
    (&["none", "plus", "power"], "aliases of clue operators and values of formats"),
    (&["complete", "order", "rank", "step", "stalled"], "keys and columns of results"),
    (&["geometric", "linear"], "scales of axes, cooling of annealing"),
    (&["conflict"], "a step of the exact search"),
    (&["edges"], "a key of graphs"),
    (&["force"], "the option that overwrites"),
    (&["fixed", "random", "tournament"], "choices of a parameter: givens, migrants"),
    (&["redraw", "swap"], "what a move of a local search does"),
    (&["adaptive"], "a walk that makes improving moves"),
    (&["values", "permutation"], "keys of formats and of problems of one's own"),
];

/// Calls whose texts declare a parameter, its default or the encodings of a member, or read a parameter back.
const DECLARATIONS: [&str; 9] = [
    "Param::member(",
    "Param::fitting(",
    "Param::choice(",
    "Param::new(",
    "DefaultValue::Texts(",
    ".encodings(",
    "on_problems(",
    "restart(",
    "Defaults {",
];

#[test]
fn no_member_is_named_outside_its_file_and_its_table() {
    let sources = house();
    let mut found = Vec::new();
    for (path, text) in
        sources.iter().filter(|(path, _)| !path.ends_with("/tests.rs") && !path.contains("/testing/"))
    {
        let code = text.split("#[cfg(test)]\nmod tests").next().unwrap_or(text);
        let code: String = code.lines().filter(|line| !line.trim_start().starts_with("//")).collect();
        let code = without_declarations(&code);
        for member in families().iter().flat_map(|family| family.members()) {
            let is_other_word = OTHER_WORDS.iter().any(|(words, _)| words.contains(&member.name));
            let is_own = path.ends_with(&format!("/{}.rs", member.name))
                || path.ends_with(&format!("/{}/mod.rs", member.name));
            if !is_other_word && !is_own && code.contains(&format!("\"{}\"", member.name)) {
                found.push(format!("{path} names `{}`", member.name));
            }
        }
    }
    assert!(found.is_empty(), "{}", found.join("\n"));
}

/// Files that round for machines: coordinates, files that programs read.
const FOR_MACHINES: [&str; 3] =
    ["crates/report/src/graphic/", "crates/report/src/network.rs", "crates/report/src/prose.rs"];

#[test]
fn numbers_that_people_read_are_rounded_in_one_place() {
    let mut found = Vec::new();
    for (path, text) in house() {
        let is_for_people = path.starts_with("crates/report/src/");
        if !is_for_people || FOR_MACHINES.iter().any(|one| path.starts_with(one)) {
            continue;
        }
        let code = text.split("#[cfg(test)]\nmod tests").next().unwrap_or(&text);
        for (index, line) in code.lines().enumerate() {
            if has_decimals(line) {
                found.push(format!("{path}:{}: use `decimal` of prose.rs: {}", index + 1, line.trim()));
            }
        }
    }
    assert!(found.is_empty(), "{}", found.join("\n"));
}

/// Whether a line has a format that rounds: `{:.2}`, `{share:6.1}`, `{:.decimals$}`.
fn has_decimals(line: &str) -> bool {
    line.split('{').skip(1).any(|rest| {
        let format = rest.split('}').next().and_then(|inside| inside.split_once(':'));
        format.is_some_and(|(name, how)| {
            let is_name = name.chars().all(|letter| letter.is_alphanumeric() || letter == '_');
            let decimals =
                how.trim_start_matches(|sign: char| "<>^+0123456789".contains(sign)).strip_prefix('.');
            is_name
                && decimals.is_some_and(|decimals| {
                    decimals.chars().all(|sign| sign.is_alphanumeric() || "_$*".contains(sign))
                })
        })
    })
}

/// The code without the arguments of [`DECLARATIONS`].
fn without_declarations(code: &str) -> String {
    let mut rest = code;
    let mut left = String::new();
    while let Some(start) = DECLARATIONS.iter().filter_map(|call| rest.find(call)).min() {
        left += &rest[..start];
        let after = &rest[start..];
        let open = after.find(['(', '{']).expect("each opens something");
        rest = &after[open + closing(&after[open..])..];
    }
    left + rest
}

/// Where the bracket that the text begins with is closed.
fn closing(text: &str) -> usize {
    let mut depth = 0;
    for (index, c) in text.char_indices() {
        depth += i32::from(matches!(c, '(' | '{' | '[')) - i32::from(matches!(c, ')' | '}' | ']'));
        if depth == 0 {
            return index + 1;
        }
    }
    text.len()
}

#[test]
fn the_page_on_extensions_lists_every_constructor_of_parameters() {
    let source = include_str!("../../crates/base/src/spec/param.rs");
    let page = include_str!("../../docs/extend.md");
    let listed =
        page.split("\n## Parameters\n").nth(1).and_then(|rest| rest.split("\n## ").next()).expect("a list");
    let methods = source.split("\nimpl Param {\n").nth(1).expect("the constructors");
    let mut seen = 0;
    for line in methods.split("\n}\n").next().expect("an end").lines() {
        let Some(rest) = line.strip_prefix("    pub const fn ") else { continue };
        let name = rest.split(['(', '<']).next().expect("a name");
        let is_listed = ["`", "Param::", "`."].iter().any(|before| {
            listed.split(before).skip(1).any(|after| after.split(['`', '(']).next() == Some(name))
        });
        assert!(is_listed, "docs/extend.md does not list Param::{name}");
        seen += 1;
    }
    assert!(seen > 10, "the constructors are found");
}
