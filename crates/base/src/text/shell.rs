//! Words of a POSIX shell.

use std::path::Path;

/// A text quoted as one word of a POSIX shell or of an `#SBATCH` line.
pub fn quoted(text: &str) -> String {
    if is_plain(text) { text.to_owned() } else { format!("'{}'", text.replace('\'', "'\\''")) }
}

/// A path [`quoted`] so that no command takes it for an option: one that begins with `-` is named from the current folder.
pub fn quoted_path(path: &Path) -> String {
    let path = path.display().to_string();
    if path.starts_with('-') { quoted(&format!("./{path}")) } else { quoted(&path) }
}

/// Says whether every shell reads the text as the word that it is.
fn is_plain(text: &str) -> bool {
    // `=x` is a path to zsh.
    !text.is_empty()
        && !text.starts_with('=')
        && text.bytes().all(|b| b.is_ascii_alphanumeric() || b"/._-+=:,@%".contains(&b))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_quoted_where_a_shell_would_read_another() {
        for plain in ["/a/b-c.json", "a.b=0.05", "--seed", "10:30,x"] {
            assert_eq!(quoted(plain), plain);
        }
        assert_eq!(quoted(""), "''");
        assert_eq!(quoted("/my plans/it's"), "'/my plans/it'\\''s'");
        for other in ["$(id)", "~x", "a b", "é", "a\nb", "=x", "*", "a;b"] {
            assert_eq!(quoted(other), format!("'{other}'"));
        }
    }

    #[test]
    fn a_path_is_no_option() {
        assert_eq!(quoted_path(Path::new("-x")), "./-x");
        assert_eq!(quoted_path(Path::new("-a b")), "'./-a b'");
        assert_eq!(quoted_path(Path::new("a/-x")), "a/-x");
    }

    #[cfg(unix)]
    #[test]
    fn a_shell_reads_a_quoted_text_back() {
        for text in ["", "a'b", "''", "$(x)`y`", "a\nb", "é \u{3000}", "\\", "!!", "#x", "{a,b}", "-x"] {
            let script = format!("printf %s {}", quoted(text));
            let said = std::process::Command::new("sh").args(["-c", &script]).output().expect("a shell");
            assert_eq!(String::from_utf8(said.stdout).as_deref(), Ok(text));
        }
    }
}
