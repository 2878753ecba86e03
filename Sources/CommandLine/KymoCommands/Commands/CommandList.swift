import TimelineStore
import TransitionScenarios

extension Command {
  /// Every command, in the order in which help lists them.
  static var all: [Command] {
    [
      recordCommand(),
      infoCommand(),
      sessionsCommand(),
      keysCommand(),
      eventsCommand(),
      touchesCommand(),
      replayCommand(),
      rerunCommand(),
      playCommand(),
      plotCommand(),
      filmstripCommand(),
      velocityCommand(),
      fitCommand(),
      whatIfCommand(),
      tuneCommand(),
      compareCommand(),
      benchCommand(),
      calibrateCommand(),
      checkCommand(),
      reviewCommand(),
      acceptCommand(),
      labelCommand(),
      expectCommand(),
      workCommand(),
      reportCommand(),
      describeCommand(),
      layoutCommand(),
      easeCommand(),
      settleCommand(),
      scenarioCommand(),
      sqlCommand(),
      sealCommand(),
      expandCommand(),
      compactCommand(),
      mergeCommand(),
      exportCommand(),
      trimCommand(),
      deleteCommand(),
      migrateCommand(),
      doctorCommand(),
      recoverCommand(),
      webCommand(),
    ]
  }
}

var programVersion: String { "0.1.0" }

/// The program as it names itself in a recording.
var programName: String { "kymo \(programVersion)" }

/// What `kymo --version` prints.
var versionText: String {
  "\(programName) (engine \(engineVersion), recording schema \(RecordingFormat.schemaVersion), "
    + "SQLite \(RecordingFormat.sqliteVersion))"
}
