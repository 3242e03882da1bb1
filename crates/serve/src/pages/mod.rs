//! The pages: their frame, and one table of the files that they are made of. Nothing is built, and nothing comes from elsewhere.
//!
//! **Invariant**: a page has no style and no script of its own, because the headers of every answer forbid them. What a page
//! shows, and how its files are cut, may change freely; a file that is imported stands in the table.

use std::sync::Arc;

use axum::Router;
use axum::body::Body;
use axum::http::HeaderValue;
use axum::http::header::CONTENT_TYPE;
use axum::response::{Html, Response};
use axum::routing::get;
use maud::{DOCTYPE, Markup, PreEscaped, Render, html};

use super::refusal::{Code, Refusal};
use super::{ServerState, api};
use kenga_report::{SCRIPTS, style_sheet};

/// A page.
struct ServedPage {
    path: &'static str,
    name: &'static str,
    /// What it is for, in a sentence.
    about: &'static str,
    /// What stands in it.
    content: &'static str,
    /// The module that begins it.
    script: &'static str,
    /// Its own style sheet.
    style: &'static str,
}

/// The pages, in the order of the menu.
static PAGES: &[ServedPage] = &[
    ServedPage {
        path: "/theatre",
        name: "Theatre",
        about: "Watch a run: grid, population, islands and convergence, forwards and back.",
        content: include_str!("theatre/page.html"),
        script: "theatre/main.js",
        style: "theatre/theatre.css",
    },
    ServedPage {
        path: "/solver",
        name: "Solver",
        about: "Step through the exact search and a person's explanation, side by side.",
        content: include_str!("solver/page.html"),
        script: "solver/main.js",
        style: "solver/solver.css",
    },
    ServedPage {
        path: "/bench",
        name: "Bench",
        about: "Draw, generate, grade and play puzzles.",
        content: include_str!("bench/page.html"),
        script: "bench/main.js",
        style: "bench/bench.css",
    },
    ServedPage {
        path: "/lab",
        name: "Lab",
        about: "Start experiments, and follow them.",
        content: include_str!("lab/page.html"),
        script: "lab/main.js",
        style: "lab/lab.css",
    },
    ServedPage {
        path: "/compare",
        name: "Compare",
        about: "Report on experiments, and compare their settings.",
        content: include_str!("compare/page.html"),
        script: "compare/main.js",
        style: "compare/compare.css",
    },
];

/// A way through the pages, for one of those who use kenga; the manual has the same.
struct Route {
    title: &'static str,
    steps: &'static [RouteStep],
    /// What the command line does beside it.
    commands: &'static [&'static str],
}

/// A link, and what is done there.
struct RouteStep {
    href: &'static str,
    name: &'static str,
    about: &'static str,
}

const fn step(href: &'static str, name: &'static str, about: &'static str) -> RouteStep {
    RouteStep { href, name, about }
}

/// The routes of docs/index.md, in its order.
static ROUTES: &[Route] = &[
    Route {
        title: "I sweep mutation rate and population size",
        steps: &[
            step("/lab#new", "Start a sweep", "several values in a field make settings"),
            step("/lab", "Follow it", "runs, lowest fitness, and what is left"),
            step("/compare", "Compare the settings", "tables, figures and p-values"),
        ],
        commands: &["kenga init first --for sweep", "kenga compare DIR"],
    },
    Route {
        title: "I bring an algorithm of my own, in Python",
        steps: &[
            step(
                "/lab",
                "Follow its runs",
                "its results folders are listed, where this server looks for them",
            ),
            step("/compare", "Compare it", "with kenga's own, on the same starts"),
        ],
        commands: &["kenga init own --for program", "kenga compare DIR"],
    },
    Route {
        title: "I teach, and have one hour",
        steps: &[
            step("/bench?example=lesson", "Play the puzzle", "and ask how you know that it is solved"),
            step("/theatre?example=lesson", "Watch the lesson's runs", "generation by generation"),
            step("/lab?example=lesson", "Change one thing and run it", "each group its own"),
        ],
        commands: &["kenga init class --for lesson", "kenga watch FILE"],
    },
    Route {
        title: "I make puzzles",
        steps: &[
            step("/bench#generate", "Generate a puzzle", "of a kind, a size and a difficulty"),
            step("/bench", "Draw one, and play it", "with what the solver says meanwhile"),
            step("/solver", "See how it is solved", "by search and by a person"),
        ],
        commands: &["kenga init book --for puzzles", "kenga draw FILE -o book.pdf"],
    },
];

/// A file of the table.
macro_rules! files {
    ($($name:literal)*) => { &[$(($name, include_str!($name))),*] };
}

/// The files below `/page/`, beside those of reports.
static FILES: &[(&str, &str)] = files! {
    "base.css" "icon.svg"
    "common/api.js" "common/dialogs.js" "common/dom.js" "common/keys.js" "common/link.js" "common/puzzle.js"
    "theatre/charts.js" "theatre/choice.js" "theatre/grid.js" "theatre/islands.js" "theatre/main.js" "theatre/microscope.js"
    "theatre/model.js" "theatre/population.js" "theatre/theatre.css" "theatre/transport.js"
    "solver/examples.js" "solver/main.js" "solver/player.js" "solver/solver.css"
    "bench/bench.css" "bench/desk.js" "bench/dialogs.js" "bench/draw.js" "bench/facts.js" "bench/history.js"
    "bench/main.js" "bench/model.js" "bench/play.js" "bench/wish.js"
    "lab/details.js" "lab/fields.js" "lab/folders.js" "lab/lab.css" "lab/main.js" "lab/toml.js"
    "compare/compare.css" "compare/main.js" "compare/report.js"
};

/// All pages and files.
pub(super) fn router() -> Router<Arc<ServerState>> {
    let mut router = Router::new()
        .route("/", get(|| async { shown(None, &home()) }))
        .route("/api", get(|| async { shown(None, &endpoints()) }))
        .route("/page/pictures.css", get(|| async { ([(CONTENT_TYPE, kind("css"))], style_sheet()) }));
    for page in PAGES {
        router = router.route(page.path, get(|| async { shown(Some(page), &PreEscaped(page.content)) }));
    }
    // Reports bring their scripts along; the pages load the same files.
    for (name, text) in FILES.iter().chain(SCRIPTS) {
        let file = get(|| async { ([(CONTENT_TYPE, kind(name))], *text) });
        router = router.route(&format!("/page/{name}"), file);
    }
    router
}

/// The page does nothing without the token.
pub(super) fn takes_token(path: &str) -> bool {
    path == "/" || PAGES.iter().any(|page| page.path == path)
}

/// A refusal as a page, for a browser that has asked for one; all but the body and its type is that of the response.
pub(super) fn refusal(refusal: &Refusal, response: Response) -> Response {
    let (mut head, _) = response.into_parts();
    head.headers.insert(CONTENT_TYPE, HeaderValue::from_static("text/html; charset=utf-8"));
    Response::from_parts(head, Body::from(shown(None, &refused(refusal)).0))
}

/// Why there is nothing to see, and what to do.
fn refused(refusal: &Refusal) -> Markup {
    let title = match refusal.code {
        Code::NotFound => "There is no such page",
        Code::NoToken => "This page takes the server's token",
        _ => "This cannot be shown",
    };
    html! {
        h1 { (title) }
        // The title says it already, unless there was a wrong one.
        @if !title.to_lowercase().ends_with(refusal.message().trim_start_matches("this ")) {
            p.lead.sentence { (refusal.message()) "." }
        }
        @if refusal.code == Code::NoToken {
            p { "Open the address that " code { "kenga serve" } " has printed on its terminal: it ends with " code { "?token=" }
                " and 32 characters. Once is enough, because the browser keeps the token; it is new each time the server starts." }
        } @else {
            @if refusal.code != Code::NotFound && !refusal.help().is_empty() { p.sentence { (refusal.help()) "." } }
            p { a.button.main href="/" { "To the start page" } }
        }
    }
}

/// The content type of a file.
fn kind(name: &str) -> &'static str {
    match name.rsplit('.').next() {
        Some("css") => "text/css; charset=utf-8",
        Some("js") => "text/javascript; charset=utf-8",
        _ => "image/svg+xml",
    }
}

/// A content in the frame of all pages.
fn shown(page: Option<&ServedPage>, content: &dyn Render) -> Html<String> {
    let title = page.map_or("kenga".to_owned(), |page| format!("{} - kenga", page.name));
    let markup = html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                meta name="color-scheme" content="light dark";
                title { (title) }
                link rel="icon" href="/page/icon.svg" type="image/svg+xml";
                link rel="stylesheet" href="/page/pictures.css";
                link rel="stylesheet" href="/page/base.css";
                @if let Some(ServedPage { style, script, .. }) = page {
                    link rel="stylesheet" href={ "/page/" (style) };
                    script type="module" src={ "/page/" (script) } {}
                }
            }
            body {
                a.skip href="#content" { "Skip to the content" }
                header.top {
                    a.brand href="/" { "kenga" }
                    nav aria-label="Pages" {
                        ul {
                            @for other in PAGES {
                                @let is_here = page.is_some_and(|page| page.path == other.path);
                                li { a href=(other.path) aria-current=[is_here.then_some("page")] { (other.name) } }
                            }
                        }
                    }
                }
                main #content tabindex="-1" { (content) }
                p #announcement .unseen role="status" {}
            }
        }
    };
    Html(markup.into_string())
}

/// What there is.
fn home() -> Markup {
    html! {
        h1 { "kenga" }
        p.lead { "A laboratory for metaheuristics that knows the answer. Where do you want to go?" }
        div.routes {
            @for route in ROUTES {
                section.panel {
                    h2 { (route.title) }
                    ol {
                        @for step in route.steps {
                            li { a href=(step.href) { (step.name) } ": " (step.about) }
                        }
                    }
                    p.soft.commands {
                        "On the command line: "
                        @for (place, command) in route.commands.iter().enumerate() {
                            @if place > 0 { ", " }
                            code { (command) }
                        }
                    }
                }
            }
        }
        h2 { "All pages" }
        dl.pages {
            @for page in PAGES {
                dt { a href=(page.path) { (page.name) } }
                dd { (page.about) }
            }
            dt { a href="/api" { "API" } }
            dd { "What programs ask of this server, over HTTP." }
        }
        p.soft { "kenga " (env!("CARGO_PKG_VERSION")) }
    }
}

/// Every endpoint.
fn endpoints() -> Markup {
    html! {
        h1 { "The API" }
        p { "What kenga does, over HTTP and in JSON; " a href="/api/v1/openapi.json" { "openapi.json" } " describes it for programs." }
        div.scroll tabindex="0" role="region" aria-label="Endpoints" {
            table {
                thead { tr { th scope="col" { "Method" } th scope="col" { "Address" } th scope="col" { "What it does" } } }
                tbody {
                    @for endpoint in api::TABLE {
                        tr {
                            td { (endpoint.method()) }
                            td { code { (endpoint.path()) } }
                            td { (endpoint.about) }
                        }
                    }
                }
            }
        }
        p.soft { "POST takes the token of the address that kenga serve has printed." }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn every_page_has_its_files() {
        let names: BTreeSet<&str> = FILES.iter().map(|(name, _)| *name).collect();
        assert_eq!(names.len(), FILES.len());
        let own = PAGES.iter().flat_map(|page| [page.script, page.style]);
        assert!(own.into_iter().all(|file| names.contains(file)));
    }

    #[test]
    fn every_import_is_served() {
        for (name, text) in FILES.iter().filter(|(name, _)| name.ends_with(".js")) {
            let imports = text.lines().filter(|line| line.contains(" from '"));
            for line in imports.filter(|line| !line.trim_start().starts_with('*')) {
                let from = line.rsplit(" from '").next().and_then(|rest| rest.split('\'').next());
                let from = from.expect("an import ends with a path");
                let folder = name.rsplit_once('/').map_or("", |(folder, _)| folder);
                let path = match from.strip_prefix("../") {
                    Some(outside) => outside.to_owned(),
                    None => format!("{folder}/{}", from.trim_start_matches("./")),
                };
                assert!(FILES.iter().any(|(other, _)| **other == path), "{name} imports {from}");
            }
        }
    }

    #[test]
    fn pages_hold_no_style_and_no_script_of_their_own() {
        for page in PAGES {
            let text = page.content;
            assert!(
                !text.contains("style=")
                    && !text.contains("<link")
                    && !text.contains("<script")
                    && !text.contains(" onclick")
            );
        }
    }
}
