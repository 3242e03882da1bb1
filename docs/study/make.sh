#!/bin/sh
# Makes the papers of this folder: every run, figure and table.
#
#   docs/study/make.sh                         all of them in full, into this folder
#   docs/study/make.sh landscape               one of them
#   docs/study/make.sh --small --out DIR       a few small runs of every step, into DIR: does everything still work?
#   docs/study/make.sh --resume                go on where an earlier call was interrupted
#
# Needs kenga (KENGA, else target/release/kenga, else the one on PATH), python3 and a POSIX shell. --jobs N: threads.
# --out DIR: where runs, figures and tables go (default: target/study in the repository). Full runs then replace the
# figures and tables of the papers; small ones never do.
set -eu
STUDY=$(cd "$(dirname "$0")" && pwd)
REPOSITORY=$(cd "$STUDY/../.." && pwd)
SMALL= RESUME= OUT=$REPOSITORY/target/study JOBS=2
papers=
while [ $# -gt 0 ]; do
    case $1 in
        --small) SMALL=yes ;;
        --resume) RESUME=--resume ;;
        --out) OUT=$2; shift ;;
        --jobs) JOBS=$2; shift ;;
        -*) sed -n '2,/^set/s/^# \{0,1\}//p' "$0" >&2; exit 2 ;;
        *) papers="$papers $1" ;;
    esac
    shift
done
if [ -z "${KENGA:-}" ]; then
    KENGA=$REPOSITORY/target/release/kenga
    [ -x "$KENGA" ] || KENGA=$(command -v kenga) || { echo "no kenga: cargo build --release, or set KENGA" >&2; exit 2; }
fi
export STUDY REPOSITORY SMALL RESUME JOBS KENGA
for paper in ${papers:-$(cd "$STUDY" && ls ./*/make.sh | cut -d/ -f2)}; do
    [ -f "$STUDY/$paper/make.sh" ] || { echo "no paper $paper" >&2; exit 2; }
    echo "== $paper" >&2
    mkdir -p "$OUT"
    folder=$(cd "$OUT" && pwd)/$paper
    [ -n "$RESUME" ] || rm -rf "$folder"
    mkdir -p "$folder/figures" "$folder/tables"
    OUT=$folder sh "$STUDY/$paper/make.sh"
    python3 "$STUDY/study.py" check "$STUDY/$paper/README.md" "$folder"
    if [ -z "$SMALL" ]; then
        rm -rf "$STUDY/$paper/figures" "$STUDY/$paper/tables"
        cp -R "$folder/figures" "$folder/tables" "$STUDY/$paper/"
        python3 "$STUDY/study.py" include "$STUDY/$paper/README.md"
    fi
done
