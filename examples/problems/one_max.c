/* One-max with traps, in C: as fast as the pipe.
 *
 *     cc -O2 -o one_max one_max.c
 *
 * The genome is cut into blocks of 4 genes. The value of a block of ones is 4; else it is 3 less its ones, which leads away
 * from them (K. Deb, D. E. Goldberg 1993, Analyzing deception in trap functions). The highest value is the number of genes.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { BLOCK = 4 };

static char *line;
static size_t room;

int main(void) {
    static char buffer[1 << 16];
    setvbuf(stdout, buffer, _IOFBF, sizeof buffer);
    while (getline(&line, &room, stdin) > 0) {
        char *at = strstr(line, "\"evaluate\":[");
        if (!at) continue; /* the greeting */
        at += strlen("\"evaluate\":[");
        fputs("{\"fitness\":[", stdout);
        for (int genome = 0; *at == '['; genome++) {
            int value = 0, genes = 0, ones = 0;
            for (at++; *at != ']'; at++) {
                if (*at == ',') continue;
                ones += *at == '1';
                if (++genes % BLOCK == 0) {
                    value += ones == BLOCK ? BLOCK : BLOCK - 1 - ones;
                    ones = 0;
                }
            }
            printf(genome ? ",%d" : "%d", value);
            at++;
            if (*at == ',') at++;
        }
        fputs("]}\n", stdout);
        fflush(stdout);
    }
    return 0;
}
