//! Standard output for those who write bytes: as they are, or on a terminal without the sequences of others.

use std::io::{self, IsTerminal, Stdout, Write};

use kenga_core::text::printable;

/// Standard output of bytes.
pub(in crate::cli) fn data_output() -> Box<dyn Write + Send> {
    let stdout = io::stdout();
    if stdout.is_terminal() { Box::new(Screen::new(stdout)) } else { Box::new(stdout) }
}

/// A terminal that is shown text, each character whole.
struct Screen<W: Write> {
    terminal: W,
    /// The first bytes of a character whose others have not come.
    begun: Vec<u8>,
}

impl Screen<Stdout> {
    fn new(terminal: Stdout) -> Self {
        Self { terminal, begun: Vec::new() }
    }
}

impl<W: Write> Write for Screen<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let mut text = std::mem::take(&mut self.begun);
        text.extend_from_slice(bytes);
        if let Err(error) = str::from_utf8(&text)
            && error.error_len().is_none()
        {
            self.begun = text.split_off(error.valid_up_to());
        }
        self.terminal.write_all(printable(&String::from_utf8_lossy(&text)).as_bytes())?;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.terminal.flush()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_terminal_gets_no_sequence_and_every_character_whole() {
        let text = "a\u{1b}[2Jé\u{202E}✓\n";
        let mut screen = Screen { terminal: Vec::new(), begun: Vec::new() };
        for byte in text.bytes() {
            screen.write_all(&[byte]).expect("memory takes it");
        }
        let shown = String::from_utf8(screen.terminal).expect("text");
        assert_eq!(shown, "a\u{FFFD}[2Jé\u{FFFD}✓\n");
    }
}
