//! The library from outside: formats, the solver, comparisons, every family of operators, the layers of the house, the papers of docs/study, plans, the referee.

mod comparison;
mod conformance;
mod differential;
mod drawings;
mod format_errors;
mod formats;
mod golden;
mod grids;
mod keys;
mod large;
mod layers;
mod names;
mod own_defaults;
mod papers;
mod plans;
mod referee;
mod tiers;
