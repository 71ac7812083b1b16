/* One pass over a run in the format of TREC: where the judged documents stand.
 *
 * The text comes from strangers, in blocks of whole lines. Everything that is not plainly in order makes the pass
 * decline; the portable reader then reads the file afresh, and says what is wrong. So there is one place that judges
 * files, and this one only has to be sure of what it accepts. Nothing is read beyond the end of a block but its pad.
 *
 * Memory holds the rows of one query at a time, the names of the queries, and what was found.
 */
#define _GNU_SOURCE /* strtod_l; ignored where it is not known */
#include <errno.h>
#include <locale.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#if defined(__SSE2__)
#include <emmintrin.h>
#endif
#if defined(__APPLE__)
#include <xlocale.h>
#endif

#define EXPORT __attribute__((visibility("default")))
#define ABI_VERSION 2
#define MAX_LINE 65536
#define MAX_NUMBER 400
#define MAX_ROWS 0x7ffffff0u /* of one query */
#define MAX_IDS 0xfffffff0u  /* bytes of all ids of one query */
#define MIN_SLOTS 64u
#define FEW_HITS 16u

/* Why a pass stopped. Python holds the same numbers. */
enum {
    OK = 0,
    NO_MEMORY = -1,
    BAD_LINE = -2,     /* too few fields, too long, a score that is no number, a query that is not UTF-8 */
    REPEATED = -3,     /* a document stands twice for one query */
    INTERLEAVED = -4,  /* the rows of a query do not stand together */
};

typedef struct {
    uint8_t *data;
    size_t used, capacity;
} Bytes;

typedef struct {
    uint64_t name_hash;
    size_t name_at;
    uint32_t name_length;
    int32_t code; /* the judged query, or -1 */
    int32_t seen;
} Query;

typedef struct {
    double score;
    uint32_t id_at, id_length;
} Row;

typedef struct {
    uint32_t row;
    int64_t judgement;
    int64_t rank;
} Hit;

typedef struct {
    uint64_t seed;
    locale_t plain_locale;
    /* Judged documents: spans of one buffer, the rows of a query together; not owned. */
    const uint8_t *judged_text;
    const int64_t *judged_start;
    const int32_t *judged_length;
    const int64_t *judged_offsets;
    int64_t judged_queries;
    uint64_t *judged_slots;
    size_t *judged_slots_at;
    /* Queries by name. */
    Query *queries;
    size_t query_count, query_capacity;
    uint32_t *query_slots;
    size_t query_mask;
    Bytes names;
    /* The rows of the present query. */
    size_t present_index;
    Row *rows;
    size_t row_count, row_capacity;
    Bytes ids;
    uint64_t *row_slots;
    size_t row_mask, row_slot_capacity;
    int falling;
    Hit *hits;
    size_t hit_count, hit_capacity;
    uint32_t *order, *spare;
    size_t order_capacity;
    /* What was found. */
    int64_t *found_judgement, *found_rank;
    size_t found_count, found_capacity;
    int64_t *returned; /* by judged query; not owned */
    int64_t extra_queries, lines;
    Bytes tag;
    int has_tag;
} Pass;

/* ---- bytes ---- */

static inline int is_space(uint8_t byte) { return byte == ' ' || (byte >= 9 && byte <= 13); }

static inline uint64_t load8(const uint8_t *at) {
    uint64_t word;
    memcpy(&word, at, 8);
    return word;
}

static inline uint64_t mixed(uint64_t left, uint64_t right) {
    __uint128_t product = (__uint128_t)left * right;
    return (uint64_t)product ^ (uint64_t)(product >> 64);
}

#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
#define FIRST_BYTES(word, kept) ((word) & (~0ull >> (8 * (8 - (kept)))))
#else
#define FIRST_BYTES(word, kept) ((word) & (~0ull << (8 * (8 - (kept)))))
#endif

/* Eight bytes may be read behind either. */
static inline int is_same(const uint8_t *one, const uint8_t *other, size_t length) {
    for (; length > 8; one += 8, other += 8, length -= 8)
        if (load8(one) != load8(other)) return 0;
    return !length || !((load8(one) ^ load8(other)) & FIRST_BYTES(~0ull, length));
}

/* A keyed hash: a file cannot be written so that its names collide without knowing the seed. Eight bytes follow. */
static inline uint64_t hash_of(const uint8_t *at, size_t length, uint64_t seed) {
    uint64_t hash = seed ^ (length * 0x9e3779b97f4a7c15ull);
    for (; length > 8; at += 8, length -= 8) hash = mixed(hash ^ load8(at), 0xd6e8feb86659fd93ull ^ seed);
    if (length) hash ^= FIRST_BYTES(load8(at), length);
    return mixed(hash, 0xa0761d6478bd642full ^ seed);
}

static int widened(void **data, size_t *capacity, size_t needed, size_t size) {
    size_t wanted = *capacity ? *capacity : 1024;
    while (wanted < needed) {
        if (wanted > SIZE_MAX / 2 / size) return 0;
        wanted *= 2;
    }
    void *moved = realloc(*data, wanted * size);
    if (!moved) return 0;
    *data = moved;
    *capacity = wanted;
    return 1;
}

static inline int grown(void **data, size_t *capacity, size_t needed, size_t size) {
    return needed <= *capacity || widened(data, capacity, needed, size);
}

/* Eight bytes stay free behind, so that whole words can be read. */
static int appended(Bytes *bytes, const uint8_t *from, size_t length) {
    if (!grown((void **)&bytes->data, &bytes->capacity, bytes->used + length + 8, 1)) return 0;
    memcpy(bytes->data + bytes->used, from, length);
    bytes->used += length;
    return 1;
}

static size_t power_of_two(size_t at_least) {
    size_t power = MIN_SLOTS;
    while (power < at_least) power *= 2;
    return power;
}

static int is_utf8(const uint8_t *at, size_t length) {
    const uint8_t *end = at + length;
    while (at < end) {
        unsigned first = *at++, more;
        uint32_t point, least;
        if (first < 0x80) continue;
        if (first < 0xc2 || first > 0xf4) return 0;
        more = first < 0xe0 ? 1 : first < 0xf0 ? 2 : 3;
        least = more == 1 ? 0x80 : more == 2 ? 0x800 : 0x10000;
        point = first & (0x3fu >> more);
        if ((size_t)(end - at) < more) return 0;
        for (; more; more--, at++) {
            if ((*at & 0xc0) != 0x80) return 0;
            point = point << 6 | (*at & 0x3f);
        }
        if (point < least || point > 0x10ffff || (point >= 0xd800 && point < 0xe000)) return 0;
    }
    return 1;
}

/* ---- judged documents: one small table for each query, so that a query touches its own part only ---- */

static int index_judgements(Pass *pass) {
    size_t total = 0;
    pass->judged_slots_at = malloc(((size_t)pass->judged_queries + 1) * sizeof(size_t));
    if (!pass->judged_slots_at) return 0;
    for (int64_t query = 0; query < pass->judged_queries; query++) {
        size_t count = (size_t)(pass->judged_offsets[query + 1] - pass->judged_offsets[query]), slots = 2;
        while (slots < 2 * count) slots *= 2;
        pass->judged_slots_at[query] = total;
        total += slots;
    }
    pass->judged_slots_at[pass->judged_queries] = total;
    pass->judged_slots = calloc(total ? total : 1, sizeof(uint64_t));
    if (!pass->judged_slots) return 0;
    for (int64_t query = 0; query < pass->judged_queries; query++) {
        uint64_t *slots = pass->judged_slots + pass->judged_slots_at[query];
        size_t mask = pass->judged_slots_at[query + 1] - pass->judged_slots_at[query] - 1;
        int64_t first = pass->judged_offsets[query], end = pass->judged_offsets[query + 1];
        for (int64_t row = first; row < end; row++) {
            const uint8_t *name = pass->judged_text + pass->judged_start[row];
            uint64_t hash = hash_of(name, (size_t)pass->judged_length[row], pass->seed);
            size_t slot = hash & mask;
            while (slots[slot]) slot = (slot + 1) & mask;
            slots[slot] = (hash & ~0xffffffffull) | (uint64_t)(row - first + 1);
        }
    }
    return 1;
}

static inline int64_t judgement_of(const Pass *pass, int32_t query, uint64_t hash, const uint8_t *id, size_t length) {
    const uint64_t *slots = pass->judged_slots + pass->judged_slots_at[query];
    size_t mask = pass->judged_slots_at[query + 1] - pass->judged_slots_at[query] - 1;
    for (size_t slot = hash & mask; slots[slot]; slot = (slot + 1) & mask) {
        if ((slots[slot] ^ hash) >> 32) continue;
        int64_t row = pass->judged_offsets[query] + (int64_t)(slots[slot] & 0xffffffffull) - 1;
        if ((size_t)pass->judged_length[row] == length &&
            !memcmp(pass->judged_text + pass->judged_start[row], id, length))
            return row;
    }
    return -1;
}

/* ---- queries by name ---- */

static int placed_queries(Pass *pass, size_t slots) {
    uint32_t *made = calloc(slots, sizeof(uint32_t));
    if (!made) return 0;
    free(pass->query_slots);
    pass->query_slots = made;
    pass->query_mask = slots - 1;
    for (size_t number = 0; number < pass->query_count; number++) {
        size_t slot = pass->queries[number].name_hash & pass->query_mask;
        while (made[slot]) slot = (slot + 1) & pass->query_mask;
        made[slot] = (uint32_t)number + 1;
    }
    return 1;
}

/* The number of a query, made where it was not known; -1 where memory is short. */
static int64_t query_number(Pass *pass, const uint8_t *name, size_t length, int32_t code) {
    uint64_t hash = hash_of(name, length, pass->seed);
    for (size_t slot = hash & pass->query_mask; pass->query_slots[slot]; slot = (slot + 1) & pass->query_mask) {
        const Query *query = pass->queries + pass->query_slots[slot] - 1;
        if (query->name_hash == hash && query->name_length == length &&
            !memcmp(pass->names.data + query->name_at, name, length))
            return pass->query_slots[slot] - 1;
    }
    if (pass->query_count >= 0x7ffffff0u) return -1;
    if (!grown((void **)&pass->queries, &pass->query_capacity, pass->query_count + 1, sizeof(Query))) return -1;
    Query *made = pass->queries + pass->query_count;
    *made = (Query){hash, pass->names.used, (uint32_t)length, code, 0};
    if (!appended(&pass->names, name, length)) return -1;
    pass->query_count++;
    if (2 * pass->query_count > pass->query_mask) {
        if (!placed_queries(pass, 2 * (pass->query_mask + 1))) return -1;
    } else {
        size_t slot = hash & pass->query_mask;
        while (pass->query_slots[slot]) slot = (slot + 1) & pass->query_mask;
        pass->query_slots[slot] = (uint32_t)pass->query_count;
    }
    return (int64_t)pass->query_count - 1;
}

/* ---- numbers, rounded as Python's float rounds them ---- */

static const double POWERS[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,  1e8,  1e9,  1e10, 1e11,
                                1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
static const uint64_t WHOLE_POWERS[] = {1ull,
                                        10ull,
                                        100ull,
                                        1000ull,
                                        10000ull,
                                        100000ull,
                                        1000000ull,
                                        10000000ull,
                                        100000000ull,
                                        1000000000ull,
                                        10000000000ull,
                                        100000000000ull,
                                        1000000000000ull,
                                        10000000000000ull,
                                        100000000000000ull,
                                        1000000000000000ull,
                                        10000000000000000ull,
                                        100000000000000000ull,
                                        1000000000000000000ull,
                                        10000000000000000000ull};

/* Digits of up to 64 bits over a power of ten: the quotient has 64 bits or more, the rest decides a tie. */
static double quotient(uint64_t digits, unsigned places) {
    int shift = __builtin_clzll(digits);
    __uint128_t numerator = (__uint128_t)(digits << shift) << 64;
    __uint128_t whole = numerator / WHOLE_POWERS[places];
    int rest = whole * WHOLE_POWERS[places] != numerator;
    int exponent = -64 - shift;
    int width = (uint64_t)(whole >> 64) ? 128 - __builtin_clzll((uint64_t)(whole >> 64)) : 64 - __builtin_clzll((uint64_t)whole);
    int dropped = width - 53;
    uint64_t kept = (uint64_t)(whole >> dropped);
    __uint128_t below = whole & (((__uint128_t)1 << dropped) - 1), half = (__uint128_t)1 << (dropped - 1);
    if (below > half || (below == half && (rest || (kept & 1)))) kept++;
    return ldexp((double)kept, exponent + dropped);
}

#define EACH(byte) (0x0101010101010101ull * (byte))

/* Reads digits from a place on, eight at a time, and gives the place behind them; a field ends in white space. */
static inline const uint8_t *past_digits(const uint8_t *at, uint64_t *digits) {
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
    for (;;) {
        uint64_t word = load8(at) ^ EACH('0'), other = ((word + EACH(0x76)) | word) & EACH(0x80);
        unsigned count = other ? (unsigned)__builtin_ctzll(other) >> 3 : 8;
        if (!count) return at;
        word <<= 8 * (8 - count);
        word = (word * 10 + (word >> 8)) & 0x00ff00ff00ff00ffull;
        word = (word * 100 + (word >> 16)) & 0x0000ffff0000ffffull;
        word = (word * 10000 + (word >> 32)) & 0xffffffffull;
        *digits = *digits * WHOLE_POWERS[count] + word;
        at += count;
        if (count < 8) return at;
    }
#else
    for (; (unsigned)(*at - '0') < 10; at++) *digits = *digits * 10 + (*at - '0');
    return at;
#endif
}

static int matches(const uint8_t *at, size_t length, const char *word) {
    if (strlen(word) != length) return 0;
    for (size_t place = 0; place < length; place++)
        if ((at[place] | 0x20) != (uint8_t)word[place]) return 0;
    return 1;
}

/* The general way, by the C library in the plain locale. The text is known to be a number. */
static double by_library(const Pass *pass, const uint8_t *at, size_t length) {
    char copy[MAX_NUMBER + 1];
    memcpy(copy, at, length);
    copy[length] = 0;
    return strtod_l(copy, NULL, pass->plain_locale);
}

static inline int is_number(const Pass *pass, const uint8_t *at, size_t length, double *value) {
    const uint8_t *begin = at, *end = at + length;
    int negative = *at == '-';
    if (*at == '-' || *at == '+') at++;
    if (at == end || length > MAX_NUMBER) return 0;
    const uint8_t *first = at;
    uint64_t digits = 0;
    unsigned places = 0;
    at = past_digits(at, &digits);
    size_t count = (size_t)(at - first);
    if (*at == '.') {
        const uint8_t *dot = ++at;
        at = past_digits(at, &digits);
        places = (unsigned)(at - dot);
        count += places;
    }
    if (at == end && count && count <= 19) {
        double found;
        if (digits <= (1ull << 53) && places <= 22)
            found = (double)digits / POWERS[places];
        else if (digits && places <= 19)
            found = quotient(digits, places);
        else
            found = by_library(pass, first, (size_t)(end - first));
        *value = negative ? -found : found;
        return 1;
    }
    if (!count) {
        if (!matches(first, (size_t)(end - first), "inf") && !matches(first, (size_t)(end - first), "infinity")) return 0;
        *value = negative ? -INFINITY : INFINITY;
        return 1;
    }
    if (at < end) {
        if ((*at | 0x20) != 'e') return 0;
        at++;
        if (at < end && (*at == '-' || *at == '+')) at++;
        const uint8_t *power = at;
        while (at < end && (unsigned)(*at - '0') < 10) at++;
        if (at != end || at == power || at - power > 6) return 0;
    }
    *value = by_library(pass, begin, length);
    return 1;
}

/* ---- the rows of one query ---- */

static int is_before(const Pass *pass, uint32_t left, uint32_t right) {
    const Row *one = pass->rows + left, *other = pass->rows + right;
    if (one->score != other->score) return one->score > other->score;
    uint32_t common = one->id_length < other->id_length ? one->id_length : other->id_length;
    int differ = memcmp(pass->ids.data + one->id_at, pass->ids.data + other->id_at, common);
    return differ ? differ > 0 : one->id_length > other->id_length;
}

static void rank_by_counting(Pass *pass) {
    for (size_t number = 0; number < pass->hit_count; number++) {
        Hit *hit = pass->hits + number;
        double score = pass->rows[hit->row].score;
        int64_t above = 0;
        size_t ties = 0;
        for (size_t row = 0; row < pass->row_count; row++) {
            above += pass->rows[row].score > score;
            ties += pass->rows[row].score == score;
        }
        if (ties > 1)
            for (size_t row = 0; row < pass->row_count; row++)
                if (pass->rows[row].score == score && row != hit->row) above += is_before(pass, (uint32_t)row, hit->row);
        hit->rank = above + 1;
    }
}

/* Merges from the bottom up: no input makes it slow. */
static int rank_by_sorting(Pass *pass) {
    size_t count = pass->row_count;
    if (count > pass->order_capacity) {
        uint32_t *order = realloc(pass->order, pass->row_capacity * sizeof(uint32_t));
        if (!order) return 0;
        pass->order = order;
        uint32_t *spare = realloc(pass->spare, pass->row_capacity * sizeof(uint32_t));
        if (!spare) return 0;
        pass->spare = spare;
        pass->order_capacity = pass->row_capacity;
    }
    uint32_t *from = pass->order, *to = pass->spare;
    for (size_t row = 0; row < count; row++) from[row] = (uint32_t)row;
    for (size_t width = 1; width < count; width *= 2) {
        for (size_t low = 0; low < count; low += 2 * width) {
            size_t middle = low + width < count ? low + width : count, high = low + 2 * width < count ? low + 2 * width : count;
            size_t left = low, right = middle, place = low;
            while (left < middle && right < high)
                to[place++] = is_before(pass, from[right], from[left]) ? from[right++] : from[left++];
            while (left < middle) to[place++] = from[left++];
            while (right < high) to[place++] = from[right++];
        }
        uint32_t *swap = from;
        from = to;
        to = swap;
    }
    for (size_t place = 0; place < count; place++) to[from[place]] = (uint32_t)place + 1;
    for (size_t number = 0; number < pass->hit_count; number++) pass->hits[number].rank = to[pass->hits[number].row];
    return 1;
}

static int by_rank(const void *left, const void *right) {
    int64_t one = ((const Hit *)left)->rank, other = ((const Hit *)right)->rank;
    return (one > other) - (one < other);
}

static int close_query(Pass *pass) {
    if (!pass->row_count) return OK;
    const Query *query = pass->queries + pass->present_index;
    if (query->code < 0) {
        pass->extra_queries++;
    } else {
        pass->returned[query->code] = (int64_t)pass->row_count;
        if (pass->falling)
            for (size_t number = 0; number < pass->hit_count; number++)
                pass->hits[number].rank = (int64_t)pass->hits[number].row + 1;
        else if (pass->hit_count) {
            if (pass->hit_count <= FEW_HITS)
                rank_by_counting(pass);
            else if (!rank_by_sorting(pass))
                return NO_MEMORY;
            qsort(pass->hits, pass->hit_count, sizeof(Hit), by_rank);
        }
        size_t needed = pass->found_count + pass->hit_count, capacity = pass->found_capacity;
        if (!grown((void **)&pass->found_judgement, &capacity, needed, sizeof(int64_t))) return NO_MEMORY;
        if (!grown((void **)&pass->found_rank, &pass->found_capacity, needed, sizeof(int64_t))) return NO_MEMORY;
        for (size_t number = 0; number < pass->hit_count; number++) {
            pass->found_judgement[pass->found_count] = pass->hits[number].judgement;
            pass->found_rank[pass->found_count++] = pass->hits[number].rank;
        }
    }
    pass->row_count = pass->hit_count = pass->ids.used = 0;
    pass->falling = 1;
    return OK;
}

static int cleared_slots(Pass *pass, size_t slots) {
    if (slots > pass->row_slot_capacity) {
        free(pass->row_slots);
        pass->row_slots = malloc(slots * sizeof(uint64_t));
        if (!pass->row_slots) {
            pass->row_slot_capacity = 0;
            return 0;
        }
        pass->row_slot_capacity = slots;
    }
    memset(pass->row_slots, 0, slots * sizeof(uint64_t));
    pass->row_mask = slots - 1;
    return 1;
}

static int open_query(Pass *pass, const uint8_t *name, size_t length) {
    size_t before = pass->row_count;
    int status = close_query(pass);
    if (status != OK) return status;
    size_t known = pass->query_count;
    int64_t number = query_number(pass, name, length, -1);
    if (number < 0) return NO_MEMORY;
    if (pass->query_count > known && !is_utf8(name, length)) return BAD_LINE;
    pass->present_index = (size_t)number;
    if (pass->queries[number].seen) return INTERLEAVED;
    pass->queries[number].seen = 1;
    /* As many slots as the query before needed, mostly empty so that few ids meet: a single long list does not make all others slow. */
    return cleared_slots(pass, power_of_two(4 * (before + 1))) ? OK : NO_MEMORY;
}

static int wider_slots(Pass *pass) {
    if (!cleared_slots(pass, 2 * (pass->row_mask + 1))) return 0;
    for (size_t row = 0; row < pass->row_count; row++) {
        uint64_t hash = hash_of(pass->ids.data + pass->rows[row].id_at, pass->rows[row].id_length, pass->seed);
        size_t slot = hash & pass->row_mask;
        while (pass->row_slots[slot]) slot = (slot + 1) & pass->row_mask;
        pass->row_slots[slot] = (hash & ~0xffffffffull) | (row + 1);
    }
    return 1;
}

static inline int add_row(Pass *pass, const uint8_t *id, size_t length, double score) {
    uint64_t hash = hash_of(id, length, pass->seed);
    size_t slot = hash & pass->row_mask;
    for (; pass->row_slots[slot]; slot = (slot + 1) & pass->row_mask) {
        if ((pass->row_slots[slot] ^ hash) >> 32) continue;
        const Row *other = pass->rows + (pass->row_slots[slot] & 0xffffffffull) - 1;
        if (other->id_length == length && !memcmp(pass->ids.data + other->id_at, id, length)) return REPEATED;
    }
    if (pass->row_count >= MAX_ROWS || pass->ids.used + length > MAX_IDS) return NO_MEMORY;
    if (!grown((void **)&pass->rows, &pass->row_capacity, pass->row_count + 1, sizeof(Row))) return NO_MEMORY;
    size_t row = pass->row_count;
    pass->rows[row] = (Row){score, (uint32_t)pass->ids.used, (uint32_t)length};
    if (!grown((void **)&pass->ids.data, &pass->ids.capacity, pass->ids.used + length + 8, 1)) return NO_MEMORY;
    /* Whole words: what stands behind the id is overwritten by the next one. */
    for (size_t copied = 0; copied < length; copied += 8) memcpy(pass->ids.data + pass->ids.used + copied, id + copied, 8);
    pass->ids.used += length;
    if (row && !(score < pass->rows[row - 1].score)) pass->falling = 0;
    pass->row_slots[slot] = (hash & ~0xffffffffull) | (row + 1);
    pass->row_count++;
    if (4 * pass->row_count > pass->row_mask && !wider_slots(pass)) return NO_MEMORY;
    int32_t code = pass->queries[pass->present_index].code;
    if (code < 0) return OK;
    int64_t judgement = judgement_of(pass, code, hash, id, length);
    if (judgement < 0) return OK;
    if (!grown((void **)&pass->hits, &pass->hit_capacity, pass->hit_count + 1, sizeof(Hit))) return NO_MEMORY;
    pass->hits[pass->hit_count++] = (Hit){(uint32_t)row, judgement, 0};
    return OK;
}

/* ---- lines ---- */

static inline const uint8_t *past_spaces(const uint8_t *at) {
    if (*at > ' ') return at;
    while (*at != '\n' && is_space(*at)) at++;
    return at;
}

/* The first white space from a place on; a line break ends every line. */
static inline const uint8_t *field_end(const uint8_t *at) {
    for (;;) {
        uint64_t word = load8(at), low = (word - EACH(0x21)) & ~word & EACH(0x80);
        if (!low) {
            at += 8;
            continue;
        }
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
        at += __builtin_ctzll(low) >> 3;
#else
        while (*at > ' ') at++;
#endif
        if (is_space(*at)) return at;
        at++;
    }
}

typedef struct {
    const uint8_t *query, *query_end, *id, *id_end, *number, *number_end, *tag, *tag_end, *next;
} Fields;

#if defined(__SSE2__)
/* Marks the bytes up to a space, and those that separate fields, in a part of 16 bytes. */
static inline void mark(const uint8_t *line, int part, uint64_t *low, uint64_t *gaps) {
    const __m128i space = _mm_set1_epi8(' '), tab = _mm_set1_epi8('\t');
    __m128i text = _mm_loadu_si128((const __m128i *)(line + 16 * part));
    __m128i is_gap = _mm_or_si128(_mm_cmpeq_epi8(text, space), _mm_cmpeq_epi8(text, tab));
    *low |= (uint64_t)(uint32_t)_mm_movemask_epi8(_mm_cmpeq_epi8(_mm_min_epu8(text, space), text)) << (16 * part);
    *gaps |= (uint64_t)(uint32_t)_mm_movemask_epi8(is_gap) << (16 * part);
}

/* Six fields with one separator between two of them, in a line of less than 64 bytes: found without a branch for each
   byte. Every other line takes the general way. */
static inline int is_plain(const uint8_t *line, Fields *fields) {
    uint64_t low = 0, gaps = 0;
    for (int part = 0; part < 3; part++) mark(line, part, &low, &gaps);
    if (low == gaps) mark(line, 3, &low, &gaps);
    if (low == gaps) return 0;
    /* The first byte that is neither part of a field nor a separator must end the line. */
    const uint8_t *last = line + __builtin_ctzll(low ^ gaps);
    if (*last != '\n') return 0;
    uint64_t feed_bit = 1ull << (last - line);
    low &= feed_bit - 1;
    if (low & 1 || (low | feed_bit) & ((low | feed_bit) << 1)) return 0;
    int end[5];
    for (int field = 0; field < 5; field++) {
        if (!low) return 0;
        end[field] = __builtin_ctzll(low);
        low &= low - 1;
    }
    if (low) return 0;
    *fields = (Fields){line,
                       line + end[0],
                       line + end[1] + 1,
                       line + end[2],
                       line + end[3] + 1,
                       line + end[4],
                       line + end[4] + 1,
                       last,
                       last + 1};
    return 1;
}
#else
static inline int is_plain(const uint8_t *line, Fields *fields) {
    (void)line, (void)fields;
    return 0;
}
#endif

/* A carriage return with more than white space behind it: lines of another kind, which would be lost in this one. */
static int holds_return(const uint8_t *line, const uint8_t *line_end) {
    const uint8_t *at = memchr(line, '\r', (size_t)(line_end - line));
    if (!at) return 0;
    while (at < line_end && is_space(*at)) at++;
    return at < line_end;
}

/* The fields of any line. A blank one has no query. */
static int split(const uint8_t *line, Fields *fields) {
    const uint8_t *at = past_spaces(line);
    *fields = (Fields){.next = at + 1};
    if (*at == '\n') return at - line > MAX_LINE ? BAD_LINE : OK;
    if (*at == '#' && is_space(at[1])) {
        while (*at != '\n') at++;
        fields->next = at + 1;
        return at - line > MAX_LINE || holds_return(line, at) ? BAD_LINE : OK;
    }
    fields->query = at;
    fields->query_end = at = field_end(at);
    for (int skipped = 0; skipped < 2; skipped++) {
        at = past_spaces(at);
        if (*at == '\n') return BAD_LINE;
        if (skipped) fields->id = at;
        at = field_end(at);
    }
    fields->id_end = at;
    for (int skipped = 0; skipped < 2; skipped++) {
        at = past_spaces(at);
        if (*at == '\n') return BAD_LINE;
        if (skipped) fields->number = at;
        at = field_end(at);
    }
    fields->number_end = at;
    at = past_spaces(at);
    if (*at == '\n') return BAD_LINE;
    fields->tag = at;
    fields->tag_end = at = field_end(at);
    while (*at != '\n') at++;
    fields->next = at + 1;
    return at - line > MAX_LINE || holds_return(line, at) ? BAD_LINE : OK;
}

static int take_line(Pass *pass, const uint8_t *line, const uint8_t **next) {
    Fields fields;
    if (!is_plain(line, &fields)) {
        int status = split(line, &fields);
        if (status != OK) return status;
    }
    *next = fields.next;
    if (!fields.query) return OK;
    /* As trec_eval 10 begins a comment; a plain one holds no carriage return. */
    if (*fields.query == '#' && fields.query_end - fields.query == 1) return OK;
    const Query *present = pass->queries + pass->present_index;
    size_t length = (size_t)(fields.query_end - fields.query);
    if (!pass->row_count || length != present->name_length ||
        !is_same(fields.query, pass->names.data + present->name_at, length)) {
        int status = open_query(pass, fields.query, length);
        if (status != OK) return status;
    }
    double score;
    if (!is_number(pass, fields.number, (size_t)(fields.number_end - fields.number), &score)) return BAD_LINE;
    if (!pass->has_tag) {
        pass->has_tag = 1;
        if (!appended(&pass->tag, fields.tag, (size_t)(fields.tag_end - fields.tag))) return NO_MEMORY;
    }
    pass->lines++;
    return add_row(pass, fields.id, (size_t)(fields.id_end - fields.id), score);
}

/* ---- judgements ---- */

/* Digits with a point at most, and few enough that their quotient is rounded once. */
static inline int is_short_number(const uint8_t *at, const uint8_t *end, double *value) {
    int negative = *at == '-';
    if (*at == '-' || *at == '+') at++;
    const uint8_t *first = at;
    uint64_t digits = 0;
    unsigned places = 0;
    at = past_digits(at, &digits);
    size_t count = (size_t)(at - first);
    if (*at == '.') {
        const uint8_t *dot = ++at;
        at = past_digits(at, &digits);
        places = (unsigned)(at - dot);
        count += places;
    }
    if (at != end || !count || count > 19 || digits > (1ull << 53)) return 0;
    double found = (double)digits / POWERS[places];
    *value = negative ? -found : found;
    return 1;
}

/* Whether a line has four fields and one separator between two of them; where they begin, and where they end. */
static inline int has_four_fields(const uint8_t *line, const uint8_t **begin, const uint8_t **end) {
    const uint8_t *at = line;
    for (int field = 0; field < 4; field++) {
        begin[field] = at;
        end[field] = at = field_end(at);
        if (at == begin[field]) return 0;
        if (field < 3 ? *at != ' ' && *at != '\t' : *at != '\n') return 0;
        at++;
    }
    return end[3] - line <= MAX_LINE && !(*line == '#' && end[0] - line == 1);
}

/* ---- what Python calls ---- */

EXPORT int beleg_abi_version(void) { return ABI_VERSION; }

EXPORT void beleg_pass_free(Pass *pass) {
    if (!pass) return;
    if (pass->plain_locale) freelocale(pass->plain_locale);
    void *owned[] = {pass->judged_slots, pass->judged_slots_at, pass->queries, pass->query_slots, pass->names.data,
                     pass->rows, pass->ids.data, pass->row_slots, pass->hits, pass->order, pass->spare,
                     pass->found_judgement, pass->found_rank, pass->tag.data};
    for (size_t number = 0; number < sizeof owned / sizeof *owned; number++) free(owned[number]);
    free(pass);
}

/* The names of the judged queries are spans of one buffer. All arrays must outlive the pass. */
EXPORT Pass *beleg_pass_new(uint64_t seed, int64_t queries, const uint8_t *names, const int64_t *name_offsets,
                            const uint8_t *documents, const int64_t *start, const int32_t *length,
                            const int64_t *offsets, int64_t *returned) {
    Pass *pass = calloc(1, sizeof(Pass));
    if (!pass) return NULL;
    pass->seed = seed;
    pass->judged_text = documents;
    pass->judged_start = start;
    pass->judged_length = length;
    pass->judged_offsets = offsets;
    pass->judged_queries = queries;
    pass->returned = returned;
    pass->falling = 1;
    pass->plain_locale = newlocale(LC_ALL_MASK, "C", (locale_t)0);
    int made = pass->plain_locale && index_judgements(pass) && placed_queries(pass, power_of_two(4 * ((size_t)queries + 1)));
    for (int64_t number = 0; made && number < queries; number++) {
        int32_t code = offsets[number + 1] > offsets[number] ? (int32_t)number : -1;
        made = query_number(pass, names + name_offsets[number],
                            (size_t)(name_offsets[number + 1] - name_offsets[number]), code) == number;
    }
    if (made) return pass;
    beleg_pass_free(pass);
    return NULL;
}

/* Reads whole lines; 64 bytes or more that may be read follow the last line break. */
EXPORT int beleg_pass_feed(Pass *pass, const uint8_t *text, int64_t size) {
    const uint8_t *at = text, *end = text + size;
    while (at < end) {
        int status = take_line(pass, at, &at);
        if (status != OK) return status;
    }
    return OK;
}

EXPORT int beleg_pass_end(Pass *pass) { return close_query(pass); }

EXPORT int64_t beleg_pass_count(const Pass *pass, int what) {
    switch (what) {
        case 0: return (int64_t)pass->found_count;
        case 1: return pass->extra_queries;
        case 2: return pass->lines;
        case 3: return (int64_t)pass->tag.used;
        default: return -1;
    }
}

EXPORT void beleg_pass_found(const Pass *pass, int64_t *judgement, int64_t *rank, uint8_t *tag) {
    if (pass->found_count) {
        memcpy(judgement, pass->found_judgement, pass->found_count * sizeof(int64_t));
        memcpy(rank, pass->found_rank, pass->found_count * sizeof(int64_t));
    }
    if (pass->tag.used) memcpy(tag, pass->tag.data, pass->tag.used);
}

/* Columns of judgements from whole lines; there is room for one row in eight bytes. `run` holds the rows at which the
   query changes, with the span of its id. */
typedef struct {
    int64_t *start;
    int32_t *length;
    double *value;
    int64_t *run, *run_start, *run_end;
    int64_t runs;
} Judgements;

/* The number of rows, or BAD_LINE where a line is not plainly in order. Sixteen bytes follow the last line break. */
EXPORT int64_t beleg_judgements(const uint8_t *text, int64_t low, int64_t high, Judgements *found) {
    const uint8_t *at = text + low, *last = text + high, *query = NULL;
    size_t query_length = 0;
    int64_t row = 0;
    found->runs = 0;
    for (; at < last; row++) {
        const uint8_t *begin[4], *end[4];
        if (!has_four_fields(at, begin, end) || !is_short_number(begin[3], end[3], found->value + row)) return BAD_LINE;
        size_t length = (size_t)(end[0] - at);
        if (!query || length != query_length || memcmp(query, at, length)) {
            query_length = length;
            found->run[found->runs] = row;
            found->run_start[found->runs] = at - text;
            found->run_end[found->runs++] = end[0] - text;
        }
        query = at;
        found->start[row] = begin[2] - text;
        found->length[row] = (int32_t)(end[2] - begin[2]);
        at = end[3] + 1;
    }
    return row;
}
