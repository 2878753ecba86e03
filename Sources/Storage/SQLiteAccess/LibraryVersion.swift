import KymographCSQLite

/// The version of the library that the program runs with, which may be newer than its header.
package var libraryVersion: String { String(cString: sqlite3_libversion()) }

/// Tells SQLite not to count the memory that it uses, which takes a lock at each allocation.
///
/// - Returns: false when SQLite is in use already; then nothing changes.
package func turnOffMemoryStatistics() -> Bool {
  kymo_sqlite_set_process_option(SQLITE_CONFIG_MEMSTATUS, 0) == SQLITE_OK
}
