#!/bin/sh
# Evolves the puzzles of puzzles/adversarial.jsonl. From the root of the repository:
#
#     sh benches/adversarial/make.sh > puzzles/adversarial.jsonl
#
# Some fifteen minutes of CPU time, an estimate. KENGA names another program than `kenga`. The same bytes wherever the same release is
# built for the same platform; the set in the repository is of an earlier one (docs/adversarial.md).
set -eu
kenga=${KENGA:-kenga}
configs=configs/adversarial

# evolve SIZE COUNT EFFORT HARD [EASY]: an algorithm is a file of configs/adversarial, or exact
evolve() {
    size=$1 count=$2 effort=$3
    shift 3
    set -- "--hard-for" "$(named "$1")" ${2:+"--easy-for" "$(named "$2")"}
    "$kenga" generate --kind kenken --size "$size" --count "$count" --effort "$effort" --seed 16 "$@"
}

named() {
    if [ "$1" = exact ]; then echo exact; else echo "$configs/$1.toml"; fi
}

evolve 6 5 80 annealing-rows tabu-cages
evolve 7 3 80 annealing-rows tabu-cages
evolve 8 2 60 annealing-rows tabu-cages
evolve 6 4 80 genetic-rows tabu-cages
evolve 7 3 60 genetic-rows tabu-cages
evolve 6 4 80 genetic-cages breakout-cages
evolve 7 3 60 genetic-cages breakout-cages
evolve 7 3 100 tabu-cages annealing-rows
evolve 8 2 60 tabu-cages annealing-rows
evolve 6 3 300 portfolio exact
evolve 8 3 300 portfolio exact
evolve 9 3 200 portfolio exact
evolve 6 3 1000 exact
evolve 8 3 1000 exact
evolve 9 3 150 exact
evolve 10 3 100 exact
evolve 12 2 30 exact
