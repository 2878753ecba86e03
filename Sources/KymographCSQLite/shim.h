#ifndef KYMOGRAPH_CSQLITE_SHIM_H
#define KYMOGRAPH_CSQLITE_SHIM_H

#include <sqlite3.h>
#include <stdlib.h>
#if defined(__GLIBC__)
#include <malloc.h>
#endif

// Swift does not import macros that cast, so the destructor constant gets a function.
static inline sqlite3_destructor_type kymo_sqlite_transient(void) { return SQLITE_TRANSIENT; }

// Swift cannot call functions with a variable number of arguments.
static inline int kymo_sqlite_set_option(sqlite3 *db, int option, int on) {
  return sqlite3_db_config(db, option, on, (int *)0);
}

static inline int kymo_sqlite_set_process_option(int option, int on) {
  return sqlite3_config(option, on);
}

// Caches of pages begin empty.
static inline int kymo_sqlite_take_pages_singly(void) {
  return sqlite3_config(SQLITE_CONFIG_PAGECACHE, (void *)0, 0, 0);
}

// All threads share one heap. A heap of its own for each would keep what its thread has given back.
static inline void kymo_share_heap(void) {
#if defined(__GLIBC__)
  mallopt(M_ARENA_MAX, 1);
#endif
}

// Views of a file may use the virtual table, as it only shows what the file holds.
static inline int kymo_sqlite_mark_innocuous(sqlite3 *db) {
  return sqlite3_vtab_config(db, SQLITE_VTAB_INNOCUOUS);
}

// A copy of a text in SQLite's own memory, as a virtual table's error message must be.
static inline char *kymo_sqlite_copy_text(const char *text) { return sqlite3_mprintf("%s", text); }

// The database file as SQLite has it open. A second descriptor of ours would, when it is closed, drop the
// locks that SQLite holds on the file in this process.
static inline int kymo_sqlite_file(sqlite3 *db, sqlite3_file **file) {
  *file = 0;
  int code = sqlite3_file_control(db, "main", SQLITE_FCNTL_FILE_POINTER, file);
  return code != SQLITE_OK || (*file && (*file)->pMethods) ? code : SQLITE_CANTOPEN;
}

// Reads bytes of the database file.
static inline int kymo_sqlite_read_file(sqlite3 *db, void *into, int count, sqlite3_int64 offset) {
  sqlite3_file *file;
  int code = kymo_sqlite_file(db, &file);
  return code == SQLITE_OK ? file->pMethods->xRead(file, into, count, offset) : code;
}

// Waits until the disk has the database file, its length among it.
static inline int kymo_sqlite_sync_file(sqlite3 *db) {
  sqlite3_file *file;
  int code = kymo_sqlite_file(db, &file);
  return code == SQLITE_OK ? file->pMethods->xSync(file, SQLITE_SYNC_NORMAL) : code;
}

#endif
