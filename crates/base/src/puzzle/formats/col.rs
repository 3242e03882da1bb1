//! Graph colouring in the DIMACS format; one puzzle a file.
//!
//! ```text
//! c a square with a diagonal
//! c colors 3
//! p edge 4 5
//! e 1 2
//! e 2 3
//! ```
//!
//! `p col` is read for `p edge`, and so is a line of `p` with the numbers alone. Vertices count from 1. The number of colours is
//! no part of the format: it comes from a comment `c colors K`, or from whoever reads the file. Files count edges once or
//! twice, so that only a text with fewer than half as many is refused, as one that was cut off. `n` lines, which give
//! vertices a weight, are passed over.

use super::super::{Coloring, Defect, Kind, MAX_DIGITS, Puzzle};
use super::Format;
use super::contents::check_kind;
use super::error::{Fault, Malformed, Span, WriteError};
use super::words::{Word, lines, span};

pub(super) const FORMAT: Format = Format::new(
    "col",
    "graph colouring in DIMACS: `p edge 4 5`, then `e 1 2` for each edge; `c colors 3` says how many colours",
    recognise,
    read,
)
.written_by(write);

/// The first line that is no comment says how large the graph is.
fn recognise(text: &str) -> bool {
    for line in lines(text) {
        let words = line.split();
        if words[0].text != "c" {
            return problem(&words).is_some();
        }
    }
    false
}

/// The words of `p edge 4 5` after the kind of problem.
fn problem<'a, 'b>(words: &'b [Word<'a>]) -> Option<&'b [Word<'a>]> {
    match words {
        [p, kind, numbers @ ..] if p.text == "p" && ["edge", "col", "edges"].contains(&kind.text) => {
            Some(numbers)
        }
        [p, vertices, edges] if p.text == "p" && vertices.is_digits() && edges.is_digits() => {
            Some(&words[1..])
        }
        _ => None,
    }
}

fn read(record: &str) -> Result<(Puzzle, Span), Fault> {
    let mut graph = Coloring::new(0, 0, Vec::new());
    let (mut head, mut announced, mut places) = (0..0, 0, Vec::new());
    let mut colors = Ok(0);
    for line in lines(record) {
        let words = line.split();
        match words[0].text {
            "c" => {
                // Only the last counts: what the program is told stands after what the file says.
                if let Some(said) = colors_of(&words) {
                    colors = said;
                }
            }
            "p" if graph.vertices == 0 => {
                graph.vertices = vertices(&words)?;
                head = span(&words);
                announced = announced_edges(&words);
            }
            "e" if graph.vertices > 0 => {
                graph.edges.push(edge(&words)?);
                places.push(span(&words));
            }
            "n" | "d" | "v" | "x" if graph.vertices > 0 => {}
            _ if graph.vertices > 0 => {
                return Err(words[0].unexpected("an edge such as `e 1 2`, or a comment: `c …`"));
            }
            _ => return Err(words[0].unexpected("`p edge`, the vertices and the edges, as in `p edge 4 5`")),
        }
    }
    graph.colors = colors?;
    // The format has no word for it: the number comes with the question.
    if graph.colors == 0 {
        let label = "no line before or after it says `c colors K`";
        let help = "say how many colours there are: --colors K, or a line `c colors K` in the file";
        return Err(Fault::new(Malformed::MissingKey("colors"), head, label).help(help));
    }
    // Files announce each edge once or twice.
    if places.len() < announced.div_ceil(2) {
        let label = format!("{announced} edges should follow, and {} do", places.len());
        return Err(Fault::new(Malformed::Truncated("the edges".to_owned()), head, label));
    }
    let puzzle = graph.build().map_err(|defect| {
        let place = match defect {
            Defect::Edge { edge, .. } => places[edge].clone(),
            _ => head,
        };
        Fault::new(defect, place, "in this graph")
    })?;
    Ok((puzzle, 0..0))
}

/// The comment that says how many colours there are; the last of several counts.
pub(super) fn colors_comment(colors: usize) -> String {
    format!("c colors {colors}")
}

/// The colours that a comment names, `c colors 5`, if it names any.
fn colors_of(words: &[Word<'_>]) -> Option<Result<usize, Fault>> {
    let [_, key, number] = words else { return None };
    if key.text != "colors" && key.text != "colours" {
        return None;
    }
    Some(match number.text.parse() {
        Ok(colors) if (1..=MAX_DIGITS).contains(&colors) => Ok(colors),
        _ => Err(number.unexpected("a number of colours from 1 to 32")),
    })
}

fn vertices(words: &[Word<'_>]) -> Result<usize, Fault> {
    let Some([number, ..]) = problem(words) else {
        return Err(words[0].unexpected("`p edge`, the vertices and the edges, as in `p edge 4 5`"));
    };
    let vertices = usize::try_from(number.whole()?).unwrap_or(0);
    if vertices == 0 {
        return Err(number.unexpected("a number of vertices from 1"));
    }
    Ok(vertices)
}

/// How many edges are announced; 0 when nothing is said.
fn announced_edges(words: &[Word<'_>]) -> usize {
    match problem(words) {
        Some([_, number, ..]) => number.text.parse().unwrap_or(0),
        _ => 0,
    }
}

/// The vertices of `e 1 2`, from 0.
fn edge(words: &[Word<'_>]) -> Result<(usize, usize), Fault> {
    let [_, from, to] = words else {
        let found = format!("{} of them", words.len() - 1);
        return Err(Fault::unexpected("two vertices, as in `e 1 2`", found, span(words)));
    };
    Ok((vertex(from)?, vertex(to)?))
}

/// The vertex that a word counts from 1, from 0.
fn vertex(word: &Word<'_>) -> Result<usize, Fault> {
    match word.text.parse::<usize>() {
        Ok(number) if number > 0 => Ok(number - 1),
        _ => Err(word.unexpected("a vertex, counted from 1")),
    }
}

fn write(puzzle: &Puzzle) -> Result<String, WriteError> {
    let refused = |what: String| WriteError::new(FORMAT.name, what);
    check_kind(puzzle, Kind::Coloring).map_err(refused)?;
    for group in puzzle.groups() {
        if !Coloring::is_edge(group) {
            return Err(refused(format!("the {} besides the edges", puzzle.group_name(group))));
        }
    }
    let edges = Coloring::edges_of(puzzle);
    let mut text = colors_comment(puzzle.digits().len());
    text += &format!("\np edge {} {}\n", Coloring::vertices_of(puzzle), edges.len());
    for (low, high) in edges {
        text += &format!("e {} {}\n", low + 1, high + 1);
    }
    Ok(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    const GRAPH: &str = "c colors 3\np edge 4 5\ne 1 2\ne 1 3\ne 1 4\ne 2 3\ne 3 4\n";

    #[test]
    fn a_graph_is_written_as_it_was_read() {
        let (puzzle, _) = read(GRAPH).expect("a sound graph");
        assert_eq!((puzzle.rows(), puzzle.cols(), puzzle.digits().len()), (2, 2, 3));
        assert_eq!(write(&puzzle), Ok(GRAPH.to_owned()));
    }

    #[test]
    fn texts_of_others_are_read() {
        let plain = read(GRAPH).expect("a sound graph").0.canonical_text();
        for text in [
            GRAPH.replace("p edge", "p col"),
            GRAPH.replace("p edge 4 5", "p 4 5"),
            GRAPH.replace("c colors 3\n", "c FILE: a.col\nc\n") + "c colours 3\n",
            GRAPH.to_owned() + "e 2 1\ne 3 1\nn 1 5\n",
            GRAPH.replace('\n', " \r\n"),
        ] {
            assert!(recognise(&text), "{text}");
            assert_eq!(read(&text).expect("a sound graph").0.canonical_text(), plain, "{text}");
        }
    }

    #[test]
    fn what_is_wrong_is_named() {
        let label = |text: &str| read(text).expect_err("a bad graph").label;
        assert_eq!(label("p edge 0 0\n"), "expected a number of vertices from 1");
        assert_eq!(label("p edge 2 1\nc colors 33\n"), "expected a number of colours from 1 to 32");
        assert_eq!(label("p edge 2 1\ne 1\n"), "expected two vertices, as in `e 1 2`");
        assert_eq!(label("p edge 2 1\ne 0 1\n"), "expected a vertex, counted from 1");
        assert_eq!(label("p edge 2 1\nf 0 1\n"), "expected an edge such as `e 1 2`, or a comment: `c …`");
        let beyond = read("c colors 2\np edge 2 1\ne 1 3\n").expect_err("a vertex too many");
        assert_eq!(
            (beyond.what.to_string(), beyond.span),
            ("edge 1 names a vertex beyond the 2 of the graph".to_owned(), 22..27)
        );
    }

    #[test]
    fn a_text_with_less_than_half_of_its_edges_was_cut_off() {
        let said = |edges: usize| read(&GRAPH.replace("4 5", &format!("4 {edges}")));
        assert!(said(0).is_ok() && said(3).is_ok() && said(10).is_ok());
        let fault = said(11).expect_err("six lines at least");
        assert_eq!(fault.what.to_string(), "the text ends in the middle of the edges");
        assert_eq!(fault.label, "11 edges should follow, and 5 do");
        assert!(read("c colors 2\np edge 3\ne 1 2\n").is_ok());
    }

    #[test]
    fn the_last_comment_counts_whatever_others_say() {
        for wrong in ["0", "40", "many"] {
            let text = GRAPH.replace("colors 3", &format!("colors {wrong}"));
            assert!(read(&text).is_err());
            let colors = read(&(text + "c colors 5\n")).map(|(puzzle, _)| puzzle.digits().len());
            assert_eq!(colors.ok(), Some(5), "{wrong}");
        }
    }

    #[test]
    fn without_colours_both_ways_to_say_them_are_named() {
        let fault = read("p edge 2 1\ne 1 2\n").expect_err("no colours");
        let help = fault.help.expect("a help");
        assert!(help.contains("--colors K") && help.contains("c colors K"), "{help}");
    }

    #[test]
    fn clauses_in_dimacs_are_no_graph() {
        assert!(!recognise("c x\np cnf 3 2\n1 2 0\n") && !recognise("p\n") && !recognise("c\n"));
    }
}
