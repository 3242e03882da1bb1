#!/bin/sh
# Which landscape measure predicts running time? See README.md; started by ../make.sh.
. "$STUDY/common.sh"

algorithms="climb one_plus_one annealing tabu genetic"

# corpus NAME ENCODING...: runs of every algorithm, the landscapes, and how they go together.
corpus() (
    corpus=$1
    shift
    for encoding in "$@"; do
        for algorithm in $algorithms; do
            run $algorithm.toml "$corpus/$encoding/$algorithm" --puzzle "$OUT/puzzles/$corpus.jsonl" --set "algorithm.encoding=\"$encoding\"" \
                --runs "$(pick 4 2)" --set "budget.$(budget $algorithm)"
        done
        predictions "$corpus" "$encoding" "$OUT/puzzles/$corpus.jsonl" "$corpus-$encoding"
    done
)

budget() {
    case $1 in
        one_plus_one | genetic) echo "evaluations=$(pick 100000 3000)" ;;
        *) echo "moves=$(pick 3000000 20000)" ;;
    esac
}

# predictions CORPUS ENCODING PUZZLES NAME: the correlations of some puzzles of a corpus.
predictions() (
    if [ -n "$RESUME" ] && [ -s "$OUT/predictions/$4.csv" ]; then return; fi
    cd "$OUT/$1/$2"
    "$KENGA" landscape "$3" --encoding "$2" --fitness binary --samples "$(pick 300 30)" --walks "$(pick 60 10)" \
        --length "$(pick 300 50)" --limit "$(pick 100 20)" --jobs "$JOBS" --runs $algorithms --csv > "$OUT/predictions/part"
    mv "$OUT/predictions/part" "$OUT/predictions/$4.csv"
)

mkdir -p "$OUT/predictions"
# 6x6: five structures, so that the size is not what differs; odd and even numbers are the halves.
for cages in 1..2 2..3 2..4 3..5 4..6; do
    puzzles "c$cages" "$(pick 12 2)" 1 --size 6 --cages $cages
done
cat "$OUT"/puzzles/c[1-4]..[2-6].jsonl > "$OUT/puzzles/structures.jsonl"
grep '"id":"[^"]*[02468]"' "$OUT/puzzles/structures.jsonl" > "$OUT/puzzles/first.jsonl"
grep '"id":"[^"]*[13579]"' "$OUT/puzzles/structures.jsonl" > "$OUT/puzzles/second.jsonl"
corpus structures cages rows
for encoding in cages rows; do
    for half in first second; do
        predictions structures $encoding "$OUT/puzzles/$half.jsonl" "$half-$encoding"
    done
done
# 6x6 of one structure.
puzzles alike "$(pick 40 4)" 2 --size 6 --cages 2..4
corpus alike cages
# Sizes, of one structure each.
for size in 4 5 6 7; do
    puzzles "size$size" "$(pick 8 2)" 3 --size $size --cages 2..3
done
cat "$OUT"/puzzles/size[4-7].jsonl > "$OUT/puzzles/sizes.jsonl"
corpus sizes cages

# What needs no landscape: the mean size of cages, the size of the search space, the decisions of an exact proof.
set --
for name in structures-cages structures-rows alike-cages sizes-cages; do
    corpus=${name%-*} encoding=${name#*-}
    "$KENGA" features "$OUT/puzzles/$corpus.jsonl" --family cages --family space --family exact -o "$OUT/$corpus.csv" --force --jobs "$JOBS"
    (cd "$OUT/$corpus/$encoding" && "$KENGA" compare $algorithms --json) > "$OUT/$name.json"
    set -- "$@" "$name=$OUT/$corpus.csv=$OUT/$name.json=cage_size_mean,space_$encoding,nodes"
done
study simple "$OUT/simple.csv" "$@"
study pivot "$OUT/simple.csv" "$OUT/tables/simple.md" both setting interval

# The tables and figures.
set --
for name in structures-cages structures-rows first-cages second-cages first-rows second-rows alike-cages sizes-cages; do
    set -- "$@" "$name=$OUT/predictions/$name.csv"
done
study predictions "$OUT" "$@"
for name in structures-cages structures-rows alike-cages; do
    study only "$OUT/measures.csv" "$OUT/$name.csv" label $name
    study heat "$OUT/$name.csv" "$OUT/figures/$name.svg" "Rank correlation with expected calls: $name" measure setting rho shown
done
for name in cages rows; do
    study table "$OUT/halves-$name.csv" "$OUT/tables/halves-$name.md" setting=algorithm chosen="best on the first half" first="there (95 %)" second="on the second half (95 %)" agreement="all measures, both halves" signs="same sign"
done
study pivot "$OUT/top.csv" "$OUT/tables/top.md" label setting named
study pivot "$OUT/top.csv" "$OUT/tables/unsolved.md" label setting unsolved
