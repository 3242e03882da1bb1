#!/bin/sh
# What makes a KenKen hard for a genetic algorithm? See README.md; started by ../make.sh.
. "$STUDY/common.sh"

count=$(pick 10 2)
algorithms="genetic-cells genetic-rows genetic-cages annealing-rows tabu"

# What is varied: the operators, the sizes of cages, and the size.
for cages in 1..3 2..4 3..5; do
    puzzles "6x6-all-$cages" "$count" 1 --size 6 --cages $cages
    puzzles "6x6-sums-$cages" "$count" 1 --size 6 --cages $cages --operators +
    puzzles "6x6-products-$cages" "$count" 1 --size 6 --cages $cages --operators '*'
done
puzzles 6x6-all-4..6 "$count" 1 --size 6 --cages 4..6
for size in 5 7 8; do puzzles "${size}x$size-all-2..4" "$count" 1 --size $size --cages 2..4; done
cat "$OUT"/puzzles/[5-8]x*.jsonl > "$OUT/puzzles/all.jsonl"

for algorithm in $algorithms; do
    case $algorithm in
        genetic-*) budget=evaluations=$(pick 300000 5000) ;;
        *) budget=moves=$(pick 1000000 20000) ;;
    esac
    run "../../../configs/$algorithm.toml" "runs/$algorithm" --puzzle "$OUT/puzzles/all.jsonl" --runs "$(pick 5 2)" --set "budget.$budget"
done
(cd "$OUT/runs" && "$KENGA" compare $algorithms --json) > "$OUT/compare.json"
# What the groups cost, and what predicts it.
study groups "$OUT/groups.csv" "$OUT/compare.json"
study pivot "$OUT/groups.csv" "$OUT/tables/groups.md" setting label interval
"$KENGA" features "$OUT/puzzles/all.jsonl" -o "$OUT/features.csv" --force --jobs "$JOBS"
study grouped "$OUT/features.csv" "$OUT/grouped.csv"
# shellcheck disable=SC2086  # names
(cd "$OUT/runs" && "$KENGA" study hardness --features "$OUT/grouped.csv" --group group $algorithms --out "$OUT/hardness" --force --markdown) > "$OUT/hardness.md"
study tables "$OUT/hardness.md" "$OUT/tables" quality selector importance
awk -F'|' 'NR < 3 || ++rows[$2] <= 3' "$OUT/tables/importance.md" > "$OUT/part" && mv "$OUT/part" "$OUT/tables/importance.md"
cp "$OUT"/hardness/*.svg "$OUT/figures"
for name in space_cells space_rows space_cages cage_size_mean nodes score; do columns=${columns:+$columns,}$name; done
study simple "$OUT/simple.csv" "all=$OUT/features.csv=$OUT/compare.json=$columns"
study pivot "$OUT/simple.csv" "$OUT/tables/simple.md" feature setting interval
study within "$OUT/within.csv" "$OUT/features.csv" "$OUT/compare.json" "$columns"
study pivot "$OUT/within.csv" "$OUT/tables/within.md" feature setting interval
