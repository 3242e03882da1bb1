//! Operators by family; each family is a folder with its trait and table in `mod.rs` and one file a member.

mod credit;
pub mod crossover;
pub mod mutation;
pub mod niching;
pub mod replacement;
pub mod restart;
pub mod scaling;
pub mod schedule;
pub mod selection;
pub mod topology;
pub mod weights;
