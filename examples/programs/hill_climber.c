/* Hill climbing with random restarts, in C without libraries: tries every other digit in every gene and takes the first
 * that makes the genome better; where none does, starts again from a random genome.
 *
 * Build it beside its configuration: cc -O2 -o hill_climber hill_climber.c
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_GENES = 4096, MOST_DIGITS = 64 };

static int candidates[MOST_GENES][MOST_DIGITS], counts[MOST_GENES], genome[MOST_GENES], genes;
static char *line;
static size_t room;
static uint64_t state;

/* A uniform number below n: splitmix64. */
static int below(int n) {
    uint64_t z = (state += 0x9e3779b97f4a7c15);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
    z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
    return (int)((z ^ (z >> 31)) % (uint64_t)n);
}

/* What stands behind a key of the last line. */
static char *value(const char *key) {
    char *found = strstr(line, key);
    return found ? found + strlen(key) : NULL;
}

static void read_line(void) {
    if (getline(&line, &room, stdin) < 0) exit(1);
}

/* Reads the lists of digits behind "candidates". */
static void read_candidates(void) {
    char *at = value("\"candidates\":[");
    if (!at) exit(1);
    for (genes = 0; *at == '[' || *at == ','; genes++) {
        if (genes == MOST_GENES) exit(1);
        at += strcspn(at, "[");
        do {
            if (counts[genes] == MOST_DIGITS) exit(1);
            candidates[genes][counts[genes]++] = (int)strtol(at + 1, &at, 10);
        } while (*at == ',');
        at++;
    }
}

/* The fitness of the genome. Ends the program when the run is done. */
static long evaluate(void) {
    printf("{\"evaluate\":[[");
    for (int gene = 0; gene < genes; gene++) printf(gene ? ",%d" : "%d", genome[gene]);
    puts("]]}");
    fflush(stdout);
    read_line();
    if (value("\"done\":")) exit(0);
    char *fitness = value("\"fitness\":[");
    if (!fitness) exit(1);
    return strtol(fitness, NULL, 10);
}

/* Takes the first change of one gene that makes the genome better; returns the fitness then. */
static long improve(long fitness) {
    int first = below(genes);
    for (int step = 0; step < genes; step++) {
        int gene = (first + step) % genes, before = genome[gene];
        for (int place = 0; place < counts[gene]; place++) {
            if (candidates[gene][place] == before) continue;
            genome[gene] = candidates[gene][place];
            long changed = evaluate();
            if (changed < fitness) return changed;
        }
        genome[gene] = before;
    }
    return fitness;
}

int main(void) {
    read_line();
    read_candidates();
    char *seed = value("\"seed\":");
    state = seed ? strtoull(seed, NULL, 10) : 1;
    for (;;) {
        for (int gene = 0; gene < genes; gene++) genome[gene] = candidates[gene][below(counts[gene])];
        for (long before = -1, fitness = evaluate(); fitness != before;) {
            before = fitness;
            fitness = improve(before);
        }
    }
}
