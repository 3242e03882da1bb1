//! Words that a browser is let in by: the token, and a ticket that stands for it once.

use std::sync::Mutex;

use super::lock;
use kenga_core::budget::Clock;

/// A word that stands for the token once, and not for long: others may see the address that a browser is started with.
#[derive(Default)]
pub(super) struct Ticket(Mutex<Option<(String, Clock)>>);

/// Seconds for which a ticket is valid.
const TICKET: f64 = 60.0;

impl Ticket {
    /// Makes the word valid from now on.
    pub(super) fn set(&self, word: String) {
        *lock(&self.0) = Some((word, Clock::start()));
    }

    /// Whether the word is valid; it is not afterwards.
    pub(super) fn takes(&self, word: &str) -> bool {
        let mut place = lock(&self.0);
        let Some((valid, since)) = &*place else { return false };
        let is_valid = same(word, valid) && !since.past(Some(TICKET));
        if is_valid {
            *place = None;
        }
        is_valid
    }
}

/// Two words are the same; that takes as long for a good beginning as for a bad one.
pub(super) fn same(word: &str, secret: &str) -> bool {
    let mut differences = 0;
    // No early end: its time would tell how many characters were right.
    for (one, other) in word.bytes().zip(secret.bytes()) {
        differences |= one ^ other;
    }
    word.len() == secret.len() && differences == 0
}
