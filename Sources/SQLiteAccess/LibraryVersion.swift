import CSQLite

/// The version of the library that the program runs with, which may be newer than its header.
package var libraryVersion: String { String(cString: sqlite3_libversion()) }
