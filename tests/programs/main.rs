//! `kenga run` and `kenga validate` as whole programs, in temporary folders.

mod bounds;
mod browser;
mod bytes;
mod compare;
mod dead;
mod errors;
mod every;
mod export;
mod full_disk;
mod help;
mod honest;
mod inside;
mod lab;
mod migrations;
mod odd;
mod options;
mod packed;
mod report;
#[cfg(unix)]
mod resume;
mod safe;
#[cfg(unix)]
mod signals;
#[cfg(unix)]
mod sweep;
mod tamper;
mod terminal;
mod validate;
