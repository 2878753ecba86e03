#ifndef KYMOGRAPH_CSQLITE_SHIM_H
#define KYMOGRAPH_CSQLITE_SHIM_H

#include <sqlite3.h>

// Swift does not import macros that cast, so the destructor constant gets a function.
static inline sqlite3_destructor_type kymo_sqlite_transient(void) { return SQLITE_TRANSIENT; }

#endif
