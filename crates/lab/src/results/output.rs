//! Output files: each appears when all of it is written, and takes the place of what has its name, be it a link.

use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::Path;

use super::atomic::AtomicFile;

/// A file that a command writes for its user; dropping it removes what is not complete.
pub enum OutputFile {
    /// A file that appears complete.
    Whole(BufWriter<AtomicFile>),
    /// A device or a pipe, which takes bytes as they come.
    Stream(File),
}

impl OutputFile {
    /// Begins the file, and removes the drafts of it that killed programs left.
    ///
    /// # Errors
    /// When the folder, or the device, cannot be written.
    pub fn create(path: &Path) -> io::Result<Self> {
        if is_stream(path) {
            return File::create(path).map(Self::Stream);
        }
        AtomicFile::create(path).map(BufWriter::new).map(Self::Whole)
    }

    /// Gives the file its name. What has the name is replaced only if `over` says so; a link is replaced, not followed.
    ///
    /// # Errors
    /// [`io::ErrorKind::AlreadyExists`] when the name is taken, or when the rest cannot be written.
    pub fn commit(self, over: bool) -> io::Result<()> {
        let Self::Whole(file) = self else { return Ok(()) };
        let file = file.into_inner().map_err(io::IntoInnerError::into_error)?;
        if over { file.commit() } else { file.commit_new() }
    }

    /// Says whether a file or a link, wherever it leads, has the name that a new file would take.
    pub fn is_taken(path: &Path) -> bool {
        !is_stream(path) && fs::symlink_metadata(path).is_ok_and(|found| !found.is_dir())
    }
}

impl Write for OutputFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self {
            Self::Whole(file) => file.write(bytes),
            Self::Stream(file) => file.write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match self {
            Self::Whole(file) => file.flush(),
            Self::Stream(file) => file.flush(),
        }
    }
}

/// Says whether a path names a device or a pipe. The links of the system to open files, such as `/dev/stdout`, do too.
fn is_stream(path: &Path) -> bool {
    let Ok(found) = fs::symlink_metadata(path) else { return false };
    if found.is_symlink() {
        let folder = path.parent().unwrap_or(path);
        return folder == Path::new("/dev") || folder == Path::new("/dev/fd") || folder.starts_with("/proc");
    }
    !found.is_file() && !found.is_dir()
}

#[cfg(all(test, unix))]
mod tests {
    use std::os::unix::fs::symlink;

    use super::*;

    fn write(path: &Path, over: bool) -> io::Result<()> {
        let mut file = OutputFile::create(path)?;
        file.write_all(b"new")?;
        file.commit(over)
    }

    #[test]
    fn a_link_is_replaced_and_never_followed() {
        let place = tempfile::tempdir().expect("a folder");
        let [mine, link, lost] = ["mine", "link", "lost"].map(|name| place.path().join(name));
        fs::write(&mine, "mine").expect("it is written");
        symlink(&mine, &link).expect("a link");
        symlink(place.path().join("nowhere"), &lost).expect("a link");
        for path in [&link, &lost] {
            assert!(OutputFile::is_taken(path));
            assert_eq!(write(path, false).expect_err("taken").kind(), io::ErrorKind::AlreadyExists);
            write(path, true).expect("it may be replaced");
            assert!(fs::symlink_metadata(path).expect("it is there").is_file());
            assert_eq!(fs::read(path).expect("it is there"), b"new");
        }
        assert_eq!(fs::read(&mine).expect("it is there"), b"mine");
        assert_eq!(fs::read_dir(place.path()).expect("a folder").count(), 3);
    }

    #[test]
    fn devices_take_bytes_as_they_come() {
        assert!(!OutputFile::is_taken(Path::new("/dev/null")));
        write(Path::new("/dev/null"), false).expect("it takes everything");
    }
}
