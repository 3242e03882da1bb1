//! `kenga draw`: puzzles as pictures and as books to print.

mod cell_lists;
mod format;
mod shown;

use std::path::PathBuf;

use miette::{Report, miette};

use self::cell_lists::{CellList, DigitList};
use self::format::DrawingFormat;
use self::shown::ShownParts;
use super::io::cells::refuse_one_input;
use super::io::exit::{CommandResult, Exit};
use super::io::input::{one_of, whole};
use super::io::output::Destination;
use super::io::progress::Counter;
use super::io::puzzles::{Colors, Puzzles};
use super::io::signals;
use kenga_core::puzzle::Puzzle;
use kenga_report::drawing::{self, Book, BookStyle, Entry, HtmlBook, Paper, PdfBook, Style, Theme};
use kenga_report::several;

/// Draw puzzles: pictures, and books to print
///
/// A puzzle becomes a picture with its cages, boxes, clues and signs; several become a book with page numbers and the answers
/// at the end. The suffix of FILE says what is written: svg, png, pdf, html or txt. Without -o text goes to the terminal.
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Args {
    /// Puzzles, in any known format; `-` is standard input
    #[arg(required = true, value_name = "FILE")]
    files: Vec<String>,
    /// Write to FILE; `-` is standard output
    #[arg(short, long, value_name = "FILE", alias = "output")]
    out: Option<PathBuf>,
    /// What to write, whatever the suffix of FILE is [default: its suffix; txt without one]
    #[arg(long, value_name = "FORMAT", value_parser = one_of(DrawingFormat::ALL, |format| [format.name(), format.about()]))]
    to: Option<DrawingFormat>,
    /// Overwrite FILE if it exists
    #[arg(long, requires = "out")]
    force: bool,
    /// Only the puzzle with this id
    #[arg(long, value_name = "ID")]
    id: Option<String>,
    #[command(flatten)]
    colors: Colors,
    #[command(flatten)]
    shown: ShownArgs,
    #[command(flatten)]
    look: LookArgs,
    #[command(flatten)]
    book: BookArgs,
}

/// What is written into the cells.
#[derive(clap::Args)]
#[command(next_help_heading = "What is shown")]
struct ShownArgs {
    /// Fill in the solution; one that the puzzle does not bring is searched for. With --grid, mark what is wrong
    #[arg(long)]
    solution: bool,
    /// Write small into the empty cells what propagation leaves of their candidates
    #[arg(long)]
    candidates: bool,
    /// Digits to fill in, or `@` and a file that holds them, or `-` for standard input; as in `kenga check`
    #[arg(long, value_name = "GRID|@FILE|-", allow_hyphen_values = true)]
    grid: Option<String>,
    /// Mark cells: A1,B2
    #[arg(long, value_name = "CELLS")]
    mark: Option<CellList>,
    /// Put digits into cells, and mark them: A1=3,B2=5
    #[arg(long, value_name = "CELLS=DIGITS")]
    place: Option<DigitList>,
    /// Strike out candidates: A1=3,A1=4
    #[arg(long, value_name = "CELLS=DIGITS")]
    strike: Option<DigitList>,
    /// Give up on the solution of a puzzle after N decisions of the search
    #[arg(long, value_name = "N", default_value_t = 1_000_000, value_parser = whole(0..=u64::MAX))]
    node_limit: u64,
}

/// How it looks.
#[derive(clap::Args)]
#[command(next_help_heading = "Look")]
struct LookArgs {
    /// light, dark, print (black on white) or sparing (saves ink) [default: light for svg and png; print for pdf; html follows
    /// the screen]
    #[arg(long, value_name = "THEME", hide_possible_values = true, value_parser = one_of(THEMES, |(_, name, about)| [name, about]))]
    theme: Option<(Theme, &'static str, &'static str)>,
    /// Fill the cages with colours; those side by side differ
    #[arg(long = "cage-colors")]
    cage_colours: bool,
    /// Name rows A, B, … and columns 1, 2, …
    #[arg(long)]
    labels: bool,
    /// The most width and height of a picture, in pixels [default: 48 a cell, 64 with candidates]
    #[arg(long, value_name = "PIXELS", value_parser = whole(40..=10_000_u32))]
    size: Option<u32>,
    /// Pixels of a png for each pixel of the picture [default: 2]
    #[arg(long, value_name = "N", value_parser = whole(1..=16_u32))]
    scale: Option<u32>,
    /// The title of the picture or book; "" for none [default: the id of the only puzzle]
    #[arg(long, value_name = "TEXT")]
    title: Option<String>,
}

/// A book, as PDF or HTML.
#[derive(clap::Args)]
#[command(next_help_heading = "Books")]
struct BookArgs {
    /// Puzzles a page: 1, 2, 4 or 6 [default: 1 for one puzzle, 4 for more]
    #[arg(long, value_name = "N", value_parser = one_of(PER_PAGE, |(_, name)| [name, ""]), hide_possible_values = true)]
    per_page: Option<(usize, &'static str)>,
    /// a4 or letter [default: a4]
    #[arg(long, value_name = "PAPER", value_parser = one_of(PAPERS, |(_, name, about)| [name, about]), hide_possible_values = true)]
    paper: Option<(Paper, &'static str, &'static str)>,
    /// Write beside each name how hard the puzzle is, as `kenga grade` finds it [default: what its generator has noted]
    #[arg(long)]
    grade: bool,
    /// No answers at the end
    #[arg(long, conflicts_with = "solution")]
    no_answers: bool,
}

const THEMES: [(Theme, &str, &str); 4] = [
    (Theme::Light, "light", "for light screens"),
    (Theme::Dark, "dark", "for dark screens"),
    (Theme::Print, "print", "black on white"),
    (Theme::Sparing, "sparing", "black on white without dark areas"),
];

const PAPERS: [(Paper, &str, &str); 2] =
    [(Paper::A4, "a4", "210 x 297 mm"), (Paper::Letter, "letter", "8.5 x 11 inches")];

/// How many puzzles a page may have.
const PER_PAGE: [(usize, &str); 4] = [(1, "1"), (2, "2"), (4, "4"), (6, "6")];

const EXAMPLES: &str = "\
Examples:
  kenga draw puzzle.txt                            text, on the terminal
  kenga draw puzzle.txt -o puzzle.svg              a picture
  kenga draw puzzle.txt -o solved.pdf --solution   with its solution
  kenga draw puzzle.txt -o dark.svg --theme dark --cage-colors --labels
  kenga draw puzzle.txt -o notes.svg --candidates --grid '1 . ./. . ./. . .'
  kenga draw puzzle.txt -o step.svg --candidates --mark A1,B1 --strike C1=4
  kenga draw book.jsonl --id kenken-4-easy-000 -o one.pdf
  kenga draw book.jsonl -o book.pdf --per-page 6 --title 'Six a page'
  kenga draw book.jsonl -o book.html --grade       a page to read and print
  kenga generate --kind futoshiki --size 6 --count 8 | kenga draw - -o 8.pdf

Exit code: 0 all drawn; 1 a solution was asked for and a puzzle has none; 2 bad
usage or input; 3 a solution was not found within the limit; 130 or 143 after a
signal, and then no FILE is written.";

pub(super) fn run(args: &Args) -> CommandResult {
    refuse_one_input(&args.files, args.shown.grid.as_deref())?;
    let format = DrawingFormat::of(args.to, args.out.as_deref())?;
    args.check(format)?;
    let mut destination = Destination::new(args.out.as_deref(), args.force)?;
    let interrupt = signals::interrupt()?;
    let mut shown = ShownParts::new(&args.shown, &interrupt);
    let mut input = Puzzles::new(&args.files, args.colors, args.id.as_deref());
    let counter = Counter::unless(destination.is_terminal(), "puzzles");
    // Two are read ahead: whether there are several decides what may be written.
    let (first, second) = (input.next(), input.next());
    let Some(first) = first else {
        drop(counter);
        return input.finish();
    };
    if let Some(second) = &second {
        args.check_several(format, &first.id, &second.id)?;
    }
    let is_one = second.is_none();
    let mut drawer = Drawer::new(args, format, is_one.then_some(&first));
    for puzzle in [first].into_iter().chain(second).chain(&mut input) {
        if interrupt.is_raised() {
            break;
        }
        destination.write(drawer.draw(puzzle, &mut shown)?)?;
        counter.advance();
    }
    drop(counter);
    if interrupt.is_raised() {
        return Ok(Exit::Signal(interrupt.signal()));
    }
    let read = input.finish()?;
    let count = drawer.count as u64;
    destination.write(drawer.finish())?;
    destination.finish_with(&several(count, "puzzle"))?;
    Ok(shown.exit().and(read))
}

impl Args {
    /// # Errors
    /// A report when an option has no meaning for the format.
    fn check(&self, format: DrawingFormat) -> Result<(), Report> {
        let Self { look, book, .. } = self;
        let is_text = format == DrawingFormat::Txt;
        let options = [
            (is_text && look.theme.is_some(), "--theme"),
            (is_text && look.cage_colours, "--cage-colors"),
            (is_text && look.labels, "--labels"),
            (is_text && look.size.is_some(), "--size"),
            (format != DrawingFormat::Png && look.scale.is_some(), "--scale"),
            (!format.is_book() && book.per_page.is_some(), "--per-page"),
            (!format.is_book() && book.paper.is_some(), "--paper"),
            (!format.is_book() && book.grade, "--grade"),
            (!format.is_book() && book.no_answers, "--no-answers"),
        ];
        let Some((_, option)) = options.into_iter().find(|(is_idle, _)| *is_idle) else { return Ok(()) };
        let help = "leave it out, or write another format: `kenga draw --help`";
        Err(miette!(help = help, "{option} has no meaning for the format {}", format.name()))
    }

    /// # Errors
    /// A report when the format, or an option, is for one puzzle.
    fn check_several(&self, format: DrawingFormat, first: &str, second: &str) -> Result<(), Report> {
        let Self { shown, look, .. } = self;
        let options = [
            (shown.grid.is_some(), "--grid"),
            (shown.mark.is_some(), "--mark"),
            (shown.place.is_some(), "--place"),
            (shown.strike.is_some(), "--strike"),
            (!format.is_book() && look.title.is_some(), "--title"),
        ];
        let (what, help) = match options.into_iter().find(|(is_given, _)| *is_given) {
            Some((_, option)) => (option.to_owned(), "choose one with --id".to_owned()),
            None if format.is_many() => return Ok(()),
            None => {
                let many = DrawingFormat::ALL.into_iter().filter(|format| format.is_many());
                let many: Vec<&str> = many.map(DrawingFormat::name).collect();
                let help = format!("choose one with --id, or a format that holds many: {}", many.join(", "));
                (format!("the format {}", format.name()), help)
            }
        };
        Err(miette!(help = help, "{what} is for one puzzle, not several: `{first}`, `{second}`"))
    }
}

impl BookArgs {
    /// Says whether a book is asked for.
    fn is_wanted(&self) -> bool {
        self.per_page.is_some() || self.paper.is_some() || self.grade
    }
}

/// Draws one puzzle after the other.
struct Drawer<'a> {
    args: &'a Args,
    format: DrawingFormat,
    style: Style,
    /// The title of the only picture.
    title: String,
    book: Option<(Box<dyn Book>, Style)>,
    is_one: bool,
    count: usize,
}

impl<'a> Drawer<'a> {
    /// For one puzzle, or for several.
    fn new(args: &'a Args, format: DrawingFormat, only: Option<&Puzzle>) -> Self {
        let theme = args.look.theme.map(|(theme, ..)| theme);
        let style = Style {
            black_places: false,
            theme: theme.unwrap_or(format.theme()),
            cage_colours: args.look.cage_colours,
            labels: args.look.labels,
            room: args.look.size.map(|size| (f64::from(size), f64::from(size))),
        };
        let own = only.map_or("", |puzzle| &puzzle.id);
        let is_page = format == DrawingFormat::Pdf && only.is_some() && !args.book.is_wanted();
        let is_book = format.is_book() && !is_page;
        let title = args.look.title.as_deref();
        let (title, is_one) = (title.unwrap_or(own).to_owned(), only.is_some());
        let mut drawer = Self { args, format, style, title, book: None, is_one, count: 0 };
        if is_book {
            drawer.book = Some(drawer.book(args.look.title.as_deref().unwrap_or_default(), theme));
        }
        drawer
    }

    /// The book to fill, with the style of its answers.
    fn book(&mut self, title: &str, theme: Option<Theme>) -> (Box<dyn Book>, Style) {
        let paper = self.args.book.paper.map_or(Paper::A4, |(paper, ..)| paper);
        let usual = if self.is_one { 1 } else { 4 };
        let per_page = self.args.book.per_page.map_or(usual, |(number, _)| number);
        let style = BookStyle { title: title.to_owned(), paper, per_page, theme };
        let size = self.style.room.unwrap_or((f64::INFINITY, f64::INFINITY));
        // A size that was asked for bounds pictures in books, too.
        let within = |room: (f64, f64)| Some((room.0.min(size.0), room.1.min(size.1)));
        let answers = Style { room: within(style.answer_room()), labels: false, ..self.style };
        self.style.room = within(style.room());
        let book: Box<dyn Book> = match self.format {
            DrawingFormat::Html => Box::new(HtmlBook::new(style)),
            _ => Box::new(PdfBook::new(style)),
        };
        (book, answers)
    }

    /// The bytes of a picture; none for one that goes into a book.
    fn draw(&mut self, puzzle: Puzzle, shown: &mut ShownParts<'_>) -> Result<Vec<u8>, Report> {
        self.count += 1;
        let marks = shown.marks(&puzzle)?;
        if self.format == DrawingFormat::Txt {
            let heading = if self.is_one { &self.title } else { &puzzle.id };
            return Ok(format!("{heading}\n{}\n", drawing::text(&puzzle, &marks)).into_bytes());
        }
        let picture = drawing::picture(&puzzle, &marks, &self.style);
        let Some((book, answers)) = &mut self.book else {
            let title = if self.is_one { &self.title } else { &puzzle.id };
            return Ok(self.format.write(&picture, title, f64::from(self.args.look.scale.unwrap_or(2))));
        };
        let heading = if self.is_one { puzzle.id.clone() } else { format!("{}  {}", self.count, puzzle.id) };
        let is_plain = self.is_one && !self.args.book.is_wanted();
        // A page with one puzzle is that picture; answers belong to books.
        let wants_answer = !is_plain && !self.args.book.no_answers && !self.args.shown.solution;
        let solved = if wants_answer { shown.answer(&puzzle) } else { None };
        let answer = solved.map(|marks| drawing::picture(&puzzle, &marks, answers));
        let note = if self.args.book.grade { shown.grade(&puzzle) } else { noted(&puzzle) };
        book.add(Entry { heading, note, picture, answer });
        Ok(Vec::new())
    }

    /// The bytes of the book; empty where each puzzle was written as it was drawn.
    fn finish(self) -> Vec<u8> {
        self.book.map_or_else(Vec::new, |(book, _)| book.finish())
    }
}

/// What a generator has noted of a puzzle's difficulty.
fn noted(puzzle: &Puzzle) -> String {
    let words = |key: &str| match puzzle.meta.get(key) {
        Some(serde_json::Value::String(words)) => Some(words.clone()),
        Some(serde_json::Value::Number(number)) => Some(number.to_string()),
        _ => None,
    };
    words("tier")
        .or_else(|| words("difficulty"))
        .into_iter()
        .chain(words("score"))
        .collect::<Vec<_>>()
        .join(" ")
}
