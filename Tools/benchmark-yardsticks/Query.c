#include "BenchmarkYardsticks.h"

#include <sqlite3.h>
#include <stdlib.h>

struct yardstick_query {
  sqlite3 *database;
  sqlite3_stmt *statement;
};

yardstick_query *yardstick_query_open(const char *path, const char *sql) {
  yardstick_query *query = calloc(1, sizeof *query);
  if (query == NULL) return NULL;
  int flags = SQLITE_OPEN_READONLY | SQLITE_OPEN_NOMUTEX;
  if (sqlite3_open_v2(path, &query->database, flags, NULL) == SQLITE_OK
      && sqlite3_prepare_v2(query->database, sql, -1, &query->statement, NULL) == SQLITE_OK) {
    return query;
  }
  yardstick_query_close(query);
  return NULL;
}

void yardstick_query_close(yardstick_query *query) {
  if (query == NULL) return;
  sqlite3_finalize(query->statement);
  sqlite3_close(query->database);
  free(query);
}

int64_t yardstick_query_run(
    yardstick_query *query, const int64_t *numbers, int count, double *sum) {
  for (int place = 0; place < count; place++) {
    sqlite3_bind_int64(query->statement, place + 1, numbers[place]);
  }
  int last = sqlite3_column_count(query->statement) - 1;
  int64_t rows = 0;
  int code = sqlite3_step(query->statement);
  while (code == SQLITE_ROW) {
    *sum += sqlite3_column_double(query->statement, last);
    rows++;
    code = sqlite3_step(query->statement);
  }
  sqlite3_reset(query->statement);
  return code == SQLITE_DONE ? rows : -1;
}
