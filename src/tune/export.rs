//! A candidate as a configuration file.

use crate::experiment::Config;

use super::folder::PUZZLES;

/// The TOML of a configuration as resolved, on the puzzles of the folder of its tuning; each line of `head` is a comment above.
pub fn config_toml(config: &Config, head: &str) -> String {
    let mut object = config.resolved.object();
    object.insert("puzzles".to_owned(), serde_json::json!([PUZZLES]));
    let body = toml::to_string(&object).expect("a resolved configuration has no null");
    let comments: String = head.lines().map(|line| format!("# {line}\n")).collect();
    format!("{comments}\n{body}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::experiment::Draft;

    #[test]
    fn a_configuration_is_read_as_it_was_written() {
        let text = "budget = {evaluations = 9, moves = 1}\npropagate = true\nalgorithm = {name = 'portfolio', stages = \
                    ['breakout', {name = 'annealing', near = 0.8}]}\nfitness.weights.cage = 3";
        let read = |text: &str| Draft::read("x.toml", text).and_then(Draft::finish).expect("it is sound");
        let config = read(text);
        let again = config_toml(&config, "one\ntwo");
        assert!(again.starts_with("# one\n# two\n\n"), "{again}");
        assert_eq!(read(&again).deciding(), config.deciding());
    }
}
