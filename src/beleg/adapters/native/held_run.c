/* The lists of a run that Python holds as dictionaries: all scores in a row, and where the judged documents are.
 *
 * Only dictionaries whose ids are text and whose scores are plain numbers are taken, each of exactly that class: then
 * neither walking them nor looking something up runs any code of Python, and nothing changes underway. Everything else
 * makes it decline, and the portable way says what is wrong. The caller holds the lock of the interpreter.
 *
 * The interpreter's functions and classes are given by address, so that nothing is linked and no header is needed. All
 * of them belong to its stable interface, as does where an object holds its class.
 */
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#define EXPORT __attribute__((visibility("default")))
#define ABI_VERSION 1
#define DECLINED (-1)

typedef struct _object Object;

typedef struct {
    int (*dict_next)(Object *dict, ptrdiff_t *position, Object **key, Object **value);
    ptrdiff_t (*dict_size)(Object *dict);
    Object *(*dict_get)(Object *dict, Object *key);
    ptrdiff_t (*list_size)(Object *list);
    Object *(*list_get)(Object *list, ptrdiff_t place);
    double (*float_value)(Object *number);
    double (*int_value)(Object *number);
    Object *(*error)(void);
    void (*forget_error)(void);
    const Object *text_class, *float_class, *int_class, *dict_class, *list_class;
    ptrdiff_t class_at; /* where an object holds its class */
} Python;

/* What is looked for, and where what is found goes; list i may have the names from low[i] to high[i]. */
typedef struct {
    int64_t lists, room;
    const int64_t *sizes, *low, *high;
    double *value; /* the scores of all lists */
    int64_t *row, *of;
    double *score; /* of each hit */
} Block;

static inline int is_of(const Python *python, const Object *object, const Object *class) {
    const Object *held;
    memcpy(&held, (const char *)object + python->class_at, sizeof held);
    return held == class;
}

/* The value of a plain number that is one. */
static inline int is_number(const Python *python, Object *object, double *value) {
    if (is_of(python, object, python->float_class)) {
        *value = python->float_value(object);
    } else if (is_of(python, object, python->int_class)) {
        *value = python->int_value(object);
        if (*value == -1.0 && python->error()) { /* beyond the range of doubles */
            python->forget_error();
            return 0;
        }
    } else {
        return 0;
    }
    return *value == *value;
}

/* Whether all of a dictionary could be taken. */
static int is_taken(const Python *python, Object *dict, int64_t size, double *value) {
    if (!is_of(python, dict, python->dict_class) || python->dict_size(dict) != size) return 0;
    ptrdiff_t position = 0;
    int64_t count = 0;
    Object *id, *number;
    for (; python->dict_next(dict, &position, &id, &number); count++)
        if (count >= size || !is_of(python, id, python->text_class) || !is_number(python, number, value + count)) return 0;
    return count == size;
}

EXPORT int beleg_held_version(void) { return ABI_VERSION; }

/* Whether a pair of list and dictionary is seen for what it is: a check that the addresses and places fit. */
EXPORT int beleg_held_knows(const Python *python, Object *list, Object *dict) {
    return is_of(python, list, python->list_class) && is_of(python, dict, python->dict_class);
}

/* The number of hits, or DECLINED. Lists and names are lists of Python that nobody else knows. */
EXPORT int64_t beleg_held_take(const Python *python, Object *lists, Object *names, const Block *block) {
    if (!is_of(python, lists, python->list_class) || !is_of(python, names, python->list_class)) return DECLINED;
    if (python->list_size(lists) != block->lists) return DECLINED;
    int64_t found = 0, known = python->list_size(names);
    double *value = block->value;
    for (int64_t list = 0; list < block->lists; list++) {
        Object *dict = python->list_get(lists, list);
        if (!dict || !is_taken(python, dict, block->sizes[list], value)) return DECLINED;
        value += block->sizes[list];
        if (block->low[list] < 0 || block->high[list] > known) return DECLINED;
        for (int64_t row = block->low[list]; row < block->high[list]; row++) {
            Object *name = python->list_get(names, row);
            if (!name || !is_of(python, name, python->text_class)) return DECLINED;
            Object *number = python->dict_get(dict, name);
            if (!number) {
                if (!python->error()) continue;
                python->forget_error();
                return DECLINED;
            }
            if (found == block->room || !is_number(python, number, block->score + found)) return DECLINED;
            block->row[found] = row;
            block->of[found++] = list;
        }
    }
    return found;
}
