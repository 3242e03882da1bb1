//! The table, or its length, for people and for programs.
//!
//! `{"query":{…},"multisets":[[…]…],"count":…,"complete":…}`, written while it grows; with `--count` without the lists.
//! `complete` is false when a signal ended it, and an unknown count is then null.

use std::fmt::Write;

use miette::Report;

use super::super::output::Output;
use super::wish::{Wish, refused};

/// Lists the multisets as they are found; says whether there is any.
pub(super) fn list(
    wish: &Wish,
    as_json: bool,
    output: &mut Output,
    cut: &mut dyn FnMut() -> bool,
) -> Result<bool, Report> {
    let mut line = String::new();
    let mut count = 0u128;
    let whole = each(wish, cut, &mut |parts| {
        line.clear();
        match (as_json, count) {
            (false, _) => {}
            (true, 0) => line = opened(wish),
            (true, _) => line.push(','),
        }
        push(&mut line, parts, as_json);
        output.write(&line)?;
        count += 1;
        // Whoever reads along sees the first at once.
        if count == 1 { output.flush() } else { Ok(()) }
    })?;
    if as_json {
        let open = if count == 0 { opened(wish) } else { String::new() };
        output.write(&format!("{open}],\"count\":{count},\"complete\":{whole}}}\n"))?;
    }
    Ok(count > 0)
}

/// Writes how many there are; says whether there is any.
pub(super) fn count(
    wish: &Wish,
    as_json: bool,
    output: &mut Output,
    cut: &mut dyn FnMut() -> bool,
) -> Result<bool, Report> {
    let count = counted(wish, cut)?;
    let known = count.map_or("null".to_owned(), |count| count.to_string());
    if as_json {
        let whole = count.is_some();
        output.write(&format!("{{\"query\":{},\"count\":{known},\"complete\":{whole}}}\n", wish.json()))?;
    } else if count.is_some() {
        output.write(&format!("{known}\n"))?;
    }
    Ok(count != Some(0))
}

/// How many there are; nothing when it was cut short. Those that fit a shape are counted one by one.
fn counted(wish: &Wish, cut: &mut dyn FnMut() -> bool) -> Result<Option<u128>, Report> {
    if wish.shape.is_none() {
        return wish.query.count(cut).map_err(refused);
    }
    let mut count = 0u128;
    let whole = each(wish, cut, &mut |_| {
        count += 1;
        Ok(())
    })?;
    Ok(whole.then_some(count))
}

/// Hands every multiset that fits to `take`; says whether it was not cut short.
fn each(
    wish: &Wish,
    cut: &mut dyn FnMut() -> bool,
    take: &mut dyn FnMut(&[u64]) -> Result<(), Report>,
) -> Result<bool, Report> {
    let mut multisets = wish.query.multisets().map_err(refused)?;
    while let Some(parts) = multisets.next(cut) {
        match wish.shape.as_ref().map_or(Some(true), |shape| shape.fits(parts, cut)) {
            Some(true) => take(parts)?,
            Some(false) => {}
            None => return Ok(false),
        }
    }
    Ok(!cut())
}

fn opened(wish: &Wish) -> String {
    format!("{{\"query\":{},\"multisets\":[", wish.json())
}

fn push(line: &mut String, parts: &[u64], as_json: bool) {
    let (open, close) = if as_json { ("[", "]") } else { ("", "\n") };
    *line += open;
    for (index, part) in parts.iter().enumerate() {
        let comma = if index > 0 { "," } else { "" };
        write!(line, "{comma}{part}").expect("a string can be written to");
    }
    *line += close;
}
