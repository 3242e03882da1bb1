//! How things are told apart: by the sixteen colours of any terminal, or without colours by marks and weight.

use ratatui::style::{Color, Modifier, Style};

/// Whether there are colours.
#[derive(Clone, Copy, Debug)]
pub(in crate::cli) struct Palette {
    pub(in crate::cli) colour: bool,
}

/// A colour for every digit, from the first on and again.
const DIGITS: [Color; 12] = [
    Color::Blue,
    Color::Yellow,
    Color::Red,
    Color::Green,
    Color::Magenta,
    Color::Cyan,
    Color::White,
    Color::LightBlue,
    Color::LightRed,
    Color::LightGreen,
    Color::LightMagenta,
    Color::DarkGray,
];

impl Palette {
    fn fg(self, colour: Color) -> Style {
        if self.colour { Style::new().fg(colour) } else { Style::new() }
    }

    /// What a rule is broken by.
    pub(in crate::cli) fn broken(self) -> Style {
        self.fg(Color::Red).add_modifier(Modifier::BOLD)
    }

    /// What differs from the true solution.
    pub(in crate::cli) fn wrong(self) -> Style {
        self.fg(Color::Yellow)
    }

    /// What is as it should be.
    pub(in crate::cli) fn good(self) -> Style {
        self.fg(Color::Green)
    }

    /// The best of a population.
    pub(in crate::cli) fn best(self) -> Style {
        self.fg(Color::Cyan)
    }

    /// The mean of a population.
    pub(in crate::cli) fn mean(self) -> Style {
        self.fg(Color::Yellow)
    }

    /// Lines and words of less weight.
    pub(in crate::cli) fn faint(self) -> Style {
        self.fg(Color::DarkGray)
    }

    /// The frame of a panel.
    pub(in crate::cli) fn frame(self, has_focus: bool) -> Style {
        match (self.colour, has_focus) {
            (true, true) => Style::new().fg(Color::Cyan),
            (true, false) => Style::new().fg(Color::DarkGray),
            (false, true) => Style::new().add_modifier(Modifier::BOLD),
            (false, false) => Style::new(),
        }
    }

    /// What is chosen or placed.
    pub(in crate::cli) fn placed(self) -> Style {
        self.good().add_modifier(Modifier::BOLD)
    }

    /// What goes; without colours it is underlined.
    pub(in crate::cli) fn removed(self) -> Style {
        if self.colour { self.wrong() } else { Style::new().add_modifier(Modifier::UNDERLINED) }
    }

    /// What a conclusion rests on.
    pub(in crate::cli) fn rests(self) -> Style {
        self.fg(Color::Cyan)
    }

    /// Where a cursor is.
    pub(in crate::cli) fn cursor(self, style: Style) -> Style {
        style.add_modifier(Modifier::REVERSED)
    }

    /// The colour of a digit, by its rank.
    pub(in crate::cli) fn digit(self, rank: u8) -> Color {
        DIGITS[usize::from(rank) % DIGITS.len()]
    }
}
