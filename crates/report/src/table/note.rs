//! What stands below a table, for people.

/// A paragraph below a table, for people: sentences, some of them about a column.
#[derive(Clone, Debug, Default)]
pub(crate) struct Note {
    sentences: Vec<Sentence>,
}

#[derive(Clone, Debug)]
struct Sentence {
    text: String,
    /// The first name of the column that it is about: where a terminal has no room for that, it is left out too.
    about: Option<String>,
}

impl Note {
    /// Adds a sentence about the table.
    #[must_use]
    pub(crate) fn sentence(mut self, text: impl Into<String>) -> Self {
        self.sentences.push(Sentence { text: text.into(), about: None });
        self
    }

    /// Adds a sentence about the column whose first value has the name.
    #[must_use]
    pub(crate) fn about(mut self, column: &str, text: impl Into<String>) -> Self {
        self.sentences.push(Sentence { text: text.into(), about: Some(column.to_owned()) });
        self
    }

    /// The sentences about the table and the columns that are shown; empty without any.
    pub(super) fn text(&self, is_shown: impl Fn(&str) -> bool) -> String {
        let mut shown = Vec::new();
        for sentence in &self.sentences {
            if sentence.about.as_deref().is_none_or(&is_shown) {
                shown.push(sentence.text.as_str());
            }
        }
        shown.join(" ")
    }

    /// Every sentence.
    pub(super) fn whole(&self) -> String {
        self.text(|_| true)
    }
}
