import KymographCSQLite

/// The version of the library that the program runs with, which may be newer than its header.
package var libraryVersion: String { String(cString: sqlite3_libversion()) }

/// Tells SQLite not to count the memory that it uses, which takes a lock at each allocation, and to take no memory for
/// twenty pages at once for each cache, since each set of a small question has one. All threads share one heap.
///
/// - Returns: false when SQLite is in use already. Then nothing of it changes.
package func saveMemoryWork() -> Bool {
  kymo_share_heap()
  return kymo_sqlite_set_process_option(SQLITE_CONFIG_MEMSTATUS, 0) == SQLITE_OK
    && kymo_sqlite_take_pages_singly() == SQLITE_OK
}
