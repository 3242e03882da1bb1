//! The pages of the documentation, as the program carries them.

/// A page.
pub(in crate::cli) struct GuidePage {
    /// The name of its file without `.md`.
    pub(in crate::cli) topic: &'static str,
    pub(super) part: GuidePart,
    /// In Markdown.
    pub(super) text: &'static str,
}

/// The parts of the documentation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum GuidePart {
    Start,
    Guides,
    Concepts,
    Reference,
}

impl GuidePart {
    /// In the order of the documentation.
    pub(super) const ALL: [Self; 4] = [Self::Start, Self::Guides, Self::Concepts, Self::Reference];
}

macro_rules! pages {
    ($($part:ident: $($topic:literal)*;)*) => {
        /// Every page.
        pub(in crate::cli) static PAGES: &[GuidePage] = &[
            $($(GuidePage {
                topic: $topic,
                part: GuidePart::$part,
                text: include_str!(concat!("../../../docs/", $topic, ".md")),
            },)*)*
        ];
    };
}

// As `mkdocs.yml` has them.
pages! {
    Start: "index" "teaching" "how-kenga-compares";
    Guides: "sweeps" "tune" "report" "problems" "programs" "python" "extend" "watch" "serve" "craft";
    Concepts: "search" "results" "solver" "techniques" "statistics" "landscape";
    Reference: "configuration" "folder" "protocol" "formats" "features" "architecture";
}

/// The page of this topic.
pub(in crate::cli) fn page(topic: &str) -> Option<&'static GuidePage> {
    PAGES.iter().find(|page| page.topic == topic)
}

impl GuidePage {
    /// Its heading.
    pub(in crate::cli) fn title(&self) -> &'static str {
        self.text.lines().find_map(|line| line.strip_prefix("# ")).unwrap_or(self.topic)
    }

    /// Its first sentence: the question that it answers.
    pub(super) fn question(&self) -> String {
        let is_text = |line: &&str| !line.is_empty() && !line.starts_with(['#', '<']);
        let paragraph: Vec<&str> =
            self.text.lines().skip_while(|line| !is_text(line)).take_while(|line| !line.is_empty()).collect();
        let paragraph = paragraph.join(" ");
        let end = paragraph.find(['?', '.']).map_or(paragraph.len(), |end| end + 1);
        paragraph[..end].to_owned()
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    const DOCS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/docs");

    #[test]
    fn every_page_of_the_documentation_is_a_topic() {
        let mut files = BTreeSet::new();
        for entry in std::fs::read_dir(DOCS).expect("the folder is there") {
            let name = entry.expect("an entry").file_name().into_string().expect("a name in text");
            files.extend(name.strip_suffix(".md").map(str::to_owned));
        }
        let topics: BTreeSet<String> = PAGES.iter().map(|page| page.topic.to_owned()).collect();
        assert_eq!(topics, files);
    }

    #[test]
    fn pages_stand_in_the_parts_that_they_have_on_the_site() {
        let site = std::fs::read_to_string(format!("{DOCS}/../mkdocs.yml")).expect("the site is described");
        let (_, nav) = site.split_once("\nnav:\n").expect("it lists the pages");
        let mut part = "";
        for line in nav.lines() {
            if let Some(name) = line.strip_prefix("  - ") {
                part = name.trim_end_matches(':');
            }
            let file = line.rsplit_once(": ").and_then(|(_, file)| file.strip_suffix(".md"));
            if let Some(page) = file.and_then(page) {
                assert_eq!(format!("{:?}", page.part), part, "{}", page.topic);
            }
        }
    }

    #[test]
    fn every_page_begins_with_its_title_and_a_question() {
        for page in PAGES {
            assert!(page.text.starts_with("# "), "{}", page.topic);
            let question = page.question();
            assert!(question.ends_with('?') && question.len() < 200, "{}: {question}", page.topic);
        }
    }
}
