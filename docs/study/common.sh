# What the papers' scripts share; make.sh sets STUDY, REPOSITORY, SMALL, RESUME, OUT, JOBS and KENGA.
# Functions with variables of their own are subshells.
set -eu
HERE=$STUDY/$(basename "$OUT")

# The first value in full, the second at a small scale.
pick() { if [ -n "$SMALL" ]; then echo "$2"; else echo "$1"; fi; }

study() { python3 "$STUDY/study.py" "$@"; }

# puzzles NAME COUNT SEED OPTION...: makes KenKens with one solution, named NAME-000 and so on.
puzzles() (
    name=$1 count=$2 seed=$3
    shift 3
    mkdir -p "$OUT/puzzles"
    "$KENGA" generate --kind kenken --count "$count" --seed "$seed" --jobs "$JOBS" "$@" |
        sed "s/\"id\":\"[^\"]*-\([0-9]*\)\"/\"id\":\"$name-\1\"/" > "$OUT/puzzles/$name.jsonl"
)

# run CONFIG NAME OPTION...: the folder OUT/NAME.
run() (
    config=$1 name=$2
    shift 2
    # shellcheck disable=SC2086  # one option or none
    "$KENGA" run --config "$HERE/$config" --out "$OUT/$name" --jobs "$JOBS" --quiet $RESUME "$@"
)

# ids FILE: --puzzle options for every puzzle of a file.
ids() { sed 's/.*"id":"\([^"]*\)".*/--puzzle \1/' "$1"; }
