//! Authors of a study.
//!
//! Source of the check character: ISO/IEC 7064, MOD 11-2, as ORCID uses it.

use std::fmt;
use std::str::FromStr;

/// An author, who can be told from others of the same name by an ORCID.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Author {
    pub(super) name: AuthorName,
    /// Its address, `https://orcid.org/0000-0002-1825-0097`.
    pub(super) orcid: Option<String>,
}

/// What an author is called.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum AuthorName {
    Person {
        family: String,
        given: String,
    },
    /// An organisation or a group.
    Group(String),
}

impl FromStr for Author {
    type Err = String;

    /// Reads `Family, Given`, `Family, Given (0000-0002-1825-0097)`, or the name of a group.
    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let text = text.trim();
        if text.is_empty() || text.chars().any(char::is_control) {
            return Err("expected a name on one line".to_owned());
        }
        let (name, orcid) = match text.strip_suffix(')').and_then(|text| text.rsplit_once('(')) {
            Some((name, inside)) if is_meant_as_orcid(inside) => (name.trim(), Some(address(inside.trim())?)),
            _ => (text, None),
        };
        let name = match name.split_once(',') {
            Some((family, given)) if !family.trim().is_empty() && !given.trim().is_empty() => {
                AuthorName::Person { family: family.trim().to_owned(), given: given.trim().to_owned() }
            }
            _ if orcid.is_some() => return Err("expected `Family, Given` before an ORCID".to_owned()),
            _ => AuthorName::Group(name.to_owned()),
        };
        Ok(Self { name, orcid })
    }
}

/// Whether brackets hold an ORCID, right or wrong, and not a remark such as a place or a year.
fn is_meant_as_orcid(text: &str) -> bool {
    let begins_with_digit = text.trim().starts_with(|c: char| c.is_ascii_digit());
    text.to_ascii_lowercase().contains("orcid") || begins_with_digit && text.contains('-')
}

/// The address of an ORCID, given with or without it.
fn address(text: &str) -> Result<String, String> {
    let bare = ["https://", "http://"].iter().find_map(|scheme| text.strip_prefix(scheme)).unwrap_or(text);
    let number = bare.strip_prefix("orcid.org/").unwrap_or(bare).trim_end_matches('/').to_ascii_uppercase();
    if is_orcid(&number) {
        Ok(format!("https://orcid.org/{number}"))
    } else {
        Err(format!("`{text}` is no ORCID: expected one such as 0000-0002-1825-0097"))
    }
}

/// Four groups of four characters, of which the last checks the others.
fn is_orcid(text: &str) -> bool {
    let is_group = |group: &str| group.len() == 4;
    let characters: Vec<u8> = text.bytes().filter(|byte| *byte != b'-').collect();
    let Some((check, digits)) = characters.split_last() else { return false };
    let sum = digits.iter().fold(0, |sum, digit| (sum + u32::from(digit.wrapping_sub(b'0'))) * 2 % 11);
    let expected = b"0123456789X"[(12 - sum as usize) % 11];
    text.split('-').count() == 4
        && text.split('-').all(is_group)
        && digits.iter().all(u8::is_ascii_digit)
        && *check == expected
}

impl fmt::Display for Author {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.name {
            AuthorName::Person { family, given } => write!(f, "{family}, {given}"),
            AuthorName::Group(name) => write!(f, "{name}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_person_has_two_names_and_may_have_an_orcid() {
        let ada: Author = "Lovelace,Ada (https://orcid.org/0000-0002-1694-233X)".parse().expect("an author");
        assert_eq!(ada.to_string(), "Lovelace, Ada");
        assert_eq!(ada.orcid.as_deref(), Some("https://orcid.org/0000-0002-1694-233X"));
        for same in ["( 0000-0002-1694-233x )", "(http://orcid.org/0000-0002-1694-233X/)"] {
            assert_eq!(format!("Lovelace, Ada {same}").parse().as_ref(), Ok(&ada), "{same}");
        }
        for remark in ["Group (heidelberg)", "Class (2026)", "Group (12)"] {
            let group: Author = remark.parse().expect("an author");
            assert_eq!((group.to_string().as_str(), group.orcid), (remark, None));
        }
    }

    #[test]
    fn what_is_no_author_is_refused() {
        for bad in [
            " ",
            "A\nB",
            "Lovelace, Ada (0000-0002-1825-0096)",
            "Lovelace, Ada (0000-0002-18250-097)",
            "Lovelace, Ada (0000-0002-1825-00\u{e9}7)",
            "A Group (0000-0002-1825-0097)",
        ] {
            assert!(bad.parse::<Author>().is_err(), "{bad}");
        }
    }
}
