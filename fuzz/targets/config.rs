//! Any text as a configuration: reading never panics, errors show a place, and what is accepted is resolved into what reads
//! back as itself.

#![no_main]

use kenga::experiment::{Config, ConfigError, ConfigDraft, Settings};
use libfuzzer_sys::fuzz_target;
use miette::GraphicalReportHandler;

/// Settings of a sweep that are looked at.
const FEW: usize = 20;

fuzz_target!(|bytes: &[u8]| {
    let Ok(text) = std::str::from_utf8(bytes) else { return };
    match settings(text) {
        Ok(settings) => settings.all.iter().take(FEW).for_each(|setting| examine(&setting.config)),
        Err(error) => {
            let mut shown = String::new();
            GraphicalReportHandler::new().render_report(&mut shown, &error).expect("it renders");
        }
    }
});

/// The text up to a line of `===` is the file; every line behind it is laid over it as `--set` does.
fn settings(text: &str) -> Result<Settings, ConfigError> {
    let (file, sets) = text.split_once("\n===\n").unwrap_or((text, ""));
    let mut draft = ConfigDraft::read("fuzz.toml", file)?;
    for line in sets.lines().take(8) {
        draft.set(line)?;
    }
    draft.settings()
}

fn examine(config: &Config) {
    let again = Config::from_json(&config.resolved.as_json()).unwrap_or_else(|error| panic!("{error}: {:?}", config.resolved));
    assert_eq!(again.resolved, config.resolved);
    assert_eq!((again.seed, again.replicates), (config.seed, config.replicates));
    assert_eq!(again.deciding(), config.deciding());
}
