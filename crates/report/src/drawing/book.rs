//! A book of puzzles: pages with numbers, and the answers at the end; as PDF, or as an HTML page that prints so.

use std::mem;

use maud::{PreEscaped, html};

use super::super::graphic::{GENERATOR, Packing, PdfFile, page};
use super::paper::Page;
use super::{Layout, Paper, Picture, Theme};

/// How many answers stand on a page.
const ANSWERS: usize = 12;

/// The heading of the answers.
const TITLE_OF_ANSWERS: &str = "Answers";

/// What a book is, apart from its puzzles.
#[derive(Clone, Debug)]
pub struct BookStyle {
    /// The title; may be empty.
    pub title: String,
    /// The size of a page.
    pub paper: Paper,
    /// Puzzles a page: 1, 2, 4 or 6.
    pub per_page: usize,
    /// One theme for all, or that of the reader's screen and of paper.
    pub theme: Option<Theme>,
}

impl BookStyle {
    /// The most width and height of the picture of a puzzle.
    pub fn room(&self) -> (f64, f64) {
        Layout::new(self.paper, self.per_page).room()
    }

    /// The most width and height of the picture of an answer.
    pub fn answer_room(&self) -> (f64, f64) {
        Layout::new(self.paper, ANSWERS).room()
    }
}

/// A puzzle of a book.
pub struct Entry {
    /// Its number and id.
    pub heading: String,
    /// What else is said of it, such as its difficulty; may be empty.
    pub note: String,
    /// The puzzle, drawn.
    pub picture: Picture,
    /// Its solution, for the end of the book.
    pub answer: Option<Picture>,
}

/// A book that grows puzzle by puzzle.
pub trait Book {
    /// Adds a puzzle.
    fn add(&mut self, entry: Entry);

    /// Adds the answers and gives the bytes of the file.
    fn finish(self: Box<Self>) -> Vec<u8>;
}

/// A book as PDF: pages are written as they are full, answers are kept until the end.
pub struct PdfBook {
    style: BookStyle,
    file: PdfFile,
    page: Option<Page>,
    pages: usize,
    /// What the list of contents says of the page that is being filled.
    bookmarks: Vec<String>,
    answers: Vec<(String, Picture)>,
}

impl PdfBook {
    /// A book without puzzles yet.
    pub fn new(style: BookStyle) -> Self {
        let file = PdfFile::new(&style.title, Packing::Deflate);
        Self { style, file, page: None, pages: 0, bookmarks: Vec::new(), answers: Vec::new() }
    }

    /// Puts a picture on the page, or on a new one where it is full.
    fn put(&mut self, part: &BookPart<'_>, heading: &str, note: &str, picture: Picture) {
        // A page is begun only when something is put on it, so that none is empty.
        if self.page.as_ref().is_none_or(Page::is_full) {
            self.close();
            self.pages += 1;
            let layout = Layout::new(self.style.paper, part.places);
            self.page = Some(Page::new(layout, part.top, part.is_first, self.pages));
        }
        if let Some(page) = &mut self.page {
            page.add(heading, note, picture);
        }
        self.bookmarks.extend(part.bookmark.map(str::to_owned));
    }

    /// Writes the page.
    fn close(&mut self) {
        if let Some(page) = self.page.take() {
            self.file.page(&page.into_graphic(), self.style.theme.unwrap_or(Theme::Print));
            // Bookmarks are of the page that was written last.
            for words in &mem::take(&mut self.bookmarks) {
                self.file.bookmark(words);
            }
        }
    }
}

/// The pages of puzzles, or those of answers.
struct BookPart<'a> {
    places: usize,
    top: &'a str,
    is_first: bool,
    /// What the list of contents says of the next picture.
    bookmark: Option<&'a str>,
}

impl Book for PdfBook {
    fn add(&mut self, entry: Entry) {
        let (top, is_first) = (self.style.title.clone(), self.pages == 0);
        let part =
            BookPart { places: self.style.per_page, top: &top, is_first, bookmark: Some(&entry.heading) };
        self.put(&part, &entry.heading, &entry.note, entry.picture);
        self.answers.extend(entry.answer.map(|answer| (entry.heading, answer)));
    }

    fn finish(mut self: Box<Self>) -> Vec<u8> {
        self.close();
        let answers = mem::take(&mut self.answers);
        for (index, (heading, answer)) in answers.into_iter().enumerate() {
            let is_first = index == 0;
            let bookmark = is_first.then_some(TITLE_OF_ANSWERS);
            let part = BookPart { places: ANSWERS, top: TITLE_OF_ANSWERS, is_first, bookmark };
            self.put(&part, &heading, "", answer);
        }
        self.close();
        self.file.finish()
    }
}

/// A book as one HTML page: puzzles one below the other on narrow screens; on paper so many a page.
pub struct HtmlBook {
    style: BookStyle,
    puzzles: String,
    count: usize,
    answers: String,
}

impl HtmlBook {
    /// A book without puzzles yet.
    pub fn new(style: BookStyle) -> Self {
        Self { style, puzzles: String::new(), count: 0, answers: String::new() }
    }

    /// The rules of the page: a raster on wide screens and on paper.
    fn rules(&self) -> String {
        let paper = self.style.paper.css_name();
        let cols = Layout::new(self.style.paper, self.style.per_page).cols();
        format!(
            "body{{margin:0 auto;max-width:70rem;padding:1rem;background:var(--page);color:var(--ink);font-family:Helvetica,Arial,'Liberation Sans',sans-serif}}
h1{{font-size:1.5rem}}h2{{font-size:1rem;margin:.4rem 0 0;overflow-wrap:anywhere}}h2 span{{font-weight:normal;color:var(--soft);font-size:.85em;margin-left:.6em}}
.puzzles,.answers{{display:grid;gap:1.5rem;justify-items:center;align-items:start}}
.puzzles{{grid-template-columns:repeat(auto-fill,minmax(min(100%,22rem),1fr))}}
.answers{{grid-template-columns:repeat(auto-fill,minmax(min(100%,11rem),1fr))}}
.puzzles.one{{grid-template-columns:1fr}}
figure{{margin:0;max-width:100%}}
@page{{size:{paper};margin:15mm}}
@media print{{body{{max-width:none;padding:0}}.puzzles{{grid-template-columns:repeat({cols},1fr)}}.answers{{grid-template-columns:repeat(3,1fr)}}figure{{break-inside:avoid}}.puzzles figure.last{{break-after:page}}.solutions{{break-before:page}}}}\n"
        )
    }
}

impl Book for HtmlBook {
    fn add(&mut self, entry: Entry) {
        self.count += 1;
        // The style breaks the printed page after `last`.
        let is_last = self.count.is_multiple_of(self.style.per_page);
        let figure = html! {
            figure class=[is_last.then_some("last")] {
                h2 { (entry.heading) @if !entry.note.is_empty() { span { (entry.note) } } }
                (PreEscaped(entry.picture.inline(&entry.heading)))
            }
        };
        self.puzzles += &figure.into_string();
        if let Some(answer) = entry.answer {
            let name = format!("answer of {}", entry.heading);
            let figure = html! { figure { h2 { (entry.heading) } (PreEscaped(answer.inline(&name))) } };
            self.answers += &figure.into_string();
        }
    }

    fn finish(self: Box<Self>) -> Vec<u8> {
        let title = &self.style.title;
        let shown = if title.is_empty() { "Puzzles" } else { title };
        let body = html! {
            @if !title.is_empty() { h1 { (title) } }
            main class=(if self.count == 1 { "puzzles one" } else { "puzzles" }) { (PreEscaped(&self.puzzles)) }
            @if !self.answers.is_empty() {
                section class="solutions" { h1 { (TITLE_OF_ANSWERS) } div class="answers" { (PreEscaped(&self.answers)) } }
            }
        };
        page(shown, GENERATOR, self.style.theme, &self.rules(), &body).into_bytes()
    }
}
