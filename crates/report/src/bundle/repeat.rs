//! `repeat.sh`: a script of POSIX that repeats every run and compares the bytes.

use super::{AboutStudy, KENGA, Packed, Repetition};
use kenga_core::text::quoted;

pub(super) fn text(folders: &[Packed], about: &AboutStudy, tables: Option<&[&str]>) -> String {
    let mut text = HEAD.replace("@KENGA@", KENGA);
    for folder in folders {
        text += &folder_again(folder);
    }
    let dirs: Vec<String> = folders.iter().map(|folder| format!("results/{}", folder.name)).collect();
    let dirs = dirs.join(" ");
    text += &format!(
        "\nsay \"the report and its figures\"\n\"$kenga\" report {dirs} --title={} -o \"$again/report.html\" --figures \"$again/figures\"\nsame report.html\nfor figure in figures/*; do same \"$figure\"; done\n",
        quoted(&about.title)
    );
    if let Some(words) = tables {
        let words = words.join(" ");
        text += "\nsay \"the tables\"\nmkdir -p \"$again/tables\"\n";
        for (form, ending) in FORMS {
            let form = if form.is_empty() { String::new() } else { format!(" {form}") };
            text += &format!(
                "\"$kenga\" compare {dirs}{words}{form} > \"$again/tables/compare.{ending}\"\nsame tables/compare.{ending}\n",
                words = if words.is_empty() { String::new() } else { format!(" {words}") }
            );
        }
    }
    text + TAIL
}

/// The forms of the tables: the option of `kenga compare`, and the ending of the file.
pub const FORMS: [(&str, &str); 5] =
    [("", "txt"), ("--latex", "tex"), ("--markdown", "md"), ("--csv", "csv"), ("--json", "json")];

fn folder_again(folder: &Packed) -> String {
    let name = &folder.name;
    match folder.how {
        Repetition::Run => format!(
            "\nsay \"the runs of {name}\"\n\"$kenga\" run --config configs/{name}.toml --out \"$again/results/{name}\" --quiet > /dev/null\n(cd \"$again/results/{name}\" && sums -c -) < results/{name}/checksums.txt || differs results/{name}\n"
        ),
        Repetition::Replay => format!(
            "\nsay \"the runs of {name}\"\n\"$kenga\" validate results/{name} --replay all || differs results/{name}\n"
        ),
        Repetition::Programs => format!(
            "\nif [ -n \"${{PROGRAMS:-}}\" ]; then\n  say \"the runs of {name}\"\n  \"$kenga\" validate results/{name} --replay all --programs \"$PROGRAMS\" || differs results/{name}\nelse\n  echo \"results/{name}: its algorithms are programs: PROGRAMS=DIR ./repeat.sh starts them in DIR\" >&2\n  differs results/{name}\nfi\n"
        ),
    }
}

const HEAD: &str = r#"#!/bin/sh
# Repeats every run of this study, its report, figures and tables, in a new folder, and compares the bytes.
#
#   ./repeat.sh                            in the folder `again`
#   ./repeat.sh elsewhere/again            in another
#   KENGA=/opt/kenga ./repeat.sh           with a program that is not on the path
#
# Exit code: 0 all bytes are the same, 1 some differ, 2 it cannot be tried.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
case "${1:-again}" in
  /*) again=$1 ;;
  *) again=$(pwd)/${1:-again} ;;
esac
kenga=${KENGA:-kenga}
cd "$here"
# Tables are as wide as these, without colours.
export COLUMNS=80 NO_COLOR=1
unset CLICOLOR_FORCE || true

say() { echo "$*"; }
status=0
differs() { echo "$1 differs" >&2; status=1; }
same() { cmp -s "$1" "$again/$1" || differs "$1"; }
if command -v sha256sum > /dev/null; then
  sums() { sha256sum "$@" > /dev/null; }
else
  sums() { shasum -a 256 "$@" > /dev/null; }
fi

found=$("$kenga" --version 2> /dev/null) || { echo "cannot run $kenga: set KENGA to the program" >&2; exit 2; }
if [ "$found" != "@KENGA@" ]; then
  echo "this is $found; the results are those of @KENGA@, and other versions may give other bytes" >&2
  exit 2
fi
if [ -e "$again" ]; then echo "$again already exists: remove it, or name another folder" >&2; exit 2; fi
mkdir -p "$again"

say "the files of the bundle"
sums -c checksums.txt || { echo "the bundle was changed" >&2; exit 1; }
"#;

const TAIL: &str = r#"
if [ "$status" = 0 ]; then say "all bytes are the same"; fi
exit "$status"
"#;
