#!/bin/sh
# Does crossover help a genetic algorithm on KenKen? See README.md; started by ../make.sh.
. "$STUDY/common.sh"

count=$(pick 15 2) runs=$(pick 2 1)

# operator NAME: a crossover, none (`none-for-X`: with the parameters of X), or the control of one: the same with random mates.
operator() {
    case $1 in
        none*) echo '{ name = "conflict", rate = 0.0 }' ;;
        *-control) echo "{ name = \"random_mate\", rate = 0.9, of = \"${1%-control}\" }" ;;
        *) echo "{ name = \"$1\", rate = 0.9 }" ;;
    esac
}

# operators ENCODING: the crossovers that are compared.
operators() {
    case $1 in
        cells) echo uniform cage conflict ;;
        rows) echo partially_mapped row conflict ;;
        cages) echo cage conflict ;;
    esac
}

# compared LABEL FOLDER BASELINE NAME... OPTION...: settings of a folder against one of them, as JSON.
compared() (
    label=$1 folder=$2 baseline=$3
    shift 3
    (cd "$OUT/$folder" && "$KENGA" compare "$baseline" "$@" --baseline "$baseline" --rope 10% --json) > "$OUT/compared/$label.json"
)

mkdir -p "$OUT/compared"
# sets ENCODING: the puzzles that are asked about; `cells` solves no 7x7.
sets() { if [ "$1" = cells ]; then echo 4x4 5x5 6x6-small 6x6-large; else echo 5x5 6x6-small 6x6-large 7x7; fi; }

# all_sets HALF ENCODING: the same as options.
all_sets() { for set in $(sets "$2"); do echo "--puzzle $OUT/puzzles/$1-$set.jsonl"; done; }

for seed in 1 2; do
    half=$([ $seed = 1 ] && echo train || echo held)
    n=$([ $seed = 1 ] && pick 3 1 || echo "$count")
    puzzles "$half-4x4" "$n" $seed --size 4
    puzzles "$half-5x5" "$n" $seed --size 5 --cages 1:1,2:6,3:4,4:1
    puzzles "$half-6x6-small" "$n" $seed --size 6 --cages 1:1,2:6,3:1
    puzzles "$half-6x6-large" "$n" $seed --size 6 --cages 3..5
    puzzles "$half-7x7" "$n" $seed --size 7 --cages 1:1,2:6,3:3
done

# 1. The original, and why crossover helps it.
puzzles 4x4 "$count" 3 --size 4
for mutation in swap reset; do
    for rate in 0.02 0.1; do
        folder=original/$mutation-$rate
        for name in none single_point single_point-control; do
            run original.toml "$folder/$name" --puzzle "$OUT/puzzles/4x4.jsonl" --runs "$(pick 4 1)" \
                --set budget.evaluations="$(pick 100000 2000)" --set "algorithm.crossover=$(operator $name)" \
                --set "algorithm.mutation={ name = \"$mutation\", rate = $rate }"
        done
        compared "original-$mutation-$rate" "$folder" none single_point single_point-control
        compared "transfer-original-$mutation-$rate" "$folder" single_point-control single_point
    done
done

# 2. A better one on three encodings. Each crossover has its own population and strength of mutation, chosen on other puzzles; so has none. A
# control has those of its crossover.
budget=$(pick 100000 5000)
echo "encoding,crossover,chosen" > "$OUT/tuned.csv"

# held ENCODING NAME: the runs on the puzzles that nothing was chosen on, with the parameters in `chosen`.
held() {
    # shellcheck disable=SC2046,SC2086  # options
    run "$1.toml" "held/$1/$2" $(all_sets held "$1") --runs "$runs" --set budget.evaluations="$budget" \
        --set "algorithm.crossover=$(operator "$2")" $chosen
}

for encoding in cells rows cages; do
    for name in none $(operators $encoding); do
        # shellcheck disable=SC2046  # options
        run $encoding.toml "train/$encoding/$name" $(all_sets train $encoding) --set budget.evaluations="$budget" \
            --set "algorithm.crossover=$(operator "$name")" \
            --set "sweep.algorithm.population=$(pick '[30, 100, 300]' '[20]')" --set 'sweep.algorithm.mutation.again=[0.1, 0.5]'
        chosen=$(study best "$OUT/train/$encoding/$name")
        echo "$encoding,$name,$chosen" | sed 's/--set algorithm\.//g' >> "$OUT/tuned.csv"
        held $encoding "$name"
        if [ "$name" != none ]; then
            held $encoding "$name-control"
            held $encoding "none-for-$name"
        fi
    done
    # shellcheck disable=SC2046  # names
    compared "$encoding" "held/$encoding" none $(operators $encoding)
    for name in $(operators $encoding); do
        compared "transfer-$encoding-$name" "held/$encoding" "$name-control" "$name"
        compared "matched-$encoding-$name" "held/$encoding" "none-for-$name" "$name"
        for puzzles in $(sets $encoding); do
            # shellcheck disable=SC2046  # options
            compared "set-$encoding-$name-$puzzles" "held/$encoding" none "$name" $(ids "$OUT/puzzles/held-$puzzles.jsonl")
        done
    done
done

# 3. Adaptive weights, and 4. a local search in every child: larger puzzles.
puzzles 9x9-small "$count" 4 --size 9 --cages 1:1,2:6,3:3
puzzles 9x9-larger "$count" 4 --size 9 --cages 2:4,3:4,4:2
for encoding in cells rows cages; do
    for name in none conflict conflict-control; do
        run ../../../configs/genetic-$encoding.toml "saw/$encoding/$name" --puzzle "$OUT/puzzles/9x9-small.jsonl" \
            --runs "$runs" --set budget.evaluations="$(pick 300000 20000)" --set "algorithm.crossover=$(operator $name)"
    done
    compared "saw-$encoding" "saw/$encoding" none conflict
    compared "transfer-saw-$encoding" "saw/$encoding" conflict-control conflict
done
for name in none cage conflict cage-control conflict-control; do
    run memetic.toml "memetic/$name" --puzzle "$OUT/puzzles/9x9-larger.jsonl" --runs "$(pick 4 1)" \
        --set budget.moves="$(pick 20000000 200000)" --set "algorithm.crossover=$(operator $name)"
done
compared memetic memetic none cage conflict
compared transfer-memetic-cage memetic cage-control cage
compared transfer-memetic-conflict memetic conflict-control conflict

# The tables and figures.
of() { echo "$1=$OUT/compared/$2.json"; }
study contrasts "$OUT/original.csv" $(for m in swap-0.02 swap-0.1 reset-0.02 reset-0.1; do of $m original-$m; done)
study contrasts "$OUT/help.csv" $(for e in cells rows cages; do of $e $e; done; for e in cells rows cages; do of saw-$e saw-$e; done; of memetic memetic)
study contrasts "$OUT/matched.csv" $(for e in cells rows cages; do for name in $(operators $e); do of $e matched-$e-$name; done; done)
study contrasts "$OUT/transfer.csv" $(of original-swap transfer-original-swap-0.02
    for e in cells rows cages; do for name in $(operators $e); do of $e transfer-$e-$name; done; done
    for e in cells rows cages; do of saw-$e transfer-saw-$e; done
    of memetic transfer-memetic-cage; of memetic transfer-memetic-conflict)
study contrasts "$OUT/sets.csv" $(for e in cells rows cages; do for name in $(operators $e); do for s in $(sets $e); do of $e,$s set-$e-$name-$s; done; done; done)
columns="solved_both=solved interval=×_calls_(95_%) holm_text=p,_Holm practical=fewer_/_same_/_more"
for name in original help matched transfer sets; do
    study table "$OUT/$name.csv" "$OUT/tables/$name.md" label=frame setting=crossover $columns
done
study table "$OUT/tuned.csv" "$OUT/tables/tuned.md" encoding=encoding crossover=crossover chosen=chosen
study forest "$OUT/help.csv" "$OUT/figures/help.svg" "Crossover against none" "calls with crossover / calls without"
study forest "$OUT/transfer.csv" "$OUT/figures/transfer.svg" "Crossover against the same with random mates" "calls with parents / calls with random mates"
study forest "$OUT/sets.csv" "$OUT/figures/sets.svg" "Crossover against none, by size and cages" "calls with crossover / calls without"
study forest "$OUT/original.csv" "$OUT/figures/original.svg" "The original on 4x4: crossover against none" "calls with crossover / calls without"
