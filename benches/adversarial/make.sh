#!/bin/sh
# Evolves the puzzles of puzzles/adversarial.jsonl. From the root of the repository:
#
#     sh benches/adversarial/make.sh > puzzles/adversarial.jsonl
#
# Twelve minutes of CPU time. KENGA names another program than `kenga`, JOBS a number of threads (1). The same bytes wherever the same
# release is built for the same platform. Puzzles that are not found are named on standard error and left out.
set -eu
kenga=${KENGA:-kenga}
configs=$(dirname "$0")

# evolve SIZE COUNT EFFORT HARD [EASY]: an algorithm is a file beside this one, or exact
evolve() {
    size=$1 count=$2 effort=$3
    shift 3
    set -- "--hard-for" "$(named "$1")" ${2:+"--easy-for" "$(named "$2")"}
    "$kenga" generate --kind kenken --size "$size" --count "$count" --effort "$effort" --seed 16 --jobs "${JOBS:-1}" "$@" ||
        [ $? -eq 1 ] # some were not found
}

named() {
    if [ "$1" = exact ]; then echo exact; else echo "$configs/$1.toml"; fi
}

evolve 6 5 80 annealing-rows tabu-cages
evolve 7 3 80 annealing-rows tabu-cages
evolve 8 2 60 annealing-rows tabu-cages
evolve 6 4 120 genetic-rows tabu-cages
evolve 7 2 60 genetic-rows tabu-cages
evolve 7 4 60 genetic-cages breakout-cages
evolve 7 5 120 tabu-cages breakout-cages
evolve 8 3 120 tabu-cages breakout-cages
evolve 6 3 200 portfolio exact
evolve 8 3 150 portfolio exact
evolve 9 3 80 portfolio exact
evolve 6 3 1000 exact
evolve 8 3 1000 exact
evolve 9 3 150 exact
evolve 10 3 100 exact
evolve 12 2 30 exact
