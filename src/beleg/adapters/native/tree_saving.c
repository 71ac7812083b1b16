/* The most that pairing the nodes of two ordered trees saves: the recurrences of Zhang and Shasha with a maximum.

   Both trees come in postorder with the first node of every subtree. All amounts are multiples of 2^-38 below 2^15, so that
   every sum is exact and the figure is that of the portable way to the last bit. */

#include <stdint.h>
#include <stdlib.h>

#define SHOWN __attribute__((visibility("default")))

SHOWN int64_t beleg_trees_version(void) { return 1; }

static inline double larger(double one, double other) { return one > other ? one : other; }

/* A leaf is paired with the node of a subtree that saves most. */
static void leaves(const int64_t *left, int64_t nodes, const int64_t *other, int64_t others, const double *saving,
                   double *saved, int64_t step, int64_t beside) {
    for (int64_t leaf = 0; leaf < nodes; leaf++) {
        if (left[leaf] != leaf) continue;
        for (int64_t node = 0; node < others; node++) {
            double best = saving[leaf * step + node * beside];
            for (int64_t child = node - 1; child >= other[node]; child = other[child] - 1)
                best = larger(best, saved[leaf * step + child * beside]);
            saved[leaf * step + node * beside] = best;
        }
    }
}

/* One pair of key roots: the table of prefixes, row by row. */
static void key_roots(const int64_t *left_a, int64_t root_a, const int64_t *left_b, int64_t root_b, const double *saving,
                      double *saved, int64_t width, double *prefixes) {
    const int64_t first_a = left_a[root_a], first_b = left_b[root_b];
    const int64_t columns = root_b - first_b + 1;
    for (int64_t column = 0; column <= columns; column++) prefixes[column] = 0;
    for (int64_t a = first_a; a <= root_a; a++) {
        const double *above = prefixes + (a - first_a) * (columns + 1);
        const double *behind = prefixes + (left_a[a] - first_a) * (columns + 1);
        double *row = prefixes + (a - first_a + 1) * (columns + 1);
        double *own = saved + a * width + first_b;
        const int spine = left_a[a] == first_a;
        double reached = row[0] = 0;
        for (int64_t column = 0; column < columns; column++) {
            const int64_t before = left_b[first_b + column] - first_b;
            double paired;
            if (spine && before == 0) {
                paired = above[column] + saving[a * width + first_b + column];
                reached = larger(larger(paired, above[column + 1]), reached);
                own[column] = reached;
            } else {
                paired = behind[before] + own[column];
                reached = larger(larger(paired, above[column + 1]), reached);
            }
            row[column + 1] = reached;
        }
    }
}

/* Whether a node is no leaf and the highest one of its leftmost path. */
static void mark(const int64_t *left, int64_t nodes, unsigned char *is_root) {
    for (int64_t node = 0; node < nodes; node++) is_root[node] = left[node] != node;
    /* Going down, the first node of each path that is met is the highest; `is_root` of a leaf notes that it was met. */
    for (int64_t node = nodes - 1; node >= 0; node--) {
        if (left[node] == node) continue;
        if (is_root[left[node]]) is_root[node] = 0;
        else is_root[left[node]] = 1;
    }
    for (int64_t node = 0; node < nodes; node++)
        if (left[node] == node) is_root[node] = 0;
}

/* Fills `saved`, whose last number is the answer. Returns 0, or -1 where there is no memory. */
SHOWN int beleg_trees_saved(const int64_t *left_a, int64_t nodes_a, const int64_t *left_b, int64_t nodes_b,
                            const double *saving, double *saved) {
    double *prefixes = malloc(sizeof(double) * (size_t)(nodes_a + 1) * (size_t)(nodes_b + 1));
    unsigned char *roots = malloc((size_t)(nodes_a + nodes_b));
    if (!prefixes || !roots) {
        free(prefixes);
        free(roots);
        return -1;
    }
    mark(left_a, nodes_a, roots);
    mark(left_b, nodes_b, roots + nodes_a);
    leaves(left_a, nodes_a, left_b, nodes_b, saving, saved, nodes_b, 1);
    leaves(left_b, nodes_b, left_a, nodes_a, saving, saved, 1, nodes_b);
    for (int64_t a = 0; a < nodes_a; a++)
        for (int64_t b = 0; roots[a] && b < nodes_b; b++)
            if (roots[nodes_a + b]) key_roots(left_a, a, left_b, b, saving, saved, nodes_b, prefixes);
    free(prefixes);
    free(roots);
    return 0;
}
