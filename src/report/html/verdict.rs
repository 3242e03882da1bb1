//! The place of a verdict in words: which settings differ, and how that is known.

use maud::{Markup, html};

/// The section with the sentences of a verdict; nothing without one.
pub(super) fn section(sentences: Option<&[String]>) -> Markup {
    html! {
        @if let Some(sentences) = sentences {
            section id="verdict" {
                h2 { "Verdict" }
                @for sentence in sentences { p { (sentence) } }
            }
        }
    }
}
