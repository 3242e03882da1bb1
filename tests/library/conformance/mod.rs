//! What every member of every family promises: one suite that walks the tables, so that a new member is tested by
//! standing in its table.

mod algorithms;
mod closure;
mod islands;
mod local;
mod niching;
mod replacement;
mod runs;
mod schedules;
mod selection;
mod setup;
mod tables;
mod topologies;
mod variation;
