//! Names that any file system accepts.

use std::collections::BTreeSet;

/// The longest name in bytes.
const LONGEST: usize = 100;

/// Makes distinct names that any file system accepts.
#[derive(Default)]
pub struct Names(BTreeSet<String>);

impl Names {
    /// A name like `text`, of ASCII letters, digits, `.`, `-` and `_`, which differs from earlier ones even without regard to
    /// case.
    pub fn like(&mut self, text: &str) -> String {
        let safe = safe(text);
        let mut name = safe.clone();
        let mut number = 1;
        while !self.0.insert(name.to_lowercase()) {
            number += 1;
            name = format!("{safe}-{number}");
        }
        name
    }
}

/// The text with `_` in place of characters that a file system may refuse.
fn safe(text: &str) -> String {
    let mut name = String::new();
    for c in text.chars() {
        match c {
            _ if name.len() >= LONGEST => break,
            c if c.is_ascii_alphanumeric() || c == '-' || c == '.' => name.push(c),
            _ if name.ends_with('_') => {}
            _ => name.push('_'),
        }
    }
    // What begins with a hyphen would be an option.
    match name.trim_end_matches(['_', '.']).trim_start_matches(['_', '.', '-']) {
        "" => "unnamed".to_owned(),
        name => name.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_file_system_may_not_take_is_replaced() {
        let shown = |text| Names::default().like(text);
        assert_eq!(shown("a b/c\\d\"e'f"), "a_b_c_d_e_f");
        assert_eq!(shown("../../etc/passwd"), "etc_passwd");
        assert_eq!(shown("ключ"), "unnamed");
        assert_eq!(shown("größe 4x4"), "gr_e_4x4");
        assert_eq!(shown("rate = 0.02, population = 20"), "rate_0.02_population_20");
        assert_eq!(shown(""), "unnamed");
        assert_eq!(shown("-x"), "x");
        assert_eq!(shown(&"a".repeat(500)).len(), LONGEST);
    }

    #[test]
    fn names_are_different_without_capital_letters() {
        let mut names = Names::default();
        let all: Vec<String> = ["a b", "a_b", "A/B", "a_b-2"].iter().map(|text| names.like(text)).collect();
        assert_eq!(all, ["a_b", "a_b-2", "A_B-3", "a_b-2-2"]);
    }
}
