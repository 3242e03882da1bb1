//! The commands as whole programs, in temporary folders.

mod adversarial;
mod animate;
mod anytime;
mod both_programs;
mod bounds;
mod browser;
mod bundle;
mod bytes;
mod check;
mod coloring;
mod compare;
mod convert;
mod craft;
mod dead;
mod described;
mod draw;
mod errors;
mod every;
#[cfg(unix)]
mod exhaustive;
mod experiments;
mod export;
#[cfg(unix)]
mod failed;
mod family;
mod features;
mod full_disk;
mod gaps;
mod generate;
mod grid;
mod guide;
mod hardness;
mod help;
mod honest;
mod init;
mod inside;
mod lab;
mod labelled;
mod landscape;
mod migrations;
mod models;
#[cfg(unix)]
mod moments;
mod odd;
mod options;
mod own_batches;
mod own_examples;
mod own_genetic;
mod own_problem;
mod own_units;
mod packed;
mod paper;
mod partitions;
#[cfg(unix)]
mod play;
mod populations;
#[cfg(unix)]
mod program;
mod report;
mod reported_cost;
#[cfg(unix)]
mod resume;
#[cfg(unix)]
mod rounds;
mod safe;
#[cfg(unix)]
mod serve;
#[cfg(unix)]
mod served;
#[cfg(unix)]
mod served_reports;
#[cfg(unix)]
mod shards_by_cost;
mod shell;
#[cfg(unix)]
mod signals;
mod solve;
#[cfg(unix)]
mod solve_watch;
#[cfg(unix)]
mod streams;
#[cfg(unix)]
mod submit;
#[cfg(unix)]
mod sweep;
mod tamper;
mod tamper_rows;
mod terminal;
mod transform;
#[cfg(unix)]
mod tune;
mod tune_own;
mod tune_shards;
#[cfg(unix)]
mod tune_tamper;
mod typed;
mod validate;
#[cfg(unix)]
mod watch;
mod why;
mod written;
