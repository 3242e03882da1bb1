//! Drawings of every kind, and what stands in them.

use std::collections::BTreeSet;

use kenga::puzzle::{Grid, Puzzle, formats};
use kenga::report::drawing::{
    Book, BookStyle, Entry, Highlight, HtmlBook, Marks, Paper, PdfBook, Style, Theme, picture, text,
};

fn read(text: &str) -> Puzzle {
    formats::read("x", text.as_bytes()).remove(0).unwrap_or_else(|error| panic!("{error}"))
}

/// Two cages that share a cell, a diagonal, cells in order that are no neighbours, and a black cell.
const OVERLAPPING: &str = r#"{"kind":"grid","rows":3,"cols":3,"digits":{"from":1,"to":9},"black":[[2,0]],"groups":[{"op":"+","target":9,"cells":[[0,0],[0,1],[1,1]]},{"op":"*","target":12,"cells":[[1,1],[1,2]]},{"role":"group","cells":[[0,0],[1,1],[2,2]]},{"op":"<","cells":[[2,2],[0,1]]},{"op":"<","cells":[[1,0],[1,1]]}]}"#;

#[test]
fn groups_that_overlap_are_told_apart_by_outlines_threads_and_words() {
    let puzzle = read(OVERLAPPING);
    let svg = picture(&puzzle, &Marks::new(&puzzle), &Style::default()).svg("");
    assert!(svg.contains(">9+</text>") && svg.contains(">12×</text>"), "{svg}");
    // A dashed outline and a plain one within, and the threads of the diagonal and of the cells in order.
    assert_eq!(svg.matches("stroke-dasharray").count(), 3, "{svg}");
    insta::assert_snapshot!(text(&puzzle, &Marks::new(&puzzle)), @r"
    ┌─────────┬────┐
    │9+       │    │
    │ .    .  │ .  │
    ├────┐    │    │
    │    <    │    │
    │ .  < .  │ .  │
    │    └────┘    │
    │░░░░          │
    │░░░░  .    .  │
    └──────────────┘
    different digits: A1 B2 C3
    in order: A2 > C3
    12×: B2 B3
    ");
}

/// A puzzle of every kind, and some that are hard to draw.
fn every() -> Vec<Puzzle> {
    let texts = [
        "2\n3+ A1 A2\n3+ B1 B2\n",
        "1\n1 A1\n",
        "2\n6+ A1 A2 B1 B2\n",
        "1..........3..2.",
        r#"{"kind":"killer","size":4,"cages":[{"target":7,"cells":[[0,1],[0,2],[1,2]]},{"target":9,"cells":[[2,0],[2,1],[3,1]]}]}"#,
        "\\,9\\,11\\,\\\n\\3,_,_,x\n\\17,_,_,3\\\n,,\\3,_\n",
        r#"{"kind":"futoshiki","size":3,"less":[[[0,0],[0,1]],[[2,2],[2,1]],[[1,1],[0,1]]]}"#,
        r#"{"kind":"magic","size":3}"#,
        r#"{"kind":"queens","size":4,"givens":[[0,0,2]]}"#,
        "p edge 3 3\ne 1 2\ne 2 3\ne 1 3\n",
        OVERLAPPING,
        r#"{"kind":"grid","rows":1,"cols":1,"digits":[200],"groups":[{"cells":[[0,0]]},{"op":"+","target":200,"cells":[[0,0]]}]}"#,
        r#"{"kind":"grid","rows":1,"cols":2,"digits":[1],"black":[[0,0],[0,1]]}"#,
    ];
    let many = texts.into_iter().flat_map(|text| formats::read("x", text.as_bytes())).filter_map(Result::ok);
    many.chain([long_clues()]).collect()
}

/// 25 rows and columns, each row a cage with a target of fifteen digits, in a column of single cells and one beside.
fn long_clues() -> Puzzle {
    let cage = |row: usize| {
        let cells: Vec<String> = (0..25).map(|column| format!("[{row},{column}]")).collect();
        let (first, rest) = (cells[..1].join(","), cells[1..].join(","));
        format!(
            r#"{{"op":"=","target":1,"cells":[{first}]}},{{"op":"*","target":123456789012345,"cells":[{rest}]}}"#
        )
    };
    let cages: Vec<String> = (0..25).map(cage).collect();
    read(&format!(r#"{{"size":25,"cages":[{}]}}"#, cages.join(",")))
}

fn all_marks(puzzle: &Puzzle) -> Marks {
    let cells = puzzle.rows() * puzzle.cols();
    let all = if puzzle.digits().len() == 32 { u32::MAX } else { (1 << puzzle.digits().len()) - 1 };
    let digit = puzzle.digits().values()[0];
    let marks = Marks::new(puzzle).with_candidates(vec![all; cells]).candidate(0, digit, Highlight::Removed);
    let highlights = [Highlight::Rests, Highlight::Removed, Highlight::Placed, Highlight::Wrong];
    highlights
        .into_iter()
        .zip((0..cells).rev())
        .fold(marks, |marks, (highlight, cell)| marks.cell(cell, highlight).candidate(cell, digit, highlight))
}

#[test]
fn every_kind_is_drawn_in_every_format_and_theme() {
    for puzzle in every() {
        let themes = [Theme::Light, Theme::Dark, Theme::Print, Theme::Sparing];
        let is_large = puzzle.rows() == 25;
        for theme in themes.into_iter().take(if is_large { 1 } else { 4 }) {
            for marks in [Marks::new(&puzzle), all_marks(&puzzle)] {
                let room = (!is_large).then_some((200.0, 300.0));
                let style = Style { theme, cage_colours: true, labels: true, room, ..Style::default() };
                let picture = picture(&puzzle, &marks, &style);
                let (svg, pdf) = (picture.svg("a title"), picture.pdf("a title"));
                assert!(svg.contains("a title") && !svg.contains("NaN") && !svg.contains("inf"), "{svg}");
                assert!(pdf.starts_with(b"%PDF") && pdf.ends_with(b"%%EOF"));
                assert!(picture.inline("name").starts_with("<svg class=\"figure\""));
                assert!(!text(&puzzle, &marks).is_empty());
                if !is_large {
                    assert!(picture.png("", 0.5).starts_with(b"\x89PNG"));
                    assert!(picture.size().0 <= 200.0 && picture.size().1 <= 300.0, "{:?}", picture.size());
                }
            }
        }
    }
}

#[test]
fn a_small_drawing_has_its_cages_clues_candidates_and_marks() {
    let puzzle = read("2\n3+ A1 A2\n3+ B1 B2\n");
    let marks = Marks::new(&puzzle)
        .with_digit(3, 1)
        .with_candidates(vec![3; 4])
        .cell(3, Highlight::Placed)
        .cell(0, Highlight::Rests)
        .candidate(0, 2, Highlight::Removed);
    let style = Style { room: Some((92.0, 92.0)), ..Style::default() };
    insta::assert_snapshot!(picture(&puzzle, &marks, &style).svg(""), @r##"
    <!-- a figure of kenga's -->
    <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 92 92" width="92" height="92" font-family="Helvetica, Arial, 'Liberation Sans', sans-serif">
    <rect fill="#ffffff" stroke="none" x="0" y="0" width="92" height="92"/>
    <rect fill="#d3e7fb" stroke="none" x="6" y="6" width="40" height="40"/>
    <rect fill="#cdf0de" stroke="none" x="46" y="46" width="40" height="40"/>
    <path fill="none" stroke="#b9bfc7" stroke-width="0.7" stroke-linejoin="round" d="M46 6L46 46M46 46L46 86"/>
    <path fill="none" stroke="#1b1e23" stroke-width="1.7" stroke-linejoin="round" stroke-linecap="square" d="M6 46L46 46M46 46L86 46"/>
    <rect fill="none" stroke="#1b1e23" stroke-width="2.8" stroke-linejoin="round" stroke-linecap="square" x="6" y="6" width="80" height="80"/>
    <rect fill="none" stroke="#0072b2" stroke-width="2.2" stroke-linejoin="round" x="7.6" y="7.6" width="36.8" height="36.8"/>
    <rect fill="none" stroke="#007a59" stroke-width="3.4" stroke-linejoin="round" x="47.6" y="47.6" width="36.8" height="36.8"/>
    <text fill="#007a59" stroke="none" font-size="18.4" font-weight="bold" x="66" y="76.6" text-anchor="middle">1</text>
    <text fill="#4a5059" stroke="none" font-size="10.8" x="17.2" y="35.2" text-anchor="middle">1</text>
    <text fill="#d55e00" stroke="none" font-size="10.8" x="34.8" y="35.2" text-anchor="middle">2</text>
    <line fill="none" stroke="#d55e00" stroke-width="1.4" stroke-linejoin="round" x1="30" y1="35.9" x2="39.6" y2="26.8"/>
    <text fill="#4a5059" stroke="none" font-size="10.8" x="57.2" y="35.2" text-anchor="middle">1</text>
    <text fill="#4a5059" stroke="none" font-size="10.8" x="74.8" y="35.2" text-anchor="middle">2</text>
    <text fill="#4a5059" stroke="none" font-size="10.8" x="17.2" y="75.2" text-anchor="middle">1</text>
    <text fill="#4a5059" stroke="none" font-size="10.8" x="34.8" y="75.2" text-anchor="middle">2</text>
    <text fill="#1b1e23" stroke="none" font-size="11.2" x="9" y="17.6">3+</text>
    <text fill="#1b1e23" stroke="none" font-size="11.2" x="9" y="57.6">3+</text>
    </svg>
    "##);
}

#[test]
fn long_clues_fit_their_cages() {
    let svg = picture(&long_clues(), &Marks::new(&long_clues()), &Style::default()).svg("");
    let puzzle = read(
        r#"{"size":2,"cages":[{"op":"*","target":123456789012345,"cells":[[0,0],[1,0]]},{"op":"+","target":3,"cells":[[0,1],[1,1]]}]}"#,
    );
    let narrow = picture(&puzzle, &Marks::new(&puzzle), &Style::default()).svg("");
    assert!(svg.contains(">123456789012345×</text>") && narrow.contains(">12345678</text>"), "{narrow}");
    let size =
        narrow.split("font-size=\"").nth(1).and_then(|rest| rest.split('"').next()?.parse::<f64>().ok());
    // A digit is 0.556 times as wide as its size, and a cell has 48 pixels.
    assert!(size.is_some_and(|size| 8.0 * 0.556 * size <= 48.0), "{size:?}");
}

#[test]
fn a_candidate_that_is_removed_is_struck_out_and_left_out_of_text() {
    let puzzle = read("2\n3+ A1 A2\n3+ B1 B2\n");
    let marks = Marks::new(&puzzle).with_candidates(vec![3; 4]).candidate(0, 2, Highlight::Removed);
    assert_eq!(picture(&puzzle, &marks, &Style::default()).svg("").matches("<line").count(), 1);
    insta::assert_snapshot!(text(&puzzle, &marks), @"
    ┌─────────┐
    │3+       │
    │ 1    12 │
    ├─────────┤
    │3+       │
    │ 12   12 │
    └─────────┘
    ");
}

#[test]
fn cages_side_by_side_have_different_colours() {
    let puzzle = samples_puzzle();
    let fills = |cage_colours| -> BTreeSet<String> {
        let svg = picture(&puzzle, &Marks::new(&puzzle), &Style { cage_colours, ..Style::default() }).svg("");
        svg.split("fill=\"#").skip(1).map(|rest| rest[..6].to_owned()).collect()
    };
    assert_eq!(fills(true).difference(&fills(false)).count(), 2);
}

fn samples_puzzle() -> Puzzle {
    read("2\n3+ A1 A2\n3+ B1 B2\n")
}

#[test]
fn labels_name_cells_as_the_rest_of_kenga_does() {
    let puzzle = samples_puzzle();
    let svg = picture(&puzzle, &Marks::new(&puzzle), &Style { labels: true, ..Style::default() }).svg("");
    for label in [">A</text>", ">B</text>", ">1</text>", ">2</text>"] {
        assert!(svg.contains(label), "{label} in {svg}");
    }
}

#[test]
fn texts_of_a_drawing_are_texts_in_its_pdf_in_embedded_fonts() {
    let puzzle = read("2\n3+ A1 A2\n3+ B1 B2\n").with_givens(&[(0, 2)]);
    let pdf = picture(&puzzle, &Marks::new(&puzzle), &Style::default()).pdf("two");
    let pdf = String::from_utf8_lossy(&pdf).into_owned();
    assert_eq!(pdf.matches(" Tj").count(), 4, "two clues, a given and the title: {pdf}");
    // The clues and the title have both weights; a reader takes their characters from the maps.
    for part in ["/FontFile2", "/ToUnicode", "/Identity-H"] {
        assert_eq!(pdf.matches(part).count(), 2, "{part}: {pdf}");
    }
    assert!(!pdf.contains("/Type1"), "{pdf}");
}

#[test]
fn the_signs_of_a_futoshiki_point_at_the_lesser_digits() {
    let puzzle = read(r#"{"kind":"futoshiki","size":2,"less":[[[0,0],[0,1]],[[1,1],[0,1]]]}"#);
    let style = Style { room: Some((112.0, 112.0)), ..Style::default() };
    let svg = picture(&puzzle, &Marks::new(&puzzle), &style).svg("");
    // Cells of 50 pixels: the first sign opens to the right, the second upwards.
    assert!(svg.contains("M60 24.6L52 31L60 37.4M87.4 52L81 60L74.6 52"), "{svg}");
}

fn book_style(per_page: usize) -> BookStyle {
    BookStyle { title: "A <book>".to_owned(), paper: Paper::A4, per_page, theme: None }
}

fn entry(number: usize, room: (f64, f64)) -> Entry {
    let puzzle = samples_puzzle();
    let grid = Grid::parse("1 2/2 1", 2, 2).expect("a 2x2 grid");
    let drawn = |marks: &Marks| picture(&puzzle, marks, &Style { room: Some(room), ..Style::default() });
    let answer = Some(drawn(&Marks::new(&puzzle).with_grid(&grid)));
    Entry {
        heading: format!("{number}  two"),
        note: String::new(),
        picture: drawn(&Marks::new(&puzzle)),
        answer,
    }
}

#[test]
fn a_book_has_so_many_puzzles_a_page_and_twelve_answers() {
    for (per_page, pages) in [(1, 13 + 2), (2, 7 + 2), (4, 4 + 2), (6, 3 + 2)] {
        let style = book_style(per_page);
        let mut book: Box<dyn Book> = Box::new(PdfBook::new(style.clone()));
        (1..=13).for_each(|number| book.add(entry(number, style.room())));
        let pdf = book.finish();
        let text = String::from_utf8_lossy(&pdf);
        assert_eq!(text.matches("/MediaBox").count(), pages, "{per_page} a page");
        assert!(text.contains("/MediaBox [0 0 595.2"), "{text}");
        assert!(text.contains("(Answers)"));
        assert!(text.contains(&format!("/Count {pages}")) && text.contains("/Outlines"));
    }
}

#[test]
fn a_book_as_a_page_has_its_answers_last_and_breaks_for_paper() {
    let style = book_style(4);
    let mut book: Box<dyn Book> = Box::new(HtmlBook::new(style.clone()));
    (1..=5).for_each(|number| book.add(entry(number, style.room())));
    let page = String::from_utf8(book.finish()).expect("a page is text");
    assert!(page.contains("<title>A &lt;book&gt;</title>") && page.contains("@page{size:A4"));
    assert_eq!((page.matches("<figure").count(), page.matches("class=\"last\"").count()), (10, 1));
    let answers = page.find("Answers").expect("it has answers");
    assert!(page[answers..].matches("<figure").count() == 5);
    assert!(!page.contains("http"), "nothing is loaded");
}
