#include "FaultVFS.h"

#include <sqlite3.h>
#include <stdatomic.h>
#include <stddef.h>

// SQLite's memory with a place where it runs out.

static sqlite3_mem_methods below;
static bool isInstalled;
static atomic_llong calls;
static atomic_llong failing;
static atomic_bool isForGood;

static bool fails(void) {
  long long call = atomic_fetch_add(&calls, 1) + 1;
  long long nth = atomic_load(&failing);
  return nth > 0 && (call == nth || (call > nth && atomic_load(&isForGood)));
}

static void *allocate(int size) { return fails() ? NULL : below.xMalloc(size); }

static void *change(void *memory, int size) {
  return fails() ? NULL : below.xRealloc(memory, size);
}

bool fault_memory_fail(int64_t nth, bool forGood) {
  if (!isInstalled) {
    if (sqlite3_config(SQLITE_CONFIG_GETMALLOC, &below) != SQLITE_OK) return false;
    sqlite3_mem_methods own = below;
    own.xMalloc = allocate;
    own.xRealloc = change;
    if (sqlite3_config(SQLITE_CONFIG_MALLOC, &own) != SQLITE_OK) return false;
    isInstalled = true;
  }
  atomic_store(&calls, 0);
  atomic_store(&isForGood, forGood);
  atomic_store(&failing, nth);
  return true;
}

int64_t fault_memory_calls(void) { return atomic_load(&calls); }
