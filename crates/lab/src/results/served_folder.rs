//! The folder that results folders lie in. Untrusted names are resolved inside it.

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
pub struct ServedFolder(PathBuf);

/// A name that cannot be used.
#[derive(Debug, Error, Diagnostic)]
pub enum ServedFolderError {
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

/// What lies in a served folder.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct ServedNames {
    /// The results folders, by name; `.` where the served folder is one itself.
    pub folders: Vec<String>,
    /// All other files.
    pub files: Vec<String>,
    /// There may be more.
    pub is_cut: bool,
}

impl ServedFolder {
    /// The served folder at a path.
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
    /// [`ServedFolderError::Name`] and [`ServedFolderError::Outside`].
    pub fn place(&self, name: &str) -> Result<PathBuf, ServedFolderError> {
        if name == "." {
            return Ok(self.0.clone());
        }
        if let Some(problem) = problem_of(name) {
            return Err(ServedFolderError::Name { name: shortened(name), problem });
        }
        let mut path = self.0.clone();
        for part in name.split('/') {
            path.push(part);
            if self.leads_out(&path) {
                return Err(ServedFolderError::Outside { name: name.to_owned() });
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
    fn refuse_links(&self, name: &str, folder: &Path) -> Result<(), ServedFolderError> {
        // A folder that cannot be listed is refused by its reader.
        let Ok(entries) = fs::read_dir(folder) else { return Ok(()) };
        for entry in entries.flatten() {
            if entry.file_type().is_ok_and(|kind| kind.is_symlink()) && self.leads_out(&entry.path()) {
                let file = entry.file_name().to_string_lossy().into_owned();
                return Err(ServedFolderError::Outside { name: format!("{name}/{file}") });
            }
        }
        Ok(())
    }

    /// The path of a new results folder, which lies in no other.
    ///
    /// # Errors
    /// Those of [`place`](Self::place), and [`ServedFolderError::Inside`].
    pub fn new_folder(&self, name: &str) -> Result<PathBuf, ServedFolderError> {
        let path = self.place(name)?;
        if name == "." {
            return Err(ServedFolderError::Inside { name: name.to_owned() });
        }
        for above in path.ancestors().skip(1) {
            if !above.starts_with(&self.0) {
                break;
            }
            if above.join(MANIFEST).is_file() {
                return Err(ServedFolderError::Inside { name: name.to_owned() });
            }
        }
        Ok(path)
    }

    /// The path of a folder or a file that is there; no file of a results folder leads elsewhere.
    ///
    /// # Errors
    /// Those of [`place`](Self::place), also for the files of a results folder, and [`ServedFolderError::Missing`].
    pub fn find(&self, name: &str) -> Result<PathBuf, ServedFolderError> {
        let path = self.place(name)?;
        if !path.exists() {
            return Err(ServedFolderError::Missing { name: name.to_owned() });
        }
        if fs::symlink_metadata(path.join(MANIFEST)).is_ok() {
            self.refuse_links(name, &path)?;
        }
        Ok(path)
    }

    /// The bytes of a file of at most `most` of them.
    ///
    /// # Errors
    /// Those of [`find`](Self::find), [`ServedFolderError::Large`], and [`ResultsError::Io`].
    pub fn read(&self, name: &str, most: usize) -> Result<Vec<u8>, ServedFolderError> {
        let path = self.find(name)?;
        // One byte more tells a file that is too large, which may grow while it is read.
        let bytes = first_bytes(&path, most as u64 + 1).map_err(ResultsError::io("read", &path))?;
        if bytes.len() > most {
            return Err(ServedFolderError::Large { name: name.to_owned(), most });
        }
        Ok(bytes)
    }

    /// What lies in it, in the order of the names. Links and hidden folders are passed over, and what is in results folders.
    pub fn names(&self) -> ServedNames {
        let mut search = NameSearch { names: ServedNames::default(), left: MOST };
        if self.0.join(MANIFEST).is_file() {
            search.names.folders.push(".".to_owned());
            search.look_inside(&self.0, "", DEPTH);
        } else {
            search.look(&self.0, "", DEPTH);
        }
        search.names.is_cut |= search.left == 0;
        search.names
    }
}

/// The first bytes of a file, up to so many.
fn first_bytes(path: &Path, most: u64) -> io::Result<Vec<u8>> {
    is_file(path)?;
    let mut bytes = Vec::new();
    fs::File::open(path)?.take(most).read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// A search for what lies in a served folder.
struct NameSearch {
    names: ServedNames,
    /// How many entries may still be looked at.
    left: usize,
}

impl NameSearch {
    /// Adds what lies in a folder, whose name with a slash is `before`.
    fn look(&mut self, folder: &Path, before: &str, depth: usize) {
        let Ok(entries) = fs::read_dir(folder) else { return };
        // The name of every file and folder, and whether it is a folder. Links and all else are passed over.
        let mut known = Vec::new();
        // A folder may have millions of entries: what is looked at is bounded over all of them.
        for entry in entries.take(self.left).flatten() {
            if let (Ok(kind), Ok(name)) = (entry.file_type(), entry.file_name().into_string())
                && (kind.is_dir() || kind.is_file())
            {
                known.push((name, kind.is_dir()));
            }
        }
        self.left = self.left.saturating_sub(known.len());
        sort_by(&mut known, Ord::cmp);
        for (name, is_folder) in known {
            let path = folder.join(&name);
            let name = format!("{before}{name}");
            if problem_of(&name).is_some() {
                continue;
            }
            if !is_folder {
                self.names.files.push(name);
            } else if path.join(MANIFEST).is_file() {
                self.names.folders.push(name.clone());
                self.look_inside(&path, &format!("{name}/"), depth);
            } else if depth > 1 && self.left > 0 {
                self.look(&path, &format!("{name}/"), depth - 1);
            } else {
                self.names.is_cut = true;
            }
        }
    }

    /// Adds the results folders inside one: a tuning has some, an experiment none.
    fn look_inside(&mut self, folder: &Path, before: &str, depth: usize) {
        let held_out = folder.join(VALIDATION);
        if self.left > 0 && held_out.is_dir() && FolderKind::of(folder) == FolderKind::Tuning {
            self.look(&held_out, &format!("{before}{VALIDATION}/"), depth);
        }
    }
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

    fn served() -> (tempfile::TempDir, ServedFolder) {
        let folder = tempfile::tempdir().expect("a folder");
        let root = folder.path().join("root");
        for inner in ["root/a/b", "root/.hidden", "outside"] {
            fs::create_dir_all(folder.path().join(inner)).expect("it is made");
        }
        for file in ["root/a/manifest.json", "root/p.txt", "root/.hidden/x", "outside/secret"] {
            fs::write(folder.path().join(file), "text").expect("it is written");
        }
        let served = ServedFolder::new(&root).expect("a folder");
        (folder, served)
    }

    #[test]
    fn no_name_leads_out() {
        let (_folder, served) = served();
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
            assert!(matches!(served.place(name), Err(ServedFolderError::Name { .. })), "{name:?}");
        }
        for name in [".", "a", "a/b", "new", "new/newer", "p.txt", "a b", "ä"] {
            assert!(served.place(name).is_ok(), "{name:?}");
        }
        assert!(matches!(served.find("new"), Err(ServedFolderError::Missing { .. })));
        assert!(matches!(served.read("a", 9), Err(ServedFolderError::Results(_))));
        assert!(matches!(served.read("p.txt", 3), Err(ServedFolderError::Large { .. })));
        assert_eq!(served.read("p.txt", 4).ok(), Some(b"text".to_vec()));
    }

    #[cfg(unix)]
    #[test]
    fn no_link_leads_out() {
        use std::os::unix::fs::symlink;
        let (folder, served) = served();
        let at = |name: &str| folder.path().join("root").join(name);
        symlink(folder.path().join("outside"), at("out")).expect("a link");
        symlink(folder.path().join("nowhere"), at("lost")).expect("a link");
        symlink("a", at("in")).expect("a link");
        for name in ["out", "out/secret", "out/new", "lost", "lost/new"] {
            assert!(matches!(served.place(name), Err(ServedFolderError::Outside { .. })), "{name}");
        }
        assert!(served.find("in/b").is_ok());
        symlink("b", at("a/inner")).expect("a link");
        assert!(served.find("a").is_ok(), "a link that stays inside");
        for outside in ["outside/secret", "nowhere"] {
            symlink(folder.path().join(outside), at("a/runs.csv")).expect("a link");
            for name in ["a", "in"] {
                let said = served.find(name).expect_err("a link in it leads out").to_string();
                assert_eq!(said, format!("`{name}/runs.csv` leads out of the folder that is served"));
            }
            fs::remove_file(at("a/runs.csv")).expect("it is removed");
        }
        let served = ServedFolder::new(&at("in")).expect("a folder that is a link itself");
        assert!(served.find("b").is_ok());
    }

    #[test]
    fn what_lies_there_is_named_in_order() {
        let (folder, served) = served();
        let names = |folders: &[&str], files: &[&str]| ServedNames {
            folders: folders.iter().map(ToString::to_string).collect(),
            files: files.iter().map(ToString::to_string).collect(),
            is_cut: false,
        };
        assert_eq!(served.names(), names(&["a"], &["p.txt"]));
        let inside = ServedFolder::new(&folder.path().join("root/a")).expect("a folder");
        assert_eq!(inside.names(), names(&["."], &[]));
        assert!(matches!(served.new_folder("a/b"), Err(ServedFolderError::Inside { .. })));
        assert!(matches!(inside.new_folder("new"), Err(ServedFolderError::Inside { .. })));
        assert!(matches!(served.new_folder("."), Err(ServedFolderError::Inside { .. })));
        assert!(served.new_folder("new/newer").is_ok());
        let at = |name: &str| folder.path().join("root/t").join(name);
        fs::create_dir_all(at("validation/best")).expect("it is made");
        fs::write(at("manifest.json"), "{\"kind\": \"tuning\"}").expect("it is written");
        fs::write(at("validation/best/manifest.json"), "text").expect("it is written");
        fs::write(at("runs.csv"), "text").expect("it is written");
        assert_eq!(served.names(), names(&["a", "t", "t/validation/best"], &["p.txt"]));
        let absent = ServedFolder::new(&folder.path().join("none")).expect("it may come");
        assert_eq!(absent.names(), names(&[], &[]));
        assert!(absent.place("x").is_ok());
        assert!(ServedFolder::new(&folder.path().join("root/p.txt")).is_err());
    }
}
