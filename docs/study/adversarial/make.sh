#!/bin/sh
# Which puzzles defeat one algorithm, and what solves them? See README.md; started by ../make.sh.
. "$STUDY/common.sh"

evolved=$REPOSITORY/puzzles/adversarial.jsonl
configs=$REPOSITORY/benches/adversarial
algorithms=$(cd "$configs" && ls ./*.toml | sed 's/^\.\///; s/\.toml$//')
panel="$algorithms portfolio-propagated"

# The families of the set: an id without its size and number. At the small scale one puzzle of each.
mkdir -p "$OUT/puzzles" "$OUT/compared"
families=$(sed 's/.*"id":"kenken-[0-9]*-\([^"]*\)-[0-9]*".*/\1/' "$evolved" | sort -u)
for family in $families; do
    grep "\"id\":\"kenken-[0-9]*-$family-[0-9]*\"" "$evolved" | head -n "$(pick 1000 1)" > "$OUT/puzzles/$family.jsonl"
done
# Beside them random puzzles of the same sizes.
for size in $(sed 's/.*"size":\([0-9]*\).*/\1/' "$evolved" | sort -nu); do
    puzzles "part-$size" "$(pick 5 1)" 18 --size "$size"
done
cat "$OUT"/puzzles/part-*.jsonl > "$OUT/puzzles/random.jsonl"
rm "$OUT"/puzzles/part-*.jsonl
cat "$OUT"/puzzles/*.jsonl > "$OUT/all.jsonl"

# The panel: equal calls, a seed that no evolution has used.
calls=$(pick 500000 10000)
for algorithm in $panel; do
    propagate=false
    case $algorithm in *-propagated) propagate=true ;; esac
    "$KENGA" run --config "$configs/${algorithm%-propagated}.toml" --out "$OUT/runs/$algorithm" --jobs "$JOBS" --quiet $RESUME \
        --puzzle "$OUT/all.jsonl" --seed 1618 --runs "$(pick 2 1)" --set propagate=$propagate \
        --set "budget={ evaluations = $calls, moves = $calls }"
done

set --
for family in $families random; do
    # shellcheck disable=SC2046,SC2086  # options, names
    (cd "$OUT/runs" && "$KENGA" compare $panel --json $(ids "$OUT/puzzles/$family.jsonl")) > "$OUT/compared/$family.json"
    "$KENGA" features "$OUT/puzzles/$family.jsonl" --family space --family exact -o "$OUT/compared/$family.csv" --force --jobs "$JOBS"
    set -- "$@" "$family=$OUT/compared/$family.json"
done
study shares "$OUT/shares.csv" "$@"
study pivot "$OUT/shares.csv" "$OUT/tables/shares.md" label setting interval
study heat "$OUT/shares.csv" "$OUT/figures/shares.svg" "Share of runs solved" label setting value value

# What the families are like: medians of the decisions of a proof and of the number of genomes.
set --
for family in $families random; do set -- "$@" "$family=$OUT/compared/$family.csv"; done
study medians "$OUT/tables/families.md" nodes,space_cages,candidates_left "$@"
