//! `kenga guide`: the documentation, without a network.

mod markdown;
mod pages;

use miette::{Report, miette};

use super::COMMANDS;
use super::io::exit::CommandResult;
use super::io::{pager, terminal};
use kenga_core::text::{BOLD, PLAIN, meant};
use kenga_report::{View, wrap};
pub(super) use pages::page;
use pages::{GuidePage, GuidePart, PAGES};

/// Show a page of the documentation, without a network
///
/// Without TOPIC, lists the pages. In a page, `[sweeps]` behind a link names the page that it leads to: `kenga guide sweeps`.
/// On a terminal a page is shown by the program that PAGER names, else by less; an empty PAGER shows it
/// as it is.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  kenga guide               the pages, with the question that each answers
  kenga guide sweeps        one of them
  kenga guide compare       the page about a command
  kenga guide formats | grep -i sudoku")]
pub(super) struct Args {
    /// A page, or a command
    topic: Option<String>,
    /// Print the page as it is written, in Markdown
    #[arg(long, requires = "topic")]
    markdown: bool,
}

pub(super) fn run(args: &Args) -> CommandResult {
    let view = View { width: terminal::columns_of_help(), ..terminal::view() };
    let Some(topic) = &args.topic else {
        return pager::show(&contents(&view));
    };
    let page = find(topic)?;
    if args.markdown {
        return pager::show(page.text);
    }
    pager::show(&markdown::shown(page.text, &view))
}

/// The page of a topic, or that of a command.
fn find(topic: &str) -> Result<&'static GuidePage, Report> {
    let topic = topic.trim_end_matches(".md");
    if let Some(found) = page(topic) {
        return Ok(found);
    }
    if let Some(command) = COMMANDS.iter().find(|command| command.name == topic) {
        return Ok(page(command.page).expect("a test finds the page of every command"));
    }
    let topics = PAGES.iter().map(|page| page.topic);
    let mut help = "`kenga guide` lists the pages".to_owned();
    if let Some(meant) = meant(topic, topics.chain(COMMANDS.iter().map(|command| command.name))) {
        help = format!("did you mean `{meant}`? {help}");
    }
    Err(miette!(help = help, "the guide has no page `{topic}`"))
}

/// The column in which the question of a page begins.
const QUESTION: usize = 22;

/// The pages in their parts, each with its question.
fn contents(view: &View) -> String {
    let mut text = String::new();
    for part in GuidePart::ALL {
        let heading = format!("{part:?}");
        text += &if view.colour { format!("{BOLD}{heading}{PLAIN}\n") } else { format!("{heading}\n") };
        for page in PAGES.iter().filter(|page| page.part == part) {
            let question = wrap(&page.question(), view.width.saturating_sub(QUESTION).max(20));
            let indent = format!("\n{}", " ".repeat(QUESTION));
            text += &format!("  {:<20}{}\n", page.topic, question.replace('\n', &indent));
        }
        text += "\n";
    }
    let last = "`kenga guide TOPIC` shows a page, `kenga guide COMMAND` the page about a command.\n";
    text + &wrap(last, view.width)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_command_has_a_page_and_where_one_has_its_name_that_one() {
        for command in COMMANDS {
            assert!(page(command.page).is_some(), "{} has no page {}", command.name, command.page);
            let of_its_name = page(command.name).map(|page| page.topic);
            assert!(of_its_name.is_none_or(|topic| topic == command.page), "{}", command.name);
        }
    }
}
