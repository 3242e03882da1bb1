//! The folder that results folders lie in, for those who name them in the words of a stranger: no name leads out of it.

use std::fs;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use miette::Diagnostic;
use thiserror::Error;

use super::files::{MANIFEST, is_file};
use super::kind::VALIDATION;
use super::{FolderKind, ResultsError};
use kenga_core::sort::sort_by;

/// The most bytes of a name.
const LONGEST: usize = 200;

/// How deep folders are looked for.
const DEPTH: usize = 4;

/// The most entries of folders that are looked at.
const MOST: usize = 20_000;

/// A folder with results folders, files of puzzles and other folders; it may not be there yet.
#[derive(Clone, Debug)]
pub struct Shelf(PathBuf);

/// A name that cannot be used.
#[derive(Debug, Error, Diagnostic)]
pub enum ShelfError {
    /// It is no name.
    #[error("`{name}` is not the name of a folder or a file: {problem}")]
    #[diagnostic(help(
        "a name is relative to the folder that is served, with / between its parts, such as ga or july/ga-2"
    ))]
    Name {
        /// The name.
        name: String,
        /// What is wrong with it.
        problem: &'static str,
    },
    /// A link leads elsewhere.
    #[error("`{name}` leads out of the folder that is served")]
    #[diagnostic(help("a link in it points elsewhere"))]
    Outside {
        /// The name.
        name: String,
    },
    /// Nothing has the name.
    #[error("there is no `{name}` in the folder that is served")]
    Missing {
        /// The name.
        name: String,
    },
    /// A file is larger than is read.
    #[error("`{name}` is larger than {most} bytes")]
    #[diagnostic(help("use the command line for large files"))]
    Large {
        /// The name.
        name: String,
        /// The most bytes.
        most: usize,
    },
    /// It would lie in a results folder.
    #[error("`{name}` lies in a results folder")]
    #[diagnostic(help("name a folder beside it"))]
    Inside {
        /// The name.
        name: String,
    },
    /// It cannot be read.
    #[error(transparent)]
    #[diagnostic(transparent)]
    Results(#[from] ResultsError),
}

/// What lies on a shelf.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct ShelfNames {
    /// The results folders, by name; `.` where the shelf is one itself.
    pub folders: Vec<String>,
    /// All other files.
    pub files: Vec<String>,
    /// There may be more.
    pub is_cut: bool,
}

impl Shelf {
    /// The shelf at a path.
    ///
    /// # Errors
    /// [`ResultsError::NoFolder`] for a file.
    pub fn new(path: &Path) -> Result<Self, ResultsError> {
        match fs::metadata(path) {
            Ok(found) if !found.is_dir() => Err(ResultsError::NoFolder { path: path.to_owned() }),
            _ => Ok(Self(path.to_owned())),
        }
    }

    /// The path of the folder.
    pub fn path(&self) -> &Path {
        &self.0
    }

    /// The path that a name stands for, whether it is there or not.
    ///
    /// # Errors
    /// [`ShelfError::Name`] and [`ShelfError::Outside`].
    pub fn place(&self, name: &str) -> Result<PathBuf, ShelfError> {
        if name == "." {
            return Ok(self.0.clone());
        }
        if let Some(problem) = problem_of(name) {
            return Err(ShelfError::Name { name: shortened(name), problem });
        }
        let mut path = self.0.clone();
        for part in name.split('/') {
            path.push(part);
            if self.leads_out(&path) {
                return Err(ShelfError::Outside { name: name.to_owned() });
            }
        }
        Ok(path)
    }

    /// Says whether what a path names lies elsewhere. A link that leads nowhere does.
    fn leads_out(&self, path: &Path) -> bool {
        if fs::symlink_metadata(path).is_err() {
            return false;
        }
        let (Ok(root), Ok(real)) = (fs::canonicalize(&self.0), fs::canonicalize(path)) else { return true };
        !real.starts_with(root)
    }

    /// Refuses a results folder that holds a link to elsewhere: whoever reads it would follow the link.
    fn refuse_links(&self, name: &str, folder: &Path) -> Result<(), ShelfError> {
        // A folder that cannot be listed is refused by its reader.
        let Ok(entries) = fs::read_dir(folder) else { return Ok(()) };
        for entry in entries.flatten() {
            if entry.file_type().is_ok_and(|kind| kind.is_symlink()) && self.leads_out(&entry.path()) {
                let file = entry.file_name().to_string_lossy().into_owned();
                return Err(ShelfError::Outside { name: format!("{name}/{file}") });
            }
        }
        Ok(())
    }

    /// The path of a new results folder, which lies in no other.
    ///
    /// # Errors
    /// Those of [`place`](Self::place), and [`ShelfError::Inside`].
    pub fn new_folder(&self, name: &str) -> Result<PathBuf, ShelfError> {
        let path = self.place(name)?;
        let mut above = path.ancestors().skip(1).take_while(|above| above.starts_with(&self.0));
        match name == "." || above.any(|above| above.join(MANIFEST).is_file()) {
            true => Err(ShelfError::Inside { name: name.to_owned() }),
            false => Ok(path),
        }
    }

    /// The path of a folder or a file that is there; no file of a results folder leads elsewhere.
    ///
    /// # Errors
    /// Those of [`place`](Self::place), also for the files of a results folder, and [`ShelfError::Missing`].
    pub fn find(&self, name: &str) -> Result<PathBuf, ShelfError> {
        let path = self.place(name)?;
        if !path.exists() {
            return Err(ShelfError::Missing { name: name.to_owned() });
        }
        if fs::symlink_metadata(path.join(MANIFEST)).is_ok() {
            self.refuse_links(name, &path)?;
        }
        Ok(path)
    }

    /// The bytes of a file of at most `most` of them.
    ///
    /// # Errors
    /// Those of [`find`](Self::find), [`ShelfError::Large`], and [`ResultsError::Io`].
    pub fn read(&self, name: &str, most: usize) -> Result<Vec<u8>, ShelfError> {
        let path = self.find(name)?;
        let bytes = first_bytes(&path, most as u64 + 1).map_err(ResultsError::io("read", &path))?;
        match bytes.len() <= most {
            true => Ok(bytes),
            false => Err(ShelfError::Large { name: name.to_owned(), most }),
        }
    }

    /// What lies on it, in the order of the names. Links and hidden folders are passed over, and what is in results folders.
    pub fn names(&self) -> ShelfNames {
        let mut names = ShelfNames::default();
        let mut left = MOST;
        if self.0.join(MANIFEST).is_file() {
            names.folders.push(".".to_owned());
            look_inside(&self.0, "", DEPTH, &mut left, &mut names);
        } else {
            look(&self.0, "", DEPTH, &mut left, &mut names);
        }
        names.is_cut |= left == 0;
        names
    }
}

/// The first bytes of a file, up to so many.
fn first_bytes(path: &Path, most: u64) -> io::Result<Vec<u8>> {
    is_file(path)?;
    let mut bytes = Vec::new();
    fs::File::open(path)?.take(most).read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// Adds what lies in a folder, whose name with a slash is `before`.
fn look(folder: &Path, before: &str, depth: usize, left: &mut usize, names: &mut ShelfNames) {
    let Ok(entries) = fs::read_dir(folder) else { return };
    let mut entries: Vec<(String, PathBuf, bool)> =
        entries.take(*left).filter_map(|entry| named(&entry.ok()?)).collect();
    *left = left.saturating_sub(entries.len());
    sort_by(&mut entries, Ord::cmp);
    for (name, path, is_folder) in entries {
        let name = format!("{before}{name}");
        match is_folder {
            _ if problem_of(&name).is_some() => {}
            true if path.join(MANIFEST).is_file() => {
                names.folders.push(name.clone());
                look_inside(&path, &format!("{name}/"), depth, left, names);
            }
            true if depth > 1 && *left > 0 => look(&path, &format!("{name}/"), depth - 1, left, names),
            true => names.is_cut = true,
            false => names.files.push(name),
        }
    }
}

/// Adds the results folders inside one: a tuning has some, an experiment none.
fn look_inside(folder: &Path, before: &str, depth: usize, left: &mut usize, names: &mut ShelfNames) {
    let held_out = folder.join(VALIDATION);
    if *left > 0 && held_out.is_dir() && FolderKind::of(folder) == FolderKind::Tuning {
        look(&held_out, &format!("{before}{VALIDATION}/"), depth, left, names);
    }
}

/// The name of a file or a folder, its path, and whether it is a folder; none for links and all else.
fn named(entry: &fs::DirEntry) -> Option<(String, PathBuf, bool)> {
    let kind = entry.file_type().ok()?;
    let is_known = kind.is_dir() || kind.is_file();
    is_known.then_some((entry.file_name().into_string().ok()?, entry.path(), kind.is_dir()))
}

/// Why a text is no name.
fn problem_of(name: &str) -> Option<&'static str> {
    let is_part = |part: &str| !part.is_empty() && !part.starts_with('.') && !part.ends_with(' ');
    if name.is_empty() {
        Some("it is empty")
    } else if name.len() > LONGEST {
        Some("it is longer than 200 bytes")
    } else if name.chars().any(|c| c.is_control() || "\\:*?\"<>|".contains(c)) {
        Some("it has a character that names do not have")
    } else if name.starts_with('/') {
        Some("it is not relative")
    } else if !name.split('/').all(is_part) {
        Some("a part of it is empty, begins with a dot or ends with a blank")
    } else {
        None
    }
}

/// A name for an error.
fn shortened(name: &str) -> String {
    match name.char_indices().nth(60) {
        Some((end, _)) => format!("{}…", &name[..end]),
        None => name.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shelf() -> (tempfile::TempDir, Shelf) {
        let folder = tempfile::tempdir().expect("a folder");
        let root = folder.path().join("root");
        for inner in ["root/a/b", "root/.hidden", "outside"] {
            fs::create_dir_all(folder.path().join(inner)).expect("it is made");
        }
        for file in ["root/a/manifest.json", "root/p.txt", "root/.hidden/x", "outside/secret"] {
            fs::write(folder.path().join(file), "text").expect("it is written");
        }
        let shelf = Shelf::new(&root).expect("a folder");
        (folder, shelf)
    }

    #[test]
    fn no_name_leads_out() {
        let (_folder, shelf) = shelf();
        let long = "x".repeat(201);
        for name in [
            "",
            "..",
            "../outside",
            "a/../..",
            "/etc/passwd",
            "a//b",
            "a/",
            "./a",
            "a/.",
            "a\0",
            "a\nb",
            ".hidden",
            "..\\outside",
            "C:x",
            "\u{9b}2J",
            "x ",
            long.as_str(),
        ] {
            assert!(matches!(shelf.place(name), Err(ShelfError::Name { .. })), "{name:?}");
        }
        for name in [".", "a", "a/b", "new", "new/newer", "p.txt", "a b", "ä"] {
            assert!(shelf.place(name).is_ok(), "{name:?}");
        }
        assert!(matches!(shelf.find("new"), Err(ShelfError::Missing { .. })));
        assert!(matches!(shelf.read("a", 9), Err(ShelfError::Results(_))));
        assert!(matches!(shelf.read("p.txt", 3), Err(ShelfError::Large { .. })));
        assert_eq!(shelf.read("p.txt", 4).ok(), Some(b"text".to_vec()));
    }

    #[cfg(unix)]
    #[test]
    fn no_link_leads_out() {
        use std::os::unix::fs::symlink;
        let (folder, shelf) = shelf();
        let at = |name: &str| folder.path().join("root").join(name);
        symlink(folder.path().join("outside"), at("out")).expect("a link");
        symlink(folder.path().join("nowhere"), at("lost")).expect("a link");
        symlink("a", at("in")).expect("a link");
        for name in ["out", "out/secret", "out/new", "lost", "lost/new"] {
            assert!(matches!(shelf.place(name), Err(ShelfError::Outside { .. })), "{name}");
        }
        assert!(shelf.find("in/b").is_ok());
        symlink("b", at("a/inner")).expect("a link");
        assert!(shelf.find("a").is_ok(), "a link that stays inside");
        for outside in ["outside/secret", "nowhere"] {
            symlink(folder.path().join(outside), at("a/runs.csv")).expect("a link");
            for name in ["a", "in"] {
                let said = shelf.find(name).expect_err("a link in it leads out").to_string();
                assert_eq!(said, format!("`{name}/runs.csv` leads out of the folder that is served"));
            }
            fs::remove_file(at("a/runs.csv")).expect("it is removed");
        }
        let shelf = Shelf::new(&at("in")).expect("a folder that is a link itself");
        assert!(shelf.find("b").is_ok());
    }

    #[test]
    fn what_lies_there_is_named_in_order() {
        let (folder, shelf) = shelf();
        let names = |folders: &[&str], files: &[&str]| ShelfNames {
            folders: folders.iter().map(ToString::to_string).collect(),
            files: files.iter().map(ToString::to_string).collect(),
            is_cut: false,
        };
        assert_eq!(shelf.names(), names(&["a"], &["p.txt"]));
        let inside = Shelf::new(&folder.path().join("root/a")).expect("a folder");
        assert_eq!(inside.names(), names(&["."], &[]));
        assert!(matches!(shelf.new_folder("a/b"), Err(ShelfError::Inside { .. })));
        assert!(matches!(inside.new_folder("new"), Err(ShelfError::Inside { .. })));
        assert!(matches!(shelf.new_folder("."), Err(ShelfError::Inside { .. })));
        assert!(shelf.new_folder("new/newer").is_ok());
        let at = |name: &str| folder.path().join("root/t").join(name);
        fs::create_dir_all(at("validation/best")).expect("it is made");
        fs::write(at("manifest.json"), "{\"kind\": \"tuning\"}").expect("it is written");
        fs::write(at("validation/best/manifest.json"), "text").expect("it is written");
        fs::write(at("runs.csv"), "text").expect("it is written");
        assert_eq!(shelf.names(), names(&["a", "t", "t/validation/best"], &["p.txt"]));
        let absent = Shelf::new(&folder.path().join("none")).expect("it may come");
        assert_eq!(absent.names(), names(&[], &[]));
        assert!(absent.place("x").is_ok());
        assert!(Shelf::new(&folder.path().join("root/p.txt")).is_err());
    }
}
