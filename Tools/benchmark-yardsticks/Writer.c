#include "BenchmarkYardsticks.h"

#include <sqlite3.h>
#include <stdlib.h>

struct yardstick_writer {
  sqlite3 *database;
  sqlite3_stmt *begin;
  sqlite3_stmt *commit;
  sqlite3_stmt *insert;
  sqlite3_stmt *insert_blob;
  sqlite3_stmt *delete_blobs;
  int page_bytes;
  int log_bytes;
  bool is_durable;
};

static int measure_log(void *pointer, sqlite3 *database, const char *name, int pages) {
  (void)database;
  (void)name;
  yardstick_writer *writer = pointer;
  writer->log_bytes = pages == 0 ? 0 : 32 + pages * (24 + writer->page_bytes);
  return SQLITE_OK;
}

static bool prepare(sqlite3 *database, const char *sql, sqlite3_stmt **statement) {
  return sqlite3_prepare_v3(database, sql, -1, SQLITE_PREPARE_PERSISTENT, statement, NULL)
         == SQLITE_OK;
}

static bool run(sqlite3_stmt *statement) {
  int code = sqlite3_step(statement);
  return sqlite3_reset(statement) == SQLITE_OK && (code == SQLITE_DONE || code == SQLITE_ROW);
}

static bool read_page_bytes(yardstick_writer *writer) {
  sqlite3_stmt *statement = NULL;
  bool is_read = prepare(writer->database, "PRAGMA page_size", &statement)
                 && sqlite3_step(statement) == SQLITE_ROW;
  if (is_read) writer->page_bytes = sqlite3_column_int(statement, 0);
  sqlite3_finalize(statement);
  return is_read;
}

yardstick_writer *yardstick_writer_open(const char *path) {
  yardstick_writer *writer = calloc(1, sizeof *writer);
  if (writer == NULL) return NULL;
  int flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE;
  bool is_open = sqlite3_open_v2(path, &writer->database, flags, NULL) == SQLITE_OK;
  if (is_open) {
    sqlite3_db_config(writer->database, SQLITE_DBCONFIG_DEFENSIVE, 1, (int *)0);
    sqlite3_db_config(writer->database, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, (int *)0);
    is_open = sqlite3_exec(
                  writer->database,
                  "PRAGMA cell_size_check = ON; PRAGMA ignore_check_constraints = ON;"
                  "PRAGMA synchronous = NORMAL; PRAGMA journal_mode = WAL;"
                  "PRAGMA journal_size_limit = 16384000",
                  NULL, NULL, NULL)
              == SQLITE_OK;
    sqlite3_wal_hook(writer->database, measure_log, writer);
    is_open = is_open && read_page_bytes(writer);
  }
  if (is_open && prepare(writer->database, "BEGIN IMMEDIATE", &writer->begin)
      && prepare(writer->database, "COMMIT", &writer->commit)
      && prepare(
          writer->database, "INSERT INTO plain_sample (session, t_ns, slot, value) VALUES (1, ?1, ?2, ?3)",
          &writer->insert)
      && prepare(
          writer->database,
          "INSERT INTO sample_segment (session, first_ns, last_ns, row_count, phases, checksum, head, data)"
          " VALUES (1, ?1, ?2, 1, '[]', 0, x'', ?3)",
          &writer->insert_blob)
      && prepare(
          writer->database, "DELETE FROM sample_segment WHERE session = 1 AND first_ns BETWEEN ?1 AND ?2",
          &writer->delete_blobs)) {
    return writer;
  }
  yardstick_writer_close(writer);
  return NULL;
}

void yardstick_writer_close(yardstick_writer *writer) {
  if (writer == NULL) return;
  sqlite3_finalize(writer->begin);
  sqlite3_finalize(writer->commit);
  sqlite3_finalize(writer->insert);
  sqlite3_finalize(writer->insert_blob);
  sqlite3_finalize(writer->delete_blobs);
  sqlite3_close(writer->database);
  free(writer);
}

static bool begin(yardstick_writer *writer, bool is_durable) {
  if (is_durable != writer->is_durable) {
    writer->is_durable = is_durable;
    sqlite3_exec(
        writer->database, is_durable ? "PRAGMA synchronous = FULL" : "PRAGMA synchronous = NORMAL",
        NULL, NULL, NULL);
  }
  return run(writer->begin);
}

static bool end(yardstick_writer *writer, int checkpoint_bytes) {
  if (!run(writer->commit)) return false;
  if (writer->log_bytes >= checkpoint_bytes) {
    int in_log = 0;
    int moved = 0;
    sqlite3_wal_checkpoint_v2(
        writer->database, NULL, SQLITE_CHECKPOINT_PASSIVE, &in_log, &moved);
    if (in_log == moved) writer->log_bytes = 0;
  }
  return true;
}

bool yardstick_write(
    yardstick_writer *writer, const int64_t *times, const int64_t *slots, const double *values,
    int count, bool is_durable, int checkpoint_bytes) {
  if (!begin(writer, is_durable)) return false;
  for (int row = 0; row < count; row++) {
    double value = values[row];
    sqlite3_bind_int64(writer->insert, 1, times[row]);
    sqlite3_bind_int64(writer->insert, 2, slots[row]);
    // Whole numbers as the schema wants them; a negative zero stays a real.
    if (value >= -2147483648.0 && value <= 2147483647.0 && value == (double)(int64_t)value
        && !(value == 0 && __builtin_signbit(value))) {
      sqlite3_bind_int64(writer->insert, 3, (int64_t)value);
    } else {
      sqlite3_bind_double(writer->insert, 3, value);
    }
    if (!run(writer->insert)) return false;
  }
  return end(writer, checkpoint_bytes);
}

bool yardstick_write_blob(
    yardstick_writer *writer, int64_t first, int64_t last, const void *bytes, int count,
    int64_t replaced_from, bool is_durable, int checkpoint_bytes) {
  if (!begin(writer, is_durable)) return false;
  if (replaced_from <= last) {
    sqlite3_bind_int64(writer->delete_blobs, 1, replaced_from);
    sqlite3_bind_int64(writer->delete_blobs, 2, last);
    if (!run(writer->delete_blobs)) return false;
    first = replaced_from;
  }
  sqlite3_bind_int64(writer->insert_blob, 1, first);
  sqlite3_bind_int64(writer->insert_blob, 2, last);
  sqlite3_bind_blob(writer->insert_blob, 3, bytes, count, SQLITE_STATIC);
  if (!run(writer->insert_blob)) return false;
  return end(writer, checkpoint_bytes);
}
