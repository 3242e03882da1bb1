//! What people look at: drawings of grids.

mod grid;

pub use grid::draw;
