#ifndef KYMOGRAPH_BENCH_YARDSTICKS_H
#define KYMOGRAPH_BENCH_YARDSTICKS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// What kymograph-benchmarks measures against: the same work in plain C, with nothing around it.

/// A ring in memory that one thread stores into and nobody reads.
typedef struct yardstick_ring yardstick_ring;

/// Makes a ring of so many bytes, a power of two, every page of it in memory; NULL without memory.
yardstick_ring *yardstick_ring_make(size_t bytes);
void yardstick_ring_free(yardstick_ring *ring);

/// Stores the values of so many frames, one of each key, key, time and value in 24 bytes each, and shows
/// each of them by a releasing store of the head.
void yardstick_append(
    yardstick_ring *ring, int64_t first, int64_t frames, int keys, int64_t frame_nanoseconds);

/// Copies a frame's elements, so many doubles each, one after the other, and shows the frame by a
/// releasing store of the head.
void yardstick_copy_frame(
    yardstick_ring *ring, const double *elements, int count, int doubles_each);

/// Writes values into the table `plain_sample` of a recording, as its recorder does.
typedef struct yardstick_writer yardstick_writer;

/// Opens a recording that has a session 1 and no other writer, with the recorder's settings; NULL when
/// it cannot be opened.
yardstick_writer *yardstick_writer_open(const char *path);
void yardstick_writer_close(yardstick_writer *writer);

/// Writes a transaction of values, moves the log into the database where it is longer than that,
/// and says whether all of it went well.
bool yardstick_write(
    yardstick_writer *writer, const int64_t *times, const int64_t *slots, const double *values,
    int count, bool is_durable, int checkpoint_bytes);

/// Writes a transaction with one value of bytes, in place of those that begin at or after `replaced_from`, if
/// that is not later than its end.
bool yardstick_write_blob(
    yardstick_writer *writer, int64_t first, int64_t last, const void *bytes, int count,
    int64_t replaced_from, bool is_durable, int checkpoint_bytes);

/// A statement that only reads, prepared once.
typedef struct yardstick_query yardstick_query;

/// Opens a database and prepares a statement; NULL when that cannot be.
yardstick_query *yardstick_query_open(const char *path, const char *sql);
void yardstick_query_close(yardstick_query *query);

/// Runs a statement with whole numbers, adds its last column up, and counts its rows; -1 after an
/// error.
int64_t yardstick_query_run(
    yardstick_query *query, const int64_t *numbers, int count, double *sum);

#endif
