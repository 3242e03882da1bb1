//! Genomes of a request: lists of digits, or texts of one character a digit.

use serde::Deserialize;
use serde::de::{self, Deserializer, SeqAccess, Visitor};

use crate::search::algorithms::session::GenomeError;

/// Genomes, one after the other, and how many digits each has.
#[derive(Default)]
pub(super) struct Genomes {
    digits: Vec<u8>,
    lengths: Vec<usize>,
}

impl Genomes {
    /// The digits of all, each of which should have so many.
    pub(super) fn of_length(self, genes: usize) -> Result<Vec<u8>, GenomeError> {
        for (genome, length) in self.lengths.iter().enumerate() {
            if *length != genes {
                return Err(GenomeError::Length { genome, found: *length, expected: genes });
            }
        }
        Ok(self.digits)
    }
}

impl<'de> Deserialize<'de> for Genomes {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct List(Genomes);
        impl<'de> Visitor<'de> for List {
            type Value = Genomes;

            fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str("a list of genomes")
            }

            fn visit_seq<A: SeqAccess<'de>>(mut self, mut list: A) -> Result<Genomes, A::Error> {
                while let Some(length) = list.next_element_seed(Genome(&mut self.0.digits))? {
                    self.0.lengths.push(length);
                }
                Ok(self.0)
            }
        }
        deserializer.deserialize_seq(List(Self::default()))
    }
}

/// Reads one genome, a list of digits or a text of one character a digit, behind others; its length is the value.
struct Genome<'a>(&'a mut Vec<u8>);

impl<'de> de::DeserializeSeed<'de> for Genome<'_> {
    type Value = usize;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<usize, D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Genome<'_> {
    type Value = usize;

    fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("a genome: a list of digits, or a text of them")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut digits: A) -> Result<usize, A::Error> {
        let before = self.0.len();
        while let Some(Digit(digit)) = digits.next_element()? {
            self.0.push(digit);
        }
        Ok(self.0.len() - before)
    }

    fn visit_str<E: de::Error>(self, text: &str) -> Result<usize, E> {
        let before = self.0.len();
        for character in text.chars() {
            match character.to_digit(36) {
                Some(digit) if !character.is_ascii_uppercase() => self.0.push(digit as u8),
                _ => {
                    let found = de::Unexpected::Char(character);
                    return Err(E::invalid_value(found, &"a digit 0 to 9 or a to z"));
                }
            }
        }
        Ok(self.0.len() - before)
    }
}

/// A digit of a list.
struct Digit(u8);

impl<'de> Deserialize<'de> for Digit {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Whole;
        impl Visitor<'_> for Whole {
            type Value = Digit;

            fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str("a digit, a whole number")
            }

            fn visit_u64<E: de::Error>(self, number: u64) -> Result<Digit, E> {
                match u8::try_from(number) {
                    Ok(digit) => Ok(Digit(digit)),
                    Err(_) => Err(E::invalid_value(de::Unexpected::Unsigned(number), &self)),
                }
            }
        }
        deserializer.deserialize_u8(Whole)
    }
}
