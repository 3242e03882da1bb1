//! A PDF file of pages, each with the shapes of one picture.

use pdf_writer::{Filter, Finish, Name, Pdf, Rect, Ref, TextStr};

use super::super::font::Font;
use super::super::{GENERATOR, Graphic, Theme};
use super::PdfPage;
use super::font::{self, UsedGlyphs, WEIGHTS, deflated};

/// How the shapes of a page are stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Packing {
    /// As text.
    Plain,
    /// Compressed: a tenth of the bytes.
    Deflate,
}

/// A file that grows page by page.
pub(crate) struct PdfFile {
    pdf: Pdf,
    packing: Packing,
    free: i32,
    catalog: Ref,
    pages: Ref,
    fonts: [Ref; 2],
    used: UsedGlyphs,
    leaves: Vec<Ref>,
    bookmarks: Vec<(String, Ref)>,
}

impl PdfFile {
    /// A file with a title for the reader's window and no pages yet.
    pub(crate) fn new(title: &str, packing: Packing) -> Self {
        let mut file = Self {
            pdf: Pdf::new(),
            packing,
            free: 1,
            catalog: Ref::new(1),
            pages: Ref::new(1),
            fonts: [Ref::new(1); 2],
            used: UsedGlyphs::default(),
            leaves: Vec::new(),
            bookmarks: Vec::new(),
        };
        let info = file.next();
        file.catalog = file.next();
        file.pages = file.next();
        file.fonts = [file.next(), file.next()];
        file.pdf.document_info(info).producer(TextStr(GENERATOR)).title(TextStr(title));
        file
    }

    /// Adds a page with a picture that fills it, 96 pixels an inch.
    pub(crate) fn page(&mut self, graphic: &Graphic, theme: Theme) {
        let mut page = PdfPage::new(theme);
        let points = graphic.points() as f32;
        let size = (graphic.width as f32 * points, graphic.height as f32 * points);
        // PDF counts upward from the bottom; pictures count downward from the top.
        page.content.transform([points, 0.0, 0.0, -points, 0.0, size.1]);
        for shape in &graphic.shapes {
            page.shape(shape);
        }
        self.add(page, size);
    }

    /// Lists the last page in the reader's table of contents.
    pub(crate) fn bookmark(&mut self, title: &str) {
        if let Some(page) = self.leaves.last() {
            self.bookmarks.push((title.to_owned(), *page));
        }
    }

    /// Adds a page of a size in points.
    pub(super) fn add(&mut self, page: PdfPage, (width, height): (f32, f32)) {
        let (leaf, content) = (self.next(), self.next());
        let states: Vec<(Ref, u8, String)> =
            page.opacities.into_iter().map(|(percent, name)| (self.next(), percent, name)).collect();
        self.leaves.push(leaf);
        let mut written = self.pdf.page(leaf);
        written.media_box(Rect::new(0.0, 0.0, width, height)).parent(self.pages).contents(content);
        let mut resources = written.resources();
        // A page names only the fonts that it uses.
        if page.used.iter().any(|used| !used.is_empty()) {
            let mut fonts = resources.fonts();
            for (weight, used) in page.used.iter().enumerate() {
                if !used.is_empty() {
                    fonts.pair(WEIGHTS[weight].1, self.fonts[weight]);
                    self.used[weight].extend(used);
                }
            }
        }
        if !states.is_empty() {
            let mut dict = resources.ext_g_states();
            for (state, _, name) in &states {
                dict.pair(Name(name.as_bytes()), *state);
            }
        }
        resources.finish();
        written.finish();
        self.shapes(content, &page.content.finish());
        for (state, percent, _) in &states {
            let opacity = f32::from(*percent) / 100.0;
            self.pdf.ext_graphics(*state).non_stroking_alpha(opacity).stroking_alpha(opacity);
        }
    }

    fn shapes(&mut self, content: Ref, shapes: &[u8]) {
        match self.packing {
            Packing::Plain => {
                self.pdf.stream(content, shapes);
            }
            Packing::Deflate => {
                self.pdf.stream(content, &deflated(shapes)).filter(Filter::FlateDecode);
            }
        }
    }

    /// The bytes of the file.
    pub(crate) fn finish(mut self) -> Vec<u8> {
        for (weight, (is_bold, _)) in WEIGHTS.into_iter().enumerate() {
            // Fonts come after all pages: only then is it known which glyphs they need.
            let used = std::mem::take(&mut self.used[weight]);
            if !used.is_empty() {
                let parts = [self.fonts[weight], self.next(), self.next(), self.next(), self.next()];
                font::write(&mut self.pdf, parts, Font::of_weight(is_bold), &used);
            }
        }
        let outline = (!self.bookmarks.is_empty()).then(|| self.outline());
        let mut catalog = self.pdf.catalog(self.catalog);
        catalog.pages(self.pages);
        if let Some(outline) = outline {
            catalog.outlines(outline);
        }
        catalog.finish();
        let count = self.leaves.len() as i32;
        self.pdf.pages(self.pages).kids(self.leaves).count(count);
        self.pdf.finish()
    }

    /// The table of contents: a list without levels.
    fn outline(&mut self) -> Ref {
        let root = self.next();
        let items: Vec<Ref> = (0..self.bookmarks.len()).map(|_| self.next()).collect();
        let (first, last) = (items[0], items[items.len() - 1]);
        self.pdf.outline(root).first(first).last(last).count(items.len() as i32);
        for (index, (title, page)) in self.bookmarks.iter().enumerate() {
            let mut item = self.pdf.outline_item(items[index]);
            item.title(TextStr(title)).parent(root);
            index.checked_sub(1).map(|before| item.prev(items[before]));
            items.get(index + 1).map(|next| item.next(*next));
            item.dest().page(*page).fit();
        }
        root
    }

    fn next(&mut self) -> Ref {
        self.free += 1;
        Ref::new(self.free - 1)
    }
}
