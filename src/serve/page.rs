//! The start page: what there is.

use axum::http::header::CONTENT_TYPE;
use axum::response::{Html, IntoResponse};
use maud::{DOCTYPE, html};

use super::api;

/// Where the style of pages stands.
pub(super) const STYLE: &str = "/style.css";

/// A page with every endpoint.
pub(super) async fn start() -> Html<String> {
    let page = html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                title { "kenga" }
                link rel="stylesheet" href=(STYLE);
            }
            body {
                main {
                    h1 { "kenga " (env!("CARGO_PKG_VERSION")) }
                    p { "What kenga does with puzzles, over HTTP and in JSON." }
                    table {
                        thead { tr { th scope="col" { "method" } th scope="col" { "address" } th scope="col" { "what it does" } } }
                        tbody {
                            @for endpoint in api::TABLE {
                                tr {
                                    td { (endpoint.method()) }
                                    td { @if endpoint.is_work() { code { (endpoint.path()) } } @else { a href=(endpoint.path()) { (endpoint.path()) } } }
                                    td { (endpoint.about) }
                                }
                            }
                        }
                    }
                    p { "Whatever starts something takes the token of the address that kenga serve has printed." }
                }
            }
        }
    };
    Html(page.into_string())
}

/// The style.
pub(super) async fn style() -> impl IntoResponse {
    ([(CONTENT_TYPE, "text/css; charset=utf-8")], include_str!("page.css"))
}
