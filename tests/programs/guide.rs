//! The documentation that the program carries.

use crate::lab::{Lab, refused, well};

#[test]
fn the_pages_are_listed_in_the_parts_of_the_documentation() {
    let lab = Lab::new();
    let listed = well(&lab, "guide");
    for part in ["Start\n", "Guides\n", "Concepts\n", "Reference\n"] {
        assert!(listed.contains(part), "{listed}");
    }
    assert!(
        listed.contains("  sweeps ") && listed.lines().all(|line| line.chars().count() <= 80),
        "{listed}"
    );
}

#[test]
fn a_page_is_shown_readable_and_as_it_is_written() {
    let lab = Lab::new();
    let page = well(&lab, "guide sweeps");
    let prose = page.lines().filter(|line| !line.starts_with("  ") && !line.contains("://"));
    assert!(prose.clone().count() > 50 && prose.clone().all(|line| line.chars().count() <= 80), "{page}");
    assert!(page.starts_with("# Sweeps and comparisons\n") && !page.contains("<!--"), "{page}");
    assert_eq!(well(&lab, "guide sweeps --markdown"), include_str!("../../docs/sweeps.md"));
    assert_eq!(well(&lab, "guide sweeps.md"), page);
}

#[test]
fn a_command_leads_to_its_page() {
    let lab = Lab::new();
    assert_eq!(well(&lab, "guide compare"), well(&lab, "guide sweeps"));
    assert!(well(&lab, "guide tune").starts_with("# Tuning\n"));
    for command in ["run", "solve", "sweep plan"] {
        let help = well(&lab, &format!("{command} --help"));
        let last = help.lines().last().expect("a line");
        assert!(last.starts_with("Guide: kenga guide "), "{last}");
    }
}

#[test]
fn an_unknown_page_is_refused_with_the_nearest() {
    let said = refused(&Lab::new(), "guide sweep-s");
    assert!(
        said.contains("the guide has no page `sweep-s`") && said.contains("did you mean `sweep"),
        "{said}"
    );
}

#[test]
fn help_lists_the_commands_in_groups_whoever_asks() {
    let lab = Lab::new();
    let help = well(&lab, "--help");
    assert_eq!(well(&lab, "help"), help);
    // One line a command.
    let bare = lab.kenga(&[]);
    assert_eq!((bare.code, bare.stdout.as_str()), (2, ""));
    let (_, groups) = help.split_once("Start here:").expect("groups");
    let (groups, _) = groups.split_once("Options:").expect("options behind them");
    assert!(bare.stderr.contains(groups), "{}", bare.stderr);
    assert_eq!(groups.lines().filter(|line| line.starts_with("   ")).count(), 0, "{groups}");
}

#[test]
fn the_lesson_begins_with_its_folder_and_names_the_files_in_it() {
    let lab = Lab::new();
    let page = well(&lab, "guide teaching --markdown");
    let commands: Vec<&str> = page
        .lines()
        .map(|line| line.trim_start_matches("$ "))
        .filter(|line| line.starts_with("kenga "))
        .collect();
    assert!(commands[0].starts_with("kenga init class --for lesson"), "{commands:?}");
    well(&lab, "init class --for lesson");
    for command in commands {
        for word in
            command.split_whitespace().filter(|word| word.ends_with(".toml") || word.ends_with(".txt"))
        {
            assert!(lab.path(&format!("class/{word}")).exists() || command.contains("init"), "{command}");
        }
    }
}

/// A page on a terminal whose PAGER is a program that shows nothing, and one that does.
#[cfg(unix)]
#[test]
fn a_pager_that_fails_leaves_the_text_to_kenga() {
    let lab = Lab::new();
    let Some(shell) = crate::shell::Shell::start(&lab, "pager") else { return };
    let kenga = lab.command(&[]).get_program().to_string_lossy().into_owned();
    // As git does: without a pager where the name is empty, and nothing where the pager shows nothing.
    shell.line(&format!("clear; PAGER=true TERM=xterm {kenga} guide index; echo ended $?"));
    shell.wait("the end alone", |screen| {
        screen.contains("ended 0") && screen.lines().filter(|line| !line.trim().is_empty()).count() <= 3
    });
    for pager in ["false", "no-such-program", "cat", "''"] {
        shell.line(&format!("clear; PAGER={pager} TERM=xterm {kenga} guide index; echo ended $?"));
        shell.wait("the page and its end", |screen| {
            screen.contains("ended 0") && screen.lines().filter(|line| !line.trim().is_empty()).count() > 10
        });
    }
}
