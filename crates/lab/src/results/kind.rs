//! What kind of folder a path is: the one place that decides it.

use std::path::Path;

use serde_json::Value;

use super::files::{self, MANIFEST};

/// What kind of folder a path is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FolderKind {
    /// One of an experiment, which `kenga run` or `kenga sweep` has written; its manifest may be damaged.
    Experiment,
    /// One of a tuning, which `kenga tune` has written.
    Tuning,
    /// No folder that kenga writes results into, or no folder at all.
    Other,
}

/// The folder, in that of a tuning, that holds its results on held-out puzzles.
pub(super) const VALIDATION: &str = "validation";

/// The `kind` in the manifest of a tuning; that of an experiment has none.
const TUNING: &str = "tuning";

impl FolderKind {
    /// The kind of a path.
    pub fn of(path: &Path) -> Self {
        if !path.join(MANIFEST).exists() {
            return Self::Other;
        }
        let text = files::read(path, MANIFEST).unwrap_or_default();
        match serde_json::from_slice::<Value>(&text) {
            Ok(manifest) if manifest["kind"] == TUNING => Self::Tuning,
            _ => Self::Experiment,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_manifest_says_what_a_folder_is() {
        let folder = tempfile::tempdir().expect("a folder");
        assert_eq!(FolderKind::of(folder.path()), FolderKind::Other);
        assert_eq!(FolderKind::of(&folder.path().join("none")), FolderKind::Other);
        for (manifest, kind) in [
            ("{\"format\": 1, \"kind\": \"tuning\"}", FolderKind::Tuning),
            ("{\"format\": 1, \"config\": {}}", FolderKind::Experiment),
            ("{\"kind\": \"other\"}", FolderKind::Experiment),
            ("{\"kind\": \"tuning\"", FolderKind::Experiment),
        ] {
            std::fs::write(folder.path().join(MANIFEST), manifest).expect("it is written");
            assert_eq!(FolderKind::of(folder.path()), kind, "{manifest}");
        }
    }
}
