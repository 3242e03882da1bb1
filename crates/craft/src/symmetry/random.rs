//! A puzzle changed at random, every change that it allows as likely as any other.

use super::digits::{Names, Naming, relabelled};
use super::image::{Motion, moved, white_cells};
use super::{Freedom, Turn, turned};
use kenga_core::puzzle::Puzzle;
use kenga_core::rng::RunRng;

/// The puzzle changed by a random one of its symmetries.
pub fn random(puzzle: &Puzzle, rng: &mut RunRng) -> Puzzle {
    let image = match Freedom::of(puzzle) {
        Freedom::Vertices => with_vertices(puzzle, rng),
        Freedom::Lines { band, stack } => {
            let n = puzzle.rows();
            let image = moved(puzzle, &in_sets(n, band, rng), &in_sets(n, stack, rng));
            if rng.coin(0.5) { turn(&image, Turn::TRANSPOSE) } else { image }
        }
        Freedom::Alike => {
            let order = central(puzzle.rows(), rng);
            turn(&moved(puzzle, &order, &order), random_turn(rng))
        }
        Freedom::Fixed { .. } => turn(puzzle, random_turn(rng)),
    };
    let names = names(&image, rng);
    relabelled(&image, &names).expect("names that the clues allow")
}

fn random_turn(rng: &mut RunRng) -> Turn {
    Turn { transposed: rng.coin(0.5), upside_down: rng.coin(0.5), reversed: rng.coin(0.5) }
}

/// The turned puzzle; queens that cannot change rows and columns turn without.
fn turn(puzzle: &Puzzle, turn: Turn) -> Puzzle {
    let still = Turn { transposed: false, ..turn };
    turned(puzzle, turn).or_else(|_| turned(puzzle, still)).unwrap_or_else(|_| puzzle.clone())
}

fn names(puzzle: &Puzzle, rng: &mut RunRng) -> Names {
    let mut digits = puzzle.digits().values().to_vec();
    match Naming::of(puzzle) {
        // No clue depends on what a digit is called.
        Naming::Any => rng.shuffle(&mut digits),
        Naming::Complement if rng.coin(0.5) => return Names::Complement,
        Naming::Complement | Naming::Own => {}
    }
    Names::Of(digits)
}

fn with_vertices(puzzle: &Puzzle, rng: &mut RunRng) -> Puzzle {
    let mut places = white_cells(puzzle);
    rng.shuffle(&mut places);
    Motion::of_white_cells(puzzle, &places).image(puzzle)
}

/// A random place for each of `n` lines, sets of `size` staying together.
fn in_sets(n: usize, size: usize, rng: &mut RunRng) -> Vec<usize> {
    let lines: Vec<usize> = (0..n).collect();
    let mut sets: Vec<Vec<usize>> = lines.chunks(size).map(<[usize]>::to_vec).collect();
    for set in &mut sets {
        rng.shuffle(set);
    }
    rng.shuffle(&mut sets);
    sets.concat()
}

/// A random place for each of `n` lines, opposite ones staying opposite.
fn central(n: usize, rng: &mut RunRng) -> Vec<usize> {
    let mut half: Vec<usize> = (0..n / 2).collect();
    rng.shuffle(&mut half);
    let mut places: Vec<usize> = (0..n).collect();
    for (line, place) in half.into_iter().enumerate() {
        // Opposite lines are exchanged, or not, with even chances.
        let (near, far) = (place, n - 1 - place);
        let (one, other) = if rng.coin(0.5) { (near, far) } else { (far, near) };
        (places[line], places[n - 1 - line]) = (one, other);
    }
    places
}
