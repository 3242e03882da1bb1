//! Input and output: what commands read, where they write, how they end, and what they show meanwhile.

pub(super) mod exit;
pub(super) mod input;
pub(super) mod number;
pub(super) mod output;
pub(super) mod progress;
pub(super) mod terminal;
