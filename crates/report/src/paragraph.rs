//! Sentences on a page: what is between backticks is code, and no line begins with a sign of per cent.

use maud::{Markup, html};

/// A sentence as a part of a page.
pub(crate) fn on_page(sentence: &str) -> Markup {
    let sentence = sentence.replace(" %", "\u{a0}%");
    let parts: Vec<&str> = sentence.split('`').collect();
    // A backtick without a second one, as in somebody's title, is itself.
    if parts.len().is_multiple_of(2) {
        return html! { (sentence) };
    }
    html! {
        @for (index, part) in parts.iter().enumerate() {
            @if !index.is_multiple_of(2) { code { (part) } } @else { (part) }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn code_stands_out_and_per_cent_stays_with_its_number() {
        let page = |text: &str| on_page(text).into_string();
        assert_eq!(page("5 % by `kenga <x>`."), "5\u{a0}% by <code>kenga &lt;x&gt;</code>.");
        assert_eq!(page("a ` b"), "a ` b");
    }
}
