//! What every member of every family promises: the suite of `kenga_testing` walks the tables, so that a new member is tested
//! by standing in its table; and what only some of them do.

mod algorithms;
mod closure;
mod islands;
mod local;
mod members;
mod selection;
mod tables;
mod topologies;
