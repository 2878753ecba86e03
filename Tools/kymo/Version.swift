import Scenarios
import TimelineStore

/// The program's own version.
let programVersion = "0.1.0"

/// The program as it names itself in a recording.
let programName = "kymo \(programVersion)"

/// What `kymo --version` prints.
var versionText: String {
  "\(programName) (engine \(engineVersion), recording schema \(RecordingFormat.schemaVersion), "
    + "SQLite \(RecordingFormat.sqliteVersion))"
}
