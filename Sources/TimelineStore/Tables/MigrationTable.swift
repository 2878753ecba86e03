/// The table `migration`: which steps made this file.
enum MigrationTable: RecordingTable {
  static let name = "migration"
  static let columns = ["step", "name", "checksum"]
  static var texts: [String] { [insertText] }
}
